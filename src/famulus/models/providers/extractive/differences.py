"""Differences of two figures: of two things, of two years, of a plan and what it came to, and what is left of an amount."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import Final

from famulus.models.providers.extractive.cells import cell_at
from famulus.models.providers.extractive.figures import (
    Calculation,
    Figure,
    difference,
    figures_of,
    nearness,
    telling_terms,
)
from famulus.models.providers.extractive.growth import between_rows, between_years
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.plan import Plan
from famulus.models.providers.extractive.pool import Pool, unique
from famulus.models.providers.extractive.rates import multiplying
from famulus.models.providers.extractive.rises import RISES
from famulus.models.providers.extractive.sums import AGAINST
from famulus.models.providers.extractive.terms import Bag, Term
from famulus.text.quantities import Quantity

BY_HOW_MUCH: Final = re.compile(
    r"\b(?:by how (?:much|many)|um wie ?viele?|um welchen betrag|met hoeveel|de combien|how (?:much|many) (?:\w+ ){0,2}(?:more|less|fewer|over|under|above|below|longer|higher|cheaper|later)|"
    r"wie ?viele? (?:\w+ ){0,2}(?:mehr|weniger|teurer|billiger|günstiger|länger|höher)|hoeveel (?:\w+ ){0,2}(?:meer|minder|duurder|goedkoper|langer|hoger)|combien (?:d['’]|de )?(?:\w+ ){0,2}(?:de )?(?:plus|moins)|"
    r"(?:what|was|wat|combien) (?:does|do|is|kostet|kosten|zahlt|kost|betaalt|coûte|paie)\b.{0,60}\b(?:more|less|mehr|weniger|meer|minder|plus|moins) (?:than|als|dan|que)|"
    rf"difference|unterschied|verschil|différence)\b|{RISES.pattern}",
    re.IGNORECASE,
)


# What a plan or a limit is called that the real figure is compared with.
_REFERENCE: Final = re.compile(
    r"\b(?:budget(?:ed)?|planned|plan|estimate[ds]?|quot(?:e|ed|ation)|target|forecast|offer|limit|year before|last year|previous|veranschlagt|budgetiert|geplant|offerte|kostenvoranschlag|vorjahr\w*|begroot|begroting|geraamd|raming|"
    r"vorig jaar|prévue?s?|budgétée?s?|devis|estimée?s?|objectif|année précédente)\b",
    re.IGNORECASE,
)


# What a figure does to its plan is no thing that a sentence must name.
_PASSING: Final = re.compile(
    r"exceed\w*|over(?:run|ran|shot)|went|missed|beat|came|stayed|überschritten|überschreit\w*|überzogen|unterschritten|gelegen|overschre\w*|onderschre\w*|uitgekomen|dépass\w*|excéd\w*",
    re.IGNORECASE,
)


def difference_of_sides(pool: Pool) -> Calculation | None:
    pair = compared_values(pool.plan, pool.picks) or compared_values(pool.plan, pool.all)
    if pair is None:
        return change(pool)
    (a, first), (b, second) = pair
    return None if a.value == b.value else difference(pool.plan, Figure(a, first), Figure(b, second))


def change(pool: Pool) -> Calculation | None:
    """`rises from CHF 180 to CHF 220`, `612,400 against 574,900`: two figures of one sentence; else the figure and its plan or limit."""
    if not BY_HOW_MUCH.search(pool.plan.question):
        return None
    if (calculation := between_years(pool) or between_rows(pool)) is not None:
        return calculation
    for pick in pool.picks[:2]:
        figures = [
            figure
            for figure in figures_of(pick)
            if figure.quantity.kind in ("money", "percent", "measure", "count", "time")
        ]
        pair = _contrasted(pick, figures) or (figures if len(figures) == 2 else [])
        if len(pair) == 2 and pair[0].like == pair[1].like and pair[0].value != pair[1].value:
            return difference(pool.plan, *pair)
    return _with_reference(pool)


_LEFT: Final = re.compile(
    r"\b(?:left|remain\w*|still (?:to|has|have|open|missing)|net of|after (?:\w+ ){0,4}(?:grant|subsidy|contribution|deduction|refund|payment|advance)|nach (?:\w+ ){0,3}(?:zuschuss|beitrag|abzug|anzahlung)|übrig|verbleib\w*|bleib\w*|blieb\w*|fehl\w*|noch (?:offen|zu zahlen)|over|overblijv\w*|blijft|bleef|resteert|reste\w*|restant\w*)\b",
    re.IGNORECASE,
)


def left_over(pool: Pool) -> Calculation | None:
    """`How much of the loss is left after the grant?`: the two amounts of the best sentence, one less the other."""
    if not _LEFT.search(pool.plan.question) or any(q.kind in ("money", "percent") for q in pool.plan.quantities):
        return None
    if pool.picks and (part := _part_of(pool.picks[0])) is not None:
        return difference(pool.plan, *part)
    if _REFERENCE.search(pool.plan.question) and (calculation := _with_reference(pool)) is not None:
        return calculation
    nouns = [term for term in telling_terms(pool.plan) if term.noun and not _LEFT.search(term.written)]
    found: list[tuple[int, Figure, Figure]] = []
    for pick in unique([*pool.picks[:1], *pool.ranked[:8]]):
        figures = [figure for figure in figures_of(pick) if figure.quantity.kind in ("money", "percent")]
        if pick.unit.cells or len(figures) != 2 or figures[0].like != figures[1].like or pick.lacks_mark:
            continue
        if figures[0].like[0] == "money" and figures[0].value != figures[1].value:
            named = sum(pick.credits.get(term.key, 0.0) >= 0.6 for term in nouns)
            if pick in pool.picks or named >= 2:
                found.append((named, figures[0], figures[1]))
    best = max(found, key=lambda item: item[0], default=None)
    return None if best is None else difference(pool.plan, best[1], best[2])


_SURPLUS: Final = re.compile(
    r"\b(?:surplus|profit|deficit|loss|überschuss|gewinn|fehlbetrag|verlust|defizit|overschot|winst|tekort|verlies|excédent|bénéfice|déficit|perte)\b",
    re.IGNORECASE,
)
_COMES_IN: Final = re.compile(
    r"\b(?:income|receipts|revenues?|takings|earned|came in|einnahmen|erträge|eingenommen|umsatz|inkomsten|ontvangsten|opbrengst(?:en)?|omzet|recettes|revenus|produits)\b",
    re.IGNORECASE,
)
_GOES_OUT: Final = re.compile(
    r"\b(?:expenses|expenditure|spending|costs?|spent|paid out|ausgaben|aufwand|aufwendungen|kosten|ausgegeben|uitgaven|lasten|uitgegeven|dépenses|charges|frais)\b",
    re.IGNORECASE,
)


def surplus(pool: Pool) -> Calculation | None:
    """What came in less what went out, where a sentence gives both and the question wants what is over or lacking."""
    if not _SURPLUS.search(pool.plan.question) or multiplying(pool.plan):
        return None
    for pick in unique([*pool.picks, *pool.ranked[:12]]):
        text = pick.unit.text
        money = [figure for figure in figures_of(pick) if figure.quantity.kind == "money" and not figure.column]
        told = _COMES_IN.search(text) and _GOES_OUT.search(text) and not _SURPLUS.search(text)
        if told and len(money) == 2 and money[0].like == money[1].like and money[0].value != money[1].value:
            return difference(pool.plan, *money)
    return None


_NOT: Final = re.compile(
    r"\b(?:not|no|were(?:n['’]t)|nicht|kein\w*|niet|geen|n['’]\w+ (?:pas|aucun)|ne|pas)\b", re.IGNORECASE
)
_OF_WHICH: Final = re.compile(
    r"\b(?:of which|of whom|of them|of these|davon|von denen|darunter|waarvan|van wie|daarvan|dont|parmi lesquel\w+)\b",
    re.IGNORECASE,
)


def the_others(pool: Pool) -> Calculation | None:
    """`151 calls, of which 62 were false alarms`: how many were not."""
    if not _NOT.search(pool.plan.question) or multiplying(pool.plan) or not pool.picks:
        return None
    pick = pool.picks[0]
    counts = [
        f for f in figures_of(pick) if f.quantity.kind == "count" and not f.column and not 1900 <= f.value <= 2100
    ]
    if len(counts) != 2 or counts[0].value <= counts[1].value:
        return None
    between = pick.unit.text[counts[0].quantity.end : counts[1].quantity.start]
    after = Bag(pick.unit.text[counts[1].quantity.end :], pick.unit.language)
    told = any(after.credit(term) >= 0.6 for term in telling_terms(pool.plan))
    return difference(pool.plan, *counts) if _OF_WHICH.search(between) and told else None


_OF_ALL: Final = re.compile(
    r"\s(?:[^\W\d_]+\s)?(?:of|out of|von|der|van|sur)\s(?:the |our |den |de |les )?", re.IGNORECASE
)


def _part_of(pick: Scored) -> tuple[Figure, Figure] | None:
    """The two numbers of `38,000 of 52,000 contracts`; None where a sentence has no such pair."""
    counts = [figure for figure in figures_of(pick) if figure.quantity.kind == "count" and not figure.column]
    for some, every in itertools.pairwise(counts):
        between = pick.unit.text[some.quantity.end : every.quantity.start]
        bare = pick.unit.text[some.quantity.start : every.quantity.start]
        if every.value > some.value and (
            _OF_ALL.fullmatch(between) or _OF_ALL.fullmatch(re.sub(r"^[\d.,'’]+", "", bare))
        ):
            return every, some
    return None


def _contrasted(pick: Scored, figures: Sequence[Figure]) -> list[Figure]:
    """Two neighbouring figures with a word of contrast between them or before the first."""
    for a, b in itertools.pairwise(figures):
        between = pick.unit.text[a.quantity.end : b.quantity.start]
        before = pick.unit.text[max(0, a.quantity.start - 12) : a.quantity.start]
        near = len(between) <= 60 and not re.search(r"[.;]\s", between)
        if near and a.like == b.like and (AGAINST.search(between) or re.search(r"\b(?:from|von|van|de)\b", before)):
            return [a, b]
    return []


def _with_reference(pool: Pool) -> Calculation | None:
    """What was planned and what it became, in two sentences that speak of the same thing."""
    if not _REFERENCE.search(pool.plan.question):
        return None
    telling = [
        term
        for term in telling_terms(pool.plan)
        if not _REFERENCE.fullmatch(term.written)
        and not _PASSING.fullmatch(term.written)
        and not _LEFT.search(term.written)
    ]
    planned: list[tuple[int, Figure]] = []
    real: list[tuple[int, Figure]] = []
    for item in unique([*pool.picks, *pool.ranked[:25]]):
        bag = Bag(_with_block(pool, item), item.unit.language)
        near = sum(bag.credit(term) >= 0.6 for term in telling)
        about = near + sum(item.credits.get(term.key, 0.0) >= 0.6 for term in telling)
        money = [figure for figure in figures_of(item) if figure.quantity.kind == "money" and not figure.column]
        for figure in money if near >= min(2, len(telling)) else []:
            clause = re.split(r"[;,]\s", item.unit.text[max(0, figure.quantity.start - 60) : figure.quantity.end + 20])[
                -1
            ]
            if _REFERENCE.search(clause):
                planned.append((about, figure))
            elif len(money) == 1:
                real.append((about, figure))
    a, b = _most_about(planned, pool.picks), _most_about(real, pool.picks)
    return (
        difference(pool.plan, a, b)
        if a is not None and b is not None and a.like == b.like and a.value != b.value
        else None
    )


def _with_block(pool: Pool, item: Scored) -> str:
    """The sentence after the ones before it in its paragraph, and its headings: what it speaks of."""
    before = [
        other.unit
        for other in pool.ranked
        if other.seen.n == item.seen.n and other.unit.block == item.unit.block and other.unit.place < item.unit.place
    ]
    texts = [unit.text for unit in sorted(before, key=lambda unit: unit.place)[-3:]]
    return " ".join((*item.unit.headings[-1:], *texts, item.unit.text))


def _most_about(found: Sequence[tuple[int, Figure]], picks: Sequence[Scored]) -> Figure | None:
    """The figure whose sentence covers most, a quoted one before others; None where two figures cover as much."""
    if not found:
        return None
    most = max(about for about, _ in found)
    best = [figure for about, figure in found if about == most]
    best = [figure for figure in best if figure.pick in picks] or best
    return best[0] if len({figure.value for figure in best}) == 1 else None


def compared_values(
    plan: Plan, picks: Sequence[Scored]
) -> tuple[tuple[Quantity, Scored], tuple[Quantity, Scored]] | None:
    """The figure of each side: in two units the one that stands for the same thing, in one unit those next to each side's words."""
    if len(plan.alternatives) != 2 or not picks:
        return None
    if (columns := _columns_compared(plan, picks[0])) is not None:
        return columns
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


