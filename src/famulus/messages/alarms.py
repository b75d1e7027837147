"""Time limits that nearly always hold: one timer for all that are open, where the event loop would make, sort and cancel one for each.

A limit may be noticed up to 20 ms late.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from types import TracebackType
from typing import Final

_SLACK_S: Final = 0.02


class Alarm:
    """Rings once its time has come, unless it is dropped before. `when` is a time of the event loop."""

    __slots__ = ("ring", "when")

    def __init__(self, when: float, ring: Callable[[], None]) -> None:
        self.when = when
        self.ring = ring


class Alarms:
    """The alarms that are set. Belongs to one event loop."""

    def __init__(self) -> None:
        self._open: set[Alarm] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._due = math.inf

    def set(self, when: float, ring: Callable[[], None]) -> Alarm:
        """An alarm that calls `ring` in the event loop at that time of its clock."""
        alarm = Alarm(when, ring)
        self._open.add(alarm)
        if when < self._due:
            self._arm(when)
        return alarm

    def move(self, alarm: Alarm, when: float) -> None:
        """Lets an alarm that is set ring at another time."""
        alarm.when = when
        if when < self._due:
            self._arm(when)

    def drop(self, alarm: Alarm) -> None:
        """The alarm will not ring. The timer stays: the next alarm most likely wants it."""
        self._open.discard(alarm)

    def within(self, seconds: float) -> Limit:
        """`with alarms.within(5):` is `async with asyncio.timeout(5):`; raises `TimeoutError`."""
        return Limit(self, seconds)

    def _arm(self, when: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._due = when
        self._timer = asyncio.get_running_loop().call_at(when, self._look)

    def _look(self) -> None:
        now = asyncio.get_running_loop().time()
        self._timer, self._due = None, math.inf
        for alarm in [alarm for alarm in self._open if alarm.when <= now]:
            # One that rings may drop another.
            if alarm in self._open:
                self._open.discard(alarm)
                alarm.ring()
        if self._open:
            # Many that end one after another are looked through together.
            self._arm(max(min(alarm.when for alarm in self._open), now + _SLACK_S))


class Limit:
    """A time limit for the task that enters it, by the rules of `asyncio.Timeout` for a task that somebody else cancels too."""

    __slots__ = ("_alarm", "_alarms", "_cancelling", "_rung", "_seconds", "_task")

    def __init__(self, alarms: Alarms, seconds: float) -> None:
        self._alarms = alarms
        self._seconds = seconds
        self._rung = False

    def __enter__(self) -> Alarm:
        task = asyncio.current_task()
        assert task is not None
        self._task, self._cancelling = task, task.cancelling()
        self._alarm = self._alarms.set(asyncio.get_running_loop().time() + self._seconds, self._ring)
        return self._alarm

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._alarms.drop(self._alarm)
        if self._rung and self._task.uncancel() <= self._cancelling and kind is asyncio.CancelledError:
            raise TimeoutError from error

    def _ring(self) -> None:
        self._rung = True
        self._task.cancel()
