"""A model in the process that plays a fixed list of rounds and remembers what it was sent."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, field
from typing import cast

from famulus.errors import ModelError
from famulus.messages.values import Cost, JsonObject, Principal, Replay, ToolCall, ToolResult, Usage
from famulus.models.base import (
    Finish,
    ModelInfo,
    ModelItem,
    ModelNotice,
    ModelRequest,
    ModelResponse,
    ReasoningDelta,
    TextDelta,
)


def call(tool: str, arguments: JsonObject | str | None = None, call_id: str = "") -> ToolCall:
    """A native tool call; `arguments` as text is raw JSON as a model wrote it, broken or not."""
    raw = arguments if isinstance(arguments, str) else json.dumps(arguments or {})
    try:
        parsed = json.loads(raw)
    except ValueError as error:
        return ToolCall(call_id, tool, None, raw, str(error))
    if not isinstance(parsed, dict):
        return ToolCall(call_id, tool, None, raw, "the arguments are not an object")
    return ToolCall(call_id, tool, cast(JsonObject, parsed), raw)


@dataclass(frozen=True, slots=True)
class Say:
    """One response. `pieces` are the text deltas; `error` is raised after them; `hang` waits for ever after them."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    pieces: tuple[str, ...] = ()
    reasoning: str = ""
    finish: Finish | None = None
    usage: Usage = field(default_factory=lambda: Usage(100, 10, cost=Cost()))
    notices: tuple[ModelNotice, ...] = ()
    error: ModelError | None = None
    hang: bool = False
    replay: Replay | None = None


class ScriptedModel:
    """A model gateway whose answers are `script`, one a call; after the end the last one comes again.

    A step may be a function of the request. `requests` holds what was sent; `spends` what the run had spent before each call. Raises
    `AssertionError` where a real provider would refuse the messages.
    """

    def __init__(self, *script: Say | Callable[[ModelRequest], Say], info: ModelInfo | None = None) -> None:
        self._script = script
        self._info = info
        self.requests: list[ModelRequest] = []
        self.spends: list[object] = []
        self.closed = 0

    async def info(self, name: str) -> ModelInfo:
        return self._info or ModelInfo(name, name.partition("/")[0], "scripted", local=True, tools=True)

    async def stream(
        self, principal: Principal, request: ModelRequest, spend: object
    ) -> AsyncGenerator[ModelItem, None]:
        step = self._script[min(len(self.requests), len(self._script) - 1)]
        check_messages(request)
        self.requests.append(request)
        self.spends.append(spend)
        say = step if isinstance(step, Say) else step(request)
        try:
            for notice in say.notices:
                yield notice
            if say.reasoning:
                yield ReasoningDelta(say.reasoning)
            text = "".join(say.pieces) or say.text
            for piece in say.pieces or ((text,) if text else ()):
                yield TextDelta(piece)
            if say.error is not None:
                raise say.error
            if say.hang:
                await asyncio.Event().wait()
            finish = say.finish or ("tool_calls" if say.calls else "stop")
            yield ModelResponse(text, say.calls, say.usage, finish, say.reasoning, say.replay, request.model)
        finally:
            self.closed += 1


def check_messages(request: ModelRequest) -> None:
    """Raises `AssertionError` unless every call has its result right after it and every result its call."""
    open_calls: list[str] = []
    for message in request.messages:
        if message.role == "tool":
            result = message.parts[0]
            assert isinstance(result, ToolResult), "a tool message holds one result"
            assert result.call_id in open_calls, f"result without its call: {result.call_id}"
            open_calls.remove(result.call_id)
            continue
        assert not open_calls, f"calls without result before the next message: {open_calls}"
        open_calls = [part.call_id for part in message.parts if isinstance(part, ToolCall)]
    assert not open_calls, f"calls without result: {open_calls}"


def results(request: ModelRequest) -> Sequence[JsonObject]:
    """The tool results that a request holds, as objects, in order."""
    found = [part for message in request.messages for part in message.parts if isinstance(part, ToolResult)]
    return [json.loads(part.content) for part in found]
