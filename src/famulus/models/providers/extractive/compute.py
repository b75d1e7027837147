"""Which calculation the question asks for over what was found. Every figure comes from a passage or from the question; the tool computes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from famulus.models.providers.extractive.calculation import Calculation, cite, shown_unit
from famulus.models.providers.extractive.evidence import Evidence
from famulus.models.providers.extractive.holds import quantities_of
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.multiply import instalment, multiple, share
from famulus.models.providers.extractive.periods import asked_period, converted_rate, fraction
from famulus.models.providers.extractive.phrases import PERIODS
from famulus.models.providers.extractive.plan import Plan
from famulus.models.providers.extractive.select import Chosen
from famulus.models.providers.extractive.sums import difference, total
from famulus.models.providers.extractive.tables import rows_total
from famulus.text.numbers import show_number
from famulus.text.quantities import Quantity
from famulus.text.units import PER_YEAR


def calculation_for(evidence: Evidence, plan: Plan, choices: Sequence[Chosen]) -> Calculation | None:
    """The one calculation that the question asks for, None when it asks for none or the figures are not there."""
    if plan.events:
        return None
    picks = [pick for choice in choices for pick in choice.picks]
    if not picks:
        return None
    if plan.operation == "sum":
        return rows_total(evidence, plan, picks) or total(plan, picks)
    if plan.operation == "difference":
        return difference(plan, picks)
    if plan.operation == "compare" or not _asks_amount(plan):
        return None
    if BY_HOW_MUCH.search(plan.question):
        return _change(plan, picks)
    return (
        instalment(plan, picks)
        or share(evidence, plan, picks)
        or rows_total(evidence, plan, picks)
        or multiple(plan, picks)
        or _period(plan, picks)
    )


def _change(plan: Plan, picks: Sequence[Scored]) -> Calculation | None:
    """`rises from CHF 180 to CHF 220`, `612,400 against 574,900`: the two figures of one sentence."""
    asked = {quantity.value for quantity in plan.quantities}
    for pick in picks[:1]:
        found = [
            quantity
            for quantity in quantities_of(pick.unit)
            if quantity.kind in ("money", "percent", "measure", "count") and quantity.value not in asked
        ]
        counts = [quantity for quantity in found if quantity.kind == "count" and not _is_year(quantity)]
        if len(found) > 2 and len(counts) >= 2 and _AGAINST.search(pick.unit.text):
            found = counts[:2]
        alike = len(found) == 2 and found[0].kind == found[1].kind
        if alike and (found[0].unit == found[1].unit or found[0].kind == "count"):
            high, low = max(found, key=lambda item: item.value), min(found, key=lambda item: item.value)
            shown = f"{show_number(high.value, plan.language)} - {show_number(low.value, plan.language)}"
            return Calculation(
                f"{fraction(high.value)} - {fraction(low.value)}", shown, "difference", shown_unit(high), cite(pick)
            )
    return None


def _is_year(quantity: Quantity) -> bool:
    return 1900 <= quantity.value <= 2100 and quantity.value == quantity.value.to_integral_value()


_AGAINST: Final = re.compile(
    r"\b(?:against|compared|instead of|after|from|up from|gegenüber|gegen|statt|nach|von|tegen|tegenover|na|van|contre|au lieu de|après|de)\b",
    re.IGNORECASE,
)
BY_HOW_MUCH: Final = re.compile(r"\b(?:by how (?:much|many)|um wie ?viele?|met hoeveel|de combien)\b", re.IGNORECASE)


def _asks_amount(plan: Plan) -> bool:
    return any(part.asking.wanted in ("money", "amount", "count", "measure") for part in plan.parts)


# --- another period


def _period(plan: Plan, picks: Sequence[Scored]) -> Calculation | None:
    """A monthly amount for a year, a yearly one for a month."""
    wanted = asked_period(plan)
    for pick in picks[:2]:
        money = [quantity for quantity in quantities_of(pick.unit) if quantity.kind == "money"]
        if wanted is None or any(quantity.per == wanted for quantity in money):
            return None
        for rate in money:
            if rate.per in PER_YEAR and (converted := converted_rate(rate, wanted, plan.language)):
                expression, shown = converted
                values = (("period", PERIODS[plan.language][wanted]),)
                return Calculation(expression, shown, "periods", rate.unit, cite(pick), values)
    return None
