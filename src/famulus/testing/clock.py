"""A clock that stands still until a test moves it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


class FakeClock:
    """Satisfies `famulus.messages.clock.Clock`."""

    def __init__(self, start: datetime = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)) -> None:
        self._now = start
        self._monotonic = 1_000.0

    def now(self) -> datetime:
        return self._now

    def monotonic(self) -> float:
        return self._monotonic

    def advance(self, seconds: float) -> None:
        self._now += timedelta(seconds=seconds)
        self._monotonic += seconds
