"""A part of an amount that is said in words (`the council pays a quarter of it`, `die Hälfte übernimmt die Firma`)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from famulus.models.providers.extractive.figures import (
    Calculation,
    Figure,
    figures_of,
    fraction,
    style_of,
    telling_terms,
)
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.periods import asked_period, converted_rate
from famulus.models.providers.extractive.pool import Pool, unique
from famulus.models.providers.extractive.terms import Bag
from famulus.text.numbers import show_number
from famulus.text.units import PER_YEAR

_PORTIONS: Final[tuple[tuple[str, tuple[int, int]], ...]] = (
    (r"three quarters|three-quarters|drei viertel|dreiviertel|drie kwart|driekwart|trois quarts", (3, 4)),
    (r"two thirds|two-thirds|zwei drittel|twee derde|deux tiers", (2, 3)),
    (r"a quarter|one quarter|ein viertel|einem viertel|een kwart|un quart|le quart", (1, 4)),
    (r"a third|one third|one-third|ein drittel|einem drittel|een derde|un tiers|le tiers", (1, 3)),
    (r"a fifth|one fifth|ein fünftel|een vijfde|un cinquième", (1, 5)),
    (r"half|die hälfte|zur hälfte|der hälfte|de helft|la moitié|moitié", (1, 2)),
)
# `half an hour`, `a quarter of a year` are spans of time.
_SPAN: Final = re.compile(
    r"\s?(?:an? |of an? |of the |past |pay\b|board\b|price\b|day\b|year\b|jahr|stunde|uur\b|jaar\b|d['’]heure)", re.IGNORECASE
)  # fmt: skip
_AROUND: Final = 60


def portion(pool: Pool) -> Calculation | None:
    """The part that a sentence which names what is asked for gives of the one amount in or beside it."""
    plan = pool.plan
    if not any(part.asking.wanted in ("money", "amount") for part in plan.parts) or plan.quantities:
        return None
    terms = telling_terms(plan)
    for pick in unique([item for first in pool.picks[:2] for item in (first, *pool.beside(first))]):
        said = None if pick.unit.cells else _said(pick.unit.text)
        if said is None:
            continue
        match, (above, below) = said
        clause = re.split(r"[,;:.]\s", pick.unit.text[max(0, match.start() - _AROUND) : match.start()])[-1]
        clause += re.split(r"[,;:.](?:\s|$)", pick.unit.text[match.start() : match.end() + _AROUND])[0]
        bag = Bag(clause, pick.unit.language)
        amount = next((found[0] for item in (pick, *pool.beside(pick)) if len(found := _amounts(item)) == 1), None)
        if amount is None or not any(bag.credit(term) >= 0.6 for term in terms):
            continue
        unit = amount.quantity.unit
        style = style_of(plan, [pick, amount.pick], unit)
        whole = _in_period(pool, amount, style) or (fraction(amount.value), show_number(amount.value, style))
        expression, shown = f"{whole[0]} * {above} / {below}", f"{whole[1]} × {above} / {below}"
        return Calculation(expression, shown, "rate", unit, unique([pick, amount.pick]), style=style)
    return None


def _in_period(pool: Pool, amount: Figure, style: str) -> tuple[str, str] | None:
    """A monthly amount for the year that is asked for, as expression and as people see it."""
    wanted = asked_period(pool.plan)
    per = next((per for per in amount.pers if per in PER_YEAR and per != "day"), None)
    return converted_rate(replace(amount.quantity, per=per), wanted, style) if wanted and per else None


def _said(text: str) -> tuple[re.Match[str], tuple[int, int]] | None:
    """The one part of this kind in the text."""
    found: list[tuple[re.Match[str], tuple[int, int]]] = []
    for said, value in _PORTIONS:
        for match in re.finditer(rf"\b(?:{said})\b", text, re.IGNORECASE):
            if not _SPAN.match(text, match.end()) and not any(
                match.start() < m.end() and m.start() < match.end() for m, _ in found
            ):
                found.append((match, value))
    return found[0] if len(found) == 1 else None


def _amounts(item: Scored) -> list[Figure]:
    return [figure for figure in figures_of(item) if figure.quantity.kind == "money"]
