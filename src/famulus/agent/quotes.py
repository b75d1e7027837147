"""Which sentences of a passage back a sentence of the answer: what a reader is shown when a citation is opened."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from famulus.agent.support import holds, keys_of, words_of
from famulus.text.sentences import sentences

# A further sentence of the passage is shown for so many words of the answer's that those before it do not hold.
_MORE: Final = 2
_MOST: Final = 3
_LEAST: Final = 0.3


def backing(sentence: str, passage: str) -> list[tuple[int, int]]:
    """(start, end) in the passage of the few sentences that hold most words of the answer's, in order; empty when none holds enough."""
    words = words_of(sentence)
    left = set(range(len(words)))
    found: list[tuple[int, int]] = []
    units = _units(passage)
    while left and len(found) < _MOST:
        held = [{number for number in left if holds(keys, words[number])} for _, _, keys in units]
        best = max(range(len(units)), key=lambda place: len(held[place]), default=None)
        if best is None or len(held[best]) < (_MORE if found else max(1.0, _LEAST * len(words))):
            break
        found.append(units[best][:2])
        left -= held[best]
    return sorted(found)


@lru_cache(maxsize=256)
def _units(passage: str) -> tuple[tuple[int, int, frozenset[str]], ...]:
    return tuple((unit.start, unit.end, keys_of(unit.text)) for unit in sentences(passage))
