"""The event log on SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from famulus.app.run_records import RunRecords
from famulus.errors import Conflict, LeaseLost, NotFound
from famulus.events.log import EventLog
from famulus.events.records import Lease
from famulus.events.types import (
    DONE,
    RUN_NOTICE,
    RUN_RESPONSE,
    RUN_STARTED,
    RUN_SUMMARY,
    TEXT_DELTA,
    Delta,
    Draft,
    Event,
    RunStatus,
)
from famulus.messages.values import Principal
from famulus.store.database import Database
from famulus.testing.clock import FakeClock
from famulus.testing.trap import Trap, TrapDatabase, release, sprung

ANNA = Principal("t1", "anna", "admin", frozenset({"ask", "read"}))
END = [Draft(DONE, {"text": "x"}), Draft(RUN_SUMMARY, {"status": "completed"})]


def notes(*numbers: int) -> list[Draft]:
    return [Draft(RUN_NOTICE, {"n": n}) for n in numbers]


@pytest.fixture
async def log(database: Database) -> AsyncIterator[EventLog]:
    log = EventLog(database)
    yield log
    await log.aclose()


async def start(log: EventLog, worker: str = "w1", conversation: str | None = None) -> Lease:
    await log.create(ANNA, {"message": "hi"}, conversation)
    await log.register_worker(worker, 30)
    return (await log.claim(worker, 1))[0]


async def test_created_run_is_queued_with_its_request(log: EventLog):
    run_id = await log.create(ANNA, {"message": "höi \U0001f600", "n": 2**70}, "c1")
    record = await log.record("t1", run_id)
    assert (record.principal, record.request, record.status) == (
        ANNA,
        {"message": "höi \U0001f600", "n": 2**70},
        "queued",
    )
    assert (record.conversation_id, record.last_seq, record.started_at) == ("c1", 0, None)


async def test_another_tenant_sees_no_run(log: EventLog):
    run_id = await log.create(ANNA, {})
    for call in (log.record("t2", run_id), log.read("t2", run_id), log.request_stop("t2", run_id)):
        with pytest.raises(NotFound):
            await call
    with pytest.raises(NotFound):
        await anext(log.subscribe("t2", run_id))


async def test_events_are_numbered_without_a_gap_from_one(log: EventLog):
    lease = await start(log)
    groups = await asyncio.gather(*(log.append(lease, notes(n, n + 100)) for n in range(10)))
    events = [event for group in groups for event in group]
    assert [event.seq for event in events] == list(range(1, 21))
    assert await log.read("t1", lease.run_id) == events


@pytest.mark.parametrize(
    ("drafts", "status"),
    [
        ([Draft(RUN_RESPONSE, {"text": "Two."})], None),
        ([Draft(DONE, {"text": "One. Two."}), Draft(RUN_SUMMARY, {"status": "completed"})], "completed"),
    ],
)
async def test_text_is_read_once_while_its_commit_is_not_heard_of_yet(
    database: Database, tmp_path: Path, drafts: list[Draft], status: RunStatus | None
):
    trap = tmp_path / "trap"
    log = EventLog(TrapDatabase(database, trap))
    records, lease = RunRecords(log), await start(log)
    await log.append(lease, [Draft(RUN_RESPONSE, {"text": "One. "})])
    reader = log.subscribe("t1", lease.run_id)
    log.publish(lease.run_id, TEXT_DELTA, "Two.", 5)
    streaming = await records.get(ANNA, lease.run_id)
    Trap("SELECT count(*) > 1 FROM run_event", "hold").set(trap)
    appended = log.append(lease, drafts, status=status)
    await caught(trap)
    held = await records.get(ANNA, lease.run_id)
    release(trap)
    await appended
    known = await records.get(ANNA, lease.run_id)
    assert {view.answer for view in (streaming, held, known)} == {"One. Two."}
    await reader.aclose()
    await log.aclose()


async def caught(trap: Path) -> None:
    while not sprung(trap):  # noqa: ASYNC110 (a file)
        await asyncio.sleep(0.01)


async def test_private_data_and_odd_text_come_back(log: EventLog):
    lease = await start(log)
    await log.append(lease, [Draft(RUN_NOTICE, {"t": "\x00\ud800 ok", "f": 1.5, "z": None}, {"sig": ["a"]})])
    (event,) = await log.read("t1", lease.run_id)
    assert (event.data, event.private) == ({"t": "\x00\ufffd ok", "f": 1.5, "z": None}, {"sig": ["a"]})


async def test_second_run_of_a_going_conversation_is_refused(log: EventLog):
    lease = await start(log, conversation="c1")
    with pytest.raises(Conflict):
        await log.create(ANNA, {}, "c1")
    await log.create(Principal("t2", "bea"), {}, "c1")
    await log.append(lease, END, status="completed")
    await log.create(ANNA, {}, "c1")


async def test_runs_are_claimed_once_oldest_first(log: EventLog):
    ids = [await log.create(ANNA, {}) for _ in range(5)]
    await log.register_worker("w1", 30)
    await log.register_worker("w2", 30)
    claims = await asyncio.gather(log.claim("w1", 2), log.claim("w2", 2))
    taken = [lease.run_id for claim in claims for lease in claim]
    rest = [lease.run_id for lease in await log.claim("w1", 9)]
    assert sorted(taken + rest) == ids
    assert await log.claim("w1", 9) == []


async def test_ended_run_has_summary_last_and_takes_no_more(log: EventLog):
    lease = await start(log)
    await log.append(lease, END, status="completed")
    record = await log.record("t1", lease.run_id)
    assert (record.status, record.last_seq, record.finished_at is not None) == ("completed", 2, True)
    with pytest.raises(LeaseLost):
        await log.append(lease, notes(1))
    with pytest.raises(ValueError, match="summary"):
        await log.append(lease, notes(1), status="completed")


async def test_run_of_a_dead_worker_is_taken_over_and_the_old_lease_is_fenced(log: EventLog, database: Database):
    lease = await start(log)
    await log.append(lease, notes(1))
    await log.remove_worker("w1")
    other = EventLog(database)
    await other.register_worker("w2", 30)
    (taken,) = await other.claim("w2", 5)
    assert (taken.run_id, taken.epoch > lease.epoch, taken.interruptions) == (lease.run_id, True, 1)
    with pytest.raises(LeaseLost):
        await log.append(lease, notes(2))
    assert [event.seq for event in await other.append(taken, notes(3))] == [2]
    assert [event.data["n"] for event in await log.read("t1", lease.run_id)] == [1, 3]
    await other.aclose()


async def test_worker_whose_lease_ended_cannot_claim(log: EventLog):
    await log.create(ANNA, {})
    await log.register_worker("w1", -1)
    await log.register_worker("w2", 30)
    assert not await log.renew_worker("w1", 30)
    with pytest.raises(LeaseLost):
        await log.claim("w1", 1)
    assert len(await log.claim("w2", 1)) == 1


async def test_released_run_is_queued_again_without_counting_an_interruption(log: EventLog):
    lease = await start(log)
    await log.release(lease)
    (again,) = await log.claim("w1", 1)
    assert (again.run_id, again.interruptions) == (lease.run_id, 0)
    with pytest.raises(LeaseLost):
        await log.append(lease, notes(1))


async def test_stop_request_is_seen_by_the_worker(log: EventLog):
    lease = await start(log)
    assert await log.stopped_among([lease]) == []
    await log.request_stop("t1", lease.run_id)
    await log.request_stop("t1", lease.run_id)
    assert await log.stopped_among([lease]) == [lease.run_id]


async def test_subscriber_gets_past_events_then_live_ones_and_ends(log: EventLog):
    lease = await start(log)
    await log.append(lease, notes(1, 2))
    reader = asyncio.ensure_future(collect(log, lease, 1))
    await log.append(lease, notes(3))
    await log.append(lease, END, status="completed")
    assert [item.seq for item in await reader] == [2, 3, 4, 5]
    assert [item.seq for item in await collect(log, lease, 4)] == [5]
    assert await collect(log, lease, 5) == []


async def test_late_joiner_gets_the_text_so_far_then_the_rest(log: EventLog):
    lease = await start(log)
    await log.append(lease, notes(1))
    log.publish(lease.run_id, "chat.stream.v1", "Grüe", 0)
    log.publish(lease.run_id, "chat.stream.v1", "zi ", 4)
    subscription = log.subscribe("t1", lease.run_id)
    first = [await anext(subscription), await anext(subscription)]
    log.publish(lease.run_id, "chat.stream.v1", "mitenand", 7)
    assert first[1] == Delta(lease.run_id, 1, "chat.stream.v1", "Grüezi ", 0)
    assert await anext(subscription) == Delta(lease.run_id, 1, "chat.stream.v1", "mitenand", 7)
    log.publish(lease.run_id, "chat.stream.v1", "!", 15)
    await log.append(lease, [Draft(RUN_RESPONSE, {"text": "Grüezi mitenand!"})])
    assert await anext(subscription) == Delta(lease.run_id, 1, "chat.stream.v1", "!", 15)
    assert (await anext(subscription)).type == RUN_RESPONSE
    await subscription.aclose()


async def test_artifact_comes_back_only_for_its_tenant_and_run(log: EventLog):
    lease = await start(log)
    artifact_id = await log.artifacts.put("t1", lease.run_id, "call1", "application/json", b'{"a": 1}')
    artifact = await log.artifacts.read("t1", lease.run_id, artifact_id)
    assert (artifact.content, artifact.media_type, artifact.call_id) == (b'{"a": 1}', "application/json", "call1")
    for tenant, run_id in (("t2", lease.run_id), ("t1", "other")):
        with pytest.raises(NotFound):
            await log.artifacts.read(tenant, run_id, artifact_id)


async def test_deleted_run_is_gone_and_a_going_one_is_kept(log: EventLog):
    lease = await start(log)
    with pytest.raises(Conflict):
        await log.delete("t1", lease.run_id)
    await log.append(lease, [Draft(RUN_STARTED, {}), *END], status="failed")
    await log.delete("t1", lease.run_id)
    with pytest.raises(NotFound):
        await log.read("t1", lease.run_id)


async def test_event_times_come_from_the_clock(database: Database):
    clock = FakeClock()
    log = EventLog(database, clock=clock)
    lease = await start(log)
    first = await log.append(lease, notes(1))
    clock.advance(1.5)
    second = await log.append(lease, notes(2))
    assert (second[0].time - first[0].time).total_seconds() == 1.5
    assert [event.time for event in await log.read("t1", lease.run_id)] == [first[0].time, second[0].time]
    await log.aclose()


async def collect(log: EventLog, lease: Lease, after: int) -> list[Event | Delta]:
    return [item async for item in log.subscribe(lease.tenant, lease.run_id, after)]
