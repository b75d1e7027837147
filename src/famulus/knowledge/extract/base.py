"""The values of extraction: what a document is once it is text. No parser lives here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from famulus.errors import ExtractionFailed

BlockKind = Literal["heading", "text", "table", "list", "code", "quote"]
FailureCode = Literal[
    "empty", "no_text", "unsupported", "unreadable", "encrypted", "too_large", "too_complex", "timeout", "crashed"
]


@dataclass(frozen=True, slots=True)
class Block:
    """One piece of structure: `text[start:end]` of its document; blocks are in order and do not overlap.

    `section` is the path of headings above it (a heading's own text included). `page` counts from 1.
    `header` is the header row of a table as text, so that a part of the table can be read alone.
    """

    start: int
    end: int
    kind: BlockKind
    level: int | None = None
    page: int | None = None
    section: tuple[str, ...] = ()
    header: str = ""


@dataclass(frozen=True, slots=True)
class PageSpan:
    page: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Warning_:
    """Something a reader of the document must know: the text is there, but not all of it or not surely right."""

    code: str
    message: str
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """`rows` is the count of data rows; `column_types` is one of text, integer, decimal, date, empty per column."""

    name: str
    header: tuple[str, ...]
    rows: int
    column_types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Extracted:
    """A document as NFC text. All offsets are Python character offsets into `text`.

    `page_count` is None for formats without real pages; then no block has a page.
    `language` is ISO 639-1 or None when the text is too short or too mixed to say.
    """

    text: str
    blocks: tuple[Block, ...]
    page_count: int | None
    language: str | None
    warnings: tuple[Warning_, ...]
    media_type: str
    extractor: str
    tables: tuple[Table, ...] = ()
    pages: tuple[PageSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle on a page as shown: 0..1 of its width and height, origin top left."""

    left: float
    top: float
    right: float
    bottom: float


class Extractor(Protocol):
    """Reads bytes of some media types. Runs inside a worker process, after the guard.

    Raises `ExtractionFailed`; anything else that escapes counts as unreadable.
    """

    name: str

    def supports(self, media_type: str, name: str) -> bool: ...

    def extract(self, data: bytes, name: str, media_type: str) -> Extracted: ...


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one extraction. `text_chars` bounds the text that one document may become."""

    cpu_s: int = 120
    wall_s: float = 180.0
    memory_bytes: int = 2 << 30
    document_bytes: int = 100 << 20
    text_chars: int = 50_000_000
    pages: int = 20_000


def failed(code: FailureCode, message: str) -> ExtractionFailed:
    """The error of one document. The message says what, which (`{name!r}`), and what to do next."""
    return ExtractionFailed(message, code=code)
