"""`KeywordIndex` as packed postings in tables, the same on both engines: BM25 with the statistics of the scope alone.

Rejected: SQLite's FTS5 with a PostgreSQL counterpart. Its statistics are of all tenants together, it ranks by words that occur
in more than half of a small base at random, costs five times as much at 200,000 chunks, and the two engines would rank
differently. See docs/decisions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from famulus.knowledge.base import Scope
from famulus.knowledge.index.base import NO_FILTERS, Filters, IndexedChunk
from famulus.knowledge.index.bm25 import NOTHING_SCORED, Form, Matches, Scored, Scorer, TermForms, joined
from famulus.knowledge.index.cache import BoundedCache
from famulus.knowledge.index.postings import Block, Postings, decode, from_blocks, key_hash, merge
from famulus.knowledge.index.prepared import Prepared, packed, padded, prepare
from famulus.knowledge.index.scoped import Mask, ScopedSegments, View
from famulus.knowledge.index.segments import (
    Head,
    Listed,
    drop_segment,
    kept_rows,
    list_kinds,
    list_segments,
    merge_heads,
    mostly_gone,
    note_gone,
    read_blocks,
    read_columns,
    read_head,
    rename_segments,
    to_merge,
    with_removed,
    write_segment,
)
from famulus.knowledge.index.sql import lock_index
from famulus.knowledge.index.vocabulary import forget_words, longer_words, parts_of, remember_words
from famulus.text.query import AnalysedQuery, QueryTerm

KIND = "words"
# Segments that wait for their `reveal` have this before the name under which they wait.
STAGED = "words staged "
# How much a word counts that only begins or ends like the question's, or is part of it.
LONGER_WEIGHT = 0.6
PART_WEIGHT = 0.6
# Rows of several segments side by side, six bytes each: one index of a million rows, or a hundred small ones.
JOINED_BYTES = 8 << 20
COMPOUNDING = frozenset({"de", "nl"})


@dataclass(frozen=True, slots=True)
class _Cached:
    """A segment's head with its arrays decoded."""

    head: Head
    ranges: dict[str, tuple[int, int]]
    numbers: NDArray[np.uint32]
    lengths: NDArray[np.uint16]
    first: NDArray[np.uint64]


