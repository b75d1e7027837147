"""Words of a text with their places, in any script; identifiers (`MAX_RETRY_COUNT`, `v2.3.1`) as a whole and in parts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from famulus.text.fold import key

Kind = Literal["word", "identifier", "characters"]

# Vowel signs and accents that are letters to a reader but not to `\w`.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0903\u093a-\u094f\u0981-\u0983\u09bc-\u09cd\u0b3c-\u0b4d\u0bbe-\u0bcd"
# Scripts written without spaces between words: searched by single characters and pairs.
_UNSPACED = "㐀-䶿一-鿿豈-﫿぀-ヿㇰ-ㇿㄱ-ㆎ가-힣\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\U00020000-\U0003ffff"
RUN = re.compile(f"[\\w{_MARKS}]+")
_PIECE = re.compile(f"[{_UNSPACED}]+|[^_{_UNSPACED}]+")
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")
_CAMEL = re.compile(r"[a-zà-ÿ0-9](?=[A-ZÀ-Þ][a-zà-ÿ])|[a-zà-ÿ](?=[A-ZÀ-Þ])")
_DIGIT = re.compile(r"[\d_]")
_SPACE = re.compile(r"\s")
_JOINED = re.compile(f"[^\\W_](?:[\\w{_MARKS}]|[-./:@+#](?=\\w))*")
_NAME_THEN_NUMBER = re.compile(r"\b([A-Z][A-Za-z]{0,7}|§)\s(\d[\w.-]*\w|\d)")
_MAX_WORD = 64


@dataclass(frozen=True, slots=True)
class Word:
    """`text[start:end]` as written, and its comparison key. Words may overlap: an identifier lies over its parts."""

    key: str
    start: int
    end: int
    kind: Kind = "word"


def words(text: str) -> Iterator[Word]:
    """The plain words of `text` in order, without identifiers as wholes; what sentences are compared by."""
    for match in RUN.finditer(text):
        at = match.start()
        for part_key, start, end, kind in run_parts(match.group()):
            yield Word(part_key, at + start, at + end, kind)


def all_words(text: str) -> Iterator[Word]:
    """Plain words, then the parts of `camelCase` names, then identifiers as wholes; each with its place."""
    yield from words(text)
    for match in RUN.finditer(text):
        for part_key, start, end in camel_parts(match.group()):
            yield Word(part_key, match.start() + start, match.start() + end)
    yield from identifiers(text)


def identifiers(text: str) -> Iterator[Word]:
    """Names that must be found exactly as written: with digits, underscores or joints inside, or a name and its number."""
    for start, end in _candidates(text):
        for match in _JOINED.finditer(text, start, end):
            whole = match.group()
            if len(whole) <= 2 * _MAX_WORD and _is_identifier(whole):
                yield Word("=" + key(whole), match.start(), match.end(), "identifier")
    for match in _NAME_THEN_NUMBER.finditer(text):
        yield Word("=" + key(match[1]) + " " + key(match[2]), match.start(), match.end(), "identifier")


def _candidates(text: str) -> Iterator[tuple[int, int]]:
    """Places of the unspaced pieces that hold a digit or an underscore: only they may hold an identifier."""
    end = 0
    for match in _DIGIT.finditer(text):
        if match.start() < end:
            continue
        before = text[end : match.start()]
        start = match.start() - len(before.split()[-1]) if before and not before[-1].isspace() else match.start()
        after = _SPACE.search(text, match.end())
        end = after.start() if after else len(text)
        yield start, end


@lru_cache(maxsize=65_536)
def run_parts(run: str) -> tuple[tuple[str, int, int, Kind], ...]:
    """Key, start, end and kind of each word in one unbroken run of word characters."""
    parts: list[tuple[str, int, int, Kind]] = []
    for piece in _PIECE.finditer(run):
        if _IS_UNSPACED.match(piece.group()):
            parts += _characters(piece.group(), piece.start())
        elif folded := key(piece.group()[:_MAX_WORD]):
            parts.append((folded, piece.start(), piece.end(), "word"))
    return tuple(parts)


@lru_cache(maxsize=65_536)
def camel_parts(run: str) -> tuple[tuple[str, int, int], ...]:
    """Key, start and end of each part of a `camelCase` name; empty for any other run."""
    cuts = [] if run.islower() or run.isupper() else [match.end() for match in _CAMEL.finditer(run)]
    if not cuts:
        return ()
    return tuple((key(run[start:end]), start, end) for start, end in zip([0, *cuts], [*cuts, len(run)], strict=True))


def _is_identifier(whole: str) -> bool:
    """True for `v2.3.1`, `A-17`, `max_retries`, `10.1000/xyz`; False for `rent-free`, `3.5`, `und/oder` and plain numbers."""
    if "_" in whole:
        return True
    has_digit = any(character.isdigit() for character in whole)
    has_letter = any(character.isalpha() for character in whole)
    joints = sum(not character.isalnum() for character in whole)
    return has_digit and (has_letter or joints >= 2)


def _characters(run: str, at: int) -> Iterator[tuple[str, int, int, Kind]]:
    for index, character in enumerate(run):
        yield key(character), at + index, at + index + 1, "characters"
        if index + 1 < len(run):
            yield key(run[index : index + 2]), at + index, at + index + 2, "characters"
