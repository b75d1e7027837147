"""Where a turn stands, read off the messages: the question, the tools on offer, and everything that their results have shown so far."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, cast

from famulus.messages.values import JsonObject, JsonValue, Message, ToolCall, ToolResult
from famulus.models.base import ModelRequest
from famulus.models.providers.extractive.closeness import Closeness
from famulus.models.providers.extractive.follow_up import complete
from famulus.models.providers.extractive.reading import SMALL_TALK

CUT: Final = "…"
OPENING: Final = 240


@dataclass(slots=True)
class Seen:
    """A passage as far as results have shown it. `n` is its citation number; `rank` the best place in any search, from 0."""

    chunk_id: str
    n: int
    document_id: str
    document: str
    section: tuple[str, ...]
    text: str
    whole: bool
    score: float = 0.0
    rank: int = 99
    hits: int = 0


@dataclass(slots=True)
class Situation:
    """`searched` are the queries so far in order; `asked_chunks` the passages that were asked for; `openings` the first lines of documents; `windows` up to where each has been read, and its length; `calculated` results by expression; `closeness` where meaning can be measured."""

    question: str
    tools: frozenset[str]
    passages: dict[str, Seen] = field(default_factory=lambda: dict[str, Seen]())
    searched: list[str] = field(default_factory=lambda: list[str]())
    asked_chunks: set[str] = field(default_factory=lambda: set[str]())
    openings: dict[str, str] = field(default_factory=lambda: dict[str, str]())
    windows: dict[str, tuple[int, int]] = field(default_factory=lambda: dict[str, tuple[int, int]]())
    calculated: dict[str, str] = field(default_factory=lambda: dict[str, str]())
    now: JsonObject | None = None
    asked_now: bool = False
    rounds: int = 0
    by_meaning: bool = False
    errors: list[str] = field(default_factory=lambda: list[str]())
    closeness: Closeness | None = None

    @property
    def whole(self) -> set[str]:
        """Documents of which every character has been read."""
        return {name for name, (end, total) in self.windows.items() if end >= total}


def read_situation(request: ModelRequest) -> Situation:
    """What the request says; nothing is remembered from earlier calls."""
    last = max((i for i, message in enumerate(request.messages) if message.role == "user"), default=-1)
    earlier = [message.text for message in request.messages[:last] if message.role == "user"] if last > 0 else []
    question = request.messages[last].text if last >= 0 else ""
    tools = frozenset(tool.name for tool in request.tools) if request.tool_choice != "none" else frozenset[str]()
    situation = Situation(complete(question, earlier), tools)
    _replay(situation, request.messages[last + 1 :])
    return situation


def _replay(situation: Situation, messages: Sequence[Message]) -> None:
    calls: dict[str, ToolCall] = {}
    for message in messages:
        if message.role == "assistant":
            situation.rounds += 1
        for part in message.parts:
            if isinstance(part, ToolCall):
                calls[part.call_id] = part
                _note_call(situation, part)
            elif isinstance(part, ToolResult):
                _note_result(situation, calls.get(part.call_id), part)


def _note_call(situation: Situation, call: ToolCall) -> None:
    arguments = call.arguments or {}
    if call.tool == "search_documents":
        situation.searched.append(str(arguments.get("query", "")))
    elif call.tool == "get_chunk":
        situation.asked_chunks.add(str(arguments.get("chunk_id", "")))
    elif call.tool == "get_current_datetime":
        situation.asked_now = True


def _note_result(situation: Situation, call: ToolCall | None, result: ToolResult) -> None:
    try:
        data: JsonValue = json.loads(result.content)
    except ValueError:
        return
    if not isinstance(data, dict):
        return
    if "error" in data:
        situation.errors.append(str(data["error"]))
        return
    if result.tool == "search_documents":
        modes = data.get("used_modes")
        situation.by_meaning = situation.by_meaning or (isinstance(modes, list) and "vector" in modes)
        for rank, hit in enumerate(_objects(data.get("hits"))):
            _see(situation, hit, str(hit.get("excerpt", "")), rank=rank)
    elif result.tool == "get_chunk":
        _see(situation, data, str(data.get("text", "")), whole=True)
    elif result.tool == "read_document":
        _see_window(situation, data)
    elif result.tool == "calculate":
        situation.calculated[str(data.get("expression", ""))] = str(data.get("result", ""))
    elif result.tool == "get_current_datetime":
        situation.now = data


def _objects(value: JsonValue) -> list[JsonObject]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _see(situation: Situation, data: JsonObject, text: str, *, rank: int = 99, whole: bool = False) -> None:
    """Adds or completes a passage. One without a number cannot be cited and is left out."""
    number, chunk_id = data.get("n"), data.get("chunk_id")
    if not isinstance(number, int) or not isinstance(chunk_id, str):
        return
    whole = whole or not (text.startswith(CUT) or text.endswith(CUT))
    score = data.get("score")
    seen = situation.passages.get(chunk_id)
    if seen is None:
        section = data.get("section")
        path = tuple(str(part) for part in section) if isinstance(section, list) else ()
        document = str(data.get("document") or data.get("category") or "")
        seen = Seen(
            chunk_id, number, str(data.get("document_id") or data.get("fact_id") or ""), document, path, text, whole
        )
        situation.passages[chunk_id] = seen
    elif whole and not seen.whole:
        seen.text, seen.whole = text, True
    elif not whole and not seen.whole and text.strip(CUT) not in seen.text:
        seen.text = f"{seen.text}\n{text}"
    if rank < 99:
        seen.hits += 1
        seen.rank = min(seen.rank, rank)
    if isinstance(score, int | float):
        seen.score = max(seen.score, float(score))


def _see_window(situation: Situation, data: JsonObject) -> None:
    text, offset = str(data.get("text", "")), cast(int, data.get("offset") or 0)
    name, total = str(data.get("document_id", "")), data.get("total")
    end, _ = situation.windows.get(name, (0, 0))
    if isinstance(total, int) and offset <= end:
        situation.windows[name] = (max(end, offset + len(text)), total)
    if offset == 0:
        situation.openings[str(data.get("document_id", ""))] = text[:OPENING]
    for item in _objects(data.get("passages")):
        start, end = item.get("start"), item.get("end")
        if isinstance(start, int) and isinstance(end, int) and start >= offset and end <= offset + len(text):
            shared: JsonObject = {
                "document": data.get("document"),
                "document_id": data.get("document_id"),
                "section": [],
            }
            _see(situation, shared | item, text[start - offset : end - offset], whole=True)


def is_small_talk(question: str) -> str | None:
    """`hello` or `thanks` for words that want no search."""
    match = SMALL_TALK.match(question)
    return None if match is None else ("hello" if match["hello"] else "thanks")
