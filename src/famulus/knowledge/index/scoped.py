"""An index as a search in a scope sees it: its segments, and in each the rows that the scope and the filters let through.

Both indexes walk their segments here. What a scope sees is found out once and kept until a segment or a removed row changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from famulus.knowledge.base import Scope
from famulus.knowledge.index.base import NO_FILTERS, Filters
from famulus.knowledge.index.cache import BoundedCache
from famulus.knowledge.index.segments import NO_DATE, Columns, Listed, list_segments, read_columns, segments_version
from famulus.store.columns import to_micros

# What scopes see, a byte a row where they do not see all: some hundred scopes of a small index, eight of a million rows.
VIEW_BYTES = 8 << 20


class Loaded(Protocol):
    """What an index keeps of a segment in memory."""

    @property
    def ranges(self) -> Mapping[str, tuple[int, int]]:
        """Where the rows of each knowledge base begin and end."""
        ...


S = TypeVar("S", bound=Loaded)


@dataclass(frozen=True, slots=True)
class Part(Generic[S]):
    """A segment that holds something visible. `mask` None: all `visible` rows are; `at` rows lie in the parts before it."""

    listed: Listed
    segment: S
    mask: NDArray[np.bool_] | None
    visible: int
    at: int


@dataclass(frozen=True, slots=True)
class _Seen:
    listed: Listed
    mask: NDArray[np.bool_] | None
    visible: int


class ScopedSegments(Generic[S]):
    """`load` reads what the index needs of a segment, and says how many bytes it takes."""

    def __init__(self, load: Callable[[Connection, str, Listed], tuple[S, int]], cache_bytes: int) -> None:
        self._load = load
        self._segments: BoundedCache[S] = BoundedCache(cache_bytes)
        self._views: BoundedCache[list[_Seen]] = BoundedCache(VIEW_BYTES)

    def segment(self, connection: Connection, tenant: str, listed: Listed) -> S:
        return self._segments.get(listed.id, lambda: self._load(connection, tenant, listed))

    def parts(self, connection: Connection, scope: Scope, kind: str, filters: Filters = NO_FILTERS) -> list[Part[S]]:
        """The segments of this kind that hold anything visible, in the order of their table."""
        if not scope.knowledge_base_ids:
            return []
        listed = list_segments(connection, scope.tenant, kind)

        def look() -> tuple[list[_Seen], int]:
            seen = self._look(connection, scope, listed, filters)
            return seen, 500 + sum(200 + (0 if each.mask is None else len(each.mask)) for each in seen)

        key = scope, kind, segments_version(listed)
        seen = look()[0] if filters.any else self._views.get(key, look)
        parts: list[Part[S]] = []
        at = 0
        for each in seen:
            segment = self.segment(connection, scope.tenant, each.listed)
            parts.append(Part(each.listed, segment, each.mask, each.visible, at))
            at += each.listed.rows
        return parts

    def _look(self, connection: Connection, scope: Scope, listed: list[Listed], filters: Filters) -> list[_Seen]:
        bases = frozenset(scope.knowledge_base_ids)
        seen: list[_Seen] = []
        for each in listed:
            segment = self.segment(connection, scope.tenant, each)

            def columns(segment_id: int = each.id) -> Columns:
                return read_columns(connection, scope.tenant, segment_id)

            mask = _visible(segment.ranges, each, bases, filters, columns)
            count = each.rows if mask is None else int(mask.sum())
            if count:
                seen.append(_Seen(each, mask, count))
        return seen


def _visible(
    ranges: Mapping[str, tuple[int, int]],
    listed: Listed,
    bases: frozenset[str],
    filters: Filters,
    columns: Callable[[], Columns],
) -> NDArray[np.bool_] | None:
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


def _filtered(columns: Columns, filters: Filters, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
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


def _matches(values: list[str | None], codes: bytes, wanted: tuple[str, ...]) -> NDArray[np.bool_]:
    return np.array([value in wanted for value in values], np.bool_)[np.frombuffer(codes, np.uint16)]
