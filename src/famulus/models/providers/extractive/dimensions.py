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
        (
            r"temperature|(?:\w+)?temperatur|(?:\w+)?temperatuur|température|how (?:warm|hot|cold)|wie (?:warm|heiss|heiß|kalt)|hoe (?:warm|heet|koud)",
            frozenset({"degree"}),
        ),
        (
            r"loud|noisy|noise level|laut|lautstärke|luid|geluidsniveau|bruyante?s?|niveau sonore",
            frozenset({"decibel"}),
        ),
        (
            r"speed|how fast|(?:\w+)?geschwindigkeit|wie schnell|(?:\w+)?snelheid|hoe (?:hard|snel)|vitesse",
            _SPEEDS | {"knot"},
        ),
        # Ten minutes on foot are a distance too.
        (r"how far|wie weit|hoe ver|à quelle distance", _LENGTHS | {"minute", "hour"}),
        (
            r"deep|depth|tall|height|wide|width|length|distance|tief|(?:\w+)?tiefe|(?:\w+)?höhe|breit|(?:\w+)?breite|(?:\w+)?länge|(?:\w+)?entfernung|"
            r"diep|diepte|(?:\w+)?hoogte|breed|breedte|(?:\w+)?lengte|afstand|profondeur|hauteur|largeur|longueur",
            _LENGTHS,
        ),
    )
)


def units_wanted(text: str) -> frozenset[str]:
    """The units in which the measure that is asked for may be given; empty when any will do."""
    return next((units for pattern, units in _DIMENSIONS if pattern.search(text)), frozenset[str]())


# Lengths in different directions: what is said of one is no answer to another.
_DIRECTIONS: Final = tuple(
    re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for words in (
        r"deep|depth|tief|\w*tiefe|diep|\w*diepte|profonde?s?|profondeur",
        r"wide|width|breit|\w*breite|breed|\w*breedte|larges?|largeur",
        r"long|length|lang|\w*länge|\w*lengte|longs?|longue|longueur",
        r"high|tall|height|hoch|\w*höhe|hoog|\w*hoogte|hautes?|hauts?|hauteur",
    )
)


def of_another_direction(text: str, quantity: Quantity, asked: str) -> bool:
    """True for `25 metres long` where it is asked how deep something is."""
    wanted = [pattern for pattern in _DIRECTIONS if pattern.search(asked)]
    after = re.split(r"[,;.]|\s(?:and|und|en|et)\s", text[quantity.end : quantity.end + 14])[0]
    said = [pattern for pattern in _DIRECTIONS if pattern.search(after)]
    return len(wanted) == 1 and bool(said) and wanted[0] not in said


def is_of(quantity: Quantity, units: frozenset[str]) -> bool:
    """True for a quantity in one of these units, or, for a speed, a length per one of them."""
    if quantity.unit in _LENGTHS and quantity.per in _SPEEDS:
        return quantity.per in units
    return quantity.unit in units
