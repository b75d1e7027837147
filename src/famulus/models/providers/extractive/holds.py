"""Whether a sentence or row holds the kind of answer that is asked for."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import Final

from famulus.models.providers.extractive.asking import Asking
from famulus.models.providers.extractive.deadline_words import NOTICE
from famulus.models.providers.extractive.dimensions import is_of
from famulus.models.providers.extractive.names import (
    NAME,
    ONE_NAME,
    has_name,
    human_notions,
    role_notions,
    without_asked,
)
from famulus.models.providers.extractive.periods import asked_period
from famulus.models.providers.extractive.plan import Plan
from famulus.models.providers.extractive.terms import Bag, Term
from famulus.models.providers.extractive.units import Unit
from famulus.models.providers.extractive.vocabulary import notions
from famulus.text.fold import key
from famulus.text.numbers import find_numbers
from famulus.text.quantities import Quantity
from famulus.text.stopwords import ALL_GRAMMAR
from famulus.text.units import EVERY_WORDS, MONEY_WORDS, PER_YEAR, PIECES, TIME_WORDS

_YEAR_ASKED: Final = re.compile(
    r"\b(?:(?:what|which) year|welche[mns]? (?:\w+)?jahr|welk jaar|quelle année|since when|seit wann|sinds wanneer|depuis quand)\b",
    re.IGNORECASE,
)
_YEAR: Final = re.compile(r"\b(?:1[89]|20)\d\d\b")
# `Free of charge` tells what something costs; of what is paid a day or a month it tells less than a price does.
FREE: Final = 0.75
_A_DAY: Final = re.compile(
    r"\b(?:per|a|each|pro|je|par|elke|chaque) (?:day|hour|night|tag|stunde|nacht|dag|uur|jour|heure|nuit)\b",
    re.IGNORECASE,
)
_REASON: Final = re.compile(
    r"\b(?:because|reason|since|due to|cause[sd]?|weil|grund|wegen|da|damit|omdat|doordat|reden|wegens|zodat|parce|car|raison|cause|afin|pour que)\b",
    re.IGNORECASE,
)
_FREE: Final = re.compile(
    r"\b(?:free of charge|(?:is|are) free|for free|nothing|no (?:fee|deposit|charge)s?|kostenlos|gratis|unentgeltlich|gebührenfrei|kostet nichts|kosteloos|gratuite?s?|gratuitement|sans frais|ne coûte rien)\b",
    re.IGNORECASE,
)
_WEEKDAY: Final = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)s?\b|\b(?:maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag)\b|\b(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)s?\b",
    re.IGNORECASE,
)
_ORDINAL: Final = re.compile(
    r"\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|\d+(?:st|nd|rd|th)|(?:erst|zweit|dritt|viert|fünft|sechst|siebt|acht|neunt|zehnt|letzt)e[nrsm]?|eerste|tweede|derde|vierde|vijfde|zesde|zevende|achtste|negende|tiende|laatste|"
    r"premi(?:er|ère)|deuxième|troisième|quatrième|cinquième|dernier|dernière|\d+\.) (?:\w+ )?(?:working |business )?(?:day|week|monday|friday|\w*tag|\w*tages|woche|jede[srm] monats|des \w+|\w*dag|week|jour|semaine|lundi|vendredi|of (?:the|each|every))\b|\ble \d{1,2} (?:du|de chaque) \w+|\b(?:end of|monatsende|ende des|einde van|fin du|fin de)\b",
    re.IGNORECASE,
)
_OFTEN: Final = re.compile(
    r"\b(?:once|twice|times|every|each|daily|weekly|monthly|yearly|annual\w*|quarterly|einmal|zweimal|dreimal|viermal|mal|alle|jede[nrsm]?|täglich|wöchentlich|monatlich|jährlich|halbjährlich|quartal|eenmaal|tweemaal|keer|elke?|ieder|om de|dagelijks|wekelijks|maandelijks|jaarlijks|une fois|deux fois|fois|tous les|toutes les|chaque|annuel\w*|mensuel\w*|(?:par|pro|per|im|a) (?:an|semaine|mois|jour|woche|monat|jahr|tag|week|month|year|day|maand|jaar|dag))\b",
    re.IGNORECASE,
)
_PLACE_WORD: Final = re.compile(
    r"\b(?:in|at|on|next to|behind|opposite|under|near|im|am|an|auf|bei|neben|hinter|gegenüber|unter|naast|tegenover|achter|bij|op|aan|dans|devant|derrière|à côté|sous|sur|au|aux|place)\b",
    re.IGNORECASE,
)
_WHO_IS: Final = re.compile(
    r"\b(?:who (?:is|are|was)|wer (?:ist|sind|war)|wie (?:is|zijn|was)|qui (?:est|sont|était))\b", re.IGNORECASE
)
_FIGURES: Final = re.compile(r"^[\d.,'’\s\u00a0\u202f]+")
_PHONE: Final = re.compile(
    r"\b(?:\+?\d[\d\s-]{5,}\d|(?:extension|durchwahl|intern|toestel|poste|telefon|phone|téléphone)\s+\w*\s*\d{2,})",
    re.IGNORECASE,
)


def kind_strength(asking: Asking, unit: Unit, plan: Plan) -> float:
    """0 (certainly not) to 1 (certainly); 0.5 where the kind cannot be told."""
    wanted = asking.wanted
    if wanted == "open":
        return 0.5
    if wanted == "yesno":
        return 0.55
    if wanted == "figure":
        if any(not _is_asked(quantity, plan) for quantity in quantities_of(unit)):
            return 1.0
        return 0.9 if unit.dates else 0.4
    if wanted == "whom":
        named = has_name(unit, plan, NAME) or Bag(without_asked(unit, plan), unit.language).about(role_notions())
        return 1.0 if named else 0.4
    if wanted == "count":
        return _count(asking.counted, unit, plan)
    if wanted in ("money", "amount", "percent", "measure", "duration", "clock"):
        return 0.0 if _names_parties(unit) else _quantity(asking, unit, plan)
    if wanted == "identifier":
        return 1.0 if _SECRET.search(unit.text) else 0.0
    if wanted == "date":
        return max(_date(unit), 0.95 if _YEAR_ASKED.search(plan.question) and _YEAR.search(unit.text) else 0.0)
    if wanted == "often":
        return 1.0 if _OFTEN.search(unit.text) else 0.3 if unit.quantities else 0.0
    if wanted == "reason":
        return 1.0 if _REASON.search(unit.text) else 0.4
    if wanted == "person":
        if has_name(unit, plan, NAME, person=True):
            return 1.0
        if not _WHO_IS.search(plan.question) and Bag(without_asked(unit, plan), unit.language).about(role_notions()):
            return 0.8
        # `Who is the caretaker?` wants a name; `who approves trips?` may be answered by a role.
        return 0.0 if _WHO_IS.search(plan.question) else 0.1
    if wanted == "organisation":
        return 1.0 if has_name(unit, plan, NAME) else 0.6 if has_name(unit, plan, ONE_NAME) else 0.0
    if wanted == "contact":
        return 1.0 if _PHONE.search(unit.text) or ("mail" in plan.question.casefold() and "@" in unit.text) else 0.0
    return 0.7 if _PLACE_WORD.search(unit.text) else 0.4


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


# What is keyed in: a mixture of letters and figures, or four figures and more.
_SECRET: Final = re.compile(r"\b(?:[A-Za-z]+[-_]?\d[\w-]*|\d[\d-]{3,})\b(?![.,]\d)")


def _quantity(asking: Asking, unit: Unit, plan: Plan) -> float:
    wanted, counted = asking.wanted, asking.counted
    kinds = _WANTED_KINDS[wanted]
    best = 0.0
    for quantity in quantities_of(unit):
        if _is_asked(quantity, plan):
            continue
        strength = kinds.get(quantity.kind, 0.0)
        if asking.units and not is_of(quantity, asking.units) and not (unit.cells and quantity.kind == "count"):
            strength = min(strength, OTHER_UNIT)
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
    if wanted == "duration" and best < 0.5 and _OFTEN.search(unit.text):
        best = 0.4
    if (
        wanted == "money"
        and best >= 0.7
        and not Bag(f"{unit.text} {' '.join(unit.headings[-1:])}", unit.language).about(money_notions())
    ):
        best -= 0.12
    return best


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


@lru_cache(maxsize=1)
def money_notions() -> frozenset[int]:
    """What is spoken of where prices are: price, rent, wage, refund, deposit …"""
    words_of_money = "price rent salary reimburse deposit surcharge discount budget allowance"
    return frozenset[int]().union(*(notions(word, "en") for word in words_of_money.split()))


def quantities_of(unit: Unit) -> tuple[Quantity, ...]:
    """The quantities of a unit; those of a row take currency and period from their header (`Day rate EUR: 147`)."""
    return _cell_quantities(unit) if unit.cells else unit.quantities


@lru_cache(maxsize=4_096)
def _cell_quantities(unit: Unit) -> tuple[Quantity, ...]:
    found: list[Quantity] = []
    for quantity in unit.quantities:
        cell = cell_at(unit, quantity.start)
        found.append(with_header(quantity, cell[0]) if cell is not None else quantity)
    return tuple(found)


def cell_at(unit: Unit, at: int) -> tuple[str, str] | None:
    """The (header, value) in whose value this character of the unit's text stands."""
    position = 0
    for header, value in unit.cells:
        written = f"{header}: {value}" if header else value
        begin = unit.text.find(written, position)
        if begin < 0:
            return None
        if begin <= at < begin + len(written):
            return (header, value) if at >= begin + len(written) - len(value) else None
        position = begin + len(written)
    return None


