"""A question for a sum: the things whose figures are added, as text and as the terms that only each of them has."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from famulus.models.providers.extractive.terms import Term, question_terms
from famulus.text.quantities import find_quantities
from famulus.text.units import EVERY_WORDS, MEASURE_WORDS, TIME_WORDS

MOST_SIDES: Final = 4
_SUM: Final = {
    "en": r"\b(?:plus|together|adds? up|amount to|come to|sum up|in total|altogether|combined|sum of|total (?:of|cost|price|amount)|all in all|in all)\b",
    "de": r"\b(?:plus|zusammen|insgesamt|gesamthaft|summe|total|alles in allem|gesamtkosten|gesamtbetrag)\b",
    "nl": r"\b(?:plus|samen|in totaal|bij elkaar|opgeteld|totale?|alles bij elkaar)\b",
    "fr": r"\b(?:ensemble|au total|en tout|somme|additionnés?|total)\b",
}
_ADDS: Final = {
    "en": r"plus|and|with|including|together with",
    "de": r"plus|und|mit|inklusive|inkl\.|samt|einschliesslich|zuzüglich",
    "nl": r"plus|en|met|inclusief|incl\.|samen met",
    "fr": r"plus|et|avec|y compris|ajouté à",
}


_COSTS: Final = re.compile(
    r"\b(?:costs?|pay|paid|charged?|spend|kosten|kostet|zahlen|zahle|bezahlen|kost|betalen|betaal|kwijt|coûte(?:nt)?|payons|paie|payer|coût)\b",
    re.IGNORECASE,
)


def summands(question: str, language: str) -> tuple[str, ...] | None:
    """The things named, the first with the words of the question before it; None where nothing is added."""
    if not re.search(_SUM[language], question, re.IGNORECASE):
        return _counted(question, language)
    found = list(re.finditer(rf"\s(?:{_ADDS[language]})\s", question, re.IGNORECASE))
    if not found:
        return None
    joint = next((match for match in found if "plus" in match.group().lower()), found[-1])
    left, right = question[: joint.start()], _before_sum(question[joint.end() :], language)
    listed = [piece for piece in re.split(r"[,:]\s+", left) if piece.strip()]
    if len(listed) > 1 and _COSTS.search(listed[0]):
        # `What does the hall cost a year, rent plus heating?`: the hall is none of the two.
        listed = listed[1:]
    if all(_named(piece, language) for piece in listed) and len(listed) < MOST_SIDES:
        return (*listed, right)
    return left, right


def _counted(question: str, language: str) -> tuple[str, ...] | None:
    """`What do three stools and two lamps cost?`: prices of things of which the question gives numbers are added without a word for it."""
    if not _COSTS.search(question) and not _HOW_MUCH.search(question):
        return None
    starts = [
        quantity.start
        for quantity in find_quantities(question, language)
        if quantity.kind == "count" and quantity.unit and not _is_unit(quantity.unit)
    ]
    joints = [
        match
        for match in re.finditer(
            rf",\s+(?:{_ADDS[language]})\s+|,\s+|\s(?:{_ADDS[language]})\s+", question, re.IGNORECASE
        )
        if match.end() in starts or _ONE[language].match(question, match.end())
    ]
    if not joints or not starts or starts[0] > joints[0].start() or len(joints) >= MOST_SIDES:
        return None
    cuts = [0, *(match.end() for match in joints)]
    ends = [*(match.start() for match in joints), len(question)]
    return tuple(question[start:end] for start, end in zip(cuts, ends, strict=True))


_HOW_MUCH: Final = re.compile(
    r"\b(?:how much|what is|wie ?viel|was macht|hoeveel|combien|quel est le prix)\b", re.IGNORECASE
)
# `two adults and a child`: an article stands for one.
_ONE: Final = {
    "en": re.compile(r"(?:an?|one)\s+[^\W\d_]{3,}", re.IGNORECASE),
    "de": re.compile(r"eine?n?\s+[^\W\d_]{3,}", re.IGNORECASE),
    "nl": re.compile(r"een\s+[^\W\d_]{3,}", re.IGNORECASE),
    "fr": re.compile(r"une?\s+[^\W\d_]{3,}", re.IGNORECASE),
}


def _is_unit(word: str) -> bool:
    return word in TIME_WORDS or word in MEASURE_WORDS


def _before_sum(text: str, language: str) -> str:
    """Without what follows a word of adding up: `… together in high season` is said of both."""
    match = re.search(_SUM[language], text, re.IGNORECASE)
    before = text[: match.start()] if match else ""
    return before if _named(before, language) else text


def sides_of(texts: Sequence[str], whole: Sequence[Term]) -> tuple[tuple[Term, ...], ...]:
    """For each text the terms that no other has; empty where one has none that names a thing."""
    language = whole[0].language if whole else None
    keys = [{term.key for term in question_terms(text, language)} for text in texts]
    sides: list[tuple[Term, ...]] = []
    for index, own in enumerate(keys):
        others = set[str]().union(*(other for number, other in enumerate(keys) if number != index))
        side = [term for term in whole if term.key in own - others and not _period(term)]
        strong = [term for term in side if term.kind != "light" and not _COSTS.fullmatch(term.written)]
        if not strong:
            return ()
        sides.append(tuple(strong))
    return tuple(sides)


def _named(text: str, language: str) -> bool:
    return any(term.kind in ("word", "name", "code", "number") for term in question_terms(text, language))


def _period(term: Term) -> bool:
    word = term.written.casefold()
    return word in TIME_WORDS or word in EVERY_WORDS
