"""Sizes that are written from one number to another (`torque wrench 40-200 Nm`): a name of the thing, nothing to multiply with."""

from __future__ import annotations

import re
from typing import Final

_RANGE: Final = re.compile(r"(?<![\d-])(\d+(?:[.,]\d+)?)\s?[-–]\s?(\d+(?:[.,]\d+)?)(?![\d-])")


def within_range(text: str, at: int) -> bool:
    """True for a place inside such a size."""
    return any(match.start() <= at < match.end() for match in _RANGE.finditer(text))


def of_another_range(text: str, question: str) -> bool:
    """True when the question gives such a size, and the text has only others."""
    asked, said = set(_RANGE.findall(question)), set(_RANGE.findall(text))
    return bool(asked and said) and not asked & said
