"""A figure of one year against that of another (`48,600 passengers in 2025 … in 2024 it carried 44,200`), and a part of a whole in per cent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from famulus.models.providers.extractive.figures import (
    Calculation,
    Figure,
    difference,
    figures_of,
    fraction,
    style_of,
    telling_terms,
)
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.pool import Pool
from famulus.models.providers.extractive.terms import Bag, Term
from famulus.models.providers.extractive.year_before import YEAR_BEFORE
from famulus.text.numbers import show_number

_OF_WHOM: Final = re.compile(
    r"\b(?:of (?:whom|which|these|those|them)|including|among (?:them|these)|davon|darunter|von denen|wovon|waarvan|onder wie|van wie|dont|parmi)\b",
    re.IGNORECASE,
)
_YEARS: Final = range(1900, 2101)


def between_years(pool: Pool) -> Calculation | None:
    """The figure of one year less that of the other, each in its own sentence or both in one."""
    question = pool.plan.question
    years = [int(year) for year in re.findall(r"\b(?:19|20)\d\d\b", question)]
    before = YEAR_BEFORE.search(question) is not None
    if not years or len(years) + before < 2:
        return None
    if (columns := _between_columns(pool, years[0], years[0] - 1 if before else years[1])) is not None:
        return columns
    terms = [term for term in telling_terms(pool.plan) if term.kind == "word" and not YEAR_BEFORE.search(term.written)]
    for pick in pool.all[:4]:
        later = _of_year(pick, years[0], terms)
        if later is None:
            continue
        for other in (pick, *pool.beside(pick, 2)):
            earlier = _earlier(other, None if before else years[1], later, terms)
            if earlier is not None and earlier.value != later.value:
                return difference(pool.plan, later, earlier)
    return None


def _between_columns(pool: Pool, year: int, other: int) -> Calculation | None:
    """The best row in the columns of the two years (`2024`, `2024/25`); None where it has no such two."""
    for pick in pool.picks[:1]:
        of_year = {
            int(match.group()): figure
            for figure in figures_of(pick)
            if figure.column and (match := re.search(r"\b(?:19|20)\d\d\b", figure.column))
        }
        later, earlier = of_year.get(year), of_year.get(other)
        if later is not None and earlier is not None and later.like == earlier.like and later.value != earlier.value:
            return difference(pool.plan, later, earlier)
    return None


def between_rows(pool: Pool) -> Calculation | None:
    """The difference in the column that the question names between the two rows of which it gives name or code."""
    codes = [term for term in pool.plan.terms if term.kind == "code"]
    named = [term for term in telling_terms(pool.plan) if term.kind == "word"]
    if len(codes) != 2:
        return None
    found: list[Figure] = []
    for code in codes:
        rows = [item for item in pool.ranked if item.unit.cells and Bag(item.unit.label).credit(code) >= 0.95]
        figures = [
            figure
            for figure in (figures_of(rows[0]) if len(rows) == 1 else [])
            if any(Bag(re.sub(r"[_-]", " ", figure.column)).credit(term) >= 0.8 for term in named)
        ]
        found += figures if len(figures) == 1 else []
    if len(found) != 2 or found[0].like != found[1].like or found[0].column != found[1].column:
        return None
    return difference(pool.plan, found[0], found[1])


def _counts(item: Scored) -> list[Figure]:
    return [
        figure
        for figure in figures_of(item)
        if figure.quantity.kind in ("count", "money", "measure")
        and not (figure.quantity.kind == "count" and figure.value in _YEARS)
    ]


def _of_year(item: Scored, year: int, terms: list[Term]) -> Figure | None:
    """The first figure after the year, in a sentence that names what is counted."""
    text = item.unit.text
    place = re.search(rf"\b{year}\b", text)
    bag = Bag(text, item.unit.language)
    if place is None or item.unit.cells or not any(bag.credit(term) >= 0.6 for term in terms):
        return None
    counts = _counts(item)
    after = [figure for figure in counts if figure.quantity.start > place.end()]
    return (after or counts or [None])[0]


def _earlier(item: Scored, year: int | None, later: Figure, terms: list[Term]) -> Figure | None:
    text = item.unit.text
    place = YEAR_BEFORE.search(text) if year is None else re.search(rf"\b{year}\b", text)
    if place is None:
        return None
    counts = [
        figure
        for figure in _counts(item)
        if figure.like == later.like
        and (figure.pick is not later.pick or figure.quantity.start != later.quantity.start)
    ]
    clause = [
        figure
        for figure in counts
        if not re.search(
            r"[.;]\s", text[min(place.end(), figure.quantity.start) : max(place.start(), figure.quantity.start)]
        )
    ]
    near = sorted(clause, key=lambda figure: abs(figure.quantity.start - place.start()))
    return near[0] if near else None


def part_of_whole(pool: Pool) -> Calculation | None:
    """`48,600 passengers, of whom 17,010 were schoolchildren`: the part in per cent of the whole."""
    for item, whole, part in _wholes(pool):
        style = style_of(pool.plan, [item], whole.quantity.unit)
        shown = f"{show_number(part.value, style)} / {show_number(whole.value, style)} × 100"
        expression = f"{fraction(part.value)} / {fraction(whole.value)} * 100"
        return Calculation(expression, shown, "rate", "%", (item,), style=style)
    return None


def _wholes(pool: Pool) -> Iterator[tuple[Scored, Figure, Figure]]:
    """Sentences that name a whole and the part of it that the question means."""
    terms = [term for term in telling_terms(pool.plan) if term.kind == "word"]
    for item in pool.ranked[:8]:
        joint = _OF_WHOM.search(item.unit.text)
        bag = Bag(item.unit.text, item.unit.language)
        if joint is None or item.unit.cells or item.lacks_mark or not terms:
            continue
        if sum(bag.credit(term) >= 0.6 for term in terms) < max(1, len(terms) - 1):
            continue
        counts = _counts(item)
        wholes = [figure for figure in counts if figure.quantity.end <= joint.start()]
        parts = (
            [figure for figure in counts if figure.quantity.start >= joint.end() and figure.like == wholes[-1].like]
            if wholes
            else []
        )
        if len(parts) > 1:
            parts = [part for part in parts if any(_follows(part, term) for term in terms)]
        if len(parts) == 1 and parts[0].value < wholes[-1].value:
            yield item, wholes[-1], parts[0]


def _follows(figure: Figure, term: Term) -> bool:
    after = re.split(r"[,;]|\s(?:and|und|en|et)\s", figure.pick.unit.text[figure.quantity.start :][:60])[0]
    return Bag(after, figure.pick.unit.language).credit(term) >= 0.6
