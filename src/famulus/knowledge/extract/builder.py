"""Builds an `Extracted` piece by piece, so that offsets are right by construction: text is only ever appended."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from famulus.knowledge.extract.base import Block, BlockKind, Extracted, PageSpan, Table, Warning_, failed
from famulus.knowledge.extract.clean import clean, one_line


@dataclass(slots=True)
class TextBuilder:
    """Appends blocks separated by a blank line. `root` is the section above all headings (a sheet, an attachment)."""

    max_chars: int = 50_000_000
    root: tuple[str, ...] = ()
    warnings: list[Warning_] = field(default_factory=list[Warning_])
    tables: list[Table] = field(default_factory=list[Table])
    _parts: list[str] = field(default_factory=list[str])
    _length: int = 0
    _blocks: list[Block] = field(default_factory=list[Block])
    _pages: list[PageSpan] = field(default_factory=list[PageSpan])
    _page: int | None = None
    _path: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])

    @property
    def section(self) -> tuple[str, ...]:
        return self.root + tuple(title for _, title in self._path)

    @property
    def has_text(self) -> bool:
        return bool(self._blocks)

    def warn(self, code: str, message: str, page: int | None = None) -> None:
        self.warnings.append(Warning_(code, message, page))

    def start_page(self, page: int) -> None:
        """Everything from here on is on `page`; a page ends where the next one starts."""
        self.end_page()
        self._page = page
        self._pages.append(PageSpan(page, self._length, self._length))

    def end_page(self) -> None:
        if self._page is not None and self._pages:
            self._pages[-1] = replace(self._pages[-1], end=self._length)
        self._page = None

    def start_root(self, *root: str) -> None:
        """A new part of the document (sheet, attachment, chapter file): headings above it no longer apply."""
        self.root = tuple(one_line(clean(part)) for part in root if part.strip())
        self._path.clear()

    def heading(self, text: str, level: int, *, title: str | None = None) -> None:
        """A heading line with `#` signs, as the text form of structure. `title` is its name in the section path."""
        line = one_line(clean(text))
        if not line:
            return
        while self._path and self._path[-1][0] >= level:
            self._path.pop()
        self._path.append((level, one_line(clean(title)) if title else line))
        self._append(f"{'#' * max(1, min(level, 6))} {line}", "heading", level=level)

    def add(self, kind: BlockKind, text: str, *, level: int | None = None, header: str = "") -> None:
        """A block of text; blank text is dropped. The text is cleaned, trailing blanks are cut, inner lines stay."""
        body = clean(text).strip("\n").rstrip()
        if kind not in ("code", "list"):
            body = body.lstrip()
        if body.strip():
            self._append(body, kind, level=level, header=header)

    def append_extracted(self, other: Extracted) -> None:
        """All of another document below the current root; its warnings and tables come along, its pages do not."""
        base = self._open_block(len(other.text))
        self._parts.append(other.text)
        self._length += len(other.text)
        for block in other.blocks:
            moved = replace(block, start=block.start + base, end=block.end + base, page=self._page)
            self._blocks.append(replace(moved, section=self.root + block.section))
        self.warnings.extend(other.warnings)
        self.tables.extend(other.tables)

    def build(self, media_type: str, extractor: str, *, page_count: int | None = None) -> Extracted:
        self.end_page()
        return Extracted(
            text="".join(self._parts),
            blocks=tuple(self._blocks),
            page_count=page_count,
            language=None,
            warnings=tuple(self.warnings),
            media_type=media_type,
            extractor=extractor,
            tables=tuple(self.tables),
            pages=tuple(self._pages),
        )

    def _append(self, body: str, kind: BlockKind, *, level: int | None = None, header: str = "") -> None:
        start = self._open_block(len(body))
        self._parts.append(body)
        self._length += len(body)
        self._blocks.append(Block(start, self._length, kind, level, self._page, self.section, header))

    def check_room(self, size: int) -> None:
        """Raises `too_large` when `size` more characters would not fit: asked before a big block is gathered."""
        if self._length + size > self.max_chars:
            raise failed(
                "too_large",
                f"The document holds more than {self.max_chars:,} characters of text. Split it into smaller files.",
            )

    def _open_block(self, size: int) -> int:
        self.check_room(size)
        if self._blocks:
            self._parts.append("\n\n")
            self._length += 2
            if self._pages and self._page is not None and self._pages[-1].start == self._length - 2:
                # The separator before the first block of a page belongs to no page.
                self._pages[-1] = replace(self._pages[-1], start=self._length)
        return self._length
