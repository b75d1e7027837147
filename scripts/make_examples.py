"""Writes the binary files of `examples/office` from the text in `examples/sources`; same input, same bytes.

The other files of the folder (Markdown, HTML, CSV, plain text) are written by hand and not touched. Needs the packages
of the `dev` extra. Usage: `python scripts/make_examples.py`.

The sources use four marks: `# ` title, `## ` heading, `| a | b |` table row, and every other line is one paragraph.
"""

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from html import escape
from pathlib import Path
from typing import Literal

from docx import Document
from openpyxl import Workbook
from openpyxl.styles import Font
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import cm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate, Paragraph, Spacer

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
SOURCES, OFFICE = EXAMPLES / "sources", EXAMPLES / "office"
ZIP_TIME = (2026, 1, 1, 0, 0, 0)
"""Timestamp of every archive member; a ZIP file otherwise carries the moment it was written."""
STAMP = "2026-01-01T00:00:00Z"


@dataclass(frozen=True)
class Block:
    """One piece of a source: a title, a heading, a paragraph or the cells of one table row."""

    kind: Literal["title", "heading", "text", "row"]
    text: str
    cells: tuple[str, ...] = ()


def blocks(name: str) -> list[Block]:
    """The pieces of `examples/sources/<name>` in order; blank lines are absent."""
    return [_block(line) for line in (SOURCES / name).read_text("utf-8").splitlines() if line.strip()]


def _block(line: str) -> Block:
    if line.startswith("# "):
        return Block("title", line[2:])
    if line.startswith("## "):
        return Block("heading", line[3:])
    if line.startswith("|"):
        cells = tuple(cell.strip() for cell in line.strip("| \n").split("|"))
        return Block("row", " ".join(cells), cells)
    return Block("text", line)


def tables(items: Iterable[Block]) -> Iterator[Block | list[Block]]:
    """The same pieces, with neighbouring table rows gathered into one list."""
    rows: list[Block] = []
    for item in items:
        if item.kind == "row":
            rows.append(item)
            continue
        if rows:
            yield rows
            rows = []
        yield item
    if rows:
        yield rows


def write_zip(path: Path, members: Iterable[tuple[str, bytes]], stored: frozenset[str] = frozenset()) -> None:
    """Writes the archive with fixed times; the members named in `stored` stay uncompressed."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members:
            info = zipfile.ZipInfo(name, ZIP_TIME)
            info.compress_type = zipfile.ZIP_STORED if name in stored else zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            archive.writestr(info, data)


def repack(path: Path, data: bytes) -> None:
    """Writes an Office archive again without the moment of saving."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [(name, archive.read(name)) for name in sorted(archive.namelist())]
    first = "[Content_Types].xml"
    members.sort(key=lambda member: member[0] != first)
    moment = re.compile(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*")
    write_zip(
        path, [(n, moment.sub(rb"\g<1>" + STAMP.encode(), d) if n == "docProps/core.xml" else d) for n, d in members]
    )


def make_docx(source: str, target: str, author: str) -> None:
    document = Document()
    document.core_properties.author = author
    for item in tables(blocks(source)):
        if isinstance(item, list):
            table = document.add_table(rows=0, cols=len(item[0].cells), style="Table Grid")
            for row in item:
                for cell, text in zip(table.add_row().cells, row.cells, strict=True):
                    cell.text = text
        elif item.kind == "text":
            document.add_paragraph(item.text)
        else:
            document.add_heading(item.text, level=0 if item.kind == "title" else 1)
            if item.kind == "title":
                document.core_properties.title = item.text
    buffer = io.BytesIO()
    document.save(buffer)
    repack(OFFICE / target, buffer.getvalue())


ODT_NAMES = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in [
        ("office", "office"),
        ("text", "text"),
        ("table", "table"),
        ("style", "style"),
        ("meta", "meta"),
    ]
)
ODT_TYPE = "application/vnd.oasis.opendocument.text"


