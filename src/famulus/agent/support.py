"""Compares a sentence with the passage it cites, by words and numbers: strong, weak or none.

Lexical on purpose: it needs no model, is the same everywhere, and never says `strong` for a number that the passage does not hold. A
translated sentence shares few words with its passage; numbers in common then make it `weak`.
"""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import Final, Literal

from famulus.text.analysis import index_keys, index_language
from famulus.text.numbers import find_numbers
from famulus.text.query import analyse_query

Support = Literal["strong", "weak", "none"]

# Shares of a sentence's content words found in the passage; set by hand on sentences about the sample folder.
_STRONG: Final = 0.6
_WEAK: Final = 0.3
_COMPOUND: Final = 6
_SENTENCE: Final = 1_000


def compare(sentence: str, passage: str) -> Support:
    """How well the passage backs the sentence."""
    query = analyse_query(sentence[:_SENTENCE])
    words = [(term.key, *term.forms) for term in query.terms if not term.key.lstrip("=").isdigit()]
    numbers = _numbers(sentence[:_SENTENCE], query.language)
    if not words and not numbers:
        return "none"
    there = keys_of(passage)
    hits = sum(1 for forms in words if holds(there, forms))
    right = len(numbers & _numbers_of_passage(passage, query.language))
    share = (hits + right) / (len(words) + len(numbers))
    if share >= _STRONG and right == len(numbers):
        return "strong"
    return "weak" if share >= _WEAK or (numbers and right == len(numbers)) else "none"


def words_of(sentence: str) -> list[tuple[str, ...]]:
    """The content words and numbers of a sentence, each with all its forms."""
    return [(term.key, *term.forms) for term in analyse_query(sentence[:_SENTENCE]).terms]


def holds(keys: frozenset[str], forms: tuple[str, ...]) -> bool:
    """Any form is a key, or a long one begins a longer key: the first part of a compound."""
    if any(form in keys for form in forms):
        return True
    long = tuple(form for form in forms if len(form) >= _COMPOUND)
    return bool(long) and any(key.startswith(long) for key in keys)


@lru_cache(maxsize=256)
def keys_of(passage: str) -> frozenset[str]:
    """Under which words an index would find the text."""
    return frozenset(index_keys(passage, index_language(passage)))


def _numbers(text: str, language: str | None) -> frozenset[Decimal]:
    return frozenset(number.value for number in find_numbers(text, language) if not number.word)


@lru_cache(maxsize=256)
def _numbers_of_passage(passage: str, language: str | None) -> frozenset[Decimal]:
    """As the passage's own language and as the answer's read it, words such as `three` included."""
    readings = {language, index_language(passage)}
    return frozenset(number.value for reading in readings for number in find_numbers(passage, reading))
