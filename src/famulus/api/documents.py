"""Routes of documents: upload, look at, read, take out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Literal, cast, get_args
from urllib.parse import quote

from fastapi import APIRouter, Query, Request, Response
from pydantic import BeforeValidator, Field

from famulus.api.shapes import (
    COMMON,
    UPLOAD,
    App,
    Caller,
    CursorParameter,
    Limit,
    Page,
    View,
    decode_cursor,
    next_cursor,
)
from famulus.api.uploads import Received, Uploads
from famulus.app.documents import Incoming
from famulus.errors import Invalid
from famulus.knowledge.documents import Document, DocumentWarning, Status, Vectors
from famulus.knowledge.uploads import OnConflict
from famulus.messages.values import JsonObject

router = APIRouter(prefix="/api/v1", tags=["knowledge"], responses=COMMON)
_FORM: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {
                        "file": {
                            "type": "array",
                            "items": {"type": "string", "contentMediaType": "application/octet-stream"},
                            "description": "One or many files.",
                        },
                        "path": {
                            "type": "array",
                            "items": {"type": "string"},
                            "description": "For folder uploads: one path for each file, in the same order.",
                        },
                        "on_conflict": {"type": "string", "enum": list(get_args(OnConflict)), "default": "replace"},
                    },
                }
            }
        },
    }
}


def _warnings(value: Sequence[DocumentWarning]) -> list[str]:
    return [warning.text for warning in value]


class DocumentView(View):
    id: str
    knowledge_base_id: str
    name: str
    path: str
    media_type: str
    size: int
    status: Status
    error: str | None = None
    error_code: str | None = None
    pages: int | None = None
    chunk_count: int
    vectors: Vectors
    warnings: Annotated[list[str], BeforeValidator(_warnings)]
    language: str | None = None
    revision: int
    indexed_revision: int | None = None
    created_at: datetime
    updated_at: datetime


class RevisionView(View):
    """One upload of a document; search finds and cites only the document's `indexed_revision`."""

    revision: int
    size: int
    media_type: str
    created_at: datetime


class RevisionsView(View):
    items: list[RevisionView]


class UploadView(View):
    """What became of one file; `error` says why it was not taken."""

    document_id: str | None = None
    name: str
    status: str
    duplicate_of: str | None = None
    error: str | None = None


class UploadAnswer(View):
    items: list[UploadView]


class ContentView(View):
    """A window of the text; offsets count characters. `next_offset` is null at the end."""

    text: str
    offset: int
    length: int
    total: int
    next_offset: int | None


class BlockView(View):
    kind: Literal["heading", "table", "page", "image", "code"]
    level: int | None = None
    text: str = ""
    start: int
    end: int
    page: int | None = None


class TableView(View):
    name: str
    header: list[str]
    rows: int


class StructureView(View):
    items: list[BlockView]
    tables: list[TableView] = Field(default_factory=lambda: list[TableView]())


@router.post(
    "/knowledge-bases/{id}/documents",
    status_code=202,
    operation_id="upload_documents",
    responses=UPLOAD,
    openapi_extra=_FORM,
)
async def upload(id: str, request: Request, famulus: App, caller: Caller) -> UploadAnswer:
    """Put files into a base. Each file is taken or refused by itself; reading them goes on in the background."""
    await famulus.knowledge_bases.get(caller, id)
    uploads = cast("Uploads", request.app.state.uploads)
    async with uploads.receive(request.headers, request.receive) as received:
        files, on_conflict = _incoming(received), _on_conflict(received)
        results = await famulus.documents.add(caller, id, files, on_conflict)
    return UploadAnswer(items=[UploadView.model_validate(result) for result in results])


@router.get("/knowledge-bases/{id}/documents", operation_id="list_documents")
async def list_all(
    id: str,
    famulus: App,
    caller: Caller,
    limit: Limit = 50,
    cursor: CursorParameter = None,
    order: Annotated[Literal["oldest", "newest"], Query(description="Which documents come first.")] = "oldest",
) -> Page[DocumentView]:
    """Documents of a base, oldest first unless asked otherwise. `ready` is found by keyword search; vectors follow in the background."""
    after, newest_first = decode_cursor(cursor), order == "newest"
    documents = await famulus.documents.list(caller, id, after=after, limit=limit, newest_first=newest_first)
    items = [DocumentView.model_validate(document) for document in documents]
    return Page(items=items, next_cursor=next_cursor(items, limit))


@router.get("/documents/{id}", operation_id="get_document")
async def get(id: str, famulus: App, caller: Caller) -> DocumentView:
    """One document and how far it is."""
    return DocumentView.model_validate(await famulus.documents.get(caller, id))


