"""Measures answers against a question set: was the right passage cited, are the key words there, was the unanswerable refused.

Used by `famulus eval` and by the tests over the shipped set; any model can be measured. A refusal is an answer that cites nothing.
"""

from __future__ import annotations

import asyncio
import json
import unicodedata
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from famulus.app.runs import RunOrder
from famulus.errors import Invalid
from famulus.messages.values import JsonObject, JsonValue, Principal

if TYPE_CHECKING:
    from famulus.app.famulus import Famulus

CLASSES: Final = ("single", "two_part", "comparison", "arithmetic", "date", "unanswerable")


@dataclass(frozen=True, slots=True)
class Place:
    """A piece of text in a document (by file name) that a right answer cites."""

    document: str
    passage: str


@dataclass(frozen=True, slots=True)
class Question:
    """`expect`: for each thing to be cited, the places that count. `keywords`: of each inner tuple one must be in the answer."""

    id: str
    language: str
    kind: str
    question: str
    expect: tuple[tuple[Place, ...], ...]
    keywords: tuple[tuple[str, ...], ...]
    answerable: bool


@dataclass(frozen=True, slots=True)
class Cited:
    """A passage that the answer cites, whole."""

    document: str
    text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """`cited` and `keywords` hold for answerable questions, `refused` for the others; `invented` counts numbers that nobody gave out."""

    question: Question
    answer: str
    cited: bool
    keywords: bool
    refused: bool
    invented: int

    @property
    def right(self) -> bool:
        return self.cited and self.keywords if self.question.answerable else self.refused


@dataclass(frozen=True, slots=True)
class Row:
    """Shares in 0..1 over `n` questions; None where none of them counts for it."""

    name: str
    n: int
    cited: float | None
    keywords: float | None
    refused: float | None
    invented: int

    def json(self) -> JsonObject:
        return {
            "name": self.name, "n": self.n, "cited": self.cited, "keywords": self.keywords, "refused": self.refused, "invented": self.invented,
        }  # fmt: skip


def load_questions(path: Path) -> list[Question]:
    """The questions of a JSON Lines file. Raises `Invalid` with the line that is none, and for a file without any."""
    questions: list[Question] = []
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise Invalid(f"{str(path)!r} is not a text in UTF-8; `famulus eval --help` shows the form.") from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            questions.append(_question(cast(JsonObject, json.loads(line))))
        except (ValueError, KeyError, TypeError) as error:
            raise Invalid(
                f"Line {number} of {str(path)!r} is not a question ({_wrong(error)}); `famulus eval --help` shows the form."
            ) from None
    if not questions:
        raise Invalid(f"There is no question in {str(path)!r}; `famulus eval --help` shows the form.")
    return questions


def _wrong(error: Exception) -> str:
    return f"it has no {error}" if isinstance(error, KeyError) else str(error)


def _question(data: JsonObject) -> Question:
    return Question(
        id=str(data["id"]),
        language=str(data["language"]),
        kind=str(data["class"]),
        question=str(data["question"]),
        expect=tuple(_places(cast(JsonObject, item)) for item in _list(data.get("expect"))),
        keywords=tuple(tuple(str(word) for word in _list(words)) for words in _list(data.get("keywords"))),
        answerable=bool(data["answerable"]),
    )


def _places(item: JsonObject) -> tuple[Place, ...]:
    alternatives = [item, *(cast(JsonObject, other) for other in _list(item.get("or")))]
    return tuple(Place(str(place["document"]), str(place["passage"])) for place in alternatives)


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def judge(question: Question, answer: str, cited: Sequence[Cited], invented: int = 0) -> Verdict:
    """`cited` are the passages behind the numbers that stand in the answer."""
    found = all(any(_holds(source, place) for place in places for source in cited) for places in question.expect)
    plain = normal(answer).casefold()
    words = all(any(normal(word).casefold() in plain for word in group) for group in question.keywords)
    refused = not cited and bool(answer.strip())
    return Verdict(question, answer, found and bool(cited), words, refused, invented)


def _holds(source: Cited, place: Place) -> bool:
    """True when the passage overlaps the expected text: holds it, or is a part of it."""
    same = source.document.rsplit("/", 1)[-1] == place.document
    text, expected = normal(source.text), normal(place.passage)
    return same and (expected in text or (len(text) >= 20 and text in expected))


def normal(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def table(verdicts: Iterable[Verdict]) -> list[Row]:
    """One row per class, one per language, and `all`."""
    groups: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        for name in (verdict.question.kind, verdict.question.language, "all"):
            groups[name].append(verdict)
    order = [*CLASSES, *sorted(groups.keys() - {*CLASSES, "all"}), "all"]
    return [_row(name, groups[name]) for name in order if name in groups]


def _row(name: str, verdicts: list[Verdict]) -> Row:
    answerable = [verdict for verdict in verdicts if verdict.question.answerable]
    others = [verdict for verdict in verdicts if not verdict.question.answerable]
    return Row(
        name,
        len(verdicts),
        _share([verdict.cited for verdict in answerable]),
        _share([verdict.keywords for verdict in answerable]),
        _share([verdict.refused for verdict in others]),
        sum(verdict.invented for verdict in verdicts),
    )


def _share(values: list[bool]) -> float | None:
    return sum(values) / len(values) if values else None


LEGEND: Final = (
    "cited: each expected passage is cited · keywords: each expected word is in the answer · "
    "refused: no answer where none can be given · invented: citation numbers without a passage"
)


def render(rows: Sequence[Row]) -> str:
    """The table as text for a terminal, with what its columns mean."""
    lines = [f"{'':14}{'n':>5}{'cited':>9}{'keywords':>10}{'refused':>9}{'invented':>10}"]
    for row in rows:
        lines.append(
            f"{row.name:14}{row.n:5}{_percent(row.cited):>9}{_percent(row.keywords):>10}{_percent(row.refused):>9}{row.invented:10}"
        )
    return "\n".join([*lines, LEGEND])


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"


async def measure(
    famulus: Famulus,
    principal: Principal,
    questions: Sequence[Question],
    base_ids: tuple[str, ...] | None,
    *,
    model: str | None = None,
    at_once: int = 2,
) -> AsyncIterator[Verdict]:
    """Asks every question as a run of its own and judges the answers, in the order of the questions."""
    places = asyncio.Semaphore(at_once)

    async def one(question: Question) -> Verdict:
        async with places:
            order = RunOrder(message=question.question, model=model, knowledge_base_ids=base_ids)
            run = await famulus.runs.wait(principal, await famulus.runs.create(principal, order))
            cited = [await _cited(famulus, principal, source) for source in run.sources]
            return judge(question, run.answer if run.status == "completed" else "", cited, len(run.unsupported))

    tasks = [asyncio.ensure_future(one(question)) for question in questions]
    try:
        for task in tasks:
            yield await task
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _cited(famulus: Famulus, principal: Principal, source: JsonObject) -> Cited:
    """The whole passage: the quote of a source is only its beginning."""
    name, document_id = str(source["document_name"]), source.get("document_id")
    if document_id is None:
        return Cited(name, str(source["quote"]))
    start, end = int(str(source["start"])), int(str(source["end"]))
    return Cited(name, (await famulus.documents.content(principal, str(document_id), start, end - start)).text)
