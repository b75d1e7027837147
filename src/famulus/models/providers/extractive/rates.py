"""Rate times quantity: `EUR 147 a day` for three days, `EUR 12 per person per night` for two people and four nights, six readers at `EUR 780 each`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from famulus.models.providers.extractive.figures import (
    Calculation,
    Figure,
    closeness,
    figures_of,
    fraction,
    nearness,
    product,
    sizes_of,
    style_of,
    telling_terms,
)
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.periods import asked_currencies, asked_period
from famulus.models.providers.extractive.plan import Plan
from famulus.models.providers.extractive.pool import SAVED, Pool
from famulus.models.providers.extractive.ranges import within_range
from famulus.models.providers.extractive.started import clause_of, started_blocks
from famulus.models.providers.extractive.terms import Bag, Term, question_terms
from famulus.text.numbers import find_numbers, show_number
from famulus.text.quantities import Quantity
from famulus.text.stem import stems
from famulus.text.units import PER_YEAR, PIECES

# How many of one unit another holds; what is not here is not converted.
_HOLDS: Final[dict[tuple[str, str], Decimal]] = {
    ("year", "month"): Decimal(12), ("year", "quarter"): Decimal(4), ("year", "week"): Decimal(52), ("quarter", "month"): Decimal(3),
    ("week", "day"): Decimal(7), ("hour", "minute"): Decimal(60), ("tonne", "kilogram"): Decimal(1000), ("kilometre", "metre"): Decimal(1000),
    ("workday", "day"): Decimal(1),
}  # fmt: skip
_PEOPLE: Final = re.compile(
    r"(?:person|people|guest|adult|passenger|participant|employee|colleague|visitor|teilnehm|gäst|gast|erwachsene|mitarbeit|personen?|volwassen|deelnem|medewerk|personne|adulte|participant|invité|collègue|collaborat)\w*$",
    re.IGNORECASE,
)
_NOUN_ENDS: Final = re.compile(
    r"[,;?.!:]|\s(?:for|of|in|at|on|with|from|to|per|by|and|during|für|im|am|an|bei|mit|von|nach|pro|und|während|während|voor|op|met|van|bij|naar|en|tijdens|pour|à|dans|chez|avec|par|du|de|des|et|pendant|"
    r"cost|costs|kosten|kostet|kost|coûte|coûtent|is|are|do|does|pay)\s",
    re.IGNORECASE,
)
_LEAST: Final = re.compile(
    r"\b(?:at least|minimum(?: of| charge(?: of| is)?)?|a minimum of|mindestens|minimal|minimaal|minstens|ten minste|au moins|au minimum|minimum)\W+(?:\w+\W+){0,3}?$",
    re.IGNORECASE,
)
_MOST: Final = re.compile(
    r"\b(?:at most|no more than|not more than|up to(?: a maximum of)?|maximum(?: of| is)?|capped at|höchstens|maximal|bis zu|maximaal|hoogstens|ten hoogste|met een maximum van|dans la limite de|au plus|plafonnée? à|au maximum)\W+(?:\w+\W+){0,1}?$",
    re.IGNORECASE,
)
_MEASURED: Final = frozenset(
    {"kilometre", "mile", "kilogram", "litre", "tonne", "metre", "square metre", "kilowatt", "minute"}
)
EACH: Final = re.compile(
    r"\W{0,2}(?:each|apiece|a piece|je|jeweils|das stück|pro stück|elk|ieder|per stuk|het stuk|chacune?|pièce|la pièce|l['’]unité)\b",
    re.IGNORECASE,
)
# How near a price without a unit must stand to the thing that is counted.
NEAR: Final = 0.15


@dataclass(frozen=True, slots=True)
class Fit:
    """A rate with its factors; `close` says how near it stands to the words of the question."""

    figure: Figure
    factors: tuple[Decimal, ...]
    close: float
    rank: int


def rate_times_quantity(pool: Pool) -> Calculation | None:
    """The one price, rate or capacity that fits all quantities of the question, times these."""
    asked = multiplying(pool.plan)
    if not asked:
        return None
    for picks in (pool.picks, pool.near[:5]):
        found = [fit for rank, pick in enumerate(picks[:5]) for fit in fits(pool, pick, asked, rank)]
        if found:
            best = max(
                found, key=lambda fit: fit.close - 0.25 * fit.rank - (0.0 if _is_main(pool.plan, fit.figure) else 2.0)
            )
            rivals = [
                fit
                for fit in found
                if fit.rank == best.rank and fit.close == best.close and fit.figure.value != best.figure.value
            ]
            plainest = _plainest([best, *rivals])
            return None if plainest is None else _calculation(pool, plainest)
    return None


def _plainest(tied: Sequence[Fit]) -> Fit | None:
    """Of prices that fit alike the one in the column with the shortest header (`Price`, not `Express price`), where the others say more."""
    if len(tied) == 1:
        return tied[0]
    heads = [set(re.findall(r"[^\W\d_]+", fit.figure.column.casefold())) for fit in tied]
    plain = [fit for fit, head in zip(tied, heads, strict=True) if head and all(head <= other for other in heads)]
    return plain[0] if len(plain) == 1 else None


def _is_main(plan: Plan, figure: Figure) -> bool:
    """False for the price that the question only wants with another (`with the heating`)."""
    match = WITH.search(plan.question)
    if match is None or figure.column:
        return True
    terms = [term for term in question_terms(match["rest"], plan.language) if term.kind != "light"][:2]
    if is_condition(figure.pick, terms):
        return True
    near = [other for other in figures_of(figure.pick) if other.like == figure.like]
    if len(near) < 2 or not terms:
        return True
    best = max(near, key=lambda other: max(nearness(other.pick, other.quantity, [term]) for term in terms))
    return (
        best.quantity.start != figure.quantity.start
        or max(nearness(best.pick, best.quantity, [term]) for term in terms) <= 0.3
    )


def multiplying(plan: Plan) -> list[Quantity]:
    """The quantities of the question that something may be multiplied with: no years, no amounts of money."""
    return [
        quantity
        for quantity in plan.quantities
        if quantity.kind in ("time", "measure", "count")
        and not within_range(plan.question, quantity.start)
        and not (quantity.kind == "count" and not quantity.word and 1900 <= quantity.value <= 2100)
        and not (quantity.kind == "count" and _NAMES.match(plan.question[quantity.end :]))
        and not (quantity.kind == "time" and _MORE_THAN.search(plan.question[: quantity.start]))
    ]


# `a two-room flat`, `un deux-pièces`, `eine 3-Zimmer-Wohnung`: the number is part of a name.
_NAMES: Final = re.compile(r"[-‑][^\W\d_]")
# `more than half an hour late` is a condition, nothing to multiply with.
_MORE_THAN: Final = re.compile(
    r"\b(?:more|longer|later) than (?:an? )?$|\bover (?:an? )?$|\b(?:mehr|länger|später) als (?:eine? )?$|\b(?:meer|langer|later) dan (?:een )?$|\bplus (?:de |d['’])(?:une? )?$",
    re.IGNORECASE,
)


def counted_terms(plan: Plan, quantity: Quantity) -> list[Term]:
    """What a count of the question counts: the words after it up to the next preposition."""
    after = plan.question[quantity.end : quantity.end + 60]
    end = _NOUN_ENDS.search(after, 1)
    return question_terms(after[: end.start()] if end else after, plan.language)[:3]


def fits(pool: Pool, pick: Scored, asked: Sequence[Quantity], rank: int) -> list[Fit]:
    wanted = {part.asking.wanted for part in pool.plan.parts}
    counted = next((part.asking.counted for part in pool.plan.parts if part.asking.counted is not None), None)
    telling = telling_terms(pool.plan)
    currencies = asked_currencies(pool.plan)
    found: list[Fit] = []
    if lacks_thing(pick):
        return found
    for figure in figures_of(pick):
        if not _is_wanted(figure, wanted, counted) or _of_other_currency(figure, currencies):
            continue
        if _LACKING.search(clause_of(figure)) and not _LACKING.search(pool.plan.question):
            # `20 euros for each missing hour`: how many are missing is not said.
            continue
        factors = _factors(pool.plan, figure, asked)
        if factors and not all(factor == 1 for factor in factors):
            exact = sum(any(quantity.unit == per for per in figure.pers) for quantity in asked)
            exact = exact or any(per in _PERIODS and _names_period(pool.plan, per) for per in figure.pers)
            # `72 euros a block`: the word block stands with every price of one.
            other = [term for term in telling if not any(Bag(per).credit(term) >= 0.9 for per in figure.pers)]
            other = sizes_of(other, pick) or other
            found.append(Fit(figure, tuple(factors), closeness(figure, other) + 0.5 * exact, rank))
    return found


_LACKING: Final = re.compile(
    r"\b(?:missing|missed|short|fehl\w*|versäum\w*|ontbre\w*|gemist\w*|manqu\w*)\b", re.IGNORECASE
)


def _of_other_currency(figure: Figure, currencies: set[str]) -> bool:
    unit = figure.quantity.unit
    return figure.quantity.kind == "money" and bool(currencies and unit) and unit not in currencies


def lacks_thing(pick: Scored) -> bool:
    """True where a noun of the question stands nowhere near: then it may be the price of something else."""
    return any(term.noun and term.kind in ("word", "name", "code") for term in pick.missing)


def _is_wanted(figure: Figure, wanted: set[str], counted: Term | None) -> bool:
    kind = figure.quantity.kind
    if wanted <= {"open", "yesno"}:
        # `I drove 120 miles. What do I get back?`: the rate of the sentence says that money is meant.
        return kind == "money" and bool(figure.pers)
    if wanted & {"money", "amount"}:
        return kind == "money" or ("money" not in wanted and bool(figure.pers))
    if not figure.pers or kind == "money":
        return False
    if counted is None:
        return kind == "measure" and "measure" in wanted
    unit = figure.pick.unit
    near = unit.text[figure.quantity.start : figure.quantity.end + 45] if not figure.column else figure.column
    return Bag(near, unit.language).credit(counted) >= 0.6


def _factors(plan: Plan, figure: Figure, asked: Sequence[Quantity]) -> list[Decimal]:
    """One factor for each quantity of the question; none when one of them has nothing to do with the figure and does not describe the thing."""
    factors: list[Decimal] = []
    pers = list(figure.pers)
    for quantity in asked:
        factor = next(
            ((per, value) for per in pers if (value := _converted(plan, quantity, per, figure)) is not None), None
        )
        if factor is not None:
            pers.remove(factor[0])
            factors.append(factor[1])
        elif _describes(quantity, figure.pick):
            continue
        elif quantity.kind == "count" and quantity.value > 1 and _counts_thing(plan, quantity, figure):
            factors.append(quantity.value)
        elif quantity.value == 1 or (quantity.kind == "count" and not counted_terms(plan, quantity)):
            continue
        else:
            return []
    if _is_open(plan) and not any(quantity.unit in figure.pers for quantity in asked):
        return []
    if any(per in _MEASURED and not any(quantity.unit == per for quantity in asked) for per in pers):
        # A price per kilometre says nothing of six cars.
        return []
    period = next((per for per in pers if per in _PERIODS), None)
    # `three generators` at a price per month: for how long is not said.
    unsaid = not any(quantity.kind == "time" for quantity in asked) and not (period and _names_period(plan, period))
    return [] if period and factors and unsaid and not _is_of_the_day(plan, period, asked) else factors


_PERIODS: Final = ("day", "week", "month", "quarter", "year", "hour")
# What one has once a day: so many of it are so many days.
_ONCE_A_DAY: Final = re.compile(
    r"lunch(?:es)?|breakfasts?|dinners?|suppers?|mittagessen|frühstücke?n?|abendessen|abendbrote?|ontbijt(?:en)?|avondeten|middageten|déjeuners?|petits?-déjeuners?|dîners?|goûters?",
    re.IGNORECASE,
)


def _is_of_the_day(plan: Plan, period: str, asked: Sequence[Quantity]) -> bool:
    """True for `18 lunches` at a price a day."""
    return period == "day" and any(
        _ONCE_A_DAY.fullmatch(term.written) for quantity in asked for term in counted_terms(plan, quantity)
    )


def _is_open(plan: Plan) -> bool:
    return all(part.asking.wanted in ("open", "yesno") for part in plan.parts)


def _names_period(plan: Plan, period: str) -> bool:
    return any(quantity.unit == period for quantity in plan.quantities) or any(
        Bag(period).credit(term) >= 0.9 or Bag(term.written).credit(Term(period, period, "word", 1.0)) >= 0.9
        for term in plan.terms
    )


def _converted(plan: Plan, quantity: Quantity, per: str, figure: Figure) -> Decimal | None:
    """How many of the rate's unit the quantity is."""
    if quantity.kind in ("time", "measure"):
        if quantity.unit == per or (quantity.unit == "workday" and per == "day"):
            return _at_least(quantity.value, quantity.unit, figure)
        if (started := started_blocks(quantity, per, figure)) is not None:
            return started
        if (times := _HOLDS.get((quantity.unit, per))) is not None:
            return quantity.value * times
        if (times := _HOLDS.get((per, quantity.unit))) is not None and (
            per in ("year", "quarter") or quantity.value % times == 0
        ):
            return quantity.value / times
        return None
    terms = counted_terms(plan, quantity)
    if any(
        Bag(per, figure.pick.unit.language).credit(term) >= 0.85 or set(stems(per)) & set(stems(term.key))
        for term in terms
    ):
        return quantity.value
    people = _PEOPLE.match(per) is not None or per in ("head", "kopf", "tête")
    if people and any(_PEOPLE.match(term.written) for term in terms):
        return quantity.value
    return quantity.value if per in PIECES and _counts_thing(plan, quantity, figure) else None


