"""The state of a run as a fold over its events. A running loop and a restart use the same `apply`, so both see the same state."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import cast

from famulus.agent.citations import Numbers
from famulus.agent.records import add_usage, read_call, read_passage, read_replay, read_usage
from famulus.errors import NeedsUpgrade
from famulus.events import types
from famulus.events.types import Event
from famulus.messages.values import JsonObject, JsonValue, Message, Replay, Text, ToolCall, ToolResult, Usage


@dataclass(slots=True)
class CallState:
    """One call of a round. `content` is what the model reads once there is a result; `effect` is known once the call was decided."""

    call: ToolCall
    effect: str = "read"
    key: str | None = None
    started: bool = False
    content: str | None = None
    is_error: bool = False
    status: str = "running"

    @property
    def done(self) -> bool:
        return self.content is not None


@dataclass(slots=True)
class RoundState:
    """One model call and its tool calls. `tools` is the frozen offer of this round; empty for a closing call."""

    number: int
    tools: tuple[str, ...]
    characters: int = 0
    answered: bool = False
    text: str = ""
    replay: Replay | None = None
    finish: str = ""
    recovered: bool = False
    calls: list[CallState] = field(default_factory=lambda: [])
    rendered: tuple[Message, ...] | None = None
    size: int | None = None

    @property
    def complete(self) -> bool:
        return self.answered and not [call for call in self.calls if call.content is None]

    def messages(self) -> tuple[Message, ...]:
        """The round as the model reads it again; made once, when the round is complete."""
        if self.rendered is not None:
            return self.rendered
        said = self.text.lstrip("\n")
        parts = ((Text(said),) if said else ()) + tuple(call.call for call in self.calls)
        messages = [Message("assistant", parts, self.replay)] if parts else []
        for call in self.calls:
            result = ToolResult(call.call.call_id, call.call.tool, call.content or "", call.is_error)
            messages.append(Message("tool", (result,)))
        if self.complete:
            self.rendered = tuple(messages)
        return tuple(messages)


@dataclass(slots=True)
class Timing:
    model_ms: float = 0.0
    tools_ms: float = 0.0
    retrieval_ms: float = 0.0
    first_token_ms: float | None = None


@dataclass(slots=True)
class RunState:
    """`text` is the whole message so far; `given` the results that were found before the first model call (pipeline mode);
    `notices` the last message of each code.
    """

    started_at: datetime | None = None
    prompt: str = ""
    tools: tuple[str, ...] = ()
    pipeline: bool = False
    rounds: list[RoundState] = field(default_factory=lambda: [])
    given: list[CallState] = field(default_factory=lambda: [])
    text: str = ""
    numbers: Numbers = field(default_factory=Numbers)
    usage: Usage = field(default_factory=Usage)
    calls: dict[str, CallState] = field(default_factory=lambda: {})
    by_key: dict[str, list[CallState]] = field(default_factory=lambda: {})
    timing: Timing = field(default_factory=Timing)
    notices: dict[str, str] = field(default_factory=lambda: {})
    sources_told: int = 0
    left_out: int = 0
    characters_per_token: float = 3.2
    ended: str | None = None

    @property
    def round(self) -> RoundState | None:
        return self.rounds[-1] if self.rounds else None


def fold(events: Iterable[Event]) -> RunState:
    """The state after these events. Raises `NeedsUpgrade` for a kind of event that this version does not know."""
    state = RunState()
    for event in events:
        apply(state, event)
    return state


def apply(state: RunState, event: Event) -> None:
    """Moves the state on by one event, in place."""
    kind, data, private = event.type, event.data, event.private or {}
    if kind == types.TOOL_RESULT:
        _result(state, data, private)
    elif kind == types.TOOL_CALL:
        _call(state, data, private)
    elif kind == types.RUN_RESPONSE:
        _response(state, data, private)
    elif kind == types.RUN_ROUND:
        tools = data.get("tools")
        context = data.get("context")
        characters = context.get("characters") if isinstance(context, dict) else 0
        state.rounds.append(RoundState(_number(data, "round"), _names(tools), characters=cast(int, characters or 0)))
        if "prompt" in private:
            state.prompt = str(private["prompt"])
            state.pipeline = private.get("pipeline") is True
    elif kind == types.RUN_STARTED:
        state.started_at = event.time
        state.tools = _names(data.get("tools"))
    elif kind == types.SOURCES:
        state.sources_told = len(state.numbers.passages)
    elif kind == types.RUN_NOTICE:
        state.notices[str(data.get("code"))] = str(data.get("message"))
    elif kind == types.RUN_SUMMARY:
        state.ended = str(data.get("status"))
    elif kind not in types.DURABLE:
        raise NeedsUpgrade(f"The run holds an event of kind {kind!r}, which this version does not know; upgrade first.")


def _response(state: RunState, data: JsonObject, private: JsonObject) -> None:
    current = state.rounds[-1]
    current.answered = True
    current.text = str(data.get("text", ""))
    current.finish = str(data.get("finish", ""))
    current.replay = read_replay(private.get("replay"))
    current.recovered = data.get("recovered") is True
    state.text += current.text
    calls = private.get("calls") or data.get("calls")
    if data.get("calls_ignored") is not True and isinstance(calls, list):
        for item in calls:
            call = CallState(read_call(item))
            current.calls.append(call)
            state.calls[call.call.call_id] = call
    usage = read_usage(data.get("usage"))
    state.usage = add_usage(state.usage, usage)
    if usage.input_tokens > 200 and not usage.estimated and current.characters:
        state.characters_per_token = min(6.0, max(1.5, current.characters / usage.input_tokens))
    state.timing.model_ms += _milliseconds(data, "duration_ms")
    if state.timing.first_token_ms is None and "first_word_ms" in data:
        state.timing.first_token_ms = _milliseconds(data, "first_word_ms")


def _call(state: RunState, data: JsonObject, private: JsonObject) -> None:
    call_id = str(data.get("call_id"))
    found = state.calls.get(call_id)
    if found is None:
        found = CallState(ToolCall(call_id, str(data.get("tool")), cast("JsonObject | None", data.get("arguments"))))
        state.given.append(found)
        state.calls[call_id] = found
    found.started = True
    found.effect = str(data.get("effect", "read"))
    key = private.get("key")
    if isinstance(key, str) and found.key is None:
        found.key = key
        state.by_key.setdefault(key, []).append(found)


def _result(state: RunState, data: JsonObject, private: JsonObject) -> None:
    found = state.calls[str(data.get("call_id"))]
    # What the model reads stands there only once where a person reads the same.
    found.content = str(private.get("content", data.get("preview", "")))
    found.is_error = data.get("is_error") is True
    found.status = str(data.get("status"))
    passages = private.get("passages")
    if isinstance(passages, list):
        for item in passages:
            if isinstance(item, dict):
                state.numbers.add(*read_passage(item))
    if "usage" in private:
        state.usage = add_usage(state.usage, read_usage(private["usage"]))
    duration = _milliseconds(data, "duration_ms")
    state.timing.tools_ms += duration
    if private.get("retrieval") is True:
        state.timing.retrieval_ms += duration
    if found.effect == "write" and not found.is_error:
        # What was read before may have changed: later reads run again.
        state.by_key.clear()


def _names(value: JsonValue) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else ()


def _number(data: JsonObject, name: str) -> int:
    value = data.get(name)
    return value if isinstance(value, int) else 0


def _milliseconds(data: JsonObject, name: str) -> float:
    value = data.get(name)
    return float(value) if isinstance(value, (int, float)) else 0.0
