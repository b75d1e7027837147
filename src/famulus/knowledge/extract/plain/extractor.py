"""The second extractor: one function per format, chosen by media type."""

from __future__ import annotations

from famulus.knowledge.extract.base import Extracted, Limits, failed
from famulus.knowledge.extract.builder import TextBuilder
from famulus.knowledge.extract.plain import delimited, docx, epub, html, mail, notebook, odf, pdf, pptx, rtf, text, xlsx
from famulus.knowledge.extract.sniff import (
    CODE,
    CSV,
    DOCX,
    EML,
    EPUB,
    HTML,
    MARKDOWN,
    NOTEBOOK,
    ODP,
    ODS,
    ODT,
    PDF,
    PPTX,
    RTF,
    TEXT,
    XLSX,
)  # fmt: skip

_STRUCTURED_TEXT = frozenset({
    "text/x-rst", "text/x-org", "application/x-latex", "application/json", "application/xml", "application/yaml",
    "application/toml", NOTEBOOK,
})  # fmt: skip
_SUPPORTED = _STRUCTURED_TEXT | {
    CODE, CSV, DOCX, EML, EPUB, HTML, MARKDOWN, NOTEBOOK, ODP, ODS, ODT, PDF, PPTX, RTF, TEXT, XLSX,
}  # fmt: skip


class PlainExtractor:
    """Standard library, defusedxml, lxml, pypdfium2. `read_inner` reads the attachments of a mail."""

    name = "plain"

    def __init__(self, limits: Limits | None = None, *, read_inner: mail.ReadInner | None = None) -> None:
        self._limits = limits or Limits()
        self._read_inner = read_inner or _no_attachments
        self._depth = 0

    def at_depth(self, depth: int) -> PlainExtractor:
        """The same extractor for a document that lies `depth` mails deep."""
        inner = PlainExtractor(self._limits, read_inner=self._read_inner)
        inner._depth = depth
        return inner

    def supports(self, media_type: str, name: str) -> bool:
        return media_type in _SUPPORTED

    def extract(self, data: bytes, name: str, media_type: str) -> Extracted:
        builder = TextBuilder(self._limits.text_chars)
        pages = self._fill(builder, data, name, media_type)
        return builder.build(media_type, self.name, page_count=pages)

    def _fill(self, builder: TextBuilder, data: bytes, name: str, media_type: str) -> int | None:
        if media_type == PDF:
            return pdf.add_pdf(builder, data, name)
        if media_type == PPTX:
            return pptx.add_pptx(builder, data, name)
        if media_type in (ODT, ODS, ODP):
            return odf.add_odf(builder, data, name, media_type)
        if media_type == EML:
            mail.add_mail(builder, data, self._depth, self._read_inner)
        elif media_type in (CSV, XLSX, DOCX, EPUB):
            named = {CSV: delimited.add_csv, XLSX: xlsx.add_xlsx, DOCX: docx.add_docx, EPUB: epub.add_epub}
            named[media_type](builder, data, name)
        elif media_type in (HTML, RTF, MARKDOWN, CODE, TEXT) or media_type in _STRUCTURED_TEXT:
            _add_textual(builder, data, media_type)
        else:
            raise failed("unsupported", f"{name!r} has the type {media_type}, which cannot be read as text.")
        return None


def _add_textual(builder: TextBuilder, data: bytes, media_type: str) -> None:
    if media_type == HTML:
        html.add_html(builder, data)
    elif media_type == RTF:
        rtf.add_rtf(builder, data)
    elif media_type == MARKDOWN:
        text.add_markdown_file(builder, data)
    elif media_type == NOTEBOOK:
        notebook.add_notebook(builder, data)
    elif media_type == CODE:
        text.add_code(builder, data)
    else:
        text.add_plain(builder, data)


def _no_attachments(data: bytes, name: str, depth: int) -> Extracted:
    raise failed("unsupported", f"{name!r} is an attachment, and attachments are not read here.")
