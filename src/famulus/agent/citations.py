"""Numbers the passages that a run has seen, and checks every `[n]` of an answer against them.

A marker is `[3]`, `[1, 2]` or `[1][2]` outside code. Only numbers that were given out make a source; others are told as unsupported. A
bracket that hangs on a word (`arr[1]`) counts only where its sentence is backed by that passage: otherwise it is an index, not a citation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from famulus.agent.quotes import backing
from famulus.agent.support import Support, compare
from famulus.messages.values import JsonObject, JsonValue, Passage, Quote, Source
from famulus.tools.builtin.search import excerpt

_MARKER: Final = re.compile(r"\[(\d{1,4}(?:\s*[,;]\s*\d{1,4}){0,9})\]")
_CODE: Final = re.compile(r"(?P<fence>```|~~~)[\s\S]*?(?:(?P=fence)|\Z)|(?P<ticks>`+)(?!`)[^\n]*?(?P=ticks)(?!`)")
_SENTENCE_END: Final = re.compile(r"[.!?…](?=[\"'»”)\]]*(?:\s|$|\[\d))|\n")
_QUOTE: Final = 400
_RANK: Final[dict[Support, int]] = {"none": 0, "weak": 1, "strong": 2}
_MARKERS: Final = 500
# Of an answer that cites one passage again and again, so many sentences are looked up in it.
_QUOTED: Final = 8


@dataclass(frozen=True, slots=True)
class Marker:
    """One citation in an answer: `text[start:end]` is its bracket. `known` is False for a number that was never given out."""

    n: int
    start: int
    end: int
    known: bool
    support: Support


@dataclass(frozen=True, slots=True)
class Checked:
    """`sources` are the cited ones by number, each with its best support; `unsupported` the numbers that no passage stands behind."""

    markers: tuple[Marker, ...]
    sources: tuple[Source, ...]
    unsupported: tuple[int, ...]


@dataclass(slots=True)
class Numbers:
    """The passages of one run under their citation numbers, in the order in which they were first seen."""

    by_chunk: dict[str, int] = field(default_factory=lambda: {})
    passages: dict[int, Passage] = field(default_factory=lambda: {})

    def take(self, passages: Iterable[Passage]) -> list[tuple[int, Passage]]:
        """Gives a number to each passage that has none yet; these come back, for the log."""
        taken: list[tuple[int, Passage]] = []
        for passage in passages:
            if passage.chunk_id not in self.by_chunk:
                taken.append((len(self.by_chunk) + 1, passage))
                self.add(*taken[-1])
        return taken

    def add(self, n: int, passage: Passage) -> None:
        self.by_chunk[passage.chunk_id] = n
        self.passages[n] = passage

    def sources(self) -> list[Source]:
        """Every passage seen so far, by number."""
        return [source_of(n, passage, "none") for n, passage in self.passages.items()]


def number(data: JsonValue, numbers: Mapping[str, int]) -> JsonValue:
    """The data with `n` in front of each object whose `chunk_id` has a number. A number that the data brought along is dropped."""
    if isinstance(data, list):
        return [number(item, numbers) for item in data]
    if not isinstance(data, dict):
        return data
    inner: JsonObject = {
        key: number(value, numbers) if isinstance(value, (dict, list)) else value for key, value in data.items()
    }
    chunk_id = data.get("chunk_id")
    if isinstance(chunk_id, str):
        inner.pop("n", None)
        if chunk_id in numbers:
            return {"n": numbers[chunk_id]} | inner
    return inner


def check(text: str, passages: Mapping[int, Passage]) -> Checked:
    """Every marker of the answer, judged. Text offsets are characters."""
    markers: list[Marker] = []
    sentences: list[str] = []
    plain = _without_code(text)
    for found in _MARKER.finditer(plain):
        if len(markers) >= _MARKERS:
            break
        sentence = _sentence_before(plain, found.start())
        hangs = found.start() > 0 and (plain[found.start() - 1].isalnum() or plain[found.start() - 1] == "_")
        for n in dict.fromkeys(int(digits) for digits in re.findall(r"\d+", found.group(1))):
            passage = passages.get(n)
            support: Support = "none" if passage is None else compare(sentence, passage.text)
            if hangs and support == "none":
                continue
            markers.append(Marker(n, found.start(), found.end(), passage is not None, support))
            sentences.append(sentence)
    return Checked(tuple(markers), tuple(_cited(markers, sentences, passages)), tuple(_unknown(markers)))


def _without_code(text: str) -> str:
    """The text with blanks in place of code; its offsets stay."""
    if "`" not in text and "~~~" not in text:
        return text
    return _CODE.sub(lambda found: " " * len(found.group()), text)


def source_of(n: int, passage: Passage, support: Support, sentences: Sequence[str] = ()) -> Source:
    """The passage as a numbered source; the first sentence is the one that it backs best.

    The quote is where the passage holds most words of that one, at most 400 characters.
    """
    quote = excerpt(passage.text.strip(), sentences[0] if sentences else "", _QUOTE)
    return Source(
        n=n,
        chunk_id=passage.chunk_id,
        document_id=passage.document_id,
        fact_id=passage.fact_id,
        document_name=passage.document_name,
        page=passage.page,
        section=passage.section,
        start=passage.start,
        end=passage.end,
        quote=quote,
        score=passage.score,
        support=support,
        quotes=_quotes(passage, sentences),
    )


def source_json(source: Source) -> JsonObject:
    """The source as API and events show it; what does not apply to it is absent."""
    data: JsonObject = {"n": source.n, "chunk_id": source.chunk_id}
    if source.document_id is not None:
        data["document_id"] = source.document_id
    if source.fact_id is not None:
        data["fact_id"] = source.fact_id
    data["document_name"] = source.document_name
    if source.page is not None:
        data["page"] = source.page
    section: list[JsonValue] = list(source.section)
    data["section"] = section
    data["start"], data["end"] = source.start, source.end
    data["quote"], data["score"], data["support"] = source.quote, source.score, source.support
    if source.quotes:
        data["quotes"] = [{"start": quote.start, "end": quote.end, "text": quote.text} for quote in source.quotes]
    return data


def marker_json(marker: Marker) -> JsonObject:
    return {"n": marker.n, "start": marker.start, "end": marker.end, "known": marker.known, "support": marker.support}


def _sentence_before(text: str, marker_start: int) -> str:
    """The sentence that the marker belongs to: the one it stands in, or the one before when only markers stand between."""
    head = _MARKER.sub(lambda found: " " * len(found.group()), text[max(0, marker_start - 2_000) : marker_start])
    stripped = head.rstrip()
    body = stripped.rstrip(".!?…\"'»”)")
    start = max((found.end() for found in _SENTENCE_END.finditer(body)), default=0)
    return body[start:].strip()


def _cited(markers: list[Marker], sentences: list[str], passages: Mapping[int, Passage]) -> list[Source]:
    """The cited passages by number, each judged by the sentence that it backs best and quoted for all that cite it."""
    citing: dict[int, list[tuple[Support, str]]] = {}
    for marker, sentence in zip(markers, sentences, strict=True):
        if marker.known:
            citing.setdefault(marker.n, []).append((marker.support, sentence))
    sources: list[Source] = []
    for n, judged in sorted(citing.items()):
        judged.sort(key=lambda one: -_RANK[one[0]])
        sources.append(source_of(n, passages[n], judged[0][0], [sentence for _, sentence in judged]))
    return sources


def _quotes(passage: Passage, sentences: Iterable[str]) -> tuple[Quote, ...]:
    spans = {span for sentence in islice(sentences, _QUOTED) for span in backing(sentence, passage.text)}
    text, begin = passage.text, passage.start
    return tuple(Quote(begin + start, begin + end, text[start:end]) for start, end in sorted(spans))


def _unknown(markers: list[Marker]) -> list[int]:
    return list(dict.fromkeys(marker.n for marker in markers if not marker.known))
