"""A price with another that stands elsewhere: a fixed supplement, a call-out fee, a second charge (`travel included`, `mit Reinigung`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from famulus.models.providers.extractive.breaks import price_break
from famulus.models.providers.extractive.figures import Calculation, Figure, figures_of, fraction, nearness, style_of
from famulus.models.providers.extractive.judge import Scored, judge_part
from famulus.models.providers.extractive.plan import Plan
from famulus.models.providers.extractive.pool import Pool, unique
from famulus.models.providers.extractive.rates import NEAR, WITH, is_condition, multiplying, rate_times_quantity
from famulus.models.providers.extractive.shares import amount_meant
from famulus.models.providers.extractive.terms import Bag, Term, question_terms
from famulus.text.numbers import WORDS as NUMBER_WORDS
from famulus.text.numbers import find_numbers, show_number
from famulus.text.quantities import find_quantities

_INCLUDED: Final = re.compile(
    r"(?:^|[,;]|\b(?:and|und|en|et)\b)\s*(?P<extra>(?:[^\W\d_]+[\s-]){1,4})(?:is |are |ist |sind |zijn |est |sont )?(?:included|inbegriffen|eingerechnet|inbegrepen|meegerekend|compris(?:e|es)?|incluse?s?)\b",
    re.IGNORECASE,
)
_JOINT: Final = re.compile(
    r"included|inbegriffen|eingerechnet|inbegrepen|meegerekend|compris(?:e|es)?|incluse?s?|including|inklusive|inclusief",
    re.IGNORECASE,
)
# How much of the words that name the extra its sentence or row must have.
NAMED: Final = 0.6


def with_extra(pool: Pool) -> Calculation | None:
    """The price of the main thing, times its number, and the one amount that another sentence or row gives for the extra."""
    plan = pool.plan
    if len(plan.parts) != 1 or not any(part.asking.wanted in ("money", "amount") for part in plan.parts):
        return None
    for terms, number in _extras(plan):
        if number == 1 and (both := _in_one_sentence(pool, terms)) is not None:
            return both
        main = _without(pool, terms)
        base = None if main is None else _base(main, terms)
        if base is None:
            continue
        if (extra := _extra_figure(pool, terms, base)) is not None:
            return _added(pool, base, extra, number)
    return None


def _base(main: Pool, terms: Sequence[Term]) -> Calculation | None:
    """What the main thing costs by a sentence or row that does not speak of the extra."""
    for solve in (price_break, rate_times_quantity, single):
        base = solve(main)
        if base is not None and not any(_speaks_of(source, terms) for source in base.sources):
            return base
    return None


def _in_one_sentence(pool: Pool, terms: Sequence[Term]) -> Calculation | None:
    """The two amounts of the best sentence, where one stands with the extra and the other with what it is added to."""
    pick = pool.picks[0] if pool.picks and not multiplying(pool.plan) else None
    money = [figure for figure in figures_of(pick) if figure.quantity.kind == "money"] if pick is not None else []
    if pick is None or pick.unit.cells or len(money) != 2 or money[0].like != money[1].like:
        return None
    if is_condition(pick, terms):
        # `The room costs 98 euros, with breakfast 112`: that is both already.
        return None
    main = [term for term in pool.plan.terms if term.noun and term not in terms]
    for base, extra in (money, reversed(money)):
        own, other = (max((nearness(pick, f.quantity, [t]) for t in terms), default=0.0) for f in (extra, base))
        said = max((nearness(pick, base.quantity, [term]) for term in main), default=0.0)
        if own > max(NEAR, 1.5 * other) and said > NEAR:
            style = style_of(pool.plan, [pick], base.quantity.unit)
            expression = f"{fraction(base.value)} + {fraction(extra.value)}"
            shown = f"{show_number(base.value, style)} + {show_number(extra.value, style)}"
            return Calculation(expression, shown, "total", base.quantity.unit, (pick,), style=style)
    return None


def _extras(plan: Plan) -> list[tuple[list[Term], Decimal]]:
    """What the question names as an extra, as the terms of the question, and how many of it."""
    said = [re.split(r"[,?;.]", match["rest"])[0] for match in WITH.finditer(plan.question)]
    said += [match["extra"] for match in _INCLUDED.finditer(plan.question)]
    found: list[tuple[list[Term], Decimal]] = []
    for extra in said:
        if any(q.kind == "measure" and q.start < 4 for q in find_quantities(extra, plan.language)):
            # `the laptops with 14 inches`: which ones, not what with.
            continue
        keys = {term.key for term in question_terms(extra, plan.language)}
        terms = [
            term
            for term in plan.terms
            if term.key in keys and term.kind in ("word", "name") and term.key not in NUMBER_WORDS
        ]
        if 0 < len(terms) <= 3 and any(term.kind == "word" for term in terms):
            found.append((terms, next((number.value for number in find_numbers(extra, plan.language)), Decimal(1))))
    return found


def _without(pool: Pool, terms: Sequence[Term]) -> Pool | None:
    """The pool of the same question without the extra; None where nothing answers that."""
    part = pool.plan.parts[0]
    joints = [term for term in part.terms if _JOINT.fullmatch(term.written)]
    ranked = tuple(judge_part(pool.evidence, part, without=[*terms, *joints]))
    good = tuple(item for item in ranked[:2] if item.good)
    return Pool(pool.evidence, pool.plan, good, (), ranked) if good else None


def single(pool: Pool) -> Calculation | None:
    """The one amount that the best sentence or row names, as a calculation without an operation."""
    for pick in pool.picks[:2]:
        if any(quantity.kind == "percent" for quantity in pick.unit.quantities):
            continue
        figure = amount_meant(pool, pick)
        if figure is not None:
            style = style_of(pool.plan, [pick], figure.quantity.unit)
            unit = figure.quantity.unit
            return Calculation(
                fraction(figure.value), show_number(figure.value, style), "rate", unit, (pick,), style=style
            )
    return None


def _extra_figure(pool: Pool, terms: Sequence[Term], base: Calculation) -> Figure | None:
    """The amount of the sentence or row that names the extra, in the document of the price before others; None where two differ."""
    documents = {source.seen.document_id for source in base.sources}
    places = {(source.seen.n, source.unit.place) for source in base.sources}
    found: list[tuple[float, Figure]] = []
    for item in judge_part(pool.evidence, pool.plan.parts[0]):
        if (item.seen.n, item.unit.place) in places or not _names_all(item, terms):
            continue
        money = [f for f in figures_of(item) if f.quantity.kind == "money" and f.quantity.unit == base.unit]
        if len(money) == 1:
            found.append((sum(item.credits[term.key] for term in terms), money[0]))
    near = [each for each in found if each[1].pick.seen.document_id in documents] or found
    most = max((named for named, _ in near), default=0.0)
    best = [figure for named, figure in near if named >= most - 0.05]
    return best[0] if len({figure.value for figure in best}) == 1 else None


def _speaks_of(item: Scored, terms: Sequence[Term]) -> bool:
    """True where the price is already one with the extra, or stands beside it in one sentence."""
    bag = Bag(item.unit.text, item.unit.language)
    return all(bag.credit(term) >= NAMED for term in terms)


def _names_all(item: Scored, terms: Sequence[Term]) -> bool:
    return all(item.credits.get(term.key, 0.0) >= NAMED for term in terms)


# `a child seat costs`, `für jeden Einsatz`: the amount is that of one.
_OF_ONE: Final = re.compile(
    r"\b(?:each|every|per|an?|one|jede[nrsm]?|je|pro|eine?[nrms]?|elke?|iedere?|een|chaque|par|une?)\s+[^\W\d_]",
    re.IGNORECASE,
)


def _added(pool: Pool, base: Calculation, extra: Figure, number: Decimal) -> Calculation | None:
    """The extra once, or as often as there are of it and its own unit is asked for (`EUR 9 a night` for three nights)."""
    if number != 1 and not _OF_ONE.search(extra.pick.unit.text[: extra.quantity.start]):
        return None
    sources = unique([*base.sources, extra.pick])
    times = next((q.value for q in multiplying(pool.plan) if q.unit in extra.pers and q.value != number), Decimal(1))
    factors = [factor for factor in (number, times) if factor != 1]
    expression = " * ".join([*map(fraction, factors), fraction(extra.value)])
    shown = " × ".join(show_number(value, base.style) for value in (*factors, extra.value))
    return replace(
        base,
        expression=f"{base.expression} + {expression}",
        shown=f"{base.shown} + {shown}",
        phrase="total",
        sources=sources,
    )
