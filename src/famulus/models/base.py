"""What a model is to the rest of the product: one request in, a stream of deltas and one response out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Literal, Protocol, TypeAlias

from msgspec import Struct

from famulus.messages.values import JsonObject, Message, Replay, ToolCall, Usage

Finish = Literal["stop", "tool_calls", "length", "content_filter", "error"]
ToolSupport: TypeAlias = 'bool | Literal["json_schema"] | None'


class ToolSchema(Struct, frozen=True):
    """A tool as the model sees it; `parameters` is a JSON Schema object with `additionalProperties: false`."""

    name: str
    description: str
    parameters: JsonObject


class ModelRequest(Struct, frozen=True):
    """`model` is `provider/model`. `response_schema` asks for one JSON object of that schema instead of free text."""

    model: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSchema, ...] = ()
    tool_choice: Literal["auto", "none", "required"] = "auto"
    temperature: float | None = 0.0
    max_output_tokens: int | None = None
    response_schema: JsonObject | None = None


class TextDelta(Struct, frozen=True, gc=False):
    text: str


class ReasoningDelta(Struct, frozen=True, gc=False):
    text: str


class ModelNotice(Struct, frozen=True):
    """Something the user should know about this call: a retry, a cut context, a dropped parameter, a recovered tool call."""

    code: str
    message: str
    data: JsonObject | None = None


class ModelResponse(Struct, frozen=True):
    """The end of a stream. `text` equals the concatenated text deltas. `replay` goes back verbatim in the next request."""

    text: str
    calls: tuple[ToolCall, ...]
    usage: Usage
    finish: Finish
    reasoning: str = ""
    replay: Replay | None = None
    model: str = ""


ModelItem: TypeAlias = TextDelta | ReasoningDelta | ModelNotice | ModelResponse


class ModelInfo(Struct, frozen=True):
    """`tools` None = the provider does not say. `context_window` in tokens. `name` is `provider/model`. Prices are per `per_tokens`."""

    name: str
    provider: str
    kind: str
    local: bool
    tools: ToolSupport = None
    context_window: int | None = None
    max_output_tokens: int | None = None
    input_price: float | None = None
    output_price: float | None = None
    currency: str | None = None
    per_tokens: int = 1_000_000


class Model(Protocol):
    """A provider's adapter. Yields deltas and ends with exactly one ModelResponse, or raises `models.errors`."""

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelItem]: ...


class Provider(Protocol):
    """One configured place that serves models."""

    name: str
    kind: str
    local: bool

    async def models(self) -> list[ModelInfo]: ...

    async def info(self, model: str) -> ModelInfo: ...

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelItem]: ...

    async def aclose(self) -> None: ...
