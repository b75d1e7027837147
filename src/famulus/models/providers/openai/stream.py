"""The stream of Chat Completions: chunks with deltas of text, reasoning and tool calls. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from famulus.messages.values import JsonObject, JsonValue, Replay, Usage
from famulus.models.base import Finish, ModelItem, ModelResponse, ReasoningDelta, TextDelta
from famulus.models.providers.calls import CallBuilder
from famulus.models.providers.openai.errors import stream_refusal
from famulus.models.providers.wire import Garbled, Refused, as_list, as_object, as_text, estimated_tokens


# Dozens of these are made and dropped with each read; none can be part of a cycle.
class Function(Struct, gc=False):
    name: str | None = None
    arguments: Any = None


class CallDelta(Struct, gc=False):
    index: int | None = None
    id: str | None = None
    function: Function | None = None
    extra_content: Any = None


class Delta(Struct, gc=False):
    content: Any = None
    reasoning_content: str | None = None
    reasoning: Any = None
    refusal: str | None = None
    tool_calls: list[CallDelta] | None = None


class Choice(Struct, gc=False):
    delta: Delta | None = None
    finish_reason: str | None = None


class Details(Struct, gc=False):
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None


class ChatUsage(Struct, gc=False):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: Details | None = None
    completion_tokens_details: Details | None = None


class Chunk(Struct, gc=False):
    choices: list[Choice] | None = None
    usage: ChatUsage | None = None
    model: str | None = None
    error: Any = None
    object: Any = None
    message: Any = None


END = b"[DONE]"
DECODER = msgspec.json.Decoder(Chunk)
CHUNKS = msgspec.json.Decoder(list[Chunk])
FINISH: dict[str, Finish] = {
    "stop": "stop", "tool_calls": "tool_calls", "function_call": "tool_calls", "length": "length", "model_length": "length",
    "content_filter": "content_filter", "error": "error", "eos": "stop",
}  # fmt: skip


class ChatDecoder:
    def __init__(self, kind: str, model: str) -> None:
        self.kind = kind
        self.asked = model
        self.done = False
        self.calls = CallBuilder()
        self.text: list[str] = []
        self.thoughts: list[str] = []
        self.thought_field = "reasoning_content"
        self.finish = ""
        self.usage: ChatUsage | None = None
        self.model = ""

    def read(self, frames: Sequence[bytes], items: list[ModelItem]) -> None:
        """Adds the deltas of these frames to `items`, those before a broken frame too. Raises `Garbled` and `Refused`."""
        ended = bool(frames) and frames[-1].startswith(END)
        lines = frames[:-1] if ended else frames
        try:
            chunks = CHUNKS.decode(b"[%b]" % b",".join(lines))
        except (msgspec.DecodeError, RecursionError):
            chunks = []
        if len(chunks) != len(lines):
            # One is broken: each is read by itself, for those before it count.
            for data in frames:
                self.feed(data, items)
            return
        for data, chunk in zip(lines, chunks, strict=True):
            self.see(data, chunk, items)
        self.done = self.done or ended

    def feed(self, data: bytes, items: list[ModelItem]) -> None:
        """One frame."""
        if data.startswith(END):
            self.done = True
            return
        try:
            chunk = DECODER.decode(data)
        except (msgspec.DecodeError, RecursionError) as error:
            raise Garbled(f"a chunk is not of this wire: {error}") from None
        self.see(data, chunk, items)

    def see(self, data: bytes, chunk: Chunk, items: list[ModelItem]) -> None:
        if chunk.error is not None or chunk.object == "error":
            raise Refused(stream_refusal(data))
        if chunk.usage is not None:
            self.usage = chunk.usage
        if chunk.model and not self.model:
            self.model = chunk.model
        if chunk.choices:
            self.take(chunk.choices[0], items)

    def take(self, choice: Choice, items: list[ModelItem]) -> None:
        if choice.finish_reason:
            self.finish = choice.finish_reason
        delta = choice.delta
        if delta is None:
            return
        thought = delta.reasoning_content or (as_text(delta.reasoning) if delta.reasoning else "")
        if thought:
            self.thought_field = "reasoning_content" if delta.reasoning_content else "reasoning"
            self.thoughts.append(thought)
            items.append(ReasoningDelta(thought))
        if content := delta.content:
            if isinstance(content, str):
                self.said(content, items)
            else:
                self.chunks(as_list(content), items)
        if delta.refusal:
            self.said(delta.refusal, items)
        if delta.tool_calls:
            for call in delta.tool_calls:
                self.call(call)

    def said(self, text: str, items: list[ModelItem]) -> None:
        self.text.append(text)
        items.append(TextDelta(text))

    def chunks(self, content: list[Any], items: list[ModelItem]) -> None:
        """Mistral's list of text and thinking chunks."""
        for part in content:
            thought = "".join(
                as_text(as_object(piece).get("text")) for piece in as_list(as_object(part).get("thinking"))
            )
            if thought:
                self.thoughts.append(thought)
                items.append(ReasoningDelta(thought))
            elif as_object(part).get("type") == "text" and (text := as_text(as_object(part).get("text"))):
                self.said(text, items)

    def call(self, call: CallDelta) -> None:
        function = call.function or Function()
        arguments = function.arguments
        if arguments is not None and not isinstance(arguments, str):
            arguments = msgspec.json.encode(arguments).decode()
        building = self.calls.piece(call.index, call.id, function.name, arguments)
        if building is not None and call.extra_content is not None:
            building.extra = call.extra_content

    def response(self) -> ModelResponse:
        """Servers that end after the finish reason without `[DONE]` have said enough."""
        if not self.done and not self.finish:
            raise Garbled("the stream ended without a finish reason")
        finish = FINISH.get(self.finish, "stop")
        text, reasoning = "".join(self.text), "".join(self.thoughts)
        calls = self.calls.finish(cut=finish == "length")
        if calls and finish == "stop":
            finish = "tool_calls"
        return ModelResponse(
            text=text,
            calls=calls,
            usage=self.used(text, reasoning),
            finish=finish,
            reasoning=reasoning,
            replay=self.replay(reasoning),
            model=self.model or self.asked,
        )

    def replay(self, reasoning: str) -> Replay | None:
        extra: JsonObject = {call.call_id: call.extra for call in self.calls.calls if call.extra is not None}
        if not extra and not reasoning:
            return None
        data: JsonValue = {
            "model": self.asked,
            "reasoning": {self.thought_field: reasoning} if reasoning else {},
            "extra": extra,
        }
        return Replay(self.kind, data)

    def used(self, text: str, reasoning: str) -> Usage:
        usage = self.usage
        if usage is None:
            return Usage(output_tokens=estimated_tokens(text + reasoning), estimated=True)
        prompt, completion = usage.prompt_tokens_details or Details(), usage.completion_tokens_details or Details()
        return Usage(
            input_tokens=usage.prompt_tokens or 0,
            output_tokens=usage.completion_tokens or 0,
            cached_tokens=prompt.cached_tokens or 0,
            reasoning_tokens=completion.reasoning_tokens or 0,
        )
