"""Use cases of facts: add, look at, change, take out. Each change and its index entries are one transaction."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from famulus.errors import NotFound
from famulus.knowledge.bases import Bases, read_base, require_writable
from famulus.knowledge.facts import Fact, FactChanges, add_fact, change_fact, list_facts, read_fact, remove_fact
from famulus.knowledge.ingest import Ingest
from famulus.messages.values import Principal
from famulus.store.database import Database


class Facts:
    def __init__(self, database: Database, bases: Bases, ingest: Ingest) -> None:
        self._database = database
        self._bases = bases
        self._ingest = ingest

    async def add(
        self,
        principal: Principal,
        base_id: str,
        text: str,
        *,
        category: str | None = None,
        tags: Sequence[str] = (),
        sensitive: bool = False,
    ) -> Fact:
        """The new fact; search finds it at once unless it is sensitive. Raises NotFound, Invalid."""

        def add(connection: sa.Connection) -> Fact:
            require_writable(principal, read_base(connection, principal, base_id))
            fact, replaced = add_fact(connection, principal, base_id, text, category, tags, sensitive)
            self._ingest.index(connection, principal.tenant, base_id, replaced)
            return fact

        return await self._database.write(add)

    async def get(self, principal: Principal, fact_id: str) -> Fact:
        """Raises NotFound."""
        return await self._database.read(lambda c: _visible(c, principal, fact_id))

    async def list(
        self,
        principal: Principal,
        base_id: str,
        *,
        category: str | None = None,
        tag: str | None = None,
        q: str | None = None,
        after: str = "",
        limit: int = 100,
    ) -> list[Fact]:
        """Facts of one base, oldest first, from the id behind `after`. Raises NotFound."""
        await self._bases.get(principal, base_id)
        return await self._database.read(
            lambda c: list_facts(
                c, principal.tenant, (base_id,), category=category, tag=tag, q=q, after=after, limit=limit
            )
        )

    async def update(self, principal: Principal, fact_id: str, changes: FactChanges) -> Fact:
        """The fact after the changes. Raises NotFound, Invalid."""

        def change(connection: sa.Connection) -> Fact:
            base_id = _writable(connection, principal, fact_id).knowledge_base_id
            fact, replaced = change_fact(connection, principal.tenant, fact_id, changes)
            self._ingest.index(connection, principal.tenant, base_id, replaced)
            return fact

        return await self._database.write(change)

    async def delete(self, principal: Principal, fact_id: str) -> None:
        """Takes the fact and its index entries out. Raises NotFound."""

        def remove(connection: sa.Connection) -> None:
            fact = _writable(connection, principal, fact_id)
            self._ingest.forget(connection, principal.tenant, remove_fact(connection, principal.tenant, fact))

        await self._database.write(remove)


def _visible(connection: sa.Connection, principal: Principal, fact_id: str) -> Fact:
    """Raises NotFound in the same words whether the fact is absent or in a base that the caller may not see."""
    fact = read_fact(connection, principal.tenant, fact_id)
    try:
        read_base(connection, principal, fact.knowledge_base_id)
    except NotFound as error:
        raise NotFound(f"There is no fact {fact_id!r}; it may have been deleted.") from error
    return fact


def _writable(connection: sa.Connection, principal: Principal, fact_id: str) -> Fact:
    fact = _visible(connection, principal, fact_id)
    require_writable(principal, read_base(connection, principal, fact.knowledge_base_id))
    return fact
