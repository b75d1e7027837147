"""One revision of a document as it was read: its text, its structure for the viewer, and the passages that it was cut into."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from famulus.knowledge.documents import Document
from famulus.knowledge.extract.base import Extracted
from famulus.knowledge.replace import NewChunk, Owner
from famulus.messages.values import JsonObject
from famulus.store.schema.knowledge import document_revision


@dataclass(frozen=True, slots=True)
class Reading:
    """One revision, read and cut; `structure` is what the viewer shows beside the text."""

    extracted: Extracted
    chunks: list[NewChunk]
    structure: JsonObject


def owner_of(tenant: str, current: Document, reading: Reading) -> Owner:
    return Owner(
        tenant,
        current.knowledge_base_id,
        current.name,
        current.created_at,
        document_id=current.id,
        media_type=reading.extracted.media_type,
    )


def store_text(connection: sa.Connection, tenant: str, current: Document, reading: Reading) -> None:
    """Keeps what was read with its revision; nothing when that is gone."""
    where = (
        document_revision.c.tenant == tenant,
        document_revision.c.document == current.id,
        document_revision.c.revision == current.revision,
    )
    extracted = reading.extracted
    values = {"text": extracted.text, "structure": reading.structure, "media_type": extracted.media_type}
    connection.execute(sa.update(document_revision).where(*where).values(values))


def structure_of(extracted: Extracted) -> JsonObject:
    """Headings, tables and pages of a document as JSON, with character offsets into its text."""
    return {
        "pages": [{"page": span.page, "start": span.start, "end": span.end} for span in extracted.pages],
        "blocks": [
            {
                "kind": block.kind,
                "start": block.start,
                "end": block.end,
                "level": block.level,
                "page": block.page,
                "section": list(block.section),
            }
            for block in extracted.blocks
            if block.kind in ("heading", "table", "code")
        ],
        "tables": [
            {"name": table.name, "header": list(table.header), "rows": table.rows} for table in extracted.tables
        ],
        "extractor": extracted.extractor,
    }
