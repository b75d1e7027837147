"""A word segment ready to be written: all that takes long about adding chunks, without a database. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from famulus.knowledge.index.base import IndexedChunk
from famulus.knowledge.index.postings import Postings, collect, merge, to_blocks
from famulus.knowledge.index.segments import Columns, Head, in_row_order, make_head
from famulus.text.analysis import index_keys, index_language

# Words of a title or a heading say more about a chunk than words of its text. Tuned on SciFact's training questions.
TITLE_WEIGHT = 1.5
CONTEXT_WEIGHT = 1.0
# Bounds what the counted words of chunks take in memory before they are packed.
_SLICE = 1_024


@dataclass(frozen=True, slots=True)
class Prepared:
    """One segment of one tenant; `keys` are its distinct index keys."""

    head: Head
    columns: Columns
    blocks: list[bytes]
    keys: frozenset[str]


def prepare(chunks: Sequence[IndexedChunk]) -> Prepared:
    """The segment of these chunks: at most as many as a segment may hold, all of one tenant."""
    ordered = in_row_order(chunks)
    keys: set[str] = set()
    lengths: list[int] = []
    parts: list[tuple[Postings, NDArray[np.int64]]] = []
    for start, counted in _slices(ordered):
        keys.update(key for counts in counted for key in counts)
        lengths += [min(65_535, max(1, round(sum(counts.values())))) for counts in counted]
        parts.append((collect(counted), np.arange(start, start + len(counted))))
    postings = parts[0][0] if len(parts) == 1 else merge(parts)
    head, columns = make_head(ordered)
    return packed(head, columns, postings, np.array(lengths, np.uint16), frozenset(keys))


def packed(
    head: Head, columns: Columns, postings: Postings, lengths: NDArray[np.uint16], keys: frozenset[str]
) -> Prepared:
    """The segment in the form in which it is stored: lengths of the rows and first keys of the blocks go into the head."""
    blocks, first = to_blocks(postings)
    raw = lengths.tobytes()
    extra = raw.ljust(padded(len(raw)), b"\0") + first.tobytes()
    return Prepared(msgspec.structs.replace(head, extra=extra), columns, blocks, keys)


def padded(size: int) -> int:
    """The next multiple of eight, so that the arrays behind lie aligned."""
    return -(-size // 8) * 8


def _slices(chunks: Sequence[IndexedChunk]) -> Iterator[tuple[int, list[dict[str, float]]]]:
    for start in range(0, len(chunks), _SLICE):
        yield start, [_weighted_keys(chunk) for chunk in chunks[start : start + _SLICE]]


def _weighted_keys(chunk: IndexedChunk) -> dict[str, float]:
    language = index_language(chunk.text)
    counts = {key: float(count) for key, count in index_keys(chunk.text, language).items()}
    for field, weight in ((chunk.title, TITLE_WEIGHT), (chunk.context, CONTEXT_WEIGHT)):
        if not field:
            continue
        for key, count in index_keys(field, language).items():
            counts[key] = counts.get(key, 0.0) + count * weight
    return counts
