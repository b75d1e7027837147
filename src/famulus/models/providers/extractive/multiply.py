"""A rate or price times what the question counts; a share in per cent of an amount."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from famulus.models.providers.extractive.calculation import (
    Calculation,
    best_column,
    cite,
    money_text,
    nearness,
    shown_unit,
)
from famulus.models.providers.extractive.evidence import Evidence
from famulus.models.providers.extractive.holds import cell_at, quantities_of
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.periods import fraction
from famulus.models.providers.extractive.plan import Plan
from famulus.models.providers.extractive.terms import Bag, Term, question_terms
from famulus.models.providers.extractive.vocabulary import notions
from famulus.text.fold import key
from famulus.text.numbers import show_number
from famulus.text.quantities import Quantity, unit_name
from famulus.text.stem import stems
from famulus.text.units import PER_YEAR

# --- rate times quantity


def multiple(plan: Plan, picks: Sequence[Scored]) -> Calculation | None:
    """Each amount of the question whose unit is the rate's: `EUR 147 a day` and `for 3 days`."""
    asked = [quantity for quantity in plan.quantities if quantity.kind in ("time", "measure", "count")]
    if not asked:
        return None
    for pick in picks[:3]:
        for rate in _rates(pick, plan):
            factors: list[Decimal] = []
            for quantity in asked:
                factor = _factor(plan, quantity, rate, pick)
                if factor is not None:
                    factors.append(factor)
            if factors and not all(factor == 1 for factor in factors):
                values = [rate.value, *factors]
                return Calculation(
                    " * ".join(map(fraction, values)),
                    " × ".join(show_number(value, plan.language) for value in values),
                    "rate",
                    shown_unit(rate),
                    cite(pick),
                )
    return _items(plan, picks)


def _items(plan: Plan, picks: Sequence[Scored]) -> Calculation | None:
    """`three keys` where a passage gives the price of one: `a lost key costs GBP 45`."""
    if not any(part.asking.wanted == "money" for part in plan.parts):
        return None
    counts = [
        quantity for quantity in plan.quantities if quantity.kind == "count" and quantity.value > 1 and quantity.unit
    ]
    for quantity in counts[:1]:
        nouns = question_terms(plan.question[quantity.end :], plan.language)[:2]
        for pick in picks[:2]:
            if pick.unit.cells:
                if (price := _row_price(plan, pick, nouns)) is not None:
                    values = (price.value, quantity.value)
                    shown = " × ".join(show_number(value, plan.language) for value in values)
                    return Calculation(" * ".join(map(fraction, values)), shown, "rate", shown_unit(price), cite(pick))
                continue
            money = [
                amount
                for amount in pick.unit.quantities
                if amount.kind == "money" and (amount.per is None or amount.per not in PER_YEAR)
            ]
            near = (
                [(max(nearness(pick, amount, [noun]) for noun in nouns), amount) for amount in money] if nouns else []
            )
            best = max(near, default=(0.0, None), key=lambda item: item[0])
            if best[1] is not None and best[0] > 0.15:
                values = (best[1].value, quantity.value)
                shown = " × ".join(show_number(value, plan.language) for value in values)
                return Calculation(" * ".join(map(fraction, values)), shown, "rate", shown_unit(best[1]), cite(pick))
    return None


def _row_price(plan: Plan, pick: Scored, nouns: Sequence[Term]) -> Quantity | None:
    """The price of a row about the counted thing, from the column that the question names best."""
    label = Bag(" . ".join(value for _, value in pick.unit.cells), pick.unit.language)
    if not any(label.credit(noun) >= 0.6 for noun in nouns):
        return None
    prices = [quantity for quantity in quantities_of(pick.unit) if quantity.kind == "money"]
    return best_column(plan, pick, prices)


def instalment(plan: Plan, picks: Sequence[Scored]) -> Calculation | None:
    """`payable in four equal instalments`, where the question asks for each of them."""
    if not _EACH.search(plan.question):
        return None
    several = notions("instalment", "en")
    for pick in picks[:1]:
        money = next((quantity for quantity in pick.unit.quantities if quantity.kind == "money"), None)
        parts = [
            quantity
            for quantity in pick.unit.quantities
            if quantity.kind == "count"
            and 2 <= quantity.value <= 24
            and Bag(pick.unit.text[quantity.end : quantity.end + 30], pick.unit.language).about(several)
        ]
        if money is not None and len(parts) == 1 and Bag(plan.question, plan.language).about(several):
            values = (money.value, parts[0].value)
            shown = " / ".join(show_number(value, plan.language) for value in values)
            return Calculation(" / ".join(map(fraction, values)), shown, "instalment", shown_unit(money), cite(pick))
    return None


_EACH: Final = re.compile(
    r"\b(?:each|every|one|single|a|per|jede[rsnm]?|einzelne\w*|pro|eine|elke?|ieder|chacune?|chaque|une?)\b",
    re.IGNORECASE,
)


