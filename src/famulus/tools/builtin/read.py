"""Listing documents and reading one, by id or by name, window by window."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

from famulus.errors import NotFound
from famulus.knowledge.base import Scope
from famulus.messages.values import JsonObject, JsonValue
from famulus.policy.limits import DEFAULTS, Limits
from famulus.tools.base import Tool, ToolContext, ToolOutput
from famulus.tools.builtin.names import match_name
from famulus.tools.ports import DocumentReader
from famulus.tools.schema import Length, Range, not_both_missing, tool

if TYPE_CHECKING:
    from famulus.knowledge.reader import DocumentInfo, TextWindow

_PAGE: Final = 50
_CANDIDATES: Final = 10
_WINDOW: Final = DEFAULTS.read_window
# A name is looked for among this many documents; larger bases are read by id, from a search.
_NAMES: Final = 20_000


def read_tools(reader: DocumentReader, limits: Limits = DEFAULTS) -> list[Tool]:
    """`list_documents` and `read_document`."""

    async def list_documents(
        context: ToolContext,
        knowledge_base: Annotated[str | None, Length(1, 200)] = None,
        offset: Annotated[int, Range(0)] = 0,
    ) -> ToolOutput:
        """Lists the documents of the selected knowledge bases with ids, types and sizes, 50 at a time.

        Args:
            knowledge_base: Name or id of one selected knowledge base. Left out: all of them.
            offset: Where to go on, from next_offset.
        """
        page = await reader.list(context.scope, knowledge_base, offset, _PAGE)
        data: JsonObject = {"documents": [_describe(item) for item in page.items]}
        if page.next_offset is not None:
            data["next_offset"] = page.next_offset
        return ToolOutput(data)

    async def read_document(
        context: ToolContext,
        document_id: Annotated[str | None, Length(1, 200)] = None,
        name: Annotated[str | None, Length(1, 5_000)] = None,
        offset: Annotated[int, Range(0)] = 0,
        length: Annotated[int, Range(1, _WINDOW)] = _WINDOW,
    ) -> ToolOutput:
        """Reads the text of one document from offset on, with the citation numbers of its passages.

        Args:
            document_id: Id from a search hit or list_documents.
            name: File name, when the id is not known.
            offset: First character to read, from next_offset.
            length: How many characters, at most 8000.
        """
        not_both_missing("document_id or name", document_id, name)
        if document_id is None:
            found = await _by_name(reader, context.scope, name or "")
            if isinstance(found, ToolOutput):
                return found
            document_id = found
        return _window(await reader.text(context.scope, document_id, offset, length))

    return [tool(list_documents, timeout_s=limits.tool_timeout_s), tool(read_document, timeout_s=limits.tool_timeout_s)]


async def _by_name(reader: DocumentReader, scope: Scope, name: str) -> str | ToolOutput:
    """The id of the one document of this name, or the candidates as a result. Raises `NotFound`."""
    found = match_name(name, await reader.names(scope, _NAMES))
    if not found:
        raise NotFound(f"There is no document named {name[:80]!r} in the selected knowledge bases.")
    if len(found) == 1:
        return found[0].document_id
    candidates: list[JsonValue] = [
        {"document_id": item.document_id, "document": item.name, "knowledge_base": item.knowledge_base}
        for item in found[:_CANDIDATES]
    ]
    note = f"{len(found)} documents fit this name; call read_document again with one document_id."
    return ToolOutput({"candidates": candidates, "note": note})


def _window(window: TextWindow) -> ToolOutput:
    end = window.offset + len(window.text)
    passages: list[JsonValue] = [
        {"chunk_id": passage.chunk_id, "start": passage.start, "end": passage.end} for passage in window.passages
    ]
    data: JsonObject = {
        "document_id": window.document_id,
        "document": window.document_name,
        "offset": window.offset,
        "length": len(window.text),
        "total": window.total,
    }
    if end < window.total:
        data["next_offset"] = end
    if window.warnings:
        data["warnings"] = [*window.warnings]
    data["text"] = window.text
    data["passages"] = passages
    return ToolOutput(data, tuple(window.passages))


def _describe(item: DocumentInfo) -> JsonObject:
    return {
        "document_id": item.document_id,
        "document": item.name,
        "knowledge_base": item.knowledge_base,
        "type": item.media_type,
        "size": item.size,
        "status": item.status,
    }
