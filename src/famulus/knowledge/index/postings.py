"""Word postings of one segment as compact blocks: hashed key → rows and how often. Pure; `keyword.py` stores and scores them.

A key is kept as a 64-bit hash: two of a million keys collide with a chance of 3 in 100 million, and blocks stay plain arrays.
Block layout, little-endian: number of keys, number of postings (uint32), hashes ascending (uint64), end of each key's
postings (uint32), rows (uint16), weights (uint8).
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

BLOCK_BYTES = 4_096
# Weights are stored in halves, so that a field can count 1.5.
WEIGHT_UNIT = 0.5


@lru_cache(maxsize=262_144)
def key_hash(key: str) -> int:
    """Unsigned 64-bit hash of an index key, the same on every machine."""
    return int.from_bytes(hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


@dataclass(frozen=True, slots=True)
class Postings:
    """All postings of a segment, sorted by hash: parallel arrays, one entry for each (key, row)."""

    hashes: NDArray[np.uint64]
    rows: NDArray[np.uint16]
    weights: NDArray[np.uint8]


NO_POSTINGS = Postings(np.empty(0, np.uint64), np.empty(0, np.uint16), np.empty(0, np.uint8))


def collect(rows: Sequence[Mapping[str, float]]) -> Postings:
    """Postings of chunks given as key → weighted count, in row order."""
    hashes = np.array([key_hash(key) for counts in rows for key in counts], np.uint64)
    weights = np.array([count for counts in rows for count in counts.values()], np.float32)
    sizes = [len(counts) for counts in rows]
    places = np.repeat(np.arange(len(rows), dtype=np.uint16), sizes)
    return _sorted(hashes, places, np.clip(np.rint(weights / WEIGHT_UNIT), 1, 255).astype(np.uint8))


def merge(parts: Sequence[tuple[Postings, NDArray[np.int64]]]) -> Postings:
    """Postings of several segments as one. Each comes with the new position of each of its rows, -1 for a row to drop."""
    hashes: list[NDArray[np.uint64]] = []
    rows: list[NDArray[np.uint16]] = []
    weights: list[NDArray[np.uint8]] = []
    for postings, position in parts:
        place = position[postings.rows]
        kept = place >= 0
        hashes.append(postings.hashes[kept])
        rows.append(place[kept].astype(np.uint16))
        weights.append(postings.weights[kept])
    return _sorted(np.concatenate(hashes), np.concatenate(rows), np.concatenate(weights))


def _sorted(hashes: NDArray[np.uint64], rows: NDArray[np.uint16], weights: NDArray[np.uint8]) -> Postings:
    order = np.argsort(hashes, kind="stable")
    return Postings(hashes[order], rows[order], weights[order])


def to_blocks(postings: Postings) -> tuple[list[bytes], NDArray[np.uint64]]:
    """Blocks of about 4 KB, cut between keys, and the first hash of each."""
    keys, counts = np.unique(postings.hashes, return_counts=True)
    if not len(keys):
        return [], np.empty(0, np.uint64)
    ends = np.cumsum(counts)
    size = np.cumsum(12 + 3 * counts)
    chunk = (size - 1) // BLOCK_BYTES
    first_key = np.flatnonzero(np.r_[True, chunk[1:] != chunk[:-1]])
    blocks: list[bytes] = []
    for start, stop in zip(first_key.tolist(), [*first_key.tolist()[1:], len(keys)], strict=True):
        low = int(ends[start - 1]) if start else 0
        high = int(ends[stop - 1])
        header = np.array([stop - start, high - low], np.uint32).tobytes()
        relative = (ends[start:stop] - low).astype(np.uint32).tobytes()
        body = postings.rows[low:high].tobytes() + postings.weights[low:high].tobytes()
        blocks.append(header + keys[start:stop].tobytes() + relative + body)
    return blocks, keys[first_key]


@dataclass(frozen=True, slots=True)
class Block:
    """One decoded block. A single key is found faster without an array: its hashes and ends are views that give plain integers."""

    hashes: memoryview[int]
    ends: memoryview[int]
    rows: NDArray[np.uint16]
    weights: NDArray[np.uint8]

    def find(self, wanted: int) -> tuple[NDArray[np.uint16], NDArray[np.uint8]] | None:
        """Rows and weights of the key with this hash; None when it is not here."""
        place = bisect_left(self.hashes, wanted)
        if place == len(self.hashes) or self.hashes[place] != wanted:
            return None
        low = self.ends[place - 1] if place else 0
        high = self.ends[place]
        return self.rows[low:high], self.weights[low:high]


def decode(block: bytes) -> Block:
    view = memoryview(block)
    keys, count = view[:8].cast("I")
    hashes = view[8 : 8 + 8 * keys].cast("Q")
    ends = view[8 + 8 * keys : 8 + 12 * keys].cast("I")
    rows = np.frombuffer(block, np.uint16, count, 8 + 12 * keys)
    weights = np.frombuffer(block, np.uint8, count, 8 + 12 * keys + 2 * count)
    return Block(hashes, ends, rows, weights)


def from_blocks(blocks: Iterable[bytes]) -> Postings:
    """The inverse of `to_blocks`."""
    decoded = [decode(block) for block in blocks]
    if not decoded:
        return NO_POSTINGS
    return Postings(
        np.concatenate(
            [np.repeat(np.asarray(block.hashes), np.diff(block.ends, prepend=np.uint32(0))) for block in decoded]
        ),
        np.concatenate([block.rows for block in decoded]),
        np.concatenate([block.weights for block in decoded]),
    )
