"""Which calculation the question asks for over what was found. Every figure comes from a passage or from the question; the tool computes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from famulus.models.providers.extractive.evidence import Evidence
from famulus.models.providers.extractive.holds import cell_at, quantities_of
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.periods import asked_period, converted_rate, fraction
from famulus.models.providers.extractive.phrases import PERIODS, Phrase, say
from famulus.models.providers.extractive.plan import Plan
from famulus.models.providers.extractive.select import Chosen
from famulus.models.providers.extractive.terms import Bag, Term, question_terms
from famulus.text.fold import key
from famulus.text.numbers import show_number
from famulus.text.quantities import Quantity, unit_name
from famulus.text.stem import stems
from famulus.text.units import PER_YEAR


@dataclass(frozen=True, slots=True)
class Calculation:
    """`expression` goes to the tool; `shown` is the same for people. `unit` is set before or after the result."""

    expression: str
    shown: str
    phrase: Phrase
    unit: str
    numbers: tuple[int, ...]
    values: tuple[tuple[str, str], ...] = ()


def calculation_for(evidence: Evidence, plan: Plan, choices: Sequence[Chosen]) -> Calculation | None:
    """The one calculation that the question asks for, None when it asks for none or the figures are not there."""
    if plan.events:
        return None
    picks = [pick for choice in choices for pick in choice.picks]
    if not picks:
        return None
    if plan.operation == "sum":
        return _sum(plan, picks)
    if plan.operation == "difference":
        return _difference(plan, picks)
    if plan.operation == "compare" or not _asks_amount(plan):
        return None
    if BY_HOW_MUCH.search(plan.question):
        return _change(plan, picks)
    return _share(evidence, plan, picks) or _multiple(plan, picks) or _period(plan, picks)


def _change(plan: Plan, picks: Sequence[Scored]) -> Calculation | None:
    """`rises from CHF 180 to CHF 220`: the two figures of one sentence."""
    for pick in picks[:1]:
        found = [quantity for quantity in quantities_of(pick.unit) if quantity.kind in ("money", "percent", "measure")]
        if len(found) == 2 and (found[0].kind, found[0].unit) == (found[1].kind, found[1].unit):
            high, low = max(found, key=lambda item: item.value), min(found, key=lambda item: item.value)
            shown = f"{show_number(high.value, plan.language)} - {show_number(low.value, plan.language)}"
            return Calculation(
                f"{fraction(high.value)} - {fraction(low.value)}", shown, "difference", _shown_unit(high), _cite(pick)
            )
    return None


BY_HOW_MUCH: Final = re.compile(r"\b(?:by how much|um wie ?viel|met hoeveel|de combien)\b", re.IGNORECASE)


def _asks_amount(plan: Plan) -> bool:
    return any(part.asking.wanted in ("money", "amount", "count", "measure") for part in plan.parts)


def _cite(*picks: Scored) -> tuple[int, ...]:
    return tuple(dict.fromkeys(pick.seen.n for pick in picks))


# --- rate times quantity


def _multiple(plan: Plan, picks: Sequence[Scored]) -> Calculation | None:
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
                    _shown_unit(rate),
                    _cite(pick),
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
                continue
            money = [
                amount
                for amount in pick.unit.quantities
                if amount.kind == "money" and (amount.per is None or amount.per not in PER_YEAR)
            ]
            near = (
                [(max(_nearness(pick, amount, [noun]) for noun in nouns), amount) for amount in money] if nouns else []
            )
            best = max(near, default=(0.0, None), key=lambda item: item[0])
            if best[1] is not None and best[0] > 0.15:
                values = (best[1].value, quantity.value)
                shown = " × ".join(show_number(value, plan.language) for value in values)
                return Calculation(" * ".join(map(fraction, values)), shown, "rate", _shown_unit(best[1]), _cite(pick))
    return None


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
    return sum(_nearness(pick, quantity, [term]) for term in terms)


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


def _share(evidence: Evidence, plan: Plan, picks: Sequence[Scored]) -> Calculation | None:
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
        base, sources = asked or own, _cite(pick)
        if base is None and (found := _base(evidence, pick, percents[0])) is not None:
            base, sources = found[0], _cite(pick, found[1])
        if base is not None:
            percent = percents[0].value
            shown = f"{show_number(base.value, plan.language)} × {show_number(percent, plan.language)} / 100"
            values = (("percent", show_number(percent, plan.language)), ("base", _money(base, plan.language)))
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
                return Calculation(expression, shown, "periods", rate.unit, _cite(pick), values)
    return None


# --- sum and difference


def _sum(plan: Plan, picks: Sequence[Scored]) -> Calculation | None:
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
        _shown_unit(amounts[0][0]),
        _cite(*(pick for _, pick in amounts)),
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
    period = asked_period(plan)
    same = [quantity for quantity in found if quantity.per == period] if period else []
    return next(iter(same or found), None)


def _difference(plan: Plan, picks: Sequence[Scored]) -> Calculation | None:
    pair = compared_values(plan, picks)
    if pair is None:
        return None
    (a, first), (b, second) = pair
    high, low = (a, b) if a.value >= b.value else (b, a)
    return Calculation(
        f"{fraction(high.value)} - {fraction(low.value)}",
        f"{show_number(high.value, plan.language)} - {show_number(low.value, plan.language)}",
        "difference",
        _shown_unit(high),
        _cite(first, second),
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
                strength = _nearness(pick, quantity, side)
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


def _nearness(pick: Scored, quantity: Quantity, terms: Sequence[Term]) -> float:
    """How near to the words of one side a figure stands."""
    if pick.unit.cells:
        return sum(pick.credits.get(term.key, 0.0) for term in terms)
    around = pick.unit.text[max(0, quantity.start - 50) : quantity.end + 50]
    distance = 0.0
    for word in re.finditer(r"[\w-]+", around):
        credit = max((Bag(word.group(), pick.unit.language).credit(term) for term in terms), default=0.0)
        if credit >= 0.5:
            place = max(0, quantity.start - 50) + word.start()
            between = pick.unit.text[min(place, quantity.start) : max(place, quantity.start)]
            other_clause = 0.3 if re.search(r"[;,]\s", between) else 1.0
            distance = max(distance, other_clause * credit / (1 + abs(place - quantity.start) / 20))
    return distance


def _shown_unit(quantity: Quantity) -> str:
    return quantity.unit if quantity.kind == "money" else ""


def _money(quantity: Quantity, language: str) -> str:
    return f"{quantity.unit} {show_number(quantity.value, language)}".strip()


_TRAILING: Final = re.compile(r"\.0+$")


def result_text(result: str, unit: str, language: str) -> str:
    """The tool's result for a reader: `441 EUR`."""
    return f"{show_number(Decimal(_TRAILING.sub('', result)), language)} {unit}".strip()


def comparison_line(plan: Plan, choices: Sequence[Chosen]) -> str | None:
    """Which side has the higher figure, where both figures are plain; None where that cannot be told."""
    if plan.operation != "compare":
        return None
    pair = compared_values(plan, [pick for choice in choices for pick in choice.picks])
    if pair is None:
        return None
    (a, one), (b, two) = pair
    marks = "".join(f"[{n}]" for n in _cite(one, two))
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
