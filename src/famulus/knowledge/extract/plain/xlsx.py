"""Excel workbooks as a stream of rows: each sheet is a section, each row a line that carries its header.

Read directly, because 100,000 rows took the usual library four times as long (docs/decisions/extraction.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from xml.etree.ElementTree import Element

from famulus.knowledge.extract.builder import TextBuilder
from famulus.knowledge.extract.package import Package
from famulus.knowledge.extract.tables import add_records
from famulus.knowledge.extract.xmltree import attribute, local, stream

_MAIN_PART = "xl/workbook.xml"
_MAX_COLUMNS = 16_384
_SPACE = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_STRICT_SPACE = "{http://purl.oclc.org/ooxml/spreadsheetml/main}"
# Built-in formats (ECMA-376 part 1, 18.8.30): dates, pure times, percent.
_DATE_IDS = frozenset({*range(14, 18), 22, *range(27, 37), *range(50, 59)})
_TIME_IDS = frozenset({*range(18, 22), *range(45, 48)})
_PERCENT_IDS = frozenset({9, 10})
_QUOTED = re.compile(r'"[^"]*"|\\.|\[(?!h|m|s)[^\]]*\]|_.', re.IGNORECASE)
_EPOCH, _EPOCH_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)  # noqa: DTZ001 (sheets know no time zones)


@dataclass(slots=True)
class _Book:
    strings: list[str] = field(default_factory=list[str])
    kinds: list[str] = field(default_factory=list[str])
    epoch: datetime = _EPOCH


def add_xlsx(builder: TextBuilder, data: bytes, name: str) -> None:
    """Values as they are stored (formulas by their last result); numbers without float noise, dates in ISO form."""
    package = Package(data, name)
    part = next((path for kind, path in package.relations("").values() if kind == "officeDocument"), _MAIN_PART)
    workbook, relations = package.required(part), package.relations(part)
    by_kind = dict(relations.values())
    book = _Book(_shared_strings(package, by_kind), _cell_kinds(package, by_kind))
    if any(attribute(found, "date1904") in ("1", "true") for found in workbook.iter() if local(found) == "workbookPr"):
        book.epoch = _EPOCH_1904
    for sheet in (found for found in workbook.iter() if local(found) == "sheet"):
        key = next((value for name, value in sheet.items() if name.endswith("relationships}id")), "")
        kind, path = relations.get(key, ("", ""))
        content = package.read(path) if kind == "worksheet" else None
        if content is not None:
            title = attribute(sheet, "name")
            builder.start_root(title)
            add_records(builder, title, _rows(content, book, name))
    builder.start_root()


def _rows(content: bytes, book: _Book, name: str) -> Iterator[list[str]]:
    for row in stream(content, name, "row"):
        values: list[str] = []
        for cell in row:
            column = _column(cell.get("r", ""))
            column = len(values) if column is None else column
            if column < _MAX_COLUMNS and (text := _cell_text(cell, book)):
                values.extend([""] * (column + 1 - len(values)))
                values[column] = text
            elif column >= len(values) and not cell.get("r"):
                values.append("")
        yield values


def _column(reference: str) -> int | None:
    """`C12` -> 2; None when the cell does not say where it stands."""
    number = 0
    for character in reference[:4]:
        if not "A" <= character <= "Z":
            break
        number = number * 26 + ord(character) - 64
    return number - 1 if number else None


def _cell_text(cell: Element, book: _Book) -> str:
    kind = cell.get("t", "n")
    if kind == "inlineStr":
        return "".join(_string(child) for child in cell if local(child) == "is")
    value = cell.find(f"{_SPACE}v")
    value = cell.find(f"{_STRICT_SPACE}v") if value is None else value
    text = (value.text or "") if value is not None else ""
    if not text or kind in ("str", "e", "d"):
        return text
    if kind == "s":
        return book.strings[int(text)] if text.isdigit() and int(text) < len(book.strings) else ""
    if kind == "b":
        return "TRUE" if text == "1" else "FALSE"
    style = cell.get("s", "")
    shown_as = book.kinds[int(style)] if style.isdigit() and int(style) < len(book.kinds) else "number"
    return number_text(text, shown_as, book.epoch)


def number_text(text: str, shown_as: str, epoch: datetime = _EPOCH) -> str:
    """15 significant digits, as the program itself keeps; percent as percent, days since the epoch as a date."""
    try:
        value = float(text)
    except ValueError:
        return text
    if shown_as in ("date", "time") and 0 <= value < 2_958_466:
        return _date_text(value, shown_as, epoch)
    if shown_as == "percent":
        return f"{float(f'{value * 100:.12g}'):.12g}%"
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.15g}"


def _date_text(value: float, shown_as: str, epoch: datetime) -> str:
    # Half a second is added, because the stored fraction of a day is not exact.
    moment = epoch + timedelta(days=value, seconds=0.5)
    if shown_as == "time" and value < 1:
        return moment.strftime("%H:%M:%S" if moment.second else "%H:%M")
    return moment.strftime("%Y-%m-%d" if value.is_integer() else "%Y-%m-%d %H:%M")


def _shared_strings(package: Package, by_kind: dict[str, str]) -> list[str]:
    content = package.read(by_kind.get("sharedStrings", "xl/sharedStrings.xml"))
    return [_string(item) for item in stream(content, package.name, "si")] if content else []


def _string(item: Element) -> str:
    """Text of all runs, without the reading aids of Japanese."""
    parts: list[str] = []
    for child in item:
        tag = local(child)
        if tag == "t":
            parts.append(child.text or "")
        elif tag == "r":
            parts.extend(found.text or "" for found in child if local(found) == "t")
    return "".join(parts)


def _cell_kinds(package: Package, by_kind: dict[str, str]) -> list[str]:
    """For each cell style: number, date, time or percent."""
    root = package.xml(by_kind.get("styles", "xl/styles.xml"))
    if root is None:
        return []
    own = {
        attribute(found, "numFmtId"): attribute(found, "formatCode")
        for found in root.iter()
        if local(found) == "numFmt"
    }
    styles = next((found for found in root if local(found) == "cellXfs"), None)
    numbers = [attribute(style, "numFmtId") for style in styles] if styles is not None else []
    return [format_kind(int(number) if number.isdigit() else 0, own.get(number, "")) for number in numbers]


def format_kind(number: int, code: str) -> str:
    if code:
        bare = _QUOTED.sub("", code).lower()
        if "%" in bare:
            return "percent"
        if "general" not in bare and re.search("[dy]", bare):
            return "date"
        return "time" if "general" not in bare and re.search("[hs]", bare) else "number"
    if number in _DATE_IDS:
        return "date"
    return "time" if number in _TIME_IDS else "percent" if number in _PERCENT_IDS else "number"
