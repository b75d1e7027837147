"""Chunks: the passages that search finds, as rows. Replacing a document's chunks keeps those whose words did not change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

import sqlalchemy as sa

from famulus.errors import NotFound
from famulus.knowledge.base import Scope
from famulus.knowledge.index.base import IndexedChunk
from famulus.knowledge.index.sql import Row, execute_many, fetch, marks
from famulus.messages.ids import new_id
from famulus.messages.values import Passage
from famulus.store.columns import to_micros
from famulus.store.jsontext import decode, encode
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
# The tenant is compared as an expression: given the bare column beside many numbers, SQLite walks all passages of the tenant
# instead of looking the numbers up.
_PASSAGES = """
SELECT number, id, document, fact, kb, title, text, page, section, start, "end", category
FROM chunk WHERE tenant || '' = ? AND number IN"""
_ALIVE = "SELECT number FROM chunk WHERE tenant || '' = ? AND number IN"
_EMBEDDED = "UPDATE chunk SET embedding = ? WHERE tenant = ? AND number = ?"
# One statement, so that two first documents at once do not both make the row.
_TAKE = """
INSERT INTO counter (name, value) VALUES (:name, :count)
ON CONFLICT (name) DO UPDATE SET value = counter.value + excluded.value RETURNING value
"""
Stored = sa.RowMapping | dict[str, Any]


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


@dataclass(frozen=True, slots=True)
class ChunkView:
    """A whole passage and the ids of its neighbours in the same document."""

    passage: Passage
    previous: str | None
    next: str | None


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


def passages_by_number(connection: sa.Connection, scope: Scope, numbers: Sequence[int]) -> dict[int, Passage]:
    """The passages of these rows inside the scope; `score` is 0 until the searcher sets it.

    The bases are compared here: every search ends with this, and a scope may hold a thousand of them.
    """
    values = [scope.tenant, *numbers]
    found = fetch(connection, f"{_PASSAGES} ({marks(len(numbers))})", values) if numbers else []
    bases = frozenset(scope.knowledge_base_ids)
    return {cast(int, row[0]): _passage(row) for row in found if row[4] in bases}


def _passage(row: Row) -> Passage:
    _, chunk_id, document, fact, base, title, text, page, section, start, end, category = cast("tuple[Any, ...]", row)
    return Passage(
        chunk_id,
        "fact" if fact else "document",
        document,
        fact,
        title,
        base,
        text,
        0.0,
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


def chunks_to_embed(
    connection: sa.Connection, tenant: str, base_id: str, identity: str, limit: int
) -> list[IndexedChunk]:
    """Passages of the base that have no vector of this embedder yet; those without any first, then oldest first."""
    in_base = sa.select(chunk).where(chunk.c.tenant == tenant, chunk.c.kb == base_id)
    first = in_base.order_by(chunk.c.embedding, chunk.c.number).limit(limit)
    # Three questions: each walks an index to its first rows, which "no vector, or another one's" does not.
    for waiting in (chunk.c.embedding.is_(None), chunk.c.embedding < identity, chunk.c.embedding > identity):
        found = connection.execute(first.where(waiting)).mappings().all()
        if found:
            return [to_indexed(row) for row in found]
    return []


def count_embedded(connection: sa.Connection, scope: Scope) -> tuple[int, int]:
    """How many passages of the scope have a vector, and how many there are."""
    query = sa.select(sa.func.count(chunk.c.embedding), sa.func.count()).where(
        chunk.c.tenant == scope.tenant, chunk.c.kb.in_(scope.knowledge_base_ids)
    )
    with_vector, all_ = connection.execute(query).one()
    return with_vector, all_


def mark_embedded(connection: sa.Connection, tenant: str, numbers: Sequence[int], identity: str) -> list[int]:
    """Notes that these passages have a vector now; the numbers that still exist."""
    execute_many(connection, _EMBEDDED, [(identity, tenant, number) for number in numbers])
    found = fetch(connection, f"{_ALIVE} ({marks(len(numbers))})", [tenant, *numbers])
    return [cast(int, number) for (number,) in found]


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


def _neighbour(connection: sa.Connection, row: sa.RowMapping, step: int) -> str | None:
    if row["document"] is None:
        return None
    query = sa.select(chunk.c.id).where(
        chunk.c.tenant == row["tenant"], chunk.c.document == row["document"], chunk.c.ord == row["ord"] + step
    )
    return connection.execute(query).scalar()
