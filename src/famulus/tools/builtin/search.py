"""Searching passages, and reading one passage whole."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Annotated, Final, Literal

from famulus.knowledge.base import Hit, SearchQuery, SearchResult
from famulus.messages.values import JsonObject, JsonValue, Passage
from famulus.policy.limits import DEFAULTS, Limits
from famulus.tools.base import Tool, ToolContext, ToolOutput
from famulus.tools.ports import DocumentReader, Searcher
from famulus.tools.schema import Length, Range, tool

_WORD: Final = re.compile(r"\w{2,}")
# So many characters before the first word show what it stands in.
_LEAD: Final = 80
_WHOLE: Final[Mapping[str, Sequence[str]]] = {}


def search_tools(searcher: Searcher, reader: DocumentReader, limits: Limits = DEFAULTS) -> list[Tool]:
    """`search_documents` and `get_chunk`."""

    async def search_documents(
        context: ToolContext,
        query: Annotated[str, Length(1, 4_000)],
        k: Annotated[int | None, Range(1, 20)] = None,
        score_threshold: Annotated[float | None, Range(0, 1)] = None,
        categories: Annotated[list[str] | None, Length(0, 20)] = None,
        mode: Literal["hybrid", "keyword", "vector"] = "hybrid",
    ) -> ToolOutput:
        """Searches the selected knowledge bases and returns the best passages, each with an excerpt and a citation number n.

        Args:
            query: What to look for, in words that the documents would use. One thing per search.
            k: How many passages, 1 to 20 (default 5).
            score_threshold: Leave out passages that score lower (0 to 1).
            categories: Only facts of these categories.
            mode: hybrid (default), keyword for exact names and codes, vector for meaning.
        """
        chosen = context.search
        asked = SearchQuery(
            text=query,
            k=k or chosen.k,
            score_threshold=max(score_threshold or 0.0, chosen.score_threshold),
            categories=_narrowed(chosen.categories, categories),
            mode=mode,
        )
        if chosen.categories and not asked.categories:
            return _hits(SearchResult((), (), 0.0), query, limits, _WHOLE)
        result = await searcher.search(context.scope, asked)
        documents = {hit.passage.document_id for hit in result.hits if hit.passage.document_id is not None}
        warnings = await reader.warnings(context.scope, documents) if documents else _WHOLE
        return _hits(result, query, limits, warnings)

    async def get_chunk(context: ToolContext, chunk_id: Annotated[str, Length(1, 200)]) -> ToolOutput:
        """The whole text of one passage, with the ids of the passages before and after it.

        Args:
            chunk_id: The chunk_id of a search hit.
        """
        found = await reader.chunk(context.scope, chunk_id)
        data = describe(found.passage) | {"text": found.passage.text}
        if found.previous:
            data["previous"] = found.previous
        if found.next:
            data["next"] = found.next
        return ToolOutput(data, (found.passage,))

    return [tool(search_documents, timeout_s=limits.tool_timeout_s), tool(get_chunk, timeout_s=limits.tool_timeout_s)]


def describe(passage: Passage) -> JsonObject:
    """Where a passage is from, as the model reads it; the run adds its number."""
    data: JsonObject = {"chunk_id": passage.chunk_id}
    if passage.document_id is not None:
        data["document_id"] = passage.document_id
    if passage.fact_id is not None:
        data["fact_id"] = passage.fact_id
    data["document"] = passage.document_name
    if passage.page is not None:
        data["page"] = passage.page
    section: list[JsonValue] = list(passage.section)
    data["section"] = section
    if passage.category is not None:
        data["category"] = passage.category
    return data


def excerpt(text: str, query: str, characters: int) -> str:
    """At most `characters` of the text, from where most different words of the query stand together; cut ends carry `…`."""
    if len(text) <= characters:
        return text
    lowered, room = text.casefold(), characters - 2
    if len(lowered) != len(text):
        lowered = text.lower() if len(text.lower()) == len(text) else text
    places: list[tuple[int, str]] = []
    for word in set(_WORD.findall(query.casefold())):
        places += _places(lowered, word)
    places.sort()
    first = _densest(places, room - _LEAD)
    start = 0 if first is None else min(max(0, first - _LEAD), len(text) - room)
    if start:
        space = text.find(" ", start, start + 40)
        start = space + 1 if space >= 0 else start
    end = min(len(text), start + room)
    if end < len(text):
        space = text.rfind(" ", end - 40, end)
        end = space if space > start else end
    return f"{'…' if start else ''}{text[start:end].strip()}{'…' if end < len(text) else ''}"


def _densest(places: Sequence[tuple[int, str]], room: int) -> int | None:
    """The first place from which on most different words stand within `room`, of equal ones the one with most places; None without any."""
    if not places:
        return None
    at, words = zip(*places, strict=True)
    best, first, end = (0, 0), None, 0
    for start, place in enumerate(at):
        reach = bisect_left(at, place + room, end)
        if reach == end:
            # No more than a part of what stood there from an earlier place on.
            continue
        end = reach
        found = (len(set(words[start:end])), end - start)
        if found > best:
            best, first = found, place
        if end == len(at):
            # From a later place on stands only a part of this.
            break
    return first


def _places(text: str, word: str, most: int = 20) -> list[tuple[int, str]]:
    """Where the word begins, at most so many times."""
    before = accumulate(map(len, text.split(word, most)[:-1]))
    return [(place + nth * len(word), word) for nth, place in enumerate(before)]


def _hits(result: SearchResult, query: str, limits: Limits, warnings: Mapping[str, Sequence[str]]) -> ToolOutput:
    hits: list[JsonValue] = [_hit(hit, query, limits.excerpt_characters, warnings) for hit in result.hits]
    data: JsonObject = {"hits": hits, "used_modes": [*result.used_modes]}
    if not hits:
        data["note"] = "Nothing was found. Try other words, a shorter query, or a lower score_threshold."
    return ToolOutput(data, tuple(hit.passage for hit in result.hits), result.notices)


def _hit(hit: Hit, query: str, characters: int, warnings: Mapping[str, Sequence[str]]) -> JsonObject:
    """`warnings` say what of the document is missing, so that an answer does not take silence for an answer."""
    passage = hit.passage
    data = describe(passage)
    if passage.document_id is not None and passage.document_id in warnings:
        data["warnings"] = [*warnings[passage.document_id]]
    return data | {"score": round(passage.score, 3), "excerpt": excerpt(passage.text, query, characters)}


def _narrowed(chosen: tuple[str, ...], asked: list[str] | None) -> tuple[str, ...]:
    """The caller's categories bind: the model may only narrow them."""
    if not asked:
        return chosen
    return tuple(name for name in asked if not chosen or name in chosen)
