"""The event log: runs, their append-only events, live text, and everybody who follows them. The one door of this room."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from typing import Final, Literal

from sqlalchemy import Connection

from famulus.errors import LeaseLost
from famulus.events import rows
from famulus.events.append import Append, Appender
from famulus.events.artifacts import Artifact, Artifacts
from famulus.events.bus import Bus
from famulus.events.claim import NewRun, claim_runs, insert_run
from famulus.events.records import Lease, Position, RunRecord
from famulus.events.relay import Relay
from famulus.events.subscription import PAGE, Subscription
from famulus.events.types import DONE, ENDED, RUN_RESPONSE, RUN_SUMMARY, Draft, Event, RunStatus
from famulus.messages.clock import Clock, SystemClock
from famulus.messages.ids import new_id
from famulus.messages.values import JsonObject, Principal
from famulus.store.blobs import BlobStore
from famulus.store.columns import to_micros
from famulus.store.database import Database
from famulus.store.jsontext import encode

QUEUED: Final = "run.queued"
STOP: Final = "run.stop"


class EventLog:
    """One per process. `aclose` before the database is closed."""

    def __init__(self, database: Database, *, clock: Clock | None = None, blobs: BlobStore | None = None) -> None:
        self.database = database
        self.clock: Clock = clock or SystemClock()
        self.artifacts = Artifacts(database, self.clock, blobs)
        self._bus = Bus()
        self._appender = Appender(database, self._settled)
        self._relay = Relay(database, self._bus, self.clock) if database.dialect == "postgresql" else None
        self._next: dict[str, tuple[int, int]] = {}

    def let_readers_go(self) -> None:
        """Ends all subscriptions, for a process that is going: readers come back with their position and go on."""
        self._bus.close()

    async def aclose(self) -> None:
        if self._relay is not None:
            await self._relay.aclose()

    # ── runs ──

    async def create(
        self,
        principal: Principal,
        request: JsonObject,
        conversation_id: str | None = None,
        *,
        run_id: str | None = None,
        also: Callable[[Connection, str], None] | None = None,
    ) -> str:
        """The id of a new queued run; wakes a worker. `also(connection, run_id)` writes in the same transaction.

        Raises `Conflict` while another run of the conversation is going.
        """
        new = NewRun(run_id or new_id(), principal, request, conversation_id, to_micros(self.clock.now()))

        def insert(connection: Connection) -> None:
            insert_run(connection, new)
            if also is not None:
                also(connection, new.run_id)
            self.database.notify_in(connection, QUEUED, {"run": new.run_id})

        await self.database.write(insert)
        return new.run_id

    async def record(self, tenant: str, run_id: str) -> RunRecord:
        """Raises `NotFound`."""
        return await self.database.read(lambda connection: rows.select_run(connection, tenant, run_id))

    async def records(
        self,
        tenant: str,
        *,
        user: str | None = None,
        conversation_id: str | None = None,
        statuses: Collection[RunStatus] | None = None,
        before: str | None = None,
        limit: int = 50,
    ) -> list[RunRecord]:
        """Newest first, of these statuses (None: any); `before` is the id of the last one already seen."""
        return await self.database.read(
            lambda connection: rows.select_runs(connection, tenant, user, conversation_id, statuses, before, limit)
        )

    async def request_stop(self, tenant: str, run_id: str) -> RunRecord:
        """Asks whoever works on the run to end it; idempotent. Raises `NotFound`."""

        def mark(connection: Connection) -> RunRecord:
            record = rows.request_stop(connection, tenant, run_id)
            if not record.ended:
                self.database.notify_in(connection, STOP, {"run": run_id})
            return record

        return await self.database.write(mark, idempotent=True)

    async def delete(self, tenant: str, run_id: str) -> None:
        """Removes an ended run with its events and artifacts. Raises `NotFound`, `Conflict` while it is going."""
        await self.database.write(lambda connection: rows.delete_run(connection, tenant, run_id))

    # ── the worker's side ──

    async def register_worker(self, worker_id: str, lease_s: float) -> None:
        """Makes the worker's lease, and queues the runs of workers that are no more."""
        clock, instance = self.clock, self.database.instance

        def register(connection: Connection) -> None:
            rows.register_worker(connection, clock, worker_id, instance, lease_s)
            self._recover(connection)

        await self.database.write(register)

    async def renew_worker(self, worker_id: str, lease_s: float) -> bool:
        """Renews the lease, and queues the runs of workers that are no more. False: the lease ended, its runs are not its own."""

        def renew(connection: Connection) -> bool:
            alive = rows.renew_worker(connection, self.clock, worker_id, lease_s)
            self._recover(connection)
            return alive

        return await self.database.write(renew, idempotent=True)

    async def remove_worker(self, worker_id: str) -> None:
        """Ends the worker's lease; what it still owned goes back into the queue."""

        def remove(connection: Connection) -> None:
            rows.remove_worker(connection, worker_id)
            self._recover(connection)

        await self.database.write(remove, idempotent=True)

    async def claim(self, worker_id: str, n: int) -> list[Lease]:
        """Up to `n` queued runs for that worker, oldest first. Raises `LeaseLost` when the worker's own lease ended."""
        if self._relay is not None:
            self._relay.start()
        claimed = await self.database.write(lambda connection: claim_runs(connection, self.clock, worker_id, n))
        for lease, next_seq in claimed:
            self._next[lease.run_id] = (lease.epoch, next_seq)
            channel = self._bus.channel(lease.tenant, lease.run_id)
            channel.local = True
            channel.live_seq = next_seq - 1
            channel.advance(next_seq - 1)
        return [lease for lease, _ in claimed]

    def append(
        self, lease: Lease, drafts: Sequence[Draft], *, status: RunStatus | None = None
    ) -> asyncio.Future[list[Event]]:
        """The events as they are in the log, once they are safely there; `status` changes in the same transaction.

        They go in even when nobody waits any more. A status that ends the run needs `run.summary.v1` as the last draft.
        Raises `LeaseLost` when another worker owns the run now or it has ended.
        """
        if status in ENDED and (not drafts or drafts[-1].type != RUN_SUMMARY):
            raise ValueError(f"a run that ends as {status!r} needs run.summary.v1 as its last event")
        known = self._next.get(lease.run_id)
        if known is None:
            return asyncio.ensure_future(self._append_unknown(lease, drafts, status))
        return self._put(lease, drafts, status, known)

    def publish(
        self, run_id: str, type: Literal["chat.stream.v1", "chat.reasoning.v1"], text: str, offset: int
    ) -> None:
        """Live text at character `offset` of the message; followers get it within 40 ms. Never stored by itself."""
        channel = self._bus.get(run_id)
        if channel is not None and text:
            channel.publish(type, offset, text)
            if self._relay is not None:
                self._relay.moved(channel)

    async def release(self, lease: Lease, status: RunStatus = "queued", *, interrupted: bool = False) -> None:
        """Hands the run back: to the queue, or parked with `waiting_approval`. Does nothing when the lease is lost already.

        `interrupted` counts it among the interruptions, after some of which a worker gives the run up.
        """

        def release(connection: Connection) -> None:
            if rows.release_run(connection, lease, status, interrupted) and status == "queued":
                self.database.notify_in(connection, QUEUED, {"run": lease.run_id})

        self.drop(lease)
        await self.database.write(release, idempotent=True)

    async def stopped_among(self, leases: Sequence[Lease]) -> list[str]:
        """Those runs whose stop was asked for or whose lease is lost: the net below the signals."""
        return await self.database.read(lambda connection: rows.stopped_among(connection, leases)) if leases else []

    def holds(self, lease: Lease) -> bool:
        """Whether this process may still append: the run has neither ended nor been handed back or lost, as far as is known here."""
        return self._next.get(lease.run_id, (0, 0))[0] == lease.epoch

    def drop(self, lease: Lease) -> None:
        """Forgets a lease that is lost or over, without touching the run."""
        known = self._next.get(lease.run_id)
        if known is not None and known[0] == lease.epoch:
            del self._next[lease.run_id]
            channel = self._bus.get(lease.run_id)
            if channel is not None:
                channel.local = False
                self._bus.forget(channel)

    # ── readers ──

    async def read(self, tenant: str, run_id: str, after: int = 0, limit: int = 1_000_000) -> list[Event]:
        """The durable events after `after`, oldest first. Raises `NotFound`."""

        def select(connection: Connection) -> list[Event]:
            events = rows.select_events(connection, tenant, run_id, after, limit)
            if not events:
                rows.select_run(connection, tenant, run_id)
            return events

        return await self.database.read(select)

    async def read_with_text(self, tenant: str, run_id: str) -> tuple[list[Event], str]:
        """The durable events, and the text so far of a response that streams in this process and is not among them. Raises `NotFound`."""
        channel = self._bus.get(run_id)
        seq, text = (channel.live_seq, channel.text.since(0)) if channel is not None else (0, "")
        events = await self.read(tenant, run_id)
        # A commit is on the disk before this process hears of it: what streamed until then may stand in the log already.
        durable = any(event.type == DONE or (event.type == RUN_RESPONSE and event.seq > seq) for event in events)
        return events, "" if durable else text

    def subscribe(self, tenant: str, run_id: str, after: Position | int = 0) -> Subscription:
        """Events after the position, the text so far, then live; ends after `run.summary.v1`.

        The first `anext` (or `await subscription.start()`) raises `NotFound`.
        """
        position = Position(after) if isinstance(after, int) else after
        channel = self._bus.channel(tenant, run_id)

        async def record() -> RunRecord:
            found = await self.record(tenant, run_id)
            if self._relay is not None and not channel.local and not found.ended:
                self._relay.follow(channel)
            return found

        return Subscription(self._bus, channel, position, record, lambda seq: self.read(tenant, run_id, seq, PAGE))

    # ── inside ──

    async def _append_unknown(self, lease: Lease, drafts: Sequence[Draft], status: RunStatus | None) -> list[Event]:
        """To a run that was not claimed here: the log says how far it has come."""
        record = await self.record(lease.tenant, lease.run_id)
        known = self._next.setdefault(lease.run_id, (lease.epoch, record.last_seq + 1))
        return await self._put(lease, drafts, status, known)

    def _put(
        self, lease: Lease, drafts: Sequence[Draft], status: RunStatus | None, known: tuple[int, int]
    ) -> asyncio.Future[list[Event]]:
        if known[0] != lease.epoch:
            raise LeaseLost(f"the run {lease.run_id!r} belongs to another worker now")
        append = self._prepare(lease, drafts, status, known[1])
        self._next[lease.run_id] = (lease.epoch, append.next_seq)
        self._appender.put(append)
        return append.future

    def _prepare(self, lease: Lease, drafts: Sequence[Draft], status: RunStatus | None, first: int) -> Append:
        now = self.clock.now()
        now_us = to_micros(now)
        stored = [
            (draft.type, now_us, encode(draft.data), None if draft.private is None else encode(draft.private))
            for draft in drafts
        ]
        events = [
            Event(seq, lease.run_id, draft.type, now, draft.data, draft.private)
            for seq, draft in enumerate(drafts, first)
        ]
        return Append(lease, first, stored, events, status, asyncio.get_running_loop().create_future())

    def _settled(self, append: Append, error: Exception | None) -> None:
        lease = append.lease
        if error is not None:
            self.drop(lease)
            return
        channel = self._bus.get(lease.run_id)
        if channel is not None:
            channel.commit(append.events)
            if self._relay is not None:
                self._relay.moved(channel)
        if append.status in ENDED:
            self.drop(lease)

    def _recover(self, connection: Connection) -> None:
        only = self.database.instance if self.database.exclusive else None
        rows.remove_dead_workers(connection, self.clock, only)
        if rows.requeue_orphans(connection):
            self.database.notify_in(connection, QUEUED, {"run": None})


__all__ = ["Artifact", "EventLog"]
