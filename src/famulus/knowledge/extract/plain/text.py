"""Plain text, source code and Markdown files."""

from __future__ import annotations

import re

from famulus.knowledge.extract.builder import TextBuilder
from famulus.knowledge.extract.clean import clean, collapse_blank_lines
from famulus.knowledge.extract.encoding import decode
from famulus.knowledge.extract.markdown import add_markdown_text

_PARAGRAPH = re.compile(r"\n[ \t]*\n+")
_ITEM = re.compile(r"\s{0,3}(?:[-*+•‣▪–]|\d{1,3}[.)])\s")


def add_plain(builder: TextBuilder, data: bytes) -> None:
    """Paragraphs as blocks; nothing is taken for a heading, because plain text has no marks for it."""
    decoded = decode(data)
    builder.warnings.extend(decoded.warnings)
    for paragraph in _PARAGRAPH.split(collapse_blank_lines(clean(decoded.text))):
        lines = paragraph.split("\n")
        listed = len(lines) > 1 and sum(1 for line in lines if _ITEM.match(line)) * 2 > len(lines)
        builder.add("list" if listed else "text", paragraph)


def add_code(builder: TextBuilder, data: bytes) -> None:
    decoded = decode(data)
    builder.warnings.extend(decoded.warnings)
    builder.add("code", decoded.text)


def add_markdown_file(builder: TextBuilder, data: bytes) -> None:
    decoded = decode(data)
    builder.warnings.extend(decoded.warnings)
    add_markdown_text(builder, decoded.text)
