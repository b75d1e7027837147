"""Use cases of runs that exist: watch one, stop it, read it. They need the log and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection

from famulus.agent.view import RunView, stored_result, view_of
from famulus.errors import Conflict, NotFound
from famulus.events.artifacts import Artifact
from famulus.events.log import EventLog
from famulus.events.records import Position, RunRecord
from famulus.events.types import ENDED, Delta, Event, RunStatus
from famulus.messages.values import Principal


class RunRecords:
    def __init__(self, log: EventLog) -> None:
        self._log = log

    async def record(self, principal: Principal, run_id: str) -> RunRecord:
        """Raises NotFound, also for the run of another person."""
        record = await self._log.record(principal.tenant, run_id)
        if record.principal.user != principal.user:
            raise NotFound(f"there is no run {run_id!r}")
        return record

    async def get(self, principal: Principal, run_id: str) -> RunView:
        """Raises NotFound."""
        record = await self.record(principal, run_id)
        events, streamed = await self._log.read_with_text(principal.tenant, run_id)
        view = view_of(record, events)
        view.answer += streamed
        return view

    async def events(self, principal: Principal, run_id: str, after: int = 0) -> list[Event]:
        """The durable events so far. Raises NotFound."""
        await self.record(principal, run_id)
        return await self._log.read(principal.tenant, run_id, after)

    async def subscribe(self, principal: Principal, run_id: str, after: Position) -> AsyncIterator[Event | Delta]:
        """Replay, the text so far, then live; ends after the last event. Raises NotFound before the first item."""
        await self.record(principal, run_id)
        return self._log.subscribe(principal.tenant, run_id, after)

    async def wait(self, principal: Principal, run_id: str, timeout_s: float | None = None) -> RunView:
        """The run once it has ended. Raises Conflict when it has not within `timeout_s`, or when this process is going."""
        try:
            async with asyncio.timeout(timeout_s):
                async for _ in await self.subscribe(principal, run_id, Position()):
                    pass
        except TimeoutError:
            pass
        view = await self.get(principal, run_id)
        if view.status not in ENDED:
            raise Conflict(f"the run {run_id!r} is still going; read it again later")
        return view

    def let_readers_go(self) -> None:
        """Ends all that follows a run here; for a server that is going."""
        self._log.let_readers_go()

    async def artifact(self, principal: Principal, run_id: str, artifact_id: str) -> Artifact:
        """A whole tool result of the run. Raises NotFound."""
        stored = stored_result(await self.events(principal, run_id), artifact_id)
        if stored is not None:
            return Artifact(artifact_id, "", "application/json", stored.encode("utf-8", "replace"))
        return await self._log.artifacts.read(principal.tenant, run_id, artifact_id)

    async def stop(self, principal: Principal, run_id: str) -> None:
        """Asks the run to stop; does nothing to one that has ended. Raises NotFound."""
        await self.record(principal, run_id)
        await self._log.request_stop(principal.tenant, run_id)

    async def list(
        self,
        principal: Principal,
        *,
        conversation_id: str | None = None,
        statuses: Collection[RunStatus] | None = None,
        before: str | None = None,
        limit: int = 50,
    ) -> list[RunView]:
        """The caller's runs of these statuses (None: any), newest first, with their sums and without their steps."""
        records = await self._log.records(
            principal.tenant,
            user=principal.user,
            conversation_id=conversation_id,
            statuses=statuses,
            before=before,
            limit=limit,
        )
        # The last event of a run that has ended is its summary.
        last = [self._log.read(principal.tenant, record.run_id, record.last_seq - 1) for record in records]
        return [view_of(record, events) for record, events in zip(records, await asyncio.gather(*last), strict=True)]
