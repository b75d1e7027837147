"""The next time of what happens again and again: every three years, on the first Monday of each month, every Thursday, on the 15th of each month."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Final

from famulus.models.providers.extractive.days import Day, Span, shifted
from famulus.models.providers.extractive.deadline_sources import question_days
from famulus.models.providers.extractive.deadline_words import asks_latest
from famulus.models.providers.extractive.figures import Calculation
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.pool import Pool
from famulus.models.providers.extractive.units import days_of
from famulus.text.dates import add_months, find_dates
from famulus.text.quantities import Quantity

_NEXT: Final = re.compile(
    r"\b(?:next|again|following|first .{0,30} after|nächste[nrsm]?|wieder|erneut|folgende[nrsm]?|volgende?|eerstvolgende|opnieuw|weer|prochaine?s?|de nouveau|suivante?s?)\b",
    re.IGNORECASE,
)
_AFTER: Final = re.compile(r"\b(?:after|following|nach|na|après)\b", re.IGNORECASE)
_EVERY: Final = re.compile(
    r"\b(?:every|each|alle|jede[nrsm]?|elke?|iedere|om de|tous les|toutes les|chaque)\s+(?:\w+\s+)?$", re.IGNORECASE
)
_EVERY_ONE: Final = re.compile(
    r"\b(?P<year>every year|each year|annually|yearly|once a year|jedes jahr|jährlich|einmal im jahr|elk jaar|ieder jaar|jaarlijks|chaque année|tous les ans|une fois par an)\b|"
    r"\b(?P<half>twice a year|every six months|half-yearly|halbjährlich|halfjaarlijks|semestriel\w*)\b|\b(?P<month>every month|monthly|jeden monat|monatlich|elke maand|maandelijks|chaque mois|tous les mois)\b",
    re.IGNORECASE,
)
_LAST: Final = re.compile(
    r"\b(?:last(?: time)?|most recent\w*|previous\w*|latest|zuletzt|letzte[nrsm]?|letztmals|laatst\w*|vorige|dernière?(?: fois)?|derniers?|précédente?)\b",
    re.IGNORECASE,
)
_WEEKDAYS: Final[tuple[str, ...]] = (
    "mondays?|montags?|maandag(?:en|s)?|lundis?", "tuesdays?|dienstags?|dinsdag(?:en|s)?|mardis?", "wednesdays?|mittwochs?|woensdag(?:en|s)?|mercredis?",
    "thursdays?|donnerstags?|donderdag(?:en|s)?|jeudis?", "fridays?|freitags?|vrijdag(?:en|s)?|vendredis?", "saturdays?|samstags?|sonnabends?|zaterdag(?:en|s)?|samedis?",
    "sundays?|sonntags?|zondag(?:en|s)?|dimanches?",
)  # fmt: skip
_WEEKDAY: Final = "|".join(f"(?P<d{number}>{names})" for number, names in enumerate(_WEEKDAYS))
_ORDINALS: Final[tuple[str, ...]] = (
    "first|1st|erste[nrsm]?|eerste|premier|1er", "second|2nd|zweite[nrsm]?|tweede|deuxième|second", "third|3rd|dritte[nrsm]?|derde|troisième",
    "fourth|4th|vierte[nrsm]?|vierde|quatrième", "last|letzte[nrsm]?|laatste|dernier",
)  # fmt: skip
_ORDINAL: Final = "|".join(f"(?P<o{number}>{names})" for number, names in enumerate(_ORDINALS, 1))
_OF_MONTH: Final = r"\s*(?:of|in|im|des|jedes|eines|van|du|de)?\s*(?:each|every|the|a|any|de|elke|iedere|jeden|jedes|chaque)?\s*(?:calendar )?(?:months?|monat(?:s|es)?|maand|mois)"
_NTH: Final = re.compile(rf"\b(?:{_ORDINAL})\s+(?:{_WEEKDAY})\b{_OF_MONTH}", re.IGNORECASE)
_NTH_FRENCH: Final = re.compile(rf"\b(?:{_ORDINAL})\s+(?:{_WEEKDAY})\b", re.IGNORECASE)
_EACH_WEEKDAY: Final = re.compile(
    rf"\b(?:every|each|on|jeden|elke|iedere|op|tous les|chaque|le)\s+(?:{_WEEKDAY})\b|\b(?:montags|dienstags|mittwochs|donnerstags|freitags|samstags|sonntags)\b",
    re.IGNORECASE,
)
_DAY_OF_MONTH: Final = re.compile(
    r"\b(?:on |by |am |zum |bis zum |op |vóór |le |avant le )?(?:the |de |den )?(?P<day>[12]?\d|3[01])(?:st|nd|rd|th|\.|e|er)?\s*(?:day )?(?:of|des|jedes|eines|van|du|de)\s*(?:each|every|the|elke|iedere|de|chaque)?\s*(?:months?|monats|maand|mois)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Rule:
    """Every `months` months from an anchor, the nth weekday of a month (5 is the last), each weekday, or one day of each month."""

    months: int = 0
    nth: int = 0
    weekday: int = -1
    day: int = 0


def next_time(pool: Pool, today: str = "") -> Calculation | None:
    """The next day by the rule of a quoted sentence, after the day or year that the question names, else after today where that is known."""
    if not any(part.asking.wanted == "date" for part in pool.plan.parts) or not _asks_next(pool):
        return None
    for item in pool.picks[:2]:
        rule = read_rule(item)
        if rule is None:
            continue
        if rule.months:
            return _from_anchor(pool, item, rule, today)
        after = _reference(pool, today)
        return None if after is None else _after(pool, item, rule, after)
    return None


def needs_today(pool: Pool) -> bool:
    """True where only the clock can tell after which day the next time is asked for."""
    if (
        not any(part.asking.wanted == "date" for part in pool.plan.parts)
        or not _asks_next(pool)
        or _reference(pool, "") is not None
    ):
        return False
    rules = [rule for item in pool.picks[:3] if (rule := read_rule(item)) is not None]
    return bool(rules) and not rules[0].months


def _asks_next(pool: Pool) -> bool:
    """`When is the next one?`, or `when after 6 May?` where the best sentence itself is a rule."""
    question = pool.plan.question
    if _NEXT.search(question):
        return True
    after = bool(question_days(pool.plan)) and _AFTER.search(question) is not None
    # `When does the board meet in May 2026?`
    month = any(mention.day is None and mention.year for mention in find_dates(question))
    if month and pool.picks and (rule := read_rule(pool.picks[0])) is not None and not rule.months:
        return not asks_latest(question)
    return after and not asks_latest(question) and bool(pool.picks) and read_rule(pool.picks[0]) is not None


def read_rule(item: Scored) -> Rule | None:
    """The rule of a sentence; None where it states none."""
    text = item.unit.text
    if match := _NTH.search(text) or (
        _NTH_FRENCH.search(text) if re.search(r"\b(?:mois|maand|month|Monat)", text) else None
    ):
        groups = match.groupdict()
        nth = next(number for number in range(1, 6) if groups.get(f"o{number}"))
        return Rule(nth=nth, weekday=next(number for number in range(7) if groups.get(f"d{number}")))
    for quantity in item.unit.quantities:
        months = {"month": 1, "quarter": 3, "year": 12}.get(quantity.unit)
        if quantity.kind == "time" and months and _EVERY.search(text[max(0, quantity.start - 22) : quantity.start]):
            return Rule(months=months * int(quantity.value))
    if match := _DAY_OF_MONTH.search(text):
        return Rule(day=int(match["day"]))
    if match := _EVERY_ONE.search(text):
        return Rule(months=12 if match["year"] else 6 if match["half"] else 1)
    if match := _EACH_WEEKDAY.search(text):
        number = next(
            (
                number
                for number, names in enumerate(_WEEKDAYS)
                if re.search(rf"\b(?:{names})\b", match.group(), re.IGNORECASE)
            ),
            -1,
        )
        return Rule(weekday=number)
    return None


def _reference(pool: Pool, today: str) -> date | None:
    """After which day: a day, the day before a month, or the end of a year of the question; else today."""
    question = pool.plan.question
    if days := question_days(pool.plan):
        return days[0].day
    for mention in find_dates(question):
        if mention.year and mention.day is None:
            first = date(mention.year, mention.month, 1)
            before = question[max(0, mention.start - 20) : mention.start]
            return (
                add_months(first, 1) - timedelta(days=1)
                if re.search(r"\b(?:after|nach|na|après)\s+$", before, re.IGNORECASE)
                else first - timedelta(days=1)
            )
    if match := re.search(r"\b(?:after|nach|na|après)\s+(?P<year>20\d\d)\b", question, re.IGNORECASE):
        return date(int(match["year"]), 12, 31)
    if match := re.search(r"\b(?:in|im jahr|en)\s+(?P<year>20\d\d)\b", question, re.IGNORECASE):
        return date(int(match["year"]) - 1, 12, 31)
    try:
        return date.fromisoformat(today)
    except ValueError:
        return None


def _from_anchor(pool: Pool, item: Scored, rule: Rule, today: str) -> Calculation | None:
    """So many times the period after the day (or month) that the sentence, or a neighbour, names; once where it names the last time."""
    anchor = _anchor(pool, item)
    if anchor is None:
        return None
    first, source = anchor
    after = _reference(pool, "")
    is_last = _LAST.search(item.unit.text) or _LAST.search(source.unit.text)
    times = 1
    if after is not None:
        while add_months(first, times * rule.months) <= after:
            times += 1
        if times == 1 and first > after:
            return None
    elif not is_last:
        return None
    unit, each = ("year", 12) if rule.months % 12 == 0 else ("month", 1)
    quantity = Quantity(0, 0, Decimal(times * rule.months // each), "time", unit)
    return shifted(Day(first, source), [(1, Span(quantity, item))], "later", pool.plan.language)


def _anchor(pool: Pool, item: Scored) -> tuple[date, Scored] | None:
    beside = [
        other
        for other in pool.ranked
        if other.seen.n == item.seen.n
        and other.unit.block == item.unit.block
        and abs(other.unit.place - item.unit.place) <= 1
    ]
    for other in [item, *beside]:
        if days := days_of(other.unit):
            return days[0][1], other
        for mention in other.unit.dates:
            if mention.year and mention.day is None:
                return date(mention.year, mention.month, 1), other
    return None


def _after(pool: Pool, item: Scored, rule: Rule, after: date) -> Calculation | None:
    """The first day after `after` that fits the rule, as days added to it."""
    day = after + timedelta(days=1)
    while not _fits(rule, day):
        day += timedelta(days=1)
        if (day - after).days > 70:
            return None
    span = Span(Quantity(0, 0, Decimal((day - after).days), "time", "day"), item)
    return shifted(Day(after), [(1, span)], "next_time", pool.plan.language)


def _fits(rule: Rule, day: date) -> bool:
    if rule.day:
        return day.day == min(rule.day, monthrange(day.year, day.month)[1])
    if day.weekday() != rule.weekday:
        return False
    if rule.nth == 5:
        return day.day + 7 > monthrange(day.year, day.month)[1]
    return rule.nth == 0 or (day.day - 1) // 7 + 1 == rule.nth
