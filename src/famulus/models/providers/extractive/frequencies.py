"""What happens so many times a year at a price for each time: `640 euros par passage` and `quatre fois par an` are one sum a year."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from famulus.models.providers.extractive.figures import Calculation, figures_of, product, telling_terms
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.periods import asked_period
from famulus.models.providers.extractive.pool import Pool
from famulus.text.numbers import WORDS
from famulus.text.units import PER_YEAR

_TIMES: Final = re.compile(
    r"\b(?:(?P<number>\d{1,3}|[^\W\d_]+)\s+(?:times|mal|keer|maal|fois)|(?P<once>once|einmal|eenmaal)|(?P<twice>twice|zweimal|tweemaal)|(?P<joined>[^\W\d_]+)mal)\s+"
    r"(?:a|per|each|every|im|pro|in jedem|jedes|jeden|in het|par|chaque)\s+(?P<period>[^\W\d_]+)",
    re.IGNORECASE,
)
_EVERY: Final = re.compile(
    r"\b(?:(?P<week>every week|weekly|jede woche|wöchentlich|elke week|wekelijks|chaque semaine)|(?P<month>every month|monthly|jeden monat|monatlich|elke maand|maandelijks|chaque mois)|"
    r"(?P<quarter>every quarter|quarterly|jedes quartal|vierteljährlich|elk kwartaal|chaque trimestre))\b",
    re.IGNORECASE,
)
_PERIODS: Final = {
    "year": ("year", "jahr", "jaar", "an", "année"),
    "month": ("month", "monat", "maand", "mois"),
    "quarter": ("quarter", "quartal", "kwartaal", "trimestre"),
    "week": ("week", "woche", "semaine"),
}
# What a price is for when it is paid each time.
_OCCASION: Final = re.compile(
    r"\b(?:per|pro|par|je|each|every|a|jede[rsn]?|elke|chaque)\s+(?:visit|time|clean\w*|service|call|session|inspection|trip|occasion|besuch|mal|reinigung|einsatz|durchgang|termin|prüfung|wartung|bezoek|keer|beurt|schoonmaak|passage|visite|intervention|nettoyage|fois|lavage|contrôle|séance)\b",
    re.IGNORECASE,
)


def times_a_year(pool: Pool) -> Calculation | None:
    """The price of one time, times how often it happens in the period that the question names."""
    wanted = asked_period(pool.plan)
    if wanted is None or not any(part.asking.wanted in ("money", "amount") for part in pool.plan.parts):
        return None
    for pick in pool.picks[:1]:
        money = [figure for figure in figures_of(pick) if figure.quantity.kind == "money"]
        if len(money) != 1 or money[0].quantity.per in PER_YEAR or not _OCCASION.search(pick.unit.text):
            continue
        for other in (pick, *pool.of_document(pick.seen.document_id)):
            times = _how_often(other, wanted)
            if times and times > 1 and (other is pick or _same_thing(pool, pick, other)):
                return product(pool.plan, [money[0].value, times], money[0].quantity.unit, [pick, other])
    return None


def _how_often(item: Scored, wanted: str) -> Decimal | None:
    """How many times in the period wanted; None where the sentence does not say."""
    have, period, number = PER_YEAR[wanted], None, 0
    if match := _TIMES.search(item.unit.text):
        said = match["period"].casefold()
        period = next((name for name, words in _PERIODS.items() if said in words), None)
        written = (match["number"] or match["joined"] or "").casefold()
        number = (
            1
            if match["once"]
            else 2
            if match["twice"]
            else int(written)
            if written.isdigit()
            else WORDS.get(written, 0)
        )
    elif match := _EVERY.search(item.unit.text):
        period, number = next(name for name in ("week", "month", "quarter") if match[name]), 1
    if period is None or not number or (PER_YEAR[period] * number) % have:
        return None
    return Decimal(PER_YEAR[period] * number // have)


def _same_thing(pool: Pool, one: Scored, other: Scored) -> bool:
    """True when the other sentence too speaks of the nouns of the question that the first names, but for one at most."""
    terms = [term for term in telling_terms(pool.plan) if term.noun and one.credits.get(term.key, 0.0) >= 0.6]
    shared = sum(other.credits.get(term.key, 0.0) >= 0.6 for term in terms)
    return shared >= max(1, len(terms) - 1)
