"""The stream of the Responses API: typed events; finished items are kept verbatim for the next request. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from famulus.messages.values import JsonValue, Replay, Usage
from famulus.models.base import Finish, ModelItem, ModelResponse, ReasoningDelta, TextDelta
from famulus.models.providers.calls import CallBuilder
from famulus.models.providers.openai.errors import stream_refusal
from famulus.models.providers.wire import FrameByFrame, Garbled, Refused, as_count, as_object, as_text, estimated_tokens


class Event(Struct):
    type: str
    delta: Any = None
    output_index: int | None = None
    item: Any = None
    response: Any = None
    arguments: str | None = None


DECODER = msgspec.json.Decoder(Event)
TEXT = frozenset({"response.output_text.delta", "response.refusal.delta"})
THOUGHT = frozenset({"response.reasoning_summary_text.delta", "response.reasoning_text.delta"})
ENDS = frozenset({"response.completed", "response.incomplete"})


class ResponsesDecoder(FrameByFrame):
    def __init__(self, model: str) -> None:
        self.asked = model
        self.done = False
        self.calls = CallBuilder()
        self.text: list[str] = []
        self.thoughts: list[str] = []
        self.items: list[JsonValue] = []
        self.final: dict[str, Any] = {}
        self.finish: Finish = "stop"

    def feed(self, data: bytes) -> Sequence[ModelItem]:
        try:
            event = DECODER.decode(data)
        except (msgspec.DecodeError, RecursionError) as error:
            raise Garbled(f"an event is not of this wire: {error}") from None
        kind = event.type
        if kind in TEXT:
            delta = as_text(event.delta)
            self.text.append(delta)
            return (TextDelta(delta),) if delta else ()
        if kind in THOUGHT:
            delta = as_text(event.delta)
            self.thoughts.append(delta)
            return (ReasoningDelta(delta),) if delta else ()
        if kind == "response.function_call_arguments.delta":
            self.calls.piece(event.output_index, None, None, as_text(event.delta))
        elif kind == "response.output_item.added" and as_object(event.item).get("type") == "function_call":
            item = as_object(event.item)
            self.calls.piece(event.output_index, as_text(item.get("call_id")), as_text(item.get("name")), None)
        elif kind == "response.output_item.done":
            self.item(as_object(event.item), event.output_index)
        elif kind in ENDS:
            self.end(kind, as_object(event.response))
        elif kind in ("response.failed", "error"):
            raise Refused(
                stream_refusal(msgspec.json.encode(as_object(event.response)) if kind == "response.failed" else data)
            )
        return ()

    def item(self, item: dict[str, Any], index: int | None) -> None:
        """A finished item. Its arguments count where no deltas came; reasoning without its encrypted form cannot be sent back."""
        if item.get("type") == "function_call":
            call = self.calls.piece(index, as_text(item.get("call_id")), as_text(item.get("name")), None)
            if call is not None and not call.length:
                call.add(as_text(item.get("arguments")))
        if item.get("type") != "reasoning" or item.get("encrypted_content"):
            self.items.append(item)

    def end(self, kind: str, response: dict[str, Any]) -> None:
        self.done = True
        self.final = response
        if kind == "response.incomplete":
            reason = as_object(response.get("incomplete_details")).get("reason")
            self.finish = "content_filter" if reason == "content_filter" else "length"

    def response(self) -> ModelResponse:
        if not self.done:
            raise Garbled("the stream ended before `response.completed`")
        text, reasoning = "".join(self.text), "".join(self.thoughts)
        calls = self.calls.finish(cut=self.finish == "length")
        finish: Finish = "tool_calls" if calls and self.finish == "stop" else self.finish
        replay = Replay("openai_responses", {"model": self.asked, "items": self.items}) if self.items else None
        model = as_text(self.final.get("model")) or self.asked
        return ModelResponse(text, calls, self.used(text + reasoning), finish, reasoning, replay, model)

    def used(self, said: str) -> Usage:
        usage = as_object(self.final.get("usage"))
        if not usage:
            return Usage(output_tokens=estimated_tokens(said), estimated=True)
        return Usage(
            input_tokens=as_count(usage.get("input_tokens")) or 0,
            output_tokens=as_count(usage.get("output_tokens")) or 0,
            cached_tokens=as_count(as_object(usage.get("input_tokens_details")).get("cached_tokens")) or 0,
            reasoning_tokens=as_count(as_object(usage.get("output_tokens_details")).get("reasoning_tokens")) or 0,
        )
