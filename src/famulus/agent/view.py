"""A run as the API, the CLI and the page show it: a fold over its public events, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final, cast

from famulus.agent.calls import RESULT_PREFIX
from famulus.agent.records import add_usage, read_usage, usage_json
from famulus.events import types
from famulus.events.types import ENDED, Event, RunStatus
from famulus.messages.values import JsonObject, JsonValue, Usage

_STEP_RESULT: Final = (
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


class RunView:
    """Give it the events in order, as many as there are so far; `json()` is the Run object at that point.

    `status` is the run's stored status: events alone cannot tell a queued run from one that waits for a worker again.
    """

    def __init__(self, run_id: str, *, conversation_id: str | None = None, status: RunStatus = "queued") -> None:
        self.run_id = run_id
        self.conversation_id = conversation_id
        self.status: RunStatus = status
        self.text = ""
        self.truncated = False
        self.reason: str | None = None
        self.sources: list[JsonValue] = []
        self.found: list[JsonValue] = []
        self.markers: list[JsonValue] = []
        self.unsupported: list[JsonValue] = []
        self.notices: list[JsonObject] = []
        self.steps: dict[str, JsonObject] = {}
        self.rounds = 0
        self.usage = Usage()
        self.model: str | None = None
        self.question: str | None = None
        self.started_at: datetime | None = None
        self.finished_at: datetime | None = None
        self.error: JsonObject | None = None
        self.summary: JsonObject | None = None

    @classmethod
    def of(
        cls, run_id: str, events: Iterable[Event], *, conversation_id: str | None = None, status: RunStatus = "queued"
    ) -> RunView:
        view = cls(run_id, conversation_id=conversation_id, status=status)
        for event in events:
            view.apply(event)
        return view

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
            case types.RUN_RESPONSE:
                self.text += str(data.get("text", ""))
                self.usage = add_usage(self.usage, read_usage(data.get("usage")))
            case types.TOOL_CALL:
                call_id = str(data.get("call_id"))
                self.steps[call_id] = (
                    self.steps.get(call_id, {"preview": "", "truncated": False, "duration_ms": None}) | data
                )
            case types.TOOL_RESULT:
                step = self.steps.setdefault(str(data.get("call_id")), {"call_id": data.get("call_id")})
                step.update({key: data[key] for key in _STEP_RESULT if key in data})
            case types.SOURCES:
                self.found = _list(data.get("sources"))
            case types.RUN_NOTICE:
                self.notices.append(data)
            case types.RUN_ERROR:
                self.error = data
            case types.DONE:
                self._finish(data)
            case types.RUN_SUMMARY:
                self.summary = data
                self.finished_at = event.time
                self.usage = read_usage(data.get("usage"))
            case _:
                pass

    def json(self) -> JsonObject:
        """The Run object of the API."""
        data: JsonObject = {
            "id": self.run_id,
            "conversation_id": self.conversation_id,
            "status": self.status,
            "answer": self.text,
            "truncated": self.truncated,
            "sources": self.sources,
            "steps": list[JsonValue](self.steps.values()),
            "rounds": self.rounds,
            "usage": usage_json(self.usage),
            "model": self.model,
            "started_at": _time(self.started_at),
            "finished_at": _time(self.finished_at),
            "notices": list[JsonValue](self.notices),
            "unsupported": self.unsupported,
        }
        if self.reason is not None:
            data["reason"] = self.reason
        if self.error is not None:
            data["error"] = self.error
        return data

    def _start(self, event: Event) -> None:
        request = event.data.get("request")
        self.started_at = event.time
        self.model = str(event.data.get("model"))
        self.question = str(request.get("message")) if isinstance(request, dict) else None
        if self.status == "queued":
            self.status = "running"

    def _finish(self, data: JsonObject) -> None:
        self.text = str(data.get("text", ""))
        self.truncated = data.get("truncated") is True
        self.sources = _list(data.get("sources"))
        self.markers = _list(data.get("markers"))
        self.unsupported = _list(data.get("unsupported"))
        reason, status = data.get("reason"), data.get("status")
        self.reason = reason if isinstance(reason, str) else None
        if status in ENDED:
            self.status = cast(RunStatus, status)


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


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _time(value: datetime | None) -> str | None:
    return None if value is None else value.isoformat().replace("+00:00", "Z")
