"""Which units answer a question for a measure: a weight is in kilograms, a depth in metres, a speed in something an hour."""

from __future__ import annotations

import re
from typing import Final

from famulus.text.quantities import Quantity

_LENGTHS: Final = frozenset({"metre", "centimetre", "millimetre", "kilometre", "mile"})
_SPEEDS: Final = frozenset({"hour", "second"})
_DIMENSIONS: Final[tuple[tuple[re.Pattern[str], frozenset[str]], ...]] = tuple(
    (re.compile(rf"\b(?:{words})\b", re.IGNORECASE), units)
    for words, units in (
        (
            r"weights?|weigh(?:s|ed)?|heavy|heavier|(?:\w+)?gewicht|schwer|wiegt|wiegen|zwaar|zwaarder|weegt|wegen|poids|pèse(?:nt|r)?|lourde?s?",
            frozenset({"kilogram", "tonne", "gram"}),
        ),
        (r"temperature|(?:\w+)?temperatur|(?:\w+)?temperatuur|température", frozenset({"degree"})),
        (
            r"speed|how fast|(?:\w+)?geschwindigkeit|wie schnell|(?:\w+)?snelheid|hoe (?:hard|snel)|vitesse",
            _SPEEDS | {"knot"},
        ),
        (
            r"deep|depth|tall|height|wide|width|length|distance|how far|tief|(?:\w+)?tiefe|(?:\w+)?höhe|breit|(?:\w+)?breite|(?:\w+)?länge|(?:\w+)?entfernung|wie weit|"
            r"diep|diepte|(?:\w+)?hoogte|breed|breedte|(?:\w+)?lengte|afstand|hoe ver|profondeur|hauteur|largeur|longueur",
            _LENGTHS,
        ),
    )
)


def units_wanted(text: str) -> frozenset[str]:
    """The units in which the measure that is asked for may be given; empty when any will do."""
    return next((units for pattern, units in _DIMENSIONS if pattern.search(text)), frozenset[str]())


def is_of(quantity: Quantity, units: frozenset[str]) -> bool:
    """True for a quantity in one of these units, or, for a speed, a length per one of them."""
    if quantity.unit in _LENGTHS and quantity.per in _SPEEDS:
        return quantity.per in units
    return quantity.unit in units
