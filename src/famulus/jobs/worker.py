"""The worker: claims runs and jobs, keeps its lease alive, reacts to stop requests, and hands everything back when it goes.

One lease for the worker, none for each run. Its end is watched by the monotonic clock of this process: a worker that could not
renew it stops its tasks before others may take them over.
"""

from __future__ import annotations

import asyncio
import functools
import logging
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final

from famulus.errors import LeaseLost
from famulus.events.ending import ending
from famulus.events.log import QUEUED as RUN_QUEUED
from famulus.events.log import STOP, EventLog
from famulus.events.records import Lease
from famulus.jobs.queue import QUEUED as JOB_QUEUED
from famulus.jobs.queue import JobQueue
from famulus.jobs.supervise import Ending, JobHandler, Reason, RunExecutor, Slot, run_job, run_run
from famulus.messages.ids import new_id
from famulus.messages.values import JsonObject
from famulus.store.errors import StoreUnavailable

_POLL_S: Final = 1.0
# So long the last claim may take when the worker goes; after it a database that does not answer holds up nothing.
_LAST_CLAIM_S: Final = 2.0
_RENEWALS: Final = 4
_SAFETY: Final = 0.8
_FOREVER_S: Final = 3600.0
_GiveBack = Callable[[], Coroutine[Any, Any, None]]
_log: Final = logging.getLogger(__name__)


