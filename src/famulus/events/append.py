"""Appending to the log: many runs in one transaction, each behind its own fence.

The fence is `(epoch, next_seq)`: an append changes its run only when both are as the owner knows them. So an append is
idempotent: run again after a lost connection, it finds its own numbers taken under its own epoch and has nothing to do.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from famulus.errors import LeaseLost
from famulus.events.records import Lease
from famulus.events.types import ENDED, Event, RunStatus
from famulus.store.database import Database
from famulus.store.errors import StoreUnavailable

if TYPE_CHECKING:
    import sqlite3

    import psycopg
    from sqlalchemy import Connection

_IN_FLIGHT: Final = {"sqlite": 1, "postgresql": 3}
_GROUP: Final = 200


@dataclass(slots=True)
class Append:
    """Events of one run that wait for their commit, in stored form (type, microseconds, data, private) and as values."""

    lease: Lease
    first_seq: int
    rows: list[tuple[str, int, str, str | None]]
    events: list[Event]
    status: RunStatus | None
    future: asyncio.Future[list[Event]]

    @property
    def next_seq(self) -> int:
        return self.first_seq + len(self.rows)

    @property
    def finished_us(self) -> int | None:
        return self.rows[-1][1] if self.status in ENDED else None


class Appender:
    """Groups the appends of one event loop: what comes while a commit is under way goes into the next one."""

    def __init__(self, database: Database, settled: Callable[[Append, Exception | None], None]) -> None:
        self._database = database
        self._settled = settled
        self._waiting: list[Append] = []
        self._busy: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._running = 0
        self._limit = _IN_FLIGHT[database.dialect]
        self._commit = _commit_sqlite if database.dialect == "sqlite" else _commit_postgres

    def put(self, append: Append) -> None:
        self._waiting.append(append)
        if self._running < self._limit:
            self._start()

    def _start(self) -> None:
        self._running += 1
        task = asyncio.create_task(self._run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self) -> None:
        # One turn of the loop first: the appends of tasks that became ready together then share a commit.
        await asyncio.sleep(0)
        while group := self._take():
            runs = {append.lease.run_id for append in group}
            self._busy |= runs
            try:
                outcomes = await self._database.write(
                    lambda connection: self._commit(connection, group), idempotent=True
                )
            except Exception as error:
                outcomes = [error] * len(group)
            self._busy -= runs
            for append, outcome in zip(group, outcomes, strict=True):
                self._settle(append, outcome)
        # Here and not when the task is done: an append that comes in between would find nobody.
        self._running -= 1

    def _settle(self, append: Append, outcome: Exception | None) -> None:
        # Told also when the caller was cancelled meanwhile: the events are in the log.
        self._settled(append, outcome)
        if append.future.done():
            return
        if outcome is None:
            append.future.set_result(append.events)
        else:
            append.future.set_exception(outcome)

    def _take(self) -> list[Append]:
        """Waiting appends, one of a run: the next of that run must not overtake it on another connection."""
        group: list[Append] = []
        rest: list[Append] = []
        taken = set(self._busy)
        for append in self._waiting:
            if append.lease.run_id in taken or len(group) == _GROUP:
                rest.append(append)
            else:
                taken.add(append.lease.run_id)
                group.append(append)
        self._waiting = rest
        return group


# ── SQLite ──

_BUMP: Final = "UPDATE run SET next_seq=? WHERE tenant=? AND id=? AND epoch=? AND next_seq=? AND finished_us IS NULL"
_BUMP_STATUS: Final = (
    "UPDATE run SET next_seq=?, status=?, finished_us=?, owner=CASE WHEN ? IS NULL THEN owner END"
    " WHERE tenant=? AND id=? AND epoch=? AND next_seq=? AND finished_us IS NULL"
)
_INSERT: Final = "INSERT INTO run_event (tenant, run, seq, type, at_us, data, private) VALUES (?,?,?,?,?,?,?)"
_STATE: Final = "SELECT epoch, next_seq FROM run WHERE tenant=? AND id=?"


def _commit_sqlite(connection: Connection, group: Sequence[Append]) -> list[Exception | None]:
    driver = cast("sqlite3.Connection", connection.connection.driver_connection)
    outcomes: list[Exception | None] = []
    events: list[tuple[str, str, int, str, int, str, str | None]] = []
    for append in group:
        if _bump_sqlite(driver, append):
            outcomes.append(None)
            events += _event_rows(append)
        else:
            state = driver.execute(_STATE, (append.lease.tenant, append.lease.run_id)).fetchone()
            outcomes.append(_refusal(append, state))
    driver.executemany(_INSERT, events)
    return outcomes


def _bump_sqlite(driver: sqlite3.Connection, append: Append) -> bool:
    lease = append.lease
    fence = (lease.tenant, lease.run_id, lease.epoch, append.first_seq)
    if append.status is None:
        return driver.execute(_BUMP, (append.next_seq, *fence)).rowcount == 1
    finished = append.finished_us
    return driver.execute(_BUMP_STATUS, (append.next_seq, append.status, finished, finished, *fence)).rowcount == 1


def _event_rows(append: Append) -> list[tuple[str, str, int, str, int, str, str | None]]:
    tenant, run_id = append.lease.tenant, append.lease.run_id
    return [(tenant, run_id, seq, *row) for seq, row in enumerate(append.rows, append.first_seq)]


# ── PostgreSQL ──

_APPEND: Final = b"""
WITH a AS (
  SELECT * FROM unnest(%s::text[], %s::text[], %s::bigint[], %s::bigint[], %s::bigint[], %s::text[], %s::bigint[])
    AS a(tenant, id, epoch, first_seq, next_seq, status, finished_us)
), r AS (
  UPDATE run SET next_seq = a.next_seq, status = coalesce(a.status, run.status), finished_us = a.finished_us,
    owner = CASE WHEN a.finished_us IS NULL THEN run.owner END
  FROM a WHERE run.tenant = a.tenant AND run.id = a.id AND run.epoch = a.epoch AND run.next_seq = a.first_seq
    AND run.finished_us IS NULL
  RETURNING run.tenant, run.id
), i AS (
  INSERT INTO run_event (tenant, run, seq, type, at_us, data, private)
  SELECT e.tenant, e.run, e.seq, e.type, e.at_us, e.data, e.private
  FROM unnest(%s::text[], %s::text[], %s::bigint[], %s::text[], %s::bigint[], %s::text[], %s::text[])
    AS e(tenant, run, seq, type, at_us, data, private)
  JOIN r ON r.tenant = e.tenant AND r.id = e.run
)
SELECT id FROM r
"""
_STATE_POSTGRES: Final = b"SELECT epoch, next_seq FROM run WHERE tenant=%s AND id=%s"


def _commit_postgres(connection: Connection, group: Sequence[Append]) -> list[Exception | None]:
    driver = cast("psycopg.Connection[tuple[object, ...]]", connection.connection.driver_connection)
    appends = sorted(group, key=lambda append: append.lease.run_id)  # one order of row locks for everybody
    events = [row for append in appends for row in _event_rows(append)]
    runs = [
        [append.lease.tenant for append in appends],
        [append.lease.run_id for append in appends],
        [append.lease.epoch for append in appends],
        [append.first_seq for append in appends],
        [append.next_seq for append in appends],
        [append.status for append in appends],
        [append.finished_us for append in appends],
    ]
    done = {row[0] for row in driver.execute(_APPEND, [*runs, *_columns(events)])}
    return [None if append.lease.run_id in done else _refusal_postgres(driver, append) for append in group]


def _columns(events: list[tuple[str, str, int, str, int, str, str | None]]) -> list[list[object]]:
    return [list(column) for column in zip(*events, strict=True)] if events else [[] for _ in range(7)]


def _refusal_postgres(driver: psycopg.Connection[tuple[object, ...]], append: Append) -> Exception | None:
    state = driver.execute(_STATE_POSTGRES, (append.lease.tenant, append.lease.run_id)).fetchone()
    return _refusal(append, cast("tuple[int, int] | None", state))


def _refusal(append: Append, state: tuple[int, int] | None) -> Exception | None:
    """Why the fence held; None when this very append is in the log already."""
    lease = append.lease
    if state is None or state[0] != lease.epoch:
        return LeaseLost(f"the run {lease.run_id!r} belongs to another worker now")
    if append.rows and state[1] == append.next_seq:
        return None
    if state[1] == append.first_seq:
        return LeaseLost(f"the run {lease.run_id!r} has ended; nothing can be added to it")
    return StoreUnavailable(
        f"the events of the run {lease.run_id!r} are at {state[1]}, not {append.first_seq}; an append before failed"
    )
