"""The preferred reader for PDF and for the old Office formats: xberg, given bytes, with everything networked left off.

Its Markdown is turned into blocks here. Emphasis marks and backslash escapes are taken out, because text is searched
and quoted as a reader sees it.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Sequence
from typing import Any, Protocol, cast

from famulus.knowledge.extract.base import Extracted, Limits, failed
from famulus.knowledge.extract.builder import TextBuilder
from famulus.knowledge.extract.markdown import add_markdown_text
from famulus.knowledge.extract.pdfium import Pdf
from famulus.knowledge.extract.plain.pdf import add_page_text
from famulus.knowledge.extract.sniff import (
    DOC,
    DOCX,
    EML,
    EPUB,
    HTML,
    MSG,
    ODP,
    ODS,
    ODT,
    PDF,
    PPT,
    PPTX,
    RTF,
    XLS,
    XLSX,
)  # fmt: skip
from famulus.knowledge.extract.tables import add_records

_SUPPORTED = frozenset({
    DOC, DOCX, EML, EPUB, HTML, MSG, ODP, ODS, ODT, PDF, PPT, PPTX, RTF, XLS, XLSX,
    "text/x-rst", "text/x-org", "application/x-latex",
})  # fmt: skip
_SHEETS = frozenset({XLS, XLSX, ODS})
_SLIDES = frozenset({PPT, PPTX, ODP})

_EMPHASIS = re.compile(r"(?<!\\)(\*{1,3})(?=\S)((?:\\.|[^*\\])+?)(?<=\S)\1")
# Lengths are bounded: from each of a million brackets the search would else run to the end of the text.
_LINK = re.compile(
    r"(?<!\\)\[((?:\\.|[^\[\]\\]){0,500})\]\((?:<[^>]{0,2000}>|[^()\s]{0,2000}(?:\([^()\s]{0,500}\)[^()\s]{0,500}){0,5})\)"
)
_IMAGE = re.compile(r"\\?!\[((?:\\.|[^\[\]\\]){0,500})\]\((?:<[^>]{0,2000}>|[^()\s]{0,2000})\)")
# Names that programs give to pictures say nothing about them; a description by a person does.
_EMPTY_NAME = re.compile(
    r"(?:picture|image|bild|grafik|img|figure)?[ _-]*\d*|.*\.(?:png|jpe?g|gif|emf|wmf|svg|bmp)", re.IGNORECASE
)
_RULE = re.compile(r"[-*_]{3,}")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{}~])")
_PADDING = re.compile(" {2,}")
_BREAK = re.compile(r"<br\s*/?>")
_WORD = re.compile(r"\w+")
# Below this share of the words that pdfium sees on the page, the page counts as not read.
_MIN_WORD_SHARE = 0.6


class _Page(Protocol):
    page_number: int
    content: str
    sheet_name: str | None


class _Table(Protocol):
    cells: Sequence[Sequence[str]]
    page_number: int


class _Notice(Protocol):
    source: str
    message: str


class _Result(Protocol):
    content: str
    tables: Sequence[_Table]
    pages: Sequence[_Page] | None
    processing_warnings: Sequence[_Notice]


class XbergExtractor:
    """Bytes in, never an address. Only for use inside a worker process that leaves by `os._exit`."""

    name = "xberg"

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()

    def supports(self, media_type: str, name: str) -> bool:
        return media_type in _SUPPORTED

    def extract(self, data: bytes, name: str, media_type: str) -> Extracted:
        builder = TextBuilder(self._limits.text_chars)
        result = _read(data, name, media_type, self._limits)
        pages: int | None = None
        if media_type == PDF:
            pages = _add_pdf(builder, result, data, name)
        elif media_type in _SHEETS:
            _add_sheets(builder, result)
        elif media_type in _SLIDES and result.pages:
            pages = _add_slides(builder, result.pages)
        else:
            add_markdown_text(builder, result.content, inline=plain_inline)
        return builder.build(media_type, self.name, page_count=pages)


def plain_inline(text: str) -> str:
    """Markdown inline marks taken out: emphasis, links (their text stays), escapes. Pipes of table rows stay escaped."""
    if _RULE.fullmatch(text):
        return ""
    text = _IMAGE.sub(lambda found: "" if _EMPTY_NAME.fullmatch(found.group(1)) else found.group(1), text)
    text = _LINK.sub(r"\1", _BREAK.sub(" ", text))
    for _ in range(3):
        text, changed = _EMPHASIS.subn(r"\2", text)
        if not changed:
            break
    keep_pipe = text.startswith("|")
    if keep_pipe:
        text = _PADDING.sub(" ", text)  # columns are padded to the same width, which only costs room
    return _ESCAPE.sub(lambda found: found.group(0) if keep_pipe and found.group(1) == "|" else found.group(1), text)


def _add_pdf(builder: TextBuilder, result: _Result, data: bytes, name: str) -> int:
    """Page by page; a page of which pdfium sees clearly more is taken from pdfium, and that is said."""
    contents = {page.page_number: page.content for page in result.pages or ()}
    with Pdf(data, name) as pdf:
        for number in range(1, pdf.page_count + 1):
            builder.start_page(number)
            content, raw = contents.get(number, ""), pdf.text(number)
            if len(_WORD.findall(content)) >= _MIN_WORD_SHARE * len(_WORD.findall(raw)):
                add_markdown_text(builder, content, inline=plain_inline)
            else:
                message = f"Page {number} was read by the simple reader; columns and tables may be out of order."
                builder.warn("page_fallback", message, number)
                add_page_text(builder, raw)
        builder.end_page()
        return pdf.page_count


def _add_slides(builder: TextBuilder, pages: Sequence[_Page]) -> int:
    for page in pages:
        builder.start_page(page.page_number)
        builder.start_root()
        add_markdown_text(builder, page.content, inline=plain_inline)
    builder.end_page()
    return len(pages)


def _add_sheets(builder: TextBuilder, result: _Result) -> None:
    sheets = {page.page_number: page.sheet_name or "" for page in result.pages or ()}
    for table in result.tables:
        title = sheets.get(table.page_number, "")
        builder.start_root(title)
        add_records(builder, title, table.cells)
    builder.start_root()
    if not builder.has_text:
        add_markdown_text(builder, result.content, inline=plain_inline)


def _read(data: bytes, name: str, media_type: str, limits: Limits) -> _Result:
    # Imported here: the wheel is 167 MB, and most files do not need it.
    import xberg

    library = cast("Any", xberg)
    config = library.ExtractionConfig.from_json(json.dumps(_settings(limits)))
    source = library.ExtractInput(
        kind=library.ExtractInputKind.BYTES, bytes=data, mime_type=media_type, filename="document"
    )
    try:
        answer = asyncio.run(_awaited(library.extract(source, config)))
    except RuntimeError as error:
        raise _reason(str(error), name) from error
    if not answer.results:
        raise failed("unreadable", f"{name!r} could not be read. Save it again with its own program.")
    return cast("_Result", answer.results[0])


async def _awaited(pending: Awaitable[Any]) -> Any:
    return await pending


def _settings(limits: Limits) -> dict[str, Any]:
    """No OCR, no cache on disk, no models, no images. Escapes on: only then are marks and text told apart."""
    return {
        "output_format": "markdown",
        "escape_markdown": True,
        "use_cache": False,
        "disable_ocr": True,
        "pages": {"extract_pages": True},
        "extraction_timeout_secs": max(1, int(limits.wall_s)),
        "security_limits": {
            "max_archive_size": 512 << 20,
            "max_compression_ratio": 1000,
            "max_files_in_archive": 10_000,
            "max_nesting_depth": 1024,
            "max_entity_length": 1 << 20,
            "max_content_size": limits.text_chars * 4,
            "max_iterations": 100_000_000,
            "max_xml_depth": 1024,
            "max_table_cells": 5_000_000,
        },
        "max_archive_depth": 1,
    }


def _reason(text: str, name: str) -> Exception:
    lower = text.lower()
    if "password" in lower or "encrypt" in lower:
        return failed("encrypted", f"{name!r} is protected with a password. Remove the password and upload it again.")
    if "limit" in lower or "exceed" in lower or "too large" in lower:
        return failed("too_complex", f"{name!r} is larger inside than documents may be. Split it and upload the parts.")
    return failed(
        "unreadable",
        f"{name!r} could not be read: its contents are damaged, or not those of such a file. Open it in its own program and save it again.",
    )
