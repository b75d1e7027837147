"""Presentations: each slide is a page, its title a heading; tables, grouped shapes and speaker notes included."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from famulus.knowledge.extract.builder import TextBuilder
from famulus.knowledge.extract.package import Package
from famulus.knowledge.extract.tables import add_markdown
from famulus.knowledge.extract.xmltree import attribute, local

_MAIN_PART = "ppt/presentation.xml"


def add_pptx(builder: TextBuilder, data: bytes, name: str) -> int:
    """Returns the count of slides. Slides come in the order of the show, not of their file names."""
    package = Package(data, name)
    root = package.required(_MAIN_PART)
    relations = package.relations(_MAIN_PART)
    shown = [_relation_id(item) for item in root.iter() if local(item) == "sldId"]
    parts = [relations[key][1] for key in shown if key in relations]
    for number, part in enumerate(parts, 1):
        slide = package.xml(part)
        builder.start_page(number)
        builder.start_root()
        if slide is not None:
            _add_slide(builder, slide, number)
            _add_notes(builder, package, part)
    return len(parts)


def _relation_id(item: Element) -> str:
    return next((value for key, value in item.items() if key.endswith("relationships}id")), "")


def _add_slide(builder: TextBuilder, slide: Element, number: int) -> None:
    shapes = list(_shapes(slide))
    title = next((shape for shape in shapes if _placeholder(shape) in ("title", "ctrTitle")), None)
    text = " ".join(_paragraphs(title)) if title is not None else ""
    if text:
        builder.heading(text, 2)
    else:
        builder.start_root(f"Slide {number}")
    for shape in shapes:
        if shape is title or _placeholder(shape) in ("sldNum", "dt", "ftr"):
            continue
        if local(shape) == "graphicFrame":
            for table in (found for found in shape.iter() if local(found) == "tbl"):
                add_markdown(builder, [_cells(row) for row in table if local(row) == "tr"])
        else:
            _add_paragraphs(builder, shape)


def _add_paragraphs(builder: TextBuilder, shape: Element) -> None:
    lines = list(_paragraphs(shape))
    if len(lines) > 1 and _placeholder(shape) != "subTitle":
        builder.add("list", "\n".join(f"- {line}" for line in lines))
    else:
        builder.add("text", "\n".join(lines))


def _add_notes(builder: TextBuilder, package: Package, part: str) -> None:
    for kind, path in package.relations(part).values():
        root = package.xml(path) if kind == "notesSlide" else None
        for shape in _shapes(root) if root is not None else ():
            if _placeholder(shape) == "body" and (lines := list(_paragraphs(shape))):
                builder.add("text", "Notes: " + "\n".join(lines))


def _shapes(element: Element) -> Iterator[Element]:
    """Shapes in the order of drawing, which is the order of reading for nearly all slides; groups are opened."""
    for child in element:
        tag = local(child)
        if tag in ("sp", "graphicFrame"):
            yield child
        elif tag not in ("Fallback", "pic"):
            yield from _shapes(child)


def _placeholder(shape: Element) -> str:
    for found in shape.iter():
        if local(found) == "ph":
            return attribute(found, "type") or "body"
    return ""


def _paragraphs(shape: Element) -> Iterator[str]:
    for paragraph in (found for found in shape.iter() if local(found) == "p"):
        text = "".join(_run_text(paragraph)).strip()
        if text:
            yield text


def _run_text(paragraph: Element) -> Iterator[str]:
    for found in paragraph.iter():
        tag = local(found)
        if tag == "t":
            yield found.text or ""
        elif tag == "br":
            yield " "


def _cells(row: Element) -> list[str]:
    return ["\n".join(_paragraphs(cell)) for cell in row if local(cell) == "tc"]
