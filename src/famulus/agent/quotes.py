"""Which sentences of a passage back a sentence of the answer: what a reader is shown when a citation is opened."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from famulus.agent.support import holds, keys_of, words_of
from famulus.text.sentences import sentences

# A further sentence of the passage is shown for so many words of the answer's that those before it do not hold.
_MORE: Final = 2
_MOST: Final = 3
_LEAST: Final = 0.3
# A row of a sheet: `header: value; header: value`.
_RECORD: Final = re.compile(r"^[^:;\n]{1,80}: [^\n]*; [^:;\n]{1,80}: [^\n]*$", re.MULTILINE)


def backing(sentence: str, passage: str) -> list[tuple[int, int]]:
    """(start, end) in the passage of the few sentences that hold most words of the answer's, in order; empty when none holds enough."""
    words = words_of(sentence)
    left = set(range(len(words)))
    found: list[tuple[int, int]] = []
    units = _units(passage)
    while left and len(found) < _MOST:
        held = [{number for number in left if holds(keys, words[number])} for _, _, keys in units]
        # Of two that hold as much, the one that says less besides: it is the one that was cited.
        best = max(range(len(units)), key=lambda place: (len(held[place]), -len(units[place][2])), default=None)
        if best is None or len(held[best]) < (_MORE if found else max(1.0, _LEAST * len(words))):
            break
        found.append(units[best][:2])
        left -= held[best]
    return sorted(found)


@lru_cache(maxsize=256)
def _units(passage: str) -> tuple[tuple[int, int, frozenset[str]], ...]:
    return tuple((start, end, keys_of(passage[start:end])) for start, end in _spans(passage))


def _spans(passage: str) -> Iterator[tuple[int, int]]:
    """The sentences; where lines are rows of a sheet, each row is one."""
    for unit in sentences(passage):
        rows = list(_RECORD.finditer(unit.text))
        if len(rows) < 2:
            yield unit.start, unit.end
        else:
            yield from ((unit.start + row.start(), unit.start + row.end()) for row in rows)
