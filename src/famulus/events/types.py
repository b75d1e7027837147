"""The events of a run. Durable ones have `seq` 1, 2, 3 … without a gap; text and reasoning deltas are live only."""

from __future__ import annotations

from datetime import datetime
from typing import Final, Literal

from msgspec import Struct

from famulus.messages.values import JsonObject

RUN_STARTED: Final = "run.started.v1"
RUN_ROUND: Final = "run.round.v1"
RUN_RESPONSE: Final = "run.response.v1"
RUN_SUMMARY: Final = "run.summary.v1"
RUN_ERROR: Final = "run.error.v1"
RUN_NOTICE: Final = "run.notice.v1"
TOOL_CALL: Final = "chat.tool-call.v1"
TOOL_RESULT: Final = "chat.tool-result.v1"
APPROVAL: Final = "chat.approval.v1"
SOURCES: Final = "chat.sources.v1"
DONE: Final = "chat.done.v1"
TEXT_DELTA: Final = "chat.stream.v1"
REASONING_DELTA: Final = "chat.reasoning.v1"

DURABLE: Final = frozenset(
    {
        RUN_STARTED,
        RUN_ROUND,
        RUN_RESPONSE,
        RUN_SUMMARY,
        RUN_ERROR,
        RUN_NOTICE,
        TOOL_CALL,
        TOOL_RESULT,
        APPROVAL,
        SOURCES,
        DONE,
    }
)

RunStatus = Literal[
    "queued",
    "running",
    "waiting_approval",
    "completed",
    "max_rounds_reached",
    "budget_exceeded",
    "stopped",
    "failed",
]
ENDED: Final[frozenset[RunStatus]] = frozenset(
    {"completed", "max_rounds_reached", "budget_exceeded", "stopped", "failed"}
)
ACTIVE: Final[frozenset[RunStatus]] = frozenset({"queued", "running", "waiting_approval"})


class Draft(Struct, frozen=True):
    """An event that is not yet in the log. `private` is stored with it and never leaves the server (provider replay data)."""

    type: str
    data: JsonObject
    private: JsonObject | None = None


class Event(Struct, frozen=True):
    """One durable event, as the log gives it back; `time` is UTC."""

    seq: int
    run_id: str
    type: str
    time: datetime
    data: JsonObject
    private: JsonObject | None = None


class Delta(Struct, frozen=True):
    """A live piece of text or reasoning: put `delta` at character `offset` of the message. `seq` is the last durable one before it."""

    run_id: str
    seq: int
    type: Literal["chat.stream.v1", "chat.reasoning.v1"]
    delta: str
    offset: int
