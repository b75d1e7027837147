"""A day of the week in a question, and a sentence that speaks of all such days (`mardi`, `en semaine`)."""

from __future__ import annotations

import re
from typing import Final

from famulus.models.providers.extractive.terms import Term

_WORKDAY: Final = re.compile(
    r"(?:monday|tuesday|wednesday|thursday|friday)s?|(?:montag|dienstag|mittwoch|donnerstag|freitag)s?|maandag|dinsdag|woensdag|donderdag|vrijdag|(?:lundi|mardi|mercredi|jeudi|vendredi)s?",
    re.IGNORECASE,
)
_ON_WORKDAYS: Final = re.compile(
    r"\b(?:weekdays?|working days|during the week|monday to friday|werktags?|wochentags?|an (?:werk|wochen|arbeits)tagen|unter der woche|montag bis freitag|doordeweeks|op (?:werk|week)dagen|door de week|maandag tot (?:en met )?vrijdag|"
    r"en semaine|jours ouvrés|jours de semaine|du lundi au vendredi)\b",
    re.IGNORECASE,
)

_WEEKEND_DAY: Final = re.compile(
    r"(?:saturday|sunday)s?|(?:samstag|sonnabend|sonntag)s?|zaterdag|zondag|(?:samedi|dimanche)s?", re.IGNORECASE
)
_ON_WEEKENDS: Final = re.compile(r"\b(?:weekends?|wochenenden?|week-ends?|fins de semaine)\b", re.IGNORECASE)


def covers_day(term: Term, text: str) -> bool:
    """True for a day from Monday to Friday, or of the weekend, where the text speaks of all of them."""
    if _WORKDAY.fullmatch(term.written):
        return _ON_WORKDAYS.search(text) is not None
    return _WEEKEND_DAY.fullmatch(term.written) is not None and _ON_WEEKENDS.search(text) is not None
