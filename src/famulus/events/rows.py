"""The rows of runs, events and workers as statements. Each function runs inside a transaction of the caller's."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final, cast

import sqlalchemy as sa
from sqlalchemy import Connection, Row

from famulus.errors import Conflict, NotFound
from famulus.events.records import Lease, RunRecord
from famulus.events.types import Event, RunStatus
from famulus.messages.clock import Clock
from famulus.messages.values import Principal
from famulus.store.columns import from_micros, to_micros
from famulus.store.jsontext import decode, decode_object
from famulus.store.schema.runs import run, run_artifact, run_event, run_live, worker

_POSTGRES_NOW: Final = sa.literal_column("(extract(epoch from clock_timestamp()) * 1000000)::bigint", sa.BigInteger)
_COLUMNS: Final = (
    run.c.tenant,
    run.c.id,
    run.c.user,
    run.c.role,
    run.c.scopes,
    run.c.conversation,
    run.c.request,
    run.c.status,
    run.c.next_seq,
    run.c.stop_requested,
    run.c.interruptions,
    run.c.created_us,
    run.c.started_us,
    run.c.finished_us,
)


def server_now(connection: Connection, clock: Clock) -> sa.ColumnElement[int]:
    """Now in microseconds, by the one clock that all processes on this database share: leases are compared with it."""
    if connection.dialect.name == "postgresql":
        return _POSTGRES_NOW
    return sa.literal(to_micros(clock.now()), sa.BigInteger)


def select_run(connection: Connection, tenant: str, run_id: str) -> RunRecord:
    """Raises `NotFound`, also for a run of another tenant."""
    row = connection.execute(sa.select(*_COLUMNS).where(run.c.tenant == tenant, run.c.id == run_id)).one_or_none()
    if row is None:
        raise NotFound(f"there is no run {run_id!r}")
    return _record(row)


def select_runs(
    connection: Connection,
    tenant: str,
    user: str | None,
    conversation_id: str | None,
    statuses: Collection[RunStatus] | None,
    before: str | None,
    limit: int,
) -> list[RunRecord]:
    """Newest first; ids are ordered by time, so `before` is the last id of the page before."""
    query = sa.select(*_COLUMNS).where(run.c.tenant == tenant).order_by(run.c.id.desc()).limit(limit)
    if user is not None:
        query = query.where(run.c.user == user)
    if conversation_id is not None:
        query = query.where(run.c.conversation == conversation_id)
    if statuses is not None:
        query = query.where(run.c.status.in_(statuses))
    if before is not None:
        query = query.where(run.c.id < before)
    return [_record(row) for row in connection.execute(query)]


def select_events(connection: Connection, tenant: str, run_id: str, after: int, limit: int) -> list[Event]:
    query = (
        sa.select(run_event.c.seq, run_event.c.type, run_event.c.at_us, run_event.c.data, run_event.c.private)
        .where(run_event.c.tenant == tenant, run_event.c.run == run_id, run_event.c.seq > after)
        .order_by(run_event.c.seq)
        .limit(limit)
    )
    return [
        Event(seq, run_id, kind, from_micros(at_us), decode_object(data), decode_object(private) if private else None)
        for seq, kind, at_us, data, private in connection.execute(query)
    ]


def release_run(connection: Connection, lease: Lease, status: RunStatus, interrupted: bool) -> bool:
    """Gives the run back; False when the lease was lost already or the run has ended."""
    values = {
        "status": status,
        "owner": None,
        "epoch": run.c.epoch + 1,
        "interruptions": run.c.interruptions + int(interrupted),
    }
    statement = sa.update(run).where(*_held(lease), run.c.finished_us.is_(None)).values(values)
    return connection.execute(statement).rowcount == 1


def request_stop(connection: Connection, tenant: str, run_id: str) -> RunRecord:
    """Marks the run; does nothing to one that has ended. Raises `NotFound`."""
    record = select_run(connection, tenant, run_id)
    if not record.ended:
        connection.execute(sa.update(run).where(run.c.tenant == tenant, run.c.id == run_id).values(stop_requested=True))
    return record


def stopped_among(connection: Connection, leases: Sequence[Lease]) -> list[str]:
    """The ids of those runs whose stop was asked for, or whose lease is no longer the one named."""
    ids = [lease.run_id for lease in leases]
    rows = connection.execute(sa.select(run.c.id, run.c.epoch, run.c.stop_requested).where(run.c.id.in_(ids)))
    state = {row.id: (row.epoch, row.stop_requested) for row in rows}
    return [lease.run_id for lease in leases if state.get(lease.run_id, (0, True)) != (lease.epoch, False)]


def register_worker(connection: Connection, clock: Clock, worker_id: str, instance: str, lease_s: float) -> None:
    until = server_now(connection, clock) + int(lease_s * 1_000_000)
    connection.execute(sa.insert(worker).values(id=worker_id, instance=instance, lease_until_us=until))


def renew_worker(connection: Connection, clock: Clock, worker_id: str, lease_s: float) -> bool:
    """False when the lease had ended and was taken away: its runs are no longer its own."""
    until = server_now(connection, clock) + int(lease_s * 1_000_000)
    renew = sa.update(worker).where(worker.c.id == worker_id).values(lease_until_us=until)
    return connection.execute(renew).rowcount == 1


def remove_worker(connection: Connection, worker_id: str) -> None:
    connection.execute(sa.delete(worker).where(worker.c.id == worker_id))


def remove_dead_workers(connection: Connection, clock: Clock, only_instance: str | None) -> None:
    """Those whose lease ran out; with `only_instance` all of other instances too, because nobody else can be alive."""
    gone = worker.c.lease_until_us < server_now(connection, clock)
    if only_instance is not None:
        gone = sa.or_(gone, worker.c.instance != only_instance)
    connection.execute(sa.delete(worker).where(gone))


def requeue_orphans(connection: Connection) -> int:
    """Puts runs whose worker is no more back into the queue; returns how many."""
    orphaned = sa.and_(run.c.owner.is_not(None), run.c.owner.not_in(sa.select(worker.c.id)))
    values = {"status": "queued", "owner": None, "epoch": run.c.epoch + 1, "interruptions": run.c.interruptions + 1}
    return connection.execute(sa.update(run).where(orphaned).values(values)).rowcount


def delete_run(connection: Connection, tenant: str, run_id: str) -> None:
    """Raises `NotFound`, and `Conflict` while the run is going."""
    if not select_run(connection, tenant, run_id).ended:
        raise Conflict(f"the run {run_id!r} is still going; stop it first")
    for table in (run_event, run_artifact, run_live):
        connection.execute(sa.delete(table).where(table.c.tenant == tenant, table.c.run == run_id))
    connection.execute(sa.delete(run).where(run.c.tenant == tenant, run.c.id == run_id))


def _held(lease: Lease) -> tuple[sa.ColumnElement[bool], ...]:
    return (run.c.tenant == lease.tenant, run.c.id == lease.run_id, run.c.epoch == lease.epoch)


def _record(row: Row[*tuple[Any, ...]]) -> RunRecord:
    scopes = cast("list[str]", decode(row.scopes))
    return RunRecord(
        run_id=row.id,
        principal=Principal(row.tenant, row.user, row.role, frozenset(scopes)),
        conversation_id=row.conversation,
        request=decode_object(row.request),
        status=row.status,
        last_seq=row.next_seq - 1,
        stop_requested=row.stop_requested,
        interruptions=row.interruptions,
        created_at=from_micros(row.created_us),
        started_at=None if row.started_us is None else from_micros(row.started_us),
        finished_at=None if row.finished_us is None else from_micros(row.finished_us),
    )
