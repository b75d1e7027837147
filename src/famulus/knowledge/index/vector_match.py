"""A scope made ready for a question's vector: all that can be read and gathered before the vector is there.

The embedder works on a question for longer than the words take, so what is done here costs a search no time.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isqrt

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from famulus.errors import Invalid
from famulus.knowledge.index.codes import distances, encode, nearest
from famulus.knowledge.index.hits import NO_VECTOR_HITS, VectorHits
from famulus.knowledge.index.scoped import Seen, View
from famulus.knowledge.index.segments import Head, Listed, read_blocks, read_head
from famulus.knowledge.index.vector_models import ModelShape
from famulus.knowledge.index.vector_rows import HeldRows, read_halves, widen

# Rows compared exactly: the square root of those scanned, within these bounds. Source: recall@10 ≥ .99 measured up to 1,000,000.
LEAST_EXACT = 200
MOST_EXACT = 1_000
# Above this share of visible rows a whole scan is cheaper than copying the codes together.
MOST_GATHERED = 0.4

# Rows counted through all parts.
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class VectorSegment:
    """A segment of codes with its arrays decoded. `order` sorts its numbers, from `first` to `last`."""

    head: Head
    ranges: dict[str, tuple[int, int]]
    numbers: NDArray[np.uint32]
    mean: NDArray[np.float32]
    codes: NDArray[np.uint64]
    order: NDArray[np.uint16]
    first: int
    last: int


def load_segment(connection: Connection, tenant: str, listed: Listed) -> tuple[VectorSegment, int]:
    """The segment, and the bytes that it takes."""
    head = read_head(connection, tenant, listed.id)
    codes = np.frombuffer(read_blocks(connection, tenant, listed.id, [0])[0], np.uint64)
    mean = np.frombuffer(head.extra, np.float32)
    numbers = head.number_array()
    order = np.argsort(numbers).astype(np.uint16)
    first, last = int(numbers.min()), int(numbers.max())
    segment = VectorSegment(head, head.ranges(), numbers, mean, codes.reshape(-1, listed.rows), order, first, last)
    return segment, codes.nbytes + 2 * len(head.numbers) + len(head.extra) + 200 * len(head.bases) + 500


class NothingToMatch:
    """A `VectorMatch` where the scope holds no vector."""

    def top(self, connection: Connection, vector: NDArray[np.float32], k: int) -> VectorHits:
        return NO_VECTOR_HITS


class ScopeMatch:
    """A `VectorMatch`. Places are rows counted through all segments."""

    def __init__(
        self,
        connection: Connection,
        tenant: str,
        model: ModelShape,
        view: View[VectorSegment],
        held: HeldRows,
        also: NDArray[np.uint32],
    ) -> None:
        self._tenant = tenant
        self._model = model
        self._view = view
        self._sizes = [seen.listed.rows for seen in view.sight.seen]
        self._scans = [_Scan(seen, segment) for seen, segment in zip(view.sight.seen, view.segments, strict=True)]
        self._means = np.stack([segment.mean for segment in view.segments])
        self._held = (
            held.of(connection, tenant, model.id, [(scan.id, scan.segment.numbers) for scan in self._scans], model.dim)
            if held.holds(model.count, model.dim)
            else []
        )
        self._asked = _places(view, also)
        self._asked_numbers, self._asked_rows = self._rows(connection, self._asked)

    def top(self, connection: Connection, vector: NDArray[np.float32], k: int) -> VectorHits:
        """The best `k`, then the others that were asked for. Raises Invalid where the vector is not of the model's size."""
        if vector.shape != (self._model.dim,):
            raise Invalid(f"the query vector has shape {vector.shape!r}; its model needs ({self._model.dim},)")
        near = self._candidates(vector, k)
        numbers, rows = self._rows(connection, near)
        cosines = rows @ vector
        best = np.lexsort((numbers, -cosines))[:k]
        chosen = np.zeros(len(near) + 1, np.bool_)
        chosen[best] = True
        at = near.searchsorted(self._asked)
        further = ~(chosen[at] & (near.take(at, mode="clip") == self._asked))
        return VectorHits(
            np.concatenate([numbers[best], self._asked_numbers[further]]).astype(np.int64),
            np.concatenate([cosines[best], (self._asked_rows @ vector)[further]]),
        )

    def _candidates(self, vector: NDArray[np.float32], k: int) -> Places:
        """The rows worth an exact look, in order."""
        visible = self._view.sight.visible
        least = max(k, min(MOST_EXACT, max(LEAST_EXACT, isqrt(visible))))
        if visible <= least:
            return np.concatenate([scan.places for scan in self._scans])
        queries = encode(vector[None, :], self._means)
        far = distances([scan.codes for scan in self._scans], queries)
        at = 0
        for scan in self._scans:
            if scan.shown is not None:
                # Farther than any other.
                far[at : at + scan.rows][~scan.shown] = 64 * len(queries) + 1
            at += scan.rows
        best = np.sort(nearest(far, least))
        if at == sum(self._sizes):
            return best
        found = _cut(best, [scan.rows for scan in self._scans])
        return np.concatenate([scan.places_of(rows) for scan, (_, rows) in zip(self._scans, found, strict=True)])

    def _rows(self, connection: Connection, places: Places) -> tuple[NDArray[np.uint32], NDArray[np.float32]]:
        """Numbers and vectors of the rows at `places`, which are in order."""
        numbers = np.empty(len(places), np.uint32)
        halves = np.zeros((len(places), self._model.dim), np.float16)
        for at, (here, rows) in enumerate(_cut(places, self._sizes)):
            if not len(rows):
                continue
            # Copied to their place: rows are inside the segment, and only with this mode numpy needs no copy in between.
            self._view.segments[at].numbers.take(rows, out=numbers[here], mode="clip")
            if self._held:
                self._held[at].take(rows, axis=0, out=halves[here], mode="clip")
        if not self._held:
            order = np.argsort(numbers)
            found, read = read_halves(connection, self._tenant, self._model.id, numbers[order].tolist())
            if len(found):
                halves[order[np.searchsorted(numbers[order], found)]] = read
        return numbers, widen(halves)


