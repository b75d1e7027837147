"""A text as the keyword index stores it: the keys of its words with how often each occurs."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from famulus.text.language import guess_language
from famulus.text.stem import stem
from famulus.text.words import RUN, camel_parts, identifiers, run_parts


def index_keys(text: str, language: str | None) -> Counter[str]:
    """Stemmed keys of all words, and identifiers as wholes under a key that begins with `=`.

    The same keys that `all_words` gives, counted by distinct spelling first: a text repeats itself.
    """
    counts: Counter[str] = Counter()
    for run, times in Counter(RUN.findall(text)).items():
        for each in _run_keys(run, language):
            counts[each] += times
    counts.update(word.key for word in identifiers(text))
    return counts


def index_language(text: str) -> str | None:
    """The language whose endings are cut in `text`."""
    return guess_language(text)


@lru_cache(maxsize=131_072)
def _run_keys(run: str, language: str | None) -> tuple[str, ...]:
    plain = [part if kind != "word" else stem(part, language) for part, _, _, kind in run_parts(run)]
    return (*plain, *(stem(part, language) for part, _, _ in camel_parts(run)))
