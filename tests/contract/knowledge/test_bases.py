"""Which bases a caller reaches, on both stores."""

from __future__ import annotations

import pytest
import sqlalchemy as sa
from tests.contract.knowledge.conftest import COLLEAGUE, OWNER, STRANGER, Library

from famulus.errors import NotFound
from famulus.knowledge.base import Scope
from famulus.knowledge.chunks import passages_by_number
from famulus.store.schema.knowledge import chunk, knowledge_base


async def test_every_visible_base_is_searched_however_many_there_are(library: Library, base_id: str) -> None:
    await library.database.write(lambda c: _copy(c, base_id, 1_200))
    scope = await library.bases.scope(OWNER, None)
    assert len(scope.knowledge_base_ids) == 1_201
    assert (await library.bases.scope(OWNER, ("copy-1199", base_id))).knowledge_base_ids == ("copy-1199", base_id)
    found = await library.bases.find(OWNER, "Copy 1199")
    assert found is not None
    assert found.id == "copy-1199"


async def test_a_base_of_somebody_else_is_in_no_scope(library: Library, base_id: str) -> None:
    for other in (COLLEAGUE, STRANGER):
        assert (await library.bases.scope(other, None)).knowledge_base_ids == ()
        with pytest.raises(NotFound):
            await library.bases.scope(other, (base_id,))
        assert await library.bases.find(other, "Docs") is None


async def test_of_two_bases_of_one_name_the_own_one_is_found(library: Library, base_id: str) -> None:
    await library.bases.update(OWNER, base_id, {"scope": "tenant"})
    own = await library.bases.create(COLLEAGUE, "Docs")
    for person, wanted in ((OWNER, base_id), (COLLEAGUE, own.id)):
        found = await library.bases.find(person, " Docs ")
        assert found is not None
        assert found.id == wanted


def _copy(connection: sa.Connection, base_id: str, number: int) -> None:
    row = dict(connection.execute(sa.select(knowledge_base).where(knowledge_base.c.id == base_id)).mappings().one())
    copies = [row | {"id": f"copy-{n}", "name": f"Copy {n}"} for n in range(number)]
    connection.execute(sa.insert(knowledge_base), copies)


async def test_a_passage_is_read_by_its_number_in_its_own_tenant_and_bases_only(library: Library, base_id: str) -> None:
    await library.facts.add(OWNER, base_id, "The gate closes at ten.")
    numbers = await library.database.read(lambda c: list(c.scalars(sa.select(chunk.c.number))))

    async def read(tenant: str, base: str) -> list[str]:
        scope = Scope(tenant, (base,))
        found = await library.database.read(lambda c: passages_by_number(c, scope, dict.fromkeys(numbers, 0.5)))
        return [passage.text for passage in found.values()]

    assert await read(OWNER.tenant, base_id) == ["The gate closes at ten."]
    assert await read(STRANGER.tenant, base_id) == await read(OWNER.tenant, "another") == []
