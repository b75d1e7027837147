"""Facts: short entries with a category and tags, found beside documents. A sensitive fact is stored and never indexed."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypedDict

import sqlalchemy as sa

from famulus.errors import Invalid, NotFound
from famulus.knowledge.replace import NewChunk, Owner, Replaced, replace_chunks
from famulus.messages.ids import new_id
from famulus.messages.values import Principal
from famulus.store.schema.knowledge import fact

MAX_TEXT = 8_000
TITLE_LENGTH = 80


@dataclass(frozen=True, slots=True)
class Fact:
    id: str
    knowledge_base_id: str
    text: str
    category: str | None
    tags: tuple[str, ...]
    sensitive: bool
    created_by: str
    created_at: datetime
    updated_at: datetime


class FactChanges(TypedDict, total=False):
    """What a PATCH may change; a missing key stays as it is."""

    text: str
    category: str | None
    tags: list[str]
    sensitive: bool


def clean_text(text: str) -> str:
    """The fact's text in NFC. Raises Invalid when empty or too long."""
    kept = unicodedata.normalize("NFC", text).replace("\x00", "").strip()
    if not kept:
        raise Invalid("The fact is empty; write at least one word.")
    if len(kept) > MAX_TEXT:
        raise Invalid(f"The fact has {len(kept)} characters; at most {MAX_TEXT} are allowed: add a document instead.")
    return kept


def add_fact(
    connection: sa.Connection,
    principal: Principal,
    base_id: str,
    text: str,
    category: str | None,
    tags: Sequence[str],
    sensitive: bool,
) -> tuple[Fact, Replaced]:
    """The new fact and what the indexes must do."""
    now = datetime.now(UTC)
    row: dict[str, Any] = {
        "tenant": principal.tenant,
        "id": new_id(),
        "kb": base_id,
        "text": clean_text(text),
        "category": category,
        "tags": list(tags),
        "sensitive": sensitive,
        "created_by": principal.user,
        "created_at": now,
        "updated_at": now,
    }
    connection.execute(sa.insert(fact), row)
    return to_fact(row), _index(connection, principal.tenant, to_fact(row))


def read_fact(connection: sa.Connection, tenant: str, fact_id: str) -> Fact:
    """One fact of the tenant. Raises NotFound."""
    row = connection.execute(sa.select(fact).where(fact.c.tenant == tenant, fact.c.id == fact_id)).mappings().first()
    if row is None:
        raise NotFound(f"There is no fact {fact_id!r}; it may have been deleted.")
    return to_fact(row)


def list_facts(
    connection: sa.Connection,
    tenant: str,
    base_ids: Sequence[str],
    *,
    category: str | None = None,
    tag: str | None = None,
    q: str | None = None,
    after: str = "",
    limit: int = 100,
) -> list[Fact]:
    """Facts of these bases, oldest first; `q` is a plain part of the text, letter case ignored."""
    query = sa.select(fact).where(fact.c.tenant == tenant, fact.c.kb.in_(base_ids), fact.c.id > after)
    if category is not None:
        query = query.where(fact.c.category == category)
    found: list[Fact] = []
    wanted = unicodedata.normalize("NFC", q).casefold() if q else None
    for row in connection.execute(query.order_by(fact.c.id)).mappings():
        item = to_fact(row)
        if (tag is None or tag in item.tags) and (wanted is None or wanted in item.text.casefold()):
            found.append(item)
            if len(found) == limit:
                break
    return found


def change_fact(connection: sa.Connection, tenant: str, fact_id: str, changes: FactChanges) -> tuple[Fact, Replaced]:
    """The fact after the changes and what the indexes must do. Raises NotFound, Invalid."""
    read_fact(connection, tenant, fact_id)
    values: dict[str, object] = {**changes, "updated_at": datetime.now(UTC)}
    if "text" in changes:
        values["text"] = clean_text(changes["text"])
    connection.execute(sa.update(fact).where(fact.c.tenant == tenant, fact.c.id == fact_id).values(values))
    changed = read_fact(connection, tenant, fact_id)
    return changed, _index(connection, tenant, changed)


def remove_fact(connection: sa.Connection, tenant: str, item: Fact) -> list[int]:
    """Deletes the fact; the chunk numbers that the indexes must forget."""
    removed = replace_chunks(connection, _owner(tenant, item), ()).removed
    connection.execute(sa.delete(fact).where(fact.c.tenant == tenant, fact.c.id == item.id))
    return removed


def to_fact(row: sa.RowMapping | dict[str, Any]) -> Fact:
    return Fact(
        id=row["id"],
        knowledge_base_id=row["kb"],
        text=row["text"],
        category=row["category"],
        tags=tuple(row["tags"]),
        sensitive=row["sensitive"],
        created_by=row["created_by"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


def _index(connection: sa.Connection, tenant: str, item: Fact) -> Replaced:
    chunks = () if item.sensitive else (NewChunk(0, 0, len(item.text), item.text),)
    return replace_chunks(connection, _owner(tenant, item), chunks)


def _owner(tenant: str, item: Fact) -> Owner:
    title = item.text.splitlines()[0]
    if len(title) > TITLE_LENGTH:
        title = title[: TITLE_LENGTH - 1] + "…"
    return Owner(tenant, item.knowledge_base_id, title, item.created_at, fact_id=item.id, category=item.category)
