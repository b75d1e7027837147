"""Light stemming: the endings of four languages cut so that the forms of one word meet."""

from __future__ import annotations

from functools import lru_cache

from famulus.text.stem import dutch, english, french, german

STEMMERS = {"en": english.stem, "de": german.stem, "nl": dutch.stem, "fr": french.stem}


@lru_cache(maxsize=131_072)
def stem(key: str, language: str | None) -> str:
    """The stem of a word's key; the key itself in languages without rules here, and for anything with a digit."""
    stemmer = STEMMERS.get(language or "")
    return stemmer(key) if stemmer and key.isalpha() and key.isascii() else key


@lru_cache(maxsize=32_768)
def stems(key: str) -> tuple[str, ...]:
    """The key and its stems in every language, without repeats: what a question must look for, whatever its language."""
    return tuple(dict.fromkeys([key, *(stem(key, language) for language in STEMMERS)]))
