"""`VectorIndex` in tables, the same on both engines: bit codes are scanned, the best rows are compared exactly.

A scope is a smaller scan over the rows that it may see, so it costs less and loses nothing; graph indexes lose most of their
recall under a narrow scope.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt
from typing import cast

import msgspec
import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from famulus.errors import Invalid
from famulus.knowledge.base import Scope
from famulus.knowledge.index.base import NO_FILTERS, Filters, IndexedChunk
from famulus.knowledge.index.codes import distances, encode, nearest
from famulus.knowledge.index.hits import NO_VECTOR_HITS, VectorHits
from famulus.knowledge.index.scoped import Part, ScopedSegments
from famulus.knowledge.index.segments import (
    Columns,
    Head,
    Listed,
    drop_segment,
    in_row_order,
    kept_rows,
    list_segments,
    make_head,
    merge_heads,
    mostly_gone,
    new_segment_id,
    note_gone,
    read_blocks,
    read_columns,
    read_head,
    segments_version,
    to_merge,
    with_removed,
    write_segment,
)
from famulus.knowledge.index.sql import execute, fetch, lock_index
from famulus.knowledge.index.vector_rows import (
    MOST_HELD_BYTES,
    HeldRows,
    delete_rows,
    insert_rows,
    read_halves,
    read_rows,
    stored_numbers,
    widen,
)

# Rows compared exactly: the square root of those scanned, within these bounds. Source: recall@10 ≥ .99 measured up to 1,000,000.
LEAST_EXACT = 200
MOST_EXACT = 1_000
# Above this share of visible rows a whole scan is cheaper than copying the codes together.
MOST_GATHERED = 0.4
FAR = np.uint16(65_535)


@dataclass(frozen=True, slots=True)
class _Model:
    id: int
    dim: int
    count: int
    total: NDArray[np.float64]

    @property
    def kind(self) -> str:
        return f"vectors:{self.id}"

    @property
    def mean(self) -> NDArray[np.float32]:
        return (self.total / max(1, self.count)).astype(np.float32)


@dataclass(frozen=True, slots=True)
class _Cached:
    head: Head
    ranges: dict[str, tuple[int, int]]
    numbers: NDArray[np.uint32]
    mean: NDArray[np.float32]
    codes: NDArray[np.uint64]
    order: NDArray[np.uint16]


class BitVectorIndex:
    """A `VectorIndex`. Holds nothing but caches, so any number may work on one database."""

    def __init__(self, cache_bytes: int = 256 << 20, most_held_bytes: int = MOST_HELD_BYTES) -> None:
        self._segments = ScopedSegments(_load, cache_bytes)
        self._held = HeldRows(most_bytes=most_held_bytes)

    def add(
        self, connection: Connection, model: str, chunks: Sequence[IndexedChunk], vectors: NDArray[np.float32]
    ) -> None:
        if not chunks:
            return
        tenant = chunks[0].tenant
        lock_index(connection, tenant)
        known = self._known(connection, tenant, model, vectors)
        stored = stored_numbers(connection, tenant, known.id, [chunk.number for chunk in chunks])
        rows = {chunk.number: row for row, chunk in enumerate(chunks) if chunk.number not in stored}
        fresh = in_row_order([chunk for chunk in chunks if chunk.number in rows])
        if not fresh:
            return
        ordered = np.asarray(vectors, np.float32)[[rows[chunk.number] for chunk in fresh]]
        known = self._counted(connection, tenant, known, ordered)
        insert_rows(connection, tenant, known.id, [chunk.number for chunk in fresh], ordered)
        for start in range(0, len(fresh), 4096):
            head, columns = make_head(fresh[start : start + 4096])
            self._write(connection, tenant, known, head, columns, ordered[start : start + 4096])
        while chosen := to_merge(list_segments(connection, tenant, known.kind)):
            self._rewrite(connection, tenant, known, chosen)

    def remove(self, connection: Connection, tenant: str, numbers: Sequence[int]) -> None:
        models = _models(connection, tenant, None) if numbers else []
        if not models:
            return
        lock_index(connection, tenant)
        wanted = np.array(sorted(numbers), np.uint32)
        for model in models:
            for listed in list_segments(connection, tenant, model.kind):
                rows = np.flatnonzero(np.isin(self._segments.segment(connection, tenant, listed).numbers, wanted))
                left = with_removed(listed, rows)
                if len(left.gone) == len(listed.gone):
                    continue
                if mostly_gone(left):
                    self._rewrite(connection, tenant, model, [left])
                else:
                    note_gone(connection, tenant, model.kind, left)
            delete_rows(connection, tenant, model.id, wanted.tolist())

    def count(self, connection: Connection, scope: Scope, model: str) -> int:
        known = _models(connection, scope.tenant, model)
        return sum(part.visible for part in self._segments.parts(connection, scope, known[0].kind)) if known else 0

    def search(
        self,
        connection: Connection,
        scope: Scope,
        model: str,
        vector: NDArray[np.float32],
        k: int,
        filters: Filters = NO_FILTERS,
        also: Sequence[int] | NDArray[np.int64] = (),
    ) -> VectorHits:
        known = _models(connection, scope.tenant, model)
        parts = self._segments.parts(connection, scope, known[0].kind, filters) if known and k > 0 else []
        if not parts:
            return NO_VECTOR_HITS
        if vector.shape != (known[0].dim,):
            raise Invalid(f"the query vector has shape {vector.shape!r}; model {model!r} needs ({known[0].dim},)")
        near = _candidates(parts, vector, k)
        asked = _places(parts, np.unique(np.asarray(also, np.uint32)))
        places = np.union1d(near, asked)
        numbers, rows = self._rows(connection, scope.tenant, known[0], parts, places)
        return _ranked(numbers, rows @ vector, np.searchsorted(places, near), np.searchsorted(places, asked), k)

    def version(self, connection: Connection, tenant: str, model: str) -> str:
        known = _models(connection, tenant, model)
        return segments_version(list_segments(connection, tenant, known[0].kind)) if known else ""

    def _rows(
        self,
        connection: Connection,
        tenant: str,
        model: _Model,
        parts: Sequence[Part[_Cached]],
        places: NDArray[np.int64],
    ) -> tuple[NDArray[np.uint32], NDArray[np.float32]]:
        """Numbers and vectors of the rows at `places`, which are in order."""
        numbers = np.empty(len(places), np.uint32)
        halves = np.empty((len(places), model.dim), np.float16)
        held = self._held.holds(model.count, model.dim)
        ends = np.searchsorted(places, [part.at + part.listed.rows for part in parts]).tolist()
        for part, start, end in zip(parts, [0, *ends], ends, strict=False):
            if start == end:
                continue
            cached, rows = part.segment, places[start:end] - part.at
            numbers[start:end] = cached.numbers[rows]
            if held:
                kept = self._held.of(connection, tenant, model.id, part.listed.id, cached.numbers, model.dim)
                np.take(kept, rows, axis=0, out=halves[start:end], mode="clip")
        if not held:
            order = np.argsort(numbers)
            found, read = read_halves(connection, tenant, model.id, numbers[order].tolist())
            halves[:] = 0
            halves[order[np.searchsorted(numbers[order], found)]] = read
        return numbers, widen(halves)

    def _known(self, connection: Connection, tenant: str, model: str, vectors: NDArray[np.float32]) -> _Model:
        """The stored model, made on its first vectors."""
        known = _models(connection, tenant, model)
        if known and known[0].dim != vectors.shape[1]:
            raise Invalid(f"vectors of model {model!r} have {known[0].dim} dimensions, not {vectors.shape[1]}")
        if known:
            return known[0]
        dim = int(vectors.shape[1])
        made = _Model(new_segment_id(), dim, 0, np.zeros(dim, np.float64))
        execute(
            connection,
            "INSERT INTO vector_model (tenant, model, id, dim, count, total) VALUES (?, ?, ?, ?, ?, ?)",
            [tenant, model, made.id, made.dim, 0, made.total.tobytes()],
        )
        return made

    def _counted(self, connection: Connection, tenant: str, model: _Model, vectors: NDArray[np.float32]) -> _Model:
        """The model with these vectors in its mean."""
        total: NDArray[np.float64] = np.vstack([model.total, vectors]).sum(axis=0, dtype=np.float64)
        counted = _Model(model.id, model.dim, model.count + len(vectors), total)
        execute(
            connection,
            "UPDATE vector_model SET count = ?, total = ? WHERE tenant = ? AND id = ?",
            [counted.count, counted.total.tobytes(), tenant, model.id],
        )
        return counted

    def _write(
        self,
        connection: Connection,
        tenant: str,
        model: _Model,
        head: Head,
        columns: Columns,
        vectors: NDArray[np.float32],
    ) -> None:
        complete = msgspec.structs.replace(head, extra=model.mean.tobytes())
        write_segment(connection, tenant, model.kind, complete, columns, [encode(vectors, model.mean).tobytes()])

    def _rewrite(self, connection: Connection, tenant: str, model: _Model, chosen: Sequence[Listed]) -> None:
        """Puts one segment in the place of several, without the removed rows, coded against today's mean."""
        parts = [
            (
                self._segments.segment(connection, tenant, listed).head,
                read_columns(connection, tenant, listed.id),
                kept_rows(listed),
            )
            for listed in chosen
        ]
        for listed in chosen:
            drop_segment(connection, tenant, model.kind, listed.id)
        if any(len(rows) for _, _, rows in parts):
            merged = merge_heads(parts)
            numbers, vectors = read_rows(connection, tenant, model.id, merged.head.number_array().tolist())
            place = np.argsort(numbers)[np.searchsorted(np.sort(numbers), merged.head.number_array())]
            self._write(connection, tenant, model, merged.head, merged.columns, vectors[place])


