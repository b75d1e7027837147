"""The few things that we ask pypdfium2 for, typed: open, pages, characters, rectangles. Nothing else imports it."""

from __future__ import annotations

import importlib
from collections.abc import Generator
from contextlib import contextmanager
from ctypes import byref, c_double, c_int
from types import TracebackType
from typing import Any, Protocol, cast

from famulus.knowledge.extract.base import Rect, failed

_SCALE = 1_000_000


class _TextPage(Protocol):
    raw: object

    def get_text_bounded(self) -> str: ...
    def count_chars(self) -> int: ...
    def close(self) -> None: ...


class _Page(Protocol):
    raw: object

    def get_textpage(self) -> _TextPage: ...
    def close(self) -> None: ...


class _Document(Protocol):
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> _Page: ...
    def close(self) -> None: ...


class Pdf:
    """An open PDF. Pages count from 1. Use as a context manager."""

    def __init__(self, data: bytes, name: str) -> None:
        # Imported here: the worker reads many files that are not PDF.
        library = cast("Any", importlib.import_module("pypdfium2"))
        try:
            self._document = cast("_Document", library.PdfDocument(data))
        except Exception as error:  # the library has one error class for all reasons; the reason stands in its text
            raise _reason(str(error), name) from error

    def __enter__(self) -> Pdf:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._document.close()

    @property
    def page_count(self) -> int:
        return len(self._document)

    def text(self, number: int) -> str:
        """The page's text in the order of its content stream; '' for a page that cannot be read."""
        try:
            with self._text_page(number) as (_, text_page):
                return text_page.get_text_bounded()
        except Exception:  # a damaged page is empty, the others still count
            return ""

    def is_blank(self, number: int) -> bool:
        """True when nothing at all is drawn on the page (an empty back side, not a scan)."""
        try:
            page = self._document[number - 1]
        except Exception:  # a damaged page is not known to be blank
            return False
        try:
            return int(_raw().FPDFPage_CountObjects(page.raw)) == 0
        finally:
            page.close()

    def characters(self, number: int) -> list[str]:
        """One entry per character index of the engine, so that indexes can be given back to `rectangles`."""
        unicode_at = _raw().FPDFText_GetUnicode
        with self._text_page(number) as (_, text_page):
            return [chr(int(unicode_at(text_page.raw, index)) or 0x20) for index in range(text_page.count_chars())]

    def rectangles(self, number: int, start: int, count: int) -> list[Rect]:
        """Rectangles that cover the characters, one per line, in page-relative coordinates as shown (rotation applied)."""
        raw = _raw()
        with self._text_page(number) as (page, text_page):
            found: list[Rect] = []
            for index in range(int(raw.FPDFText_CountRects(text_page.raw, start, count))):
                left, top, right, bottom = c_double(), c_double(), c_double(), c_double()
                if raw.FPDFText_GetRect(text_page.raw, index, byref(left), byref(top), byref(right), byref(bottom)):
                    found.append(_shown(raw, page, (left.value, top.value), (right.value, bottom.value)))
            return found

    @contextmanager
    def _text_page(self, number: int) -> Generator[tuple[_Page, _TextPage]]:
        page = self._document[number - 1]
        try:
            text_page = page.get_textpage()
            try:
                yield page, text_page
            finally:
                text_page.close()
        finally:
            page.close()


def _raw() -> Any:
    """The C functions themselves, for what the Python layer does not offer."""
    return cast("Any", importlib.import_module("pypdfium2.raw"))


def _shown(raw: Any, page: _Page, first: tuple[float, float], second: tuple[float, float]) -> Rect:
    points: list[tuple[float, float]] = []
    for x, y in (first, second):
        device_x, device_y = c_int(), c_int()
        raw.FPDF_PageToDevice(page.raw, 0, 0, _SCALE, _SCALE, 0, x, y, byref(device_x), byref(device_y))
        points.append((_unit(device_x.value), _unit(device_y.value)))
    (x1, y1), (x2, y2) = points
    return Rect(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))


def _unit(value: int) -> float:
    return min(1.0, max(0.0, value / _SCALE))


def _reason(text: str, name: str) -> Exception:
    if "password" in text.lower():
        return failed("encrypted", f"{name!r} is protected with a password. Remove the password and upload it again.")
    return failed("unreadable", f"{name!r} is not a readable PDF. Open it and save it again as PDF.")
