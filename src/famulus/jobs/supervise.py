"""Running one claimed run or job to its end: the border where whatever goes wrong becomes an event or a state.

A task is left for one of three reasons. `stop`: somebody asked. `shutdown`: this worker goes, the work goes back. `lost`: another
worker owns it now. The task is cancelled with the reason as message and gets a moment to clean up.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, Final, Literal, Protocol

from famulus.errors import FamulusError, LeaseLost
from famulus.events.ending import ending, problem
from famulus.events.log import EventLog
from famulus.events.records import Lease
from famulus.events.types import Draft, Event, RunStatus
from famulus.jobs.queue import Job, JobFailed, JobQueue
from famulus.messages.values import JsonObject
from famulus.store.errors import StoreUnavailable

Reason = Literal["stop", "shutdown", "lost"]
_GRACE_S: Final = 1.5
_INTERRUPTIONS: Final = 5
_log: Final = logging.getLogger(__name__)


class RunExecutor(Protocol):
    """Works on a run until it has ended (a status of `ENDED` appended) or was handed back.

    When cancelled it cleans up and lets the `CancelledError` pass; the worker ends the run or hands it back. The first argument of
    that error is the reason ("stop", "shutdown", "lost").
    """

    async def __call__(self, lease: Lease, /) -> None: ...


class JobHandler(Protocol):
    """Does a job. Raises `JobFailed` when another attempt is of no use; any other error is tried again later."""

    async def __call__(self, job: Job, /) -> None: ...


class Ending(Protocol):
    """The last events of a run that did not end by itself; `famulus.events.ending.ending` is the plain one."""

    def __call__(
        self,
        events: Sequence[Event],
        status: RunStatus,
        *,
        unfinished_text: str = "",
        problem: JsonObject | None = None,
    ) -> list[Draft]: ...


class Slot:
    """One place of the worker: a task, and the reason to leave it, once there is one."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.reason: Reason | None = None
        self._leave = asyncio.Event()

    def leave(self, reason: Reason) -> None:
        """The first reason counts, except that a lost lease overrides all."""
        if self.reason is None or reason == "lost":
            self.reason = reason
        self._leave.set()

    async def run(self, work: Coroutine[Any, Any, None]) -> BaseException | None:
        """What `work` ended with. None also when it was left for a reason, even if it does not come to its end."""
        task = asyncio.create_task(work)
        leaving = asyncio.create_task(self._leave.wait())
        try:
            await asyncio.wait({task, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                task.cancel(self.reason)
                await asyncio.wait({task}, timeout=_GRACE_S)
        finally:
            leaving.cancel()
        if not task.done():
            _log.warning("a cancelled task goes on; its writes are fenced off", extra={"key": self.key})
            task.add_done_callback(_forget)
            return None
        if task.cancelled():
            return None if self.reason is not None else asyncio.CancelledError()
        return task.exception()


async def run_run(slot: Slot, lease: Lease, log: EventLog, executor: RunExecutor, end: Ending = ending) -> None:
    """Ends with the run ended, handed back, or dropped because somebody else has it."""
    if lease.interruptions >= _INTERRUPTIONS:
        detail = f"The server was interrupted {lease.interruptions} times while it worked on this run; it was given up."
        await _end_run(log, lease, end, "failed", problem("interrupted", "Run given up", detail))
        return
    error = await slot.run(executor(lease))
    if slot.reason == "lost" or isinstance(error, LeaseLost):
        log.drop(lease)
    elif isinstance(error, StoreUnavailable):
        await log.release(lease, interrupted=True)
    elif not log.holds(lease):
        return
    elif slot.reason == "shutdown":
        await log.release(lease)
    elif slot.reason == "stop":
        await _end_run(log, lease, end, "stopped", None)
    else:
        await _end_run(log, lease, end, "failed", _describe(error, lease))


async def run_job(slot: Slot, job: Job, queue: JobQueue, handlers: Mapping[str, JobHandler]) -> None:
    """Ends with the job done, failed, queued for another attempt, handed back, or dropped."""
    error = await slot.run(handlers[job.kind](job))
    if slot.reason == "lost" or isinstance(error, LeaseLost):
        return
    if slot.reason is not None:
        await queue.release(job)
    elif error is None:
        await queue.finish(job)
    elif isinstance(error, JobFailed):
        await queue.fail(job, str(error))
    else:
        _log.error("a job failed", extra={"kind": job.kind, "job": job.job_id}, exc_info=error)
        await queue.retry(job, str(error) if isinstance(error, FamulusError) else f"{type(error).__name__}: {error}")


async def _end_run(log: EventLog, lease: Lease, end: Ending, status: RunStatus, trouble: JsonObject | None) -> None:
    events, text = await log.read_with_text(lease.tenant, lease.run_id)
    await log.append(lease, end(events, status, unfinished_text=text, problem=trouble), status=status)


def _describe(error: BaseException | None, lease: Lease) -> JsonObject:
    if isinstance(error, FamulusError):
        trouble = problem(error.code, "The run failed", str(error))
    else:
        trouble = problem(
            "internal", "The run failed", "An internal error ended the run; the server's log has the details."
        )
    _log.error("a run failed", extra={"run": lease.run_id, "error_id": trouble["error_id"]}, exc_info=error)
    return trouble


def _forget(task: asyncio.Task[None]) -> None:
    if not task.cancelled():
        task.exception()
