"""What tools and viewers may read inside a scope: passages, windows of a document's text, lists and names."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import sqlalchemy as sa

from famulus.errors import NotFound
from famulus.knowledge.base import Scope
from famulus.knowledge.chunks import ChunkView, chunks_between, read_chunk
from famulus.knowledge.documents import Document, to_document
from famulus.messages.values import JsonObject, Passage
from famulus.store.database import Database
from famulus.store.schema.knowledge import document, document_revision
from famulus.store.schema.knowledge import knowledge_base as knowledge_base_table

ABSENT = "There is no such document in the selected knowledge bases."


@dataclass(frozen=True, slots=True)
class DocumentName:
    document_id: str
    name: str
    knowledge_base: str


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """`media_type` as stored; `size` in bytes; `knowledge_base` by name."""

    document_id: str
    name: str
    knowledge_base: str
    media_type: str
    size: int
    status: str


@dataclass(frozen=True, slots=True)
class DocumentPage:
    items: Sequence[DocumentInfo]
    next_offset: int | None


@dataclass(frozen=True, slots=True)
class TextWindow:
    """`text` is `[offset, offset + len(text))` of a document of `total` characters; `passages` are the chunks that touch it.

    `warnings` say what of the file could not be read and so is not in the text.
    """

    document_id: str
    document_name: str
    text: str
    offset: int
    total: int
    passages: Sequence[Passage]
    warnings: Sequence[str] = ()


class Reader:
    """Every answer stays inside the scope; what is outside looks absent, in the same words."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def chunk(self, scope: Scope, chunk_id: str) -> ChunkView:
        """One whole passage with its neighbours. Raises NotFound."""
        return await self._database.read(lambda c: read_chunk(c, scope, chunk_id))

    async def text(self, scope: Scope, document_id: str, offset: int = 0, length: int = 8_000) -> TextWindow:
        """A window of the indexed revision's text. Raises NotFound."""
        return await self._database.read(lambda c: read_window(c, scope, document_id, offset, length))

    async def list(self, scope: Scope, knowledge_base: str | None, offset: int, limit: int) -> DocumentPage:
        """Documents by name; `knowledge_base` is the id or name of one base of the scope. Raises NotFound."""

        def read(connection: sa.Connection) -> DocumentPage:
            columns = document.c.id, document.c.name, knowledge_base_table.c.name, document.c.media_type
            query = _named(narrow(connection, scope, knowledge_base), *columns, document.c.size, document.c.status)
            rows = connection.execute(query.offset(offset).limit(limit + 1)).all()
            items = [DocumentInfo(*row) for row in rows[:limit]]
            return DocumentPage(items, offset + limit if len(rows) > limit else None)

        return await self._database.read(read)

    async def names(self, scope: Scope, limit: int) -> Sequence[DocumentName]:
        """Up to `limit` documents that can be read, by name: for the prompt, and for finding a file by its name."""

        def read(connection: sa.Connection) -> Sequence[DocumentName]:
            query = _named(scope, document.c.id, document.c.name, knowledge_base_table.c.name)
            query = query.where(document.c.indexed_revision.is_not(None)).limit(limit)
            return [DocumentName(*row) for row in connection.execute(query).all()]

        return await self._database.read(read)

    async def warnings(self, scope: Scope, document_ids: Collection[str]) -> Mapping[str, Sequence[str]]:
        """What of these documents could not be read, by id; those that were read whole are absent."""

        def read(connection: sa.Connection) -> Mapping[str, Sequence[str]]:
            table = document.c
            query = sa.select(document).where(
                table.tenant == scope.tenant, table.kb.in_(scope.knowledge_base_ids), table.id.in_(document_ids)
            )
            found = [to_document(row) for row in connection.execute(query).mappings()]
            return {item.id: [warning.text for warning in item.warnings] for item in found if item.warnings}

        return await self._database.read(read)


def narrow(connection: sa.Connection, scope: Scope, base: str | None) -> Scope:
    """The scope cut down to one of its bases, named by id or name. Raises NotFound."""
    if base is None:
        return scope
    wanted = unicodedata.normalize("NFC", base).strip()
    table = knowledge_base_table.c
    query = sa.select(table.id).where(
        table.tenant == scope.tenant,
        table.id.in_(scope.knowledge_base_ids),
        sa.or_(table.id == wanted, table.name == wanted),
    )
    found = tuple(connection.scalars(query))
    if not found:
        raise NotFound("There is no such knowledge base among the selected ones.")
    return Scope(scope.tenant, found)


def read_window(connection: sa.Connection, scope: Scope, document_id: str, offset: int, length: int) -> TextWindow:
    """A window of the text that search finds now. Raises NotFound when out of scope, or when no revision is readable yet."""
    table = document.c
    row = (
        connection.execute(
            sa.select(document).where(
                table.tenant == scope.tenant, table.kb.in_(scope.knowledge_base_ids), table.id == document_id
            )
        )
        .mappings()
        .first()
    )
    if row is None:
        raise NotFound(ABSENT)
    found = to_document(row)
    text = connection.execute(
        sa.select(document_revision.c.text).where(
            document_revision.c.tenant == scope.tenant,
            document_revision.c.document == document_id,
            document_revision.c.revision == found.indexed_revision,
        )
    ).scalar()
    if text is None:
        raise NotFound(f"The document {found.name!r} has no readable text yet (status: {found.status}).")
    offset = max(0, min(offset, len(text)))
    window = text[offset : offset + length]
    passages = chunks_between(connection, scope, document_id, offset, offset + len(window))
    warnings = tuple(warning.text for warning in found.warnings)
    return TextWindow(found.id, found.name, window, offset, len(text), tuple(passages), warnings)


def read_structure(connection: sa.Connection, tenant: str, found: Document) -> JsonObject:
    """What `ingest` noted about the indexed revision. Raises NotFound when there is none yet."""
    structure = connection.execute(
        sa.select(document_revision.c.structure).where(
            document_revision.c.tenant == tenant,
            document_revision.c.document == found.id,
            document_revision.c.revision == found.indexed_revision,
        )
    ).scalar()
    if structure is None:
        raise NotFound(f"The document {found.name!r} has no readable text yet (status: {found.status}).")
    return cast("JsonObject", structure)


def _named(scope: Scope, *columns: sa.ColumnElement[Any]) -> sa.Select[Any]:
    same = sa.and_(
        knowledge_base_table.c.tenant == document.c.tenant,
        knowledge_base_table.c.id == document.c.kb,
    )
    return (
        sa.select(*columns)
        .join_from(document, knowledge_base_table, same)
        .where(document.c.tenant == scope.tenant, document.c.kb.in_(scope.knowledge_base_ids))
        .order_by(document.c.name, document.c.id)
    )
