"""German endings on folded words. Source: Snowball stemmer `german` without its umlaut steps; R1 begins after three letters."""

from __future__ import annotations

import re

_R1 = re.compile(r"[aeiouy][^aeiouy]")
_VALID_S = frozenset("bdfghklmnrt")
_VALID_ST = frozenset("bdfghklmnt")


def _region(word: str, start: int) -> int:
    match = _R1.search(word, start)
    return match.end() if match else len(word)


def stem(word: str) -> str:
    first = _region(word, 0)
    second = _region(word, first)
    first = max(first, 3)
    word = _inflection(word, first)
    word = _comparison(word, first)
    return _derivation(word, first, second)


def _cut(word: str, endings: tuple[str, ...], region: int) -> str | None:
    for ending in endings:
        if word.endswith(ending):
            return word[: -len(ending)] if len(word) - len(ending) >= region else None
    return None


def _inflection(word: str, first: int) -> str:
    for ending in ("ern", "em", "er", "en", "es", "e"):
        if not word.endswith(ending):
            continue
        if len(word) - len(ending) < first:
            return word
        word = word[: -len(ending)]
        return word[:-1] if ending in ("en", "es", "e") and word.endswith("niss") else word
    if word.endswith("s") and len(word) - 1 >= first and word[-2] in _VALID_S:
        return word[:-1]
    return word


def _comparison(word: str, first: int) -> str:
    cut = _cut(word, ("est", "er", "en"), first)
    if cut is not None:
        return cut
    if word.endswith("st") and len(word) - 2 >= first and len(word) >= 6 and word[-3] in _VALID_ST:
        return word[:-2]
    return word


def _derivation(word: str, first: int, second: int) -> str:
    for ending in ("end", "ung", "isch", "ig", "ik", "lich", "heit", "keit"):
        if not word.endswith(ending) or len(word) - len(ending) < second:
            continue
        base = word[: -len(ending)]
        if ending in ("ig", "ik", "isch") and base.endswith("e"):
            return word
        return _after_derivation(base, ending, first, second)
    return word


def _after_derivation(base: str, ending: str, first: int, second: int) -> str:
    extra: dict[str, tuple[tuple[str, ...], int]] = {
        "end": (("ig",), second),
        "ung": (("ig",), second),
        "lich": (("er", "en"), first),
        "heit": (("er", "en"), first),
        "keit": (("lich", "ig"), second),
    }
    endings, region = extra.get(ending, ((), 0))
    cut = _cut(base, endings, region)
    return base if cut is None else cut
