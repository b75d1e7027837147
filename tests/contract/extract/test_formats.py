"""One suite over both extractors and all formats: the same text, sections, tables and pages, whoever reads."""

from __future__ import annotations

import asyncio
import io
import unicodedata
import zipfile
from collections.abc import Callable
from email.message import EmailMessage

import docx
import openpyxl
import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from famulus.errors import ExtractionFailed
from famulus.knowledge.chunk import chunk
from famulus.knowledge.extract.base import Extracted, Limits
from famulus.knowledge.extract.pool import ExtractionPool

SENTENCE = "Die Kündigungsfrist beträgt 30 Tage."


def make_docx() -> bytes:
    document = docx.Document()
    document.add_heading("Mietvertrag", 1)
    document.add_heading("Fristen", 2)
    document.add_paragraph(SENTENCE)
    table = document.add_table(2, 2)
    for cell, text in zip(
        (*table.rows[0].cells, *table.rows[1].cells), ("Ort", "Preis", "Bern", "1234,56"), strict=True
    ):
        cell.text = text
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def make_pdf(*pages: list[str]) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    for lines in pages:
        for number, line in enumerate(lines):
            canvas.drawString(72, 760 - 16 * number, line)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def make_xlsx() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Preise"
    for row in (["Ort", "Preis"], ["Bern", 1234.5], ["Basel", 3], [SENTENCE, 0.25]):
        sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def make_zip(parts: dict[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return out.getvalue()


def make_pptx() -> bytes:
    a = "http://schemas.openxmlformats.org/drawingml/2006/main"
    p = "http://schemas.openxmlformats.org/presentationml/2006/main"
    r = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    rel = "http://schemas.openxmlformats.org/package/2006/relationships"

    def shape(kind: str, text: str) -> str:
        return (
            f'<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:cNvSpPr/><p:nvPr><p:ph type="{kind}"/></p:nvPr></p:nvSpPr><p:spPr/>'
            f"<p:txBody><a:bodyPr/><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"
        )

    def slide(title: str, text: str) -> str:
        body = shape("title", title) + shape("body", text)
        return f'<p:sld xmlns:p="{p}" xmlns:a="{a}"><p:cSld><p:spTree>{body}</p:spTree></p:cSld></p:sld>'

    relations = "".join(f'<Relationship Id="rId{n}" Type="{r}/slide" Target="slides/slide{n}.xml"/>' for n in (1, 2))
    ids = '<p:sldId id="256" r:id="rId1"/><p:sldId id="257" r:id="rId2"/>'
    return make_zip(
        {
            "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            '<Default Extension="xml" ContentType="application/xml"/></Types>',
            "_rels/.rels": f'<Relationships xmlns="{rel}"><Relationship Id="rId1" Type="{r}/officeDocument"'
            ' Target="ppt/presentation.xml"/></Relationships>',
            "ppt/presentation.xml": f'<p:presentation xmlns:p="{p}" xmlns:r="{r}"><p:sldIdLst>{ids}</p:sldIdLst>'
            "</p:presentation>",
            "ppt/_rels/presentation.xml.rels": f'<Relationships xmlns="{rel}">{relations}</Relationships>',
            "ppt/slides/slide1.xml": slide("Fristen", SENTENCE),
            "ppt/slides/slide2.xml": slide("Ausblick", "Nur Text."),
        }
    )


def make_odt() -> bytes:
    space = (
        'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
        'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
    )
    body = f'<text:h text:outline-level="1">Fristen</text:h><text:p>{SENTENCE}</text:p>'
    content = f"<office:document-content {space}><office:body><office:text>{body}</office:text></office:body></office:document-content>"
    return make_zip({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": content})


def make_epub() -> bytes:
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
    )
    book = (
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata/><manifest>'
        '<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="a"/></spine></package>'
    )
    doctype = '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">'
    page = f'{doctype}<html xmlns="http://www.w3.org/1999/xhtml"><body><h1>Fristen</h1><p>{SENTENCE}</p></body></html>'
    return make_zip(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": container,
            "OEBPS/book.opf": book,
            "OEBPS/a.xhtml": page,
        }
    )


def make_mail() -> bytes:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "Ada <ada@example.org>", "bob@example.org", "Fristen für Größen"
    mail["Date"] = "Tue, 31 Mar 2026 10:00:00 +0200"
    mail.set_content(SENTENCE)
    mail.add_attachment("Im Anhang steht Zermatt.", filename="anhang.txt")
    return mail.as_bytes()


HTML = (
    f"<html><head><title>T</title><style>p{{x:y}}</style></head><body><h1>Vertrag</h1><h2>Fristen</h2><p>{SENTENCE}</p>"
    "<script>alert(1)</script><table><tr><th>Ort</th><th>Preis</th></tr><tr><td>Bern</td><td>1234,56</td></tr></table>"
    '<p style="display:none">Geheimnis</p></body></html>'
)
RTF = r"{\rtf1\ansi{\fonttbl{\f0 Arial;}}\pard Die K\'fcndigungsfrist betr\u228?gt 30 Tage.\par Ende.\par}"

SAMPLES: dict[str, Callable[[], bytes]] = {
    "a.docx": make_docx,
    "a.pdf": lambda: make_pdf(["Vertrag", "", SENTENCE], ["Zweite Seite: ultimo."]),
    "a.xlsx": make_xlsx,
    "a.pptx": make_pptx,
    "a.odt": make_odt,
    "a.epub": make_epub,
    "a.eml": make_mail,
    "a.html": HTML.encode,
    "a.rtf": RTF.encode,
    "a.txt": SENTENCE.encode,
    "a.md": f"# Vertrag\n\n## Fristen\n\n{SENTENCE}\n\n```\nx = 1\n```\n".encode,
    "a.csv": f"Ort;Preis\nBern;1234,56\n{SENTENCE};2\n".encode,
}
PLAIN_ONLY = {"a.txt", "a.md", "a.csv"}
CASES = [
    (name, reader) for name in SAMPLES for reader in ("plain", "xberg") if reader == "plain" or name not in PLAIN_ONLY
]
WITH_SECTION = [case for case in CASES if case[0] in ("a.docx", "a.pptx", "a.odt", "a.epub", "a.html", "a.md")]

Results = dict[tuple[str, str], Extracted | ExtractionFailed]


@pytest.fixture(scope="module")
def results() -> Results:
    """All samples read once by each extractor; in worker processes, as in the product."""

    async def read() -> Results:
        found: Results = {}
        async with ExtractionPool(1, limits=Limits(cpu_s=60, wall_s=60)) as pool:
            for name, reader in CASES:
                try:
                    found[name, reader] = await pool.extract(SAMPLES[name](), name, only=reader)
                except ExtractionFailed as error:
                    found[name, reader] = error
        return found

    return asyncio.run(read())


def read(results: Results, name: str, reader: str) -> Extracted:
    found = results[name, reader]
    assert isinstance(found, Extracted), found
    return found


@pytest.mark.parametrize(("name", "reader"), CASES)
def test_sentence_is_found_in_nfc_with_a_block_around_it(results: Results, name: str, reader: str) -> None:
    found = read(results, name, reader)
    at = found.text.index(SENTENCE)
    assert any(block.start <= at and at + len(SENTENCE) <= block.end for block in found.blocks)
    assert unicodedata.is_normalized("NFC", found.text)
    assert found.extractor == reader


@pytest.mark.parametrize(("name", "reader"), CASES)
def test_blocks_are_in_order_and_cover_all_text(results: Results, name: str, reader: str) -> None:
    found = read(results, name, reader)
    position = 0
    for block in found.blocks:
        assert not found.text[position : block.start].strip()
        assert position <= block.start < block.end <= len(found.text)
        position = block.end
    assert not found.text[position:].strip()


@pytest.mark.parametrize(("name", "reader"), CASES)
def test_chunks_are_exact_slices(results: Results, name: str, reader: str) -> None:
    found = read(results, name, reader)
    for draft in chunk(found, max_chars=80, min_chars=20):
        assert found.text[draft.start : draft.end] == draft.text
        assert draft.page is None or (found.page_count is not None and 1 <= draft.page <= found.page_count)


@pytest.mark.parametrize(("name", "reader"), WITH_SECTION)
def test_sentence_stands_under_its_heading(results: Results, name: str, reader: str) -> None:
    found = read(results, name, reader)
    at = found.text.index(SENTENCE)
    block = next(block for block in found.blocks if block.start <= at < block.end)
    assert block.section[-1] == "Fristen"


@pytest.mark.parametrize("reader", ["plain", "xberg"])
@pytest.mark.parametrize("name", ["a.docx", "a.html"])
def test_table_keeps_its_header_and_values_as_written(results: Results, name: str, reader: str) -> None:
    found = read(results, name, reader)
    table = next(block for block in found.blocks if block.kind == "table")
    assert table.header == "| Ort | Preis |"
    assert "| Bern | 1234,56 |" in found.text
    assert found.tables[0].header == ("Ort", "Preis")
    assert found.tables[0].rows == 1


@pytest.mark.parametrize(("name", "reader"), [("a.csv", "plain"), ("a.xlsx", "plain"), ("a.xlsx", "xberg")])
def test_row_of_a_sheet_is_readable_alone(results: Results, name: str, reader: str) -> None:
    found = read(results, name, reader)
    assert "Ort: Bern; Preis: 1234" in found.text
    assert found.blocks[0].section == ((), ("Preise",))[name == "a.xlsx"]
    assert found.tables[0].header == ("Ort", "Preis")


@pytest.mark.parametrize("reader", ["plain", "xberg"])
def test_pdf_pages_have_exact_spans(results: Results, reader: str) -> None:
    found = read(results, "a.pdf", reader)
    assert found.page_count == 2
    first, second = found.pages
    assert SENTENCE in found.text[first.start : first.end]
    assert found.text[second.start : second.end] == "Zweite Seite: ultimo."
    assert [block.page for block in found.blocks][-1] == 2


@pytest.mark.parametrize("reader", ["plain", "xberg"])
def test_slides_are_pages(results: Results, reader: str) -> None:
    found = read(results, "a.pptx", reader)
    assert found.page_count == 2
    assert {block.page for block in found.blocks} == {1, 2}


def test_mail_shows_headers_body_and_attachment_as_section(results: Results) -> None:
    found = read(results, "a.eml", "plain")
    assert "From: Ada <ada@example.org>" in found.text
    assert "Date: Tue, 31 Mar 2026" in found.text
    attached = next(block for block in found.blocks if "Zermatt" in found.text[block.start : block.end])
    assert attached.section == ("Attachment: anhang.txt",)


@pytest.mark.parametrize("reader", ["plain", "xberg"])
def test_scripts_and_styles_are_not_text(results: Results, reader: str) -> None:
    found = read(results, "a.html", reader)
    assert "alert" not in found.text
    assert "x:y" not in found.text


def test_what_a_page_hides_is_not_text(results: Results) -> None:
    assert "Geheimnis" not in read(results, "a.html", "plain").text


def test_language_is_told(results: Results) -> None:
    assert read(results, "a.pdf", "plain").language == "de"
