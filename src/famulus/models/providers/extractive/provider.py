"""The provider `builtin` with its one model `extractive`. Deterministic, local, free; the same door as every other model."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from typing import Final

from famulus.errors import FamulusError
from famulus.messages.notices import notice_text
from famulus.messages.values import Cost, Message, ToolCall, ToolResult, Usage
from famulus.models.base import ModelInfo, ModelItem, ModelNotice, ModelRequest, ModelResponse, TextDelta
from famulus.models.providers.extractive.closeness import Closeness, Measure
from famulus.models.providers.extractive.situation import Situation, read_situation
from famulus.models.providers.extractive.steps import next_step

NAME: Final = "builtin/extractive"
# It has no window of its own; this only keeps the rest of the product from cutting what it should read.
CONTEXT_TOKENS: Final = 1_000_000
_PIECE: Final = re.compile(r"\S+\s*|\s+")
_CHARACTERS_PER_TOKEN: Final = 4
# What is measured changes which sentences are looked at next; after so many times it hardly does.
_MOST_TRIES: Final = 3
_NO_MODEL: Final = "No language model is connected: this answer is put together from sentences of the documents."


class ExtractiveProvider:
    """Keeps no state: each request is answered from its own messages. `measure` tells how close sentences are to a question;
    without it words alone decide."""

    name = "builtin"
    kind = "builtin"
    local = True

    def __init__(self, measure: Measure | None = None) -> None:
        self._measure = measure

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
        situation = read_situation(request)
        step, measured = await self._step(situation)
        if not measured:
            yield ModelNotice("vectors_failed", notice_text("vectors_failed"))
        read = sum(map(_size, request.messages)) // _CHARACTERS_PER_TOKEN
        if isinstance(step, str):
            yield ModelNotice("no_language_model", _NO_MODEL)
            for piece in _pieces(step):
                yield TextDelta(piece)
            yield ModelResponse(step, (), _usage(read, len(step)), "stop", model=NAME)
        else:
            written = sum(len(str(call.arguments)) for call in step)
            yield ModelResponse("", tuple(step), _usage(read, written), "tool_calls", model=NAME)

    async def _step(self, situation: Situation) -> tuple[list[ToolCall] | str, bool]:
        """The next step, and False where meaning should have been measured and could not be."""
        if self._measure is None:
            return next_step(situation), True
        situation.closeness = Closeness()
        step = next_step(situation)
        for _ in range(_MOST_TRIES):
            if not situation.closeness.wanted:
                break
            try:
                await situation.closeness.fill(self._measure)
            except FamulusError:
                situation.closeness = None
                return next_step(situation), False
            step = next_step(situation)
        return step, True

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
