"""Calendar dates as people write them in English, German, Dutch and French. Pure; knows nothing of today."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

_MONTHS: Final[tuple[str, ...]] = (
    "january jan januar jänner januari janvier",
    "february feb februar februari février fevrier",
    "march mar märz maerz maart mars mrt",
    "april apr avril avr",
    "may mai mei",
    "june jun juni juin",
    "july jul juli juillet",
    "august aug augustus août aout",
    "september sep sept septembre",
    "october oct oktober okt octobre",
    "november nov novembre",
    "december dec dezember dez décembre decembre",
)
MONTHS: Final[dict[str, int]] = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
_NAME: Final = "|".join(sorted(MONTHS, key=len, reverse=True))
_DAY: Final = r"(?:0?[1-9]|[12]\d|3[01])"

_DAY_FIRST: Final = re.compile(
    rf"\b(?P<days>{_DAY}(?:\.|er|st|nd|rd|th)?(?:\s*(?:and|und|en|et|to|bis|tot|au|[-–,&])\s*{_DAY}(?:\.|st|nd|rd|th)?)*)"
    rf"\s*(?:of\s+)?\b(?P<month>{_NAME})\b\.?(?:,?\s+(?P<year>\d{{4}}))?(?!\d)",
    re.IGNORECASE,
)
_MONTH_FIRST: Final = re.compile(
    rf"\b(?P<month>{_NAME})\s+(?P<days>{_DAY})(?:st|nd|rd|th)?,?\s+(?P<year>\d{{4}})\b", re.IGNORECASE
)
_ISO: Final = re.compile(r"\b(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})\b")
_NUMERIC: Final = re.compile(rf"\b(?P<day>{_DAY})[./-](?P<month>0?[1-9]|1[0-2])[./-](?P<year>\d{{4}})\b")
_MONTH_ONLY: Final = re.compile(rf"\b(?P<month>{_NAME})\b(?:\s+(?P<year>\d{{4}}))?", re.IGNORECASE)
_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")


@dataclass(frozen=True, slots=True)
class DateMention:
    """`text[start:end]`. `day` and `year` are None where the text does not say them."""

    start: int
    end: int
    month: int
    day: int | None
    year: int | None

    @property
    def exact(self) -> date | None:
        """The calendar day, where day, month and year are written and exist."""
        if self.day is None or self.year is None:
            return None
        try:
            return date(self.year, self.month, self.day)
        except ValueError:
            return None


def find_dates(text: str) -> list[DateMention]:
    """Every date of the text in order; of a list (`21 and 22 April 2026`) each day. A day without a year takes none over."""
    found: list[DateMention] = []
    taken: list[tuple[int, int]] = []
    for mention in _candidates(text):
        if not any(mention.start < end and start < mention.end for start, end in taken):
            found.append(mention)
            taken.append((mention.start, mention.end))
        elif any((mention.start, mention.end) == span for span in taken):
            found.append(mention)
    return sorted(found, key=lambda mention: (mention.start, mention.day or 0))


def _candidates(text: str) -> Iterator[DateMention]:
    for match in _ISO.finditer(text):
        if 1 <= int(match["month"]) <= 12:
            yield DateMention(match.start(), match.end(), int(match["month"]), int(match["day"]), int(match["year"]))
    for match in _NUMERIC.finditer(text):
        yield DateMention(match.start(), match.end(), int(match["month"]), int(match["day"]), int(match["year"]))
    for pattern in (_DAY_FIRST, _MONTH_FIRST):
        for match in pattern.finditer(text):
            year = int(match["year"]) if match["year"] else None
            for day in re.findall(r"\d+", match["days"]):
                yield DateMention(match.start(), match.end(), MONTHS[match["month"].lower()], int(day), year)
    for match in _MONTH_ONLY.finditer(text):
        # A bare `may`, `mars` or `mar` is more often a verb or a name than a month; a capital or a year tells.
        if match["year"] or (match["month"][0].isupper() and len(match["month"]) > 3) or len(match["month"]) > 4:
            year = int(match["year"]) if match["year"] else None
            yield DateMention(match.start(), match.end(), MONTHS[match["month"].lower()], None, year)


def has_year(text: str) -> bool:
    return _YEAR.search(text) is not None


def add_months(day: date, months: int) -> date:
    """The same day `months` later (earlier when negative); the last of the month where that day does not exist."""
    total = day.year * 12 + day.month - 1 + months
    year, month = divmod(total, 12)
    for last in (day.day, 30, 29, 28):
        try:
            return date(year, month + 1, min(day.day, last))
        except ValueError:
            continue
    raise AssertionError


_SHOWN: Final[dict[str, tuple[str, ...]]] = {
    "en": (
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ),
    "de": (
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ),
    "nl": (
        "januari",
        "februari",
        "maart",
        "april",
        "mei",
        "juni",
        "juli",
        "augustus",
        "september",
        "oktober",
        "november",
        "december",
    ),
    "fr": (
        "janvier",
        "février",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "août",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
    ),
}
_WEEKDAYS: Final[dict[str, tuple[str, ...]]] = {
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "de": ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"),
    "nl": ("maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag"),
    "fr": ("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
}


def show_date(day: date, language: str) -> str:
    months = _SHOWN.get(language, _SHOWN["en"])
    number = "1er" if language == "fr" and day.day == 1 else f"{day.day}." if language == "de" else str(day.day)
    return f"{number} {months[day.month - 1]} {day.year}"


def weekday(day: date, language: str) -> str:
    return _WEEKDAYS.get(language, _WEEKDAYS["en"])[day.weekday()]
