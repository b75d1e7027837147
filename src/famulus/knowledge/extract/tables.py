"""Tables as text, in two forms.

`records`: one line per row, `header: value; header: value`. For sheets and CSV: each row is readable alone, so a hit
on row 73,421 of 100,000 needs nothing around it.
`markdown`: pipes. For tables inside prose documents, where the text must stay close to what the page shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice

from famulus.knowledge.extract.base import Table
from famulus.knowledge.extract.builder import TextBuilder
from famulus.knowledge.extract.clean import clean, one_line

_INTEGER = re.compile(r"[-+]?\d{1,18}")
_DECIMAL = re.compile(r"[-+]?(?:\d{1,3}(?:[.,'’ ]\d{3})+|\d+)(?:[.,]\d+)?\s?(?:[%€$£]|CHF|EUR|USD)?")
_LOOK_AHEAD = 6
_LAYOUT_CELL = 80
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}")


def cell_type(value: str) -> str:
    """`text`, `integer`, `decimal`, `date` or `empty`. Numbers are recognised in German and English writing."""
    if not value:
        return "empty"
    if _INTEGER.fullmatch(value):
        return "integer"
    if _DATE.fullmatch(value):
        return "date"
    return "decimal" if _DECIMAL.fullmatch(value) else "text"


@dataclass(slots=True)
class ColumnTypes:
    """The type of each column over the rows seen: the common one, or text as soon as two kinds disagree."""

    types: list[str] = field(default_factory=list[str])

    def see(self, row: Sequence[str]) -> None:
        while len(self.types) < len(row):
            self.types.append("empty")
        for index, value in enumerate(row):
            known = self.types[index]
            if value and known != "text":
                self.types[index] = _joined(known, cell_type(value))


def _joined(known: str, seen: str) -> str:
    if known in ("empty", seen):
        return seen
    return "decimal" if {known, seen} == {"integer", "decimal"} else "text"


def looks_like_header(first: Sequence[str], second: Sequence[str] | None) -> bool:
    """A first row is a header when it is all distinct words, or when the row below has numbers where it has words."""
    filled = [value for value in first if value]
    if not filled or any(cell_type(value) in ("decimal", "integer") for value in filled):
        return False
    if len(filled) == len(first) and len(set(filled)) == len(filled):
        return True
    return second is not None and any(
        cell_type(a) == "text" and cell_type(b) in ("integer", "decimal", "date")
        for a, b in zip(first, second, strict=False)
    )


def add_records(builder: TextBuilder, name: str, rows: Iterable[Sequence[str]]) -> int:
    """Adds all rows as record lines in one table block; returns the count of data rows. Blank rows are skipped."""
    source = (tuple(one_line(clean(cell)) for cell in row) for row in rows)
    kept = (row for row in source if any(row))
    titles, pending = _split_titles(list(islice(kept, _LOOK_AHEAD)))
    for title in titles:
        builder.add("text", title)
    if not pending:
        return 0
    header: tuple[str, ...] = ()
    if looks_like_header(pending[0], pending[1] if len(pending) > 1 else None):
        header, pending = pending[0], pending[1:]
    types, lines, size = ColumnTypes(), list[str](), 0
    for row in chain(pending, kept):
        types.see(row)
        line = record_line(header, row)
        size += len(line) + 1
        builder.check_room(size)
        lines.append(line)
    shown = "; ".join(value for value in header if value)
    if not lines and header:
        lines.append(shown)
        builder.tables.append(Table(name, header, 0, ()))
        builder.add("table", lines[0], header=shown)
        return 0
    builder.tables.append(Table(name, header, len(lines), tuple(types.types)))
    builder.add("table", "\n".join(lines), header=shown)
    return len(lines)


def record_line(header: Sequence[str], row: Sequence[str]) -> str:
    """`id: 73421; city: C89; amount: 734,21`; a value without a header stands alone, an empty value is left out."""
    parts: list[str] = []
    for index, value in enumerate(row):
        if value:
            title = header[index] if index < len(header) else ""
            parts.append(f"{title}: {value}" if title else value)
    return "; ".join(parts)


def add_markdown(builder: TextBuilder, rows: Sequence[Sequence[str]], *, name: str = "") -> None:
    """Adds a pipe table; its first row counts as header. A table of one column or one row is plain text (layout)."""
    filled = [tuple(one_line(clean(cell)) for cell in row) for row in rows]
    filled = [row for row in filled if any(row)]
    if not filled:
        return
    width = max(len(row) for row in filled)
    if width == 1 or len(filled) == 1:
        for row in filled:
            long = any(len(cell) > _LAYOUT_CELL for cell in row)
            for text in filter(None, row) if long else (" | ".join(filter(None, row)),):
                builder.add("text", text)
        return
    filled = [row + ("",) * (width - len(row)) for row in filled]
    header = markdown_row(filled[0])
    lines = [header, "| " + " | ".join(["---"] * width) + " |", *(markdown_row(row) for row in filled[1:])]
    types = ColumnTypes()
    for row in filled[1:]:
        types.see(row)
    builder.tables.append(Table(name, filled[0], len(filled) - 1, tuple(types.types)))
    builder.add("table", "\n".join(lines), header=header)


def markdown_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _split_titles(rows: list[tuple[str, ...]]) -> tuple[list[str], list[tuple[str, ...]]]:
    """Sheets often begin with a title above the header: rows of one value before the first row of several."""
    filled = [sum(1 for value in row if value) for row in rows]
    count = next((index for index, width in enumerate(filled) if width > 1), 0)
    return [next(value for value in row if value) for row in rows[:count]], rows[count:]