def with_header(quantity: Quantity, header: str) -> Quantity:
    names = [word.casefold() for word in re.findall(r"[^\W\d_]+|[€£$%]", header)]
    currency = next((MONEY_WORDS[name] for name in names if name in MONEY_WORDS), None)
    period = next(
        (EVERY_WORDS.get(name) or TIME_WORDS.get(name) for name in names if name in EVERY_WORDS or name in TIME_WORDS),
        None,
    )
    if quantity.per is None and (match := re.search(r"\b(?:per|pro|par)\s+(\w+)", header)):
        quantity = replace(quantity, per=TIME_WORDS.get(match.group(1).casefold(), match.group(1).casefold()))
    if not currency and quantity.kind == "count" and _is_price(header):
        return replace(quantity, kind="money", unit="", per=quantity.per or period)
    if currency and quantity.kind == "count":
        return replace(quantity, kind="money", unit=currency, per=quantity.per or period)
    if quantity.kind == "money" and period and quantity.per is None:
        return replace(quantity, per=period)
    if quantity.kind == "count" and period and not currency:
        return replace(quantity, kind="time", unit=period)
    return quantity


@lru_cache(maxsize=1_024)
def _is_price(header: str) -> bool:
    """True for a column such as `Deposit` or `Per week`, whose currency the sheet says once or not at all."""
    return _PER_PERIOD.match(header) is not None or Bag(header, None).about(money_notions())


