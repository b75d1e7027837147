"""PDF by pdfium alone: the order of the content stream, no tables and no headings. The net below the preferred reader."""

from __future__ import annotations

import re

from famulus.knowledge.extract.builder import TextBuilder
from famulus.knowledge.extract.clean import clean
from famulus.knowledge.extract.pdfium import Pdf

# pdfium marks a hyphen at a line's end with U+0002 or U+FFFE; together with the break it joins the halves of a word.
_BROKEN_WORD = re.compile("[\x02\ufffe]\r?\n?|\u00ad\r?\n")
_LINE = re.compile(r"(?<=[^\s.:;!?])\n(?=[a-zà-ÿ(])")


def add_pdf(builder: TextBuilder, data: bytes, name: str) -> int:
    """Returns the count of pages. A page without text adds nothing; who calls decides what that means."""
    with Pdf(data, name) as pdf:
        for number in range(1, pdf.page_count + 1):
            builder.start_page(number)
            add_page_text(builder, pdf.text(number))
        builder.end_page()
        return pdf.page_count


def add_page_text(builder: TextBuilder, text: str) -> None:
    """A page's raw text as paragraphs: words broken at line ends are joined, and lines that plainly go on as well."""
    joined = clean(_BROKEN_WORD.sub("", text))
    for paragraph in re.split(r"\n[ \t]*\n+", joined):
        builder.add("text", _LINE.sub(" ", paragraph))
