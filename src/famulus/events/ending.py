"""The last events of a run that could not end by itself: crashed, stopped from outside, given up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from famulus.events.types import (
    DONE,
    RUN_ERROR,
    RUN_RESPONSE,
    RUN_ROUND,
    RUN_SUMMARY,
    SOURCES,
    TOOL_CALL,
    TOOL_RESULT,
    Draft,
    Event,
    RunStatus,
)
from famulus.messages.ids import new_id
from famulus.messages.values import JsonObject, JsonValue

_DURATIONS: Final = ("retrieval_ms", "model_ms", "tools_ms", "overhead_ms", "first_token_ms")


def ending(
    events: Sequence[Event], status: RunStatus, *, unfinished_text: str = "", problem: JsonObject | None = None
) -> list[Draft]:
    """Results of calls that were cut off, (`run.error.v1`) → `chat.done.v1` → `run.summary.v1`, with what the run has produced so far.

    `unfinished_text` is what streamed of a response that never became durable.
    """
    done = next((event for event in reversed(events) if event.type == DONE), None)
    drafts = [Draft(TOOL_RESULT, _cut_off(call_id)) for call_id in _open_calls(events)]
    if problem is not None:
        drafts.append(Draft(RUN_ERROR, problem))
    if done is None:
        drafts.append(Draft(DONE, _done(events, status, unfinished_text)))
    drafts.append(Draft(RUN_SUMMARY, _summary(events, status)))
    return drafts


def problem(code: str, title: str, detail: str) -> JsonObject:
    """A problem object as in `run.error.v1`; `error_id` is also in the server's log."""
    return {"type": f"urn:famulus:{code}", "title": title, "detail": detail, "code": code, "error_id": new_id()}


def _done(events: Sequence[Event], status: RunStatus, unfinished_text: str) -> JsonObject:
    responses = [str(event.data.get("text") or "") for event in events if event.type == RUN_RESPONSE]
    sources: list[JsonValue] = []
    for event in events:
        if event.type == SOURCES and isinstance(found := event.data.get("sources"), list):
            sources = found
    text = "".join(responses) + unfinished_text
    return {"message_id": new_id(), "text": text, "sources": sources, "status": status, "truncated": True}


def _open_calls(events: Sequence[Event]) -> list[str]:
    started = [
        str(event.data["call_id"])
        for event in events
        if event.type == TOOL_CALL and event.data.get("status") == "running"
    ]
    finished = {str(event.data.get("call_id")) for event in events if event.type == TOOL_RESULT}
    return [call_id for call_id in dict.fromkeys(started) if call_id not in finished]


def _cut_off(call_id: str) -> JsonObject:
    flags = dict.fromkeys(("truncated", "blocked", "network", "cached"), False)
    return {"call_id": call_id, "status": "cancelled", "preview": "", **flags, "is_error": True, "duration_ms": 0}


def _summary(events: Sequence[Event], status: RunStatus) -> JsonObject:
    totals = {"input_tokens": 0, "output_tokens": 0}
    for event in events:
        usage = event.data.get("usage") if event.type == RUN_RESPONSE else None
        for name in totals:
            value = usage.get(name) if isinstance(usage, dict) else None
            totals[name] += value if isinstance(value, int) else 0
    return {
        "status": status,
        "rounds": sum(event.type == RUN_ROUND for event in events),
        "calls": sum(event.type == TOOL_RESULT for event in events),
        "usage": {**totals, "cost": {"amount": 0, "currency": "CHF", "complete": False}},
        "durations": dict.fromkeys(_DURATIONS, 0),
    }
