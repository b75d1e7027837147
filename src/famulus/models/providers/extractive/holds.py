"""Whether a sentence or row holds the kind of answer that is asked for."""

from __future__ import annotations

import re
from typing import Final

from famulus.models.providers.extractive.amounts import OFTEN, amount_strength, is_asked
from famulus.models.providers.extractive.asking import Asking
from famulus.models.providers.extractive.cells import quantities_of
from famulus.models.providers.extractive.names import (
    NAME,
    ONE_NAME,
    has_name,
    human_notions,
    role_notions,
    without_asked,
)
from famulus.models.providers.extractive.plan import Plan
from famulus.models.providers.extractive.terms import Bag, Term
from famulus.models.providers.extractive.units import Unit
from famulus.models.providers.extractive.vocabulary import notions
from famulus.text.fold import key
from famulus.text.numbers import find_numbers
from famulus.text.stopwords import ALL_GRAMMAR
from famulus.text.units import PIECES

_YEAR_ASKED: Final = re.compile(
    r"\b(?:(?:what|which) year|welche[mns]? (?:\w+)?jahr|welk jaar|quelle année|since when|seit wann|sinds wanneer|depuis quand)\b",
    re.IGNORECASE,
)
_YEAR: Final = re.compile(r"\b(?:1[89]|20)\d\d\b")
_REASON: Final = re.compile(
    r"\b(?:because|reason|since|due to|cause[sd]?|weil|grund|wegen|da|damit|omdat|doordat|reden|wegens|zodat|parce|car|raison|cause|afin|pour que)\b",
    re.IGNORECASE,
)
_WEEKDAY: Final = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)s?\b|\b(?:maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag)\b|\b(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)s?\b",
    re.IGNORECASE,
)
_ORDINAL: Final = re.compile(
    r"\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|\d+(?:st|nd|rd|th)|(?:erst|zweit|dritt|viert|fünft|sechst|siebt|acht|neunt|zehnt|letzt)e[nrsm]?|eerste|tweede|derde|vierde|vijfde|zesde|zevende|achtste|negende|tiende|laatste|"
    r"premi(?:er|ère)|deuxième|troisième|quatrième|cinquième|dernier|dernière|\d+\.) (?:\w+ )?(?:working |business )?(?:day|week|monday|friday|\w*tag|\w*tages|woche|(?:jede[srm]|eines) monats|des \w+|\w*dag|week|jour|semaine|lundi|vendredi|of (?:the|each|every|a|any)|van (?:de|een|elke|iedere) maand)\b|\ble \d{1,2} (?:du|de chaque) \w+|\b(?:end of|monatsende|ende des|einde van|fin du|fin de)\b",
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


# A last day is asked for, and told with a word for it.
_UNTIL_ASKED: Final = re.compile(
    r"\b(?:until when|till when|by when|by what date|bis wann|tot wanneer|jusqu['’]à (?:quand|quelle date)|avant quelle date)\b",
    re.IGNORECASE,
)
_UNTIL: Final = re.compile(
    r"\b(?:until|till|by|before|latest|later than|within|up to|ends?|expires?|valid|after|days?|weeks?|bis|spätestens|innerhalb|innert|binnen|vor|endet|gilt|gültig|nach|tage?n?|wochen|verfäll\w*|tot|uiterlijk|voor|eindigt|geldig|geldt|na|dagen|weken|vervalt|"
    r"jusqu\w*|au plus tard|avant|dans les|sous|expire|valable|après|jours|semaines|limite|deadline|closes?|due|fällig)\b",
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
        if any(not is_asked(quantity, plan) for quantity in quantities_of(unit)):
            return 1.0
        return 0.9 if unit.dates else 0.4
    if wanted == "whom":
        named = has_name(unit, plan, NAME) or Bag(without_asked(unit, plan), unit.language).about(role_notions())
        return 1.0 if named else 0.4
    if wanted == "count":
        return _count(asking.counted, unit, plan)
    if wanted in ("money", "amount", "percent", "measure", "duration", "clock"):
        return amount_strength(asking, unit, plan)
    if wanted == "identifier":
        return 1.0 if _SECRET.search(unit.text) else 0.0
    if wanted == "date" and _UNTIL_ASKED.search(plan.question) and not _UNTIL.search(unit.text):
        return min(0.5, _date(unit))
    if wanted == "date":
        return max(_date(unit), 0.95 if _YEAR_ASKED.search(plan.question) and _YEAR.search(unit.text) else 0.0)
    if wanted == "often":
        return 1.0 if OFTEN.search(unit.text) else 0.3 if unit.quantities else 0.0
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


# What is keyed in: a mixture of letters and figures, or four figures and more.
_SECRET: Final = re.compile(r"\b(?:[A-Za-z]+[-_]?\d[\w-]*|\d[\d-]{3,})\b(?![.,]\d)")


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
        if is_asked(quantity, plan) and quantity.kind != "count":
            continue
        after = _FIGURES.sub("", unit.text[quantity.start : quantity.end + 45])
        near = _noun_phrase(re.split(r"[,;.:]", after)[0])
        near_words = Bag(near, unit.language)
        if near.casefold().partition(" ")[0] in PIECES and Bag(unit.text, unit.language).credit(counted) >= 0.6:
            return 1.0
        if near_words.credit(counted) >= 0.6 or (counted_people and near_words.about(human_notions())):
            return 1.0
        before = " ".join(
            re.split(r"[,;.]|\s(?:and|und|en|et)\s", unit.text[max(0, quantity.start - 30) : quantity.start])[
                -1
            ].split()[-3:]
        )
        if Bag(before, unit.language).credit(counted) >= 0.6 and quantity.kind in ("count", "measure"):
            # `Bij wind boven 25 knopen`: how much of it, not how many.
            best = max(best, 0.85 if not quantity.unit or quantity.kind == "measure" else 0.3)
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
    return 0.2 if OFTEN.search(unit.text) else 0.0
