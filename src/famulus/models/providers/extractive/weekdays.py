"""A day of the week in a question, and a sentence that speaks of all working days (`mardi`, `en semaine`)."""

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


def covers_workday(term: Term, text: str) -> bool:
    """True for a day from Monday to Friday where the text speaks of all of them."""
    return _WORKDAY.fullmatch(term.written) is not None and _ON_WORKDAYS.search(text) is not None
