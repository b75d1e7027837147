"""Use cases of knowledge bases. Reading and changing rows is `knowledge/bases`; here stands what deleting one takes along."""

from __future__ import annotations

import sqlalchemy as sa

from famulus.app.removal import Removal
from famulus.knowledge.base import Scope
from famulus.knowledge.bases import (
    BaseChanges,
    Bases,
    BaseScope,
    KnowledgeBase,
    Sensitivity,
    read_base,
    require_writable,
)
from famulus.messages.values import Principal
from famulus.store.database import Database
from famulus.store.schema.knowledge import knowledge_base

DEFAULT_NAME = "Documents"


class KnowledgeBases:
    def __init__(self, database: Database, bases: Bases, removal: Removal) -> None:
        self._database = database
        self._bases = bases
        self._removal = removal

    async def create(
        self,
        principal: Principal,
        name: str,
        *,
        description: str = "",
        scope: BaseScope = "personal",
        sensitivity: Sensitivity = "normal",
        neutralize: bool = False,
    ) -> KnowledgeBase:
        """The new base. Raises Conflict, Invalid."""
        return await self._bases.create(
            principal, name, description=description, scope=scope, sensitivity=sensitivity, neutralize=neutralize
        )

    async def get(self, principal: Principal, base_id: str) -> KnowledgeBase:
        """Raises NotFound."""
        return await self._bases.get(principal, base_id)

    async def find_or_create(self, principal: Principal, name: str = DEFAULT_NAME) -> KnowledgeBase:
        """The visible base of that name, made when there is none."""
        return await self._bases.find(principal, name) or await self._bases.create(principal, name)

    async def find(self, principal: Principal, name: str) -> KnowledgeBase | None:
        return await self._bases.find(principal, name)

    async def list(self, principal: Principal, *, after: str = "", limit: int = 1000) -> list[KnowledgeBase]:
        """Visible bases, oldest first, from the id behind `after`."""
        return await self._bases.list(principal, after=after, limit=limit)

    async def update(self, principal: Principal, base_id: str, changes: BaseChanges) -> KnowledgeBase:
        """Raises NotFound, Conflict, Invalid."""
        return await self._bases.update(principal, base_id, changes)

    async def scope(self, principal: Principal, base_ids: tuple[str, ...] | None) -> Scope:
        """The search scope of a choice of bases; None = all visible ones. Raises NotFound."""
        return await self._bases.scope(principal, base_ids)

    async def delete(self, principal: Principal, base_id: str) -> None:
        """Removes the base with all its documents, facts, passages, vectors and bytes. Raises NotFound."""

        def remove(connection: sa.Connection) -> list[str]:
            require_writable(principal, read_base(connection, principal, base_id))
            blobs = self._removal.everything_in(connection, principal.tenant, base_id)
            table = knowledge_base.c
            connection.execute(sa.delete(knowledge_base).where(table.tenant == principal.tenant, table.id == base_id))
            return blobs

        await self._removal.free(await self._database.write(remove))