class _Scan:
    """What of one segment is compared by its codes: all rows, or those that are visible where they are few."""

    __slots__ = ("_at", "_chosen", "codes", "id", "rows", "segment", "shown")

    def __init__(self, seen: Seen, segment: VectorSegment) -> None:
        few = seen.mask is not None and seen.visible <= MOST_GATHERED * seen.listed.rows
        self.id = seen.listed.id
        self.segment = segment
        self.shown = None if few else seen.mask
        self._at = seen.at
        self._chosen = np.flatnonzero(seen.mask) if few and seen.mask is not None else None
        self.codes = segment.codes if self._chosen is None else segment.codes[:, self._chosen]
        self.rows = int(self.codes.shape[1])

    @property
    def places(self) -> Places:
        """Of all that is visible."""
        return self.places_of(np.arange(self.rows) if self.shown is None else np.flatnonzero(self.shown))

    def places_of(self, rows: NDArray[np.int64]) -> Places:
        """Where these rows of the scan are."""
        return (rows if self._chosen is None else self._chosen[rows]) + self._at


def _cut(places: Places, rows: Sequence[int]) -> list[tuple[slice, NDArray[np.int64]]]:
    """Places in order, cut where parts of so many rows end: where they stand, and the rows of the part that they are."""
    sizes = np.array(rows, np.int64)
    ends = sizes.cumsum()
    stops = places.searchsorted(ends)
    inside = places - (ends - sizes).repeat(np.diff(stops, prepend=0))
    cuts = [0, *stops.tolist()]
    return [(slice(start, stop), inside[start:stop]) for start, stop in pairwise(cuts)]


def _places(view: View[VectorSegment], numbers: NDArray[np.uint32]) -> Places:
    """Where the visible rows of these chunks are, in order; `numbers` are sorted."""
    found: list[Places] = []
    sorted_numbers: list[int] = numbers.tolist()
    for seen, segment in zip(view.sight.seen, view.segments, strict=True):
        # Numbers are given one after another, so most of those that a segment holds lie between its first and its last.
        start, end = bisect_left(sorted_numbers, segment.first), bisect_right(sorted_numbers, segment.last)
        if start == end:
            continue
        wanted = numbers[start:end]
        rows = segment.order.take(segment.numbers.searchsorted(wanted, sorter=segment.order))
        found.append(rows[segment.numbers.take(rows) == wanted] + np.int64(seen.at))
    places = np.sort(np.concatenate(found)) if found else np.empty(0, np.int64)
    return places if view.sight.mask is None else places[view.sight.mask[places]]
