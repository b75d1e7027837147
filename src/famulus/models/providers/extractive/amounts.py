"""How well a sentence or row holds an amount: money, a share, a measure, a length of time or an hour."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from famulus.models.providers.extractive.asking import Asking
from famulus.models.providers.extractive.cells import cell_at, money_notions, quantities_of
from famulus.models.providers.extractive.deadline_words import NOTICE
from famulus.models.providers.extractive.dimensions import is_of, of_another_direction, units_wanted
from famulus.models.providers.extractive.periods import asked_period
from famulus.models.providers.extractive.plan import Plan
from famulus.models.providers.extractive.terms import Bag
from famulus.models.providers.extractive.units import Unit
from famulus.models.providers.extractive.vocabulary import notions
from famulus.text.numbers import find_numbers
from famulus.text.quantities import Quantity, unit_name
from famulus.text.units import PER_YEAR, TIME_WORDS

# `Free of charge` tells what something costs; of what is paid a day or a month it tells less than a price does.
FREE: Final = 0.75
_A_DAY: Final = re.compile(
    r"\b(?:per|a|each|pro|je|par|elke|chaque) (?:day|hour|night|tag|stunde|nacht|dag|uur|jour|heure|nuit)\b",
    re.IGNORECASE,
)
_FREE: Final = re.compile(
    r"\b(?:free of charge|(?:is|are) free|for free|nothing|no (?:fee|deposit|charge)s?|kostenlos|gratis|unentgeltlich|gebührenfrei|kostet nichts|kosteloos|gratuite?s?|gratuitement|sans frais|ne coûte rien)\b",
    re.IGNORECASE,
)
OFTEN: Final = re.compile(
    r"\b(?:once|twice|times|every|each|daily|weekly|monthly|yearly|annual\w*|quarterly|einmal|zweimal|dreimal|viermal|mal|alle|jede[nrsm]?|täglich|wöchentlich|monatlich|jährlich|halbjährlich|quartal|eenmaal|tweemaal|keer|elke?|ieder|om de|dagelijks|wekelijks|maandelijks|jaarlijks|une fois|deux fois|fois|tous les|toutes les|chaque|annuel\w*|mensuel\w*|(?:par|pro|per|im|a) (?:an|semaine|mois|jour|woche|monat|jahr|tag|week|month|year|day|maand|jaar|dag))\b",
    re.IGNORECASE,
)

# A figure in units that measure something else.
OTHER_UNIT: Final = 0.3
_WANTED_KINDS: Final = {
    "money": {"money": 1.0, "percent": 0.65, "count": 0.3},
    "amount": {"money": 1.0, "percent": 0.95, "measure": 1.0, "time": 0.8, "count": 0.7},
    "percent": {"percent": 1.0, "count": 0.3},
    "measure": {"measure": 1.0, "percent": 0.8, "count": 0.8, "money": 0.4, "time": 0.5},
    "duration": {"time": 1.0, "count": 0.2, "clock": 0.3, "measure": 0.1},
    "clock": {"clock": 1.0, "count": 0.4, "time": 0.4},
}


# `between Merlane Ferries Ltd, 2 Quay House (the Owner), and … (the Yard)`: its figures are addresses and numbers of the contract.
_BETWEEN: Final = re.compile(r"\b(?:between|zwischen|tussen|entre)\b", re.IGNORECASE)
_PARTY: Final = re.compile(
    r"\((?:(?:the|der|die|das|de|het|le|la|les|nachfolgend|nachstehend|im folgenden|hierna|ci-après|hereinafter)\b|l['’])[^()]{2,40}\)",
    re.IGNORECASE,
)


def _names_parties(unit: Unit) -> bool:
    """True for the sentence of a contract that says between whom it is made."""
    return _BETWEEN.search(unit.text) is not None and len(_PARTY.findall(unit.text)) >= 2


def amount_strength(asking: Asking, unit: Unit, plan: Plan) -> float:
    """0 (holds none) to 1 (certainly): how well a sentence or row holds the amount, measure or time that is asked for."""
    if _names_parties(unit):
        return 0.0
    wanted, counted = asking.wanted, asking.counted
    kinds = _WANTED_KINDS[wanted]
    best = 0.0
    for quantity in quantities_of(unit):
        if is_asked(quantity, plan):
            continue
        strength = 0.85 if _tells_distance(quantity, asking.units) else kinds.get(quantity.kind, 0.0)
        strength = min(strength, _by_unit(asking.units, unit, quantity, plan))
        if (
            wanted == "duration"
            and counted is not None
            and quantity.kind == "time"
            and quantity.unit != TIME_WORDS.get(counted.written.casefold())
        ):
            strength = 0.75
        best = max(best, strength)
    if wanted in ("money", "amount") and best < 0.9 and MONTHS_OF_RENT.search(unit.text):
        best = 0.9
    if wanted == "money" and _EARNS.search(plan.question) and not _is_of_wages(unit):
        best = min(best, 0.3)
    if wanted == "percent" and best < 0.6 and len([q for q in quantities_of(unit) if q.kind == "money"]) >= 2:
        best = 0.6
    if wanted == "money" and best >= 0.9 and _of_no_period(unit, plan):
        best = 0.75
    if wanted in ("money", "amount") and _FREE.search(unit.text):
        best = max(best, FREE if asked_period(plan) or _A_DAY.search(plan.question) else 0.9)
    if wanted == "money" and unit.cells and best < 0.8 and _is_of_prices(unit):
        best = 0.8
    if (
        wanted == "duration"
        and counted is not None
        and unit.cells
        and best < 0.8
        and Bag(unit.text, unit.language).credit(counted) >= 0.9
    ):
        best = 0.8 if any(find_numbers(value, unit.language) for _, value in unit.cells) else best
    if (
        wanted == "duration"
        and len(plan.parts) == 1
        and _NOTICE_ASKED.search(plan.question)
        and not _is_of_notice(unit)
    ):
        # It may be: a sentence that goes on from one on the notice need not say the word again.
        best = min(best, 0.45)
    if wanted == "duration" and best < 0.6 and unit.dates:
        best = 0.5
    if wanted == "duration" and best < 0.5 and OFTEN.search(unit.text):
        best = 0.4
    if (
        wanted == "money"
        and best >= 0.7
        and not Bag(f"{unit.text} {' '.join(unit.headings[-1:])}", unit.language).about(money_notions())
    ):
        best -= 0.12
    return best


def _tells_distance(quantity: Quantity, units: frozenset[str]) -> bool:
    """True for `ten minutes on foot`, where it is asked how far something is."""
    return quantity.kind == "time" and "metre" in units and quantity.unit in units


def _by_unit(units: frozenset[str], unit: Unit, quantity: Quantity, plan: Plan) -> float:
    """How much a quantity may count by its unit, where certain units are asked for: as weight kilograms, as depth no length."""
    if not units:
        return 1.0
    if of_another_direction(unit.text, quantity, plan.question):
        return OTHER_UNIT
    return 1.0 if is_of(quantity, units) or _in_column_of(units, unit, quantity) else OTHER_UNIT


def _in_column_of(units: frozenset[str], unit: Unit, quantity: Quantity) -> bool:
    """True for a bare number of a row in a column of such measures (`Weight`, `Depth in m`)."""
    cell = cell_at(unit, quantity.start) if unit.cells and quantity.kind == "count" else None
    if cell is None:
        return False
    return bool(units_wanted(cell[0]) & units) or any(
        unit_name(word) in units for word in re.findall(r"[^\W\d_]+", cell[0])
    )


def _is_of_prices(unit: Unit) -> bool:
    """True for a row with figures in a table of prices: its heading says so, or its columns are quantities (`250 g`, `1 kg`)."""
    if not any(quantity.kind == "count" for quantity in quantities_of(unit)):
        return False
    by_measure = any(_MEASURE_HEADER.fullmatch(header) for header, _ in unit.cells)
    return by_measure or _heading_bag(" ".join(unit.headings), unit.language).about(money_notions())


_MEASURE_HEADER: Final = re.compile(
    r"\d+(?:[.,]\d+)?\s?(?:mg|g|kg|t|ml|cl|dl|l|litres?|liter|m|m²|m2|cm|mm|km)", re.IGNORECASE
)


@lru_cache(maxsize=1_024)
def _heading_bag(text: str, language: str | None) -> Bag:
    return Bag(text, language)


_NOTICE_ASKED: Final = re.compile(r"\b(?:notice(?: period)?|kündigungsfrist|opzegtermijn|préavis)\b", re.IGNORECASE)
_TERM: Final = re.compile(r"\b(?:frist|termijn|délai)\b", re.IGNORECASE)


def _is_of_notice(unit: Unit) -> bool:
    return NOTICE.search(unit.text) is not None or _TERM.search(unit.text) is not None


# Who asks what somebody earns does not want to know what something costs.
_EARNS: Final = re.compile(
    r"\b(?:earns?|earned|wages?|salary|verdien\w*|gehalt|lohn|gagne(?:nt|r)?|salaire|loon|salaris)\b", re.IGNORECASE
)


def _is_of_wages(unit: Unit) -> bool:
    text = f"{unit.text} {' '.join(unit.headings)}"
    return _PAID.search(text) is not None or Bag(text, unit.language).about(notions("salary", "en"))


_PAID: Final = re.compile(
    r"\b(?:(?:is|are|be|gets?|receives?) paid|stundenlohn|\w*lohn|\w*gehalt|erhält|erhalten|bekommt|uurloon|\w*loon|ontvangt|krijgt|perçoit|reçoit|touche|taux horaire|majoration|\w*zuschlag|\w*zulage|toeslag|toelage|supplement|surcharge|overtime|überstunden|overuren|heures supplémentaires)\b",
    re.IGNORECASE,
)


def _of_no_period(unit: Unit, plan: Plan) -> bool:
    """True where a price per year is asked and the unit only has rates per hour, kilometre or piece."""
    if asked_period(plan) is None:
        return False
    rates = [quantity.per for quantity in quantities_of(unit) if quantity.kind == "money"]
    return not any(rate in PER_YEAR and rate != "day" for rate in rates)


# `three months' rent`, `drei Monatsmieten`, `drie maanden huur`, `trois mois de loyer`: money, said as so many times another amount.
MONTHS_OF_RENT: Final = re.compile(
    r"\b(?P<unit>months?['’]?s?['’]? (?:of )?(?:the )?(?:\w+ )?(?:rent|salary|pay)|(?:netto|brutto)?monats(?:mieten?|mietzinse?n?|gehälter|gehältern|löhne|gehalt)|maand(?:en)? (?:kale )?(?:huur|salaris)|maandhuren|(?:netto|brutto|kalt|warm|grund)?mieten|grundmietzinse?n?|mois de (?:loyer|salaire)|(?:monthly rents?|loyers mensuels))\b",
    re.IGNORECASE,
)


def is_asked(quantity: Quantity, plan: Plan) -> bool:
    """True for a figure that the question itself names: it is no answer."""
    return any(
        quantity.value == asked.value and (quantity.kind == asked.kind or asked.kind == "count")
        for asked in plan.quantities
    )
