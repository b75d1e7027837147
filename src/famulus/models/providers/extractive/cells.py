"""The figures of a row, with what their headers say of them (`Day rate EUR: 147` is 147 euros a day)."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import Final

from famulus.models.providers.extractive.terms import Bag
from famulus.models.providers.extractive.units import Unit
from famulus.models.providers.extractive.vocabulary import notions
from famulus.text.quantities import Quantity
from famulus.text.units import EVERY_WORDS, MEASURE_WORDS, MONEY_WORDS, TIME_WORDS


@lru_cache(maxsize=1)
def money_notions() -> frozenset[int]:
    """What is spoken of where prices are: price, rent, wage, refund, deposit …"""
    words_of_money = "price rent salary reimburse deposit surcharge discount budget allowance"
    return frozenset[int]().union(*(notions(word, "en") for word in words_of_money.split()))


def quantities_of(unit: Unit) -> tuple[Quantity, ...]:
    """The quantities of a unit; those of a row take currency and period from their header (`Day rate EUR: 147`)."""
    return _cell_quantities(unit) if unit.cells else unit.quantities


@lru_cache(maxsize=4_096)
def _cell_quantities(unit: Unit) -> tuple[Quantity, ...]:
    found: list[Quantity] = []
    for quantity in unit.quantities:
        cell = cell_at(unit, quantity.start)
        found.append(with_header(quantity, cell[0]) if cell is not None else quantity)
    return tuple(found)


def cell_at(unit: Unit, at: int) -> tuple[str, str] | None:
    """The (header, value) in whose value this character of the unit's text stands."""
    position = 0
    for header, value in unit.cells:
        written = f"{header}: {value}" if header else value
        begin = unit.text.find(written, position)
        if begin < 0:
            return None
        if begin <= at < begin + len(written):
            return (header, value) if at >= begin + len(written) - len(value) else None
        position = begin + len(written)
    return None


def with_header(quantity: Quantity, header: str) -> Quantity:
    names = [word.casefold() for word in re.findall(r"[^\W\d_]+²?|[€£$%]", header)]
    currency = next((MONEY_WORDS[name] for name in names if name in MONEY_WORDS), None)
    period = next(
        (EVERY_WORDS.get(name) or TIME_WORDS.get(name) for name in names if name in EVERY_WORDS or name in TIME_WORDS),
        None,
    )
    if quantity.per is None and (match := re.search(r"\b(?:per|pro|par)\s+(\w+)", header)):
        quantity = replace(quantity, per=TIME_WORDS.get(match.group(1).casefold(), match.group(1).casefold()))
    if not currency and quantity.kind == "count" and _is_price(header):
        return replace(quantity, kind="money", unit="", per=quantity.per or period)
    if currency and quantity.kind == "count":
        return replace(quantity, kind="money", unit=currency, per=quantity.per or period)
    measure = next((MEASURE_WORDS[name] for name in names if name in MEASURE_WORDS), None)
    if quantity.kind == "count" and measure and measure != "percent" and not re.search(r"\d", header):
        return replace(quantity, kind="measure", unit=measure)
    if quantity.kind == "money" and period and quantity.per is None:
        return replace(quantity, per=period)
    if quantity.kind == "count" and period and not currency:
        return replace(quantity, kind="time", unit=period)
    return quantity


@lru_cache(maxsize=1_024)
def _is_price(header: str) -> bool:
    """True for a column such as `Deposit` or `Per week`, whose currency the sheet says once or not at all."""
    return _PER_PERIOD.match(header) is not None or Bag(header, None).about(money_notions())


_PER_PERIOD: Final = re.compile(r"(?:per|pro|par) \w+$", re.IGNORECASE)
