"""The words of an index as text, for what hashes cannot answer: which words begin or end with this one, which are part of it.

That is how `Kündigungsfrist` finds `Kündigungsfristenregelung` and the other way round, without any list of compounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from sqlalchemy import Connection

from famulus.knowledge.index.postings import key_hash
from famulus.knowledge.index.sql import MOST_VALUES, execute, execute_many, fetch, marks

LEAST_WORD = 4
MOST_WORD = 48
LEAST_PART = 4
# A part of the question's word must cover this much of it, or it says too little ("Haus" in "Hausratversicherung").
LEAST_SHARE = 0.3
MOST_EXPANSIONS = 24


def remember_words(connection: Connection, tenant: str, keys: Iterable[str]) -> None:
    """Adds the keys that are words; those known already stay."""
    rows = [
        (tenant, signed(key_hash(key)), key, key[::-1])
        for key in sorted(set(keys))
        if LEAST_WORD <= len(key) <= MOST_WORD and key.isalpha()
    ]
    execute_many(
        connection,
        "INSERT INTO index_word (tenant, hash, word, reversed) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        rows,
    )


def forget_words(connection: Connection, tenant: str, hashes: Sequence[int]) -> None:
    """Removes the words whose last chunk is gone."""
    for start in range(0, len(hashes), MOST_VALUES):
        part = [signed(value) for value in hashes[start : start + MOST_VALUES]]
        execute(
            connection, f"DELETE FROM index_word WHERE tenant = ? AND hash IN ({marks(len(part))})", [tenant, *part]
        )


def longer_words(connection: Connection, tenant: str, key: str) -> list[tuple[str, float]]:
    """Words that begin or (from four letters) end with `key`, shortest first, each with the share of it that `key` covers."""
    found = _beginning(connection, tenant, "word", key)
    if len(key) >= LEAST_PART:
        found += [word[::-1] for word in _beginning(connection, tenant, "reversed", key[::-1])]
    return [(word, len(key) / len(word)) for word in dict.fromkeys(found) if word != key]


def parts_of(connection: Connection, tenant: str, key: str) -> list[tuple[str, float]]:
    """The longest known word that `key` begins with and the longest it ends with, each with the share it covers."""
    least = max(LEAST_PART, round(LEAST_SHARE * len(key)))
    lengths = range(len(key) - 1, least - 1, -1)
    fronts = [key[:length] for length in lengths]
    backs = [key[-length:] for length in lengths]
    if not fronts:
        return []
    places = marks(len(fronts) * 2)
    statement = f"SELECT word FROM index_word WHERE tenant = ? AND word IN ({places})"
    known = {cast(str, row[0]) for row in fetch(connection, statement, [tenant, *fronts, *backs])}
    chosen = [next((word for word in words if word in known), None) for words in (fronts, backs)]
    return [(word, len(word) / len(key)) for word in dict.fromkeys(chosen) if word]


def _beginning(connection: Connection, tenant: str, column: str, key: str) -> list[str]:
    after = key[:-1] + chr(ord(key[-1]) + 1)
    statement = (
        f"SELECT {column} FROM index_word WHERE tenant = ? AND {column} >= ? AND {column} < ? "
        f"ORDER BY length({column}), {column} LIMIT {MOST_EXPANSIONS}"
    )
    return [cast(str, row[0]) for row in fetch(connection, statement, [tenant, key, after])]


def signed(value: int) -> int:
    """The same 64 bits as the engines' signed integer."""
    return value - (1 << 64) if value >= 1 << 63 else value
