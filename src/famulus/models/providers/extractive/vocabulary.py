"""A small general vocabulary of four languages: which words stand for the same notion, and how a notion is said elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final

from famulus.text.fold import key
from famulus.text.stem import stem, stems

LANGUAGES: Final = ("en", "de", "nl", "fr")
_LEAST_PART: Final = 5


@dataclass(frozen=True, slots=True)
class Notion:
    """One line of the vocabulary: its words per language, the most usual one first."""

    words: dict[str, tuple[str, ...]]


@lru_cache(maxsize=1)
def _notions() -> tuple[Notion, ...]:
    lines = files(__package__ or __name__).joinpath("vocabulary.txt").read_text("utf-8").splitlines()
    columns = [[cell.split() for cell in line.split("|")] for line in lines if line and not line.startswith("#")]
    return tuple(
        Notion({language: tuple(cells) for language, cells in zip(LANGUAGES, row, strict=True)}) for row in columns
    )


@lru_cache(maxsize=1)
def _index() -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, notion in enumerate(_notions()):
        for language, words in notion.words.items():
            for word in words:
                if "-" not in word and "'" not in word:
                    folded = key(word)
                    for form in {folded, stem(folded, language)}:
                        found.setdefault(form, set()).add(number)
    return {form: frozenset(numbers) for form, numbers in found.items()}


@lru_cache(maxsize=16_384)
def notions(word_key: str) -> frozenset[int]:
    """The notions that a word stands for; empty for names and rare words."""
    index = _index()
    return frozenset[int]().union(*(index.get(form, frozenset[int]()) for form in stems(word_key)))


@lru_cache(maxsize=16_384)
def part_notions(word_key: str) -> frozenset[int]:
    """The notions of the parts of a compound: of its head (`onderhoudscontract` is a contract) and of its first part."""
    return _head_notions(word_key) | _first_notions(word_key)


def _head_notions(word_key: str) -> frozenset[int]:
    index = _index()
    heads = (form[at:] for form in stems(word_key) for at in range(3, len(form) - 3))
    return next((index[head] for head in heads if head in index), frozenset())


def _first_notions(word_key: str) -> frozenset[int]:
    index = _index()
    firsts = (form[:end] for form in stems(word_key) for end in range(len(form) - 3, _LEAST_PART - 1, -1))
    return next((index[first] for first in firsts if first in index), frozenset())


def said_in(word_key: str, language: str, most: int = 2) -> list[str]:
    """Up to `most` words for the notions of this word in another language (or synonyms in the same)."""
    numbers = sorted(notions(word_key) or part_notions(word_key))
    found = [word for number in numbers for word in _notions()[number].words[language][:most] if key(word) != word_key]
    return list(dict.fromkeys(found))[: most * 2]
