"""An index as a search in a scope sees it: its segments, and in each the rows that the scope and the filters let through.

Both indexes look at their segments through this. What a scope sees is found out once and kept until a segment or a removed row
changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from famulus.knowledge.base import Scope
from famulus.knowledge.index.base import NO_FILTERS, Filters
from famulus.knowledge.index.cache import BoundedCache
from famulus.knowledge.index.segments import (
    NO_DATE,
    Columns,
    Listed,
    listed_segments,
    read_columns,
    segment_rows,
    segments_version,
)
from famulus.knowledge.index.sql import Row
from famulus.store.columns import to_micros

# What scopes see, a byte a row where they do not see all: some hundred scopes of a small index, eight of a million rows.
VIEW_BYTES = 8 << 20
# What is listed of indexes: removed rows take four bytes each.
LISTING_BYTES = 4 << 20

Mask = NDArray[np.bool_]


class Loaded(Protocol):
    """What an index keeps of a segment in memory."""

    @property
    def ranges(self) -> Mapping[str, tuple[int, int]]:
        """Where the rows of each knowledge base begin and end."""
        ...


S = TypeVar("S", bound=Loaded)


@dataclass(frozen=True, slots=True)
class Seen:
    """A segment that holds something visible. `mask` None: all `visible` rows are; `at` rows lie in the segments before it."""

    listed: Listed
    mask: Mask | None
    visible: int
    at: int


@dataclass(frozen=True, slots=True)
class Sight:
    """What a scope sees of an index. `mask` is for the rows of all `seen` one after the other, None where all are visible.

    `measure` is what the index wants to know of the visible rows.
    """

    seen: tuple[Seen, ...]
    mask: Mask | None
    visible: int
    measure: int


@dataclass(frozen=True, slots=True)
class View(Generic[S]):
    """A sight with its segments, one for each that is seen."""

    sight: Sight
    segments: list[S]


@dataclass(frozen=True, slots=True)
class _Listing:
    """The segments of an index, and the rows of the table that say so."""

    rows: list[Row]
    segments: list[Listed]
    version: str


class ScopedSegments(Generic[S]):
    """`load` reads what the index needs of a segment, and says how many bytes it takes; `measure` is summed up over segments."""

    def __init__(
        self,
        load: Callable[[Connection, str, Listed], tuple[S, int]],
        cache_bytes: int,
        measure: Callable[[S, Mask | None], int] = lambda segment, mask: 0,
    ) -> None:
        self._load = load
        self._measure = measure
        self._segments: BoundedCache[S] = BoundedCache(cache_bytes)
        self._sights: BoundedCache[Sight] = BoundedCache(VIEW_BYTES)
        self._listings: BoundedCache[_Listing] = BoundedCache(LISTING_BYTES)

    def segment(self, connection: Connection, tenant: str, listed: Listed) -> S:
        return self._segments.get(listed.id, lambda: self._load(connection, tenant, listed))

    def version(self, connection: Connection, tenant: str, kind: str) -> str:
        """Differs whenever the segments of this kind or their removed rows do."""
        return self._listing(connection, tenant, kind).version

    def sight(self, connection: Connection, scope: Scope, kind: str, filters: Filters = NO_FILTERS) -> Sight | None:
        """What the scope sees of the segments of this kind, in the order of their table; None when that is nothing."""
        if not scope.knowledge_base_ids:
            return None
        listing = self._listing(connection, scope.tenant, kind)

        def look() -> tuple[Sight, int]:
            sight = self._look(connection, scope, listing.segments, filters)
            return sight, 500 + 200 * len(sight.seen) + (0 if sight.mask is None else len(sight.mask))

        # A listing that has not changed gives the same text: comparing it takes no time.
        sight = look()[0] if filters.any else self._sights.get((scope, kind, listing.version), look)
        return sight if sight.seen else None

    def view(self, connection: Connection, scope: Scope, kind: str, filters: Filters = NO_FILTERS) -> View[S] | None:
        """The sight with its segments."""
        sight = self.sight(connection, scope, kind, filters)
        if sight is None:
            return None
        kept = self._segments.known_of([each.listed.id for each in sight.seen])
        segments = [
            self.segment(connection, scope.tenant, each.listed) if segment is None else segment
            for segment, each in zip(kept, sight.seen, strict=True)
        ]
        return View(sight, segments)

    def _listing(self, connection: Connection, tenant: str, kind: str) -> _Listing:
        rows = segment_rows(connection, tenant, kind)
        known = self._listings.known((tenant, kind))
        if known is None or known.rows != rows:
            segments = listed_segments(rows)
            known = _Listing(rows, segments, segments_version(segments))
            self._listings.put((tenant, kind), known, 500 + sum(300 + 4 * len(listed.gone) for listed in segments))
        return known

    def _look(self, connection: Connection, scope: Scope, listed: list[Listed], filters: Filters) -> Sight:
        masks: list[tuple[Listed, Mask | None, int]] = []
        measure = 0
        for each in listed:
            segment = self.segment(connection, scope.tenant, each)

            def columns(segment_id: int = each.id) -> Columns:
                return read_columns(connection, scope.tenant, segment_id)

            mask = _visible(segment.ranges, each, scope.bases, filters, columns)
            visible = each.rows if mask is None else int(mask.sum())
            if visible:
                masks.append((each, mask, visible))
                measure += self._measure(segment, mask)
        return _sight(masks, measure)


def _sight(masks: Sequence[tuple[Listed, Mask | None, int]], measure: int) -> Sight:
    every = None
    if any(mask is not None for _, mask, _ in masks):
        every = np.concatenate([np.ones(listed.rows, np.bool_) if mask is None else mask for listed, mask, _ in masks])
    seen: list[Seen] = []
    at = 0
    for listed, mask, visible in masks:
        # A part of the whole mask, so that it is held once.
        part = None if mask is None or every is None else every[at : at + listed.rows]
        seen.append(Seen(listed, part, visible, at))
        at += listed.rows
    return Sight(tuple(seen), every, sum(each.visible for each in seen), measure)


def _visible(
    ranges: Mapping[str, tuple[int, int]],
    listed: Listed,
    bases: frozenset[str],
    filters: Filters,
    columns: Callable[[], Columns],
) -> Mask | None:
    """Which rows a search in `bases` may touch; None means all of them."""
    everything = ranges.keys() <= bases
    if everything and not len(listed.gone) and not filters.any:
        return None
    few, many = (bases, ranges) if len(bases) < len(ranges) else (ranges, bases)
    wanted = [name for name in few if name in many]
    mask = np.zeros(listed.rows, np.bool_)
    for name in wanted:
        start, end = ranges[name]
        mask[start:end] = True
    mask[listed.gone] = False
    return _filtered(columns(), filters, mask) if filters.any and wanted else mask


def _filtered(columns: Columns, filters: Filters, mask: Mask) -> Mask:
    if filters.categories:
        mask &= _matches(columns.categories, columns.category, filters.categories)
    if filters.media_types:
        mask &= _matches(columns.media_types, columns.media_type, filters.media_types)
    if filters.created_after or filters.created_before:
        created = np.frombuffer(columns.created, np.int64)
        mask &= created != NO_DATE
        if filters.created_after:
            mask &= created >= to_micros(filters.created_after)
        if filters.created_before:
            mask &= created <= to_micros(filters.created_before)
    return mask


def _matches(values: list[str | None], codes: bytes, wanted: tuple[str, ...]) -> Mask:
    return np.array([value in wanted for value in values], np.bool_)[np.frombuffer(codes, np.uint16)]
