"""The stream of native Ollama: lines of JSON, whole tool calls, counts at the end. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from famulus.messages.values import JsonObject, Replay, Usage
from famulus.models.base import Finish, ModelItem, ModelNotice, ModelRequest, ModelResponse, ReasoningDelta, TextDelta
from famulus.models.estimate import estimated_prompt_tokens
from famulus.models.providers.calls import CallBuilder
from famulus.models.providers.ollama.errors import kind_of
from famulus.models.providers.wire import FrameByFrame, Garbled, Refusal, Refused, as_object, as_text, estimated_tokens

# No text has more characters in a token than this: a prompt counted shorter was cut.
MOST_CHARS_PER_TOKEN = 8
SMALL = 200


class OllamaMessage(Struct):
    content: str | None = None
    thinking: str | None = None
    tool_calls: list[Any] | None = None


class Line(Struct):
    message: OllamaMessage | None = None
    done: bool = False
    done_reason: str | None = None
    prompt_eval_count: int | None = None
    eval_count: int | None = None
    model: str | None = None
    error: str | None = None


DECODER = msgspec.json.Decoder(Line)


class OllamaDecoder(FrameByFrame):
    def __init__(self, request: ModelRequest, model: str) -> None:
        self.request = request
        self.asked = model
        self.done = False
        self.calls = CallBuilder()
        self.text: list[str] = []
        self.thoughts: list[str] = []
        self.last = Line()

    def feed(self, data: bytes) -> Sequence[ModelItem]:
        try:
            line = DECODER.decode(data)
        except (msgspec.DecodeError, RecursionError) as error:
            raise Garbled(f"a line is not of this wire: {error}") from None
        if line.error is not None:
            raise Refused(Refusal(kind_of(line.error, 500), line.error))
        items: list[ModelItem] = []
        message = line.message
        if message is not None:
            if message.thinking:
                self.thoughts.append(message.thinking)
                items.append(ReasoningDelta(message.thinking))
            if message.content:
                self.text.append(message.content)
                items.append(TextDelta(message.content))
            for call in message.tool_calls or ():
                self.call(as_object(call))
        if line.done:
            self.done = True
            self.last = line
            items += self.cut_notice(line.prompt_eval_count)
        return items

    def call(self, call: dict[str, Any]) -> None:
        """Arguments are an object; what imitates Ollama sometimes sends their text."""
        function = as_object(call.get("function"))
        given = function.get("arguments")
        arguments: JsonObject | str = given if isinstance(given, str) else as_object(given)
        self.calls.whole(as_text(call.get("id")), as_text(function.get("name")), arguments)

    def cut_notice(self, counted: int | None) -> list[ModelItem]:
        """A notice when the server read far fewer tokens than the prompt can have: it cut the beginning."""
        least = estimated_prompt_tokens(self.request, MOST_CHARS_PER_TOKEN)
        if not counted or least < SMALL or counted >= least:
            return []
        message = f"The model server read only {counted} tokens of about {least} or more: the beginning of the conversation was cut."
        return [ModelNotice("context_cut", message, {"read_tokens": counted, "least_expected_tokens": least})]

    def response(self) -> ModelResponse:
        if not self.done:
            raise Garbled("the stream ended before its last line")
        cut = self.last.done_reason == "length"
        calls = self.calls.finish(cut=cut)
        finish: Finish = "length" if cut else "tool_calls" if calls else "stop"
        text, reasoning = "".join(self.text), "".join(self.thoughts)
        replay = Replay("ollama", {"model": self.asked, "thinking": reasoning}) if reasoning else None
        return ModelResponse(
            text, calls, self.used(text + reasoning), finish, reasoning, replay, self.last.model or self.asked
        )

    def used(self, said: str) -> Usage:
        counted, written = self.last.prompt_eval_count, self.last.eval_count
        if counted is None and written is None:
            return Usage(output_tokens=estimated_tokens(said), estimated=True)
        return Usage(input_tokens=counted or 0, output_tokens=written or 0)
