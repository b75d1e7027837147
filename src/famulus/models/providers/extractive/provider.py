"""The provider `builtin` with its one model `extractive`. Deterministic, local, free; the same door as every other model."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from typing import Final

from famulus.messages.values import Cost, Message, ToolCall, ToolResult, Usage
from famulus.models.base import ModelInfo, ModelItem, ModelNotice, ModelRequest, ModelResponse, TextDelta
from famulus.models.providers.extractive.situation import read_situation
from famulus.models.providers.extractive.steps import next_step

NAME: Final = "builtin/extractive"
# It has no window of its own; this only keeps the rest of the product from cutting what it should read.
CONTEXT_TOKENS: Final = 1_000_000
_PIECE: Final = re.compile(r"\S+\s*|\s+")
_CHARACTERS_PER_TOKEN: Final = 4
_NO_MODEL: Final = "No language model is connected: this answer is put together from sentences of the documents."


class ExtractiveProvider:
    """Keeps no state: each request is answered from its own messages."""

    name = "builtin"
    kind = "builtin"
    local = True

    async def models(self) -> list[ModelInfo]:
        return [await self.info("extractive")]

    async def info(self, model: str) -> ModelInfo:
        return ModelInfo(
            NAME,
            self.name,
            self.kind,
            local=True,
            tools=True,
            context_window=CONTEXT_TOKENS,
            input_price=0.0,
            output_price=0.0,
        )

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelItem]:
        step = next_step(read_situation(request))
        read = sum(map(_size, request.messages)) // _CHARACTERS_PER_TOKEN
        if isinstance(step, str):
            yield ModelNotice("no_language_model", _NO_MODEL)
            for piece in _pieces(step):
                yield TextDelta(piece)
            yield ModelResponse(step, (), _usage(read, len(step)), "stop", model=NAME)
        else:
            written = sum(len(str(call.arguments)) for call in step)
            yield ModelResponse("", tuple(step), _usage(read, written), "tool_calls", model=NAME)

    async def aclose(self) -> None:
        """Nothing is open."""


def _pieces(text: str) -> Iterator[str]:
    return (match.group() for match in _PIECE.finditer(text))


def _size(message: Message) -> int:
    results = sum(len(part.content) for part in message.parts if isinstance(part, ToolResult))
    calls = sum(len(str(part.arguments)) for part in message.parts if isinstance(part, ToolCall))
    return len(message.text) + results + calls


def _usage(read: int, written: int) -> Usage:
    return Usage(read, written // _CHARACTERS_PER_TOKEN, estimated=True, cost=Cost())
