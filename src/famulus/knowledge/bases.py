"""Knowledge bases: named collections with an owner and a scope. The rule of who sees which base stands here, once."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, TypedDict, cast

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from famulus.errors import Conflict, Invalid, NotFound
from famulus.knowledge.base import Scope
from famulus.messages.ids import new_id
from famulus.messages.values import Principal
from famulus.store.database import Database
from famulus.store.schema.knowledge import document, fact, knowledge_base

BaseScope = Literal["personal", "workspace", "tenant", "global"]
Sensitivity = Literal["normal", "confidential"]
MAX_NAME = 200


@dataclass(frozen=True, slots=True)
class KnowledgeBase:
    """One base as its readers see it; counts are of what is stored now, `failed_count` of the documents that could not be read."""

    id: str
    name: str
    description: str
    owner: str
    scope: BaseScope
    sensitivity: Sensitivity
    neutralize: bool
    document_count: int
    fact_count: int
    created_at: datetime
    updated_at: datetime
    failed_count: int = 0


class BaseChanges(TypedDict, total=False):
    """What a PATCH may change; a missing key stays as it is."""

    name: str
    description: str
    scope: BaseScope
    sensitivity: Sensitivity
    neutralize: bool


def visible(principal: Principal) -> sa.ColumnElement[bool]:
    """The WHERE clause of "may see this base": own ones, and all that are not personal, of the caller's tenant."""
    table = knowledge_base.c
    return sa.and_(table.tenant == principal.tenant, sa.or_(table.owner == principal.user, table.scope != "personal"))


def clean_name(name: str, *, what: str) -> str:
    """The name in NFC without control characters and outer blanks. Raises Invalid when nothing or too much is left."""
    kept = "".join(c for c in unicodedata.normalize("NFC", name) if unicodedata.category(c) not in ("Cc", "Cs", "Co"))
    kept = kept.strip()
    if not kept:
        raise Invalid(f"The {what} is empty; give it at least one visible character.")
    if len(kept) > MAX_NAME:
        raise Invalid(f"The {what} has {len(kept)} characters; at most {MAX_NAME} are allowed.")
    return kept


