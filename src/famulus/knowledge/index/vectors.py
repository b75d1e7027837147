"""`VectorIndex` in tables, the same on both engines: bit codes are scanned, the best rows are compared exactly.

A scope is a smaller scan over the rows that it may see, so it costs less and loses nothing; graph indexes lose most of their
recall under a narrow scope.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from famulus.knowledge.base import Scope
from famulus.knowledge.index.base import NO_FILTERS, Filters, IndexedChunk, VectorMatch
from famulus.knowledge.index.codes import encode
from famulus.knowledge.index.scoped import ScopedSegments
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
    note_gone,
    read_columns,
    to_merge,
    with_removed,
    write_segment,
)
from famulus.knowledge.index.sql import lock_index
from famulus.knowledge.index.vector_match import NothingToMatch, ScopeMatch, load_segment
from famulus.knowledge.index.vector_models import VectorModel, counted, model_for, model_shape, models
from famulus.knowledge.index.vector_rows import (
    MOST_HELD_BYTES,
    HeldRows,
    delete_rows,
    insert_rows,
    read_rows,
    stored_numbers,
)


class BitVectorIndex:
    """A `VectorIndex`. Holds nothing but caches, so any number may work on one database."""

    def __init__(self, cache_bytes: int = 256 << 20, most_held_bytes: int = MOST_HELD_BYTES) -> None:
        self._segments = ScopedSegments(load_segment, cache_bytes)
        self._held = HeldRows(most_bytes=most_held_bytes)

    def add(
        self, connection: Connection, model: str, chunks: Sequence[IndexedChunk], vectors: NDArray[np.float32]
    ) -> None:
        if not chunks:
            return
        tenant = chunks[0].tenant
        lock_index(connection, tenant)
        known = model_for(connection, tenant, model, vectors.shape[1])
        stored = stored_numbers(connection, tenant, known.id, [chunk.number for chunk in chunks])
        rows = {chunk.number: row for row, chunk in enumerate(chunks) if chunk.number not in stored}
        fresh = in_row_order([chunk for chunk in chunks if chunk.number in rows])
        if not fresh:
            return
        ordered = np.asarray(vectors, np.float32)[[rows[chunk.number] for chunk in fresh]]
        known = counted(connection, tenant, known, ordered)
        insert_rows(connection, tenant, known.id, [chunk.number for chunk in fresh], ordered)
        for start in range(0, len(fresh), 4096):
            head, columns = make_head(fresh[start : start + 4096])
            self._write(connection, tenant, known, head, columns, ordered[start : start + 4096])
        while chosen := to_merge(list_segments(connection, tenant, known.kind)):
            self._rewrite(connection, tenant, known, chosen)

    def remove(self, connection: Connection, tenant: str, numbers: Sequence[int]) -> None:
        known = models(connection, tenant, None) if numbers else []
        if not known:
            return
        lock_index(connection, tenant)
        wanted = np.array(sorted(numbers), np.uint32)
        for model in known:
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
        known = model_shape(connection, scope.tenant, model)
        sight = self._segments.sight(connection, scope, known.kind) if known else None
        return sight.visible if sight else 0

    def match(
        self,
        connection: Connection,
        scope: Scope,
        model: str,
        filters: Filters = NO_FILTERS,
        also: Sequence[int] | NDArray[np.int64] = (),
    ) -> VectorMatch:
        known = model_shape(connection, scope.tenant, model)
        view = self._segments.view(connection, scope, known.kind, filters) if known else None
        if known is None or view is None:
            return NothingToMatch()
        asked = np.sort(np.asarray(also, np.uint32))
        return ScopeMatch(connection, scope.tenant, known, view, self._held, asked)

    def version(self, connection: Connection, tenant: str, model: str) -> str:
        known = model_shape(connection, tenant, model)
        return self._segments.version(connection, tenant, known.kind) if known else ""

    def _write(
        self,
        connection: Connection,
        tenant: str,
        model: VectorModel,
        head: Head,
        columns: Columns,
        vectors: NDArray[np.float32],
    ) -> None:
        complete = msgspec.structs.replace(head, extra=model.mean.tobytes())
        write_segment(connection, tenant, model.kind, complete, columns, [encode(vectors, model.mean).tobytes()])

    def _rewrite(self, connection: Connection, tenant: str, model: VectorModel, chosen: Sequence[Listed]) -> None:
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
