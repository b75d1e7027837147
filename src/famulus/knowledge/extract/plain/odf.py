"""OpenDocument: text documents, spreadsheets and presentations (`content.xml`)."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from famulus.knowledge.extract.builder import TextBuilder
from famulus.knowledge.extract.clean import one_line
from famulus.knowledge.extract.package import Package
from famulus.knowledge.extract.sniff import ODP, ODS
from famulus.knowledge.extract.tables import add_markdown, add_records
from famulus.knowledge.extract.xmltree import attribute, local

_MAX_REPEAT = 1024
_WRAPPERS = frozenset({"section", "text", "index-body", "table-of-content", "deletion", "frame", "text-box", "body"})


def add_odf(builder: TextBuilder, data: bytes, name: str, media_type: str) -> int | None:
    """Returns the count of slides for presentations, None otherwise."""
    root = Package(data, name).required("content.xml")
    office = next((found for found in root if local(found) == "body"), root)
    if media_type == ODS:
        _add_sheets(builder, office)
        return None
    if media_type == ODP:
        return _add_slides(builder, office)
    for body in office:
        _add_blocks(builder, body)
    return None


def _add_sheets(builder: TextBuilder, office: Element) -> None:
    for table in (found for found in office.iter() if local(found) == "table"):
        builder.start_root(attribute(table, "name"))
        add_records(builder, attribute(table, "name"), _rows(table))
    builder.start_root()


def _add_slides(builder: TextBuilder, office: Element) -> int:
    pages = [found for found in office.iter() if local(found) == "page"]
    for number, page in enumerate(pages, 1):
        builder.start_page(number)
        builder.start_root()
        title = _slide_title(page)
        if title:
            builder.heading(title, 2)
        else:
            builder.start_root(f"Slide {number}")
        for frame in page:
            if attribute(frame, "class") != "title":
                _add_blocks(builder, frame)
    return len(pages)


def _slide_title(page: Element) -> str:
    frame = next((found for found in page if attribute(found, "class") == "title"), None)
    return (
        one_line(" ".join(_text(found) for found in frame.iter() if local(found) == "p")) if frame is not None else ""
    )


def _add_blocks(builder: TextBuilder, parent: Element) -> None:
    for child in parent:
        tag = local(child)
        if tag == "h":
            level = attribute(child, "outline-level")
            builder.heading(_text(child), int(level) if level.isdigit() else 1)
        elif tag == "p":
            builder.add("text", _text(child))
            for frame in (found for found in child.iter() if local(found) == "text-box"):
                _add_blocks(builder, frame)
        elif tag == "list":
            builder.add("list", "\n".join(_items(child, 0)))
        elif tag == "table":
            add_markdown(builder, list(_rows(child)), name=attribute(child, "name"))
        elif tag in _WRAPPERS or tag.startswith("index"):
            _add_blocks(builder, child)


def _items(parent: Element, depth: int) -> Iterator[str]:
    for item in parent:
        if local(item) not in ("list-item", "list-header"):
            continue
        for child in item:
            if local(child) == "list":
                yield from _items(child, depth + 1)
            elif local(child) in ("p", "h") and _text(child).strip():
                yield "  " * depth + "- " + one_line(_text(child))


def _rows(table: Element) -> Iterator[list[str]]:
    for row in table:
        tag = local(row)
        if tag in ("table-header-rows", "table-rows", "table-row-group"):
            yield from _rows(row)
        elif tag == "table-row":
            cells = [value for cell in row for value in _cell(cell)]
            while cells and not cells[-1]:
                cells.pop()
            if cells:
                yield from [cells] * _repeat(row, "number-rows-repeated")


def _cell(cell: Element) -> list[str]:
    """A repeated cell is written out, within bounds: empty cells repeat to the edge of the sheet."""
    if local(cell) not in ("table-cell", "covered-table-cell"):
        return []
    text = "\n".join(_text(found) for found in cell if local(found) in ("p", "h", "list"))
    return [text] * _repeat(cell, "number-columns-repeated")


def _repeat(element: Element, name: str) -> int:
    count = attribute(element, name)
    return min(int(count), _MAX_REPEAT) if count.isdigit() else 1


def _text(element: Element) -> str:
    parts: list[str] = []
    _collect(element, parts)
    return "".join(parts)


def _collect(element: Element, parts: list[str]) -> None:
    parts.append(element.text or "")
    for child in element:
        tag = local(child)
        if tag == "s":
            count = attribute(child, "c")
            parts.append(" " * (min(int(count), 100) if count.isdigit() else 1))
        elif tag == "tab":
            parts.append("\t")
        elif tag == "line-break":
            parts.append("\n")
        elif tag not in ("annotation", "tracked-changes", "text-box", "bookmark-start"):
            _collect(child, parts)
        parts.append(child.tail or "")
