"""What a monthly amount comes to over a stretch of time that begins with free months, or over a whole term."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from famulus.models.providers.extractive.days import spans_of
from famulus.models.providers.extractive.figures import Calculation, Figure, figures_of, fraction, nearness, style_of
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.pool import Pool, unique
from famulus.models.providers.extractive.rises import RISES
from famulus.text.numbers import show_number
from famulus.text.quantities import unit_name
from famulus.text.units import TIME_WORDS

_FIRST_YEAR: Final = re.compile(
    r"\b(?:first (?:year|twelve months|12 months)|ersten (?:jahr|mietjahr|vertragsjahr|zwölf monaten?)|erste (?:jahr|mietjahr|vertragsjahr)|eerste (?:huur|contract)?jaar|première année|douze premiers mois)\b",
    re.IGNORECASE,
)
_WHOLE_TERM: Final = re.compile(
    r"\b(?:(?:whole|entire|full|minimum|complete) (?:\w+ )?(?:term|period|duration)|over the (?:\w+ )?term|(?:ganze[nr]?|gesamte[nr]?|feste[nr]?) (?:\w*laufzeit|mietdauer|vertragsdauer|dauer)|mindestlaufzeit|(?:hele|gehele|volledige) (?:looptijd|duur|contractduur)|minimale looptijd|toute la durée|durée (?:totale|entière|minimale))\b",
    re.IGNORECASE,
)
_FREE: Final = re.compile(
    r"\b(?:free|no (?:rent|charge|fee|payment)|nothing|rent-free|waived|mietfrei\w*|kostenlos|gratis|frei|keine? (?:\w+ )?(?:miete|gebühr|kosten|zahlung|mietzins|pacht|beitrag)|erlassen|geen (?:huur|kosten|vergoeding|pacht|contributie)|huurvrij|vrij|gratuite?s?|offerte?s?|exempt(?:e|s|es)?|exonérée?s?|sans (?:loyer|frais)|franchise)\b",
    re.IGNORECASE,
)
_FIRST: Final = re.compile(r"\b(?:first|initial|ersten?|eerste|premiers?|premières?)\b", re.IGNORECASE)
_RUNS: Final = re.compile(
    r"\b(?:runs?|term|lasts?|period|concluded|minimum|laufzeit|dauer\w*|läuft|gilt|abgeschlossen|befristet|looptijd|loopt|duur|geldt|durée|dure|court|conclu)\b",
    re.IGNORECASE,
)
_IN_MONTHS: Final = {"month": 1, "quarter": 3, "year": 12}


def cost_of_spell(pool: Pool) -> Calculation | None:
    """The monthly amount times the months asked for, less those that a sentence frees."""
    question = pool.plan.question
    whole = _WHOLE_TERM.search(question) is not None
    if not (whole or _FIRST_YEAR.search(question)) or RISES.search(question) or not pool.picks:
        return None
    document = pool.picks[0].seen.document_id
    rate = _monthly(pool, document)
    if rate is None:
        return None
    free = _free_months(pool, document)
    months = _term(pool, document) if whole else (Decimal(12), None)
    if months is None or (free is None and not whole):
        return None
    number, source = months
    sources = unique([item for item in (rate.pick, source, free[1] if free else None) if item is not None])
    style = style_of(pool.plan, sources, rate.quantity.unit)
    less = free[0] if free else Decimal(0)
    expression, shown = f"{fraction(rate.value)} * {fraction(number)}", f"{show_number(rate.value, style)} × {number}"
    if less:
        expression = f"{fraction(rate.value)} * ({fraction(number)} - {fraction(less)})"
        shown = f"{show_number(rate.value, style)} × ({number} - {less})"
    return Calculation(expression, shown, "rate", rate.quantity.unit, sources, style=style)


def _monthly(pool: Pool, document: str) -> Figure | None:
    """The monthly amount that the words of the question stand nearest to; None where two are as near."""
    terms = [term for term in pool.plan.terms if term.kind in ("word", "light") and unit_name(term.written) is None]
    found = [
        (nearness(item, figure.quantity, terms) - 0.02 * rank, figure)
        for rank, item in enumerate(pool.of_document(document))
        if not item.unit.cells
        for figure in figures_of(item)
        if figure.quantity.kind == "money" and figure.quantity.per == "month"
    ]
    return max(found, key=lambda item: item[0])[1] if found else None


def _free_months(pool: Pool, document: str) -> tuple[Decimal, Scored] | None:
    for item in pool.of_document(document):
        for clause in re.split(r"[;.]\s", item.unit.text):
            if _FREE.search(clause) and _FIRST.search(clause):
                place = item.unit.text.find(clause)
                for quantity in item.unit.quantities:
                    unit = quantity.unit if quantity.kind == "time" else _unit_after(item.unit.text, quantity.end)
                    if unit in _IN_MONTHS and place <= quantity.start < place + len(clause):
                        return quantity.value * _IN_MONTHS[unit], item
    return None


def _unit_after(text: str, at: int) -> str:
    """The unit behind an adjective: `trois premiers mois`."""
    names = (TIME_WORDS.get(word.casefold()) for word in re.findall(r"[^\W\d_]+", text[at : at + 25])[:2])
    return next((name for name in names if name), "")


def _term(pool: Pool, document: str) -> tuple[Decimal, Scored] | None:
    for item in pool.of_document(document):
        for span in spans_of(item):
            months = _IN_MONTHS.get(span.quantity.unit)
            around = item.unit.text[max(0, span.quantity.start - 60) : span.quantity.end + 30]
            if months and _RUNS.search(around) and not _FREE.search(around):
                return span.quantity.value * months, item
    return None