def _load(connection: Connection, tenant: str, listed: Listed) -> tuple[_Cached, int]:
    head = read_head(connection, tenant, listed.id)
    codes = np.frombuffer(read_blocks(connection, tenant, listed.id, [0])[0], np.uint64)
    mean = np.frombuffer(head.extra, np.float32)
    numbers = head.number_array()
    cached = _Cached(
        head, head.ranges(), numbers, mean, codes.reshape(-1, listed.rows), np.argsort(numbers).astype(np.uint16)
    )
    size = codes.nbytes + 2 * len(head.numbers) + len(head.extra) + 200 * len(head.bases) + 500
    return cached, size


def _candidates(parts: Sequence[Part[_Cached]], vector: NDArray[np.float32], k: int) -> NDArray[np.int64]:
    """Places, counted through all parts, of the rows worth an exact look."""
    rows = sum(part.visible for part in parts)
    least = max(k, min(MOST_EXACT, max(LEAST_EXACT, isqrt(rows))))
    if rows <= least:
        return np.concatenate([_visible_rows(part) + part.at for part in parts])
    queries = encode(vector[None, :], np.stack([part.segment.mean for part in parts]))
    scans = [_scan(part, queries[:, at]) for at, part in enumerate(parts)]
    best = nearest(np.concatenate([far for far, _ in scans]), least)
    ends = np.cumsum([len(far) for far, _ in scans])
    owner = np.searchsorted(ends, best, side="right")
    places = (
        best + np.array([part.at + len(far) for part, (far, _) in zip(parts, scans, strict=True)])[owner] - ends[owner]
    )
    for index, (part, (far, chosen)) in enumerate(zip(parts, scans, strict=True)):
        if chosen is not None:
            here = owner == index
            places[here] = chosen[best[here] + len(far) - ends[index]] + part.at
    return places


