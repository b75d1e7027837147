"""French endings on folded words. Source: J. Savoy, "Light stemming approaches for the French, Portuguese, German and
Hungarian languages", SAC 2006, shortened to the rules that join frequent forms."""

from __future__ import annotations

import re

_RULES: tuple[tuple[str, int, str], ...] = (
    ("issement", 10, "ir"),
    ("issant", 8, "ir"),
    ("ements", 9, "e"),
    ("ement", 8, "e"),
    ("ivements", 10, "if"),
    ("ivement", 9, "if"),
    ("icatrice", 10, "iqu"),
    ("atrice", 9, ""),
    ("ateur", 8, ""),
    ("ations", 9, ""),
    ("ation", 8, ""),
    ("ences", 7, "ent"),
    ("ence", 6, "ent"),
    ("ances", 8, "ant"),
    ("ance", 7, "ant"),
    ("euses", 7, "eur"),
    ("euse", 6, "eur"),
    ("rices", 8, "eur"),
    ("rice", 7, "eur"),
    ("iques", 7, "iqu"),
    ("ique", 6, "iqu"),
    ("ives", 6, "if"),
    ("ive", 5, "if"),
    ("aient", 8, ""),
    ("eront", 8, ""),
    ("erait", 8, ""),
)
_DOUBLED = re.compile(r"([^aeiou])\1$")


def stem(word: str) -> str:
    if len(word) > 4 and word.endswith("x"):
        word = word[:-3] + "al" if word.endswith("aux") and len(word) > 5 else word[:-1]
    for ending, least, replacement in _RULES:
        if len(word) >= least and word.endswith(ending):
            return _tidy(word[: -len(ending)] + replacement)
    return _tidy(word)


def _tidy(word: str) -> str:
    """The endings of number, gender and the regular verb."""
    if len(word) > 3 and word.endswith("s"):
        word = word[:-1]
    if len(word) > 5 and word.endswith(("er", "ez")):
        word = word[:-2]
    if len(word) > 4 and word.endswith("r"):
        word = word[:-1]
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    if len(word) > 4 and word.endswith("e"):
        word = word[:-1]
    return _DOUBLED.sub(r"\1", word) if len(word) > 4 else word
