"""Time limits behind one timer."""

from __future__ import annotations

import asyncio

import pytest

from famulus.messages.alarms import Alarm, Alarms


async def test_what_takes_too_long_ends_with_a_timeout() -> None:
    with pytest.raises(TimeoutError), Alarms().within(0.01):
        await asyncio.Event().wait()


async def test_what_is_in_time_is_left_alone() -> None:
    alarms = Alarms()
    with alarms.within(0.01):
        await asyncio.sleep(0)
    await asyncio.sleep(0.03)
    with alarms.within(10):
        await asyncio.sleep(0)


async def test_a_shorter_limit_rings_before_a_longer_one_that_was_set_earlier() -> None:
    alarms = Alarms()
    with alarms.within(10), pytest.raises(TimeoutError), alarms.within(0.01):
        await asyncio.Event().wait()


async def test_alarms_ring_one_after_another_and_those_dropped_do_not() -> None:
    alarms, rung = Alarms(), list[int]()
    now = asyncio.get_running_loop().time()
    made = [alarms.set(now + 0.005 * n, lambda n=n: rung.append(n)) for n in (1, 2, 3)]
    alarms.drop(made[1])
    await asyncio.sleep(0.05)
    assert rung == [1, 3]


async def test_an_alarm_that_was_moved_rings_at_its_new_time_only() -> None:
    alarms, rung = Alarms(), asyncio.Event()
    now = asyncio.get_running_loop().time()
    alarm = alarms.set(now + 10, rung.set)
    alarms.move(alarm, now + 0.01)
    await asyncio.wait_for(rung.wait(), 1)
    assert now + 0.01 <= asyncio.get_running_loop().time() < now + 1


async def test_somebody_elses_cancellation_is_not_taken_for_a_timeout() -> None:
    async def wait() -> None:
        with Alarms().within(10):
            await asyncio.Event().wait()

    task = asyncio.ensure_future(wait())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_cancellation_that_comes_with_the_timeout_is_still_a_cancellation() -> None:
    async def wait() -> None:
        with Alarms().within(0):
            try:
                await asyncio.Event().wait()
            finally:
                cancel()

    task = asyncio.ensure_future(wait())
    cancel = task.cancel
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_of_two_that_are_due_at_once_the_one_that_rings_may_drop_the_other() -> None:
    alarms, rung, made = Alarms(), list[int](), list[Alarm]()
    now = asyncio.get_running_loop().time()

    def ring(number: int) -> None:
        rung.append(number)
        alarms.drop(made[1 - number])

    made += [alarms.set(now, lambda n=n: ring(n)) for n in (0, 1)]
    await asyncio.sleep(0.05)
    assert len(rung) == 1
