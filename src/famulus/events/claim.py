"""A run enters the queue and a worker takes it out: the two statements that every run pays for, prebuilt as SQL for both engines.

The literal `status='queued'` is what lets SQLite use the index of waiting runs. Each function runs inside a transaction of the caller's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, cast

from sqlalchemy import Connection

from famulus.errors import Conflict, LeaseLost
from famulus.events.records import Lease
from famulus.messages.clock import Clock
from famulus.messages.values import JsonObject, Principal
from famulus.store.columns import to_micros
from famulus.store.jsontext import encode

_INSERT: Final = (
    'INSERT INTO run (tenant, id, "user", role, scopes, conversation, request, created_us)'
    " VALUES (?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING"
)
_WORKER: Final = "SELECT id FROM worker WHERE id=?"
_CLAIM: Final = """
WITH waiting AS MATERIALIZED (
  SELECT tenant, id FROM run WHERE status='queued' ORDER BY created_us LIMIT ? {lock}
)
UPDATE run SET status='running', owner=?, epoch=run.epoch+1, started_us=coalesce(run.started_us, {now})
FROM waiting WHERE run.tenant=waiting.tenant AND run.id=waiting.id
RETURNING run.id, run.tenant, run.epoch, run.interruptions, run.stop_requested, run.next_seq
"""
_POSTGRES_NOW: Final = "(extract(epoch from clock_timestamp()) * 1000000)::bigint"
_CLAIM_SQLITE: Final = _CLAIM.format(lock="", now="?")
_CLAIM_POSTGRES: Final = _CLAIM.format(lock="FOR UPDATE SKIP LOCKED", now=_POSTGRES_NOW)


@dataclass(frozen=True, slots=True)
class NewRun:
    run_id: str
    principal: Principal
    request: JsonObject
    conversation_id: str | None
    created_us: int


class _Cursor(Protocol):
    rowcount: int

    def fetchall(self) -> list[tuple[Any, ...]]: ...


class _Driver(Protocol):
    def execute(self, sql: str, parameters: Sequence[object], /) -> _Cursor: ...


def insert_run(connection: Connection, new: NewRun) -> None:
    """Raises `Conflict` while another run of the conversation is going."""
    who = new.principal
    row = (who.tenant, new.run_id, who.user, who.role, encode([*sorted(who.scopes)]), new.conversation_id)
    if _execute(connection, _INSERT, (*row, encode(new.request), new.created_us)).rowcount != 1:
        raise Conflict(
            f"the conversation {new.conversation_id!r} has a run that is still going; wait for it or stop it"
        )


def claim_runs(connection: Connection, clock: Clock, worker_id: str, n: int) -> list[tuple[Lease, int]]:
    """Up to `n` queued runs, oldest first, now owned by `worker_id`, each with its next `seq`. Raises `LeaseLost` when that worker's lease ended."""
    if not _execute(connection, _WORKER, (worker_id,)).fetchall():
        raise LeaseLost(f"the worker {worker_id!r} has no lease any more")
    if connection.dialect.name == "postgresql":
        taken = _execute(connection, _CLAIM_POSTGRES, (n, worker_id))
    else:
        taken = _execute(connection, _CLAIM_SQLITE, (n, worker_id, to_micros(clock.now())))
    claims = [
        (Lease(run_id, tenant, epoch, interruptions, bool(stop)), next_seq)
        for run_id, tenant, epoch, interruptions, stop, next_seq in taken.fetchall()
    ]
    return sorted(claims, key=lambda claim: claim[0].run_id)


def _execute(connection: Connection, sql: str, parameters: Sequence[object]) -> _Cursor:
    driver = cast("_Driver", connection.connection.driver_connection)
    return driver.execute(sql.replace("?", "%s") if connection.dialect.name == "postgresql" else sql, parameters)
