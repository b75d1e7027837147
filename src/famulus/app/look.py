"""What is stored, and accounts, without the rest of the product: no models, no tools, no worker, no embedder.

It also works while a server holds the data folder.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from famulus.app.health import Health, health_of, parts_of
from famulus.auth.accounts import Accounts
from famulus.errors import ConfigError
from famulus.knowledge.base import Scope
from famulus.knowledge.bases import Bases, KnowledgeBase
from famulus.knowledge.chunks import count_embedded
from famulus.knowledge.documents import Document, Status, count_by_status, list_documents
from famulus.messages.values import Principal
from famulus.store.database import Database, open_database
from famulus.store.errors import FolderInUse

if TYPE_CHECKING:
    import sqlalchemy as sa

    from famulus.app.run_records import RunRecords
    from famulus.config import Settings


@dataclass(frozen=True, slots=True)
class Standing:
    """A base, how many of its documents are in which state, and how many of its passages have a vector."""

    base: KnowledgeBase
    documents: Mapping[Status, int]
    embedded: int
    passages: int


class Look:
    """`accounts` and `knowledge_bases` are the doors of their own rooms; `address`: where the server that holds the folder answers.

    `held`: some other process works on the folder.
    """

    def __init__(
        self, database: Database, settings: Settings, address: str | None = None, *, held: bool = False
    ) -> None:
        self._database = database
        self.settings = settings
        self.address = address
        self.held = held
        self.accounts = Accounts(database, session_days=settings.server.session_days)
        self.knowledge_bases = Bases(database)

    async def documents(self, principal: Principal, base_id: str) -> list[Document]:
        """All documents of a base, oldest first. Raises NotFound."""
        await self.knowledge_bases.get(principal, base_id)
        return await self._database.read(
            lambda connection: list_documents(connection, principal.tenant, (base_id,), after="", limit=100_000)
        )

    async def standings(self, principal: Principal) -> list[Standing]:
        """How far each visible base is, oldest first."""
        bases = await self.knowledge_bases.list(principal)

        def read(connection: sa.Connection) -> list[Standing]:
            counts = count_by_status(connection, principal.tenant, [base.id for base in bases])
            found: list[Standing] = []
            for base in bases:
                embedded, passages = count_embedded(connection, Scope(principal.tenant, (base.id,)))
                found.append(Standing(base, counts.get(base.id, {}), embedded, passages))
            return found

        return await self._database.read(read)

    async def health(self) -> Health:
        """Of the store and the settings; a server that holds the folder tells its own at /api/v1/health."""
        return await health_of(self._database, parts_of(self.settings))

    @asynccontextmanager
    async def runs(self) -> AsyncGenerator[RunRecords]:
        """The runs; what they need is imported when they are asked for."""
        from famulus.app.run_records import RunRecords
        from famulus.events.log import EventLog
        from famulus.store.blobs import blob_store

        blobs = blob_store(self._database, None if self.settings.database_url else self.settings.data / "blobs")
        log = EventLog(self._database, blobs=blobs)
        try:
            yield RunRecords(log)
        finally:
            await log.aclose()


def require_folder(settings: Settings) -> None:
    """Raises ConfigError where nothing is stored: what only looks or removes must not make a folder of a mistyped name."""
    if settings.database_url is None and not settings.data.exists():
        raise ConfigError(
            f"there is no data folder at {str(settings.data)!r}, so nothing is stored there; name another folder with --data, "
            "or put documents in first: `famulus add PATH` makes this one"
        )


@asynccontextmanager
async def look(settings: Settings) -> AsyncGenerator[Look]:
    """What is stored. Raises ConfigError (data folder foreign, database unreachable) and NeedsUpgrade."""
    require_folder(settings)
    url = settings.database_url
    target = settings.data if url is None else url.get_secret_value()
    address, held = None, False
    try:
        database = await open_database(target)
    except FolderInUse as used:
        address, held = used.address, True
        database = await open_database(target, beside=True)
    async with database:
        yield Look(database, settings, address, held=held)
