"""One run in the hands of a worker: its input, its state, its pen, and what it may use."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from famulus.agent.journal import Journal
from famulus.agent.ports import ArtifactStore, ModelGateway, RunLog
from famulus.agent.request import RunInput
from famulus.agent.state import RunState
from famulus.events.types import RUN_NOTICE, Draft
from famulus.messages.clock import Clock
from famulus.messages.values import JsonObject, Message, Principal
from famulus.models.base import ModelInfo
from famulus.models.spend import Spend
from famulus.policy.limits import DEFAULTS, Limits
from famulus.tools.base import ToolContext
from famulus.tools.gate import Gate
from famulus.tools.ports import DocumentReader


@dataclass(frozen=True, slots=True)
class AgentDeps:
    """What every run of this process shares. `documents` gives the file names of the prompt; without it the prompt lists none."""

    log: RunLog
    artifacts: ArtifactStore
    gateway: ModelGateway
    gate: Gate
    clock: Clock
    documents: DocumentReader | None = None
    limits: Limits = DEFAULTS


@dataclass(slots=True)
class Run:
    """`taken_at` is when this worker took it: time in which no server ran does not count against the deadline.

    `window_share` falls below 1 when the model's window proved smaller than was known.
    """

    run_id: str
    principal: Principal
    request: RunInput
    deps: AgentDeps
    state: RunState
    journal: Journal
    context: ToolContext
    taken_at: datetime
    history: tuple[Message, ...] = ()
    info: ModelInfo | None = None
    window_share: float = 1.0

    @property
    def spend(self) -> Spend:
        return self.context.spend

    @property
    def limits(self) -> Limits:
        return self.deps.limits

    def notice(self, code: str, message: str, data: JsonObject | None = None) -> None:
        """Tells the user something with the next commit."""
        content: JsonObject = {"code": code, "message": message}
        if data is not None:
            content["data"] = data
        self.journal.write(Draft(RUN_NOTICE, content))
