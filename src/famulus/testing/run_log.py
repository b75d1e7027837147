"""The run log in memory, with the guarantees of the real one that a loop can see: gap-free numbers, the fence, the live text."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from famulus.errors import LeaseLost
from famulus.events.records import Lease
from famulus.events.types import DURABLE, ENDED, RUN_SUMMARY, Delta, Draft, Event, RunStatus
from famulus.messages.clock import Clock
from famulus.messages.ids import new_id


@dataclass(slots=True)
class _Run:
    epoch: int = 1
    status: RunStatus = "running"
    events: list[Event] = field(default_factory=lambda: list[Event]())
    deltas: list[Delta] = field(default_factory=lambda: list[Delta]())


class MemoryRunLog:
    """`before_append` is called with the number of the append (1, 2, …) and may raise: a kill at exactly that point.

    `streaming` is set with the first live text.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._runs: dict[str, _Run] = {}
        self.artifacts: dict[str, bytes] = {}
        self.before_append: Callable[[int], None] | None = None
        self.appends = 0
        self.streaming = asyncio.Event()

    def lease(self, run_id: str = "run-1", tenant: str = "tenant-1") -> Lease:
        """A new owner for the run: leases handed out before are lost."""
        run = self._runs.setdefault(run_id, _Run(epoch=0))
        run.epoch += 1
        return Lease(run_id, tenant, run.epoch)

    def events(self, run_id: str = "run-1") -> list[Event]:
        return list(self._runs[run_id].events)

    def deltas(self, run_id: str = "run-1") -> list[Delta]:
        return list(self._runs[run_id].deltas)

    def status(self, run_id: str = "run-1") -> RunStatus:
        return self._runs[run_id].status

    async def append(self, lease: Lease, drafts: Sequence[Draft], *, status: RunStatus | None = None) -> list[Event]:
        """The drafts as events. Raises `LeaseLost` for an old lease or an ended run."""
        await asyncio.sleep(0)
        self.appends += 1
        if self.before_append is not None:
            self.before_append(self.appends)
        run = self._runs[lease.run_id]
        if run.epoch != lease.epoch or run.status in ENDED:
            raise LeaseLost(f"the run {lease.run_id!r} belongs to another worker now")
        if status in ENDED and drafts[-1].type != RUN_SUMMARY:
            raise ValueError(f"a run that ends as {status!r} needs run.summary.v1 as its last event")
        made = [self._event(lease.run_id, len(run.events) + 1 + index, draft) for index, draft in enumerate(drafts)]
        run.events += made
        run.status = status or run.status
        return made

    def publish(
        self, run_id: str, type: Literal["chat.stream.v1", "chat.reasoning.v1"], text: str, offset: int
    ) -> None:
        self.streaming.set()
        run = self._runs[run_id]
        run.deltas.append(Delta(run_id, len(run.events), type, text, offset))

    async def put(self, tenant: str, run_id: str, call_id: str, media_type: str, content: bytes) -> str:
        """The log is its own artifact store."""
        artifact_id = new_id()
        self.artifacts[artifact_id] = content
        return artifact_id

    def _event(self, run_id: str, seq: int, draft: Draft) -> Event:
        """Through JSON text, as a database would give it back."""
        if draft.type not in DURABLE:
            raise ValueError(f"{draft.type!r} is not a durable event")
        private = None if draft.private is None else json.loads(json.dumps(draft.private))
        return Event(seq, run_id, draft.type, self._clock.now(), json.loads(json.dumps(draft.data)), private)


def reassemble(deltas: Sequence[Delta]) -> str:
    """The text as a client puts it together: each delta at its offset, whatever came before there."""
    text = ""
    for delta in deltas:
        if delta.type == "chat.stream.v1":
            text = text[: delta.offset] + delta.delta + text[delta.offset + len(delta.delta) :]
    return text
