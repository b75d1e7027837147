"""The side of a measured program in `taking_turns.py`: it measures a block of turns whenever it is told to."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable


async def measure_when_told(measure: Callable[[int, int], Awaitable[float]]) -> None:
    """For each line `TURNS IN_FLIGHT` of standard input one line with the CPU milliseconds a turn, until the input ends.

    The event loop stands still between blocks: what waits for its turn takes no CPU from the program whose turn it is.
    """
    print("ready", flush=True)
    for line in sys.stdin:
        turns, in_flight = map(int, line.split())
        print(await measure(turns, in_flight), flush=True)
