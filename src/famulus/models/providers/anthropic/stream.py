"""The stream of the Messages API: blocks that open, grow and close; they are kept verbatim for the next request. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from famulus.messages.values import JsonObject, Replay, Usage
from famulus.models.base import Finish, ModelItem, ModelResponse, ReasoningDelta, TextDelta
from famulus.models.providers.anthropic.errors import stream_refusal
from famulus.models.providers.anthropic.request import ANSWER_TOOL
from famulus.models.providers.calls import CallBuilder
from famulus.models.providers.wire import FrameByFrame, Garbled, Refused, as_count, as_object, as_text, estimated_tokens


class Delta(Struct):
    type: str | None = None
    text: str | None = None
    thinking: str | None = None
    signature: str | None = None
    partial_json: str | None = None
    stop_reason: str | None = None


class Event(Struct):
    type: str
    index: int = 0
    delta: Delta | None = None
    content_block: Any = None
    message: Any = None
    usage: Any = None
    error: Any = None


DECODER = msgspec.json.Decoder(Event)
FINISH: dict[str, Finish] = {
    "end_turn": "stop", "stop_sequence": "stop", "pause_turn": "stop", "tool_use": "tool_calls", "max_tokens": "length",
    "model_context_window_exceeded": "length", "refusal": "content_filter",
}  # fmt: skip


class MessagesDecoder(FrameByFrame):
    def __init__(self, model: str, *, schema_asked: bool) -> None:
        self.asked = model
        self.schema_asked = schema_asked
        self.done = False
        self.calls = CallBuilder()
        self.blocks: dict[int, dict[str, Any]] = {}
        self.text: list[str] = []
        self.thoughts: list[str] = []
        self.counts: dict[str, int] = {}
        self.stop_reason = ""
        self.model = ""

    def feed(self, data: bytes) -> Sequence[ModelItem]:
        try:
            event = DECODER.decode(data)
        except (msgspec.DecodeError, RecursionError) as error:
            raise Garbled(f"an event is not of this wire: {error}") from None
        kind = event.type
        if kind == "content_block_delta" and event.delta is not None:
            return self.delta(event.index, event.delta)
        if kind == "content_block_start":
            return self.start(event.index, as_object(event.content_block))
        if kind == "message_start":
            message = as_object(event.message)
            self.model = as_text(message.get("model"))
            self.count(as_object(message.get("usage")))
        elif kind == "message_delta":
            self.stop_reason = (event.delta.stop_reason if event.delta else None) or self.stop_reason
            self.count(as_object(event.usage))
        elif kind == "message_stop":
            self.done = True
        elif kind == "error":
            raise Refused(stream_refusal(as_object(event.error)))
        return ()

    def start(self, index: int, block: dict[str, Any]) -> Sequence[ModelItem]:
        self.blocks[index] = block
        if block.get("type") == "tool_use" and not self.is_answer(block):
            self.calls.piece(index, as_text(block.get("id")), as_text(block.get("name")), None)
        opening = as_text(block.get("text"))
        return self.say(opening) if opening else ()

    def is_answer(self, block: dict[str, Any]) -> bool:
        return self.schema_asked and block.get("name") == ANSWER_TOOL

    def delta(self, index: int, delta: Delta) -> Sequence[ModelItem]:
        block = self.blocks.setdefault(index, {"type": "text", "text": ""})
        if delta.text is not None:
            block["text"] = as_text(block.get("text")) + delta.text
            return self.say(delta.text)
        if delta.thinking is not None:
            block["thinking"] = as_text(block.get("thinking")) + delta.thinking
            self.thoughts.append(delta.thinking)
            return (ReasoningDelta(delta.thinking),) if delta.thinking else ()
        if delta.signature is not None:
            block["signature"] = as_text(block.get("signature")) + delta.signature
        if delta.partial_json is not None:
            if self.is_answer(block):
                return self.say(delta.partial_json)
            self.calls.piece(index, None, None, delta.partial_json)
        return ()

    def say(self, text: str) -> Sequence[ModelItem]:
        self.text.append(text)
        return (TextDelta(text),) if text else ()

    def count(self, usage: dict[str, Any]) -> None:
        """Later counts replace earlier ones; a field that is missing keeps what the start said."""
        for name in ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"):
            value = as_count(usage.get(name))
            if value is not None:
                self.counts[name] = value

    def response(self) -> ModelResponse:
        if not self.done and not self.stop_reason:
            raise Garbled("the stream ended before `message_stop`")
        finish = FINISH.get(self.stop_reason, "stop")
        calls = self.calls.finish(cut=finish == "length")
        if finish == "tool_calls" and not calls:
            finish = "stop"
        text, reasoning = "".join(self.text), "".join(self.thoughts)
        return ModelResponse(
            text, calls, self.used(text + reasoning), finish, reasoning, self.replay(), self.model or self.asked
        )

    def replay(self) -> Replay | None:
        """Only signed blocks need it; an answer without thinking is written from its parts."""
        blocks = [self.blocks[index] for index in sorted(self.blocks)]
        if not any(block.get("type") in ("thinking", "redacted_thinking") for block in blocks):
            return None
        content = [block for block in blocks if not self.is_answer(block)]
        data: JsonObject = {"model": self.asked, "content": [dict(block) for block in content]}
        return Replay("anthropic", data)

    def used(self, said: str) -> Usage:
        """The input as one number: the API counts what it read from and wrote to its cache apart."""
        if not self.counts:
            return Usage(output_tokens=estimated_tokens(said), estimated=True)
        cached = self.counts.get("cache_read_input_tokens", 0)
        fresh = self.counts.get("input_tokens", 0) + self.counts.get("cache_creation_input_tokens", 0)
        return Usage(
            input_tokens=fresh + cached, output_tokens=self.counts.get("output_tokens", 0), cached_tokens=cached
        )