@router.delete("/documents/{id}", status_code=204, operation_id="delete_document")
async def delete(id: str, famulus: App, caller: Caller) -> Response:
    """Delete the document, its passages and its bytes."""
    await famulus.documents.delete(caller, id)
    return Response(status_code=204)


@router.get("/documents/{id}/content", operation_id="get_document_content")
async def content(
    id: str,
    famulus: App,
    caller: Caller,
    offset: Annotated[int, Query(ge=0, le=2**53)] = 0,
    length: Annotated[int, Query(ge=1, le=1_000_000)] = 8_000,
) -> ContentView:
    """A window of the text as search finds it."""
    window = await famulus.documents.content(caller, id, offset, length)
    end = window.offset + len(window.text)
    return ContentView(
        text=window.text,
        offset=window.offset,
        length=len(window.text),
        total=window.total,
        next_offset=end if end < window.total else None,
    )


@router.get(
    "/documents/{id}/original",
    operation_id="get_document_original",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {}}, "description": "The file as it was put in"}},
)
async def original(id: str, famulus: App, caller: Caller) -> Response:
    """The file as it was put in."""
    document, data = await famulus.documents.original(caller, id)
    headers = {
        "Content-Disposition": content_disposition(document.name),
        # A stored page or drawing must never act as a page of this server.
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "Cache-Control": "private, no-cache",
    }
    return Response(data, media_type=_media_type(document), headers=headers)


@router.get("/documents/{id}/structure", operation_id="get_document_structure")
async def structure(id: str, famulus: App, caller: Caller) -> StructureView:
    """Headings, tables, code and pages with their places in the text."""
    found = await famulus.documents.structure(caller, id)
    text = (await famulus.documents.content(caller, id, 0, 2**31)).text
    return StructureView(
        items=_blocks(found, text), tables=[TableView.model_validate(table) for table in _list(found, "tables")]
    )


@router.get("/documents/{id}/revisions", operation_id="list_document_revisions")
async def revisions(id: str, famulus: App, caller: Caller) -> RevisionsView:
    """All versions of the document that were put in, oldest first."""
    found = await famulus.documents.revisions(caller, id)
    return RevisionsView(items=[RevisionView.model_validate(revision) for revision in found])


@router.post("/documents/{id}/reindex", status_code=202, operation_id="reindex_document")
async def reindex(id: str, famulus: App, caller: Caller) -> DocumentView:
    """Read the document again; until that is done its old passages are found."""
    return DocumentView.model_validate(await famulus.documents.reindex(caller, id))


def content_disposition(name: str) -> str:
    """An attachment under `name`. Source: RFC 6266, with the extended form of RFC 8187 for what is not ASCII."""
    plain = "".join(c if c.isascii() and c.isprintable() and c not in '"\\%;' else "_" for c in name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


def _media_type(document: Document) -> str:
    # What a browser would run or draw with scripts is handed out as bytes.
    kind = document.media_type.split(";")[0].strip().lower()
    plain = kind.startswith(("image/", "audio/", "video/")) and kind != "image/svg+xml"
    return kind if plain or kind in ("application/pdf", "text/plain") else "application/octet-stream"


def _incoming(received: Received) -> list[Incoming]:
    paths = received.values.get("path", [])
    if not received.files:
        raise Invalid("The form has no part named 'file'; send at least one file.")
    if paths and len(paths) != len(received.files):
        raise Invalid(
            f"The form has {len(received.files)} files and {len(paths)} paths; send one path for each file or none."
        )
    return [
        Incoming(file.name, file.path, paths[number] if paths else None, file.refused)
        for number, file in enumerate(received.files)
    ]


def _on_conflict(received: Received) -> OnConflict:
    value = received.values.get("on_conflict", ["replace"])[-1]
    if value not in get_args(OnConflict):
        raise Invalid(f"on_conflict is {value[:50]!r}; use one of {', '.join(get_args(OnConflict))}.")
    return cast("OnConflict", value)


def _list(value: JsonObject, key: str) -> Sequence[JsonObject]:
    found = value.get(key)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def _blocks(found: JsonObject, text: str) -> list[BlockView]:
    blocks = [BlockView.model_validate({**page, "kind": "page"}) for page in _list(found, "pages")]
    for block in _list(found, "blocks"):
        view = BlockView.model_validate(
            {"kind": block.get("kind"), **{k: block.get(k) for k in ("level", "start", "end", "page")}}
        )
        if view.kind == "heading":
            view.text = text[view.start : view.end].strip().lstrip("#").strip()[:500]
        blocks.append(view)
    return sorted(blocks, key=lambda block: (block.start, block.kind != "page"))
