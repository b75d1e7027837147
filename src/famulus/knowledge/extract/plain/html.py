"""HTML and XHTML as blocks, by the event parser of the standard library: no tree, so depth of nesting costs nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

from famulus.knowledge.extract.base import BlockKind
from famulus.knowledge.extract.builder import TextBuilder
from famulus.knowledge.extract.clean import one_line
from famulus.knowledge.extract.encoding import decode
from famulus.knowledge.extract.tables import add_markdown

_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([\w.:-]+)")
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_SKIPPED = frozenset(
    ["script", "style", "template", "noscript", "svg", "math", "head", "iframe", "object", "canvas", "select", "button"]
)
_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]
)
_BLOCKS = frozenset(
    [
        "p",
        "div",
        "section",
        "article",
        "main",
        "header",
        "footer",
        "nav",
        "aside",
        "address",
        "figure",
        "figcaption",
        "form",
        "fieldset",
        "dl",
        "dt",
        "dd",
        "ul",
        "ol",
        "table",
        "caption",
        "thead",
        "tbody",
        "tfoot",
        "hr",
        "details",
        "summary",
        "body",
        "html",
        "center",
    ]
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_MAX_HIDDEN_DEPTH = 100_000
_LOOK_BACK = 64


@dataclass(slots=True)
class _Grid:
    """A table being read; `outer` is the text of the enclosing cell so far."""

    outer: list[str] = field(default_factory=list[str])
    rows: list[list[str]] = field(default_factory=list[list[str]])
    in_cell: bool = False


class _Reader(HTMLParser):
    """Collects inline text and flushes it as a block whenever a block element begins or ends."""

    def __init__(self, builder: TextBuilder) -> None:
        super().__init__(convert_charrefs=True)
        self._builder = builder
        self._inline: list[str] = []
        self._kind: BlockKind = "text"
        self._heading: int | None = None
        self._hidden: list[str] = []
        self._tables: list[_Grid] = []
        self._lists: list[int | None] = []
        self._items: list[str] = []
        self._pre = 0
        self._quotes = 0
        self._in_title = False
        self.title = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "title":
            self._in_title = True
        if tag == "body":
            self._hidden.clear()  # a head that was never closed ends here
        if self._hidden or self._hides(tag, dict(attrs)):
            if tag not in _VOID and len(self._hidden) < _MAX_HIDDEN_DEPTH:
                self._hidden.append(tag)
            return
        if tag == "br":
            self._inline.append("\n" if self._pre else "\v")
        elif tag == "img":
            self._inline.append(f" {dict(attrs).get('alt') or ''} ")
        elif tag in _HEADINGS and not self._tables:
            self._flush()
            self._heading = _HEADINGS[tag]
        elif tag in ("tr", "td", "th"):
            self._open_cell(tag)
        elif tag == "table":
            self._open_table()
        elif tag in ("ul", "ol"):
            self._flush()
            self._lists.append(0 if tag == "ol" else None)
        elif tag == "li":
            self._flush()
        elif tag in ("pre", "blockquote"):
            self._flush()
            self._pre += tag == "pre"
            self._quotes += tag == "blockquote"
        elif tag in _BLOCKS:
            self._flush()

    def handle_endtag(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False
        if self._hidden:
            self._leave_hidden(tag)
            return
        if tag in _HEADINGS or tag in _BLOCKS or tag in ("li", "pre", "blockquote"):
            self._flush(closing=tag)
        if tag in ("td", "th") and self._tables:
            self._close_cell()
        elif tag == "table" and self._tables:
            self._close_table()
        elif tag in ("ul", "ol") and self._lists:
            self._lists.pop()
            if not self._lists:
                self._flush_items()
        elif tag == "pre":
            self._pre = max(0, self._pre - 1)
        elif tag == "blockquote":
            self._quotes = max(0, self._quotes - 1)

    def handle_data(self, data: str) -> None:
        if self._in_title and not self.title:
            self.title = one_line(data)
        if not self._hidden:
            self._inline.append(data)

    def finish(self) -> None:
        self.close()
        while self._tables:
            self._close_table()
        self._flush()
        self._flush_items()

    def _leave_hidden(self, tag: str) -> None:
        """Closes the nearest open element of that name; only near ones are looked at, so that depth costs nothing."""
        for back in range(1, min(len(self._hidden), _LOOK_BACK) + 1):
            if self._hidden[-back] == tag:
                del self._hidden[-back:]
                return

    def _hides(self, tag: str, attrs: dict[str, str | None]) -> bool:
        """What a reader of the page does not see is not text of the document (and a known place for planted orders)."""
        return tag in _SKIPPED or "hidden" in attrs or bool(_HIDDEN_STYLE.search(attrs.get("style") or ""))

    def _flush(self, closing: str = "") -> None:
        if self._tables and self._tables[-1].in_cell:
            self._inline.append("\v")
            return
        raw, self._inline = "".join(self._inline), []
        heading, self._heading = self._heading, None
        if self._pre:
            self._flush_items()
            self._builder.add("code", raw.replace("\v", "\n"))
            return
        text = "\n".join(filter(None, (one_line(line) for line in raw.split("\v"))))
        if not text:
            self._heading = None if closing in _HEADINGS else heading
        elif heading is not None:
            self._flush_items()
            self._builder.heading(text, heading)
        elif self._lists:
            self._add_item(text)
        else:
            self._flush_items()
            self._builder.add("quote" if self._quotes else "text", text)

    def _add_item(self, text: str) -> None:
        depth = len(self._lists) - 1
        number = self._lists[-1]
        if number is not None:
            self._lists[-1] = number = number + 1
        mark = "-" if number is None else f"{number}."
        self._items.append("  " * depth + f"{mark} " + text.replace("\n", "\n" + "  " * (depth + 1)))

    def _flush_items(self) -> None:
        if self._items:
            self._builder.add("list", "\n".join(self._items))
            self._items = []

    def _open_table(self) -> None:
        self._flush()
        if not self._tables:
            self._flush_items()
        outer, self._inline = self._inline, []
        self._tables.append(_Grid(outer))

    def _open_cell(self, tag: str) -> None:
        if not self._tables:
            return
        grid = self._tables[-1]
        self._close_cell()
        if tag == "tr":
            grid.rows.append([])
        else:
            grid.in_cell = True
            self._inline = []

    def _close_cell(self) -> None:
        grid = self._tables[-1]
        if grid.in_cell:
            grid.in_cell = False
            if not grid.rows:
                grid.rows.append([])
            grid.rows[-1].append("\n".join(filter(None, map(one_line, "".join(self._inline).split("\v")))))
        self._inline = []

    def _close_table(self) -> None:
        """An inner table becomes text of its outer cell: tables in tables are layout."""
        self._close_cell()
        grid = self._tables.pop()
        self._inline = []
        if self._tables and self._tables[-1].in_cell:
            self._inline = [*grid.outer, "\v", *(" ".join(filter(None, row)) + "\v" for row in grid.rows)]
            return
        add_markdown(self._builder, grid.rows)


def declared_charset(data: bytes) -> str | None:
    found = _XML_ENCODING.match(data[:200]) or _CHARSET.search(data[:4096])
    return found.group(1).decode("ascii", "replace") if found else None


def add_html(builder: TextBuilder, data: bytes, *, charset: str | None = None) -> None:
    """Visible text of a page, without scripts, styles and what the page hides."""
    decoded = decode(data, declared=charset or declared_charset(data))
    builder.warnings.extend(decoded.warnings)
    add_html_text(builder, decoded.text)


def add_html_text(builder: TextBuilder, text: str) -> str:
    """Adds the page and returns its title."""
    reader = _Reader(builder)
    reader.feed(text)
    reader.finish()
    return reader.title