def _at_least(value: Decimal, unit: str, figure: Figure) -> Decimal:
    """`for at least two hours`: a shorter time is charged as that."""
    text = figure.pick.unit.text
    least = [
        quantity.value
        for quantity in figure.pick.unit.quantities
        if quantity.unit == unit and _LEAST.search(text[max(0, quantity.start - 40) : quantity.start])
    ]
    return max([value, *least])


def _describes(quantity: Quantity, pick: Scored) -> bool:
    """True for a size or number of the question that tells which thing is meant (`the 60 kVA generator`): it stands in the text too."""
    around = " ".join((pick.unit.label or pick.unit.text, *pick.unit.headings))
    if quantity.kind == "count" and quantity.word:
        # `two persons` describe a pitch for two persons; `two` alone may count it.
        label = pick.unit.label
        behind = (
            re.match(r"\W*([^\W\d_]+)", label[number.end :])
            for number in find_numbers(label, pick.unit.language)
            if number.value == quantity.value
        )
        return any(word is not None and set(stems(word[1])) & set(stems(quantity.unit)) for word in behind)
    return any(number.value == quantity.value for number in find_numbers(around, pick.unit.language))


def _counts_thing(plan: Plan, quantity: Quantity, figure: Figure) -> bool:
    """True when the thing that the question counts is what this price is of."""
    terms = counted_terms(plan, quantity)
    if not terms or (
        any(per in PER_YEAR and per not in ("day", asked_period(plan)) for per in figure.pers)
        and not any(other.kind == "time" for other in plan.quantities)
    ):
        return False
    unit = figure.pick.unit
    if unit.cells:
        bag = Bag(f"{unit.label} {' '.join(value for _, value in unit.cells[1:4])}", unit.language)
        head = Bag(figure.column, unit.language)
        return max(max(bag.credit(term), head.credit(term)) for term in terms) >= 0.6 or (
            any(_PEOPLE.match(term.written) for term in terms) and any(_PEOPLE.match(per) for per in figure.pers)
        )
    near = max(nearness(figure.pick, figure.quantity, [term]) for term in terms)
    if EACH.match(unit.text[figure.quantity.end :]):
        whole = Bag(unit.text[: figure.quantity.start], unit.language)
        near = max(near, *(whole.credit(term) - 0.6 for term in terms))
    title = Bag(" ".join(unit.headings[-1:]), unit.language)
    return near > NEAR or max(title.credit(term) for term in terms) >= 0.85


