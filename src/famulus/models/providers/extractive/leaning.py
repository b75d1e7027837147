"""Sentences that lean on the one before them: `This halves it` says nothing to whoever has not read what `this` is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from famulus.models.providers.extractive.judge import Scored

# Words of pointing only: articles that look alike (German `das`, Dutch `het`) and `it is …` begin sentences of their own.
_POINTING: Final = re.compile(
    r"(?:this|these|those|they|he|she|each (?:has|is|of)|both"
    r"|dies|diese[rsmn]?|sie|er|beide"
    r"|dit|dat|deze|die|zij|ze|hij"
    r"|ce|cet|cette|ces|cela|ceci|elles?|ils?)\b",
    re.IGNORECASE,
)


def leans(item: Scored, picks: Sequence[Scored]) -> bool:
    """True for a sentence that points back to something of which nothing is said: no pick is of its passage."""
    if item.unit.cells or not _POINTING.match(item.unit.text):
        return False
    return all(pick.seen.n != item.seen.n for pick in picks)
