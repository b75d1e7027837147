"""PDF as people have it: scans, mixed pages, columns, blank backs, damage, passwords; and where a quote stands."""

from __future__ import annotations

import asyncio
import io
import re
import struct
import zlib

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from famulus.errors import ExtractionFailed
from famulus.knowledge.chunk import chunk
from famulus.knowledge.extract.base import Extracted, Rect
from famulus.knowledge.extract.locate import rectangles
from famulus.knowledge.extract.pool import ExtractionPool


def picture() -> ImageReader:
    """A small grey PNG."""

    def part(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    pixels = zlib.compress(b"".join(b"\x00" + bytes([90] * 8) for _ in range(8)))
    head = struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", pixels) + part(b"IEND", b"")
    return ImageReader(io.BytesIO(png))


def make(*pages: object, password: str | None = None) -> bytes:
    """A page is a list of lines, a string for a column layout (`columns`), `picture` or `blank`."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4, encrypt=StandardEncryption(password) if password else None)
    for page in pages:
        if page == "picture":
            canvas.drawImage(picture(), 100, 400, 300, 200)
        elif page == "columns":
            # Line by line across both columns, the order in which a layout program may write them.
            for number in range(30):
                canvas.drawString(60, 760 - 14 * number, f"Links Satz {number} steht hier unter links.")
                canvas.drawString(320, 760 - 14 * number, f"Rechts Satz {number} steht hier unter rechts.")
        elif isinstance(page, list):
            for number, line in enumerate(page):
                canvas.drawString(72, 760 - 16 * number, line)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


NINE = make(*([f"Seite {number} erzählt von Dingen."] for number in range(1, 9)), ["Das Wort ultimo steht hier."])
SAMPLES = {
    "scan.pdf": make("picture", "picture"),
    "mixed.pdf": make(["Rechnung vom März."], "picture"),
    "blank.pdf": make(["Erste Seite."], "blank", ["Dritte Seite."]),
    "columns.pdf": make("columns"),
    "nine.pdf": NINE,
    "cut.pdf": NINE[: len(NINE) // 2],
    "locked.pdf": make(["Geheim."], password="geheim"),
    "second.txt": b"second doc",
}

Results = dict[str, Extracted | ExtractionFailed]


@pytest.fixture(scope="module")
def results() -> Results:
    async def read() -> Results:
        found: Results = {}
        async with ExtractionPool(1) as pool:
            for name, data in SAMPLES.items():
                try:
                    found[name] = await pool.extract(data, name)
                except ExtractionFailed as error:
                    found[name] = error
        return found

    return asyncio.run(read())


def read(results: Results, name: str) -> Extracted:
    found = results[name]
    assert isinstance(found, Extracted), found
    return found


def code(results: Results, name: str) -> str:
    found = results[name]
    assert isinstance(found, ExtractionFailed)
    return found.code


def test_case02_scan_is_no_text_and_mixed_document_warns_about_its_page(results: Results) -> None:
    assert code(results, "scan.pdf") == "no_text"
    mixed = read(results, "mixed.pdf")
    assert "Rechnung vom März." in mixed.text
    assert [(warning.code, warning.page) for warning in mixed.warnings] == [("page_unreadable", 2)]
    assert {draft.page for draft in chunk(mixed)} == {1}


def test_blank_page_is_no_reason_for_a_warning(results: Results) -> None:
    found = read(results, "blank.pdf")
    assert found.page_count == 3
    assert found.warnings == ()
    assert [block.page for block in found.blocks] == [1, 3]


def test_columns_are_read_one_after_the_other(results: Results) -> None:
    text = read(results, "columns.pdf").text
    order = re.findall(r"(Links|Rechts) Satz (\d+)", text)
    assert order == [(side, str(number)) for side in ("Links", "Rechts") for number in range(30)]


def test_case24_page_belongs_to_its_document(results: Results) -> None:
    nine, second = read(results, "nine.pdf"), read(results, "second.txt")
    assert [draft.page for draft in chunk(nine) if "ultimo" in draft.text] == [9]
    assert max(draft.page or 0 for draft in chunk(nine)) <= (nine.page_count or 0) == 9
    assert [draft.page for draft in chunk(second)] == [None]
    assert second.page_count is None


def test_truncated_document_is_never_a_silent_success(results: Results) -> None:
    found = results["cut.pdf"]
    if isinstance(found, ExtractionFailed):
        assert found.code == "unreadable"
    else:
        assert found.warnings


def test_password_is_said(results: Results) -> None:
    assert code(results, "locked.pdf") == "encrypted"


def test_quote_is_found_on_its_page() -> None:
    boxes = rectangles(NINE, 9, "wort ULTIMO  steht")
    assert len(boxes) == 1
    box = boxes[0]
    assert box.top == pytest.approx(1 - 760 / A4[1], abs=0.02)
    assert 72 / A4[0] < box.left < box.right < 0.5
    assert rectangles(NINE, 8, "ultimo") == []
    assert rectangles(NINE, 99, "ultimo") == []


def test_quote_over_lines_and_table_marks_is_found() -> None:
    data = make(["Die Frist beträgt", "dreissig Tage ab Datum.", "Bern 1234,56"])
    assert len(rectangles(data, 1, "Frist beträgt dreissig Tage")) == 2
    assert len(rectangles(data, 1, "| Bern | 1234,56 |")) == 1


def test_rectangle_follows_the_rotation_of_the_page() -> None:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    canvas.setPageRotation(90)
    canvas.drawString(72, 500, "ultimo")
    canvas.save()
    (box,) = rectangles(out.getvalue(), 1, "ultimo")
    assert box.left == pytest.approx(500 / A4[0], abs=0.03)
    assert box.top == pytest.approx(72 / A4[1], abs=0.03)
    assert box.bottom - box.top > box.right - box.left


async def test_pool_locates_like_the_function() -> None:
    async with ExtractionPool(1) as pool:
        found = await pool.locate(NINE, 9, "ultimo")
    assert found == rectangles(NINE, 9, "ultimo")
    assert all(isinstance(box, Rect) for box in found)