def make_odt(source: str, target: str) -> None:
    body: list[str] = []
    for item in tables(blocks(source)):
        if isinstance(item, list):
            rows = [
                "".join(f"<table:table-cell><text:p>{escape(c)}</text:p></table:table-cell>" for c in r.cells)
                for r in item
            ]
            columns = f'<table:table-column table:number-columns-repeated="{len(item[0].cells)}"/>'
            body.append(
                f'<table:table table:name="Tabelle1">{columns}'
                + "".join(f"<table:table-row>{row}</table:table-row>" for row in rows)
                + "</table:table>"
            )
        elif item.kind == "text":
            body.append(f"<text:p>{escape(item.text)}</text:p>")
        else:
            level = 1 if item.kind == "title" else 2
            body.append(f'<text:h text:outline-level="{level}">{escape(item.text)}</text:h>')
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    content = f'{head}<office:document-content {ODT_NAMES} office:version="1.3"><office:body><office:text>{"".join(body)}</office:text></office:body></office:document-content>'
    styles = f'{head}<office:document-styles {ODT_NAMES} office:version="1.3"><office:styles/></office:document-styles>'
    entries = "".join(
        f'<manifest:file-entry manifest:full-path="{path}" manifest:media-type="{kind}"/>'
        for path, kind in [("/", ODT_TYPE), ("content.xml", "text/xml"), ("styles.xml", "text/xml")]
    )
    manifest = f'{head}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.3">{entries}</manifest:manifest>'
    members = [
        ("mimetype", ODT_TYPE),
        ("META-INF/manifest.xml", manifest),
        ("content.xml", content),
        ("styles.xml", styles),
    ]
    write_zip(OFFICE / target, [(n, d.encode()) for n, d in members], frozenset({"mimetype"}))


def make_pdf(source: str, target: str, columns: int, language: str) -> None:
    """Writes a PDF whose text runs down `columns` columns; the title stands above them on the first page."""
    size = 9.5 if columns == 2 else 10.5
    base = ParagraphStyle("base", fontName="Helvetica", fontSize=size, leading=size * 1.35, spaceAfter=5)
    heading = ParagraphStyle(
        "heading", base, fontName="Helvetica-Bold", fontSize=size + 2, spaceBefore=7, leading=size * 1.6, keepWithNext=1
    )
    items = blocks(source)
    title, rest = items[0].text, items[1:]
    width, height = A4
    margin, gap, top = 2 * cm, 0.8 * cm, 3.2 * cm
    column = (width - 2 * margin - gap * (columns - 1)) / columns
    frames = [
        Frame(
            margin + i * (column + gap),
            1.8 * cm,
            column,
            height - top - 1.8 * cm,
            id=f"c{i}",
            leftPadding=0,
            rightPadding=0,
        )
        for i in range(columns)
    ]

    def decorate(canvas: Canvas, document: BaseDocTemplate) -> None:
        canvas.setFont("Helvetica-Bold", 15 if document.page == 1 else 8)
        canvas.drawString(margin, height - 2.2 * cm, title)
        canvas.setFont("Helvetica", 8)
        canvas.drawRightString(width - margin, 1.1 * cm, str(document.page))

    story: list[Flowable] = []
    for item in rest:
        story.append(Paragraph(escape(item.text), heading if item.kind == "heading" else base))
    story.append(Spacer(1, 4))
    pdf = BaseDocTemplate(
        str(OFFICE / target), pagesize=A4, invariant=1, title=title, author="Halvenbrook AG", lang=language
    )
    pdf.addPageTemplates([PageTemplate(id="page", frames=frames, onPage=decorate)])
    pdf.build(story)


def _cell(text: str) -> str | int | float:
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            return text


def make_xlsx(sheets: dict[str, str], target: str) -> None:
    workbook = Workbook()
    for sheet in workbook.worksheets:
        workbook.remove(sheet)
    for title, source in sheets.items():
        sheet = workbook.create_sheet(title)
        with (SOURCES / source).open(encoding="utf-8", newline="") as file:
            for row in csv.reader(file):
                sheet.append([_cell(text) for text in row])
        for cell in sheet[1]:
            cell.font = Font(bold=True)
        sheet.column_dimensions["A"].width = 52
        sheet.freeze_panes = "A2"
    buffer = io.BytesIO()
    workbook.save(buffer)
    repack(OFFICE / target, buffer.getvalue())


