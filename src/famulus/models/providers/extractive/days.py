"""Days counted on and back: a span of time after or before a day, as one calculation whose result is a day, and spans said in four languages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Final

from famulus.models.providers.extractive.cells import quantities_of
from famulus.models.providers.extractive.figures import Calculation
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.phrases import Phrase
from famulus.models.providers.extractive.pool import unique
from famulus.text.dates import add_months, show_date
from famulus.text.numbers import show_number
from famulus.text.quantities import Quantity

# In this year a day without a year is reckoned; it is then shown without one.
ANY_YEAR: Final = 2026
_MONTHS_IN: Final = {"month": 1, "quarter": 3, "year": 12}
_DAYS_IN: Final = {"day": 1, "week": 7}
_NAMES: Final[dict[str, dict[str, tuple[str, str]]]] = {
    "en": {"day": ("day", "days"), "workday": ("working day", "working days"), "week": ("week", "weeks"), "month": ("month", "months"), "quarter": ("quarter", "quarters"), "year": ("year", "years")},
    "de": {"day": ("Tag", "Tage"), "workday": ("Arbeitstag", "Arbeitstage"), "week": ("Woche", "Wochen"), "month": ("Monat", "Monate"), "quarter": ("Quartal", "Quartale"), "year": ("Jahr", "Jahre")},
    "nl": {"day": ("dag", "dagen"), "workday": ("werkdag", "werkdagen"), "week": ("week", "weken"), "month": ("maand", "maanden"), "quarter": ("kwartaal", "kwartalen"), "year": ("jaar", "jaar")},
    "fr": {"day": ("jour", "jours"), "workday": ("jour ouvré", "jours ouvrés"), "week": ("semaine", "semaines"), "month": ("mois", "mois"), "quarter": ("trimestre", "trimestres"), "year": ("an", "ans")},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Day:
    """A day and where it stands; `source` is None for one of the question. `yearless` when the text names no year."""

    day: date
    source: Scored | None = None
    yearless: bool = False

    def shown(self, language: str) -> str:
        return shown_day(self.day, language, yearless=self.yearless)


@dataclass(frozen=True, slots=True)
class Span:
    """A length of time and where it stands."""

    quantity: Quantity
    source: Scored | None = None

    @property
    def countable(self) -> bool:
        return self.quantity.unit in ("day", "workday", "week", "month", "quarter", "year")

    def shown(self, language: str) -> str:
        one, many = _NAMES.get(language, _NAMES["en"])[self.quantity.unit]
        return f"{show_number(self.quantity.value, language)} {one if self.quantity.value == 1 else many}"


def shown_day(day: date, language: str, *, yearless: bool = False) -> str:
    text = show_date(day, language)
    return text.rsplit(" ", 1)[0] if yearless else text


def shifted(
    start: Day,
    spans: Sequence[tuple[int, Span]],
    phrase: Phrase,
    language: str,
    *,
    sources: Sequence[Scored] = (),
    last_of: int = 0,
    less_a_day: bool = False,
) -> Calculation | None:
    """The day that lies the spans (each with its sign) after `start`. `last_of` moves on to the last day of its month (1) or quarter (3).

    None where months and days are mixed or a span is no whole number.
    """
    if any(not span.countable or span.quantity.value != span.quantity.value.to_integral_value() for _, span in spans):
        return None
    values: tuple[tuple[str, str], ...] = (
        ("start", start.shown(language)),
        ("span", _spans_shown(spans, language)),
        ("yearless", "1" if start.yearless else ""),
        ("less", "1" if less_a_day else ""),
    )
    found = unique([item for item in (start.source, *(span.source for _, span in spans), *sources) if item is not None])
    units = {span.quantity.unit for _, span in spans}
    if units <= _MONTHS_IN.keys():
        months = [sign * int(span.quantity.value) * _MONTHS_IN[span.quantity.unit] for sign, span in spans]
        written = "".join(f" {'+' if month >= 0 else '-'} {abs(month)}" for month in months)
        day = start.day.day
        if last_of:
            reached = add_months(start.day.replace(day=1), sum(months))
            written += f" + {-reached.month % last_of}" if -reached.month % last_of else ""
            day = 31
        expression = f"{start.day.year} * 12 + {start.day.month}{written}"
        return Calculation(expression, "", phrase, "", found, values, language, "month", day)
    if units <= _DAYS_IN.keys() and last_of:
        days = sum(sign * int(span.quantity.value) * _DAYS_IN[span.quantity.unit] for sign, span in spans)
        reached = start.day + timedelta(days=days)
        last = add_months(reached.replace(day=1), -reached.month % last_of + 1) - timedelta(days=1)
        expression = f"{start.day.toordinal()} + {(last - start.day).days}"
        return Calculation(expression, "", phrase, "", found, values, language, "day")
    if units <= _DAYS_IN.keys():
        written = "".join(
            f" {'+' if sign > 0 else '-'} {int(span.quantity.value)}{' * 7' if span.quantity.unit == 'week' else ''}"
            for sign, span in spans
        )
        return Calculation(f"{start.day.toordinal()}{written}", "", phrase, "", found, values, language, "day")
    if units == {"workday"} and len(spans) == 1:
        sign, span = spans[0]
        target = _working(start.day, sign * int(span.quantity.value))
        apart = (target - start.day).days
        expression = f"{start.day.toordinal()} {'+' if apart >= 0 else '-'} {abs(apart)}"
        return Calculation(expression, "", "working_days", "", found, values, language, "day")
    return None


def _spans_shown(spans: Sequence[tuple[int, Span]], language: str) -> str:
    shown = spans[0][1].shown(language)
    for sign, span in spans[1:]:
        shown += f" {'+' if sign > 0 else '−'} {span.shown(language)}"
    return shown


def _working(day: date, number: int) -> date:
    """The day that lies so many working days (Monday to Friday) after this one, before it when negative."""
    step = 1 if number > 0 else -1
    left = abs(number)
    while left:
        day += timedelta(days=step)
        left -= day.weekday() < 5
    return day


def as_day(calculation: Calculation, result: str) -> date | None:
    """The day that the tool's result stands for."""
    try:
        number = int(Decimal(result))
        if calculation.shape == "day":
            found = date.fromordinal(number)
        else:
            first = date((number - 1) // 12, (number - 1) % 12 + 1, 1)
            following = add_months(first, 1)
            found = first.replace(day=min(calculation.day, (following - timedelta(days=1)).day))
        return found - timedelta(days=1) if dict(calculation.values).get("less") else found
    except (ValueError, ArithmeticError, OverflowError):
        return None


def day_values(calculation: Calculation, day: date, language: str) -> dict[str, str]:
    """What a phrase needs of a result that is a day."""
    yearless = bool(dict(calculation.values).get("yearless"))
    return {
        "result": shown_day(day, language, yearless=yearless),
        "last": shown_day(day - timedelta(days=1), language, yearless=yearless),
    }


def spans_of(pick: Scored) -> list[Span]:
    """The lengths of time of a sentence or row that are no rate and no `every two years`."""
    found: list[Span] = []
    for quantity in quantities_of(pick.unit):
        before = pick.unit.text[max(0, quantity.start - 14) : quantity.start]
        if (
            quantity.kind == "time"
            and quantity.per is None
            and not _EVERY.search(before)
            and not _END_OF_A.search(before)
        ):
            span = Span(quantity, pick)
            if span.countable:
                found.append(span)
    return found


_END_OF_A: Final = re.compile(r"\b(?:end of|ende|einde van|fin|début|start of|beginn) (?:d['’]|de )?$", re.IGNORECASE)
_EVERY: Final = re.compile(
    r"\b(?:every|each|alle|jede[nrsm]?|elke|iedere|om de|tous les|toutes les|chaque|per|pro|par)\s+$", re.IGNORECASE
)
