"""The one door to stored data: transactions on SQLite or PostgreSQL, and signals between tasks and processes.

A function given to `write` or `read` runs in a thread, gets a SQLAlchemy `Connection` inside a transaction, and must have no
effect outside it: after a lost connection, a deadlock or a failed group commit it is run again.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeVar, cast

from famulus.errors import ConfigError
from famulus.messages.ids import new_id
from famulus.messages.values import JsonObject
from famulus.store.signals import Handler, Signals

if TYPE_CHECKING:
    from sqlalchemy import Connection

T = TypeVar("T")
_PENDING: Final = "famulus_pending_signals"


class Database(ABC):
    """An open database. Made by `open_database`, ended by `aclose`."""

    dialect: Literal["sqlite", "postgresql"]
    exclusive: bool
    """True when no other process can hold this database: then whatever a former process owned is free."""

    def __init__(self) -> None:
        self.instance = new_id()
        self._signals = Signals()

    @abstractmethod
    async def write(self, function: Callable[[Connection], T], *, idempotent: bool = False) -> T:
        """Runs `function` in one transaction and returns its value once that is safely on disk.

        `idempotent` allows a second run when the outcome of the first commit is unknown (connection lost meanwhile).
        Raises what `function` raises (then nothing of it was written) and `StoreUnavailable`.
        """

    @abstractmethod
    async def read(self, function: Callable[[Connection], T]) -> T:
        """Runs `function` on a read-only snapshot and returns its value."""

    @abstractmethod
    async def aclose(self) -> None:
        """Ends all transactions and threads; afterwards the data folder is free."""

    async def notify(self, channel: str, payload: JsonObject) -> None:
        """Wakes the listeners of `channel`, here and in other processes on the same PostgreSQL. Payload ≤ 7,000 bytes of JSON."""
        self._signals.emit(channel, payload)

    def notify_in(self, connection: Connection, channel: str, payload: JsonObject) -> None:
        """As `notify`, as part of the transaction of `connection`: sent if and when it commits."""
        pending = cast("list[tuple[str, JsonObject]]", connection.info.setdefault(_PENDING, []))
        pending.append((channel, payload))

    def listen(self, channel: str) -> AsyncIterator[JsonObject]:
        """Payloads of `channel` from now on. A wake-up may be lost (a restarted server): look at the tables once in a while too."""
        return self._signals.listen(channel)

    def on_signal(self, channel: str, handler: Handler) -> Callable[[], None]:
        """Calls `handler` in the event loop for each payload of `channel`; returns the function that ends it."""
        return self._signals.subscribe(channel, handler)

    async def __aenter__(self) -> Database:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def _emit_all(self, signals: list[tuple[str, JsonObject]]) -> None:
        for channel, payload in signals:
            self._signals.emit(channel, payload)


def take_signals(connection: Connection) -> list[tuple[str, JsonObject]]:
    """The signals that `notify_in` left on the connection; they are removed from it."""
    return cast("list[tuple[str, JsonObject]]", connection.info.pop(_PENDING, None) or [])


async def open_database(
    target: str | Path, *, pool_size: int = 10, busy_timeout_s: float = 30.0, beside: bool = False
) -> Database:
    """The database at a data folder (SQLite in it) or a `postgresql://` URL, migrated to this version and ready.

    `beside`: a data folder that another process holds is opened next to it, for reading and for short writes to tables of which
    no process keeps a copy in memory (accounts).
    Raises `ConfigError` (folder unusable or in use, server unreachable, bad URL) and `NeedsUpgrade` (written by a newer version).
    """
    scheme, separator, _ = str(target).partition("://")
    if separator and scheme in ("postgresql", "postgres"):
        from famulus.store.postgres import PostgresDatabase

        return await PostgresDatabase.open(str(target), pool_size)
    if separator:
        raise ConfigError(
            f"a database URL that starts with {scheme!r} is not supported; use postgresql://… or a folder path"
        )
    from famulus.store.sqlite import SqliteDatabase

    return await asyncio.to_thread(partial(SqliteDatabase.open, Path(target), busy_timeout_s, beside=beside))
