"""The loop on a SQLite log, dropped at each append and taken over: state is before or after, never between."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from famulus.agent.execute import RunExecutor
from famulus.agent.request import to_json
from famulus.events.log import EventLog
from famulus.events.records import Lease
from famulus.events.types import RUN_RESPONSE, TOOL_RESULT, Draft, Event, RunStatus
from famulus.store.database import open_database
from famulus.testing.agent import ANNA, AgentBench, ask
from famulus.testing.scripted import Say, ScriptedModel, call
from famulus.tools.base import Tool, ToolContext, ToolOutput
from famulus.tools.schema import tool

SCRIPT = (
    Say("Looking. ", calls=(call("search_documents", {"query": "notice period"}, "c1"),)),
    Say(calls=(call("note", {"text": "three months"}, "c2"),)),
    Say("Three months [1]."),
)


def note_tool(noted: list[str]) -> Tool:
    async def note(context: ToolContext, text: str) -> ToolOutput:
        """Writes a note."""
        noted.append(text)
        return ToolOutput({"noted": text})

    return tool(note, effect="write")


class Killed(BaseException):
    """The process is gone."""


class DyingLog:
    """Dies before or after the append of that number, as a killed process would."""

    def __init__(self, log: EventLog, point: int, after: bool) -> None:
        self.log, self.left, self.after = log, point, after

    async def append(self, lease: Lease, drafts: Sequence[Draft], *, status: RunStatus | None = None) -> list[Event]:
        self.left -= 1
        if self.left == 0 and not self.after:
            raise Killed
        events = await self.log.append(lease, drafts, status=status)
        if self.left == 0:
            raise Killed
        return events

    def publish(self, *_: object) -> None:
        pass


@asynccontextmanager
async def open_log(folder: Path) -> AsyncIterator[EventLog]:
    database = await open_database(str(folder / "famulus.db"))
    log = EventLog(database)
    yield log
    await log.aclose()
    await database.aclose()


@pytest.mark.parametrize("after", [False, True])
async def test_run_goes_on_from_every_append(tmp_path: Path, after: bool) -> None:
    async with open_log(tmp_path) as log:
        await log.register_worker("w", 60)
        point = 0
        while await killed_and_resumed(log, point := point + 1, after):
            pass
    assert point > 6


async def killed_and_resumed(log: EventLog, point: int, after: bool) -> bool:
    """False when the run has fewer appends than `point`."""
    noted: list[str] = []
    run_id = await log.create(ANNA, to_json(ask("What is the notice period?", tools=("search_documents", "note"))))
    died = await work(log, run_id, DyingLog(log, point, after), noted)
    if died:
        record = await log.record(ANNA.tenant, run_id)
        if not record.ended:
            await work(log, run_id, log, noted)
    events = await log.read(ANNA.tenant, run_id)
    responses = [event.data["round"] for event in events if event.type == RUN_RESPONSE]
    done = [event.data["call_id"] for event in events if event.type == TOOL_RESULT]
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert (responses, done, (await log.record(ANNA.tenant, run_id)).status) == ([1, 2, 3], ["c1", "c2"], "completed")
    assert len(noted) <= 1
    assert len(noted) == 1 or "outcome unknown" in str(events)
    return died


async def work(log: EventLog, run_id: str, through: object, noted: list[str]) -> bool:
    """Claims the run and works on it; True when the worker died."""
    bench = AgentBench(
        ScriptedModel(lambda request: SCRIPT[sum(message.role == "assistant" for message in request.messages)]),
        tools=[note_tool(noted)],
    )
    executor = RunExecutor(replace(bench.deps, log=through, artifacts=log.artifacts, clock=log.clock))
    (lease,) = await log.claim("w", 1)
    assert lease.run_id == run_id
    record = await log.record(ANNA.tenant, run_id)
    events = await log.read(ANNA.tenant, run_id)
    try:
        await executor.execute(lease, record.principal, record.request, events, asyncio.Event())
    except Killed:
        if not (await log.record(ANNA.tenant, run_id)).ended:
            await log.release(lease)
        return True
    return False