def _columns_compared(plan: Plan, row: Scored) -> tuple[tuple[Quantity, Scored], tuple[Quantity, Scored]] | None:
    """Where the sides are two columns of the best row (`guests` and `members`), its cells in these."""
    figures = [figure for figure in figures_of(row) if figure.column]
    found: list[Figure] = []
    for side in reversed(plan.alternatives):
        taken = {figure.column for figure in found}
        # What is compared may stand far from the `than`: any other word of the question may name the first column.
        for terms in (side, [term for term in plan.terms if term not in plan.alternatives[1]]):
            meant = [figure for figure in figures if figure.column not in taken and _heads(figure, terms)]
            if len(meant) == 1:
                found += meant
                break
    if len(found) != 2 or found[0].like != found[1].like:
        return None
    return (found[1].quantity, row), (found[0].quantity, row)


def _heads(figure: Figure, terms: Sequence[Term]) -> bool:
    return any(Bag(figure.column, figure.pick.unit.language).credit(term) >= 0.85 for term in terms)


def _comparable(plan: Plan, pick: Scored) -> list[Quantity]:
    asked = {quantity.value for quantity in plan.quantities}
    found = [
        figure.quantity
        for figure in figures_of(pick)
        if figure.quantity.kind in ("money", "measure", "time", "percent", "count")
    ]
    if pick.unit.cells:
        # In a row the column tells which figure is meant: the one whose header the question names.
        # Of headers that hold the same words of the question the shortest (`Day`, not `Half day`).
        rated = [
            (
                sum(Bag(header, pick.unit.language).credit(term) for term in plan.terms) - 0.05 * len(header.split()),
                header,
            )
            for header, value in pick.unit.cells[1:]
            if re.search(r"\d", value)
        ]
        best = max(rated, default=(0.0, ""), key=lambda item: item[0])[1]
        found = [quantity for quantity in found if (cell_at(pick.unit, quantity.start) or ("", ""))[0] == best]
    return [quantity for quantity in found if quantity.value not in asked]