_PER_PERIOD: Final = re.compile(r"(?:per|pro|par) \w+$", re.IGNORECASE)


# `three months' rent`, `drei Monatsmieten`, `drie maanden huur`, `trois mois de loyer`: money, said as so many times another amount.
MONTHS_OF_RENT: Final = re.compile(
    r"\b(?P<unit>months?['’]?s?['’]? (?:of )?(?:the )?(?:\w+ )?(?:rent|salary|pay)|(?:netto|brutto)?monats(?:mieten?|mietzinse?n?|gehälter|gehältern|löhne|gehalt)|maand(?:en)? (?:kale )?(?:huur|salaris)|maandhuren|mois de (?:loyer|salaire)|(?:monthly rents?|loyers mensuels))\b",
    re.IGNORECASE,
)


def _is_asked(quantity: Quantity, plan: Plan) -> bool:
    """True for a figure that the question itself names: it is no answer."""
    return any(
        quantity.value == asked.value and (quantity.kind == asked.kind or asked.kind == "count")
        for asked in plan.quantities
    )


def _count(counted: Term | None, unit: Unit, plan: Plan) -> float:
    """1 where a number stands with the thing that is counted."""
    if counted is None:
        return 0.8 if unit.quantities else 0.0
    for header, value in unit.cells:
        if find_numbers(value, unit.language) and Bag(header, unit.language).credit(counted) >= 0.6:
            return 1.0
    best = 0.0
    counted_people = bool(notions(counted.key, counted.language) & notions("people", "en"))
    for quantity in unit.quantities:
        if _is_asked(quantity, plan) and quantity.kind != "count":
            continue
        after = _FIGURES.sub("", unit.text[quantity.start : quantity.end + 45])
        near = _noun_phrase(re.split(r"[,;.:]", after)[0])
        near_words = Bag(near, unit.language)
        if near.casefold().partition(" ")[0] in PIECES and Bag(unit.text, unit.language).credit(counted) >= 0.6:
            return 1.0
        if near_words.credit(counted) >= 0.6 or (counted_people and near_words.about(human_notions())):
            return 1.0
        before = " ".join(re.split(r"[,;.]", unit.text[max(0, quantity.start - 30) : quantity.start])[-1].split()[-3:])
        if Bag(before, unit.language).credit(counted) >= 0.6 and quantity.kind in ("count", "measure"):
            # `Bij wind boven 25 knopen`: how much of it, not how many.
            best = max(best, 0.85 if not quantity.unit or quantity.kind == "measure" else 0.6)
        best = max(best, 0.3)
    return best


def _noun_phrase(text: str) -> str:
    """The words up to the first that only grammar needs: what the number counts."""
    phrase: list[str] = []
    for written in text.split()[:4]:
        if key(written) in ALL_GRAMMAR - _LINKS:
            break
        phrase.append(written)
    return " ".join(phrase)


_LINKS: Final = frozenset({"of", "de", "d", "des", "du"})


def _date(unit: Unit) -> float:
    if any(mention.day is not None for mention in unit.dates):
        return 1.0
    if unit.dates:
        return 0.75
    if _ORDINAL.search(unit.text):
        return 0.85
    if _WEEKDAY.search(unit.text):
        return 0.85
    if any(
        quantity.kind == "clock" or (quantity.kind == "ordinal" and unit.language == "de")
        for quantity in unit.quantities
    ):
        return 0.7
    if any(quantity.kind == "time" for quantity in unit.quantities):
        return 0.6
    return 0.2 if _OFTEN.search(unit.text) else 0.0
