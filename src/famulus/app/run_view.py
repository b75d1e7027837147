"""A run as its readers see it, folded from its events and nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import cast

from famulus.events.records import RunRecord
from famulus.events.types import (
    DONE,
    RUN_ERROR,
    RUN_RESPONSE,
    RUN_ROUND,
    RUN_STARTED,
    RUN_SUMMARY,
    SOURCES,
    TOOL_CALL,
    TOOL_RESULT,
    Event,
    RunStatus,
)
from famulus.messages.values import JsonObject, JsonValue


@dataclass(slots=True)
class RunView:
    """`answer` of a run that works is the text of the responses so far. `steps`, `sources`, `usage`, `error` as in the events."""

    id: str
    conversation_id: str | None
    message_id: str | None
    status: RunStatus
    question: str
    model: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    answer: str = ""
    truncated: bool = False
    sources: list[JsonObject] = field(default_factory=lambda: list[JsonObject]())
    steps: list[JsonObject] = field(default_factory=lambda: list[JsonObject]())
    rounds: int = 0
    usage: JsonObject = field(default_factory=lambda: dict[str, JsonValue]())
    error: JsonObject | None = None

    def json(self) -> JsonObject:
        """The run as the HTTP API gives it."""
        return {
            "id": self.id,
            "conversation_id": self.conversation_id,
            "status": self.status,
            "answer": self.answer,
            "truncated": self.truncated,
            "sources": list[JsonValue](self.sources),
            "steps": list[JsonValue](self.steps),
            "rounds": self.rounds,
            "usage": self.usage,
            "model": self.model,
            "created_at": _text(self.created_at),
            "started_at": _text(self.started_at),
            "finished_at": _text(self.finished_at),
            "error": self.error,
        }


def view_of(record: RunRecord, events: Iterable[Event] = ()) -> RunView:
    """The state after these events."""
    request = record.request
    view = RunView(
        id=record.run_id,
        conversation_id=record.conversation_id,
        message_id=cast("str | None", request.get("message_id")),
        status=record.status,
        question=str(request.get("message", "")),
        model=str(request.get("model", "")),
        created_at=record.created_at,
        started_at=record.started_at,
        finished_at=record.finished_at,
    )
    steps: dict[str, JsonObject] = {}
    for event in events:
        _apply(view, steps, event)
    view.steps = list(steps.values())
    return view


def _apply(view: RunView, steps: dict[str, JsonObject], event: Event) -> None:
    data = event.data
    if event.type == RUN_STARTED:
        view.started_at = view.started_at or event.time
    elif event.type == RUN_ROUND:
        view.rounds = _whole(data.get("round"))
        view.model = str(data.get("model") or view.model)
    elif event.type == RUN_RESPONSE:
        view.answer += str(data.get("text", ""))
    elif event.type in (TOOL_CALL, TOOL_RESULT):
        call_id = str(data.get("call_id"))
        step = steps.setdefault(call_id, dict[str, JsonValue]())
        if event.type == TOOL_CALL:
            step.setdefault("started_at", _text(event.time))
        step.update(data)
    elif event.type == SOURCES:
        view.sources = _objects(data.get("sources"))
    elif event.type == DONE:
        view.answer, view.truncated = str(data.get("text", "")), data.get("truncated") is True
        view.sources = _objects(data.get("sources"))
    elif event.type == RUN_SUMMARY:
        view.rounds = _whole(data.get("rounds")) or view.rounds
        view.usage = cast("JsonObject", data.get("usage") or {})
        view.finished_at = view.finished_at or event.time
    elif event.type == RUN_ERROR:
        view.error = data


def _objects(value: JsonValue) -> list[JsonObject]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _whole(value: JsonValue) -> int:
    return value if isinstance(value, int) else 0


def _text(time: datetime | None) -> str | None:
    return None if time is None else time.isoformat().replace("+00:00", "Z")