class Worker:
    """`start`, then `stop` (or `async with`). The interfaces it runs are `RunExecutor` and `JobHandler`."""

    def __init__(
        self,
        log: EventLog,
        queue: JobQueue,
        run_executor: RunExecutor,
        job_handlers: Mapping[str, JobHandler],
        *,
        max_runs: int = 100,
        max_jobs: int = 2,
        lease_s: float = 10.0,
        end: Ending = ending,
    ) -> None:
        self._events = log
        self._queue = queue
        self._executor = run_executor
        self._handlers = job_handlers
        self._max_runs = max_runs
        self._max_jobs = max_jobs
        self._lease_s = lease_s
        self._end = end
        self._clock = log.clock
        self._id = new_id()
        self._renewed_at = 0.0
        self._runs: dict[str, tuple[Slot, Lease]] = {}
        self._jobs: dict[str, Slot] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._loops: list[asyncio.Task[None]] = []
        self._leave: list[Callable[[], None]] = []
        self._to_give_back: list[_GiveBack] = []
        self._wake = asyncio.Event()
        self._claiming = True

    @property
    def busy(self) -> tuple[int, int]:
        """How many runs and jobs it works on now."""
        return len(self._runs), len(self._jobs)

    async def start(self) -> None:
        self._claiming = True
        await self._register()
        database = self._events.database
        self._leave = [
            database.on_signal(RUN_QUEUED, lambda _: self._wake.set()),
            database.on_signal(JOB_QUEUED, lambda _: self._wake.set()),
            database.on_signal(STOP, self._on_stop),
        ]
        loops = (self._claim_forever, self._renew_forever, self._watch_forever)
        self._loops = [asyncio.create_task(loop(), name=f"famulus-worker-{loop.__name__}") for loop in loops]

    async def stop(self, *, grace_s: float = 0.0) -> None:
        """Claims nothing more, waits up to `grace_s` for what runs, hands the rest back, and ends its lease."""
        for leave in self._leave:
            leave()
        claiming, *others = self._loops or [None]
        await self._end_claiming(claiming)
        if self._tasks and grace_s:
            await asyncio.wait(self._tasks, timeout=grace_s)
        self._leave_all("shutdown")
        if self._tasks:
            await asyncio.wait(self._tasks)
        for loop in others:
            await _cancel(loop)
        self._loops = []
        try:
            await self._events.remove_worker(self._id)
        except StoreUnavailable as error:
            _log.warning("the worker's lease could not be ended; it runs out by itself", extra={"error": str(error)})

    async def __aenter__(self) -> Worker:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    # ── claiming ──

    async def _claim_forever(self) -> None:
        while self._claiming:
            self._wake.clear()
            try:
                await self._claim()
            except LeaseLost:
                await self._start_over()
            except StoreUnavailable as error:
                _log.warning("nothing can be claimed now", extra={"error": str(error)})
            except Exception as error:
                # The border of this loop: a worker that silently claims no more would be worse than one that complains.
                _log.error("claiming failed", exc_info=error)
            try:
                async with asyncio.timeout(_POLL_S):
                    await self._wake.wait()
            except TimeoutError:
                pass

    async def _end_claiming(self, loop: asyncio.Task[None] | None) -> None:
        """A claim under way comes to its end: cancelled, it could still take what is being handed back, with nobody to work on it."""
        self._claiming = False
        self._wake.set()
        if loop is not None:
            await asyncio.wait({loop}, timeout=_LAST_CLAIM_S)
        await _cancel(loop)

    async def _claim(self) -> None:
        if free := self._max_runs - len(self._runs):
            for lease in await self._events.claim(self._id, free):
                self._begin_run(lease, "stop" if lease.stop_requested else None)
        if self._handlers and (free := self._max_jobs - len(self._jobs)):
            for job in await self._queue.claim(self._id, self._handlers.keys(), free):
                slot = self._jobs[job.job_id] = Slot(job.job_id)
                work = run_job(slot, job, self._queue, self._handlers)
                self._spawn(self._jobs, slot, work, functools.partial(self._queue.release, job))

    def _begin_run(self, lease: Lease, reason: Reason | None) -> None:
        slot = Slot(lease.run_id)
        if reason is not None:
            slot.leave(reason)
        self._runs[lease.run_id] = (slot, lease)
        work = run_run(slot, lease, self._events, self._executor, self._end)
        self._spawn(self._runs, slot, work, functools.partial(self._events.release, lease, interrupted=True))

    def _spawn(self, places: dict[str, Any], slot: Slot, work: Coroutine[Any, Any, None], give_back: _GiveBack) -> None:
        async def supervise() -> None:
            try:
                await work
            except LeaseLost:
                pass
            except Exception as error:
                # Nothing could be written: it is given back as soon as the lease can be renewed, or taken when the lease ends.
                _log.error("the end of a task could not be recorded", extra={"key": slot.key}, exc_info=error)
                self._to_give_back.append(give_back)
            finally:
                places.pop(slot.key, None)
                self._wake.set()

        task = asyncio.create_task(supervise())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ── the lease ──

    async def _register(self) -> None:
        self._renewed_at = self._clock.monotonic()
        await self._events.register_worker(self._id, self._lease_s)
        await self._queue.requeue_orphans()

    async def _renew_forever(self) -> None:
        while True:
            await asyncio.sleep(self._lease_s / _RENEWALS)
            asked_at = self._clock.monotonic()
            try:
                async with asyncio.timeout(self._remaining_s()):
                    alive = await self._events.renew_worker(self._id, self._lease_s)
                    await self._queue.requeue_orphans()
            except Exception as error:
                # Whatever it was: what counts is whether the lease still has time.
                _log.warning("the lease could not be renewed", extra={"error": f"{type(error).__name__}: {error}"})
                alive = self._remaining_s() > 0
            else:
                self._renewed_at = asked_at
                await self._give_back()
            if not alive:
                await self._start_over()

    async def _give_back(self) -> None:
        """What ended while the database could not be reached goes back into the queue."""
        waiting, self._to_give_back = self._to_give_back, []
        for give_back in waiting:
            try:
                await give_back()
            except LeaseLost:
                continue
            except StoreUnavailable:
                self._to_give_back.append(give_back)

    def _remaining_s(self) -> float:
        """Until this worker must have stopped its tasks; others count from a later moment and up to the whole lease.

        On a database that no other process can open, nobody can take them over: time does not count there.
        """
        if self._events.database.exclusive:
            return _FOREVER_S
        return max(0.0, self._renewed_at + self._lease_s * _SAFETY - self._clock.monotonic())

    async def _start_over(self) -> None:
        """The lease is over: drops all tasks at once and begins again under a new name."""
        self._leave_all("lost")
        self._id = new_id()
        try:
            await self._register()
        except Exception as error:
            _log.warning("the worker waits for the database", extra={"error": str(error)})

    def _leave_all(self, reason: Reason) -> None:
        for slot, _ in self._runs.values():
            slot.leave(reason)
        for slot in self._jobs.values():
            slot.leave(reason)

    # ── stop requests ──

    def _on_stop(self, payload: JsonObject) -> None:
        found = self._runs.get(str(payload.get("run")))
        if found is not None:
            found[0].leave("stop")

    async def _watch_forever(self) -> None:
        """The net below the signals: stop requests and lost leases, looked up once a second."""
        while True:
            await asyncio.sleep(_POLL_S)
            leases = [lease for _, lease in self._runs.values()]
            try:
                stopped = await self._events.stopped_among(leases)
            except Exception as error:
                _log.warning(
                    "stop requests could not be looked up", extra={"error": f"{type(error).__name__}: {error}"}
                )
                continue
            for run_id in stopped:
                self._on_stop({"run": run_id})


async def _cancel(task: asyncio.Task[None] | None) -> None:
    if task is not None:
        task.cancel()
        await asyncio.wait({task})
