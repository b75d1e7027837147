"""A calculation as the tool gets it and as people see it, and what all kinds of it share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from famulus.models.providers.extractive.holds import cell_at
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.phrases import Phrase
from famulus.models.providers.extractive.plan import Plan
from famulus.models.providers.extractive.terms import Bag, Term
from famulus.text.numbers import show_number
from famulus.text.quantities import Quantity


@dataclass(frozen=True, slots=True)
class Calculation:
    """`expression` goes to the tool; `shown` is the same for people. `unit` is set before or after the result."""

    expression: str
    shown: str
    phrase: Phrase
    unit: str
    numbers: tuple[int, ...]
    values: tuple[tuple[str, str], ...] = ()


def cite(*picks: Scored) -> tuple[int, ...]:
    return tuple(dict.fromkeys(pick.seen.n for pick in picks))


def nearness(pick: Scored, quantity: Quantity, terms: Sequence[Term]) -> float:
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


def shown_unit(quantity: Quantity) -> str:
    return quantity.unit if quantity.kind == "money" else ""


def money_text(quantity: Quantity, language: str) -> str:
    return f"{quantity.unit} {show_number(quantity.value, language)}".strip()


_TRAILING: Final = re.compile(r"\.0+$")


def result_text(result: str, unit: str, language: str) -> str:
    """The tool's result for a reader: `441 EUR`."""
    return f"{show_number(Decimal(_TRAILING.sub('', result)), language)} {unit}".strip()


def best_column(plan: Plan, pick: Scored, found: Sequence[Quantity]) -> Quantity | None:
    """Of the figures of a row the one whose header the question names best; None where several are named alike."""
    rated: list[tuple[float, Quantity]] = []
    for quantity in found:
        cell = cell_at(pick.unit, quantity.start)
        header = Bag(cell[0], pick.unit.language) if cell else None
        rated.append((sum(header.credit(term) for term in plan.terms) if header else 0.0, quantity))
    best = max((credit for credit, _ in rated), default=0.0)
    first = [quantity for credit, quantity in rated if credit == best]
    return first[0] if len(first) == 1 else None