def _calculation(pool: Pool, fit: Fit) -> Calculation:
    figure = fit.figure
    unit = figure.quantity.unit if figure.quantity.kind == "money" else ""
    calculation = product(pool.plan, [figure.value, *fit.factors], unit, [figure.pick])
    if (extra := _with_extra(pool.plan, figure)) is not None:
        return _added(calculation, fit, extra)
    return bounded(pool.plan, calculation, figure)


# `au plus` is no `plus`.
WITH: Final = re.compile(
    r"\b(?:with|including|incl\.|(?<!au )(?<!le )(?<!la )(?<!les )(?<!de )plus|mit|inklusive|inkl\.?|einschlie(?:ss|ß)lich|samt|zuzüglich|met|inclusief|avec|y compris)\s+(?P<rest>.+)",
    re.IGNORECASE,
)
_GIVEN: Final = re.compile(r"\b(?:with|by|mit|met|avec|per|en)\s+(?:[^\W\d_]+\s+){0,2}[^\W\d_]+", re.IGNORECASE)


def is_condition(pick: Scored, terms: Sequence[Term]) -> bool:
    """True where the text says `with` itself (`with one's own car 30 cents, with a bicycle 10`): that is a case, no extra."""
    language = pick.unit.language
    said = [Bag(match.group(), language) for match in _GIVEN.finditer(pick.unit.text)]
    return any(bag.credit(term) >= 0.6 for bag in said for term in terms)


