"""Dutch endings on folded words. Source: the steps of the Snowball stemmer `dutch`, joined and without its last rare cases."""

from __future__ import annotations

import re

_R1 = re.compile(r"[aeiouy][^aeiouy]")
_DOUBLE_CONSONANT = re.compile(r"(kk|dd|tt|ff|ss|ll|mm|nn|pp|rr|bb|gg)$")
_DOUBLE_VOWEL = re.compile(r"([^aeiouy])(aa|ee|oo|uu)([^aeiouy])$")


def _region(word: str, start: int) -> int:
    match = _R1.search(word, start)
    return match.end() if match else len(word)


def stem(word: str) -> str:
    first = max(_region(word, 0), 3)
    second = _region(word, first)
    word = _inflection(word, first)
    word = _derivation(word, first, second)
    word = re.sub("v$", "f", re.sub("z$", "s", word))
    return _DOUBLE_VOWEL.sub(lambda match: match[1] + match[2][0] + match[3], word)


def _undouble(word: str) -> str:
    return word[:-1] if _DOUBLE_CONSONANT.search(word) else word


def _inflection(word: str, first: int) -> str:
    if word.endswith("heden") and len(word) - 5 >= first:
        return word[:-5] + "heid"
    for ending in ("ene", "en", "se", "s", "e"):
        if not word.endswith(ending):
            continue
        base = word[: -len(ending)]
        if len(base) < first or not base or base[-1] in "aeiouy" or (ending.endswith("s") and base[-1] == "j"):
            return word
        return base if ending in ("s", "se") else _undouble(base)
    return word


def _derivation(word: str, first: int, second: int) -> str:
    if word.endswith("heid") and len(word) - 4 >= second and not word.endswith("cheid"):
        return word[:-4]
    for ending in ("lijk", "baar", "ing", "end", "ig"):
        if word.endswith(ending) and len(word) - len(ending) >= second:
            base = word[: -len(ending)]
            return base if ending in ("lijk", "baar") else _undouble(base)
    if word.endswith("tj") and len(word) - 2 >= first:
        return word[:-2]
    return word