def make_epub(source: str, target: str) -> None:
    """Writes an EPUB 3 with one file per chapter; what stands before the first heading becomes the title page."""
    items = blocks(source)
    chapters: list[list[Block]] = [[]]
    for item in items:
        if item.kind == "heading":
            chapters.append([])
        chapters[-1].append(item)
    title = items[0].text
    names = [f"chapter{i}.xhtml" for i in range(len(chapters))]
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    page = '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="en"><head><title>{}</title></head><body>{}</body></html>'
    tags = {"title": "h1", "heading": "h2", "text": "p", "row": "p"}
    pages = [
        head
        + page.format(escape(title), "".join(f"<{tags[b.kind]}>{escape(b.text)}</{tags[b.kind]}>" for b in chapter))
        for chapter in chapters
    ]
    links = "".join(f'<li><a href="{n}">{escape(c[0].text)}</a></li>' for n, c in zip(names, chapters, strict=True))
    toc = head + page.format("Contents", f'<nav epub:type="toc"><ol>{links}</ol></nav>')
    manifest = "".join(f'<item id="c{i}" href="{n}" media-type="application/xhtml+xml"/>' for i, n in enumerate(names))
    spine = "".join(f'<itemref idref="c{i}"/>' for i in range(len(names)))
    package = (
        f'{head}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">'
        f'<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">halvenbrook-{target}</dc:identifier>'
        f"<dc:title>{escape(title)}</dc:title><dc:language>en</dc:language><dc:creator>Urs Kälin</dc:creator>"
        f'<meta property="dcterms:modified">{STAMP}</meta></metadata>'
        f'<manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>{manifest}</manifest>'
        f"<spine>{spine}</spine></package>"
    )
    container = (
        f'{head}<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="OEBPS/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
    )
    members = [("mimetype", "application/epub+zip"), ("META-INF/container.xml", container)]
    members += [("OEBPS/package.opf", package), ("OEBPS/nav.xhtml", toc)]
    members += [(f"OEBPS/{name}", text) for name, text in zip(names, pages, strict=True)]
    write_zip(OFFICE / target, [(n, d.encode()) for n, d in members], frozenset({"mimetype"}))


def make_mail(body: str, attachment: str, target: str) -> None:
    """Writes a mail with a text attachment; the head stands at the top of `body` as `Name: value` lines."""
    head, text = (SOURCES / body).read_text("utf-8").split("\n\n", 1)
    mail = EmailMessage(policy=SMTP)
    for line in head.splitlines():
        name, value = line.split(": ", 1)
        mail[name] = value
    mail.set_content(text)
    mail.add_attachment((SOURCES / attachment).read_text("utf-8"), subtype="plain", filename=attachment)
    mail.set_boundary("=-halvenbrook-delivery")
    (OFFICE / target).write_bytes(mail.as_bytes())


def main() -> None:
    make_docx("lease-leeds.md", "lease-leeds.docx", "Aire Valley Estates Ltd")
    make_docx("onderhoudscontract.md", "onderhoudscontract.docx", "Lekstroom Techniek B.V.")
    make_odt("personalhandbuch.md", "personalhandbuch.odt")
    make_pdf("mietvertrag-lagerhalle.md", "mietvertrag-lagerhalle.pdf", 1, "de")
    make_pdf("technical-bulletin-07.md", "technical-bulletin-07.pdf", 2, "en")
    make_xlsx({"Equipment rental": "price-equipment.csv", "IT services": "price-it.csv"}, "price-list-2026.xlsx")
    make_epub("working-at-height.md", "working-at-height.epub")
    make_mail("delivery-delay.txt", "delivery-plan.txt", "delivery-delay.eml")


if __name__ == "__main__":
    main()
