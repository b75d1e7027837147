"""E-books: the chapters in the order of the spine, each read as XHTML."""

from __future__ import annotations

import posixpath
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from famulus.knowledge.extract.base import failed
from famulus.knowledge.extract.builder import TextBuilder
from famulus.knowledge.extract.encoding import decode
from famulus.knowledge.extract.package import Package
from famulus.knowledge.extract.plain.html import add_html_text, declared_charset
from famulus.knowledge.extract.xmltree import attribute, local

_CONTAINER = "META-INF/container.xml"


def add_epub(builder: TextBuilder, data: bytes, name: str) -> None:
    package = Package(data, name)
    if "META-INF/encryption.xml" in package.names and "META-INF/rights.xml" in package.names:
        raise failed("encrypted", f"{name!r} is protected by a copy protection. Upload an unprotected copy.")
    for part in _spine(package, name):
        chapter = package.read(part)
        if chapter is None:
            builder.warn("part_missing", f"The chapter {part[:80]!r} is listed, but missing.")
            continue
        builder.start_root()
        decoded = decode(chapter, declared=declared_charset(chapter))
        builder.warnings.extend(decoded.warnings)
        add_html_text(builder, decoded.text)


def _spine(package: Package, name: str) -> list[str]:
    container = package.xml(_CONTAINER, doctype=True)
    path = next(
        (attribute(found, "full-path") for found in _all(container, "rootfile") if attribute(found, "full-path")), ""
    )
    book = package.xml(path, doctype=True) if path else None
    if book is None:
        raise failed("unreadable", f"{name!r} has no list of contents. Save the book again as EPUB.")
    folder = posixpath.dirname(path)
    files = {attribute(item, "id"): attribute(item, "href") for item in _all(book, "item")}
    wanted = [files[attribute(item, "idref")] for item in _all(book, "itemref") if attribute(item, "idref") in files]
    return [posixpath.normpath(posixpath.join(folder, unquote(href))) for href in wanted]


def _all(root: Element | None, tag: str) -> list[Element]:
    return [found for found in root.iter() if local(found) == tag] if root is not None else []
