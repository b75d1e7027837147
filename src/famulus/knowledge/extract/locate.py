"""Where a quote stands on a PDF page, for highlighting: rectangles found by comparing letters and digits only.

Spaces, hyphens at line ends, table pipes and Markdown marks differ between the extracted text and the page, so they
are not compared. Parses untrusted bytes: the product calls it through the pool.
"""

from __future__ import annotations

import unicodedata

from famulus.knowledge.extract.base import Rect
from famulus.knowledge.extract.pdfium import Pdf

_MIN_PART = 24


def rectangles(pdf_bytes: bytes, page: int, quote: str, name: str = "document.pdf") -> list[Rect]:
    """Rectangles that cover `quote` on `page` (from 1), one per line; empty when it is not found.

    A quote that is not on the page in one piece (columns, tables) is searched line by line.
    """
    with Pdf(pdf_bytes, name) as pdf:
        if not 1 <= page <= pdf.page_count:
            return []
        letters, origin = _letters(pdf.characters(page))
        found: list[Rect] = []
        for start, end in _spans(letters, quote):
            first, last = origin[start], origin[end - 1]
            found.extend(pdf.rectangles(page, first, last - first + 1))
        return [rect for rect in found if rect.right > rect.left and rect.bottom > rect.top]


def _spans(letters: str, quote: str) -> list[tuple[int, int]]:
    whole, _ = _letters(list(quote))
    at = letters.find(whole) if whole else -1
    if at >= 0:
        return [(at, at + len(whole))]
    spans: list[tuple[int, int]] = []
    position = 0
    for part in _parts(quote):
        wanted, _ = _letters(list(part))
        at = letters.find(wanted, position) if wanted else -1
        if at < 0:
            at = letters.find(wanted) if len(wanted) >= _MIN_PART else -1
        if at >= 0:
            spans.append((at, at + len(wanted)))
            position = at + len(wanted)
    return spans


def _parts(quote: str) -> list[str]:
    """Lines of the quote; the cells of a table row count as lines of their own."""
    return [cell for line in quote.split("\n") for cell in line.split("|") if cell.strip()]


def _letters(characters: list[str]) -> tuple[str, list[int]]:
    """Folded letters and digits, and for each the index of the character that it came from."""
    out: list[str] = []
    origin: list[int] = []
    for index, character in enumerate(characters):
        for folded in unicodedata.normalize("NFKD", character).casefold():
            if folded.isalnum():
                out.append(folded)
                origin.append(index)
    return "".join(out), origin
