"""Fees in steps: `45 pence for the first 10,000 miles and 25 pence beyond`, `up to 10 kg £5.95, every further kilogram 45 pence`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from famulus.models.providers.extractive.figures import Calculation, Figure, figures_of, fraction, style_of
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.pool import Pool, unique
from famulus.models.providers.extractive.rates import EACH, counted_terms, fits, multiplying
from famulus.models.providers.extractive.terms import Bag
from famulus.text.fold import key
from famulus.text.numbers import show_number
from famulus.text.quantities import Quantity, unit_name
from famulus.text.stem import stems

_BEYOND: Final = re.compile(
    r"\b(?:beyond|above|exceeding|in excess|further|additional|extra|thereafter|afterwards|after that|over|subsequent|each following|more than|excess|"
    r"weitere[nrsm]?|zusätzliche[nrsm]?|darüber|danach|jenseits|über|mehr als|ab de[mr]|folgende[nrsm]?|"
    r"bijkomende?|extra|daarboven|daarna|boven|verdere?|meer|volgende?|supplémentaires?|au-delà|ensuite|suivante?s?|en plus|additionnel(?:le)?s?)\b",
    re.IGNORECASE,
)
_EXTRA_ASKED: Final = re.compile(
    r"\b(?:too many|too much|extra|additional|further|over the|above the|beyond the|in excess|excess|zu viel|zu viele|zusätzliche[nrsm]?|weitere[nrsm]?|mehr als|über de[mnr]|te veel|extra|bijkomende?|boven|"
    r"de trop|en trop|supplémentaires?|en plus|au-delà)\b",
    re.IGNORECASE,
)
_FREE: Final = re.compile(
    r"\b(?:free|included|includes?|no charge|without charge|kostenlos|gratis|frei|inbegriffen|ohne berechnung|enthalten|inklusive|inbegrepen|kosteloos|gratuite?s?|gratuitement|compris(?:es?)?|inclus(?:es?)?|forfait|allowance|sans frais)\b",
    re.IGNORECASE,
)
_EACH_OF_FIRST: Final = re.compile(
    r"\W{0,2}(?:for )?(?:each|every one) of the first|\W{0,2}(?:für )?jede[srn]? der ersten|\W{0,2}(?:voor )?elk(?:e)? van de eerste|\W{0,2}(?:pour )?chacune? des",
    re.IGNORECASE,
)
_FIRST_ONE: Final = re.compile(r"\b(?:first|erste[nrsm]?|eerste|premi(?:er|ère))\s+(?P<unit>[^\W\d_]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Step:
    """Up to `top` units a fixed `price`, or `price` per unit when `rated`; None for what is free."""

    top: Decimal
    price: Decimal = Decimal(0)
    rated: bool = False


def stepped_fee(pool: Pool) -> Calculation | None:
    """The fee for the quantity of the question, where one sentence, or two in a row, name the steps."""
    wanted = {part.asking.wanted for part in pool.plan.parts}
    if not wanted & {"money", "amount"}:
        return None
    for pick in pool.all[:4]:
        for group in _groups(pool, pick):
            for asked in multiplying(pool.plan):
                if found := _fee(pool, group, asked):
                    return found
        if fits(pool, pick, multiplying(pool.plan), 0):
            # A plain rate that fits and ranks before them.
            return None
    return None


def _groups(pool: Pool, pick: Scored) -> list[list[Scored]]:
    """The sentence alone, then with the one before or after it."""
    if pick.unit.cells:
        return []
    beside = [
        other
        for other in pool.ranked
        if other.seen.n == pick.seen.n
        and other.unit.block == pick.unit.block
        and abs(other.unit.place - pick.unit.place) == 1
    ]
    pairs = [sorted([pick, other], key=lambda item: item.unit.place) for other in beside]
    prices = [quantity for quantity in pick.unit.quantities if quantity.kind == "money"]
    # One price beyond a limit and no word that it is free below: the price below may stand in the sentence before.
    alone = len(prices) == 1 and _BEYOND.search(pick.unit.text) and not _FREE.search(pick.unit.text)
    return [*pairs, [pick]] if alone else [[pick], *pairs]


def _fee(pool: Pool, group: Sequence[Scored], asked: Quantity) -> Calculation | None:
    steps: list[Step] = []
    beyond: Figure | None = None
    unit = ""
    for pick in group:
        figures = list(figures_of(pick))
        tops = [
            figure
            for figure in figures
            if figure.quantity.kind != "money" and _same_unit(pool, pick.unit.text, figure.quantity, asked)
        ]
        prices = [figure for figure in figures if figure.quantity.kind == "money"]
        clauses = _clauses(pick.unit.text, prices)
        for price, clause in zip(prices, clauses, strict=True):
            rated = any(_is_unit(pool, per, asked) for per in price.pers) or (
                asked.kind == "count" and EACH.match(pick.unit.text[price.quantity.end :]) is not None
            )
            rated = rated or _EACH_OF_FIRST.match(pick.unit.text[price.quantity.end :]) is not None
            inside = [top for top in tops if clause[0] <= top.quantity.start < clause[1]]
            text = pick.unit.text[clause[0] : clause[1]]
            unit = unit or price.quantity.unit
            if price.quantity.unit != unit:
                return None
            if (
                _BEYOND.search(text)
                and (rated or _names_unit(text, asked))
                and (steps or inside or len(group) > 1 or tops)
            ):
                if len(group) > 1 and len(prices) > 1:
                    return None
                if not steps and inside:
                    steps.append(Step(inside[0].value))
                beyond = price
            elif inside:
                steps.append(Step(inside[-1].value, price.value, rated))
            elif (first := _FIRST_ONE.search(text)) and unit_name(first["unit"]) == asked.unit:
                steps.append(Step(Decimal(1), price.value))
            elif steps and beyond is None and not rated:
                return None
            elif rated and beyond is None:
                steps.append(Step(Decimal("Infinity"), price.value, True))
        free = [top for top in tops if not any(start <= top.quantity.start < end for start, end in clauses)]
        if free and (_FREE.search(pick.unit.text) or not prices) and not steps:
            steps.append(Step(free[0].value))
    if beyond is None:
        return None
    steps = _closed(steps, group, asked, pool)
    if not steps:
        return None
    if _EXTRA_ASKED.search(pool.plan.question):
        parts = [(beyond.value, asked.value, Decimal(0))]
        return _written(pool, group, unit, parts)
    return _added(pool, group, unit, steps, beyond, asked)


def _closed(steps: list[Step], group: Sequence[Scored], asked: Quantity, pool: Pool) -> list[Step]:
    """A rate whose end stands only in the clause of the next one (`45 pence; above 10,000 miles 25 pence`) ends there."""
    found = sorted(steps, key=lambda step: step.top)
    if found and found[-1].top == Decimal("Infinity"):
        tops = [
            q.value
            for pick in group
            for q in pick.unit.quantities
            if q.kind != "money" and _same_unit(pool, pick.unit.text, q, asked)
        ]
        return [*found[:-1], Step(max(tops), found[-1].price, found[-1].rated)] if tops else []
    return found


def _added(
    pool: Pool, group: Sequence[Scored], unit: str, steps: Sequence[Step], beyond: Figure, asked: Quantity
) -> Calculation | None:
    if any(asked.value <= step.top for step in steps):
        step = next(step for step in steps if asked.value <= step.top)
        # Within a fixed step the sentence itself is the answer.
        return _written(pool, group, unit, [(step.price, asked.value, Decimal(0))]) if step.rated else None
    parts: list[tuple[Decimal, Decimal, Decimal]] = []
    last = steps[-1]
    if last.rated:
        below = Decimal(0)
        for step in steps:
            parts.append((step.price, step.top, below))
            below = step.top
    elif last.price:
        parts.append((last.price, Decimal(1), Decimal(0)))
    return _written(pool, group, unit, [*parts, (beyond.value, asked.value, last.top)])


def _written(
    pool: Pool, group: Sequence[Scored], unit: str, parts: Sequence[tuple[Decimal, Decimal, Decimal]]
) -> Calculation:
    """Price times (top minus bottom) of each step, added."""
    style = style_of(pool.plan, group, unit)

    def said(price: Decimal, top: Decimal, bottom: Decimal, *, tool: bool) -> str:
        def show(value: Decimal) -> str:
            return fraction(value) if tool else show_number(value, style)

        times = " * " if tool else " × "
        if bottom:
            return f"{show(price)}{times}({show(top)} - {show(bottom)})"
        return show(price) if top == 1 else f"{show(price)}{times}{show(top)}"

    expression = " + ".join(said(*part, tool=True) for part in parts)
    shown = " + ".join(said(*part, tool=False) for part in parts)
    return Calculation(expression, shown, "rate", unit, unique(group), style=style)


def _clauses(text: str, prices: Sequence[Figure]) -> list[tuple[int, int]]:
    """For each price the stretch of text that speaks of it: between the joints (`;`, `,`, `and`) around it."""
    joints = [
        0,
        *(match.end() for match in re.finditer(r"[;,]\s|\s(?:and|und|en|et|then|dann|dan|puis)\s(?=\D{0,30}\d)", text)),
        len(text),
    ]
    found: list[tuple[int, int]] = []
    for number, price in enumerate(prices):
        start = max(joint for joint in joints if joint <= price.quantity.start)
        end = min((joint for joint in joints if joint >= price.quantity.end), default=len(text))
        if number + 1 == len(prices):
            end = len(text) if not any(joint < len(text) and joint >= price.quantity.end for joint in joints) else end
        found.append((start, end))
    return found


def _same_unit(pool: Pool, text: str, quantity: Quantity, asked: Quantity) -> bool:
    if quantity.per and quantity.per not in ("year", "month", "week", "day"):
        return False
    if asked.kind in ("time", "measure"):
        return quantity.kind == asked.kind and quantity.unit == asked.unit
    after = re.findall(r"[^\W\d_]+", text[quantity.end : quantity.end + 40])[:3]
    return quantity.kind == "count" and any(
        set(stems(key(word))) & set(stems(term.key)) for term in counted_terms(pool.plan, asked) for word in after
    )


def _is_unit(pool: Pool, per: str, asked: Quantity) -> bool:
    if asked.kind in ("time", "measure"):
        return per == asked.unit
    return any(Bag(per).credit(term) >= 0.85 for term in counted_terms(pool.plan, asked))


def _names_unit(text: str, asked: Quantity) -> bool:
    return (
        any(unit_name(word) == asked.unit for word in re.findall(r"[^\W\d_]+", text))
        if asked.kind != "count"
        else False
    )
