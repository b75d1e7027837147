"""Everything a run needs, in memory: for tests of the loop, of tools inside a run, and of what reads a run's events."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from famulus.agent.execute import RunExecutor
from famulus.agent.ports import ModelGateway
from famulus.agent.request import RunInput, to_json
from famulus.agent.run import AgentDeps
from famulus.agent.view import RunView
from famulus.events.types import Event
from famulus.messages.values import Principal
from famulus.policy.limits import DEFAULTS, Limits
from famulus.testing.clock import FakeClock
from famulus.testing.memory_knowledge import MemoryKnowledge, Stored
from famulus.testing.run_log import MemoryRunLog
from famulus.tools.base import Tool
from famulus.tools.builtin import builtin_tools
from famulus.tools.gate import Gate
from famulus.tools.ports import WebClient
from famulus.tools.registry import Registry

ANNA = Principal("tenant-1", "anna")

LEASE = Stored(
    "kb-1",
    "doc-lease",
    "lease.md",
    "The notice period is three months to the end of a month.\nThe deposit is CHF 4500 and is paid before the keys.",
)
TRAVEL = Stored("kb-1", "doc-travel", "travel-policy.pdf", "Train travel is first class above 90 minutes.")
SECRET = Stored("kb-2", "doc-secret", "report-final.pdf", "The secret launch code is 4711.")


class AgentBench:
    """One process with one model. `run` plays a run to its end; `resume` hands it to a new worker."""

    def __init__(
        self,
        model: ModelGateway,
        *documents: Stored,
        tools: Sequence[Tool] = (),
        web: WebClient | None = None,
        limits: Limits = DEFAULTS,
        clock: FakeClock | None = None,
    ) -> None:
        self.clock = clock or FakeClock()
        self.log = MemoryRunLog(self.clock)
        self.knowledge = MemoryKnowledge(*(documents or (LEASE, TRAVEL, SECRET)))
        offered = builtin_tools(
            searcher=self.knowledge, reader=self.knowledge, clock=self.clock, web=web, limits=limits
        )
        self.gate = Gate(Registry([*offered, *tools]), limits=limits)
        self.deps = AgentDeps(self.log, self.log, model, self.gate, self.clock, self.knowledge, limits)
        self.stop = asyncio.Event()

    async def run(self, request: RunInput | str, run_id: str = "run-1") -> RunView:
        """The finished run. A text is asked of `kb-1` with the defaults."""
        if isinstance(request, str):
            request = ask(request)
        lease = self.log.lease(run_id)
        await RunExecutor(self.deps).execute(lease, ANNA, to_json(request), self.log.events(run_id), self.stop)
        return self.view(run_id)

    def view(self, run_id: str = "run-1") -> RunView:
        view = RunView(run_id)
        for event in self.log.events(run_id):
            view.apply(event)
        return view

    def data(self, kind: str, run_id: str = "run-1") -> list[Event]:
        return [event for event in self.log.events(run_id) if event.type == kind]


def ask(message: str, **changes: object) -> RunInput:
    """A request about `kb-1`."""
    return replace(RunInput(message, "scripted/model", knowledge_base_ids=("kb-1",)), **changes)  # type: ignore[arg-type]