class Bases:
    """Create, read, change and delete knowledge bases; every query carries the tenant."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(
        self,
        principal: Principal,
        name: str,
        *,
        description: str = "",
        scope: BaseScope = "personal",
        sensitivity: Sensitivity = "normal",
        neutralize: bool = False,
    ) -> KnowledgeBase:
        """The new base. Raises Conflict when the caller already owns one of that name."""
        now, base_id, name = datetime.now(UTC), new_id(), clean_name(name, what="name of the knowledge base")
        row = {
            "tenant": principal.tenant,
            "id": base_id,
            "owner": principal.user,
            "name": name,
            "description": unicodedata.normalize("NFC", description),
            "scope": scope,
            "sensitivity": sensitivity,
            "neutralize": neutralize,
            "created_at": now,
            "updated_at": now,
        }
        try:
            await self._database.write(lambda c: c.execute(sa.insert(knowledge_base), row) and None)
        except IntegrityError as error:
            raise Conflict(f"You already have a knowledge base named {name!r}; choose another name.") from error
        return await self.get(principal, base_id)

    async def get(self, principal: Principal, base_id: str) -> KnowledgeBase:
        """One visible base. Raises NotFound."""
        return await self._database.read(lambda c: read_base(c, principal, base_id))

    async def find(self, principal: Principal, name: str) -> KnowledgeBase | None:
        """The visible base of that name, the caller's own first; None when there is none."""
        query = _select().where(visible(principal), knowledge_base.c.name == unicodedata.normalize("NFC", name).strip())
        query = query.order_by(knowledge_base.c.owner != principal.user, knowledge_base.c.id).limit(1)
        row = await self._database.read(lambda c: c.execute(query).mappings().first())
        return None if row is None else _base(row)

    async def list(self, principal: Principal, *, after: str = "", limit: int | None = None) -> list[KnowledgeBase]:
        """Visible bases, oldest first, from the id behind `after`; all when there is no `limit`."""
        query = _select().where(visible(principal), knowledge_base.c.id > after)
        query = query.order_by(knowledge_base.c.id).limit(limit)
        return await self._database.read(lambda c: [_base(row) for row in c.execute(query).mappings()])

    async def update(self, principal: Principal, base_id: str, changes: BaseChanges) -> KnowledgeBase:
        """The base after the changes. Raises NotFound, Conflict, Invalid."""
        values: dict[str, object] = {**changes, "updated_at": datetime.now(UTC)}
        if "name" in changes:
            values["name"] = clean_name(changes["name"], what="name of the knowledge base")

        def apply(connection: sa.Connection) -> KnowledgeBase:
            require_writable(principal, read_base(connection, principal, base_id))
            table = knowledge_base.c
            connection.execute(
                sa.update(knowledge_base).where(table.tenant == principal.tenant, table.id == base_id).values(values)
            )
            return read_base(connection, principal, base_id)

        try:
            return await self._database.write(apply)
        except IntegrityError as error:
            raise Conflict(
                f"You already have a knowledge base named {values['name']!r}; choose another name."
            ) from error

    async def scope(self, principal: Principal, base_ids: tuple[str, ...] | None) -> Scope:
        """The search scope for a choice of bases; None means all visible ones. Raises NotFound when one is not visible."""
        table = knowledge_base.c
        query = sa.select(table.id).where(visible(principal)).order_by(table.id)
        if base_ids is not None:
            query = query.where(table.id.in_(base_ids))
        found = await self._database.read(lambda c: c.scalars(query).all())
        for base_id in base_ids or ():
            if base_id not in found:
                raise NotFound(
                    f"There is no knowledge base {base_id!r}; `famulus kb list` and GET /api/v1/knowledge-bases show yours."
                )
        return Scope(principal.tenant, tuple(dict.fromkeys(found if base_ids is None else base_ids)))


def read_base(connection: sa.Connection, principal: Principal, base_id: str) -> KnowledgeBase:
    """One visible base inside a transaction. Raises NotFound."""
    row = connection.execute(_select().where(visible(principal), knowledge_base.c.id == base_id)).mappings().first()
    if row is None:
        raise NotFound(
            f"There is no knowledge base {base_id!r}; `famulus kb list` and GET /api/v1/knowledge-bases show yours."
        )
    return _base(row)


def require_writable(principal: Principal, base: KnowledgeBase) -> None:
    """Raises NotFound unless the caller owns the base or is an administrator: what one may not change looks absent."""
    if base.owner != principal.user and principal.role != "admin":
        raise NotFound(f"There is no knowledge base {base.id!r} that you may change.")


def _select() -> sa.Select[tuple[object, ...]]:
    table = knowledge_base.c
    documents = sa.select(sa.func.count()).where(document.c.tenant == table.tenant, document.c.kb == table.id)
    failed = documents.where(document.c.status == "failed").scalar_subquery().label("failed_count")
    facts = sa.select(sa.func.count()).where(fact.c.tenant == table.tenant, fact.c.kb == table.id)
    counts = documents.scalar_subquery().label("document_count"), facts.scalar_subquery().label("fact_count")
    return cast("sa.Select[tuple[object, ...]]", sa.select(knowledge_base, failed, *counts))


def _base(value: sa.RowMapping) -> KnowledgeBase:
    return KnowledgeBase(
        id=value["id"],
        name=value["name"],
        description=value["description"],
        owner=value["owner"],
        scope=value["scope"],
        sensitivity=value["sensitivity"],
        neutralize=value["neutralize"],
        document_count=value["document_count"],
        failed_count=value["failed_count"],
        fact_count=value["fact_count"],
        created_at=value["created_at"],
        updated_at=value["updated_at"],
    )
