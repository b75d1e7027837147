"""An amount divided: among those who share it (`split between 42 flats`), and the price of one of a row that gives number and total."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from famulus.models.providers.extractive.figures import (
    Calculation,
    Figure,
    closeness,
    figures_of,
    fraction,
    style_of,
    telling_terms,
)
from famulus.models.providers.extractive.pool import Pool, unique
from famulus.models.providers.extractive.rates import lacks_thing, multiplying
from famulus.models.providers.extractive.tables import NUMBER_HEADER, TOTAL_HEADER, UNIT_HEADER
from famulus.models.providers.extractive.terms import Bag, question_terms
from famulus.text.numbers import show_number

# `every flat`, `pro Wohnung`, `chaque lot`: the question wants the part of one.
_OF_EACH: Final = re.compile(
    r"\b(?:each|every|per|one|a single|jede[nrsm]?|je|pro|ein(?:e[nrms]?)? einzelne[nrsm]?|eine?[nrms]?|elke?|ieder|één|een|chaque|chacun|par|un(?:e)? seule?|une?)\b",
    re.IGNORECASE,
)
_SPLIT: Final = re.compile(
    r"\b(?:divided|split|shared|spread|distributed|apportioned|verteilt|aufgeteilt|umgelegt|geteilt|verteilen|verdeeld|omgeslagen|gedeeld|réparti\w*|divisé\w*|partagé\w*)\b.{0,40}?\b(?:among|between|over|across|by|auf|unter|durch|über|onder|door|entre|sur|par)\s",
    re.IGNORECASE,
)


def part_of_each(pool: Pool) -> Calculation | None:
    """The one amount of the best sentence, divided by the number among which it or its neighbour says it is split."""
    question = pool.plan.question
    if _gives_number(pool) or not (each := list(_OF_EACH.finditer(question))) or not pool.picks:
        return None
    pick = pool.picks[0]
    money = [figure for figure in figures_of(pick) if figure.quantity.kind == "money"]
    if pick.unit.cells or len(money) != 1:
        return None
    for item in (pick, *pool.beside(pick)):
        match = _SPLIT.search(item.unit.text)
        shares = [
            f for f in figures_of(item) if match and f.quantity.kind == "count" and f.quantity.start >= match.end()
        ]
        if not shares or shares[0].value <= 1:
            continue
        bag = Bag(item.unit.text[shares[0].quantity.end : shares[0].quantity.end + 40], item.unit.language)
        nouns = (question_terms(question[found.end() : found.end() + 30], pool.plan.language)[:1] for found in each)
        if any(bag.credit(term) >= 0.6 for terms in nouns for term in terms):
            return _quotient(pool, money[0], shares[0])
    return None


def price_of_one(pool: Pool) -> Calculation | None:
    """`quantity: 4; total: 2,196`: what one of them cost, where no column says it."""
    if _gives_number(pool) or not _OF_EACH.search(pool.plan.question) or not pool.picks:
        return None
    if not any(part.asking.wanted == "money" for part in pool.plan.parts):
        return None
    pick = pool.picks[0]
    figures = [figure for figure in figures_of(pick) if figure.column]
    money = [figure for figure in figures if figure.quantity.kind == "money"]
    numbers = [figure for figure in figures if NUMBER_HEADER.search(figure.column) and figure.value > 1]
    if len(money) != 1 or len(numbers) != 1 or lacks_thing(pick):
        return None
    column = money[0].column
    if not TOTAL_HEADER.search(column) or UNIT_HEADER.search(column) or TOTAL_HEADER.search(pool.plan.question):
        return None
    return _quotient(pool, money[0], numbers[0])


def price_of_one_unit(pool: Pool) -> Calculation | None:
    """`The course has twelve lessons of an hour and costs 156 euros`: what one hour costs, where no rate is told."""
    one = next((q for q in pool.plan.quantities if q.kind in ("time", "measure") and q.value == 1), None)
    if one is None or len(pool.plan.quantities) != 1 or not pool.picks or pool.picks[0].unit.cells:
        return None
    if not any(part.asking.wanted == "money" for part in pool.plan.parts):
        return None
    figures = figures_of(pool.picks[0])
    if any(figure.pers for figure in figures if figure.quantity.kind == "money") or lacks_thing(pool.picks[0]):
        return None
    pairs = [
        (number, amount)
        for number, amount in pairwise(figures)
        if number.quantity.unit == one.unit and number.value > 1 and amount.quantity.kind == "money"
    ]
    telling = telling_terms(pool.plan)
    best = max(pairs, key=lambda pair: closeness(pair[0], telling) + closeness(pair[1], telling), default=None)
    return None if best is None else _quotient(pool, best[1], best[0])


def _gives_number(pool: Pool) -> bool:
    """True where the question wants more than one, or something else than one of all."""
    return any(quantity.value != 1 for quantity in multiplying(pool.plan))


def _quotient(pool: Pool, amount: Figure, number: Figure) -> Calculation:
    unit, sources = amount.quantity.unit, unique([amount.pick, number.pick])
    style = style_of(pool.plan, sources, unit)
    shown = f"{show_number(amount.value, style)} / {show_number(number.value, style)}"
    return Calculation(
        f"{fraction(amount.value)} / {fraction(number.value)}", shown, "rate", unit, sources, style=style
    )
