"""`Which service handles the most connections?`: of rows or sentences that state the same thing, the one with the highest or lowest figure.

A word like `most` says in which direction; the words after it (in French also before it) name the figure, or the word itself says its kind
(`cheapest` is money). Figures are compared only when they are of one kind, unit and rate; otherwise the order of the ranking stands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import Final

from famulus.models.providers.extractive.cells import cell_at, quantities_of
from famulus.models.providers.extractive.evidence import Evidence
from famulus.models.providers.extractive.extremes import Extreme, read_extreme
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.plan import Part
from famulus.models.providers.extractive.terms import Bag, Term
from famulus.text.quantities import Quantity

# How well the header of a column, or a sentence, must hold the words that name the figure.
NAMED: Final = 0.6
# How far from the words that name it a figure of a sentence may stand, in characters.
NEAR: Final = 45
# A sentence or row must be about as relevant as the best to be compared with it.
RELEVANT: Final = 0.6
_SECONDS: Final = {
    "second": 1, "minute": 60, "hour": 3_600, "day": 86_400, "workday": 86_400, "week": 604_800, "month": 2_629_746,
    "quarter": 7_889_238, "year": 31_556_952,
}  # fmt: skip
_MILLIMETRES: Final = {"millimetre": 1, "centimetre": 10, "metre": 1_000, "kilometre": 1_000_000}
_KILOGRAMS: Final = {"kilogram": 1, "tonne": 1_000}


@dataclass(frozen=True, slots=True)
class Figure:
    """A value in the smallest unit of its kind; two of one `scale` can be compared."""

    value: Decimal
    scale: tuple[str, str, str]


def extremes(evidence: Evidence, part: Part, ranked: Sequence[Scored]) -> list[Scored]:
    """The sentence and the row with the extreme figure, best evidence first; empty when nothing can be compared."""
    extreme = read_extreme(part.text, evidence.plan.language)
    if extreme is None or not ranked:
        return []
    terms = _naming(extreme, part)
    rows = _extreme_rows(extreme, part, terms, ranked)
    sentences = _sentences(extreme, part, terms, ranked)
    if rows:
        row, figure = rows[0]
        stated = [item for item, other in sentences if other.value == figure.value and _names(item, row)]
        return [*stated[:1], *(item for item, _ in rows[:2])]
    if not extreme.chooses or len({figure.value for _, figure in sentences}) < 2:
        return []
    best = _best(extreme, [figure for _, figure in sentences])
    return [item for item, figure in sentences if figure == best][:2]


def _naming(extreme: Extreme, part: Part) -> list[Term]:
    """The terms that name the figure."""
    named = [term for term in part.terms if term.written in extreme.words and term.kind not in ("light", "number")]
    return named[:3]


def _best(extreme: Extreme, figures: Sequence[Figure]) -> Figure:
    key = max if extreme.direction > 0 else min
    return key(figures, key=lambda figure: figure.value)


def tables_asked(part: Part, language: str, ranked: Sequence[Scored]) -> list[str]:
    """Documents of which a table seems to hold the asked extreme: only the whole table can tell it."""
    if read_extreme(part.text, language) is None:
        return []
    return list(dict.fromkeys(item.seen.document_id for item in ranked[:4] if item.unit.cells))


# --- rows


def _extreme_rows(
    extreme: Extreme, part: Part, terms: Sequence[Term], ranked: Sequence[Scored]
) -> list[tuple[Scored, Figure]]:
    """The extreme row (several when they share the figure) of the table that ranks best and has such a column."""
    tried: set[tuple[str, tuple[str, ...]]] = set()
    for item in ranked[:12]:
        if not item.unit.cells or item.score < RELEVANT * ranked[0].score:
            continue
        table = _table(item)
        if table in tried:
            continue
        tried.add(table)
        every = [other for other in ranked if other.unit.cells and _table(other) == table]
        rows = _fitting(every, part, extreme) if len(every) > 1 else []
        for column in _columns(rows, extreme, terms, part):
            found = [(row, figure) for row in rows if (figure := _row_figure(row, column, extreme)) is not None]
            if found and len({figure.scale for _, figure in found}) == 1:
                best = _best(extreme, [figure for _, figure in found])
                return [(row, figure) for row, figure in found if figure == best]
    return []


def _table(item: Scored) -> tuple[str, tuple[str, ...]]:
    return item.seen.document_id, tuple(header for header, _ in item.unit.cells)[:2]


def _fitting(rows: Sequence[Scored], part: Part, extreme: Extreme) -> list[Scored]:
    """The rows that the other words of the question allow: with `in Leeds`, those that say Leeds where only some do."""
    rows = list({(row.seen.document_id, row.unit.text): row for row in rows}.values())
    for term in part.terms:
        if term.written in extreme.words or term.kind == "light" or _in_headers(rows, term):
            continue
        saying = [row for row in rows if _values_bag(row).credit(term) >= 0.8]
        # A common word may stand in one label by chance (`machine` in `floor grinding machine`); a name does not.
        if len(saying) > 1 or (saying and term.kind in ("name", "code")):
            rows = saying
    return rows


def _in_headers(rows: Sequence[Scored], term: Term) -> bool:
    return any(_bag(header, row.unit.language).credit(term) >= 0.8 for row in rows[:1] for header, _ in row.unit.cells)


def _values_bag(row: Scored) -> Bag:
    return _bag(" . ".join(value for _, value in row.unit.cells), row.unit.language)


def _columns(rows: Sequence[Scored], extreme: Extreme, terms: Sequence[Term], part: Part) -> list[str]:
    """Headers of columns that may be meant, the best named first; without a naming word those of the kind that the superlative says."""
    if not rows:
        return []
    first = rows[0]
    headers = list(
        dict.fromkeys(
            header for row in rows for header, value in row.unit.cells[1:] if header and re.search(r"\d", value)
        )
    )
    if terms:
        rated = [(_credit(_bag(header, first.unit.language), terms), header) for header in headers]
        named = [header for credit, header in sorted(rated, key=lambda item: -item[0]) if credit >= NAMED]
        if named or not extreme.kinds:
            return named
    if not extreme.kinds and len(headers) > 1:
        return []
    # `the cheapest per day`: the other words tell which of several prices.
    return sorted(headers, key=lambda header: -_credit(_bag(header, first.unit.language), part.terms))


def _credit(bag: Bag, terms: Sequence[Term]) -> float:
    """Mean credit of the terms."""
    return sum(bag.credit(term) for term in terms) / len(terms) if terms else 0.0


def _row_figure(row: Scored, column: str, extreme: Extreme) -> Figure | None:
    for quantity in quantities_of(row.unit):
        cell = cell_at(row.unit, quantity.start)
        if cell is not None and cell[0] == column and quantity.kind not in ("clock", "ordinal"):
            figure = _figure(_grouped(quantity, row))
            return figure if not extreme.kinds or _is_kind(figure, extreme) else None
    return None


def _grouped(quantity: Quantity, item: Scored) -> Quantity:
    """A table of names and figures may pass for any language, by which `12,000` is read; in a cell, or in a sentence of no known language, groups of three digits are thousands."""
    written = item.unit.text[quantity.start : quantity.end].split(" ")[0]
    if (item.unit.cells or item.unit.language is None) and _GROUPS.fullmatch(written):
        return replace(quantity, value=Decimal(re.sub(r"\D", "", written)))
    return quantity


_GROUPS: Final = re.compile(r"[1-9]\d{0,2}(?:[.,'’]\d{3})+")


def _figure(quantity: Quantity) -> Figure:
    for kind, factors in (("time", _SECONDS), ("length", _MILLIMETRES), ("weight", _KILOGRAMS)):
        if quantity.unit in factors and quantity.kind in ("time", "measure"):
            return Figure(quantity.value * factors[quantity.unit], (kind, "", quantity.per or ""))
    # The unit of a count is only the word that follows it.
    unit = "" if quantity.kind == "count" else quantity.unit
    return Figure(quantity.value, (quantity.kind, unit, quantity.per or ""))


def _is_kind(figure: Figure, extreme: Extreme) -> bool:
    return figure.scale[0] in extreme.kinds


# --- sentences


def _sentences(
    extreme: Extreme, part: Part, terms: Sequence[Term], ranked: Sequence[Scored]
) -> list[tuple[Scored, Figure]]:
    """Sentences that state the asked figure, best first, all on the scale of the first."""
    found: list[tuple[Scored, Figure]] = []
    for item in ranked:
        if item.unit.cells or item.score < RELEVANT * ranked[0].score or not (terms or item.good):
            continue
        if terms and _credit(_bag(item.unit.text, item.unit.language), terms) < 0.8:
            continue
        figure = _stated(item, terms, extreme)
        if figure is not None and (not found or figure.scale == found[0][1].scale):
            found.append((item, figure))
    return found


def _stated(item: Scored, terms: Sequence[Term], extreme: Extreme) -> Figure | None:
    """The figure of the kind asked that stands nearest to the words that name it."""
    best: tuple[int, Figure] | None = None
    for quantity in item.unit.quantities:
        figure = _figure(_grouped(quantity, item))
        if quantity.kind in ("clock", "ordinal") or (extreme.kinds and not _is_kind(figure, extreme)):
            continue
        distance = _distance(item, quantity, terms)
        if distance <= NEAR and (best is None or distance < best[0]):
            best = (distance, figure)
    return None if best is None else best[1]


def _distance(item: Scored, quantity: Quantity, terms: Sequence[Term]) -> int:
    if not terms:
        return 0
    words = list(re.finditer(r"[\w-]+", item.unit.text))
    places = [
        word.start()
        for word in words
        if any(_bag(word.group(), item.unit.language).credit(term) >= NAMED for term in terms)
    ]
    return min(
        (abs(place - (quantity.end if place >= quantity.end else quantity.start)) for place in places), default=NEAR + 1
    )


def _names(sentence: Scored, row: Scored) -> bool:
    """True when the sentence, its heading or its document speaks of the row's first cell."""
    label = row.unit.cells[0][1].casefold()
    around = " ".join((sentence.unit.text, *sentence.unit.headings, sentence.seen.document))
    return bool(label) and label in around.casefold()


@lru_cache(maxsize=4_096)
def _bag(text: str, language: str | None) -> Bag:
    return Bag(text, language)
