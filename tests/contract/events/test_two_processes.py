"""Two processes on one PostgreSQL, each with its own connections: following a run of the other, taking over, outages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest

from famulus.errors import LeaseLost
from famulus.events.log import EventLog
from famulus.events.records import Lease
from famulus.events.types import DONE, RUN_NOTICE, RUN_RESPONSE, RUN_SUMMARY, TEXT_DELTA, Delta, Draft
from famulus.jobs.queue import JobQueue
from famulus.jobs.worker import Worker
from famulus.messages.values import Principal
from famulus.store.database import open_database
from famulus.store.errors import StoreUnavailable
from famulus.testing.postgres import TemporaryPostgres, temporary_postgres

pytestmark = pytest.mark.postgres
ANNA = Principal("t1", "anna")
END = [Draft(DONE, {"text": "x"}), Draft(RUN_SUMMARY, {"status": "completed"})]


@pytest.fixture
async def logs(postgres_url: str) -> AsyncIterator[tuple[EventLog, EventLog]]:
    databases = [await open_database(postgres_url, pool_size=3) for _ in range(2)]
    logs = (EventLog(databases[0]), EventLog(databases[1]))
    yield logs
    for log, database in zip(logs, databases, strict=True):
        await log.aclose()
        await database.aclose()


async def test_run_of_another_process_is_followed_with_its_live_text(logs: tuple[EventLog, EventLog]):
    here, there = logs
    run_id = await here.create(ANNA, {})
    await here.register_worker("w", 30)
    (lease,) = await here.claim("w", 1)
    await here.append(lease, [Draft(RUN_NOTICE, {})])
    here.publish(run_id, TEXT_DELTA, "Grüezi ", 0)
    reader = there.subscribe("t1", run_id)
    assert (await anext(reader)).type == RUN_NOTICE
    assert await anext(reader) == Delta(run_id, 1, TEXT_DELTA, "Grüezi ", 0)
    here.publish(run_id, TEXT_DELTA, "mitenand", 7)
    assert await anext(reader) == Delta(run_id, 1, TEXT_DELTA, "mitenand", 7)
    await here.append(lease, [Draft(RUN_RESPONSE, {"text": "Grüezi mitenand"})])
    await here.append(lease, END, status="completed")
    assert [item.type async for item in reader] == [RUN_RESPONSE, DONE, RUN_SUMMARY]


async def test_stop_reaches_the_worker_of_another_process(logs: tuple[EventLog, EventLog]):
    here, there = logs
    working = asyncio.Event()

    async def executor(lease: Lease) -> None:
        working.set()
        await asyncio.sleep(60)

    async with Worker(here, JobQueue(here.database), executor, {}):
        run_id = await there.create(ANNA, {})
        await working.wait()
        async with asyncio.timeout(2):
            await there.request_stop("t1", run_id)
            assert [item.type async for item in there.subscribe("t1", run_id)][-1] == RUN_SUMMARY
    assert (await there.record("t1", run_id)).status == "stopped"


async def test_second_worker_takes_the_run_of_a_silent_one_within_the_lease(logs: tuple[EventLog, EventLog]):
    here, there = logs
    run_id = await here.create(ANNA, {})
    await here.register_worker("silent", 0.5)
    (old,) = await here.claim("silent", 1)
    await here.append(old, [Draft(RUN_NOTICE, {"n": 1})])

    async def executor(lease: Lease) -> None:
        await there.append(lease, END, status="completed")

    async with Worker(there, JobQueue(there.database), executor, {}, lease_s=1), asyncio.timeout(5):
        assert [item.seq async for item in there.subscribe("t1", run_id)] == [1, 2, 3]
    with pytest.raises(LeaseLost):
        await here.append(old, [Draft(RUN_NOTICE, {"n": 2})])


@pytest.fixture
def own_server() -> Iterator[TemporaryPostgres]:
    with temporary_postgres(durable=True) as server:
        yield server


async def test_restarted_server_loses_no_acknowledged_event_and_the_run_goes_on(own_server: TemporaryPostgres):
    async with await open_database(own_server.create_database(), pool_size=3) as database:
        log = EventLog(database)
        acknowledged: list[int] = []
        enough, down = asyncio.Event(), asyncio.Event()

        async def executor(lease: Lease) -> None:
            events = await log.read("t1", lease.run_id)
            if down.is_set():
                await log.append(lease, END, status="completed")
                return
            for n in range(len(events), 10_000):
                acknowledged.extend(event.seq for event in await log.append(lease, [Draft(RUN_NOTICE, {"n": n})]))
                if n == 20:
                    enough.set()

        async with Worker(log, JobQueue(database), executor, {}, lease_s=8), asyncio.timeout(60):
            run_id = await log.create(ANNA, {})
            await enough.wait()
            await asyncio.to_thread(own_server.stop)
            down.set()
            with pytest.raises(StoreUnavailable):
                await log.append(Lease("other", "t1", 1), [Draft(RUN_NOTICE, {})])
            await asyncio.to_thread(own_server.start)
            assert [item.type async for item in log.subscribe("t1", run_id)][-1] == RUN_SUMMARY
        numbers = [event.seq for event in await log.read("t1", run_id)]
        assert numbers == list(range(1, len(numbers) + 1))
        assert set(acknowledged) <= set(numbers)
        await log.aclose()
