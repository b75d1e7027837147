"""A run as the API, the CLI and the page show it: a fold over its public events, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from famulus.agent.calls import RESULT_PREFIX
from famulus.agent.records import add_usage, read_usage, usage_json
from famulus.events import types
from famulus.events.records import RunRecord
from famulus.events.types import ENDED, Event, RunStatus
from famulus.messages.values import JsonObject, JsonValue, Usage

_RESULT: Final = (
    "status",
    "preview",
    "truncated",
    "blocked",
    "network",
    "cached",
    "error",
    "artifact_id",
    "duration_ms",
)


@dataclass(slots=True)
class RunView:
    """`answer` of a run that works is the text of its responses so far; `found` are all passages seen, `sources` the cited ones.

    `markers` are the citations with their character offsets in the answer, `unsupported` the numbers that no passage stands behind.
    """

    id: str
    conversation_id: str | None = None
    message_id: str | None = None
    status: RunStatus = "queued"
    question: str = ""
    model: str = ""
    created_at: datetime | None = None
    started_at: datetime | None = None
    finished_at: datetime | None = None
    answer: str = ""
    truncated: bool = False
    reason: str | None = None
    sources: list[JsonObject] = field(default_factory=lambda: [])
    found: list[JsonObject] = field(default_factory=lambda: [])
    markers: list[JsonObject] = field(default_factory=lambda: [])
    unsupported: list[JsonValue] = field(default_factory=lambda: [])
    notices: list[JsonObject] = field(default_factory=lambda: [])
    by_call: dict[str, JsonObject] = field(default_factory=lambda: {})
    rounds: int = 0
    usage: JsonObject = field(default_factory=lambda: usage_json(Usage()))
    error: JsonObject | None = None
    summary: JsonObject | None = None

    @property
    def steps(self) -> list[JsonObject]:
        """The tool calls in the order in which they were asked for."""
        return list(self.by_call.values())

    @property
    def ended(self) -> bool:
        return self.status in ENDED

    def apply(self, event: Event) -> None:
        """Moves the view on by one event; kinds that it does not show are passed over."""
        data = event.data
        match event.type:
            case types.RUN_STARTED:
                self._start(event)
            case types.RUN_ROUND:
                self.rounds += 1
                self.model = str(data.get("model") or self.model)
            case types.RUN_RESPONSE:
                self.answer += str(data.get("text", ""))
                self.usage = usage_json(add_usage(read_usage(self.usage), read_usage(data.get("usage"))))
            case types.TOOL_CALL:
                before: JsonObject = {"preview": "", "truncated": False, "duration_ms": None}
                call_id = str(data.get("call_id"))
                self.by_call[call_id] = self.by_call.get(call_id, before) | data
            case types.TOOL_RESULT:
                step = self.by_call.setdefault(str(data.get("call_id")), {"call_id": data.get("call_id")})
                step.update({key: data[key] for key in _RESULT if key in data})
            case types.SOURCES:
                self.found = _objects(data.get("sources"))
            case types.RUN_NOTICE:
                self.notices.append(data)
            case types.RUN_ERROR:
                self.error = data
            case types.DONE:
                self._finish(data)
            case types.RUN_SUMMARY:
                self._sum_up(event)
            case _:
                pass

    def json(self) -> JsonObject:
        """The Run object of the API."""
        data: JsonObject = {
            "id": self.id,
            "conversation_id": self.conversation_id,
            "status": self.status,
            "answer": self.answer,
            "truncated": self.truncated,
            "sources": [*self.sources],
            "steps": [*self.by_call.values()],
            "rounds": self.rounds,
            "usage": self.usage,
            "model": self.model,
            "created_at": _time(self.created_at),
            "started_at": _time(self.started_at),
            "finished_at": _time(self.finished_at),
            "error": self.error,
            "notices": [*self.notices],
            "unsupported": self.unsupported,
        }
        if self.reason is not None:
            data["reason"] = self.reason
        return data

    def _start(self, event: Event) -> None:
        request = event.data.get("request")
        self.started_at = self.started_at or event.time
        self.model = str(event.data.get("model") or self.model)
        if isinstance(request, dict):
            self.question = str(request.get("message", ""))
        if self.status == "queued":
            self.status = "running"

    def _finish(self, data: JsonObject) -> None:
        self.answer, self.truncated = str(data.get("text", "")), data.get("truncated") is True
        self.sources = _objects(data.get("sources"))
        self.markers = _objects(data.get("markers"))
        unsupported, reason, status = data.get("unsupported"), data.get("reason"), data.get("status")
        self.unsupported = unsupported if isinstance(unsupported, list) else []
        self.reason = reason if isinstance(reason, str) else None
        if status in ENDED:
            self.status = status

    def _sum_up(self, event: Event) -> None:
        data = event.data
        usage, rounds, status = data.get("usage"), data.get("rounds"), data.get("status")
        self.summary = data
        self.finished_at = self.finished_at or event.time
        self.usage = usage if isinstance(usage, dict) else self.usage
        self.rounds = rounds if isinstance(rounds, int) else self.rounds
        if status in ENDED:
            self.status = status


def view_of(record: RunRecord, events: Iterable[Event] = ()) -> RunView:
    """The run after these events; what its record knows (times, status, request) stands from the start."""
    request = record.request
    message_id, model = request.get("message_id"), request.get("model")
    view = RunView(
        id=record.run_id,
        conversation_id=record.conversation_id,
        message_id=message_id if isinstance(message_id, str) else None,
        status=record.status,
        question=str(request.get("message", "")),
        model=model if isinstance(model, str) else "",
        created_at=record.created_at,
        started_at=record.started_at,
        finished_at=record.finished_at,
    )
    for event in events:
        view.apply(event)
    return view


def stored_result(events: Sequence[Event], artifact_id: str) -> str | None:
    """The whole result of a call whose event holds it all, by the artifact id `result-…`; None for any other id."""
    if not artifact_id.startswith(RESULT_PREFIX):
        return None
    call_id = artifact_id.removeprefix(RESULT_PREFIX)
    for event in events:
        if event.type == types.TOOL_RESULT and event.data.get("call_id") == call_id and event.private is not None:
            content = event.private.get("content")
            return content if isinstance(content, str) else None
    return None


def _objects(value: JsonValue) -> list[JsonObject]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _time(value: datetime | None) -> str | None:
    return None if value is None else value.isoformat().replace("+00:00", "Z")
