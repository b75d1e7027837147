"""Two figures put together: their sum, their difference, which is more."""

from __future__ import annotations

import re
from collections.abc import Sequence

from famulus.models.providers.extractive.calculation import Calculation, best_column, cite, nearness, shown_unit
from famulus.models.providers.extractive.holds import cell_at, quantities_of
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.periods import asked_period, converted_rate, fraction
from famulus.models.providers.extractive.phrases import say
from famulus.models.providers.extractive.plan import Plan
from famulus.models.providers.extractive.select import Chosen
from famulus.models.providers.extractive.terms import Bag
from famulus.text.numbers import show_number
from famulus.text.quantities import Quantity
from famulus.text.units import PER_YEAR

# --- sum and difference


def total(plan: Plan, picks: Sequence[Scored]) -> Calculation | None:
    """Two or more amounts of one currency, each brought to the period that is asked for (or to that of the first)."""
    amounts: list[tuple[Quantity, Scored]] = []
    for pick in picks:
        best = _main_amount(
            plan, pick, {quantity.kind for quantity, _ in amounts}, {quantity.unit for quantity, _ in amounts}
        )
        if best is not None and not any(best == other for other, _ in amounts):
            amounts.append((best, pick))
    if len(picks) == 1 and len(amounts) == 1:
        more = [
            quantity
            for quantity in quantities_of(picks[0].unit)
            if (quantity.kind, quantity.unit) == (amounts[0][0].kind, amounts[0][0].unit)
        ]
        amounts = [(quantity, picks[0]) for quantity in more]
    amounts = amounts[:2]
    if len(amounts) < 2:
        return None
    period = asked_period(plan) or next((quantity.per for quantity, _ in amounts if quantity.per in PER_YEAR), None)
    expressions: list[str] = []
    shown: list[str] = []
    for quantity, _ in amounts:
        converted = converted_rate(quantity, period, plan.language) if period and quantity.per in PER_YEAR else None
        expressions.append(converted[0] if converted else fraction(quantity.value))
        shown.append(converted[1] if converted else show_number(quantity.value, plan.language))
    return Calculation(
        " + ".join(expressions),
        " + ".join(shown),
        "total",
        shown_unit(amounts[0][0]),
        cite(*(pick for _, pick in amounts)),
    )


def _main_amount(plan: Plan, pick: Scored, kinds: set[str], units: set[str]) -> Quantity | None:
    order = ("money", "measure", "time", "percent", "count")
    found = sorted(
        (quantity for quantity in quantities_of(pick.unit) if quantity.kind in order),
        key=lambda quantity: order.index(quantity.kind),
    )
    if kinds:
        found = [
            quantity
            for quantity in found
            if quantity.kind in kinds and (quantity.unit in units or quantity.kind == "count")
        ]
    wanted = {part.asking.wanted for part in plan.parts}
    if "money" in wanted:
        found = [quantity for quantity in found if quantity.kind == "money"] or []
    if pick.unit.cells and len(found) > 1 and (named := best_column(plan, pick, found)) is not None:
        return named
    period = asked_period(plan)
    same = [quantity for quantity in found if quantity.per == period] if period else []
    return next(iter(same or found), None)


def difference(plan: Plan, picks: Sequence[Scored]) -> Calculation | None:
    pair = compared_values(plan, picks)
    if pair is None:
        return None
    (a, first), (b, second) = pair
    high, low = (a, b) if a.value >= b.value else (b, a)
    return Calculation(
        f"{fraction(high.value)} - {fraction(low.value)}",
        f"{show_number(high.value, plan.language)} - {show_number(low.value, plan.language)}",
        "difference",
        shown_unit(high),
        cite(first, second),
    )


def compared_values(
    plan: Plan, picks: Sequence[Scored]
) -> tuple[tuple[Quantity, Scored], tuple[Quantity, Scored]] | None:
    """The figure of each side: in two units the one that stands for the same thing, in one unit those next to each side's words."""
    if len(plan.alternatives) != 2 or not picks:
        return None
    sides: list[tuple[Quantity, Scored]] = []
    for side in plan.alternatives:
        best: tuple[float, Quantity, Scored] | None = None
        for pick in picks[:3]:
            if sum(pick.credits.get(term.key, 0.0) for term in side) <= 0:
                continue
            for quantity in _comparable(plan, pick):
                strength = nearness(pick, quantity, side)
                if best is None or strength > best[0]:
                    best = (strength, quantity, pick)
        if best is None:
            return None
        sides.append((best[1], best[2]))
    first, second = sides
    if (first[0].kind, first[0].unit) != (second[0].kind, second[0].unit) or (
        first[0] == second[0] and first[1] is second[1]
    ):
        return None
    return first, second


def _comparable(plan: Plan, pick: Scored) -> list[Quantity]:
    asked = {quantity.value for quantity in plan.quantities}
    found = [
        quantity
        for quantity in quantities_of(pick.unit)
        if quantity.kind in ("money", "measure", "time", "percent", "count")
    ]
    if pick.unit.cells:
        # In a row the column tells which figure is meant: the one whose header the question names.
        rated = [
            (sum(Bag(header, pick.unit.language).credit(term) for term in plan.terms), header)
            for header, value in pick.unit.cells[1:]
            if re.search(r"\d", value)
        ]
        best = max(rated, default=(0.0, ""), key=lambda item: item[0])[1]
        found = [quantity for quantity in found if (cell_at(pick.unit, quantity.start) or ("", ""))[0] == best]
    return [quantity for quantity in found if quantity.value not in asked]


def comparison_line(plan: Plan, choices: Sequence[Chosen]) -> str | None:
    """Which side has the higher figure, where both figures are plain; None where that cannot be told."""
    if plan.operation != "compare":
        return None
    pair = compared_values(plan, [pick for choice in choices for pick in choice.picks])
    if pair is None:
        return None
    (a, one), (b, two) = pair
    marks = "".join(f"[{n}]" for n in cite(one, two))
    if a.value == b.value:
        return f"{say('equal', plan.language, value=_figure(a, one))} {marks}"
    higher, lower = ((a, one), (b, two)) if a.value > b.value else ((b, two), (a, one))
    return f"{say('more', plan.language, value=_figure(*higher), other=_figure(*lower))} {marks}"


def _figure(quantity: Quantity, pick: Scored) -> str:
    """The figure as its unit writes it; of a row with its label and its column."""
    if pick.unit.cells:
        cell = cell_at(pick.unit, quantity.start) or ("", pick.unit.text[quantity.start : quantity.end])
        return f"{cell[0]} {cell[1]} ({pick.unit.label})".strip()
    start = quantity.start
    before = re.search(r"\b[A-Z]{3}\s$", pick.unit.text[:start])
    return pick.unit.text[before.start() if before else start : quantity.end].strip()
