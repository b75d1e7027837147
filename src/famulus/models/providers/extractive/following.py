"""A second question that points to the time of the first (`and afterwards?`), and the sentence that points to it with the same word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from famulus.models.providers.extractive.scored import Scored
from famulus.models.providers.extractive.situation import Seen
from famulus.models.providers.extractive.units import Unit

_POINTERS: Final = (
    re.compile(
        r"\b(?:after that|afterwards|thereafter|after it|subsequently|danach|anschlie(?:ss|ß)end|nachher|daarna|nadien|vervolgens|ensuite|par la suite|après cela)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:(?:during|in|within) (?:that|this) (?:time|period)|meanwhile|(?:in|während) dieser zeit|währenddessen|(?:in|tijdens) (?:die|deze) (?:tijd|periode)|intussen|pendant (?:cette période|ce temps))\b",
        re.IGNORECASE,
    ),
)
# The word stands at the beginning, or at the beginning of a clause.
_OPENS: Final = 40
KIND_ENOUGH: Final = 0.8
NEAR: Final = 3


def pointed_at(text: str, ranked: Sequence[Scored], seen: Seen, unit: Unit) -> Scored | None:
    """The next sentence after `unit` that opens with what the question `text` points with, and holds the kind of answer."""
    pointer = next((pattern for pattern in _POINTERS if pattern.search(text)), None)
    if pointer is None:
        return None
    after = [
        item
        for item in ranked
        if item.seen.n == seen.n
        and 0 < item.unit.place - unit.place <= NEAR
        and pointer.search(item.unit.text[:_OPENS])
        and (item.kind >= KIND_ENOUGH or not item.strict)
    ]
    return min(after, key=lambda item: item.unit.place, default=None)
