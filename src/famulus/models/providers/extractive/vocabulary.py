"""A small general vocabulary of four languages: which words stand for the same notion, and how a notion is said elsewhere.

`vocabulary.txt` holds common words, `places.txt` names of places. A word with `-` or `'` in it is an expression of several words;
a name of a place with `!` holds in its own language only, for elsewhere it is a common word or a name of people. A line that begins with
`=` lists words that are never cut, for their stem is that of another word (`Reis` of `Reise`, `repas` of `réparer`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final

from famulus.models.providers.extractive.forms import bases
from famulus.text.fold import key
from famulus.text.stem import stem, stems

LANGUAGES: Final = ("en", "de", "nl", "fr")
_LEAST_PART: Final = 5
# Endings of surnames too: a compound that ends so tells nothing by its end (`Hoffmann`, `Lindenberg`).
_NO_HEADS: Final = frozenset({"mann", "stein", "berg", "herr", "wald", "feld", "bach"})
_JOINT: Final = re.compile(r"[-'’.]+")
# What a place's own language makes of its name or adjective: `belgischen`, `londoner`, `belges`.
_PLACE_ENDINGS: Final = {
    "en": ("", "s"),
    "de": ("", "s", "e", "en", "er", "es", "em"),
    "nl": ("", "s", "e", "se", "en", "er"),
    "fr": ("", "s", "e", "es", "ne", "nes"),
}


@dataclass(frozen=True, slots=True)
class Notion:
    """One line of the vocabulary: its words per language, the most usual one first."""

    words: dict[str, tuple[str, ...]]


@lru_cache(maxsize=2)
def _lines(name: str) -> tuple[str, ...]:
    text = files(__package__ or __name__).joinpath(name).read_text("utf-8")
    return tuple(line for line in text.splitlines() if line and not line.startswith("#"))


def _columns(line: str) -> dict[str, tuple[str, ...]]:
    return {language: tuple(cell.split()) for language, cell in zip(LANGUAGES, line.split("|"), strict=True)}


@lru_cache(maxsize=2)
def _read(name: str) -> tuple[Notion, ...]:
    return tuple(Notion(_columns(line)) for line in _lines(name) if not line.startswith("="))


@lru_cache(maxsize=1)
def _never_cut() -> dict[str, frozenset[str]]:
    """Of each language the keys of words that only stand for themselves."""
    rows = [_columns(line[1:]) for line in _lines("vocabulary.txt") if line.startswith("=")]
    return {language: frozenset(key(word) for row in rows for word in row[language]) for language in LANGUAGES}


@lru_cache(maxsize=1)
def _notions() -> tuple[Notion, ...]:
    """All notions; their places here are their numbers."""
    return (*_read("vocabulary.txt"), *_read("places.txt"))


@lru_cache(maxsize=1)
def _first_place() -> int:
    return len(_read("vocabulary.txt"))


def _is_expression(word: str) -> bool:
    return _JOINT.search(word) is not None


@lru_cache(maxsize=8)
def _index(language: str | None) -> dict[str, frozenset[int]]:
    """Common notions by stem, of one language or (None) of all: `location` is a place in English and a rent in French."""
    found: dict[str, set[int]] = {}
    for own in (language,) if language else LANGUAGES:
        for word, numbers in _plain_words(own).items():
            written = key(word)
            if written in _never_cut()[own]:
                continue
            # A stem costs most of this: one for each word.
            plural = written.endswith("s") and len(written) > 4
            for form in {written, stem(written, own), written[:-1] if plural else written}:
                found.setdefault(form, set()).update(numbers)
    return {form: frozenset(numbers) for form, numbers in found.items()}


@lru_cache(maxsize=8)
def _whole_words(language: str | None) -> dict[str, frozenset[int]]:
    """The notions of the words that are never cut."""
    return {
        key(word): frozenset(numbers)
        for word, numbers in (_plain_words(language).items() if language else ())
        if key(word) in _never_cut()[language or ""]
    }


def _plain_words(language: str) -> dict[str, list[int]]:
    """The common words of one language that are no expressions, each with its notions."""
    found: dict[str, list[int]] = {}
    for number, notion in enumerate(_read("vocabulary.txt")):
        for word in notion.words[language]:
            found.setdefault(word, []).append(number)
    return {word: numbers for word, numbers in found.items() if not _is_expression(word)}


@lru_cache(maxsize=8)
def _place_index(language: str | None) -> dict[str, frozenset[int]]:
    """Places by name: in every language all their names, for a text may keep the local one; not by stem, for names are no words."""
    found: dict[str, set[int]] = {}
    for number, notion in enumerate(_read("places.txt"), start=_first_place()):
        for own, words in notion.words.items():
            endings = _PLACE_ENDINGS[own] if language in (None, own) else ("",)
            for word in words:
                if _is_expression(word) or (word.endswith("!") and language not in (None, own)):
                    continue
                for ending in endings:
                    found.setdefault(key(word.rstrip("!")) + ending, set()).add(number)
    return {form: frozenset(numbers) for form, numbers in found.items()}


@lru_cache(maxsize=8)
def _expressions(language: str | None) -> dict[str, tuple[tuple[tuple[str, ...], int], ...]]:
    """Expressions by the stem of their first word: the stems of the others, and the notion."""
    found: dict[str, list[tuple[tuple[str, ...], int]]] = {}
    for number, notion in enumerate(_notions()):
        for own, words in notion.words.items():
            if language in (None, own) or number >= _first_place():
                for word in filter(_is_expression, words):
                    first, *rest = (stem(key(part), language) for part in _JOINT.split(word) if part)
                    if rest:
                        found.setdefault(first, []).append((tuple(rest), number))
    return {first: tuple(rests) for first, rests in found.items()}


def expressions(keys: Sequence[str], language: str | None = None) -> Iterator[tuple[int, int, int]]:
    """Begin, end and notion of each expression among these words in order (`open day`, `portes ouvertes`)."""
    known = _known(language)
    index = _expressions(known)
    stemmed = [stem(word, known) for word in keys]
    for at, first in enumerate(stemmed):
        for rest, number in index.get(first, ()):
            end = at + 1 + len(rest)
            if tuple(stemmed[at + 1 : end]) == rest:
                yield at, end, number


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
    """The notions that a word of this language stands for; empty for most names and for rare words."""
    if (whole := _whole_words(_known(language)).get(word_key)) is not None:
        return whole | places(word_key, language)
    index = _index(_known(language))
    found = frozenset[int]().union(*(index.get(form, frozenset[int]()) for form in _forms(word_key, language)))
    if not found and language is not None:
        origins = (form for base in bases(word_key, language) for form in _forms(base, language))
        found = next((index[form] for form in origins if form in index), found)
    return found | places(word_key, language)


def places(word_key: str, language: str | None = None) -> frozenset[int]:
    """The places that a word of this language names (`Keulen`, `Cologne`), or whose adjective it is."""
    return _place_index(_known(language)).get(word_key, frozenset[int]())


def is_place(number: int) -> bool:
    """True when this notion is a place."""
    return number >= _first_place()


@lru_cache(maxsize=32_768)
def part_notions(word_key: str, language: str | None = None) -> frozenset[int]:
    """The notions of the parts of a compound: of its head (`onderhoudscontract` is a contract) and of its first part."""
    index, forms = _index(_known(language)), _forms(word_key, language)
    heads = (form[at:] for form in forms for at in range(3, len(form) - 3))
    firsts = (form[:end] for form in forms for end in range(len(form) - 3, _LEAST_PART - 1, -1))
    head = next((index[part] for part in heads if part in index and part not in _NO_HEADS), frozenset[int]())
    return head | next((index[part] for part in firsts if part in index), frozenset[int]())


def said_in(word_key: str, source: str, language: str, most: int = 2) -> list[str]:
    """Up to `most` words in `language` for the notions of this word of the language `source`."""
    numbers = sorted(notions(word_key, source) or part_notions(word_key, source))
    told = (word.rstrip("!") for number in numbers for word in _notions()[number].words[language][:most])
    found = [word for word in told if key(word) != word_key]
    return list(dict.fromkeys(found))[: most * 2]
