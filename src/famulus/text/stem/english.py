"""The Porter stemmer. Source: M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980, with his later `logi`."""

from __future__ import annotations

import re

_CONSONANT = "(?:[^aeiouy]|(?<=[aeiou])y|^y)"
_VOWEL = "(?:[aeiou]|(?<![aeiou])(?<!^)y)"
_MEASURE = re.compile(f"{_VOWEL}+{_CONSONANT}+")
_HAS_VOWEL = re.compile(_VOWEL)
_DOUBLE = re.compile(r"([^aeiouylsz])\1$")
_SHORT = re.compile(f"{_CONSONANT}{_VOWEL}[^aeiouwxy]$")

_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "bli": "ble", "alli": "al",
    "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al",
    "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble", "logi": "log",
}  # fmt: skip
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP_4 = re.compile(r"(?:al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|(?<=[st])ion|ou|ism|ate|iti|ous|ive|ize)$")
_ENDING_2 = re.compile("(" + "|".join(sorted(_STEP_2, key=len, reverse=True)) + ")$")
_ENDING_3 = re.compile("(" + "|".join(sorted(_STEP_3, key=len, reverse=True)) + ")$")


def stem(word: str) -> str:
    if len(word) <= 2:
        return word
    word = _plural(word)
    word = _past(word)
    if word.endswith("y") and _HAS_VOWEL.search(word[:-1]):
        word = word[:-1] + "i"
    word = _replace(word, _ENDING_2, _STEP_2)
    word = _replace(word, _ENDING_3, _STEP_3)
    return _tidy(_long_ending(word))


def _measure(word: str) -> int:
    return len(_MEASURE.findall(word))


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        base = word[: -len(ending)]
        if word.endswith(ending) and _HAS_VOWEL.search(base):
            return _repair(base)
    return word


def _repair(base: str) -> str:
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if _DOUBLE.search(base):
        return base[:-1]
    return base + "e" if _measure(base) == 1 and _SHORT.search(base) else base


def _replace(word: str, ending: re.Pattern[str], table: dict[str, str]) -> str:
    match = ending.search(word)
    if match is None or _measure(word[: match.start()]) == 0:
        return word
    return word[: match.start()] + table[match.group()]


def _long_ending(word: str) -> str:
    match = _STEP_4.search(word)
    return word[: match.start()] if match and _measure(word[: match.start()]) > 1 else word


def _tidy(word: str) -> str:
    if word.endswith("e"):
        base = word[:-1]
        if _measure(base) > 1 or (_measure(base) == 1 and not _SHORT.search(base)):
            word = base
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word
