"""Sums of the prices that a question names together, and an amount of another period."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from famulus.models.providers.extractive.content import in_span, sums_up
from famulus.models.providers.extractive.figures import (
    Calculation,
    Figure,
    closeness,
    described,
    figures_of,
    fraction,
    nearness,
    shown_unit,
    style_of,
    telling_terms,
)
from famulus.models.providers.extractive.judge import Scored, judge_part
from famulus.models.providers.extractive.periods import asked_period, converted_rate
from famulus.models.providers.extractive.phrases import PERIODS
from famulus.models.providers.extractive.plan import Plan
from famulus.models.providers.extractive.pool import Pool, unique
from famulus.models.providers.extractive.rates import NEAR, counted_terms, multiplying
from famulus.models.providers.extractive.terms import Bag, Term
from famulus.text.numbers import show_number
from famulus.text.units import PER_YEAR

AGAINST: Final = re.compile(
    r"\b(?:against|compared (?:to|with)|instead of|rather than|up from|down from|not|from|previously|before|was|were|after|gegenüber|gegen|statt|anstatt|nicht|von|zuvor|bisher|vorher|nach|tegenover|tegen|in plaats van|niet|van|eerder|"
    r"contre|au lieu d|plutôt que|non|de|auparavant|passe)\b",
    re.IGNORECASE,
)


def sum_of_sides(pool: Pool) -> Calculation | None:
    """Two or more amounts of one currency, each brought to the period that is asked for (or to that of the first)."""
    plan = pool.plan
    amounts = _amounts_of_picks(pool) or _side_amounts(pool)
    if len(amounts) < 2:
        return None
    units = {figure.like for figure in amounts}
    if len(units) != 1:
        return None
    asked = asked_period(plan)
    period = asked or next((figure.quantity.per for figure in amounts if figure.quantity.per in PER_YEAR), None)
    sources = unique([figure.pick for figure in amounts])
    style = style_of(plan, sources, shown_unit(amounts[0].quantity))
    expressions: list[str] = []
    shown: list[str] = []
    for figure in amounts:
        quantity = figure.quantity
        converted = converted_rate(quantity, period, style) if period and quantity.per in PER_YEAR else None
        expression = converted[0] if converted else fraction(quantity.value)
        written = converted[1] if converted else show_number(quantity.value, style)
        if (number := _how_many(pool, figure)) != 1:
            expression, written = f"{fraction(number)} * {expression}", f"{show_number(number, style)} × {written}"
        expressions.append(expression)
        shown.append(written)
    return Calculation(
        " + ".join(expressions), " + ".join(shown), "total", shown_unit(amounts[0].quantity), sources, style=style
    )


def _how_many(pool: Pool, figure: Figure) -> Decimal:
    """`three warm meals and a bowl of soup`: how many of the thing of this figure the question counts; `15 km` of a price per kilometre."""
    measured = [q.value for q in multiplying(pool.plan) if q.kind in ("time", "measure") and q.unit in figure.pers]
    if len(measured) == 1 and figure.quantity.per not in PER_YEAR:
        return measured[0]
    if figure.quantity.kind != "money":
        return Decimal(1)
    rated: list[tuple[float, Decimal]] = []
    for quantity in multiplying(pool.plan):
        terms = counted_terms(pool.plan, quantity) if quantity.kind == "count" else []
        near = [nearness(figure.pick, figure.quantity, [term]) for term in terms]
        if near and min(near) > NEAR:
            rated.append((sum(near) / len(near), quantity.value))
    return max(rated)[1] if rated else Decimal(1)


def _side_amounts(pool: Pool) -> list[Figure]:
    """For each side the amount that its words name: in the quoted sentences, else in the best sentence for that side."""
    plan, part = pool.plan, pool.plan.parts[0]
    sides = plan.alternatives
    found: list[Figure] = []
    for index, side in enumerate(sides):
        naming = [term for term in side if not in_span(plan, term)] or side
        others = [
            term for number, other in enumerate(sides) if number != index for term in other if term.kind != "name"
        ]
        shared = [term for term in plan.terms if term not in side and term not in others]
        ranked = judge_part(pool.evidence, part, must=side, without=others)
        candidates = [
            *(pick for pick in pool.picks if _speaks(pick, side)),
            *(item for item in ranked[:4] if item.holds(0.1) and _speaks(item, side)),
        ]
        best: tuple[float, Figure] | None = None
        for rank, item in enumerate(unique(candidates)[:5]):
            for figure in _addable(pool, item, {figure.like for figure in found}):
                worth = (
                    (
                        closeness(figure, naming)
                        if item.unit.cells
                        else sum(nearness(item, figure.quantity, [term]) for term in naming)
                    )
                    + 0.5 * closeness(figure, shared)
                    + 0.5 * _labelled(plan, item)
                    - 0.15 * rank
                )
                if _used(figure, found) or (best is not None and worth <= best[0]):
                    continue
                best = (worth, figure)
        if best is None:
            return []
        found.append(best[1])
    return found


def _labelled(plan: Plan, item: Scored) -> float:
    """How much of the question names a row: `two adults and three children for a single ticket` means one row for both."""
    label = Bag(item.unit.label, item.unit.language)
    return sum(label.credit(term) for term in plan.terms if term.kind != "light") if item.unit.cells else 0.0


def _used(figure: Figure, found: Sequence[Figure]) -> bool:
    return any(
        figure.pick.seen.n == other.pick.seen.n
        and figure.pick.unit.place == other.pick.unit.place
        and figure.quantity.start == other.quantity.start
        for other in found
    )


def _speaks(item: Scored, side: Sequence[Term]) -> bool:
    return any(item.credits.get(term.key, 0.0) >= 0.6 for term in side)


def _addable(pool: Pool, item: Scored, likes: set[tuple[str, str]]) -> list[Figure]:
    wanted = {part.asking.wanted for part in pool.plan.parts}
    order = ("money",) if "money" in wanted else ("money", "measure", "time", "percent", "count")
    figures = [
        figure for figure in figures_of(item) if figure.quantity.kind in order and (not likes or figure.like in likes)
    ]
    if item.unit.cells and "money" not in wanted:
        # `How many processor cores`: the column that is named, whatever else the row measures.
        head = [term for term in pool.plan.terms if term.kind == "word"]
        named = [f for f in figures if max((Bag(f.column, None).credit(term) for term in head), default=0.0) >= 0.85]
        figures = named or figures
    if figures and not likes and "money" not in wanted:
        first = min(order.index(figure.quantity.kind) for figure in figures)
        figures = [figure for figure in figures if figure.quantity.kind == order[first]]
    period = asked_period(pool.plan)
    same = [figure for figure in figures if figure.quantity.per == period] if period else []
    return same or figures


def _amounts_of_picks(pool: Pool) -> list[Figure]:
    """Where as many sentences are quoted as there are sides, the one amount of each; of one sentence its amounts, where it has as many."""
    number = len(pool.plan.alternatives)
    if len(pool.picks) == 1:
        figures = _addable(pool, pool.picks[0], set())
        return figures if len(figures) == number and not pool.picks[0].unit.cells else []
    found: list[Figure] = []
    for pick in pool.picks[:number]:
        figures = _addable(pool, pick, {figure.like for figure in found})
        if len(figures) != 1 or any(figures[0].quantity == other.quantity for other in found):
            return []
        found += figures
    return found if len(found) == number else []


_ALL: Final = re.compile(
    r"\b(?:in total|altogether|all in all|the total|total of|insgesamt|gesamthaft|zusammen|alles zusammen|in totaal|bij elkaar|alles samen|samen|au total|en tout|le total|tout compris|toutes? .{3,30} compris\w*)\b",
    re.IGNORECASE,
)


def of_sentence(pool: Pool) -> Calculation | None:
    """All amounts that the best sentence lists, where the question wants their total and names none of them alone."""
    if not _ALL.search(pool.plan.question) or not pool.picks or pool.plan.quantities:
        return None
    pick = next((pick for pick in pool.picks[:2] if len(_money(pick)) > 1), pool.picks[0])
    money = _money(pick)
    others = [figure for figure in figures_of(pick) if figure.quantity.kind not in ("money", "time")]
    if pick.unit.cells or len(money) < 2 or others or len({figure.like for figure in money}) != 1:
        return None
    joints = [pick.unit.text[a.quantity.end : b.quantity.start] for a, b in itertools.pairwise(money)]
    if any(len(joint) > 60 or (AGAINST.search(joint) and " de " not in joint) for joint in joints):
        return None
    tail = Bag(pick.unit.text[money[0].quantity.end :], pick.unit.language)
    head = Bag(pick.unit.text[: money[0].quantity.start], pick.unit.language)
    part = pool.plan.parts[0]
    telling = [term for term in telling_terms(pool.plan) if not sums_up(part, term)]
    if any(tail.credit(term) > max(0.5, head.credit(term)) for term in telling):
        return None
    style = style_of(pool.plan, [pick], money[0].quantity.unit)
    expression = " + ".join(fraction(figure.value) for figure in money)
    shown = " + ".join(show_number(figure.value, style) for figure in money)
    return Calculation(expression, shown, "total", money[0].quantity.unit, (pick,), style=style)


def _money(pick: Scored) -> list[Figure]:
    return [figure for figure in figures_of(pick) if figure.quantity.kind == "money"]


def other_period(pool: Pool) -> Calculation | None:
    """A monthly amount for a year, a yearly one for a month."""
    plan = pool.plan
    wanted = asked_period(plan)
    if wanted is None:
        return None
    telling = telling_terms(plan)
    for pick in pool.picks[:3]:
        money = [figure for figure in figures_of(pick) if figure.quantity.kind == "money"]
        if any(figure.quantity.per == wanted for figure in money):
            return None
        for figure in sorted(money, key=lambda figure: -closeness(figure, telling) - described(plan, figure)):
            style = style_of(plan, [pick], figure.quantity.unit)
            per = next((per for per in figure.pers if per in PER_YEAR and per != "day"), None)
            converted = converted_rate(replace(figure.quantity, per=per), wanted, style)
            if converted is None:
                continue
            expression, shown = converted
            if (number := _how_many(pool, figure)) != 1:
                expression, shown = f"{fraction(number)} * {expression}", f"{show_number(number, style)} × {shown}"
            values = (("period", PERIODS[plan.language][wanted]),)
            return Calculation(expression, shown, "periods", figure.quantity.unit, (pick,), values, style)
    return None
