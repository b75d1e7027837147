"""Figures of several rows of a table put together: `the total weight of the shipments from …`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from famulus.models.providers.extractive.calculation import Calculation
from famulus.models.providers.extractive.evidence import Entry, Evidence
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.periods import fraction
from famulus.models.providers.extractive.plan import Plan
from famulus.models.providers.extractive.terms import Bag, Term
from famulus.text.dates import find_dates
from famulus.text.numbers import find_numbers, show_number
from famulus.text.units import MONEY_WORDS

MOST_ROWS: Final = 20
NAMED: Final = 0.6
_TOTAL: Final = re.compile(
    r"\b(?:total|altogether|together|in all|sum|add(?:s|ed)? up|insgesamt|zusammen|gesamt\w*|summe|samen|totaal|totale|opgeteld|bij elkaar|au total|ensemble|en tout|somme)\b",
    re.IGNORECASE,
)


def rows_total(evidence: Evidence, plan: Plan, picks: Sequence[Scored]) -> Calculation | None:
    """The sum of the column that the question names over the rows that it names; None where that is not plain."""
    first = picks[0].unit
    if not first.cells or not _TOTAL.search(plan.question):
        return None
    headers = [header for header, _ in first.cells]
    rows = {
        entry.unit.text: entry
        for entry in evidence.entries
        if entry.seen.document_id == picks[0].seen.document_id
        and [header for header, _ in entry.unit.cells][:2] == headers[:2]
    }
    column, naming = _column(plan, list(rows.values()))
    if column is None:
        return None
    chosen = _named_rows(plan, list(rows.values()), naming)
    found = [(value, entry) for entry in chosen if (value := _value(entry, column)) is not None]
    if not 2 <= len(found) <= MOST_ROWS or len(found) != len(chosen) or len(chosen) == len(rows):
        return None
    values = [value for value, _ in found]
    numbers = tuple(dict.fromkeys(entry.seen.n for _, entry in found))
    unit = next((MONEY_WORDS[word] for word in re.findall(r"[^\W\d_]+", column.casefold()) if word in MONEY_WORDS), "")
    shown = " + ".join(show_number(value, plan.language) for value in values)
    return Calculation(" + ".join(map(fraction, values)), shown, "total", unit, numbers)


def _column(plan: Plan, rows: Sequence[Entry]) -> tuple[str | None, set[str]]:
    """The column of figures whose header the question names best, and the keys of the words that name it."""
    best: tuple[float, str, set[str]] = (0.0, "", set())
    for header, value in rows[0].unit.cells[1:] if rows else ():
        if not find_numbers(value, None) or find_dates(value):
            continue
        bag = Bag(re.sub(r"[_-]+", " ", header), None)
        naming = {term.key: bag.credit(term) for term in plan.terms if bag.credit(term) >= NAMED}
        if sum(naming.values()) > best[0]:
            best = (sum(naming.values()), header, set(naming))
    return (best[1], best[2]) if best[0] > 0 else (None, set())


def _named_rows(plan: Plan, rows: Sequence[Entry], naming: set[str]) -> list[Entry]:
    """The rows that hold every name that some row holds (of two alternatives, either)."""
    sides = [{term.key for term in side} for side in plan.alternatives]
    kept = list(rows)
    either: list[Entry] = []
    for term in plan.terms:
        holding = [entry for entry in kept if _holds(entry, term)]
        if term.key in naming or term.kind in ("light", "number") or not holding or len(holding) == len(kept):
            continue
        if any(term.key in side for side in sides) and term.kind in ("name", "code"):
            either += [entry for entry in holding if entry not in either]
        else:
            kept = holding
    return either or kept


def _holds(entry: Entry, term: Term) -> bool:
    return Bag(" . ".join(value for _, value in entry.unit.cells), entry.unit.language).credit(term) >= 0.8


def _value(entry: Entry, column: str) -> Decimal | None:
    cell = next((value for header, value in entry.unit.cells if header == column), None)
    numbers = find_numbers(cell, "en") if cell else []
    return numbers[0].value if len(numbers) == 1 else None
