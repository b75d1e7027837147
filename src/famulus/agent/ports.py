"""What the loop needs from other rooms, as narrow protocols: the log, its artifacts, the model gate."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Sequence
from typing import Literal, Protocol

from famulus.events.records import Lease
from famulus.events.types import Draft, Event, RunStatus
from famulus.messages.values import Principal
from famulus.models.base import ModelInfo, ModelItem, ModelRequest
from famulus.models.spend import Spend


class RunLog(Protocol):
    """The durable log of runs and the live bus beside it; `events.log.EventLog` is the real one."""

    def append(
        self, lease: Lease, drafts: Sequence[Draft], *, status: RunStatus | None = None
    ) -> Awaitable[list[Event]]:
        """The drafts as events, in order, committed together with the status. Raises `LeaseLost` when the run has another owner."""
        ...

    def publish(
        self, run_id: str, type: Literal["chat.stream.v1", "chat.reasoning.v1"], text: str, offset: int
    ) -> None:
        """Hands a live piece of text to whoever watches; nothing is stored."""
        ...


class ArtifactStore(Protocol):
    """Whole results that were too long for an event; `events.artifacts.Artifacts` is the real one."""

    async def put(self, tenant: str, run_id: str, call_id: str, media_type: str, content: bytes) -> str:
        """The id under which the owner of the run can open the content."""
        ...


class ModelGateway(Protocol):
    def stream(self, principal: Principal, request: ModelRequest, spend: Spend) -> AsyncGenerator[ModelItem, None]:
        """Deltas and notices, then exactly one response. Closing it early ends the provider's request. Raises `ModelError`."""
        ...

    async def info(self, name: str) -> ModelInfo:
        """Raises `ModelError`."""
        ...
