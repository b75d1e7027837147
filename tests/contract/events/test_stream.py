"""Text on its way: whatever the interleaving of appends, deltas and reconnects, every reader ends with the same text."""

from __future__ import annotations

import asyncio
import tempfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from famulus.errors import Invalid
from famulus.events.log import EventLog
from famulus.events.records import Position
from famulus.events.types import DONE, RUN_NOTICE, RUN_RESPONSE, RUN_SUMMARY, TEXT_DELTA, Delta, Draft, Event
from famulus.messages.values import Principal
from famulus.store.database import open_database

STEP = st.one_of(
    st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=9),
    st.sampled_from([RUN_NOTICE, RUN_RESPONSE, "reconnect", "rest", "begin again"]),
)


class Reader:
    """A client as the API page describes it: puts each delta at its offset, takes a finished response as it is."""

    def __init__(self, log: EventLog, run_id: str) -> None:
        self.log, self.run_id = log, run_id
        self.position = Position()
        self.seqs: list[int] = []
        self.text = self.durable = ""
        self.finished = False

    async def follow(self) -> None:
        async for item in self.log.subscribe("t1", self.run_id, self.position):
            self.take(item)
        self.finished = True

    def take(self, item: Event | Delta) -> None:
        if isinstance(item, Delta):
            self.position = Position(item.seq, item.offset)
            if item.type == TEXT_DELTA:
                assert item.offset <= len(self.text), "a delta leaves a gap"
                self.text = self.text[: item.offset] + item.delta
            return
        self.position = Position(item.seq)
        self.seqs.append(item.seq)
        if item.type == RUN_RESPONSE:
            self.durable += str(item.data["text"])
            self.text = self.durable


async def play(steps: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with await open_database(folder) as database:
            log = EventLog(database)
            run_id = await log.create(Principal("t1", "anna"), {})
            await log.register_worker("w", 30)
            (lease,) = await log.claim("w", 1)
            readers = [Reader(log, run_id), Reader(log, run_id)]
            tasks = [asyncio.create_task(reader.follow()) for reader in readers]
            before = text = ""
            for step in [*steps, RUN_RESPONSE]:
                if step == RUN_NOTICE:
                    await log.append(lease, [Draft(RUN_NOTICE, {})])
                elif step == RUN_RESPONSE:
                    await log.append(lease, [Draft(RUN_RESPONSE, {"text": text[len(before) :]})])
                    before = text
                elif step == "reconnect":
                    tasks[0].cancel()
                    await asyncio.wait({tasks[0]})
                    tasks[0] = asyncio.create_task(readers[0].follow())
                elif step == "rest":
                    await asyncio.sleep(0.045)
                elif step == "begin again":
                    text = before
                else:
                    log.publish(run_id, TEXT_DELTA, step, len(text))
                    text += step
            await log.append(lease, [Draft(DONE, {"text": text}), Draft(RUN_SUMMARY, {})], status="completed")
            late = Reader(log, run_id)
            await asyncio.gather(*tasks, late.follow())
            for reader in [*readers, late]:
                assert (reader.text, reader.finished) == (text, True)
                assert reader.seqs == list(range(1, len(reader.seqs) + 1))
            await log.aclose()


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(STEP, max_size=25))
def test_every_reader_reassembles_the_text(steps: list[str]):
    asyncio.run(play(steps))


def test_text_begun_again_behind_an_empty_response_leaves_no_gap():
    begun = ["0123456789", RUN_RESPONSE, "rest", "lost", "begin again", RUN_RESPONSE, RUN_NOTICE]
    asyncio.run(play([*begun, "a longer text than the one that was lost"]))


async def test_slow_reader_costs_no_memory_and_misses_nothing(tmp_path):
    async with await open_database(tmp_path / "data") as database:
        log = EventLog(database)
        run_id = await log.create(Principal("t1", "anna"), {})
        await log.register_worker("w", 30)
        (lease,) = await log.claim("w", 1)
        slow = log.subscribe("t1", run_id)
        await slow.start()
        for _ in range(30):
            await log.append(lease, [Draft(RUN_NOTICE, {"n": n}) for n in range(10)])
        assert len(slow._channel.tail) <= 32
        await log.append(lease, [Draft(DONE, {}), Draft(RUN_SUMMARY, {})], status="completed")
        assert [item.seq async for item in slow] == list(range(1, 303))
        assert log._bus.get(run_id) is None


async def test_waiting_with_a_timeout_loses_nothing(tmp_path):
    async with await open_database(tmp_path / "data") as database:
        log = EventLog(database)
        run_id = await log.create(Principal("t1", "anna"), {})
        await log.register_worker("w", 30)
        (lease,) = await log.claim("w", 1)
        reader = log.subscribe("t1", run_id)
        for n in range(5):
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(anext(reader), 0.01)
            await log.append(lease, [Draft(RUN_NOTICE, {"n": n})])
            assert (await anext(reader)).seq == n + 1


@pytest.mark.parametrize("text", ["", "-1", "1.", "x", "1.2.3", "٣", "9" * 30])
def test_odd_positions_are_refused(text: str):
    with pytest.raises(Invalid):
        Position.parse(text)


def test_position_is_read():
    assert (Position.parse("12"), Position.parse("12.34")) == (Position(12), Position(12, 34))
