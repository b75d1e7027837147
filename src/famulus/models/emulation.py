"""Tools for models that cannot call them: the round asks for one constrained JSON object, either a call or the final answer.

The loop sees the same items as from any model; the answer's text is streamed while its JSON string is still being written.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable

import msgspec
from msgspec.structs import replace

from famulus.messages.ids import new_id
from famulus.messages.values import JsonObject, JsonValue, Message, Text, ToolCall
from famulus.models.base import Finish, ModelItem, ModelRequest, ModelResponse, TextDelta, ToolSchema
from famulus.models.providers.calls import KEPT_RAW, arguments_of
from famulus.models.providers.wire import as_object, as_text, calls_in, parse, result_in
from famulus.models.streams import closing

ANSWER_START = re.compile(r'\s*\{\s*"step"\s*:\s*\{\s*"answer"\s*:\s*"')
CALL_START = re.compile(r'\s*\{\s*"step"\s*:\s*\{\s*"tool"\s*:\s*"([^"]*)"')
STRING_PART = re.compile(r'(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*')
HALF_PAIR = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}$")

RULES = """You can use tools. Answer with exactly one JSON object and nothing else:
{"step": {"tool": "NAME", "arguments": {…}}} to call one tool and see its result, or
{"step": {"answer": "TEXT"}} to give the final answer to the user.
Tools:
"""


async def emulate(
    request: ModelRequest, stream: Callable[[ModelRequest], AsyncIterator[ModelItem]]
) -> AsyncIterator[ModelItem]:
    """The items of a model with tools, made from a model with constrained output."""
    reader = StepReader()
    tools_offered = bool(request.tools) and request.tool_choice != "none"
    async with closing(stream(rewritten(request, tools_offered))) as items:
        async for item in items:
            if not tools_offered or not isinstance(item, (TextDelta, ModelResponse)):
                yield item
            elif isinstance(item, TextDelta):
                text = reader.feed(item.text)
                if text:
                    yield TextDelta(text)
            else:
                response = reader.response(item)
                missing = response.text[reader.shown :]
                if missing:
                    yield TextDelta(missing)
                yield response


def rewritten(request: ModelRequest, tools_offered: bool) -> ModelRequest:
    """The request without tools: they stand in the system prompt, calls and results are words."""
    messages = [in_words(message) for message in request.messages]
    if not tools_offered:
        return replace(request, messages=tuple(messages), tools=(), tool_choice="auto")
    rules = Message("system", (Text(RULES + "\n".join(described(tool) for tool in request.tools)),))
    schema = request.response_schema if request.response_schema is not None else step_schema(request)
    return replace(request, messages=(rules, *messages), tools=(), tool_choice="auto", response_schema=schema)


def described(tool: ToolSchema) -> str:
    return f"- {tool.name}: {tool.description} Arguments: {msgspec.json.encode(tool.parameters).decode()}"


def step_schema(request: ModelRequest) -> JsonObject:
    """A call of one of the tools, or an answer. Wrapped in `step`, for some servers take no choice at the top."""
    choices: list[JsonValue] = [
        closed({"tool": {"type": "string", "enum": [tool.name]}, "arguments": tool.parameters})
        for tool in request.tools
    ]
    if request.tool_choice != "required":
        choices.append(closed({"answer": {"type": "string"}}))
    return closed({"step": {"anyOf": choices}})


def closed(properties: JsonObject) -> JsonObject:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def in_words(message: Message) -> Message:
    if message.role == "tool":
        result = result_in(message)
        return Message("user", (Text(f"Result of the tool {result.tool}:\n{result.content}"),))
    calls = calls_in(message)
    if not calls:
        return Message(message.role, tuple(part for part in message.parts if isinstance(part, Text)))
    steps = [{"step": {"tool": call.tool, "arguments": arguments_of(call)}} for call in calls]
    return Message("assistant", (Text("\n".join(msgspec.json.encode(step).decode() for step in steps)),))


class StepReader:
    """Reads the JSON while it is written; `shown` = characters of the answer that were handed on."""

    def __init__(self) -> None:
        self.raw = ""
        self.at: int | None = None
        self.ended = False
        self.shown = 0

    def feed(self, piece: str) -> str:
        """The part of the answer's text that this piece completes."""
        self.raw += piece
        if self.at is None:
            start = ANSWER_START.match(self.raw)
            if start is None:
                return ""
            self.at = start.end()
        if self.ended:
            return ""
        part = STRING_PART.match(self.raw, self.at)
        end = part.end() if part is not None else self.at
        self.ended = end < len(self.raw) and self.raw[end] == '"'
        if not self.ended:
            half = HALF_PAIR.search(self.raw, self.at, end)
            end = half.start() if half is not None else end
        text = json_string(self.raw[self.at : end])
        self.at = end
        self.shown += len(text)
        return text

    def response(self, inner: ModelResponse) -> ModelResponse:
        """The response in our terms. Text that is no step at all is the answer of a model that ignored the schema."""
        step = as_object(as_object(parse(self.raw.encode("utf-8", "replace"))).get("step"))
        if "answer" in step:
            return replace(inner, text=as_text(step["answer"]), replay=None)
        call = called(step, self.raw)
        if call is not None:
            finish: Finish = "length" if call.problem and inner.finish == "length" else "tool_calls"
            return replace(inner, text="", calls=(call,), finish=finish, replay=None)
        start = ANSWER_START.match(self.raw)
        if start is None:
            return replace(inner, replay=None)
        part = STRING_PART.match(self.raw, start.end())
        return replace(inner, text=json_string(part.group()) if part is not None else "", replay=None)


def called(step: JsonObject, raw: str) -> ToolCall | None:
    """The call in a step, or in the words of one that broke off."""
    if "tool" in step:
        arguments = step.get("arguments")
        if isinstance(arguments, dict):
            return ToolCall(
                f"call_{new_id()}", as_text(step["tool"]), arguments, msgspec.json.encode(arguments).decode()[:KEPT_RAW]
            )
        return ToolCall(
            f"call_{new_id()}", as_text(step["tool"]), None, raw[:KEPT_RAW], "the arguments must be one JSON object"
        )
    start = CALL_START.match(raw)
    if start is None:
        return None
    return ToolCall(
        f"call_{new_id()}", start[1], None, raw[:KEPT_RAW], "the arguments are not valid JSON: they end in the middle"
    )


def json_string(escaped: str) -> str:
    return str(json.loads(f'"{escaped}"', strict=False)).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
