"""Days between two events, deadlines counted back, weekdays: with the dates of the passages, said together with them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Final

from famulus.models.providers.extractive.calculation import Calculation
from famulus.models.providers.extractive.holds import quantities_of
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.phrases import say
from famulus.models.providers.extractive.plan import Part, Plan
from famulus.models.providers.extractive.select import Chosen
from famulus.models.providers.extractive.terms import Bag
from famulus.models.providers.extractive.units import days_of
from famulus.text.dates import DateMention, show_date, weekday

_WEEKDAY_ASKED: Final = re.compile(
    r"\b(?:what day of the week|which day of the week|which weekday|what weekday|welcher wochentag|welchem wochentag|auf welchen wochentag|welke dag van de week|welke weekdag|quel jour de la semaine)\b",
    re.IGNORECASE,
)
_WEEKS: Final = re.compile(r"\b(?:how many weeks|wie ?viele wochen|hoeveel weken|combien de semaines)\b", re.IGNORECASE)


def event_dates(plan: Plan, choices: Sequence[Chosen]) -> list[tuple[date, Scored]]:
    """The date of each of the two events; empty when one has none. Two events of one sentence have its dates between them."""
    dated = [
        [
            (_distance(event, pick, mention), mention.start, day, pick)
            for pick in choice.picks[:1]
            for mention, day in days_of(pick.unit)
        ]
        for event, choice in zip(plan.events, choices, strict=False)
    ]
    if len(dated) != 2 or not all(dated):
        return []
    one, two = (sorted(found, key=lambda item: item[:2]) for found in dated)
    pairs = [(a, b) for a in one for b in two if a[2] != b[2]] if one[0][2] == two[0][2] else []
    best = min(pairs, key=lambda pair: (pair[0][0] + pair[1][0], pair[0][1]), default=(one[0], two[0]))
    return [(day, pick) for _, _, day, pick in best]


def _distance(event: Part, pick: Scored, mention: DateMention) -> float:
    """Mean distance in characters between the date and the words of the event; a sentence end between counts much."""
    text, total, count = pick.unit.text, 0.0, 0
    for term in event.terms:
        places = [
            word.start()
            for word in re.finditer(r"[\w-]+", text)
            if Bag(word.group(), pick.unit.language).credit(term) >= 0.6
        ]
        if places:
            total += min(abs(place - mention.start) for place in places)
            count += 1
    return total / count if count else 1_000.0


def days_between(plan: Plan, choices: Sequence[Chosen]) -> Calculation | None:
    """As day numbers, so that the calculator can subtract them."""
    found = event_dates(plan, choices)
    if not found:
        return None
    (first, one), (second, two) = sorted(found, key=lambda item: item[0])
    values = (("first", show_date(first, plan.language)), ("second", show_date(second, plan.language)))
    numbers = tuple(dict.fromkeys((one.seen.n, two.seen.n)))
    if _WEEKS.search(plan.question):
        expression = f"({second.toordinal()} - {first.toordinal()}) / 7"
        return Calculation(expression, "", "weeks_between", "", numbers, values)
    return Calculation(f"{second.toordinal()} - {first.toordinal()}", "", "days_between", "", numbers, values)


_SLIP: Final = re.compile(
    r"\b(?:by how many (?:days|weeks)|how many (?:days|weeks) (?:later|earlier|late)|um wie ?viele (?:tage|wochen)|wie ?viele (?:tage|wochen) (?:später|früher)|"
    r"met hoeveel (?:dagen|weken)|hoeveel (?:dagen|weken) (?:later|eerder)|de combien de (?:jours|semaines)|combien de (?:jours|semaines) (?:plus tard|plus tôt|de retard))\b",
    re.IGNORECASE,
)


def days_of_row(plan: Plan, choices: Sequence[Chosen]) -> Calculation | None:
    """How long something took, where its row has only the day it began and the day it ended."""
    for choice in choices:
        if choice.part.asking.wanted != "duration" or not choice.answered or len(choices) > 1:
            continue
        pick = choice.picks[0]
        days = [day for _, day in days_of(pick.unit)]
        if pick.unit.cells and len(days) == 2 and not any(q.kind == "time" for q in quantities_of(pick.unit)):
            return _between(min(days), max(days), (pick.seen.n,), plan)
    return None


def _between(first: date, second: date, numbers: tuple[int, ...], plan: Plan) -> Calculation:
    values = (("first", show_date(first, plan.language)), ("second", show_date(second, plan.language)))
    return Calculation(f"{second.toordinal()} - {first.toordinal()}", "", "days_between", "", numbers, values)


def slip(plan: Plan, choices: Sequence[Chosen]) -> Calculation | None:
    """The days between the first two dates that the picks give, for `by how many days does it slip`."""
    if not _SLIP.search(plan.question):
        return None
    dated: dict[date, int] = {}
    for choice in choices:
        for pick in (*choice.picks, *(item for item in choice.ranked[:6] if item.good)):
            for mention in pick.unit.dates:
                year = next((other.year for item in choice.ranked[:6] for other in item.unit.dates if other.year), None)
                day = mention.exact or (None if mention.day is None or year is None else _on(year, mention))
                if day is not None:
                    dated.setdefault(day, pick.seen.n)
    if len(dated) < 2:
        return None
    (first, one), (second, two) = sorted(list(dated.items())[:2])
    values = (("first", show_date(first, plan.language)), ("second", show_date(second, plan.language)))
    return Calculation(
        f"{second.toordinal()} - {first.toordinal()}", "", "days_between", "", tuple(dict.fromkeys((one, two))), values
    )


def _on(year: int, mention: DateMention) -> date | None:
    return DateMention(mention.start, mention.end, mention.month, mention.day, year).exact


def days_from_now(plan: Plan, choices: Sequence[Chosen], today: str) -> Calculation | None:
    """From today to the date of the best pick, or back."""
    picks = [pick for choice in choices for pick in choice.picks]
    day = next((mention.exact for pick in picks[:1] for mention in pick.unit.dates if mention.exact), None)
    try:
        now = date.fromisoformat(today)
    except ValueError:
        return None
    if day is None:
        return None
    late, early = max(day, now), min(day, now)
    values = (("today", show_date(now, plan.language)), ("date", show_date(day, plan.language)))
    expression = f"{late.toordinal()} - {early.toordinal()}"
    return Calculation(expression, "", "until" if day >= now else "since", "", (picks[0].seen.n,), values)


def weekday_line(plan: Plan, choices: Sequence[Chosen]) -> str | None:
    """The weekday of the best pick's date, when the question asks for it."""
    if not _WEEKDAY_ASKED.search(plan.question):
        return None
    for choice in choices:
        for pick in choice.picks:
            for mention in pick.unit.dates:
                if (day := mention.exact) is not None:
                    line = say(
                        "weekday",
                        plan.language,
                        date=show_date(day, plan.language),
                        weekday=weekday(day, plan.language),
                    )
                    return f"{line[:1].upper()}{line[1:]} [{pick.seen.n}]"
    return None
