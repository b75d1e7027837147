"""How much of what, and per what, in running text."""

from __future__ import annotations

import pytest

from famulus.text.quantities import find_quantities


@pytest.mark.parametrize(
    ("text", "language", "read"),
    [
        ("45p a mile for the first 10,000 miles", "en", [("0.45", "GBP", "mile"), ("10000", "mile", None)]),
        ("The film is in 1080p.", "en", [("1080", "p", None)]),
        ("£12 per square metre", "en", [("12", "GBP", "square metre")]),
        ("80 vierkante meter", "nl", [("80", "square metre", None)]),
        ("62 euro per strekkende meter", "nl", [("62", "EUR", "metre")]),
        ("12 euros le mètre carré", "fr", [("12", "EUR", "square metre")]),
        ("50 ct pro Seite", "de", [("0.5", "EUR", "seite")]),
        ("steigt von 85 auf 92 Euro", "de", [("85", "EUR", None), ("92", "EUR", None)]),
        ("between 5 and 8 per cent", "en", [("5", "percent", None), ("8", "percent", None)]),
        ("three chairs and 92 euros", "en", [("3", "chairs", None), ("92", "EUR", None)]),
    ],
)
def test_a_quantity_is_read_with_its_unit(text: str, language: str, read: list[tuple[str, str, str | None]]) -> None:
    found = find_quantities(text, language)
    assert [(f"{item.value.normalize():f}", item.unit, item.per) for item in found] == read
