"""The worker with small executors, on SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from famulus.events.log import EventLog
from famulus.events.records import Lease
from famulus.events.types import DONE, RUN_ERROR, RUN_NOTICE, RUN_RESPONSE, RUN_SUMMARY, TOOL_CALL, TOOL_RESULT, Draft
from famulus.jobs.queue import Job, JobFailed, JobQueue
from famulus.jobs.worker import Worker
from famulus.messages.values import Principal
from famulus.store.database import Database

ANNA = Principal("t1", "anna")
END = [Draft(DONE, {"text": "x"}), Draft(RUN_SUMMARY, {"status": "completed"})]


class Bench:
    """A log, a queue and whatever workers a test starts."""

    def __init__(self, database: Database) -> None:
        self.log = EventLog(database)
        self.queue = JobQueue(database)
        self.workers: list[Worker] = []

    async def worker(self, executor: Callable[[Lease], Awaitable[None]], **options: object) -> Worker:
        handlers = options.pop("handlers", {})
        worker = Worker(self.log, self.queue, executor, handlers, **options)  # type: ignore[arg-type]
        await worker.start()
        self.workers.append(worker)
        return worker

    async def types(self, run_id: str) -> list[str]:
        """Of all events of the run, once it has ended."""
        return [item.type async for item in self.log.subscribe("t1", run_id) if item.seq]

    async def settled(self, job_id: str, *states: str) -> str | None:
        while True:
            (record,) = [record for record in await self.queue.records("t1") if record.job_id == job_id]
            if record.state in states:
                return record.error
            await asyncio.sleep(0.01)


@pytest.fixture
async def bench(database: Database) -> AsyncIterator[Bench]:
    bench = Bench(database)
    yield bench
    for worker in bench.workers:
        await worker.stop()
    await bench.log.aclose()


async def test_created_run_is_executed_at_once(bench: Bench):
    async def executor(lease: Lease) -> None:
        await bench.log.append(lease, END, status="completed")

    await bench.worker(executor)
    run_id = await bench.log.create(ANNA, {})
    assert await bench.types(run_id) == [DONE, RUN_SUMMARY]


async def test_crashing_run_ends_failed_with_an_error_event(bench: Bench):
    async def executor(lease: Lease) -> None:
        await bench.log.append(lease, [Draft(TOOL_CALL, {"call_id": "c1", "status": "running"})])
        raise RuntimeError("secret detail")

    await bench.worker(executor)
    run_id = await bench.log.create(ANNA, {})
    assert await bench.types(run_id) == [TOOL_CALL, TOOL_RESULT, RUN_ERROR, DONE, RUN_SUMMARY]
    assert (await bench.log.record("t1", run_id)).status == "failed"
    assert "secret" not in str(await bench.log.read("t1", run_id))


async def test_run_whose_executor_just_returns_does_not_hang(bench: Bench):
    async def executor(lease: Lease) -> None: ...

    await bench.worker(executor)
    run_id = await bench.log.create(ANNA, {})
    assert (await bench.types(run_id))[-1] == RUN_SUMMARY


async def test_stopped_run_keeps_what_it_produced(bench: Bench):
    streaming = asyncio.Event()

    async def executor(lease: Lease) -> None:
        await bench.log.append(lease, [Draft(RUN_RESPONSE, {"text": "First. ", "usage": {"input_tokens": 3}})])
        bench.log.publish(lease.run_id, "chat.stream.v1", "Second", 7)
        streaming.set()
        await asyncio.sleep(60)

    await bench.worker(executor)
    run_id = await bench.log.create(ANNA, {})
    await streaming.wait()
    await bench.log.request_stop("t1", run_id)
    assert (await bench.types(run_id))[-2:] == [DONE, RUN_SUMMARY]
    events = await bench.log.read("t1", run_id)
    assert (events[-2].data["text"], events[-1].data["status"]) == ("First. Second", "stopped")


async def test_stop_ends_a_run_whose_executor_ignores_cancellation(bench: Bench):
    started, over = asyncio.Event(), asyncio.Event()

    async def executor(lease: Lease) -> None:
        started.set()
        while not over.is_set():
            try:
                await over.wait()
            except asyncio.CancelledError:
                continue

    await bench.worker(executor)
    run_id = await bench.log.create(ANNA, {})
    await started.wait()
    async with asyncio.timeout(2):
        await bench.log.request_stop("t1", run_id)
        assert (await bench.types(run_id))[-1] == RUN_SUMMARY
    over.set()


async def test_run_stopped_before_it_began_ends_stopped(bench: Bench):
    async def executor(lease: Lease) -> None:
        await asyncio.sleep(60)

    run_id = await bench.log.create(ANNA, {})
    await bench.log.request_stop("t1", run_id)
    await bench.worker(executor)
    await bench.types(run_id)
    assert (await bench.log.record("t1", run_id)).status == "stopped"


async def test_shutdown_hands_runs_and_jobs_to_another_worker(bench: Bench):
    working: asyncio.Queue[str] = asyncio.Queue()

    async def slow(lease: Lease) -> None:
        await bench.log.append(lease, [Draft(RUN_NOTICE, {})])
        working.put_nowait("run")
        await asyncio.sleep(60)

    async def slow_job(job: Job) -> None:
        working.put_nowait("job")
        await asyncio.sleep(60)

    async def quick(lease: Lease) -> None:
        await bench.log.append(lease, END, status="completed")

    async def quick_job(job: Job) -> None:
        assert job.attempts == 1

    first = await bench.worker(slow, handlers={"k": slow_job})
    run_id, job_id = await bench.log.create(ANNA, {}), await bench.queue.enqueue("t1", "k", "x", {})
    await working.get(), await working.get()
    await first.stop()
    await bench.worker(quick, handlers={"k": quick_job})
    assert await bench.types(run_id) == [RUN_NOTICE, DONE, RUN_SUMMARY]
    assert await bench.settled(job_id, "done", "failed") is None
    assert (await bench.log.record("t1", run_id)).interruptions == 0


async def test_a_claim_under_way_at_shutdown_hands_back_what_it_takes(bench: Bench):
    """A claim goes on in the database when its task is cancelled, as a thread does."""
    working, claiming, goes_on = asyncio.Event(), asyncio.Event(), asyncio.Event()
    claim = bench.log.claim

    async def held(worker_id: str, n: int) -> list[Lease]:
        async def late() -> list[Lease]:
            if working.is_set():
                claiming.set()
                await goes_on.wait()
            return await claim(worker_id, n)

        return await asyncio.shield(asyncio.ensure_future(late()))

    async def slow(lease: Lease) -> None:
        working.set()
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0.3)

    async def quick(lease: Lease) -> None:
        await bench.log.append(lease, END, status="completed")

    bench.log.claim = held  # type: ignore[method-assign]
    first = await bench.worker(slow)
    await bench.log.create(ANNA, {})
    await working.wait()
    later = await bench.log.create(ANNA, {})
    await claiming.wait()
    stopping = asyncio.create_task(first.stop())
    await asyncio.sleep(0.05)
    goes_on.set()
    await stopping
    bench.log.claim = claim  # type: ignore[method-assign]
    await bench.worker(quick)
    assert await bench.types(later) == [DONE, RUN_SUMMARY]
    assert (await bench.log.record("t1", later)).interruptions == 0


async def test_no_more_runs_at_once_than_allowed(bench: Bench):
    going = most = 0

    async def executor(lease: Lease) -> None:
        nonlocal going, most
        going += 1
        most = max(most, going)
        await asyncio.sleep(0)
        await bench.log.append(lease, END, status="completed")
        going -= 1

    await bench.worker(executor, max_runs=3)
    ids = [await bench.log.create(ANNA, {}) for _ in range(12)]
    await asyncio.gather(*(bench.types(run_id) for run_id in ids))
    assert 1 <= most <= 3


async def test_job_ends_done_or_failed_with_its_reason(bench: Bench):
    async def handler(job: Job) -> None:
        if job.payload.get("bad"):
            raise JobFailed("the file is empty")

    async def executor(lease: Lease) -> None: ...

    await bench.worker(executor, handlers={"k": handler})
    good, bad = await bench.queue.enqueue("t1", "k", "a", {}), await bench.queue.enqueue("t1", "k", "b", {"bad": True})
    assert await bench.settled(good, "done", "failed") is None
    assert await bench.settled(bad, "done", "failed") == "the file is empty"


async def test_worker_that_lost_its_lease_drops_its_run_and_goes_on_under_a_new_name(bench: Bench, database: Database):
    calls = 0
    left: list[str] = []

    async def executor(lease: Lease) -> None:
        nonlocal calls
        calls += 1
        if calls > 1:
            await bench.log.append(lease, END, status="completed")
            return
        await database.write(lambda connection: connection.exec_driver_sql("DELETE FROM worker") and None)
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError as error:
            left.append(str(error.args[0]))
            raise

    await bench.worker(executor, lease_s=0.4)
    run_id = await bench.log.create(ANNA, {})
    assert await bench.types(run_id) == [DONE, RUN_SUMMARY]
    assert (left, (await bench.log.record("t1", run_id)).interruptions) == (["lost"], 1)
