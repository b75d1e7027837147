"""Chunks as they are written: replacing a document's or fact's passages keeps those whose words did not change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from famulus.knowledge.chunks import to_indexed
from famulus.knowledge.index.base import IndexedChunk
from famulus.knowledge.index.sql import execute_many, marks
from famulus.messages.ids import new_id
from famulus.store.columns import to_micros
from famulus.store.jsontext import encode
from famulus.store.schema.knowledge import chunk

NUMBERS = "chunk"
# Plain SQL: the writer is held while the passages of a large document go in, and this takes a third of the time.
_PLAIN = (
    "tenant",
    "id",
    "number",
    "kb",
    "document",
    "fact",
    "ord",
    "title",
    "context",
    "text",
    "page",
    "start",
    "end",
    "category",
    "media_type",
)
_INSERT = f"""
INSERT INTO chunk ({", ".join(f'"{name}"' for name in _PLAIN)}, section, created_at) VALUES ({marks(len(_PLAIN) + 2)})
"""
# One statement, so that two first documents at once do not both make the row.
_TAKE = """
INSERT INTO counter (name, value) VALUES (:name, :count)
ON CONFLICT (name) DO UPDATE SET value = counter.value + excluded.value RETURNING value
"""


@dataclass(frozen=True, slots=True)
class NewChunk:
    """A passage before it has a number. `start` and `end` are character offsets into the document's text."""

    ord: int
    start: int
    end: int
    text: str
    context: str = ""
    page: int | None = None
    section: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Owner:
    """What the passages belong to: exactly one of `document_id` and `fact_id` is set."""

    tenant: str
    knowledge_base_id: str
    title: str
    created_at: datetime
    document_id: str | None = None
    fact_id: str | None = None
    category: str | None = None
    media_type: str | None = None

    def where(self) -> tuple[sa.ColumnElement[bool], ...]:
        column, value = (chunk.c.fact, self.fact_id) if self.fact_id else (chunk.c.document, self.document_id)
        return chunk.c.tenant == self.tenant, column == value


@dataclass(frozen=True, slots=True)
class Plan:
    """How passages are replaced: the numbers there are, those that go, the ids that stay with their new place, and what comes."""

    old: frozenset[int]
    removed: list[int]
    moved: list[tuple[str, NewChunk]]
    fresh: list[NewChunk]


@dataclass(frozen=True, slots=True)
class Replaced:
    """What the indexes must do after the rows were replaced."""

    removed: list[int]
    added: list[IndexedChunk]


def plan_chunks(connection: sa.Connection, owner: Owner, chunks: Sequence[NewChunk]) -> Plan:
    """What makes `chunks` the passages of `owner`. A passage with unchanged words keeps its id, number and vector."""
    old = list(connection.execute(sa.select(chunk).where(*owner.where())).mappings())
    kept: dict[tuple[object, ...], list[sa.RowMapping]] = {}
    for row in old:
        kept.setdefault((row["title"], row["context"], row["text"], row["category"]), []).append(row)
    moved: list[tuple[str, NewChunk]] = []
    fresh: list[NewChunk] = []
    for new in chunks:
        same = kept.get((owner.title, new.context, new.text, owner.category))
        if same:
            moved.append((same.pop(0)["id"], new))
        else:
            fresh.append(new)
    removed = [int(row["number"]) for rows in kept.values() for row in rows]
    return Plan(frozenset(int(row["number"]) for row in old), removed, moved, fresh)


def still_holds(connection: sa.Connection, owner: Owner, plan: Plan) -> bool:
    """Whether the owner has the passages that it had when the plan was made."""
    return plan.old == frozenset(map(int, connection.scalars(sa.select(chunk.c.number).where(*owner.where()))))


def apply_plan(connection: sa.Connection, owner: Owner, plan: Plan, fresh: Sequence[dict[str, Any]]) -> None:
    """Carries the plan out; `fresh` are the rows of its fresh passages (`chunk_rows`)."""
    _delete(connection, owner.tenant, plan.removed)
    _move(connection, owner.tenant, plan.moved)
    insert_rows(connection, fresh)


def insert_rows(connection: sa.Connection, fresh: Sequence[dict[str, Any]]) -> None:
    """Stores passages as `chunk_rows` gives them."""
    execute_many(
        connection,
        _INSERT,
        [[*map(row.get, _PLAIN), encode(row["section"]), to_micros(row["created_at"])] for row in fresh],
    )


def replace_chunks(connection: sa.Connection, owner: Owner, chunks: Sequence[NewChunk]) -> Replaced:
    """Makes `chunks` the passages of `owner`, in the caller's transaction."""
    plan = plan_chunks(connection, owner, chunks)
    rows = chunk_rows(owner, plan.fresh, take_numbers(connection, len(plan.fresh))) if plan.fresh else []
    apply_plan(connection, owner, plan, rows)
    return Replaced(plan.removed, [to_indexed(row) for row in rows])


def take_numbers(connection: sa.Connection, count: int) -> int:
    """The first of `count` fresh chunk numbers; inside the caller's transaction."""
    last = connection.execute(sa.text(_TAKE), {"name": NUMBERS, "count": count}).scalar_one()
    return int(last) - count + 1


def chunk_rows(owner: Owner, chunks: Sequence[NewChunk], first: int) -> list[dict[str, Any]]:
    """Fresh passages as rows, numbered from `first`."""
    return [
        {
            "tenant": owner.tenant,
            "id": new_id(),
            "number": first + at,
            "kb": owner.knowledge_base_id,
            "document": owner.document_id,
            "fact": owner.fact_id,
            "title": owner.title,
            "context": new.context,
            "text": new.text,
            "category": owner.category,
            "media_type": owner.media_type,
            "created_at": owner.created_at,
            **_place(new),
        }
        for at, new in enumerate(chunks)
    ]


def _delete(connection: sa.Connection, tenant: str, numbers: Iterable[int]) -> None:
    rows = [{"number_": number} for number in numbers]
    if rows:
        where = chunk.c.tenant == tenant, chunk.c.number == sa.bindparam("number_")
        connection.execute(sa.delete(chunk).where(*where), rows)


def _move(connection: sa.Connection, tenant: str, moved: Sequence[tuple[str, NewChunk]]) -> None:
    """Kept passages may stand elsewhere in the new text; two steps are not needed since `ord` is not unique."""
    rows = [{"id_": chunk_id, **_place(new)} for chunk_id, new in moved]
    if rows:
        where = chunk.c.tenant == tenant, chunk.c.id == sa.bindparam("id_")
        connection.execute(sa.update(chunk).where(*where), rows)


def _place(new: NewChunk) -> dict[str, object]:
    return {"ord": new.ord, "start": new.start, "end": new.end, "page": new.page, "section": list(new.section)}