def _visible_rows(part: Part[_Cached]) -> NDArray[np.int64]:
    return np.arange(part.listed.rows) if part.mask is None else np.flatnonzero(part.mask)


def _scan(part: Part[_Cached], query: NDArray[np.uint64]) -> tuple[NDArray[np.uint16], NDArray[np.int64] | None]:
    """Distances of all rows of the part, or of the chosen ones where few are visible; then also which these are."""
    codes = part.segment.codes
    if part.mask is None:
        return distances(codes, query), None
    if part.visible > MOST_GATHERED * part.listed.rows:
        return np.where(part.mask, distances(codes, query), FAR), None
    chosen = np.flatnonzero(part.mask)
    return distances(codes[:, chosen], query), chosen


def _places(parts: Sequence[Part[_Cached]], numbers: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Places of the visible rows among these numbers, which are sorted."""
    found: list[NDArray[np.int64]] = []
    for part in parts if len(numbers) else ():
        cached = part.segment
        at = np.searchsorted(cached.numbers, numbers, sorter=cached.order)
        rows = cached.order[np.minimum(at, len(cached.order) - 1)].astype(np.int64)
        rows = rows[cached.numbers[rows] == numbers]
        found.append((rows if part.mask is None else rows[part.mask[rows]]) + part.at)
    return np.concatenate(found) if found else np.empty(0, np.int64)


def _ranked(
    numbers: NDArray[np.uint32], cosine: NDArray[np.float32], near: NDArray[np.int64], asked: NDArray[np.int64], k: int
) -> VectorHits:
    """The best `k` of the rows at `near`, then the other rows that were asked for."""
    best = near[np.lexsort((numbers[near], -cosine[near]))[:k]]
    further = np.zeros(len(numbers), np.bool_)
    further[asked] = True
    further[best] = False
    chosen = np.concatenate([best, np.flatnonzero(further)])
    return VectorHits(numbers[chosen].astype(np.int64), cosine[chosen])


def _models(connection: Connection, tenant: str, model: str | None) -> list[_Model]:
    """The named model, or all of the tenant's; empty when it has no vectors yet."""
    statement = "SELECT id, dim, count, total FROM vector_model WHERE tenant = ?"
    found = fetch(connection, statement + (" AND model = ?" if model else ""), [tenant, model] if model else [tenant])
    return [
        _Model(cast(int, key), cast(int, dim), cast(int, count), _doubles(cast(bytes, total)))
        for key, dim, count, total in found
    ]


def _doubles(data: bytes) -> NDArray[np.float64]:
    return np.frombuffer(bytes(data), np.float64)
