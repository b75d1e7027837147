"""Two tools that leave a trace in a file, for tests that count executions: `look_up` reads, `record_note` has an effect."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from famulus.tools.base import Tool, ToolContext, ToolOutput
from famulus.tools.schema import tool


def traced_tools(file: Path) -> list[Tool]:
    """Each execution is one line of `file`: `NAME ARGUMENT begun`, and with `done` or `cancelled` at its end."""

    async def look_up(context: ToolContext, key: str, wait_s: float = 0.0) -> ToolOutput:
        """Looks a key up, after some seconds."""
        return await _traced(file, f"look_up {key}", wait_s)

    async def record_note(context: ToolContext, text: str, wait_s: float = 0.0) -> ToolOutput:
        """Records a note, after some seconds."""
        return await _traced(file, f"record_note {text}", wait_s)

    return [tool(look_up, toolbox="testing"), tool(record_note, effect="write", toolbox="testing")]


def with_traced_tools(builtin: Callable[..., list[Tool]], file: Path) -> Callable[..., list[Tool]]:
    """`builtin_tools` with these two behind its own."""

    def tools(**options: Any) -> list[Tool]:
        return [*builtin(**options), *traced_tools(file)]

    return tools


async def _traced(file: Path, name: str, wait_s: float) -> ToolOutput:
    _note(file, f"{name} begun")
    try:
        await asyncio.sleep(wait_s)
    except asyncio.CancelledError:
        _note(file, f"{name} cancelled")
        raise
    _note(file, f"{name} done")
    return ToolOutput({"value": name})


def _note(file: Path, line: str) -> None:
    with file.open("a") as trace:
        trace.write(f"{line}\n")
        trace.flush()
        os.fsync(trace.fileno())