class PostingsIndex:
    """A `KeywordIndex`. Holds nothing but caches, so any number may work on one database."""

    def __init__(self, cache_bytes: int = 64 << 20, block_bytes: int = 32 << 20) -> None:
        self._segments = ScopedSegments(_load, cache_bytes, _length)
        self._blocks: BoundedCache[Block] = BoundedCache(block_bytes)
        self._joined: BoundedCache[tuple[NDArray[np.uint32], NDArray[np.uint16]]] = BoundedCache(JOINED_BYTES)

    def add(self, connection: Connection, chunks: Sequence[IndexedChunk]) -> None:
        by_tenant: dict[str, list[IndexedChunk]] = {}
        for chunk in chunks:
            by_tenant.setdefault(chunk.tenant, []).append(chunk)
        for tenant, members in by_tenant.items():
            lock_index(connection, tenant)
            for start in range(0, len(members), 4096):
                self._write(connection, tenant, KIND, prepare(members[start : start + 4096]))
            self._merge_small(connection, tenant)

    def stage(self, connection: Connection, tenant: str, name: str, segment: Prepared) -> None:
        lock_index(connection, tenant)
        write_segment(connection, tenant, STAGED + name, segment.head, segment.columns, segment.blocks)

    def stage_words(self, connection: Connection, tenant: str, keys: Sequence[str]) -> None:
        lock_index(connection, tenant)
        remember_words(connection, tenant, keys)

    def reveal(self, connection: Connection, tenant: str, name: str) -> int:
        lock_index(connection, tenant)
        rows = rename_segments(connection, tenant, STAGED + name, KIND)
        self._merge_small(connection, tenant)
        return rows

    def discard(self, connection: Connection, tenant: str, beginning: str) -> None:
        kinds = list_kinds(connection, tenant, STAGED + beginning)
        if not kinds:
            return
        lock_index(connection, tenant)
        for kind in kinds:
            for listed in list_segments(connection, tenant, kind):
                hashes = from_blocks(read_blocks(connection, tenant, listed.id, None).values()).hashes
                drop_segment(connection, tenant, kind, listed.id)
                self._forget(connection, tenant, np.unique(hashes))

    def remove(self, connection: Connection, tenant: str, numbers: Sequence[int]) -> None:
        if not numbers:
            return
        lock_index(connection, tenant)
        wanted = np.array(sorted(numbers), np.uint32)
        vanished: list[NDArray[np.uint64]] = []
        for listed in list_segments(connection, tenant, KIND):
            rows = np.flatnonzero(np.isin(self._segments.segment(connection, tenant, listed).numbers, wanted))
            left = with_removed(listed, rows)
            if len(left.gone) == len(listed.gone):
                continue
            vanished.append(_vanished(from_blocks(read_blocks(connection, tenant, listed.id, None).values()), left))
            if mostly_gone(left):
                self._rewrite(connection, tenant, [left])
            else:
                note_gone(connection, tenant, KIND, left)
        if vanished:
            self._forget(connection, tenant, np.unique(np.concatenate(vanished)))

    def count(self, connection: Connection, scope: Scope) -> int:
        sight = self._segments.sight(connection, scope, KIND)
        return sight.visible if sight else 0

    def version(self, connection: Connection, tenant: str) -> str:
        return self._segments.version(connection, tenant, KIND)

    def match(
        self, connection: Connection, scope: Scope, query: AnalysedQuery, filters: Filters = NO_FILTERS
    ) -> Scored:
        view = self._segments.view(connection, scope, KIND, filters) if query.terms else None
        if view is None:
            return NOTHING_SCORED
        terms = [TermForms(term, tuple(Form(key_hash(form), 1.0) for form in term.forms)) for term in query.terms]
        matches = self._matches(connection, scope.tenant, view, {form.hash for term in terms for form in term.forms})
        terms = [self._expanded(connection, scope.tenant, query, term, matches) for term in terms]
        extra = {form.hash for term in terms for form in term.forms if form.weight < 1.0}
        if extra:
            matches |= self._matches(connection, scope.tenant, view, extra)
        return Scorer(*self._rows(view), view.sight.visible, view.sight.measure).scored(terms, matches)

    def _rows(self, view: View[_Cached]) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
        """Numbers and lengths of the rows of all segments: kept, because to find room for them takes longer than to copy them."""

        def join() -> tuple[tuple[NDArray[np.uint32], NDArray[np.uint16]], int]:
            numbers = np.concatenate([each.numbers for each in view.segments])
            lengths = np.concatenate([each.lengths for each in view.segments])
            return (numbers, lengths), numbers.nbytes + lengths.nbytes + 500

        return self._joined.get(tuple(seen.listed.id for seen in view.sight.seen), join)

    def _matches(self, connection: Connection, tenant: str, view: View[_Cached], forms: set[int]) -> dict[int, Matches]:
        """Visible postings of every form that occurs, by its hash; rows counted through all segments."""
        hashes = sorted(forms)
        array = np.array(hashes, np.uint64)
        places: list[tuple[int, int]] = []
        for segment, seen in zip(view.segments, view.sight.seen, strict=True):
            numbers = segment.first.searchsorted(array, side="right").tolist()
            places += [(seen.listed.id, number - 1) for number in numbers]
        blocks = self._decoded(connection, tenant, places)
        found: dict[int, Matches] = {}
        for at, wanted in enumerate(hashes):
            parts = [
                (seen.at, *here)
                for seen, block in zip(view.sight.seen, blocks[at :: len(hashes)], strict=True)
                if block is not None and (here := block.find(wanted)) is not None
            ]
            matches = joined(parts) if parts else None
            if matches is not None and view.sight.mask is not None:
                matches = matches.visible(view.sight.mask)
            if matches is not None and len(matches.rows):
                found[wanted] = matches
        return found

    def _decoded(self, connection: Connection, tenant: str, places: list[tuple[int, int]]) -> list[Block | None]:
        """The blocks at (segment, number): kept ones, and the others in one reading a segment. None before the first block."""
        blocks = self._blocks.known_of(places)
        missing: dict[int, set[int]] = {}
        for (segment, number), block in zip(places, blocks, strict=True):
            if block is None and number >= 0:
                missing.setdefault(segment, set()).add(number)
        if not missing:
            return blocks
        read: dict[tuple[int, int], Block] = {}
        for segment, numbers in missing.items():
            for number, data in read_blocks(connection, tenant, segment, sorted(numbers)).items():
                read[segment, number] = block = decode(data)
                self._blocks.put((segment, number), block, len(data) + 800)
        return [read.get(place) if block is None else block for place, block in zip(places, blocks, strict=True)]

    def _expanded(
        self, connection: Connection, tenant: str, query: AnalysedQuery, term: TermForms, matches: dict[int, Matches]
    ) -> TermForms:
        """The term with the compounds that hold it and the parts that it is made of, where that is worth a look."""
        if term.term.kind != "word":
            return term
        known = any(form.hash in matches for form in term.forms)
        if known and query.language not in COMPOUNDING:
            return term
        base = _base(term.term)
        if len(base) < (5 if known else 3) or not base.isalpha():
            return term
        near = [(word, LONGER_WEIGHT * share) for word, share in longer_words(connection, tenant, base)]
        if len(base) >= 8:
            near += [(word, PART_WEIGHT * share) for word, share in parts_of(connection, tenant, base)]
        have = {form.hash for form in term.forms}
        extra = tuple(Form(key_hash(word), weight) for word, weight in near if key_hash(word) not in have)
        return TermForms(term.term, (*term.forms, *extra))

    def _write(self, connection: Connection, tenant: str, kind: str, segment: Prepared) -> None:
        write_segment(connection, tenant, kind, segment.head, segment.columns, segment.blocks)
        remember_words(connection, tenant, segment.keys)

    def _merge_small(self, connection: Connection, tenant: str) -> None:
        while chosen := to_merge(list_segments(connection, tenant, KIND)):
            self._rewrite(connection, tenant, chosen)

    def _rewrite(self, connection: Connection, tenant: str, chosen: Sequence[Listed]) -> None:
        """Puts one segment in the place of several, without the removed rows."""
        cached = [self._segments.segment(connection, tenant, listed) for listed in chosen]
        columns = [read_columns(connection, tenant, listed.id) for listed in chosen]
        kept = [kept_rows(listed) for listed in chosen]
        old = [from_blocks(read_blocks(connection, tenant, listed.id, None).values()) for listed in chosen]
        for listed in chosen:
            drop_segment(connection, tenant, KIND, listed.id)
        if any(map(len, kept)):
            merged = merge_heads(list(zip([each.head for each in cached], columns, kept, strict=True)))
            lengths = np.empty(sum(map(len, kept)), np.uint16)
            for each, rows, positions in zip(cached, kept, merged.positions, strict=True):
                lengths[positions[rows]] = each.lengths[rows]
            postings = merge(list(zip(old, merged.positions, strict=True)))
            self._write(connection, tenant, KIND, packed(merged.head, merged.columns, postings, lengths, frozenset()))

    def _forget(self, connection: Connection, tenant: str, missing: NDArray[np.uint64]) -> None:
        """Drops the words that no living or staged chunk holds any more: what was deleted must not be readable in the word list."""
        kinds = [KIND, *list_kinds(connection, tenant, STAGED)]
        for listed in [listed for kind in kinds for listed in list_segments(connection, tenant, kind)]:
            cached = self._segments.segment(connection, tenant, listed)
            blocks = np.searchsorted(cached.first, missing, side="right") - 1
            living = np.ones(listed.rows, np.bool_)
            living[listed.gone] = False
            present: set[int] = set()
            wanted = np.unique(blocks[blocks >= 0]).tolist()
            for start in range(0, len(wanted), 500):
                for number, data in read_blocks(connection, tenant, listed.id, wanted[start : start + 500]).items():
                    block = decode(data)
                    for word in missing[blocks == number].tolist():
                        here = block.find(word)
                        if here is not None and living[here[0]].any():
                            present.add(word)
            missing = np.setdiff1d(missing, np.array(sorted(present), np.uint64))
        forget_words(connection, tenant, missing.tolist())


def _load(connection: Connection, tenant: str, listed: Listed) -> tuple[_Cached, int]:
    head = read_head(connection, tenant, listed.id)
    lengths = np.frombuffer(head.extra, np.uint16, listed.rows)
    first = np.frombuffer(head.extra, np.uint64, offset=padded(2 * listed.rows))
    size = len(head.extra) + len(head.numbers) + 200 * len(head.bases) + 500
    return _Cached(head, head.ranges(), head.number_array(), lengths, first), size


def _length(segment: _Cached, mask: Mask | None) -> int:
    """How many words the visible rows have together."""
    return int((segment.lengths if mask is None else segment.lengths[mask]).sum(dtype=np.int64))


def _vanished(postings: Postings, listed: Listed) -> NDArray[np.uint64]:
    """Hashes of the keys that only removed rows of the segment hold."""
    gone = np.zeros(listed.rows, np.bool_)
    gone[listed.gone] = True
    of_gone = gone[postings.rows]
    return np.setdiff1d(postings.hashes[of_gone], postings.hashes[~of_gone])


def _base(term: QueryTerm) -> str:
    """The shortest form: what all inflections of the word begin with."""
    return min(term.forms, key=len)
