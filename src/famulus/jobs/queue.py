"""Durable background jobs: enqueued in the caller's own transaction, retried with growing pauses, taken over after a crash."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

import sqlalchemy as sa
from sqlalchemy import Connection, Row
from sqlalchemy.exc import IntegrityError

from famulus.errors import FamulusError, LeaseLost, NotFound
from famulus.messages.clock import Clock, SystemClock
from famulus.messages.ids import new_id
from famulus.messages.values import JsonObject
from famulus.store.columns import from_micros, to_micros
from famulus.store.database import Database
from famulus.store.jsontext import decode_object, encode
from famulus.store.schema.jobs import job
from famulus.store.schema.runs import worker

QUEUED: Final = "job.queued"
_FIRST_PAUSE_S: Final = 2.0
_LONGEST_PAUSE_S: Final = 600.0

State = Literal["queued", "running", "done", "failed"]


class JobFailed(FamulusError):
    """Raised by a handler: trying again is of no use."""

    code = "job_failed"


@dataclass(frozen=True, slots=True)
class Job:
    """One claimed job. `attempts` counts this one; a handler that must clean up when all is lost asks `last_attempt`."""

    tenant: str
    job_id: str
    kind: str
    key: str
    payload: JsonObject
    attempts: int
    max_attempts: int
    epoch: int

    @property
    def last_attempt(self) -> bool:
        return self.attempts >= self.max_attempts


@dataclass(frozen=True, slots=True)
class JobRecord:
    """A job as people see it."""

    job_id: str
    kind: str
    key: str
    state: State
    attempts: int
    error: str | None
    run_at: datetime
    created_at: datetime


class JobQueue:
    def __init__(self, database: Database, *, clock: Clock | None = None) -> None:
        self.database = database
        self._clock: Clock = clock or SystemClock()

    # ── the side that wants work done ──

    def enqueue_in(
        self,
        connection: Connection,
        tenant: str,
        kind: str,
        key: str,
        payload: JsonObject,
        *,
        delay_s: float = 0.0,
        max_attempts: int = 5,
    ) -> str:
        """The id of a job that starts after the transaction of `connection` has committed.

        While a job of the same kind and key waits, that one gets the new payload instead; one that runs already is followed by
        another.
        """
        now = to_micros(self._clock.now())
        run_at = now + int(delay_s * 1_000_000)
        self.database.notify_in(connection, QUEUED, {"kind": kind})
        waiting = (job.c.tenant == tenant, job.c.kind == kind, job.c.key == key, job.c.state == "queued")
        earlier = sa.case((job.c.run_at_us < run_at, job.c.run_at_us), else_=run_at)
        renew = sa.update(job).where(*waiting).values(payload=encode(payload), run_at_us=earlier, attempts=0)
        insert = sa.insert(job).values(
            tenant=tenant,
            id=new_id(),
            kind=kind,
            key=key,
            payload=encode(payload),
            max_attempts=max_attempts,
            run_at_us=run_at,
            created_us=now,
        )
        while True:
            found = connection.execute(renew.returning(job.c.id)).scalar()
            if found is not None:
                return found
            try:
                with connection.begin_nested():
                    return connection.execute(insert.returning(job.c.id)).scalar_one()
            except IntegrityError:
                continue

    async def enqueue(self, tenant: str, kind: str, key: str, payload: JsonObject, *, delay_s: float = 0.0) -> str:
        """As `enqueue_in`, in a transaction of its own."""
        return await self.database.write(lambda c: self.enqueue_in(c, tenant, kind, key, payload, delay_s=delay_s))

    def cancel_in(self, connection: Connection, tenant: str, kind: str, key: str) -> None:
        """Removes a waiting job; one that runs goes on, and finds out by itself that its subject is gone."""
        mine = (job.c.tenant == tenant, job.c.kind == kind, job.c.key == key, job.c.state == "queued")
        connection.execute(sa.delete(job).where(*mine))

    def open_in(self, connection: Connection, kind: str) -> set[tuple[str, str]]:
        """(tenant, key) of the jobs of this kind that wait or run."""
        query = sa.select(job.c.tenant, job.c.key).where(job.c.kind == kind, job.c.state.in_(("queued", "running")))
        return {(row.tenant, row.key) for row in connection.execute(query)}

    async def records(self, tenant: str, kind: str | None = None, key: str | None = None) -> list[JobRecord]:
        """Newest first; finished ones too, until `forget_finished`."""
        query = (
            sa.select(job).where(job.c.tenant == tenant).order_by(job.c.created_us.desc(), job.c.id.desc()).limit(1_000)
        )
        if kind is not None:
            query = query.where(job.c.kind == kind)
        if key is not None:
            query = query.where(job.c.key == key)
        return await self.database.read(lambda connection: [_record(row) for row in connection.execute(query)])

    async def retry_now(self, tenant: str, job_id: str) -> None:
        """Queues a failed job again. Raises `NotFound`."""
        failed = (job.c.tenant == tenant, job.c.id == job_id, job.c.state == "failed")
        values = {"state": "queued", "attempts": 0, "run_at_us": to_micros(self._clock.now()), "finished_us": None}

        def queue(connection: Connection) -> None:
            if connection.execute(sa.update(job).where(*failed).values(values)).rowcount == 0:
                raise NotFound(f"there is no failed job {job_id!r}")
            self.database.notify_in(connection, QUEUED, {"kind": None})

        await self.database.write(queue)

    async def forget_finished(self, older_than_s: float) -> int:
        """Removes done jobs; returns how many."""
        before = to_micros(self._clock.now()) - int(older_than_s * 1_000_000)
        old = sa.delete(job).where(job.c.state == "done", job.c.finished_us < before)
        return await self.database.write(lambda connection: connection.execute(old).rowcount, idempotent=True)

    # ── the worker's side ──

    async def claim(self, worker_id: str, kinds: Collection[str], n: int) -> list[Job]:
        """Up to `n` due jobs of these kinds, now running for that worker. Never two of one kind and key at once."""
        now = to_micros(self._clock.now())
        return await self.database.write(lambda connection: _claim(connection, worker_id, list(kinds), n, now))

    async def finish(self, done: Job) -> None:
        """Raises `LeaseLost` when the job was taken over meanwhile."""
        await self._close(
            done, {"state": "done", "owner": None, "error": None, "finished_us": to_micros(self._clock.now())}
        )

    async def fail(self, failed: Job, error: str) -> None:
        """Ends it for good. Raises `LeaseLost`."""
        now = to_micros(self._clock.now())
        await self._close(failed, {"state": "failed", "owner": None, "error": error, "finished_us": now})

    async def retry(self, failed: Job, error: str) -> None:
        """Queues it again after a pause that doubles each time, or ends it after the last attempt. Raises `LeaseLost`."""
        if failed.last_attempt:
            await self.fail(failed, error)
            return
        pause_s = min(_FIRST_PAUSE_S * 2 ** (failed.attempts - 1), _LONGEST_PAUSE_S)
        run_at = to_micros(self._clock.now()) + int(pause_s * 1_000_000)
        await self._requeue(failed, {"run_at_us": run_at, "error": error})

    async def release(self, job_: Job) -> None:
        """Hands it back untouched: a shutdown is no attempt."""
        await self._requeue(job_, {"attempts": job_.attempts - 1})

    def check_in(self, connection: Connection, held: Job) -> None:
        """For writes of a handler that must not happen twice. Raises `LeaseLost` when the job belongs to somebody else now."""
        mine = sa.select(job.c.id).where(*_held(held)).with_for_update()
        if connection.execute(mine).first() is None:
            raise LeaseLost(f"the job {held.job_id!r} belongs to another worker now")

    async def requeue_orphans(self) -> int:
        """Queues the jobs whose worker is no more; those that took it down at each attempt end as failed. Returns how many."""
        return await self.database.write(lambda c: _requeue_orphans(c, to_micros(self._clock.now())), idempotent=True)

    async def _close(self, held: Job, values: dict[str, Any]) -> None:
        await self.database.write(lambda connection: _update_held(connection, held, values))

    async def _requeue(self, held: Job, values: dict[str, Any]) -> None:
        def requeue(connection: Connection) -> None:
            # A newer one of the same key waits already: that one does the work.
            same = (
                job.c.tenant == held.tenant,
                job.c.kind == held.kind,
                job.c.key == held.key,
                job.c.state == "queued",
            )
            if connection.execute(sa.select(job.c.id).where(*same)).first() is not None:
                _update_held(
                    connection, held, {"state": "done", "owner": None, "finished_us": to_micros(self._clock.now())}
                )
                return
            _update_held(connection, held, {"state": "queued", "owner": None, **values})
            self.database.notify_in(connection, QUEUED, {"kind": held.kind})

        await self.database.write(requeue)


def _claim(connection: Connection, worker_id: str, kinds: Sequence[str], n: int, now: int) -> list[Job]:
    other = job.alias("other")
    same = (other.c.tenant == job.c.tenant, other.c.kind == job.c.kind, other.c.key == job.c.key)
    busy = sa.exists().where(*same, other.c.state == "running")
    due = (
        sa.select(job.c.tenant, job.c.id)
        .where(job.c.state == "queued", job.c.run_at_us <= now, job.c.kind.in_(kinds), ~busy)
        .order_by(job.c.run_at_us, job.c.created_us)
        .limit(n)
        .with_for_update(skip_locked=True, of=job)
    )
    found = connection.execute(due).all()
    if not found:
        return []
    statement = (
        sa.update(job)
        .where(sa.tuple_(job.c.tenant, job.c.id).in_([(row.tenant, row.id) for row in found]))
        .values(state="running", owner=worker_id, epoch=job.c.epoch + 1, attempts=job.c.attempts + 1)
        .returning(job)
    )
    return [_job(row) for row in connection.execute(statement)]


def _requeue_orphans(connection: Connection, now: int) -> int:
    orphaned = (job.c.state == "running", job.c.owner.not_in(sa.select(worker.c.id)))
    other = job.alias("other")
    same = (other.c.tenant == job.c.tenant, other.c.kind == job.c.kind, other.c.key == job.c.key)
    replaced = sa.exists().where(*same, other.c.state == "queued")
    end: dict[str, Any] = {"owner": None, "epoch": job.c.epoch + 1, "finished_us": now}
    given_up = {**end, "state": "failed", "error": "the worker ended unexpectedly at each attempt"}
    connection.execute(sa.update(job).where(*orphaned, job.c.attempts >= job.c.max_attempts).values(given_up))
    connection.execute(sa.update(job).where(*orphaned, replaced).values({**end, "state": "done"}))
    again: dict[str, Any] = {"state": "queued", "owner": None, "epoch": job.c.epoch + 1, "run_at_us": now}
    return connection.execute(sa.update(job).where(*orphaned).values(again)).rowcount


def _update_held(connection: Connection, held: Job, values: dict[str, Any]) -> None:
    if connection.execute(sa.update(job).where(*_held(held)).values(values)).rowcount == 0:
        raise LeaseLost(f"the job {held.job_id!r} belongs to another worker now")


def _held(held: Job) -> tuple[sa.ColumnElement[bool], ...]:
    return (job.c.tenant == held.tenant, job.c.id == held.job_id, job.c.epoch == held.epoch, job.c.state == "running")


def _job(row: Row[*tuple[Any, ...]]) -> Job:
    return Job(
        row.tenant, row.id, row.kind, row.key, decode_object(row.payload), row.attempts, row.max_attempts, row.epoch
    )


def _record(row: Row[*tuple[Any, ...]]) -> JobRecord:
    return JobRecord(
        job_id=row.id,
        kind=row.kind,
        key=row.key,
        state=row.state,
        attempts=row.attempts,
        error=row.error,
        run_at=from_micros(row.run_at_us),
        created_at=from_micros(row.created_us),
    )
