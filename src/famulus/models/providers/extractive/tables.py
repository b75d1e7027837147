"""Whole tables: the sum or mean of a column, the number of rows, over the rows that the question means; and the product of two cells of one row.

Only a table of which every row has been read is added up.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from typing import Final, Literal

from famulus.models.providers.extractive.figures import (
    Calculation,
    Figure,
    figures_of,
    fraction,
    product,
    shown_unit,
    style_of,
)
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.plan import Plan
from famulus.models.providers.extractive.pool import Pool
from famulus.models.providers.extractive.terms import Bag, Term
from famulus.text.dates import find_dates
from famulus.text.numbers import show_number
from famulus.text.quantities import unit_name

Aggregate = Literal["sum", "mean", "count"]
MOST_ROWS: Final = 80
_MEAN: Final = re.compile(
    r"\b(?:average|mean|durchschnitt\w*|im schnitt|mittlere[nrs]?|gemiddelde?|en moyenne|moyenne?|moyens?)\b",
    re.IGNORECASE,
)
_SUM: Final = re.compile(
    r"\b(?:total|sum|altogether|together|in all|overall|combined|add(?:s|ed)? up|all|insgesamt|gesamt\w*|zusammen|summe|total\w*|alle[nrms]?|in totaal|totale?|samen|opgeteld|alle|au total|en tout|ensemble|somme|tou(?:s|tes)|totale?s?)\b",
    re.IGNORECASE,
)
# What was bought or sent over time is the sum of its rows, without a word for it.
_SPENT: Final = re.compile(
    r"\b(?:(?:did|have|has) .{1,40}?(?:spent|spend|paid|pay|ordered|order|bought|buy|received|receive|sold|sell|cost|deliver\w*|sent|send|ship\w*)|(?:haben|hat) .{1,60}?(?:ausgegeben|bezahlt|bestellt|gekauft|erhalten|verkauft|gekostet|geliefert|verschickt)|"
    r"(?:hebben|heeft) .{1,60}?(?:uitgegeven|betaald|besteld|gekocht|ontvangen|verkocht|gekost|geleverd|verstuurd)|(?:avons-nous|a-t-on|a-t-il|ont|a|avons) .{0,40}?(?:dépensé|payé|commandé|acheté|reçu|vendu|coûté|livré|envoyé)\w*)\b",
    re.IGNORECASE,
)
_TOTAL_OF: Final = re.compile(
    r"\b(?:total|overall|combined|summed) (?:net |gross )?(?:amount|value|sum|weight|cost|length)|(?:gesamt(?:er|e|es|en)?|totale[rnms]?) ?(?:netto|brutto)?(?:betrag|wert|summe|gewicht|kosten)|gesamt(?:betrag|wert|summe|gewicht|kosten)|(?:welchen|welcher) betrag .*(?:alle|zusammen|insgesamt)|"
    r"total(?:e)? (?:bedrag|waarde|som|gewicht|kosten)|(?:montant|valeur|poids|coût) (?:net |brut )?total|total (?:net |brut )?de",
    re.IGNORECASE,
)
_HOW_MANY: Final = re.compile(r"\b(?:how many|wie ?viele|hoeveel|combien d)", re.IGNORECASE)
_ROWS: Final = re.compile(
    r"\b(?:orders?|invoices?|rows?|entries|entry|shipments?|deliver(?:y|ies)|bookings?|items?|bestellungen|rechnungen|einträge|lieferungen|sendungen|aufträge|buchungen|bestellingen|facturen|zendingen|leveringen|"
    r"commandes?|factures?|livraisons?|envois?|lignes?|réservations?|tickets?|contracts?|verträge|contracten|contrats?|trips?|visits?|incidents?)\b",
    re.IGNORECASE,
)
_GROUPS: Final = re.compile(r"[1-9]\d{0,2}(?:[.,'’]\d{3})+")
TOTAL_HEADER: Final = re.compile(
    r"total|amount|net|gross|sum|gesamt|betrag|summe|totaal|bedrag|montant|value|wert", re.IGNORECASE
)
UNIT_HEADER: Final = re.compile(r"unit|per|einzel|stück|pro|stuk|unitaire|par", re.IGNORECASE)
NUMBER_HEADER: Final = re.compile(
    r"quantity|\bqty\b|anzahl|menge|aantal|quantité|nombre|^(?:stück|stk|pcs|pieces|stuks?|pièces?|unités)$",
    re.IGNORECASE,
)


def aggregate_asked(plan: Plan) -> Aggregate | None:
    """What the question wants to know of many rows, by its words alone."""
    if plan.events or len(plan.parts) > 1 or plan.operation in ("compare", "difference"):
        return None
    if _MEAN.search(plan.question):
        return "mean"
    wanted = next((part.asking.wanted for part in plan.parts), "open")
    many = _HOW_MANY.search(plan.question)
    if many and _ROWS.match(plan.question[many.end() :].lstrip(" 'e’")):
        return "count"
    if wanted == "open" and _TOTAL_OF.search(plan.question):
        return "sum"
    if wanted in ("money", "amount", "measure", "count", "duration") and (
        _SUM.search(plan.question) or _SPENT.search(plan.question)
    ):
        return "sum"
    return None


def table_wanted(plan: Plan, ranked: Sequence[Scored]) -> list[str]:
    """Documents whose table must be read whole before its rows are added up or counted."""
    kind = aggregate_asked(plan)
    if (
        kind is None
        or not ranked
        or not ranked[0].unit.cells
        or (kind == "sum" and len(_same_table(ranked[0], ranked[:6])) < 2 and not _SUM.search(plan.question))
    ):
        return []
    return [ranked[0].seen.document_id]


def _table(item: Scored) -> tuple[str, tuple[str, ...]]:
    return item.seen.document_id, tuple(header for header, _ in item.unit.cells)[:2]


def _same_table(first: Scored, items: Sequence[Scored]) -> list[Scored]:
    return [item for item in items if item.unit.cells and _table(item) == _table(first)]


def over_rows(pool: Pool, complete: frozenset[str]) -> Calculation | None:
    """The sum, mean or number over the rows of the table that ranks first; `complete` are the documents that have been read whole."""
    kind = aggregate_asked(pool.plan)
    # A question for a number of rows finds no row that states it.
    first = next((item for item in (*pool.all[:1], *pool.ranked[:1]) if item.unit.cells and not item.lacks_mark), None)
    if kind is None or first is None or first.seen.document_id not in complete:
        return None
    every = {(row.unit.text): row for row in _same_table(first, pool.ranked)}
    rows, filtered = _rows_meant(pool.plan, list(every.values()))
    if not (filtered or _SUM.search(pool.plan.question) or kind == "mean") or not 2 <= len(rows) <= MOST_ROWS:
        return None
    rows.sort(key=lambda row: (row.seen.n, row.unit.place))
    if kind == "count":
        style = style_of(pool.plan, rows[:1])
        return (
            Calculation(" + ".join("1" for _ in rows), "", "rows", "", tuple(rows), (("count", str(len(rows))),), style)
            if filtered
            else None
        )
    column = _column(pool, rows)
    if column is None:
        return None
    figures = [figure for row in rows if (figure := _cell(row, column)) is not None]
    if (
        len(figures) < 2
        or len({figure.like for figure in figures}) != 1
        or len(figures) < len(rows) - _empty(rows, column)
    ):
        return None
    return _added(pool, figures, kind)


def _empty(rows: Sequence[Scored], column: str) -> int:
    return sum(1 for row in rows if not any(header == column and value.strip() for header, value in row.unit.cells))


def _added(pool: Pool, figures: Sequence[Figure], kind: Aggregate) -> Calculation:
    unit = shown_unit(figures[0].quantity)
    sources = tuple(figure.pick for figure in figures)
    style = style_of(pool.plan, sources, unit)
    expression = " + ".join(fraction(figure.value) for figure in figures)
    shown = " + ".join(show_number(figure.value, style) for figure in figures)
    if kind == "mean":
        expression, shown = f"({expression}) / {len(figures)}", f"({shown}) / {len(figures)}"
        return Calculation(expression, shown, "mean", unit, sources, style=style)
    return Calculation(expression, shown, "total", unit, sources, style=style)


def _rows_meant(plan: Plan, rows: list[Scored]) -> tuple[list[Scored], bool]:
    """The rows that say in a cell what the question names, and whether there was anything to choose by."""
    filtered = False
    if len(groups := _named_together(plan, rows)) > 1:
        return [row for row in rows if any(row in group for group in groups)], True
    for term in plan.terms:
        if term.kind in ("light", "number") or any(
            _bag(header, None).credit(term) >= 0.8 for header, _ in rows[0].unit.cells
        ):
            continue
        saying = [
            row
            for row in rows
            if max(_bag(value, row.unit.language).credit(term) for _, value in row.unit.cells) >= 0.8
        ]
        if saying and (len(saying) < len(rows)):
            rows, filtered = saying, True
        elif saying:
            filtered = True
    months = {(mention.month, mention.year) for mention in find_dates(plan.question) if mention.day is None}
    if months:
        column = _date_column(plan, rows)
        dated = [
            row
            for row in rows
            if any(_in_months(value, months) for header, value in row.unit.cells if header == column)
        ]
        rows, filtered = dated, True
    return rows, filtered


def _named_together(plan: Plan, rows: Sequence[Scored]) -> list[list[Scored]]:
    """The rows of each of several names that the question joins (`of Vale Dental and Kirk & Sons`); none shared."""
    pieces = re.split(r"\s(?:and|und|en|et|or|oder|of|ou)\s|,\s", plan.question)
    groups: list[list[Scored]] = []
    for piece in pieces:
        names = [term for term in plan.terms if term.kind in ("name", "code") and term.written in piece]
        saying = [
            row
            for row in rows
            if names
            and all(
                max(_bag(value, row.unit.language).credit(term) for _, value in row.unit.cells) >= 0.8 for term in names
            )
        ]
        if names and (not saying or any(row in group for row in saying for group in groups)):
            return []
        groups += [saying] if saying else []
    return groups


def _date_column(plan: Plan, rows: Sequence[Scored]) -> str:
    """The column of dates that the question names, else the first."""
    headers = list(dict.fromkeys(header for row in rows for header, value in row.unit.cells if find_dates(value)))
    named = sorted(
        headers, key=lambda header: -sum(_bag(header.replace("_", " "), None).credit(term) for term in plan.terms)
    )
    return named[0] if named else ""


def _in_months(value: str, months: set[tuple[int, int | None]]) -> bool:
    return any(
        mention.month == month and year in (None, mention.year)
        for mention in find_dates(value)
        for month, year in months
    )


def _column(pool: Pool, rows: Sequence[Scored]) -> str | None:
    """The column that is added: the one that the words name, else of money the total rather than the price of one."""
    wanted = {part.asking.wanted for part in pool.plan.parts}
    headers = list(
        dict.fromkeys(
            figure.column
            for row in rows
            for figure in figures_of(row)
            if figure.column and figure.column != row.unit.cells[0][0]
        )
    )
    kinds = {
        header: {figure.quantity.kind for row in rows for figure in figures_of(row) if figure.column == header}
        for header in headers
    }
    terms = [term for term in pool.plan.terms if term.kind != "number"]
    rated = sorted(
        ((_named(header, terms), header) for header in headers if "money" not in wanted or "money" in kinds[header]),
        key=lambda item: -item[0],
    )
    if rated and rated[0][0] >= 0.6 and (len(rated) == 1 or rated[0][0] > rated[1][0]):
        return rated[0][1]
    money = [header for header in headers if "money" in kinds[header]]
    if wanted & {"money", "amount"} and money:
        totals = [header for header in money if TOTAL_HEADER.search(header) and not UNIT_HEADER.search(header)]
        if len(money) == 1 or len(totals) == 1:
            return (totals or money)[0]
    return None


def _named(header: str, terms: Sequence[Term]) -> float:
    bag = _bag(re.sub(r"[_-]", " ", header), None)
    units = {unit for word in re.findall(r"[^\W\d_]+", header.replace("_", " ")) if (unit := unit_name(word))}
    return sum(bag.credit(term) for term in terms if bag.credit(term) >= 0.6) + sum(
        0.5 for term in terms if unit_name(term.written) in units
    )


def _cell(row: Scored, column: str) -> Figure | None:
    figure = next((figure for figure in figures_of(row) if figure.column == column), None)
    if figure is None:
        return None
    written = row.unit.text[figure.quantity.start : figure.quantity.end].split(" ")[0]
    if _GROUPS.fullmatch(written):
        return replace(figure, quantity=replace(figure.quantity, value=Decimal(re.sub(r"\D", "", written))))
    return figure


@lru_cache(maxsize=8_192)
def _bag(text: str, language: str | None) -> Bag:
    return Bag(text, language)


# --- two cells of one row


def product_of_cells(pool: Pool) -> Calculation | None:
    """`Batch size: 25 kg` times `Batches per shift: 22`, `quantity: 4` times `unit price: 1,150`, where no cell has the product."""
    plan = pool.plan
    wanted = {part.asking.wanted for part in plan.parts}
    for pick in pool.picks[:1]:
        if not pick.unit.cells:
            continue
        figures = [figure for figure in figures_of(pick) if figure.column and figure.column != pick.unit.cells[0][0]]
        amounts = [
            figure for figure in figures if figure.quantity.kind == ("money" if "money" in wanted else "measure")
        ]
        for amount in amounts:
            if "money" in wanted and not UNIT_HEADER.search(amount.column):
                continue
            for number in figures:
                if (
                    number.quantity.kind in ("count", "measure")
                    and number is not amount
                    and _times(plan, amount, number)
                ):
                    return product(plan, [amount.value, number.value], shown_unit(amount.quantity), [pick])
    return None


def _times(plan: Plan, amount: Figure, number: Figure) -> bool:
    """True when the second column counts what the first measures one of, and the question asks per what it is per."""
    language = number.pick.unit.language
    if NUMBER_HEADER.search(number.column):
        return not any(
            TOTAL_HEADER.search(header) and not UNIT_HEADER.search(header) for header, _ in amount.pick.unit.cells
        )
    words = list(re.findall(r"[^\W\d_]{4,}", amount.column))
    counted = _bag(number.column.split(" per ")[0], language)
    shared = any(counted.credit(Term(word.casefold(), word, "word", 1.0)) >= 0.9 for word in words)
    per = [per for per in number.pers if any(_bag(per, language).credit(term) >= 0.9 for term in plan.terms)]
    return shared and bool(per)
