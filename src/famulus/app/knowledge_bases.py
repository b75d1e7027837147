"""Use cases of knowledge bases. Reading and changing rows is `knowledge/bases`; here stands what deleting one takes along."""

from __future__ import annotations

import sqlalchemy as sa

from famulus.app.removal import Removal
from famulus.knowledge.bases import Bases, KnowledgeBase, read_base, require_writable
from famulus.messages.values import Principal
from famulus.store.database import Database
from famulus.store.schema.knowledge import knowledge_base


class KnowledgeBases(Bases):
    def __init__(self, database: Database, removal: Removal) -> None:
        super().__init__(database)
        self._removal = removal

    async def find_or_create(self, principal: Principal, name: str) -> KnowledgeBase:
        """The visible base of that name, made when there is none."""
        return await self.find(principal, name) or await self.create(principal, name)

    async def delete(self, principal: Principal, base_id: str) -> None:
        """Removes the base with all its documents, facts, passages, vectors and bytes. Raises NotFound."""

        def remove(connection: sa.Connection) -> list[str]:
            require_writable(principal, read_base(connection, principal, base_id))
            blobs = self._removal.everything_in(connection, principal.tenant, base_id)
            table = knowledge_base.c
            connection.execute(sa.delete(knowledge_base).where(table.tenant == principal.tenant, table.id == base_id))
            return blobs

        await self._removal.free(await self._database.write(remove))
