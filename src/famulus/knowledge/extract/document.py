"""One document from bytes to text: sniff, guard, the best extractor, the other one, and an honest end.

This is what a worker process runs. It never says "done" with an empty or broken text.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath

from famulus.errors import ExtractionFailed
from famulus.knowledge.extract import guard
from famulus.knowledge.extract.base import Extracted, Extractor, Limits, Warning_, failed
from famulus.knowledge.extract.language import detect_language
from famulus.knowledge.extract.pdfium import Pdf
from famulus.knowledge.extract.plain.extractor import PlainExtractor
from famulus.knowledge.extract.sniff import BINARY, ENCRYPTED_OFFICE, OLE, PDF, RTF, ZIP, ZIP_TYPES, sniff
from famulus.knowledge.extract.xberg import XbergExtractor

# Measured per format (docs/decisions/extraction.md): everywhere else the plain one gave more or cleaner text.
_XBERG_FIRST = frozenset({PDF, RTF, "text/x-rst", "text/x-org", "application/x-latex"})
# No second opinion changes these.
_FINAL = frozenset({"encrypted", "too_complex", "too_large"})
_NEVER_TEXT = frozenset({".pdf", ".docx", ".xlsx", ".pptx", ".odt", ".epub"})
_MAX_DEPTH = 3
_MAX_LISTED_PAGES = 50


def read_document(
    data: bytes, name: str, claimed: str | None, limits: Limits, *, depth: int = 0, only: str | None = None
) -> Extracted:
    """The text of `data`. Raises `ExtractionFailed` with one of the documented codes.

    `only` names the one extractor to use (to compare them); attachments are then still read by the best.
    """
    if not data or not data.strip():
        raise failed("empty", f"{name!r} is empty. Upload the file again with its content.")
    if len(data) > limits.document_bytes:
        size = f"{limits.document_bytes >> 20} MB"
        raise failed("too_large", f"{name!r} is larger than {size}. Split it and upload the parts.")
    if depth > _MAX_DEPTH:
        raise failed("too_complex", f"{name!r} lies more than {_MAX_DEPTH} mails deep. Upload it on its own.")
    media_type = sniff(data, name, claimed)
    guard.check(data, media_type, name)
    _refuse_unreadable_types(media_type, name)
    readers = [reader for reader in extractors(limits, media_type, name, depth) if only in (None, reader.name)]
    return _finish(_first_that_reads(readers, data, name, media_type), data, name)


def extractors(limits: Limits, media_type: str, name: str, depth: int = 0) -> list[Extractor]:
    """Who can read this, best first."""

    def read_inner(data: bytes, name: str, depth: int) -> Extracted:
        return read_document(data, name, None, limits, depth=depth)

    plain = PlainExtractor(limits, read_inner=read_inner).at_depth(depth)
    both: list[Extractor] = [plain, XbergExtractor(limits)]
    if media_type in _XBERG_FIRST:
        both.reverse()
    return [extractor for extractor in both if extractor.supports(media_type, name)]


def _first_that_reads(readers: list[Extractor], data: bytes, name: str, media_type: str) -> Extracted:
    """The first extractor's text; when it fails or finds nothing, the next one's with a warning that says so."""
    failures: list[ExtractionFailed] = []
    blank: Extracted | None = None
    for extractor in readers:
        try:
            found = extractor.extract(data, name, media_type)
        except ExtractionFailed as error:
            if error.code in _FINAL:
                raise _named(error, name) from error
            failures.append(_named(error, name))
        except RecursionError:
            failures.append(failed("too_complex", f"{name!r} is nested too deeply. Save it again in a simpler form."))
        except MemoryError:
            raise
        except Exception as error:  # the border of one document: parsers fail in ways that nobody can list
            failures.append(failed("unreadable", f"{name!r} could not be read ({type(error).__name__})."))
        else:
            if found.text.strip():
                return _with_fallback_warning(found) if failures or blank is not None else found
            blank = blank or found
    if blank is not None:
        return blank
    raise failures[0] if failures else failed("unsupported", f"{name!r} ({media_type}) cannot be read as text.")


def _named(error: ExtractionFailed, name: str) -> ExtractionFailed:
    """Readers of parts do not know the document's name; the person who uploaded ten files needs it."""
    return error if repr(name) in str(error) else ExtractionFailed(f"{name!r}: {error}", code=error.code)


def _with_fallback_warning(found: Extracted) -> Extracted:
    message = "The usual reader could not read this document; the other one did. Check that nothing is missing."
    return replace(found, warnings=(Warning_("extractor_fallback", message), *found.warnings))


def _finish(found: Extracted, data: bytes, name: str) -> Extracted:
    if found.media_type == PDF:
        found = _with_page_warnings(found, data, name)
    if not found.text.strip():
        raise _nothing_found(found, data, name)
    if found.media_type.startswith("text/") and (ending := PurePosixPath(name).suffix.lower()) in _NEVER_TEXT:
        message = (
            f"The name ends in {ending}, but the file is plain text. Check that it is the right file and not damaged."
        )
        found = replace(found, warnings=(Warning_("type_mismatch", message), *found.warnings))
    return replace(found, language=detect_language(found.text))


def _nothing_found(found: Extracted, data: bytes, name: str) -> ExtractionFailed:
    pictured = (
        found.media_type == PDF and bool(found.page_count) and any(w.code == "page_unreadable" for w in found.warnings)
    )
    if pictured or (found.media_type in ZIP_TYPES and b"media/" in data):
        message = f"{name!r} holds pictures, but no text (a scan?). Make it searchable by OCR and upload it again."
        return failed("no_text", message)
    return failed("empty", f"{name!r} holds no text. Upload the file again with its content.")


def _with_page_warnings(found: Extracted, data: bytes, name: str) -> Extracted:
    """Pages on which something is drawn, but no text was found: most likely pictures of text."""
    silent = [span.page for span in found.pages if not found.text[span.start : span.end].strip()]
    if not silent:
        return found
    with Pdf(data, name) as pdf:
        silent = [page for page in silent if not pdf.is_blank(page)]
    message = "Page {} holds no text that can be read (a picture of text?). Questions about it cannot be answered."
    warnings = [Warning_("page_unreadable", message.format(page), page) for page in silent[:_MAX_LISTED_PAGES]]
    if len(silent) > _MAX_LISTED_PAGES:
        more = f"{len(silent) - _MAX_LISTED_PAGES} more pages hold no text that can be read."
        warnings.append(Warning_("page_unreadable", more))
    return replace(found, warnings=(*found.warnings, *warnings))


def _refuse_unreadable_types(media_type: str, name: str) -> None:
    if media_type == ENCRYPTED_OFFICE:
        raise failed("encrypted", f"{name!r} is protected with a password. Remove the password and upload it again.")
    if media_type.startswith("image/"):
        message = f"{name!r} is a picture; text in pictures is not read. Make a searchable PDF of it by OCR."
        raise failed("unsupported", message)
    if media_type in (
        ZIP,
        "application/gzip",
        "application/x-7z-compressed",
        "application/vnd.rar",
        "application/x-xz",
    ):
        raise failed("unsupported", f"{name!r} is an archive. Unpack it and upload the documents inside.")
    if media_type in (BINARY, OLE) or media_type.startswith(("application/x-exec", "application/vnd.sqlite")):
        message = f"{name!r} has a format that cannot be read as text. Save it as PDF, DOCX or text."
        raise failed("unsupported", message)
