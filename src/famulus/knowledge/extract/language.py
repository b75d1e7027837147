"""The language of a whole document: samples of it, put to the small statistical model of `text/language`."""

from __future__ import annotations

import re

from famulus.text.language import LABEL, language_model

_SAMPLE_CHARS = 600
_MIN_LETTERS = 20
_MIN_SCORE = 0.45
_NOISE = re.compile(r"[\d\W_]+")


def detect_language(text: str) -> str | None:
    """ISO 639-1 code, or None for texts that are too short, too mixed, or in a language without such a code."""
    model = language_model()
    samples = [sample for sample in _samples(text) if len(sample) >= _MIN_LETTERS]
    if model is None or not samples:
        return None
    votes: dict[str, float] = {}
    for sample in samples:
        labels, scores = model.predict(sample, k=1, threshold=0.0)
        if labels:
            votes[labels[0]] = votes.get(labels[0], 0.0) + float(scores[0])
    label, score = max(votes.items(), key=lambda item: item[1], default=("", 0.0))
    code = label.removeprefix(LABEL)
    return code if len(code) == 2 and score / len(samples) >= _MIN_SCORE else None


def _samples(text: str) -> list[str]:
    """Words of the beginning, the middle and a later part: title pages are often in another language."""
    starts = {0, len(text) // 2, len(text) * 4 // 5} if len(text) > _SAMPLE_CHARS * 3 else {0}
    pieces = (text[start : start + _SAMPLE_CHARS * 2] for start in sorted(starts))
    return [_lowered(_NOISE.sub(" ", piece).strip()[:_SAMPLE_CHARS]) for piece in pieces]


def _lowered(text: str) -> str:
    """The model takes capitals for Japanese; only mostly capital text is lowered, German nouns keep theirs."""
    return text.lower() if sum(char.isupper() for char in text) > len(text) * 0.5 else text
