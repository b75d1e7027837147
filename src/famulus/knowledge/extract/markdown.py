"""Markdown becomes blocks. Used for Markdown files as they are, and for the Markdown that the preferred reader makes.

Only block structure is read (CommonMark's, line by line); inline marks stay as they are. The whole text is kept:
every non-blank line belongs to exactly one block.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from famulus.knowledge.extract.base import BlockKind, Table
from famulus.knowledge.extract.builder import TextBuilder
from famulus.knowledge.extract.clean import clean
from famulus.knowledge.extract.tables import ColumnTypes

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_ITEM = re.compile(r" {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")
_QUOTE = re.compile(r" {0,3}>")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_DELIMITER = re.compile(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
# `{#anchor}` after a heading: kept in the text, left out of the section path.
_ATTRIBUTES = re.compile(r"\s*\{\s*[#.][^{}]*\}\s*$")
_CELL_BORDER = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class _Span:
    kind: BlockKind
    start: int
    end: int
    level: int | None = None
    title: str = ""


def add_markdown_text(builder: TextBuilder, text: str, *, inline: Callable[[str], str] = str) -> None:
    """Appends `text` block by block. `inline` rewrites the text of headings, paragraphs, lists and quotes."""
    lines = clean(text).split("\n")
    position = 0
    while position < len(lines):
        if not lines[position].strip():
            position += 1
            continue
        span = _next_span(lines, position)
        _add(builder, span, "\n".join(lines[span.start : span.end]), inline)
        position = span.end


def _add(builder: TextBuilder, span: _Span, body: str, change: Callable[[str], str]) -> None:
    if span.kind == "heading":
        text = change(span.title)
        builder.heading(text, span.level or 1, title=_ATTRIBUTES.sub("", text) or None)
    elif span.kind == "table":
        _add_table(builder, body, change)
    elif span.kind == "code":
        builder.add("code", body)
    else:
        builder.add(span.kind, change(body), level=span.level)


def _next_span(lines: list[str], at: int) -> _Span:
    line = lines[at]
    if at == 0 and line.strip() == "---" and (end := _front_matter_end(lines)):
        return _Span("text", at, end)
    fence = _FENCE.match(line)
    if fence:
        return _Span("code", at, _fence_end(lines, at, fence.group(1)))
    heading = _HEADING.match(line)
    if heading:
        if (heading.group(2) or "").strip():
            return _Span("heading", at, at + 1, len(heading.group(1)), heading.group(2))
        return _Span("text", at, at + 1)
    if _is_table(lines, at):
        return _Span("table", at, _run(lines, at + 2, lambda text: "|" in text))
    if _RULE.match(line):
        return _Span("text", at, at + 1)
    if _ITEM.match(line):
        return _Span("list", at, _list_end(lines, at))
    if _QUOTE.match(line):
        return _Span("quote", at, _run(lines, at + 1, _goes_on_quoted))
    if line.startswith(("    ", "\t")):
        return _Span("code", at, _indented_end(lines, at))
    return _paragraph(lines, at)


def _paragraph(lines: list[str], at: int) -> _Span:
    end = at + 1
    while end < len(lines) and lines[end].strip():
        underline = _SETEXT.match(lines[end])
        if underline and not _ITEM.match(lines[end]):
            title = " ".join(part.strip() for part in lines[at:end])
            return _Span("heading", at, end + 1, 1 if "=" in underline.group(1) else 2, title)
        if _starts_block(lines[end]) or _is_table(lines, end):
            break
        end += 1
    return _Span("text", at, end)


def _starts_block(line: str) -> bool:
    """Lines that end a paragraph without a blank line before them."""
    heading = _HEADING.match(line)
    if heading and (heading.group(2) or "").strip():
        return True
    # Only a list that starts at 1 may interrupt a paragraph (CommonMark 5.3): "in\n1985. A year" is prose.
    item = _ITEM.match(line)
    numbered = item is not None and line.strip()[0].isdigit() and not re.match(r"1[.)]", line.strip())
    return bool(_FENCE.match(line) or _QUOTE.match(line) or _RULE.match(line) or (item and not numbered))


def _goes_on_quoted(line: str) -> bool:
    """Another quoted line, or a lazy one (CommonMark 5.1)."""
    return bool(_QUOTE.match(line)) or not _starts_block(line)


def _front_matter_end(lines: list[str]) -> int | None:
    for index in range(1, min(len(lines), 200)):
        if lines[index].strip() in ("---", "..."):
            return index + 1 if index > 1 else None
    return None


def _fence_end(lines: list[str], at: int, mark: str) -> int:
    close = re.compile(rf" {{0,3}}{re.escape(mark[0])}{{{len(mark)},}}[ \t]*$")
    for index in range(at + 1, len(lines)):
        if close.match(lines[index]):
            return index + 1
    return len(lines)


def _list_end(lines: list[str], at: int) -> int:
    """Items, their indented and lazy lines, and single blank lines between items."""
    end = at + 1
    while end < len(lines):
        line = lines[end]
        if not line.strip():
            following = lines[end + 1] if end + 1 < len(lines) else ""
            if not following.strip() or not (_ITEM.match(following) or following.startswith(("  ", "\t"))):
                return end
        elif (not line.startswith(("  ", "\t")) and not _ITEM.match(line) and _starts_block(line)) or (
            _RULE.match(line) and not line.startswith(("  ", "\t"))
        ):
            return end
        end += 1
    return end


def _indented_end(lines: list[str], at: int) -> int:
    end = at + 1
    while end < len(lines) and lines[end].startswith(("    ", "\t")):
        end += 1
    return end


def _run(lines: list[str], at: int, keep: Callable[[str], bool]) -> int:
    while at < len(lines) and lines[at].strip() and keep(lines[at]):
        at += 1
    return at


def _is_table(lines: list[str], at: int) -> bool:
    if "|" not in lines[at] or at + 1 >= len(lines):
        return False
    below = lines[at + 1]
    if "|" not in below or not _DELIMITER.match(below):
        return False
    return len(cells(lines[at])) == len(cells(below))


def cells(row: str) -> list[str]:
    """The cells of a pipe row, unescaped."""
    return [part.strip().replace("\\|", "|") for part in _CELL_BORDER.split(_unframed(row))]


def _unframed(row: str) -> str:
    row = row.strip()
    row = row[1:] if row.startswith("|") else row
    return row[:-1] if row.endswith("|") and not row.endswith("\\|") else row


def _add_table(builder: TextBuilder, body: str, change: Callable[[str], str]) -> None:
    lines = [line if index == 1 else change(line) for index, line in enumerate(body.split("\n"))]
    types = ColumnTypes()
    for line in lines[2:]:
        types.see(cells(line))
    builder.tables.append(Table("", tuple(cells(lines[0])), len(lines) - 2, tuple(types.types)))
    builder.add("table", "\n".join(lines), header=lines[0].strip())
