"""What is saved by a pack: so many at the single price less the price of the pack (`a ten-trip ticket at EUR 38`)."""

from __future__ import annotations

import re
from decimal import Decimal
from itertools import permutations
from typing import Final

from famulus.models.providers.extractive.figures import Calculation, Figure, figures_of, fraction, style_of
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.pool import SAVED, Pool, unique
from famulus.text.numbers import find_numbers, show_number

# What is sold as several at once, with the number before, within or behind it (`10er-Karte`, `carnet de dix`, `tienrittenkaart`).
_PACK: Final = re.compile(
    r"\b(?:\d+er[- ]?\w+|\w*(?:karte|kaart)|card|ticket|pass|pack(?:age)?|book|block|abo|carnet|carte|forfait|strippenkaart|bundle|set|paket|pakket)\b",
    re.IGNORECASE,
)
_NEAR: Final = 40


def pack_saving(pool: Pool) -> Calculation | None:
    """Number times single price, less the price of the pack; None where no pack of a number of them is told."""
    if not SAVED.search(pool.plan.question) or not pool.picks:
        return None
    lines = unique([item for pick in pool.picks[:2] for item in (pick, *pool.beside(pick))])
    money = [figure for item in lines for figure in figures_of(item) if figure.quantity.kind == "money"]
    for single, pack in permutations(money, 2):
        number = _number_in(pack.pick, pack) or _days_of_week(single, pack)
        if number is None or single.like != pack.like or _number_in(single.pick, single) is not None:
            continue
        if (saved := number * single.value - pack.value) > 0 and saved < pack.value:
            unit, sources = pack.quantity.unit, unique([single.pick, pack.pick])
            style = style_of(pool.plan, sources, unit)
            shown = [show_number(value, style) for value in (number, single.value, pack.value)]
            expression = f"{fraction(number)} * {fraction(single.value)} - {fraction(pack.value)}"
            return Calculation(
                expression, f"{shown[0]} × {shown[1]} - {shown[2]}", "difference", unit, sources, style=style
            )
    return None


def _days_of_week(single: Figure, pack: Figure) -> Decimal | None:
    """`EUR 14 a day or EUR 70 a week`."""
    return Decimal(7) if single.pers == ("day",) and pack.pers == ("week",) else None


def _number_in(item: Scored, pack: Figure) -> Decimal | None:
    """How many the pack holds whose price this is; None where the amount is that of no pack."""
    text, start = item.unit.text, pack.quantity.start
    before = re.split(r"[,;.]\s", text[max(0, start - _NEAR) : start])[-1]
    if not _PACK.search(before):
        return None
    numbers = [number.value for number in find_numbers(re.sub(r"(?<=\d)er\b", "", before), item.unit.language)]
    return next((value for value in numbers if 1 < value <= 100), None)
