"""Chunks: the passages that search finds, as they are read. `replace.py` writes them, `pending.py` knows which wait for vectors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import sqlalchemy as sa

from famulus.errors import NotFound
from famulus.knowledge.base import Scope
from famulus.knowledge.index.base import IndexedChunk
from famulus.knowledge.index.sql import Row, fetch, marks
from famulus.messages.values import Passage
from famulus.store.jsontext import decode
from famulus.store.schema.knowledge import chunk

# The tenant is compared as an expression: given the bare column beside many numbers, SQLite walks all passages of the tenant
# instead of looking the numbers up.
_PASSAGES = """
SELECT number, id, document, fact, kb, title, text, page, section, start, "end", category
FROM chunk WHERE tenant || '' = ? AND number IN"""
Stored = sa.RowMapping | dict[str, Any]


@dataclass(frozen=True, slots=True)
class ChunkView:
    """A whole passage and the ids of its neighbours in the same document."""

    passage: Passage
    previous: str | None
    next: str | None


def passages_by_number(connection: sa.Connection, scope: Scope, scores: Mapping[int, float]) -> dict[int, Passage]:
    """The passages inside the scope of rows given with their scores.

    The bases are compared here: every search ends with this, and a scope may hold a thousand of them.
    """
    values = [scope.tenant, *scores]
    found = fetch(connection, f"{_PASSAGES} ({marks(len(scores))})", values) if scores else []
    return {
        number: _passage(row, scores[number])
        for row in found
        if row[4] in scope.bases
        for number in [cast(int, row[0])]
    }


def _passage(row: Row, score: float) -> Passage:
    _, chunk_id, document, fact, base, title, text, page, section, start, end, category = cast("tuple[Any, ...]", row)
    return Passage(
        chunk_id,
        "fact" if fact else "document",
        document,
        fact,
        title,
        base,
        text,
        score,
        page=page,
        section=tuple(cast("list[str]", decode(section))),
        start=start,
        end=end,
        category=category,
    )


def read_chunk(connection: sa.Connection, scope: Scope, chunk_id: str) -> ChunkView:
    """One passage inside the scope. Raises NotFound with the same words whether it is absent or out of scope."""
    query = sa.select(chunk).where(
        chunk.c.tenant == scope.tenant, chunk.c.kb.in_(scope.knowledge_base_ids), chunk.c.id == chunk_id
    )
    row = connection.execute(query).mappings().first()
    if row is None:
        raise NotFound("There is no such passage; it may have been deleted or replaced by a newer version.")
    return ChunkView(to_passage(row), _neighbour(connection, row, -1), _neighbour(connection, row, 1))


def chunks_between(connection: sa.Connection, scope: Scope, document_id: str, start: int, end: int) -> list[Passage]:
    """The document's passages that touch the character window, in order."""
    query = (
        sa.select(chunk)
        .where(
            chunk.c.tenant == scope.tenant,
            chunk.c.kb.in_(scope.knowledge_base_ids),
            chunk.c.document == document_id,
            chunk.c.start < end,
            chunk.c.end > start,
        )
        .order_by(chunk.c.ord)
    )
    return [to_passage(row) for row in connection.execute(query).mappings()]


def count_embedded(connection: sa.Connection, scope: Scope) -> tuple[int, int]:
    """How many passages of the scope have a vector, and how many there are."""
    query = sa.select(sa.func.count(chunk.c.embedding), sa.func.count()).where(
        chunk.c.tenant == scope.tenant, chunk.c.kb.in_(scope.knowledge_base_ids)
    )
    with_vector, all_ = connection.execute(query).one()
    return with_vector, all_


def to_passage(row: sa.RowMapping) -> Passage:
    return Passage(
        chunk_id=row["id"],
        kind="fact" if row["fact"] else "document",
        document_id=row["document"],
        fact_id=row["fact"],
        document_name=row["title"],
        knowledge_base_id=row["kb"],
        text=row["text"],
        score=0.0,
        page=row["page"],
        section=tuple(row["section"]),
        start=row["start"],
        end=row["end"],
        category=row["category"],
    )


def to_indexed(row: Stored) -> IndexedChunk:
    return IndexedChunk(
        number=int(row["number"]),
        chunk_id=row["id"],
        tenant=row["tenant"],
        knowledge_base_id=row["kb"],
        document_id=row["document"],
        title=row["title"],
        context=row["context"],
        text=row["text"],
        category=row["category"],
        media_type=row["media_type"],
        created_at=row["created_at"],
    )


def _neighbour(connection: sa.Connection, row: sa.RowMapping, step: int) -> str | None:
    if row["document"] is None:
        return None
    query = sa.select(chunk.c.id).where(
        chunk.c.tenant == row["tenant"], chunk.c.document == row["document"], chunk.c.ord == row["ord"] + step
    )
    return connection.execute(query).scalar()
