"""A tiny world for `builtin/extractive`: passages in memory, and the loop in six lines."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from famulus.messages.values import Message, Text, ToolCall, ToolResult
from famulus.models.base import ModelNotice, ModelRequest, ModelResponse, TextDelta, ToolSchema
from famulus.models.providers.extractive.closeness import Measure
from famulus.models.providers.extractive.provider import ExtractiveProvider
from famulus.tools.builtin.arithmetic import calculate_exactly

SEARCH, READ, CALCULATE, CLOCK = "search_documents", "get_chunk", "calculate", "get_current_datetime"
DOCUMENT = "read_document"
EVERY = (SEARCH, READ, CALCULATE, CLOCK)


@dataclass
class World:
    """`passages` are (document, text). Every search finds all of them, with short excerpts; by meaning where a `measure` is given."""

    passages: list[tuple[str, str]]
    measure: Measure | None = None
    notices: list[str] = field(default_factory=list)
    today: str = "2026-03-02"
    calls: list[ToolCall] = field(default_factory=list)
    rounds: int = 0

    async def ask(self, question: str, tools: tuple[str, ...] = EVERY, earlier: tuple[str, ...] = ()) -> str:
        messages = [Message("user", (Text(text),)) for text in (*earlier, question)]
        for self.rounds in range(1, 9):
            response = await respond(messages, tools, self.measure, self.notices)
            if not response.calls:
                return response.text
            self.calls += response.calls
            messages.append(Message("assistant", response.calls))
            messages += [Message("tool", (self.result(call),)) for call in response.calls]
        raise AssertionError("no answer in eight rounds")

    def result(self, call: ToolCall) -> ToolResult:
        data = self.answer(call.tool, call.arguments or {})
        return ToolResult(call.call_id, call.tool, json.dumps({"untrusted": True} | data))

    def answer(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        if tool == SEARCH:
            return {
                "hits": [
                    self.passage(n) | {"score": 0.5, "excerpt": text[:60] + "…"} for n, (_, text) in self.numbered()
                ],
                "used_modes": ["keyword", "vector"] if self.measure else ["keyword"],
            }
        if tool == READ:
            n = int(arguments["chunk_id"][1:])
            return self.passage(n) | {"text": self.passages[n - 1][1]}
        if tool == DOCUMENT:
            n, (name, text) = next(item for item in self.numbered() if item[1][0] == arguments["document_id"])
            window = {"chunk_id": f"c{n}", "n": n, "start": 0, "end": len(text)}
            return {
                "document_id": name,
                "document": name,
                "offset": 0,
                "total": len(text),
                "text": text,
                "passages": [window],
            }
        if tool == CALCULATE:
            return {"expression": arguments["expression"], "result": calculate_exactly(arguments["expression"])}
        return {"date": self.today, "datetime": f"{self.today}T10:00:00", "timezone": "UTC"}

    def numbered(self) -> list[tuple[int, tuple[str, str]]]:
        return list(enumerate(self.passages, 1))

    def passage(self, n: int) -> dict[str, Any]:
        name = self.passages[n - 1][0]
        return {"n": n, "chunk_id": f"c{n}", "document_id": name, "document": name, "section": []}

    def used(self, tool: str) -> list[dict[str, Any]]:
        return [call.arguments or {} for call in self.calls if call.tool == tool]


async def respond(
    messages: list[Message], tools: tuple[str, ...], measure: Measure | None = None, notices: list[str] | None = None
) -> ModelResponse:
    schemas = tuple(ToolSchema(name, "", {"type": "object"}) for name in tools)
    text = ""
    async for item in ExtractiveProvider(measure).stream(ModelRequest("builtin/extractive", tuple(messages), schemas)):
        if isinstance(item, TextDelta):
            text += item.text
        elif isinstance(item, ModelNotice) and notices is not None:
            notices.append(item.code)
        elif isinstance(item, ModelResponse):
            assert item.text == text
            return item
    raise AssertionError("the stream ended without a response")


GYM = (
    "gym.md",
    "# Rules of the Riverside climbing gym\n\nThe day ticket costs EUR 14 for adults and EUR 9 for children. The gym opens at 9:00 and closes at 22:00. "
    "Shoes can be rented for EUR 4 per day. Ropes are replaced every two years.",
)
LEASE = (
    "mietvertrag-atelier.txt",
    "Der monatliche Mietzins für das Atelier beträgt CHF 900. Die Nebenkosten betragen CHF 150 pro Monat. Die Kündigungsfrist beträgt drei Monate. "
    "Der Vertrag wurde am 2. Mai 2025 unterzeichnet. Das Mietverhältnis beginnt am 1. Juni 2025.",
)
CLUB = (
    "statuten.txt",
    "Die Kassierin des Vereins ist Lina Okafor. Hunde sind im Clubhaus nicht erlaubt, Blindenhunde ausgenommen. Für verspätete Zahlungen gilt ein Zuschlag von 5 Prozent auf EUR 80.",
)


@pytest.fixture
def world() -> World:
    return World([GYM, LEASE, CLUB])
