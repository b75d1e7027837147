"""Things of one family that are not each other: a sentence about the mechanic says nothing of the inspector, pier A nothing of pier C."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from famulus.models.providers.extractive.evidence import Entry
from famulus.models.providers.extractive.terms import Term
from famulus.models.providers.extractive.vocabulary import notions
from famulus.text.fold import fold
from famulus.text.words import words

_FAMILIES: Final = (
    "apprentice mechanic inspector driver nurse doctor cook receptionist",
    "dog cat horse rabbit bird pig cow sheep",
    "profit turnover",
    "car van lorry bus bicycle motorcycle tractor trailer boat helicopter",
)
# `pier C`, `room 12`, `hall B`: a noun and what tells one from the next.
_NUMBERED: Final = re.compile(
    r"\b(?P<noun>[^\W\d_]{3,})\s+(?P<mark>[A-HJ-Z]\b(?!['’.])|\d{1,3}\b(?![.,:]\d|\s?(?:%|€|[a-zà-ÿ])))"
)


@lru_cache(maxsize=1)
def _families() -> tuple[frozenset[int], ...]:
    return tuple(frozenset[int]().union(*(notions(word, "en") for word in family.split())) for family in _FAMILIES)


def of_a_sibling(entry: Entry, content: Sequence[Term]) -> bool:
    """True when the sentence names another of the family of something asked about, and not that itself."""
    language = entry.unit.language
    for term in content:
        own = notions(term.key, term.language)
        family = next((family for family in _families() if own & family), None)
        if family is None or entry.own(term) >= 0.6:
            continue
        if any((found := notions(word.key, language) & family) and not found & own for word in words(entry.unit.text)):
            return True
    return False


def of_another_number(text: str, question: str) -> bool:
    """True when the sentence speaks of pier A where the question asks of pier C."""
    asked = {(fold(match["noun"]), match["mark"]) for match in _NUMBERED.finditer(question)}
    said = {(fold(match["noun"]), match["mark"]) for match in _NUMBERED.finditer(text)}
    nouns = {noun for noun, _ in asked}
    return any(noun in nouns for noun, _ in said) and not asked & said
