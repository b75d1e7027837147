"""Programs measured in turn: all of them are up, and each measures one block while the others wait.

Whatever else the machine does moves the figures of programs that are measured one after another, each by another amount. Blocks of
a few hundred turns that alternate meet the same machine, so the ratio of two blocks of one round holds.
"""

from __future__ import annotations

import json
import statistics
import subprocess
from collections.abc import Mapping, Sequence
from typing import Any


class Program:
    """A program that speaks `peers/blocks.py`. Raises `RuntimeError` when it ends too early."""

    def __init__(self, command: Sequence[str]) -> None:
        self.command = command
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.line() != "ready":
            raise RuntimeError(f"{command[1:3]} did not say that it is ready")

    def line(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline().strip()
        if not line:
            raise RuntimeError(f"{self.command[1:3]} ended too early, with {self.process.wait(10)}")
        return line

    def block(self, turns: int, in_flight: int) -> float:
        """CPU milliseconds a turn."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{turns} {in_flight}\n")
        self.process.stdin.flush()
        return float(self.line())

    def end(self, limit_s: float) -> dict[str, Any]:
        """What the program tells at its end, as JSON."""
        rest, _ = self.process.communicate(timeout=limit_s)
        return json.loads(rest.strip().splitlines()[-1])


def in_turn(programs: Mapping[str, Program], rounds: int, turns: int, in_flight: int) -> dict[str, list[float]]:
    """The blocks of each program, round by round; the first of a round changes. A block before them is not counted."""
    names = list(programs)
    found: dict[str, list[float]] = {name: [] for name in names}
    for program in programs.values():
        program.block(turns // 2, in_flight)
    for number in range(rounds):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            found[name].append(programs[name].block(turns, in_flight))
    return found


def times(blocks: Sequence[float], base: Sequence[float]) -> float:
    """How many times the base a program takes: the median over the rounds."""
    return statistics.median([one / other for one, other in zip(blocks, base, strict=True)])
