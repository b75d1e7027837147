"""Excel workbooks by openpyxl's streaming reader: each sheet is a section, each row a line that carries its header."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time
from typing import Protocol, cast

from famulus.knowledge.extract.base import failed
from famulus.knowledge.extract.builder import TextBuilder
from famulus.knowledge.extract.tables import add_records


class _Cell(Protocol):
    value: object
    number_format: str


class _Sheet(Protocol):
    title: str

    def iter_rows(self) -> Iterable[Sequence[_Cell]]: ...


class _Workbook(Protocol):
    worksheets: Sequence[_Sheet]

    def close(self) -> None: ...


class _LoadWorkbook(Protocol):
    def __call__(self, filename: io.BytesIO, *, read_only: bool, data_only: bool, keep_links: bool) -> _Workbook: ...


def add_xlsx(builder: TextBuilder, data: bytes, name: str) -> None:
    """Values as they are stored (formulas by their last result); numbers without float noise, dates in ISO form."""
    workbook = _load(data, name)
    try:
        for sheet in workbook.worksheets:
            builder.start_root(sheet.title)
            add_records(builder, sheet.title, _rows(sheet))
        builder.start_root()
    finally:
        workbook.close()


def _load(data: bytes, name: str) -> _Workbook:
    # Imported here: openpyxl costs a second of start-up that other formats need not pay.
    import openpyxl

    load = cast("_LoadWorkbook", openpyxl.load_workbook)
    try:
        return load(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, AttributeError, OSError, IndexError) as error:
        message = f"{name!r} is not a readable workbook ({type(error).__name__}). Save it again as XLSX."
        raise failed("unreadable", message) from error


def _rows(sheet: _Sheet) -> Iterator[list[str]]:
    for row in sheet.iter_rows():
        values = [cell_text(cell) for cell in row]
        while values and not values[-1]:
            values.pop()
        yield values


def cell_text(cell: _Cell) -> str:
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return number_text(value, cell.number_format or "")
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time(0) else value.isoformat(" ", "minutes")
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value)


def number_text(value: int | float, shown_as: str) -> str:
    """15 significant digits, as the program itself keeps; percent formats as percent."""
    if "%" in shown_as and '"' not in shown_as:
        return f"{float(f'{value * 100:.12g}'):.12g}%"
    if isinstance(value, int):
        return str(value)
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.15g}"
