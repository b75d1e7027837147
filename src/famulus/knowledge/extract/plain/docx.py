"""Word documents: paragraphs, headings by style, lists, tables, text boxes, foot- and endnotes, headers and footers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from famulus.knowledge.extract.builder import TextBuilder
from famulus.knowledge.extract.package import Package
from famulus.knowledge.extract.tables import add_markdown
from famulus.knowledge.extract.xmltree import attribute, local

_HEADING_STYLE = re.compile(r"(?:heading|überschrift|titre|kop|titolo|título)\s*(\d)$", re.IGNORECASE)
_MAIN_PART = "word/document.xml"
_MAX_HEADING = 9


class _Styles:
    """Style id -> heading level, and whether the style is a list or code style."""

    def __init__(self, root: Element | None) -> None:
        self.levels: dict[str, int] = {}
        self.lists: set[str] = set()
        based: dict[str, str] = {}
        for style in root if root is not None else ():
            if local(style) == "style":
                self._read(style, based)
        for key in based:
            self._inherit(key, based)

    def _read(self, style: Element, based: dict[str, str]) -> None:
        key, name = attribute(style, "styleId"), ""
        for child in style:
            if local(child) == "name":
                name = attribute(child, "val")
            elif local(child) == "basedOn":
                based[key] = attribute(child, "val")
        outline = next((found for found in style.iter() if local(found) == "outlineLvl"), None)
        match = _HEADING_STYLE.match(name)
        if match:
            self.levels[key] = int(match.group(1))
        elif name.lower() == "title":
            self.levels[key] = 1
        elif outline is not None and attribute(outline, "val").isdigit() and int(attribute(outline, "val")) < 9:
            self.levels[key] = int(attribute(outline, "val")) + 1
        if "list" in name.lower() and "paragraph" not in name.lower():
            self.lists.add(key)

    def _inherit(self, key: str, based: dict[str, str]) -> None:
        parent, seen = based.get(key), {key}
        while parent and parent not in seen and key not in self.levels:
            if parent in self.levels:
                self.levels[key] = self.levels[parent]
            seen.add(parent)
            parent = based.get(parent)


def add_docx(builder: TextBuilder, data: bytes, name: str) -> None:
    package = Package(data, name)
    part = next((path for kind, path in package.relations("").values() if kind == "officeDocument"), _MAIN_PART)
    root = package.required(part)
    relations = package.relations(part)
    styles_part = next((path for kind, path in relations.values() if kind == "styles"), "word/styles.xml")
    reader = _Reader(builder, _Styles(package.xml(styles_part)))
    for body in root:
        if local(body) == "body":
            reader.blocks(body)
    reader.flush_list()
    _add_notes(builder, package, relations)


def _add_notes(builder: TextBuilder, package: Package, relations: dict[str, tuple[str, str]]) -> None:
    """Footnotes and endnotes come after the text; running headers and footers once each, at the very end."""
    seen: set[str] = set()
    for wanted in ("footnotes", "endnotes", "header", "footer"):
        for kind, path in relations.values():
            root = package.xml(path) if kind == wanted else None
            for paragraph in _paragraphs(root) if root is not None else ():
                text = paragraph_text(paragraph).strip()
                if text and text not in seen:
                    seen.add(text)
                    builder.add("text", text)


def _paragraphs(root: Element) -> Iterator[Element]:
    return (element for element in root.iter() if local(element) == "p")


class _Reader:
    def __init__(self, builder: TextBuilder, styles: _Styles) -> None:
        self._builder = builder
        self._styles = styles
        self._items: list[str] = []

    def blocks(self, parent: Element) -> None:
        """Children of a body or of a transparent wrapper (content control, tracked insertion)."""
        for child in parent:
            tag = local(child)
            if tag == "p":
                self._paragraph(child)
            elif tag == "tbl":
                self.flush_list()
                add_markdown(self._builder, list(table_rows(child)))
            elif tag in ("sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag"):
                self.blocks(child)

    def flush_list(self) -> None:
        if self._items:
            self._builder.add("list", "\n".join(self._items))
            self._items = []

    def _paragraph(self, paragraph: Element) -> None:
        text = paragraph_text(paragraph).strip()
        style, listed, depth, outline = _properties(paragraph)
        level = outline or self._styles.levels.get(style)
        if text and level and level <= _MAX_HEADING:
            self.flush_list()
            self._builder.heading(text, level)
        elif text and (listed or style in self._styles.lists):
            self._items.append("  " * depth + "- " + text.replace("\n", " "))
        elif text:
            self.flush_list()
            self._builder.add("text", text)
        for box in _text_boxes(paragraph):
            self.flush_list()
            self.blocks(box)


def _properties(paragraph: Element) -> tuple[str, bool, int, int | None]:
    """(style id, is a list item, depth of the item, own outline level)."""
    style, listed, depth, outline = "", False, 0, None
    properties = next((child for child in paragraph if local(child) == "pPr"), None)
    for item in properties if properties is not None else ():
        tag = local(item)
        if tag == "pStyle":
            style = attribute(item, "val")
        elif tag == "outlineLvl" and attribute(item, "val").isdigit() and int(attribute(item, "val")) < 9:
            outline = int(attribute(item, "val")) + 1
        elif tag == "numPr":
            values = {local(child): attribute(child, "val") for child in item}
            listed = values.get("numId", "0") != "0"
            depth = int(values.get("ilvl", "0")) if values.get("ilvl", "0").isdigit() else 0
    return style, listed, min(depth, 8), outline


def paragraph_text(paragraph: Element) -> str:
    """Visible text of one paragraph: insertions yes, deletions no, text boxes not (they are blocks of their own)."""
    parts: list[str] = []
    _collect(paragraph, parts)
    return "".join(parts)


def _collect(element: Element, parts: list[str]) -> None:
    for child in element:
        tag = local(child)
        if tag == "t":
            parts.append(child.text or "")
        elif tag in ("tab", "ptab"):
            parts.append("\t")
        elif tag in ("br", "cr"):
            parts.append("\n")
        elif tag == "noBreakHyphen":
            parts.append("-")
        elif tag not in ("del", "moveFrom", "pPr", "rPr", "instrText", "txbxContent", "Fallback", "delText"):
            _collect(child, parts)


def _text_boxes(element: Element) -> Iterator[Element]:
    """Text boxes below, without the fallback copies that old programs read."""
    for child in element:
        tag = local(child)
        if tag == "txbxContent":
            yield child
        elif tag != "Fallback":
            yield from _text_boxes(child)


def table_rows(table: Element) -> Iterator[list[str]]:
    for row in table:
        tag = local(row)
        if tag in ("sdt", "sdtContent", "ins", "customXml"):
            yield from table_rows(row)
        elif tag == "tr":
            yield list(_row_cells(row))


def _row_cells(row: Element) -> Iterator[str]:
    for cell in row:
        tag = local(cell)
        if tag in ("sdt", "sdtContent", "customXml"):
            yield from _row_cells(cell)
        elif tag == "tc":
            yield "\n".join(filter(None, (paragraph_text(paragraph).strip() for paragraph in _paragraphs(cell))))
            spans = next((attribute(found, "val") for found in cell.iter() if local(found) == "gridSpan"), "1")
            yield from [""] * (min(int(spans), 64) - 1 if spans.isdigit() else 0)
