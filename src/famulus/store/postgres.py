"""PostgreSQL through psycopg 3: each function is a transaction of its own, in a thread with a pooled connection.

Safe behind PgBouncer in transaction mode: no prepared statements, no session settings, no session locks. LISTEN needs a
session; where a pooler swallows it, the polling of the listeners' owners still finds everything.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar, cast

import psycopg
import sqlalchemy as sa
from psycopg import errors as pg
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from famulus.messages.values import JsonObject
from famulus.store.database import Database, take_signals
from famulus.store.errors import StoreUnavailable, Unreachable
from famulus.store.jsontext import decode_object, encode

T = TypeVar("T")
_log: Final = logging.getLogger(__name__)
_CHANNEL: Final = "famulus"
_ATTEMPTS: Final = 8
_RECONNECT_S: Final = 1.0
_NOTIFY: Final = "SELECT pg_notify(%s, %s)"


class PostgresDatabase(Database):
    dialect = "postgresql"
    exclusive = False

    def __init__(self, url: str, pool_size: int) -> None:
        super().__init__()
        self._url = url
        self._engine = _engine(url, pool_size)
        self._reading = _engine(url, pool_size, read_only=True)
        self._threads = ThreadPoolExecutor(pool_size, thread_name_prefix="famulus-postgres")
        self._listener: asyncio.Task[None] | None = None
        self._closed = False

    @classmethod
    async def open(cls, url: str, pool_size: int) -> PostgresDatabase:
        from famulus.store.migrate import migrate_postgres

        database = cls(url, pool_size)
        try:
            await asyncio.to_thread(migrate_postgres, database._engine)
        except (DBAPIError, PoolTimeout) as error:
            await database.aclose()
            raise Unreachable(
                f"the PostgreSQL server cannot be used: {_first_line(error)}; check FAMULUS_DATABASE_URL"
            ) from error
        except BaseException:
            await database.aclose()
            raise
        listening = asyncio.Event()
        database._listener = asyncio.create_task(database._listen_forever(listening), name="famulus-listen")
        await listening.wait()
        return database

    async def write(self, function: Callable[[Connection], T], *, idempotent: bool = False) -> T:
        value, signals = await self._in_thread(lambda: self._write(function, idempotent))
        self._emit_all(signals)
        return value

    async def read(self, function: Callable[[Connection], T]) -> T:
        return await self._in_thread(lambda: self._read(function))

    async def notify(self, channel: str, payload: JsonObject) -> None:
        self._signals.emit(channel, payload)
        await self._in_thread(lambda: self._send([(channel, payload)]))

    async def aclose(self) -> None:
        if self._closed:
            return
        self._closed = True
        if self._listener is not None:
            self._listener.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._listener
        await asyncio.to_thread(self._threads.shutdown)
        self._engine.dispose()
        self._reading.dispose()

    async def _in_thread(self, function: Callable[[], T]) -> T:
        if self._closed:
            raise StoreUnavailable("the database is closed; this process is shutting down")
        return await asyncio.get_running_loop().run_in_executor(self._threads, function)

    # ── in the threads ──

    def _write(self, function: Callable[[Connection], T], idempotent: bool) -> tuple[T, list[tuple[str, JsonObject]]]:
        for attempt in range(_ATTEMPTS):
            committing = False
            try:
                with self._engine.connect() as connection, connection.begin() as transaction:
                    take_signals(connection)
                    value = function(connection)
                    signals = take_signals(connection)
                    self._notify_others(connection, signals)
                    committing = True
                    transaction.commit()
                return value, signals
            except (DBAPIError, psycopg.Error, PoolTimeout) as error:
                if not _may_repeat(error, committing and not idempotent) or attempt == _ATTEMPTS - 1:
                    raise _unavailable(error) or error from error
                time.sleep(random.uniform(0.5, 1) * min(0.02 * 2**attempt, 1.0))
        raise AssertionError("unreachable")

    def _read(self, function: Callable[[Connection], T]) -> T:
        for attempt in range(_ATTEMPTS):
            try:
                with self._reading.connect() as connection, connection.begin() as transaction:
                    value = function(connection)
                    transaction.rollback()
                return value
            except (DBAPIError, psycopg.Error, PoolTimeout) as error:
                if not _may_repeat(error, False) or attempt == _ATTEMPTS - 1:
                    raise _unavailable(error) or error from error
                time.sleep(random.uniform(0.5, 1) * min(0.02 * 2**attempt, 1.0))
        raise AssertionError("unreachable")

    def _send(self, signals: list[tuple[str, JsonObject]]) -> None:
        with self._engine.begin() as connection:
            self._notify_others(connection, signals)

    def _notify_others(self, connection: Connection, signals: list[tuple[str, JsonObject]]) -> None:
        driver = driver_connection(connection)
        for channel, payload in signals:
            driver.execute(_NOTIFY, (_CHANNEL, encode({"from": self.instance, "channel": channel, "payload": payload})))

    # ── signals of other processes ──

    async def _listen_forever(self, listening: asyncio.Event) -> None:
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(self._url, autocommit=True) as connection:
                    await connection.execute(f"LISTEN {_CHANNEL}")
                    listening.set()
                    async for notification in connection.notifies():
                        self._receive(notification.payload)
            except (psycopg.Error, OSError) as error:
                _log.warning("listening for signals was interrupted, trying again", extra={"error": _first_line(error)})
            listening.set()
            await asyncio.sleep(_RECONNECT_S)

    def _receive(self, text: str) -> None:
        try:
            message = decode_object(text)
            channel, payload = message["channel"], message["payload"]
        except (ValueError, KeyError):
            return
        if message.get("from") != self.instance and isinstance(channel, str) and isinstance(payload, dict):
            self._signals.emit(channel, payload)


def driver_connection(connection: Connection) -> psycopg.Connection[tuple[object, ...]]:
    """The psycopg connection under `connection`, for prebuilt SQL on hot paths."""
    return cast("psycopg.Connection[tuple[object, ...]]", connection.connection.driver_connection)


def _may_repeat(error: Exception, outcome_unknown: bool) -> bool:
    """Whether the whole transaction can run again: the server rolled it back, or it was never committed."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(cause, (pg.SerializationFailure, pg.DeadlockDetected)):
        return True
    return not outcome_unknown and _unavailable(error) is not None


def _unavailable(error: Exception) -> StoreUnavailable | None:
    """The error to show for one that is the server's (gone, starting, full), else None."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    lost = isinstance(error, DBAPIError) and error.connection_invalidated
    if isinstance(cause, (psycopg.OperationalError, psycopg.InterfaceError)) or lost or isinstance(error, PoolTimeout):
        return StoreUnavailable(
            f"the database server cannot be used now ({_first_line(error)}); check that it runs and has space"
        )
    return None


def _first_line(error: BaseException) -> str:
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    return str(cause).strip().partition("\n")[0] or type(cause).__name__


def _engine(url: str, pool_size: int, *, read_only: bool = False) -> Engine:
    def connect() -> psycopg.Connection[tuple[object, ...]]:
        connection = psycopg.connect(url, prepare_threshold=None, connect_timeout=10, application_name="famulus")
        if read_only:
            connection.read_only = True
            connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        return connection

    return sa.create_engine(
        "postgresql+psycopg://",
        creator=connect,
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=30,
    )
