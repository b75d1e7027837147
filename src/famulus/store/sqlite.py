"""SQLite in the data folder: one writer thread with group commit, a few reader threads, write-ahead log, `synchronous=FULL`.

Whatever waits when the writer is free goes into one `BEGIN IMMEDIATE … COMMIT`, each function in its own savepoint, so one
fsync acknowledges many. FULL for all: the fsync is shared, and an acknowledged event must survive a power cut.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import sqlalchemy as sa
from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import DatabaseError as WrappedError
from sqlalchemy.pool import NullPool

from famulus.messages.values import JsonObject
from famulus.store.database import Database, take_signals
from famulus.store.errors import StoreUnavailable
from famulus.store.folder import DataFolder, open_folder

T = TypeVar("T")
_READERS: Final = 4
_BATCH: Final = 256


@dataclass(slots=True, eq=False)
class _Unit:
    """One function that waits for the writer, then its outcome."""

    function: Callable[[Connection], Any]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    value: Any = None
    error: BaseException | None = None
    signals: list[tuple[str, JsonObject]] = field(default_factory=lambda: [])


class SqliteDatabase(Database):
    dialect = "sqlite"

    def __init__(self, folder: DataFolder, busy_timeout_s: float, *, exclusive: bool = True) -> None:
        super().__init__()
        self.folder = folder
        self.exclusive = exclusive
        self._writer_engine = _engine(folder.database, busy_timeout_s, "BEGIN IMMEDIATE")
        self._reader_engine = _engine(folder.database, busy_timeout_s, None, "PRAGMA query_only=ON")
        self._units: queue.SimpleQueue[_Unit | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write_forever, name="famulus-writer", daemon=True)
        self._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="famulus-reader")
        self._local = threading.local()
        self._opened: list[Connection] = []
        self._closed = False

    @classmethod
    def open(cls, path: Path, busy_timeout_s: float, *, beside: bool = False) -> SqliteDatabase:
        from famulus.store.migrate import migrate_sqlite, require_current

        folder = open_folder(path, exclusive=not beside)
        try:
            database = cls(folder, busy_timeout_s, exclusive=not beside)
            if beside:
                require_current(database._reader_engine, folder)
            else:
                migrate_sqlite(database._writer_engine, folder)
        except BaseException:
            folder.close()
            raise
        database._writer.start()
        return database

    async def write(self, function: Callable[[Connection], T], *, idempotent: bool = False) -> T:
        if self._closed:
            raise StoreUnavailable("the database is closed; this process is shutting down")
        loop = asyncio.get_running_loop()
        unit = _Unit(function, loop, loop.create_future())
        self._units.put(unit)
        return await unit.future

    async def read(self, function: Callable[[Connection], T]) -> T:
        if self._closed:
            raise StoreUnavailable("the database is closed; this process is shutting down")
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, function)

    async def aclose(self) -> None:
        if self._closed:
            return
        self._closed = True
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self._units.put(None)
        self._writer.join()
        self._readers.shutdown()
        for connection in self._opened:
            connection.close()
        self._reader_engine.dispose()
        self._writer_engine.dispose()
        self.folder.close()

    def _read(self, function: Callable[[Connection], T]) -> T:
        connection = cast("Connection | None", getattr(self._local, "connection", None))
        if connection is None:
            connection = self._local.connection = self._reader_engine.connect()
            self._opened.append(connection)
        driver = driver_connection(connection)
        try:
            # Not SQLAlchemy's own begin and end, which take longer than most of what is read in between.
            driver.execute("BEGIN")
            return function(connection)
        except (sqlite3.OperationalError, WrappedError) as error:
            raise _unavailable(error) or error from error
        finally:
            if connection.in_transaction():
                connection.rollback()
            driver.rollback()

    # ── the writer thread ──

    def _write_forever(self) -> None:
        with self._writer_engine.connect() as connection:
            while batch := self._take():
                self._write_batch(connection, batch)
                _answer(batch, self._emit_all)

    def _take(self) -> list[_Unit]:
        """What waits now, at most 256; empty at the end."""
        first = self._units.get()
        batch = [first] if first is not None else []
        while batch and len(batch) < _BATCH:
            try:
                unit = self._units.get_nowait()
            except queue.Empty:
                break
            if unit is None:
                self._units.put(None)
                break
            batch.append(unit)
        return batch

    def _write_batch(self, connection: Connection, batch: list[_Unit]) -> None:
        try:
            _commit_together(connection, batch)
        except BaseException:
            # A full disk or a failed commit takes the whole group with it: each function is tried alone, so that
            # nobody is answered with the error of a neighbour.
            for unit in batch:
                _commit_alone(connection, unit)


def _commit_together(connection: Connection, batch: list[_Unit]) -> None:
    if len(batch) == 1:
        _commit_alone(connection, batch[0])
        return
    with connection.begin():
        driver = driver_connection(connection)
        for unit in batch:
            driver.execute("SAVEPOINT unit")
            _run(connection, unit)
            if unit.error is not None:
                driver.execute("ROLLBACK TO unit")
            driver.execute("RELEASE unit")


def _commit_alone(connection: Connection, unit: _Unit) -> None:
    try:
        with connection.begin():
            _run(connection, unit)
            if unit.error is not None:
                raise unit.error
    except BaseException as error:
        unit.error = _unavailable(error) or error
        unit.signals.clear()
        take_signals(connection)


def _run(connection: Connection, unit: _Unit) -> None:
    unit.error = None
    try:
        unit.value = unit.function(connection)
        unit.signals = take_signals(connection)
    except BaseException as error:
        unit.error = error
        take_signals(connection)


def _answer(batch: list[_Unit], emit: Callable[[list[tuple[str, JsonObject]]], None]) -> None:
    by_loop: dict[asyncio.AbstractEventLoop, list[_Unit]] = {}
    for unit in batch:
        by_loop.setdefault(unit.loop, []).append(unit)
    for loop, units in by_loop.items():
        # A loop that was closed meanwhile has nobody left who waits.
        if not loop.is_closed():
            loop.call_soon_threadsafe(_resolve, units, emit)


def _resolve(units: list[_Unit], emit: Callable[[list[tuple[str, JsonObject]]], None]) -> None:
    for unit in units:
        if unit.signals:
            emit(unit.signals)
        if unit.future.done():
            continue
        if unit.error is not None:
            unit.future.set_exception(unit.error)
        else:
            unit.future.set_result(unit.value)


def driver_connection(connection: Connection) -> sqlite3.Connection:
    """The `sqlite3` connection under `connection`, for prebuilt SQL on hot paths."""
    return cast("sqlite3.Connection", connection.connection.driver_connection)


def _unavailable(error: BaseException) -> StoreUnavailable | None:
    """The error to show for one that is the store's own (locked, full, unreadable), else None."""
    cause = error.orig if isinstance(error, WrappedError) else error
    if not isinstance(cause, sqlite3.OperationalError):
        return None
    text = str(cause)
    if any(word in text for word in ("locked", "busy", "full", "disk I/O", "unable to open", "malformed")):
        return StoreUnavailable(
            f"the database cannot be used now ({text}); check free space, rights and other programs that hold it"
        )
    return None


def _lower(value: str | bytes | float | None) -> str | bytes | float | None:
    return value.lower() if isinstance(value, str) else value


def _engine(path: Path, busy_timeout_s: float, begin: str | None, *pragmas: str) -> Engine:
    """`begin` starts SQLAlchemy's transactions; None where they are started at the driver."""

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(
            path, timeout=busy_timeout_s, isolation_level=None, check_same_thread=False, cached_statements=512
        )
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            "temp_store=MEMORY",
            "cache_size=-16000",
            # At the usual 1,000 pages of log a busy server spends half of its writing on copying the same pages into the file again.
            "wal_autocheckpoint=4000",
        ):
            connection.execute(f"PRAGMA {pragma}")
        for pragma in pragmas:
            connection.execute(pragma)
        # The built-in one knows the letters of ASCII only; `ilike` finds "Übersicht" by "übersicht" through it.
        connection.create_function("lower", 1, _lower, deterministic=True)
        return connection

    engine = sa.create_engine("sqlite+pysqlite://", creator=connect, poolclass=NullPool)

    if begin is not None:

        def start(connection: Connection) -> None:
            connection.exec_driver_sql(begin)

        event.listen(engine, "begin", start)
    return engine