def _rates(pick: Scored, plan: Plan) -> list[Quantity]:
    """The figures of the unit that are per something; of a row also plain money, whose unit another cell may name."""
    wanted = {part.asking.wanted for part in plan.parts}
    found = [
        quantity
        for quantity in quantities_of(pick.unit)
        if quantity.per or (pick.unit.cells and quantity.kind == "money")
    ]
    if "money" in wanted:
        found = [quantity for quantity in found if quantity.kind == "money"]
    if "count" in wanted:
        found = [quantity for quantity in found if quantity.kind == "count"]
    # Of several rates the one that stands nearest to the words of the question (`on Sundays 138 euros an hour`).
    signals = frozenset[str]().union(*(part.asking.signals for part in plan.parts))
    telling = [
        term
        for term in plan.terms
        if term.kind in ("word", "name", "code") and term.key not in signals and unit_name(term.written) is None
    ]
    return sorted(found, key=lambda quantity: -_total_nearness(pick, quantity, telling))


def _total_nearness(pick: Scored, quantity: Quantity, terms: Sequence[Term]) -> float:
    if pick.unit.cells:
        cell = cell_at(pick.unit, quantity.start)
        return sum(Bag(cell[0], pick.unit.language).credit(term) for term in terms) if cell else 0.0
    return sum(nearness(pick, quantity, [term]) for term in terms)


def _factor(plan: Plan, quantity: Quantity, rate: Quantity, pick: Scored) -> Decimal | None:
    """By what the rate is multiplied for this quantity of the question; None when they have nothing to do with each other."""
    if quantity.kind in ("time", "measure") and rate.per:
        if quantity.unit == rate.per or (quantity.unit == "workday" and rate.per == "day"):
            return quantity.value
        if quantity.unit == "year" and rate.per in ("month", "quarter"):
            return quantity.value * PER_YEAR[rate.per]
        if quantity.unit == "quarter" and rate.per == "month":
            return quantity.value * 3
    if quantity.kind == "count":
        following = re.findall(r"[^\W\d_]+", plan.question[quantity.start :])
        near = [word for word in following if key(word) != key(quantity.unit)][:3] if quantity.word else following[:3]
        names = {form for word in [quantity.unit, *near] for form in stems(key(word))}
        per = rate.per or ""
        if per and set(stems(key(per))) & names:
            return quantity.value
        if any(
            re.match(r"(?:per|pro|par)\s", value) and Bag(value, pick.unit.language).credit(term) >= 0.9
            for _, value in pick.unit.cells
            for term in question_terms(" ".join(near[:2]), plan.language)
        ):
            return quantity.value
    return None


# --- a share in per cent


def share(evidence: Evidence, plan: Plan, picks: Sequence[Scored]) -> Calculation | None:
    """`4 per cent` of an amount that the question or a passage names."""
    if not any(part.asking.wanted in ("money", "amount") for part in plan.parts):
        return None
    for pick in picks[:2]:
        percents = [quantity for quantity in pick.unit.quantities if quantity.kind == "percent"]
        if len(percents) != 1:
            continue
        asked = next((quantity for quantity in plan.quantities if quantity.kind == "money"), None)
        amounts = [quantity for quantity in pick.unit.quantities if quantity.kind == "money"]
        own = next(
            (quantity for quantity in amounts if quantity.start > percents[0].start),
            amounts[0] if len(amounts) == 1 else None,
        )
        base, sources = asked or own, cite(pick)
        if base is None and (found := _base(evidence, pick, percents[0])) is not None:
            base, sources = found[0], cite(pick, found[1])
        if base is not None:
            percent = percents[0].value
            shown = f"{show_number(base.value, plan.language)} × {show_number(percent, plan.language)} / 100"
            values = (("percent", show_number(percent, plan.language)), ("base", money_text(base, plan.language)))
            return Calculation(
                f"{fraction(base.value)} * {fraction(percent)} / 100", shown, "share", base.unit, sources, values
            )
    return None


def _base(evidence: Evidence, pick: Scored, percent: Quantity) -> tuple[Quantity, Scored] | None:
    """The amount that `per cent of the order value` speaks of, where another sentence of the document gives it."""
    match = re.match(
        r"\s*(?:of|von|des|der|van|du|de la|de l')\s+(?:the |der |dem |den |des |de |het |la |le )?(.{3,40})",
        pick.unit.text[percent.end :],
    )
    terms = question_terms(match.group(1), pick.unit.language)[:2] if match else []
    if not terms:
        return None
    for entry in evidence.entries:
        if entry.seen.document_id == pick.seen.document_id and all(entry.bag.credit(term) >= 0.7 for term in terms):
            money = next((quantity for quantity in quantities_of(entry.unit) if quantity.kind == "money"), None)
            if money is not None:
                return money, Scored(entry.unit, entry.seen, 0, 0, 0, False, {}, ())
    return None
