"""Values of sheets: numbers without noise, dates and percents as a reader of the sheet sees them."""

from __future__ import annotations

import datetime
import io

import openpyxl
import pytest

from famulus.knowledge.extract.base import Extracted, Limits
from famulus.knowledge.extract.document import read_document
from famulus.knowledge.extract.plain.xlsx import format_kind, number_text


def read(*sheets: tuple[str, list[list[object]]], formats: dict[str, str] | None = None) -> Extracted:
    book = openpyxl.Workbook()
    del book["Sheet"]
    for title, rows in sheets:
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
        for place, code in (formats or {}).items():
            sheet[place].number_format = code
    out = io.BytesIO()
    book.save(out)
    return read_document(out.getvalue(), "a.xlsx", None, Limits())


def test_values_read_as_the_sheet_shows_them() -> None:
    moment = datetime.datetime(2026, 3, 31, 14, 5)  # noqa: DTZ001
    row = [datetime.date(2026, 3, 31), moment, datetime.time(8, 30), 0.125, True, 0.1 + 0.2, 7, "x\ny"]
    header = ["date", "moment", "time", "share", "yes", "sum", "count", "note"]
    found = read(("S", [header, row]), formats={"D2": "0.0%"})
    assert found.text == (
        "date: 2026-03-31; moment: 2026-03-31 14:05; time: 08:30; share: 12.5%; yes: TRUE; sum: 0.3; count: 7; note: x y"
    )


def test_each_sheet_is_a_section_and_a_table() -> None:
    found = read(
        ("Preise", [["Ort", "Preis"], ["Bern", 1]]), ("Leer", []), ("Mengen", [["Ort", "Menge"], ["Basel", 2]])
    )
    assert [block.section for block in found.blocks] == [("Preise",), ("Mengen",)]
    assert [(table.name, table.header, table.rows) for table in found.tables] == [
        ("Preise", ("Ort", "Preis"), 1),
        ("Mengen", ("Ort", "Menge"), 1),
    ]


def test_title_above_the_header_is_text() -> None:
    found = read(("S", [["Preisliste 2026"], [], ["Ort", "Preis"], ["Bern", 5], [None, 6]]))
    assert found.text == "Preisliste 2026\n\nOrt: Bern; Preis: 5\nPreis: 6"


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("dd.mm.yyyy", "date"), ('[$-409]d\\-mmm;@', "date"), ("hh:mm", "time"), ("[h]:mm", "time"), ("0.0%", "percent"),
        ('#,##0.00 "days"', "number"), ("[Red]0.00", "number"), ("General", "number"), ("0.00E+00", "number"),
    ],
)  # fmt: skip
def test_kind_of_a_number_format(code: str, kind: str) -> None:
    assert format_kind(164, code) == kind


@pytest.mark.parametrize(
    ("stored", "shown_as", "text"),
    [
        ("0.30000000000000004", "number", "0.3"),
        ("46112", "date", "2026-03-31"),
        ("0.07", "percent", "7%"),
        ("x", "number", "x"),
    ],
)
def test_number_text(stored: str, shown_as: str, text: str) -> None:
    assert number_text(stored, shown_as) == text