def _with_extra(plan: Plan, figure: Figure) -> Figure | None:
    """The other price of the sentence that the question wants with it (`three hours with the call-out fee`)."""
    match = WITH.search(plan.question)
    if match is None or figure.column or SAVED.search(plan.question):
        return None
    terms = [term for term in question_terms(match["rest"], plan.language) if term.kind != "light"][:2]
    if is_condition(figure.pick, terms):
        return None
    others = [
        other
        for other in figures_of(figure.pick)
        if other.like == figure.like
        and other.quantity.start != figure.quantity.start
        and other.pers in ((), figure.pers)
    ]
    named = [other for other in others if any(_names(other, term) > 0.3 >= _names(figure, term) for term in terms)]
    return named[0] if len(named) == 1 else None


def _names(figure: Figure, term: Term) -> float:
    return nearness(figure.pick, figure.quantity, [term])


def _added(calculation: Calculation, fit: Fit, extra: Figure) -> Calculation:
    """Both rates times the quantity, or the one price added once."""
    value, style = extra.value, calculation.style
    rate = fit.figure.value
    if extra.pers:
        expression = calculation.expression.replace(fraction(rate), f"({fraction(rate)} + {fraction(value)})", 1)
        shown = calculation.shown.replace(
            show_number(rate, style), f"({show_number(rate, style)} + {show_number(value, style)})", 1
        )
    else:
        expression, shown = (
            f"{calculation.expression} + {fraction(value)}",
            f"{calculation.shown} + {show_number(value, style)}",
        )
    return replace(calculation, expression=expression, shown=shown)


def bounded(plan: Plan, calculation: Calculation, figure: Figure) -> Calculation:
    """The same with the least or highest amount of its sentence, where the result passes it."""
    value = figure.value
    for factor in re.findall(r"[\d.]+", calculation.expression)[1:]:
        value *= Decimal(factor)
    text = figure.pick.unit.text
    for other in figures_of(figure.pick):
        if other.like != figure.like or other.quantity.start == figure.quantity.start or other.column != figure.column:
            continue
        before = text[max(0, other.quantity.start - 45) : other.quantity.start]
        before = re.sub(r"(?:CHF|EUR|GBP|USD|[€£$])\s?$", "", before)
        least, most = _LEAST.search(before), _MOST.search(before)
        bound = (
            f"{show_number(other.value, style_of(plan, [figure.pick], calculation.unit))} {calculation.unit}".strip()
        )
        if least and value < other.value:
            return replace(calculation, phrase="at_least", values=(("bound", bound),))
        if most and value > other.value:
            return replace(calculation, phrase="at_most", values=(("bound", bound),))
    return calculation
