"""The job queue on SQLite and PostgreSQL."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection

from famulus.errors import LeaseLost, NotFound
from famulus.events.log import EventLog
from famulus.jobs.queue import JobQueue
from famulus.store.database import Database
from famulus.testing.clock import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def queue(database: Database, clock: FakeClock) -> JobQueue:
    return JobQueue(database, clock=clock)


async def test_job_of_a_failed_transaction_does_not_exist(queue: JobQueue):
    def fail(connection: Connection) -> None:
        queue.enqueue_in(connection, "t1", "ingest", "d1", {})
        raise ValueError("no")

    with pytest.raises(ValueError):
        await queue.database.write(fail)
    assert await queue.records("t1") == []


async def test_same_key_waits_once_with_the_newest_payload(queue: JobQueue):
    first = await queue.enqueue("t1", "ingest", "d1", {"n": 1})
    assert await queue.enqueue("t1", "ingest", "d1", {"n": 2}) == first
    (job,) = await queue.claim("w", ["ingest"], 9)
    assert (job.payload, job.attempts) == ({"n": 2}, 1)


async def test_second_job_of_a_running_key_starts_after_it(queue: JobQueue):
    await queue.enqueue("t1", "ingest", "d1", {"n": 1})
    (job,) = await queue.claim("w", ["ingest"], 9)
    await queue.enqueue("t1", "ingest", "d1", {"n": 2})
    assert await queue.claim("w", ["ingest"], 9) == []
    await queue.finish(job)
    assert [job.payload for job in await queue.claim("w", ["ingest"], 9)] == [{"n": 2}]


async def test_only_known_kinds_are_claimed_when_due(queue: JobQueue, clock: FakeClock):
    await queue.enqueue("t1", "embed", "d1", {})
    await queue.enqueue("t1", "ingest", "d1", {}, delay_s=5)
    assert await queue.claim("w", ["ingest"], 9) == []
    clock.advance(5)
    assert [job.kind for job in await queue.claim("w", ["ingest"], 9)] == ["ingest"]


async def test_failing_job_is_tried_again_with_pauses_then_fails_with_its_error(queue: JobQueue, clock: FakeClock):
    await queue.enqueue("t1", "ingest", "d1", {})
    pauses: list[int] = []
    for _ in range(5):
        pause = 0
        while not (found := await queue.claim("w", ["ingest"], 1)):
            clock.advance(1)
            pause += 1
        pauses.append(pause)
        await queue.retry(found[0], "broken")
    (record,) = await queue.records("t1")
    assert (pauses, record.state, record.error, record.attempts) == ([0, 2, 4, 8, 16], "failed", "broken", 5)


async def test_failed_job_can_be_queued_again(queue: JobQueue):
    job_id = await queue.enqueue("t1", "ingest", "d1", {})
    await queue.fail((await queue.claim("w", ["ingest"], 1))[0], "broken")
    with pytest.raises(NotFound):
        await queue.retry_now("t2", job_id)
    await queue.retry_now("t1", job_id)
    assert len(await queue.claim("w", ["ingest"], 1)) == 1


async def test_job_of_a_dead_worker_is_taken_over_and_the_old_one_is_fenced(queue: JobQueue, database: Database):
    await queue.enqueue("t1", "ingest", "d1", {})
    (old,) = await queue.claim("gone", ["ingest"], 1)
    assert await queue.requeue_orphans() == 1
    (new,) = await queue.claim("w", ["ingest"], 1)
    assert (new.job_id, new.attempts) == (old.job_id, 2)
    for call in (queue.finish(old), queue.release(old), database.write(lambda c: queue.check_in(c, old))):
        with pytest.raises(LeaseLost):
            await call
    await database.write(lambda c: queue.check_in(c, new))


async def test_job_that_takes_its_worker_down_each_time_is_given_up(queue: JobQueue):
    await queue.enqueue("t1", "ingest", "d1", {})
    for _ in range(5):
        assert len(await queue.claim("gone", ["ingest"], 1)) == 1
        await queue.requeue_orphans()
    (record,) = await queue.records("t1")
    assert (record.state, record.error) == ("failed", "the worker ended unexpectedly at each attempt")


async def test_job_of_a_living_worker_is_left_alone(queue: JobQueue, database: Database):
    await EventLog(database).register_worker("w", 30)
    await queue.enqueue("t1", "ingest", "d1", {})
    (job,) = await queue.claim("w", ["ingest"], 1)
    assert await queue.requeue_orphans() == 0
    await queue.release(job)
    assert [job.attempts for job in await queue.claim("w", ["ingest"], 1)] == [1]


async def test_retried_job_makes_way_for_a_newer_one(queue: JobQueue):
    await queue.enqueue("t1", "ingest", "d1", {"n": 1})
    (job,) = await queue.claim("w", ["ingest"], 1)
    await queue.enqueue("t1", "ingest", "d1", {"n": 2})
    await queue.retry(job, "broken")
    assert [job.payload for job in await queue.claim("w", ["ingest"], 9)] == [{"n": 2}]


async def test_cancelled_job_never_runs(queue: JobQueue, database: Database):
    await queue.enqueue("t1", "ingest", "d1", {})
    await database.write(lambda connection: queue.cancel_in(connection, "t1", "ingest", "d1"))
    assert await queue.claim("w", ["ingest"], 1) == []
