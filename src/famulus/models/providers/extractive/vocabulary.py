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


@lru_cache(maxsize=8)
def _index(language: str | None) -> dict[str, frozenset[int]]:
    """Notions by stem, of one language or (None) of all: `location` is a place in English and a rent in French."""
    found: dict[str, set[int]] = {}
    for number, notion in enumerate(_notions()):
        for own, words in notion.words.items():
            if language is not None and own != language:
                continue
            for word in words:
                if "-" not in word and "'" not in word:
                    for form in _forms(key(word), own):
                        found.setdefault(form, set()).add(number)
    return {form: frozenset(numbers) for form, numbers in found.items()}


@lru_cache(maxsize=32_768)
def _forms(word_key: str, language: str | None) -> tuple[str, ...]:
    """The word, its stem, and both without a plural `s`; with no language its stems in all of them."""
    if _known(language) is None:
        return stems(word_key)
    found = [word_key, stem(word_key, language)]
    if word_key.endswith("s") and len(word_key) > 4:
        found += [word_key[:-1], stem(word_key[:-1], language)]
    return tuple(dict.fromkeys(found))


def _known(language: str | None) -> str | None:
    return language if language in LANGUAGES else None


@lru_cache(maxsize=32_768)
def notions(word_key: str, language: str | None = None) -> frozenset[int]:
    """The notions that a word of this language stands for; empty for names and rare words."""
    index = _index(_known(language))
    return frozenset[int]().union(*(index.get(form, frozenset[int]()) for form in _forms(word_key, language)))


@lru_cache(maxsize=32_768)
def part_notions(word_key: str, language: str | None = None) -> frozenset[int]:
    """The notions of the parts of a compound: of its head (`onderhoudscontract` is a contract) and of its first part."""
    index, forms = _index(_known(language)), _forms(word_key, language)
    heads = (form[at:] for form in forms for at in range(3, len(form) - 3))
    firsts = (form[:end] for form in forms for end in range(len(form) - 3, _LEAST_PART - 1, -1))
    head = next((index[part] for part in heads if part in index), frozenset[int]())
    return head | next((index[part] for part in firsts if part in index), frozenset[int]())


def said_in(word_key: str, source: str, language: str, most: int = 2) -> list[str]:
    """Up to `most` words in `language` for the notions of this word of the language `source`."""
    numbers = sorted(notions(word_key, source) or part_notions(word_key, source))
    found = [word for number in numbers for word in _notions()[number].words[language][:most] if key(word) != word_key]
    return list(dict.fromkeys(found))[: most * 2]
