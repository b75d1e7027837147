"""The values that travel between rooms: JSON, the acting person, message parts, citations, usage. Pure; no behaviour."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
JsonObject: TypeAlias = "dict[str, JsonValue]"

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True, slots=True)
class Principal:
    """Who acts. An argument of every use case; there is no global current user."""

    tenant: str
    user: str
    role: Literal["admin", "member"] = "member"
    scopes: frozenset[str] = frozenset({"*"})


class Text(Struct, frozen=True):
    text: str


class Reasoning(Struct, frozen=True):
    text: str


class ToolCall(Struct, frozen=True):
    """A call that a model asked for. `arguments` is None where `raw` is not one JSON object; `problem` then says why."""

    call_id: str
    tool: str
    arguments: JsonObject | None
    raw: str = ""
    problem: str | None = None


class ToolResult(Struct, frozen=True):
    """What the model reads: `content` is JSON text, bounded; a failed call is `{"error": "…"}`."""

    call_id: str
    tool: str
    content: str
    is_error: bool = False


Part: TypeAlias = Text | Reasoning | ToolCall | ToolResult


class Replay(Struct, frozen=True):
    """A provider's own form of an assistant message, sent back verbatim to the same provider kind (signed thinking, encrypted reasoning)."""

    kind: str
    data: JsonValue


class Message(Struct, frozen=True):
    """One message. A `tool` message holds exactly one ToolResult; an assistant message Text, Reasoning and ToolCall parts."""

    role: Role
    parts: tuple[Part, ...]
    replay: Replay | None = None

    @property
    def text(self) -> str:
        parts = self.parts
        if len(parts) == 1 and isinstance(first := parts[0], Text):
            return first.text
        return "".join([part.text for part in parts if isinstance(part, Text)])


class Cost(Struct, frozen=True):
    """`complete` is False when the price of any part is unknown: unknown is not zero."""

    amount: Decimal = Decimal(0)
    currency: str = "CHF"
    complete: bool = True


class Usage(Struct, frozen=True):
    """Tokens as the provider reported them; `estimated` when it reported none."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    estimated: bool = False
    cost: Cost = msgspec.field(default_factory=Cost)


@dataclass(frozen=True, slots=True)
class Passage:
    """A retrieved piece of a document or fact, as a tool hands it to the loop. `score` is absolute in 0..1."""

    chunk_id: str
    kind: Literal["document", "fact"]
    document_id: str | None
    fact_id: str | None
    document_name: str
    knowledge_base_id: str
    text: str
    score: float
    page: int | None = None
    section: tuple[str, ...] = ()
    start: int = 0
    end: int = 0
    category: str | None = None


@dataclass(frozen=True, slots=True)
class Quote:
    """Some words of a document (or fact): `text` stands at `start`..`end` of it, in characters."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Source:
    """A passage with its number in one run's citations; `support` compares the passage with the sentence that cites it.

    `quote` is a part of the passage to read; `quotes` are exactly the sentences that back the answer.
    """

    n: int
    chunk_id: str
    document_id: str | None
    fact_id: str | None
    document_name: str
    page: int | None
    section: tuple[str, ...]
    start: int
    end: int
    quote: str
    score: float
    support: Literal["strong", "weak", "none"] = "none"
    quotes: tuple[Quote, ...] = ()
