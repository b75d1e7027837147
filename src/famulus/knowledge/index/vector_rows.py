"""The exact vectors of an index: float16 rows in a table, inserted once and never changed; those of small models also in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from famulus.knowledge.index.cache import BoundedCache
from famulus.knowledge.index.sql import MOST_VALUES, Row, execute, execute_many, fetch, marks

# A model with no more than this in rows is held in memory while it is searched: 32,768 rows of 384 dimensions.
MOST_HELD_BYTES = 24 << 20
# What all held models may take together.
HELD_BYTES = 64 << 20


class HeldRows:
    """Rows of segments by segment; float16 (rows of the segment, dim)."""

    def __init__(self, max_bytes: int = HELD_BYTES, most_bytes: int = MOST_HELD_BYTES) -> None:
        self._cache: BoundedCache[NDArray[np.float16]] = BoundedCache(max_bytes)
        self._most_bytes = most_bytes

    def holds(self, count: int, dim: int) -> bool:
        """Whether a model of `count` rows is small enough."""
        return 2 * count * dim <= self._most_bytes

    def of(
        self,
        connection: Connection,
        tenant: str,
        model: int,
        segments: Sequence[tuple[int, NDArray[np.uint32]]],
        dim: int,
    ) -> list[NDArray[np.float16]]:
        """The rows of each segment, given with its numbers, in their order; zeros where a row is gone, which nothing visible is."""
        kept = self._cache.known_of([segment for segment, _ in segments])
        return [
            self._read(connection, tenant, model, segment, numbers, dim) if rows is None else rows
            for rows, (segment, numbers) in zip(kept, segments, strict=True)
        ]

    def _read(
        self, connection: Connection, tenant: str, model: int, segment: int, numbers: NDArray[np.uint32], dim: int
    ) -> NDArray[np.float16]:
        held = np.zeros((len(numbers), dim), np.float16)
        found, halves = read_halves(connection, tenant, model, numbers.tolist())
        if len(found):
            order = np.argsort(numbers)
            held[order[np.searchsorted(numbers[order], found)]] = halves
        self._cache.put(segment, held, held.nbytes)
        return held


def read_halves(
    connection: Connection, tenant: str, model: int, numbers: Sequence[int]
) -> tuple[NDArray[np.int64], NDArray[np.float16]]:
    """Stored vectors in any order, with their numbers."""
    found: list[Row] = []
    for start in range(0, len(numbers), MOST_VALUES):
        found += _select(connection, tenant, model, "number, vector", numbers[start : start + MOST_VALUES])
    halves = np.frombuffer(b"".join([cast(bytes, vector) for _, vector in found]), np.float16)
    rows = halves.reshape(len(found), len(halves) // max(1, len(found)))
    return np.array([number for number, _ in found], np.int64), rows


def widen(halves: NDArray[np.float16]) -> NDArray[np.float32]:
    """The same finite numbers, ready to be multiplied; in a quarter of the time of numpy's own way, which does it one by one.

    Sign, exponent and fraction go to their places in the longer form; 2^112 makes up for its other middle of exponents.
    """
    bits = halves.view(np.int16).astype(np.int32)
    bits <<= 13
    unsigned = bits.view(np.uint32)
    unsigned &= np.uint32(0x8FFFFFFF)
    wide = bits.view(np.float32)
    wide *= np.float32(2.0**112)
    return wide


def read_rows(
    connection: Connection, tenant: str, model: int, numbers: Sequence[int]
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """As `read_halves`, ready to be multiplied."""
    found, halves = read_halves(connection, tenant, model, numbers)
    return found, widen(halves)


def _select(connection: Connection, tenant: str, model: int, columns: str, numbers: Sequence[int]) -> list[Row]:
    least, most = min(numbers), max(numbers)
    # Rows that lie close together are walked, which is five times faster than a look-up of each.
    if most - least < 2 * len(numbers):
        walked = f"SELECT {columns} FROM vector_row WHERE tenant = ? AND model = ? AND number BETWEEN ? AND ?"
        wanted = set(numbers)
        return [row for row in fetch(connection, walked, [tenant, model, least, most]) if row[0] in wanted]
    statement = f"SELECT {columns} FROM vector_row WHERE tenant = ? AND model = ? AND number IN ({marks(len(numbers))})"
    return fetch(connection, statement, [tenant, model, *numbers])


def insert_rows(
    connection: Connection, tenant: str, model: int, numbers: Sequence[int], vectors: NDArray[np.float32]
) -> None:
    halves = vectors.astype(np.float16)
    execute_many(
        connection,
        "INSERT INTO vector_row (tenant, model, number, vector) VALUES (?, ?, ?, ?)",
        [(tenant, model, number, half.tobytes()) for number, half in zip(numbers, halves, strict=True)],
    )


def stored_numbers(connection: Connection, tenant: str, model: int, numbers: Sequence[int]) -> set[int]:
    """Which of these have a vector already, so that a job that runs twice does no harm."""
    stored: set[int] = set()
    for start in range(0, len(numbers), MOST_VALUES):
        found = _select(connection, tenant, model, "number", numbers[start : start + MOST_VALUES])
        stored |= {cast(int, row[0]) for row in found}
    return stored


def delete_rows(connection: Connection, tenant: str, model: int, numbers: Sequence[int]) -> None:
    for start in range(0, len(numbers), MOST_VALUES):
        part = numbers[start : start + MOST_VALUES]
        statement = f"DELETE FROM vector_row WHERE tenant = ? AND model = ? AND number IN ({marks(len(part))})"
        execute(connection, statement, [tenant, model, *part])
