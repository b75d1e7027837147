"""Prices that fall with the number taken: columns or rows of a table (`up to 49`, `from 50`), or a sentence (`from 200 chairs £0.95 each`)."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from typing import Final

from famulus.models.providers.extractive.figures import Calculation, Figure, figures_of, fraction, product, style_of
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.pool import Pool, unique
from famulus.models.providers.extractive.rates import counted_terms, lacks_thing, multiplying
from famulus.models.providers.extractive.terms import Bag
from famulus.text.numbers import find_numbers, show_number
from famulus.text.quantities import Quantity
from famulus.text.units import PIECES

_NUMBER: Final = r"(?P<n>\d[\d.,'’\u00a0\u202f]*\d|\d|[^\W\d_]{3,})"
_FROM: Final = re.compile(
    rf"\b(?:(?P<over>over|above|more than|über|mehr als|boven|meer dan|plus de|au-delà de)|from|at least|starting at|ab|mindestens|vanaf|à partir de|dès|at)\s+(?:orders? of |groups? of |einer? (?:bestellung|menge|gruppe|abnahme) von |een (?:bestelling|groep) van |une commande de )?{_NUMBER}(?P<rest>.*)",
    re.IGNORECASE,
)
_TO: Final = re.compile(
    rf"\b(?:(?P<under>under|below|less than|fewer than|unter|weniger als|onder|minder dan|moins de)|up to|to|bis(?: zu)?|tot(?: en met)?|t/m|jusqu['’]à)\s*{_NUMBER}",
    re.IGNORECASE,
)
_RANGE: Final = re.compile(r"(?P<low>\d+)\s*(?:-|–|to|bis|tot|t/m|à)\s*(?P<high>\d+)", re.IGNORECASE)
_PLUS: Final = re.compile(
    rf"{_NUMBER}\s*(?:[^\W\d_]+\s+)?(?:\+|(?:or|and) more|(?:und|oder) mehr|(?:of|en) meer|(?:et|ou) plus)",
    re.IGNORECASE,
)
_BARE: Final = re.compile(r"\s*(?P<n>\d[\d.,'’]*)(?:\s+[^\W\d_]+)?\s*$")
_HEADS: Final = re.compile(
    r"\b(?:persons?|people|guests?|personen|gäste?n?|gasten|personnes?|kg|km|miles?|days?|tage?n?|dagen|jours?|hours?|stunden|uur|heures?)\b",
    re.IGNORECASE,
)
_REBATE: Final = re.compile(
    r"\b(?:discount|rebate|reduc\w+|cheaper|\w*rabatt|nachlass|günstiger|\w*korting|goedkoper|remise|réduction|rabais)\b",
    re.IGNORECASE,
)
_MORE: Final = re.compile(
    r"\b(?:further|additional|extra|weitere|zusätzliche|darüber|volgende|bijkomende|supplémentaire|beyond|au-delà)\w*\b",
    re.IGNORECASE,
)


def price_break(pool: Pool) -> Calculation | None:
    """The number of the question times the price that holds from so many on."""
    if not any(part.asking.wanted in ("money", "amount") for part in pool.plan.parts):
        return None
    for pick in pool.picks[:3]:
        for asked in _counts(pool):
            found = _columns(pool, pick, asked) if pick.unit.cells else _sentences(pool, pick, asked)
            found = found or (_rows(pool, pick, asked) if pick.unit.cells else None)
            if found is not None:
                return found
    return None


def _counts(pool: Pool) -> list[Quantity]:
    """The numbers of things that the question gives; `for up to 100 users` tells which thing is meant."""
    question = pool.plan.question
    return [
        quantity
        for quantity in multiplying(pool.plan)
        if quantity.kind == "count" and quantity.value > 1 and not _LIMIT.search(question[: quantity.start])
    ]


_LIMIT: Final = re.compile(r"\b(?:up to|bis(?: zu)?|tot|jusqu['’]à|from|ab|vanaf|dès)\s+$", re.IGNORECASE)


@lru_cache(maxsize=2_048)
def _bounds(text: str, *, bare: bool = False) -> tuple[Decimal, Decimal] | None:
    """From which to which number a header or cell holds; None where it names none."""
    if _HEADS.search(text):
        return None
    if match := _RANGE.search(text):
        return Decimal(match["low"]), Decimal(match["high"])
    if (match := _PLUS.search(text)) and (number := _value(match["n"])) is not None:
        return number, Decimal("Infinity")
    if (match := _FROM.search(text)) and (number := _value(match["n"])) is not None:
        return number + (1 if match["over"] else 0), Decimal("Infinity")
    if (match := _TO.search(text)) and (number := _value(match["n"])) is not None:
        return Decimal(0), number - (1 if match["under"] else 0)
    if bare and (match := _BARE.match(text)) and (number := _value(match["n"])) is not None:
        return number, Decimal("Infinity")
    return None


def _value(written: str) -> Decimal | None:
    numbers = find_numbers(written.strip(" .,"), "en")
    return numbers[0].value if numbers else None


def _holding(bounds: Sequence[tuple[tuple[Decimal, Decimal], Figure]], number: Decimal) -> Figure | None:
    """The figure of the narrowest step that holds the number: of `from 50` and `from 200` the higher."""
    fitting = [(low, figure) for (low, high), figure in bounds if low <= number <= high]
    return max(fitting, key=lambda item: item[0])[1] if fitting else None


def _columns(pool: Pool, pick: Scored, asked: Quantity) -> Calculation | None:
    bounds = [
        (bound, figure)
        for figure in figures_of(pick)
        if figure.quantity.kind == "money" and (bound := _bounds(figure.column, bare=True)) is not None
    ]
    plain = [
        figure
        for figure in figures_of(pick)
        if figure.quantity.kind == "money" and _bounds(figure.column, bare=True) is None and not figure.quantity.per
    ]
    if bounds and len(plain) == 1:
        # `Price` beside `from 10 pieces`: that of fewer.
        bounds.append(((Decimal(0), Decimal("Infinity")), plain[0]))
    label = Bag(pick.unit.label, pick.unit.language)
    counted = any(label.credit(term) >= 0.6 for term in counted_terms(pool.plan, asked))
    if len(bounds) < 2 or (lacks_thing(pick) and not counted):
        return None
    figure = _holding(bounds, asked.value)
    return _product(pool, figure, asked, [pick]) if figure is not None else None


def _rows(pool: Pool, pick: Scored, asked: Quantity) -> Calculation | None:
    """Rows of one table that each hold for a range of numbers."""
    rows = [
        item
        for item in pool.of_document(pick.seen.document_id)
        if item.unit.cells and [header for header, _ in item.unit.cells] == [header for header, _ in pick.unit.cells]
    ]
    named = [term for term in pool.plan.terms if term.kind in ("word", "name", "code")]
    bounds: list[tuple[tuple[Decimal, Decimal], Figure]] = []
    for row in rows:
        steps = [
            bound for _, value in row.unit.cells if len(value.split()) <= 4 and (bound := _bounds(value)) is not None
        ]
        money = [figure for figure in figures_of(row) if figure.quantity.kind == "money"]
        if len(money) > 1:
            best = max(sum(Bag(f.column, row.unit.language).credit(term) for term in named) for f in money)
            money = [f for f in money if sum(Bag(f.column, row.unit.language).credit(t) for t in named) == best > 0]
        if len(steps) == 1 and len(money) == 1:
            bounds.append((steps[0], money[0]))
    figure = _holding(bounds, asked.value) if len(bounds) > 1 else None
    return _product(pool, figure, asked, [figure.pick]) if figure is not None else None


def _sentences(pool: Pool, pick: Scored, asked: Quantity) -> Calculation | None:
    """A price and, in the same sentence or the next, the one that holds from a number on."""
    if lacks_thing(pick):
        return None
    following = [
        item
        for item in pool.ranked
        if item.seen.n == pick.seen.n and item.unit.block == pick.unit.block and item.unit.place == pick.unit.place + 1
    ]
    bounds: list[tuple[tuple[Decimal, Decimal], Figure]] = []
    for item in (pick, *following):
        for start, clause in _clauses(item.unit.text):
            money = [
                figure
                for figure in figures_of(item)
                if figure.quantity.kind == "money" and start <= figure.quantity.start < start + len(clause)
            ]
            bound = _bound_of_things(pool, clause, asked)
            if bound is not None and len(money) == 1 and not _MORE.search(clause):
                bounds.append((bound, money[0]))
            elif bound is None and money and item is pick and not bounds:
                bounds.append(((Decimal(0), Decimal("Infinity")), _nearest(pool, money, asked)))
    figure = _holding(bounds, asked.value) if len(bounds) > 1 else None
    if figure is None or bounds[0][1].like != figure.like:
        return None
    return _product(pool, figure, asked, [pick, figure.pick])


def _nearest(pool: Pool, money: Sequence[Figure], asked: Quantity) -> Figure:
    terms = counted_terms(pool.plan, asked)

    def apart(figure: Figure) -> int:
        text = figure.pick.unit.text
        places = [
            abs(word.start() - figure.quantity.start)
            for word in re.finditer(r"[\w-]+", text)
            if any(Bag(word.group(), figure.pick.unit.language).credit(term) >= 0.8 for term in terms)
        ]
        return min(places, default=1_000)

    return min(money, key=apart)


def _clauses(text: str) -> list[tuple[int, str]]:
    cuts = [
        0,
        *(m.end() for m in re.finditer(r"[;:]\s|,\s(?=[^\d])|\s(?:and|but|und|aber|en|maar|et|mais)\s", text)),
        len(text),
    ]
    return [(a, text[a:b]) for a, b in itertools.pairwise(cuts)]


def _bound_of_things(pool: Pool, clause: str, asked: Quantity) -> tuple[Decimal, Decimal] | None:
    """The least number that a clause names of what the question counts."""
    match = _FROM.search(clause) or _PLUS.search(clause)
    bound = _bounds(clause) if match is not None else None
    if match is None or bound is None:
        return None
    following = re.findall(r"[^\W\d_]+", clause[match.start("n") :])[:3]
    noun = Bag(" ".join(following))
    terms = counted_terms(pool.plan, asked)
    things = any(word.casefold() in PIECES for word in following) or any(noun.credit(term) >= 0.6 for term in terms)
    return bound if things else None


def _product(pool: Pool, figure: Figure, asked: Quantity, sources: Sequence[Scored]) -> Calculation:
    return product(pool.plan, [figure.value, asked.value], figure.quantity.unit, unique(list(sources)))


def with_rebate(pool: Pool, calculation: Calculation) -> Calculation:
    """The same less the discount that its document gives from so many on."""
    if not calculation.sources or re.search(
        r"\b(?:without|ohne|zonder|sans) (?:the |den |de |la )?(?:discount|rabatt|korting|remise|nachlass)",
        pool.plan.question,
        re.IGNORECASE,
    ):
        return calculation
    for item in pool.of_document(calculation.sources[0].seen.document_id):
        percents = [quantity for quantity in item.unit.quantities if quantity.kind == "percent"]
        if len(percents) != 1 or not _REBATE.search(item.unit.text) or item.unit.cells:
            continue
        for asked in _counts(pool):
            bound = _bound_of_things(pool, item.unit.text, asked)
            if bound is None or not bound[0] <= asked.value <= bound[1]:
                continue
            sources = unique([*calculation.sources, item])
            style = style_of(pool.plan, sources, calculation.unit)
            rate = percents[0].value
            return replace(
                calculation,
                expression=f"({calculation.expression}) * (100 - {fraction(rate)}) / 100",
                shown=f"{calculation.shown} × (100 - {show_number(rate, style)}) / 100",
                sources=sources,
            )
    return calculation
