"""Passages are read by number, and only inside the scope; those without a vector are found for the embedder."""

from __future__ import annotations

from datetime import UTC, datetime

import sqlalchemy as sa

from famulus.knowledge import replace as rows
from famulus.knowledge.base import Scope
from famulus.knowledge.chunks import passages_by_number
from famulus.knowledge.pending import chunks_to_embed, mark_embedded
from famulus.store.database import Database

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def add(connection: sa.Connection, tenant: str, base: str, first: int, count: int = 2) -> None:
    owner = rows.Owner(tenant, base, f"{base}.md", NOW, document_id=f"d-{base}")
    new = [rows.NewChunk(n, n, n + 5, f"text {first + n}", page=3, section=("A", "b")) for n in range(count)]
    rows.insert_rows(connection, rows.chunk_rows(owner, new, first))


async def test_only_passages_of_the_scope_are_read(database: Database) -> None:
    for tenant, base, first in (("t", "k1", 1), ("t", "k2", 3), ("other", "k1", 5)):
        await database.write(lambda c, t=tenant, b=base, f=first: add(c, t, b, f))
    wanted = {number: number / 10 for number in (1, 2, 3, 4, 5, 6, 99)}
    found = await database.read(lambda c: passages_by_number(c, Scope("t", ("k1",)), wanted))
    assert {number: passage.text for number, passage in found.items()} == {1: "text 1", 2: "text 2"}
    passage = found[2]
    assert (passage.kind, passage.document_name, passage.page, passage.section) == ("document", "k1.md", 3, ("A", "b"))
    assert (passage.document_id, passage.start, passage.end, passage.score) == ("d-k1", 1, 6, 0.2)


async def test_passages_without_a_vector_come_before_those_of_another_embedder(database: Database) -> None:
    await database.write(lambda c: add(c, "t", "k1", 1, 6))
    marked = [(["a"], [1, 2]), (["new"], [3]), (["z"], [4])]
    for [identity], numbers in marked:
        await database.write(lambda c, i=identity, n=numbers: mark_embedded(c, "t", n, i))
    order: list[int] = []
    while batch := await database.read(lambda c: chunks_to_embed(c, "t", "k1", "new", 2)):
        numbers = [chunk.number for chunk in batch]
        order += numbers
        assert await database.write(lambda c, n=numbers: mark_embedded(c, "t", [*n, 99], "new")) == numbers
    assert order == [5, 6, 1, 2, 4]
