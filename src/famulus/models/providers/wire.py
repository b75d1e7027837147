"""The interface of one provider's wire format: pure functions between our values and its JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

import msgspec
from msgspec import Struct

from famulus.messages.values import JsonObject, JsonValue, Message, Text, ToolCall, ToolResult
from famulus.models.base import ModelItem, ModelRequest, ModelResponse, ToolSchema, ToolSupport
from famulus.models.errors import Kind
from famulus.models.providers.frames import Framing

ESTIMATED_CHARS = 4


class Garbled(ValueError):
    """The stream is not what the wire promises; the message says what came instead."""


class Refused(Exception):
    """An error that the provider reports: with a status, or inside a stream, which has none."""

    def __init__(self, refusal: Refusal, status: int | None = None) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal
        self.status = status


@dataclass(frozen=True, slots=True)
class Refusal:
    """A provider's error in the taxonomy, with its own words."""

    kind: Kind
    message: str
    param: str | None = None
    retry_after_s: float | None = None


class Quirks(Struct, frozen=True):
    """What is known about the model when its request is written."""

    no_replay: bool = False
    no_reasoning_content: bool = False
    schema_as_tool: bool = False
    num_ctx: int | None = None
    max_output_tokens: int | None = None
    options: JsonObject = msgspec.field(default_factory=lambda: {})


@dataclass(frozen=True, slots=True)
class Listed:
    """A model as its provider lists it; None = the provider does not say."""

    name: str
    tools: ToolSupport = None
    context_window: int | None = None
    max_output_tokens: int | None = None


class Decoder(Protocol):
    """Reads one answer. `done` once the stream has said that it is complete."""

    done: bool

    def read(self, frames: Sequence[bytes], items: list[ModelItem]) -> None:
        """Adds the deltas of these frames to `items`, those before a broken frame too. Raises `Garbled` and `Refused`."""
        ...

    def response(self) -> ModelResponse: ...


class FrameByFrame:
    """A decoder that reads each frame by itself."""

    def feed(self, data: bytes) -> Sequence[ModelItem]:
        """The deltas in one frame. Raises `Garbled` and `Refused`."""
        raise NotImplementedError

    def read(self, frames: Sequence[bytes], items: list[ModelItem]) -> None:
        for data in frames:
            items.extend(self.feed(data))


class Wire(Protocol):
    kind: str
    framing: Framing
    chat_path: str
    models_path: str

    def headers(self, api_key: str | None) -> dict[str, str]: ...

    def body(self, request: ModelRequest, model: str, quirks: Quirks) -> JsonObject: ...

    def decoder(self, request: ModelRequest, model: str) -> Decoder: ...

    def refusal(self, status: int, headers: Mapping[str, str], body: bytes) -> Refusal: ...

    def listed(self, body: bytes) -> list[Listed]: ...


class Offers:
    """The tools of a request in a wire's form, as JSON text: many requests offer the very same few choices."""

    def __init__(self, write: Callable[[ToolSchema], JsonValue], most: int = 64) -> None:
        self._write = write
        self._most = most
        self._kept: dict[int, tuple[tuple[ToolSchema, ...], msgspec.Raw]] = {}

    def written(self, tools: tuple[ToolSchema, ...]) -> JsonValue:
        """A list, written already."""
        kept = self._kept.get(id(tools))
        # The tuple is kept with its text, so that nothing else can come to have its identity.
        if kept is None or kept[0] is not tools:
            if len(self._kept) >= self._most:
                self._kept.clear()
            kept = self._kept[id(tools)] = (tools, msgspec.Raw(msgspec.json.encode([*map(self._write, tools)])))
        return cast("JsonValue", kept[1])


def as_object(value: object) -> dict[str, Any]:
    """The value as an object; empty when it is none."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


def as_text(value: object) -> str:
    return value if isinstance(value, str) else ""


def as_count(value: object) -> int | None:
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) and value > 0 else None


def parse(body: bytes) -> object:
    """The JSON of a body, or None when it is none."""
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError):
        return None


def calls_in(message: Message) -> list[ToolCall]:
    return [part for part in message.parts if isinstance(part, ToolCall)]


def result_in(message: Message) -> ToolResult:
    for part in message.parts:
        if isinstance(part, ToolResult):
            return part
    raise ValueError("the message of a tool holds no result")


def system_text(messages: Sequence[Message]) -> str:
    return "\n\n".join([text for message in messages if message.role == "system" and (text := message.text)])


def conversation(messages: Sequence[Message]) -> list[Message]:
    """The messages without system prompts and without empty ones, which some providers refuse."""
    return [message for message in messages if message.role != "system" and said_in(message)]


def said_in(message: Message) -> bool:
    """Whether any part holds anything."""
    return bool([part for part in message.parts if not isinstance(part, Text) or part.text])


def last_question(messages: Sequence[Message]) -> int:
    """The index of the newest user message, -1 without one: what is after it belongs to the turn that is going on."""
    for at in range(len(messages) - 1, -1, -1):
        if messages[at].role == "user":
            return at
    return -1


def estimated_tokens(text: str) -> int:
    return max(1, len(text) // ESTIMATED_CHARS)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait as the provider asks; dates are not read, for the clocks may differ."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return max(0.0, min(float(headers[name]) * unit, 3600.0))
        except (KeyError, ValueError):
            continue
    return None


def kind_of_status(status: int) -> Kind:
    """The taxonomy by status alone, for what no provider explains better."""
    by_status: dict[int, Kind] = {
        401: "auth",
        402: "quota",
        403: "auth",
        404: "not_found",
        408: "timeout",
        413: "context_exceeded",
    }
    by_status |= {429: "rate_limit", 503: "overloaded", 504: "timeout", 529: "overloaded"}
    return by_status.get(status, "unavailable" if status >= 500 else "rejected")


def is_strict(schema: object) -> bool:
    """Whether a schema fulfils what "strict" modes demand: each object closed and all its properties required."""
    node = as_object(schema)
    if "properties" in node and (
        node.get("additionalProperties") is not False or set(as_list(node.get("required"))) != set(node["properties"])
    ):
        return False
    children = [*as_object(node.get("properties")).values(), node.get("items"), *as_list(node.get("anyOf"))]
    return all(is_strict(child) for child in children if child is not None)
