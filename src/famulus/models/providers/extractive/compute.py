"""Which calculation the question asks for over what was found. Every figure comes from a passage or from the question; the tool computes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal, InvalidOperation
from typing import Final

from famulus.models.providers.extractive import (
    ages,
    apiece,
    breaks,
    calendar,
    changes,
    deadlines,
    differences,
    extras,
    frequencies,
    instalments,
    packs,
    portions,
    quotients,
    rates,
    recurring,
    shares,
    spells,
    sums,
    tables,
    tiers,
)
from famulus.models.providers.extractive.cells import cell_at
from famulus.models.providers.extractive.days import as_day, day_values
from famulus.models.providers.extractive.figures import Calculation
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.phrases import say
from famulus.models.providers.extractive.plan import Plan
from famulus.models.providers.extractive.pool import Pool
from famulus.models.providers.extractive.select import Chosen
from famulus.text.numbers import show_number
from famulus.text.quantities import Quantity

_DAYS: Final = re.compile(
    r"\b(?:days?|tage?n?|dagen|jours|how long|wie lange|hoe lang|combien de temps)\b", re.IGNORECASE
)


def _rate(pool: Pool) -> Calculation | None:
    calculation = rates.rate_times_quantity(pool)
    return None if calculation is None else breaks.with_rebate(pool, calculation)


# The first that finds its figures computes.
_OF_AMOUNTS: Final[tuple[Callable[[Pool], Calculation | None], ...]] = (
    differences.change,
    differences.left_over,
    differences.surplus,
    differences.the_others,
    shares.part_in_percent,
    spells.cost_of_spell,
    tables.product_of_cells,
    quotients.price_of_one,
    quotients.part_of_each,
    quotients.price_of_one_unit,
    apiece.all_pieces,
    extras.with_extra,
    changes.changed_price,
    breaks.price_break,
    tiers.stepped_fee,
    shares.share,
    portions.portion,
    sums.of_sentence,
    instalments.months_of_rent,
    instalments.of_parts,
    instalments.equal_part,
    _rate,
    frequencies.times_a_year,
    sums.other_period,
)
_OF_DAYS: Final[tuple[Callable[[Pool], Calculation | None], ...]] = (
    calendar.between_columns,
    calendar.between_two,
    calendar.length_of_stay,
    calendar.from_question_day,
    recurring.next_time,
    deadlines.deadline,
)


def calculation_for(pool: Pool, choices: Sequence[Chosen], complete: frozenset[str], today: str) -> Calculation | None:
    """The one calculation that the question asks for, None when it asks for none or the figures are not there.

    `complete` are documents that have been read whole; `today` is empty where no clock was asked.
    """
    plan = pool.plan
    if (calculation := ages.age(pool, today) or packs.pack_saving(pool)) is not None:
        return calculation
    if plan.events:
        return calendar.days_between(plan, choices)
    if (calculation := calendar.slip(plan, choices)) is not None:
        return calculation
    if today and _DAYS.search(plan.question):
        return calendar.days_from_now(plan, choices, today)
    if plan.operation == "sum":
        return sums.sum_of_sides(pool)
    if plan.operation == "difference":
        return differences.difference_of_sides(pool)
    if plan.operation == "compare":
        return differences.difference_of_sides(pool) if differences.BY_HOW_MUCH.search(plan.question) else None
    if (calculation := tables.over_rows(pool, complete)) is not None:
        return calculation
    wanted = {part.asking.wanted for part in plan.parts}
    if wanted <= {"open", "yesno"}:
        for solve in (
            changes.changed_price,
            rates.rate_times_quantity,
            sums.of_sentence,
            shares.share,
            differences.surplus,
        ):
            if (calculation := solve(pool)) is not None:
                return calculation
    if wanted & {"money", "amount", "count", "measure", "percent", "duration"}:
        for solve in _OF_AMOUNTS:
            if (calculation := solve(pool)) is not None:
                return calculation
    if (calculation := recurring.next_time(pool, today)) is not None:
        return calculation
    return next((found for solve in _OF_DAYS if (found := solve(pool)) is not None), None)


def spoken(calculation: Calculation, result: str, language: str) -> str | None:
    """The tool's result in a sentence; None where it is none (an error text, a day that does not exist)."""
    values = {"calculation": calculation.shown} | dict(calculation.values)
    if calculation.shape != "number":
        day = as_day(calculation, result)
        if day is None:
            return None
        return say(calculation.phrase, language, **(values | day_values(calculation, day, language)))
    try:
        written = show_number(rounded(Decimal(result)), calculation.style)
    except InvalidOperation:
        return None
    return say(calculation.phrase, language, **(values | {"result": f"{written} {calculation.unit}".strip()}))


def rounded(value: Decimal) -> Decimal:
    return value if value == value.to_integral_value() else value.quantize(Decimal("0.01"))


def comparison_line(plan: Plan, choices: Sequence[Chosen]) -> str | None:
    """Which side has the higher figure, where both figures are plain; None where that cannot be told."""
    if plan.operation != "compare":
        return None
    pair = differences.compared_values(plan, [pick for choice in choices for pick in choice.picks])
    if pair is None:
        return None
    (a, one), (b, two) = pair
    marks = "".join(f"[{n}]" for n in dict.fromkeys((one.seen.n, two.seen.n)))
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
    before = re.search(r"(?:\b[A-Z]{3}\s|[€£$]\s?)$", pick.unit.text[:start])
    return pick.unit.text[before.start() if before else start : quantity.end].strip()
