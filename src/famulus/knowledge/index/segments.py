"""Segments: immutable groups of chunks inside an index, and their heads; `scoped.py` says which of their rows a scope may see.

Both indexes are built from them. Rows of one knowledge base lie side by side, so a scope is a few slices. New chunks make a
small segment; eight of about one size become one, so there are few, and each chunk is rewritten a few times only. A segment
stops growing at 16,384 rows: that bounds what one transaction has to do.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import msgspec
import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from famulus.knowledge.index.base import IndexedChunk
from famulus.knowledge.index.sql import Row, execute, execute_many, fetch
from famulus.store.columns import to_micros

MAX_ROWS = 16_384
MERGE_AT = 8
# A segment with more than this share of removed rows is rewritten without them.
MOST_GONE = 0.2
HEAD_BLOCK = -1
COLUMNS_BLOCK = -2
NO_DATE = np.iinfo(np.int64).min


@dataclass(frozen=True, slots=True)
class Listed:
    """A segment as the table lists it. `gone` are positions whose chunks were removed."""

    id: int
    rows: int
    gone: NDArray[np.uint32]


class Head(msgspec.Struct, frozen=True):
    """What every search must know of a segment's rows. Arrays as bytes; row order is (knowledge base, number).

    `extra` belongs to the index whose segment it is.
    """

    numbers: bytes
    bases: list[str]
    starts: list[int]
    extra: bytes = b""

    def number_array(self) -> NDArray[np.uint32]:
        return np.frombuffer(self.numbers, np.uint32)

    def ranges(self) -> dict[str, tuple[int, int]]:
        """Where the rows of each knowledge base begin and end."""
        ends = [*self.starts[1:], len(self.numbers) // 4]
        return {name: (start, end) for name, start, end in zip(self.bases, self.starts, ends, strict=True)}


class Columns(msgspec.Struct, frozen=True):
    """What only a filtered search must know: the distinct values and, for each row, which one it has."""

    categories: list[str | None]
    category: bytes
    media_types: list[str | None]
    media_type: bytes
    created: bytes


def make_head(chunks: Sequence[IndexedChunk]) -> tuple[Head, Columns]:
    """The description of `chunks`, which must be in row order (`in_row_order`)."""
    bases, starts = _runs([chunk.knowledge_base_id for chunk in chunks])
    created = [NO_DATE if chunk.created_at is None else to_micros(chunk.created_at) for chunk in chunks]
    columns = Columns(
        *_coded([chunk.category for chunk in chunks]),
        *_coded([chunk.media_type for chunk in chunks]),
        np.array(created, np.int64).tobytes(),
    )
    return Head(np.array([chunk.number for chunk in chunks], np.uint32).tobytes(), bases, starts), columns


def in_row_order(chunks: Sequence[IndexedChunk]) -> list[IndexedChunk]:
    return sorted(chunks, key=lambda chunk: (chunk.knowledge_base_id, chunk.number))


@dataclass(frozen=True, slots=True)
class Merged:
    """The description of several segments' kept rows as one; `positions` has, for each old segment, the new position of
    each of its rows, -1 where the row is dropped."""

    head: Head
    columns: Columns
    positions: list[NDArray[np.int64]]


def merge_heads(parts: Sequence[tuple[Head, Columns, NDArray[np.int64]]]) -> Merged:
    """From the heads, columns and kept rows of each segment."""
    base = np.concatenate([_base_names(head)[rows] for head, _, rows in parts])
    numbers = np.concatenate([head.number_array()[rows] for head, _, rows in parts])
    created = np.concatenate([np.frombuffer(columns.created, np.int64)[rows] for _, columns, rows in parts])
    category = [value for _, columns, rows in parts for value in _values(columns.categories, columns.category, rows)]
    media = [value for _, columns, rows in parts for value in _values(columns.media_types, columns.media_type, rows)]
    order = np.lexsort((numbers, base))
    names, starts = _runs([str(name) for name in base[order]])
    columns = Columns(
        *_coded([category[index] for index in order.tolist()]),
        *_coded([media[index] for index in order.tolist()]),
        created[order].tobytes(),
    )
    return Merged(Head(numbers[order].tobytes(), names, starts), columns, _new_positions(parts, order))


def _new_positions(
    parts: Sequence[tuple[Head, Columns, NDArray[np.int64]]], order: NDArray[np.int64]
) -> list[NDArray[np.int64]]:
    position = np.empty(len(order), np.int64)
    position[order] = np.arange(len(order))
    result: list[NDArray[np.int64]] = []
    at = 0
    for head, _, rows in parts:
        places = np.full(len(head.number_array()), -1, np.int64)
        places[rows] = position[at : at + len(rows)]
        at += len(rows)
        result.append(places)
    return result


def _runs(values: list[str]) -> tuple[list[str], list[int]]:
    """Names of the runs of equal neighbours, and where each run begins."""
    names: list[str] = []
    starts: list[int] = []
    for index, value in enumerate(values):
        if not names or names[-1] != value:
            names.append(value)
            starts.append(index)
    return names, starts


def _base_names(head: Head) -> NDArray[np.str_]:
    return np.repeat(np.array(head.bases, np.str_), np.diff([*head.starts, len(head.numbers) // 4]))


def _coded(values: list[str | None]) -> tuple[list[str | None], bytes]:
    distinct = list(dict.fromkeys(values))
    place = {value: index for index, value in enumerate(distinct)}
    return distinct, np.array([place[value] for value in values], np.uint16).tobytes()


def _values(values: list[str | None], codes: bytes, rows: NDArray[np.int64]) -> list[str | None]:
    return [values[code] for code in np.frombuffer(codes, np.uint16)[rows].tolist()]


def new_segment_id() -> int:
    return secrets.randbits(62)


def segment_rows(connection: Connection, tenant: str, kind: str) -> list[Row]:
    """The segments of one index as the table has them: id, rows, gone."""
    return fetch(
        connection, "SELECT id, rows, gone FROM index_segment WHERE tenant = ? AND kind = ? ORDER BY id", [tenant, kind]
    )


def listed_segments(rows: Sequence[Row]) -> list[Listed]:
    return [
        Listed(cast(int, segment), cast(int, count), np.frombuffer(bytes(cast(bytes, gone or b"")), np.uint32))
        for segment, count, gone in rows
    ]


def list_segments(connection: Connection, tenant: str, kind: str) -> list[Listed]:
    """All segments of one index; their order is not part of the contract."""
    return listed_segments(segment_rows(connection, tenant, kind))


def list_kinds(connection: Connection, tenant: str, beginning: str) -> list[str]:
    """The kinds of segments whose names begin so."""
    found = fetch(
        connection,
        "SELECT DISTINCT kind FROM index_segment WHERE tenant = ? AND substr(kind, 1, ?) = ?",
        [tenant, len(beginning), beginning],
    )
    return [cast(str, row[0]) for row in found]


def rename_segments(connection: Connection, tenant: str, old: str, new: str) -> int:
    """Gives all segments of one kind another one; how many rows they hold."""
    rows = sum(listed.rows for listed in list_segments(connection, tenant, old))
    execute(connection, "UPDATE index_segment SET kind = ? WHERE tenant = ? AND kind = ?", [new, tenant, old])
    return rows


def segments_version(segments: Sequence[Listed]) -> str:
    """Differs whenever the segments or their removed rows do."""
    return " ".join(f"{segment.id}-{len(segment.gone)}" for segment in segments)


def read_head(connection: Connection, tenant: str, segment: int) -> Head:
    return msgspec.msgpack.decode(read_blocks(connection, tenant, segment, [HEAD_BLOCK])[HEAD_BLOCK], type=Head)


def read_columns(connection: Connection, tenant: str, segment: int) -> Columns:
    return msgspec.msgpack.decode(
        read_blocks(connection, tenant, segment, [COLUMNS_BLOCK])[COLUMNS_BLOCK], type=Columns
    )


def read_blocks(connection: Connection, tenant: str, segment: int, blocks: Sequence[int] | None) -> dict[int, bytes]:
    """The named blocks by their number; all that are not description for None."""
    statement = "SELECT block, data FROM index_block WHERE tenant = ? AND segment = ?"
    if blocks is None:
        found = fetch(connection, statement + " AND block >= 0 ORDER BY block", [tenant, segment])
    elif len(blocks) == 1:
        found = fetch(connection, statement + " AND block = ?", [tenant, segment, blocks[0]])
    else:
        places = ", ".join("?" * len(blocks))
        found = fetch(connection, f"{statement} AND block IN ({places})", [tenant, segment, *blocks])
    return {cast(int, block): bytes(cast(bytes, data)) for block, data in found}


def write_segment(
    connection: Connection, tenant: str, kind: str, head: Head, columns: Columns, blocks: Sequence[bytes]
) -> int:
    """Stores a new segment and returns its id."""
    segment = new_segment_id()
    execute(
        connection,
        "INSERT INTO index_segment (tenant, kind, id, rows, gone) VALUES (?, ?, ?, ?, NULL)",
        [tenant, kind, segment, len(head.numbers) // 4],
    )
    rows: list[tuple[str, int, int, bytes]] = [
        (tenant, segment, HEAD_BLOCK, msgspec.msgpack.encode(head)),
        (tenant, segment, COLUMNS_BLOCK, msgspec.msgpack.encode(columns)),
    ]
    rows += [(tenant, segment, number, data) for number, data in enumerate(blocks)]
    execute_many(connection, "INSERT INTO index_block (tenant, segment, block, data) VALUES (?, ?, ?, ?)", rows)
    return segment


def drop_segment(connection: Connection, tenant: str, kind: str, segment: int) -> None:
    execute(connection, "DELETE FROM index_segment WHERE tenant = ? AND kind = ? AND id = ?", [tenant, kind, segment])
    execute(connection, "DELETE FROM index_block WHERE tenant = ? AND segment = ?", [tenant, segment])


def note_gone(connection: Connection, tenant: str, kind: str, listed: Listed) -> None:
    """Stores which rows of the segment are gone."""
    execute(
        connection,
        "UPDATE index_segment SET gone = ? WHERE tenant = ? AND kind = ? AND id = ?",
        [listed.gone.tobytes(), tenant, kind, listed.id],
    )


def kept_rows(listed: Listed) -> NDArray[np.int64]:
    return np.setdiff1d(np.arange(listed.rows), listed.gone)


def with_removed(listed: Listed, rows: NDArray[np.int64]) -> Listed:
    """The segment with these positions removed as well."""
    return Listed(listed.id, listed.rows, np.union1d(listed.gone, rows).astype(np.uint32))


def mostly_gone(listed: Listed) -> bool:
    """Whether a segment should be rewritten without its removed rows."""
    return len(listed.gone) > MOST_GONE * listed.rows


def tier(rows: int) -> int:
    """Segments of one tier are merged together."""
    return int(np.log(max(rows, 1)) / np.log(MERGE_AT) + 1e-9)


def to_merge(segments: Sequence[Listed]) -> list[Listed]:
    """The segments to merge next; empty when there is nothing to do."""
    tiers: dict[int, list[Listed]] = {}
    for segment in segments:
        if segment.rows < MAX_ROWS:
            tiers.setdefault(tier(segment.rows), []).append(segment)
    for _, members in sorted(tiers.items()):
        if len(members) >= MERGE_AT:
            chosen = sorted(members, key=lambda member: member.rows)
            while sum(member.rows for member in chosen) > MAX_ROWS and len(chosen) > 2:
                chosen.pop()
            if sum(member.rows for member in chosen) <= MAX_ROWS:
                return chosen
    return []
