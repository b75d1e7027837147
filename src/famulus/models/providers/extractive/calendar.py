"""Days, weeks, months between two dates: of two events, of two columns of a row, of the question and a passage; and weekdays."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Final

from famulus.models.providers.extractive.cells import cell_at
from famulus.models.providers.extractive.days import Day
from famulus.models.providers.extractive.deadline_sources import question_days
from famulus.models.providers.extractive.figures import Calculation
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.phrases import say
from famulus.models.providers.extractive.plan import Part, Plan
from famulus.models.providers.extractive.pool import Pool, unique
from famulus.models.providers.extractive.select import Chosen
from famulus.models.providers.extractive.terms import Bag
from famulus.models.providers.extractive.units import days_of
from famulus.text.dates import DateMention, find_dates, show_date, weekday

_WEEKDAY_ASKED: Final = re.compile(
    r"\b(?:(?:on )?(?:what|which) day of the week|which weekday|what weekday|welche[rmns]? wochentag|welke dag van de week|welke weekdag|quel jour de la semaine)\b",
    re.IGNORECASE,
)
_UNIT_ASKED: Final = (
    ("week", re.compile(r"\b(?:how many weeks|wie ?viele wochen|hoeveel weken|combien de semaines)\b", re.IGNORECASE)),
    ("month", re.compile(r"\b(?:how many months|wie ?viele monate|hoeveel maanden|combien de mois)\b", re.IGNORECASE)),
    (
        "year",
        re.compile(r"\b(?:how many years|wie ?viele jahre|hoeveel jaar|combien d['’]ann?(?:s|ées))\b", re.IGNORECASE),
    ),
)
_LATE: Final = re.compile(
    r"\b(?:late|later|overdue|delay\w*|earlier|early|after the due date|verspät\w*|zu spät|später|verzug|verzögerung|früher|te laat|later|vertraging|eerder|retard|tard|plus tôt|d['’]avance)\b",
    re.IGNORECASE,
)
_DUE: Final = re.compile(
    r"due|deadline|promised|planned|fällig|termin|frist|soll|verval|uiterste|beloofd|gepland|échéance|prévue?|limite",
    re.IGNORECASE,
)
_DONE: Final = re.compile(
    r"paid|received|arrived|delivered|returned|actual|bezahlt|erhalten|geliefert|eingang|ist|betaald|ontvangen|geleverd|payée?|reçue?|livrée?|réel",
    re.IGNORECASE,
)
_WAY: Final = re.compile(
    r"\b(?:on (?:its|the|their) way|under way|in transit|travel\w*|unterwegs|onderweg|en route|en chemin|take[ns]?|took|last\w*|dauer\w*|duur\w*|dur\w*)\b",
    re.IGNORECASE,
)
_SENT: Final = re.compile(
    r"sent|depart|left|shipp|start|begin|from|abgang|abfahrt|versandt|beginn|von|verzonden|vertrek|envoy|départ|début|expédi",
    re.IGNORECASE,
)
_COME: Final = re.compile(
    r"arriv|receiv|end|until|ankunft|eingang|ende|bis|aankomst|ontvangen|einde|arrivée|reçu|fin", re.IGNORECASE
)
_BEGIN: Final = re.compile(
    r"\b(?:went in(?:to)?|goes in(?:to)?|enter\w*|arriv\w*|beg[ai]n\w*|start\w*|from|left|depart\w*|sent|beginn\w*|begann|ging\w* in|einfahr\w*|ab|seit|vom|begint|begon|vanaf|ging|vertrok\w*|commenc\w*|entr\w*|part\w*|début\w*|depuis)\b",
    re.IGNORECASE,
)
_FINISH: Final = re.compile(
    r"\b(?:leaves?|left|ends?|ended|finish\w*|until|to|back|return\w*|complet\w*|arriv\w*|endet\w*|ende|verlässt|verliess|bis|zurück|fertig|eindig\w*|verlaat|verliet|tot|terug|klaar|quitte\w*|sort\w*|termin\w*|fin\w*|jusqu\w*|retour|revien\w*)\b",
    re.IGNORECASE,
)
_STAYS: Final = re.compile(
    r"\b(?:spends?|spent|stay\w*|last(?:s|ed)?|take[sn]?|took|was|were|is|be|on (?:its|the) way|under way|remain\w*|dauer\w*|bleib\w*|lag|liegt|unterwegs|war|verbring\w*|duur\w*|blijf\w*|ligt|onderweg|dur\w*|rest\w*|pass\w*|en route)\b",
    re.IGNORECASE,
)


def between(first: Day, second: Day, plan: Plan) -> Calculation:
    """From the earlier to the later, in the unit that the question asks for, else in days."""
    one, two = sorted((first, second), key=lambda item: item.day)
    sources = unique([item.source for item in (one, two) if item.source is not None])
    values = (("first", one.shown(plan.language)), ("second", two.shown(plan.language)))
    unit = next((name for name, pattern in _UNIT_ASKED if pattern.search(plan.question)), "day")
    days = f"{two.day.toordinal()} - {one.day.toordinal()}"
    if unit == "week":
        return Calculation(f"({days}) / 7", "", "weeks_between", "", sources, values, plan.language)
    if unit in ("month", "year"):
        # The last day of a term belongs to it: from 1 May to 30 April are twelve whole months.
        whole = (
            1
            if two.day.day == one.day.day - 1
            or (one.day.day == 1 and (two.day.toordinal() + 1) == _first_after(two.day))
            else 0
        )
        months = f"({two.day.year} - {one.day.year}) * 12 + {two.day.month} - {one.day.month}{' + 1' if whole and one.day.day == 1 else ''}"
        phrase = "months_between" if unit == "month" else "years_between"
        return Calculation(
            months if unit == "month" else f"({months}) / 12", "", phrase, "", sources, values, plan.language
        )
    return Calculation(days, "", "days_between", "", sources, values, plan.language)


def _first_after(day: date) -> int:
    """The ordinal of the first day of the next month."""
    return date(day.year + day.month // 12, day.month % 12 + 1, 1).toordinal()


# --- two events


def days_between(plan: Plan, choices: Sequence[Chosen]) -> Calculation | None:
    """Between the two events of the question; an event may be a day that the question itself writes."""
    found = event_dates(plan, choices)
    if len(found) != 2 or found[0].day == found[1].day:
        return None
    return between(found[0], found[1], plan)


def event_dates(plan: Plan, choices: Sequence[Chosen]) -> list[Day]:
    """The date of each of the two events; empty when one has none. Two events of one sentence have its dates between them."""
    written = [
        next((Day(mention.exact) for mention in find_dates(event.text) if mention.exact), None) for event in plan.events
    ]
    dated = [
        [
            (_distance(event, pick, mention), mention.start, day, pick)
            for pick in choice.picks[:1]
            for mention, day in days_of(pick.unit)
        ]
        for event, choice in zip(plan.events, choices, strict=False)
    ]
    if any(written):
        others = [sorted(found, key=lambda item: item[:2])[0] if found else None for found in dated]
        days = [
            day or (Day(other[2], other[3]) if other else None)
            for day, other in zip(written, others or [None, None], strict=False)
        ]
        return [day for day in days if day is not None]
    if len(dated) != 2 or not all(dated):
        return []
    one, two = (sorted(found, key=lambda item: item[:2]) for found in dated)
    pairs = [(a, b) for a in one for b in two if a[2] != b[2]] if one[0][2] == two[0][2] else []
    best = min(pairs, key=lambda pair: (pair[0][0] + pair[1][0], pair[0][1]), default=(one[0], two[0]))
    return [Day(day, pick) for _, _, day, pick in best]


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


# --- a delay, two columns, a stay

_SLIP: Final = re.compile(
    r"\b(?:by how many (?:days|weeks)|how many (?:days|weeks) (?:later|earlier|late)|um wie ?viele (?:tage|wochen)|wie ?viele (?:tage|wochen) (?:später|früher|zu spät)|"
    r"met hoeveel (?:dagen|weken)|hoeveel (?:dagen|weken) (?:later|eerder|te laat)|de combien de (?:jours|semaines)|combien de (?:jours|semaines) (?:plus tard|plus tôt|de retard))\b",
    re.IGNORECASE,
)


def slip(plan: Plan, choices: Sequence[Chosen]) -> Calculation | None:
    """The days between the first two dates that the picks give, for `by how many days does it slip`."""
    if not _SLIP.search(plan.question):
        return None
    dated: dict[date, Scored] = {}
    first_document = next((pick.seen.document_id for choice in choices for pick in choice.picks if pick.unit.dates), "")
    for choice in choices:
        for pick in (*choice.picks, *(item for item in choice.ranked[:12] if item.good or item.score > 0.6)):
            if pick.seen.document_id != first_document or pick.unit.cells:
                continue
            for mention in pick.unit.dates:
                year = next((other.year for item in choice.ranked[:6] for other in item.unit.dates if other.year), None)
                day = mention.exact or (None if mention.day is None or year is None else _on(year, mention))
                if day is not None:
                    dated.setdefault(day, pick)
    if len(dated) < 2:
        return None
    (first, one), (second, two) = sorted(list(dated.items())[:2], key=lambda item: item[0])
    return between(Day(first, one), Day(second, two), plan)


def _on(year: int, mention: DateMention) -> date | None:
    return DateMention(mention.start, mention.end, mention.month, mention.day, year).exact


def between_columns(pool: Pool) -> Calculation | None:
    """The time between two dates of the row that is meant: the columns that the question names, those of due and done, or the only two."""
    plan = pool.plan
    if not any(part.asking.wanted == "duration" for part in plan.parts):
        return None
    row = next((item for item in (*pool.picks[:1], *pool.ranked[:1]) if item.unit.cells and not item.lacks_mark), None)
    if row is None:
        return None
    dated = [
        (cell[0], day) for mention, day in days_of(row.unit) if (cell := cell_at(row.unit, mention.start)) is not None
    ]
    pair = _column_pair(plan, dated)
    if pair is None or pair[0] == pair[1]:
        return None
    return between(Day(pair[0], row), Day(pair[1], row), plan)


def between_two(pool: Pool) -> Calculation | None:
    """`How many days lie between the two dates?`: the only two days of the best sentence."""
    if not _THE_TWO.search(pool.plan.question) or not pool.picks or pool.picks[0].unit.cells:
        return None
    pick = pool.picks[0]
    days = list(dict.fromkeys(day for _, day in days_of(pick.unit)))
    return between(Day(days[0], pick), Day(days[1], pick), pool.plan) if len(days) == 2 else None


_THE_TWO: Final = re.compile(
    r"\b(?:between (?:the )?(?:two|both)|zwischen (?:den |beiden |diesen )?(?:zwei|beiden)|tussen (?:de )?(?:twee|beide)|(?:entre|séparent) les deux)\b",
    re.IGNORECASE,
)


def _column_pair(plan: Plan, dated: list[tuple[str, date]]) -> tuple[date, date] | None:
    named = [
        (header, day)
        for header, day in dated
        if any(Bag(header.replace("_", " ")).credit(term) >= 0.75 for term in plan.terms)
    ]
    if len(named) == 2:
        return named[0][1], named[1][1]
    if _LATE.search(plan.question):
        due = [day for header, day in dated if _DUE.search(header)]
        done = [day for header, day in dated if _DONE.search(header) and not _DUE.search(header)]
        return (due[0], done[0]) if len(due) == 1 and len(done) == 1 else None
    if _WAY.search(plan.question):
        sent = [day for header, day in dated if _SENT.search(header)]
        come = [day for header, day in dated if _COME.search(header)]
        return (sent[0], come[0]) if len(sent) == 1 and len(come) == 1 else None
    return (dated[0][1], dated[1][1]) if len(dated) == 2 else None


def length_of_stay(pool: Pool) -> Calculation | None:
    """`How many days does it spend in the dock?`: from the sentence in which it begins to the one in which it ends, or both in one."""
    plan = pool.plan
    if (
        not any(part.asking.wanted == "duration" for part in plan.parts)
        or not _STAYS.search(plan.question)
        or _SLIP.search(plan.question)
    ):
        return None
    top = pool.picks[0] if pool.picks else next(iter(pool.ranked), None)
    nouns = [
        term
        for term in plan.terms
        if term.noun and term.kind == "word" and term.key not in plan.parts[0].asking.signals
    ]
    if pool.picks and (both := _range(pool.picks[0])) is not None:
        return between(both[0], both[1], plan)
    if top is None or any(
        quantity.kind == "time" and not quantity.per and any(pick.credits.get(term.key, 0.0) >= 0.75 for term in nouns)
        for pick in pool.picks[:2]
        for quantity in pick.unit.quantities
    ):
        return None
    if pool.picks and len(days := days_of(pool.picks[0].unit)) == 2 and not pool.picks[0].unit.cells:
        return between(Day(days[0][1], top), Day(days[1][1], top), plan)
    names = [term for term in plan.terms if term.kind in ("name", "code")]
    begins: list[Day] = []
    ends: list[Day] = []
    year = next(
        (
            mention.year
            for item in pool.of_document(top.seen.document_id)
            for mention in item.unit.dates
            if mention.year
        ),
        None,
    )
    for item in sorted(pool.of_document(top.seen.document_id), key=lambda item: (item.seen.n, item.unit.place)):
        bag = Bag(item.unit.text, item.unit.language)
        whole = Bag(" ".join((item.seen.text, item.seen.document, *item.unit.headings)), item.unit.language)
        if (
            not nouns
            or not any(bag.credit(term) >= 0.75 for term in nouns)
            or not all(whole.credit(term) >= 0.75 for term in names)
        ):
            continue
        for mention in item.unit.dates:
            day = mention.exact or (_on(year, mention) if year and mention.day else None)
            if day is None:
                continue
            clause = re.split(r"[;,.]\s", item.unit.text[max(0, mention.start - 90) : mention.start])[-1]
            if not any(Bag(clause, item.unit.language).credit(term) >= 0.75 for term in nouns):
                continue
            if _BEGIN.search(clause) and not _FINISH.search(clause):
                begins.append(Day(day, item))
            elif _FINISH.search(clause):
                ends.append(Day(day, item))
    if len({day.day for day in begins}) != 1 or len({day.day for day in ends}) != 1 or begins[0].day >= ends[0].day:
        return None
    return between(begins[0], ends[0], plan)


_TO: Final = re.compile(
    r"\s*(?:to|until|till|through|bis(?: zum| und mit)?|tot(?: en met)?|t/m|au|jusqu['’]au|[-–])\s+(?:the |den |dem |le )?",
    re.IGNORECASE,
)


def _range(item: Scored) -> tuple[Day, Day] | None:
    """The two days of `from 20 July to 23 August 2026`, where the sentence has just these."""
    days = days_of(item.unit)
    if item.unit.cells or len(days) != 2 or days[0][1] >= days[1][1]:
        return None
    joint = item.unit.text[days[0][0].end : days[1][0].start]
    return (Day(days[0][1], item), Day(days[1][1], item)) if _TO.fullmatch(joint) else None


def from_question_day(pool: Pool) -> Calculation | None:
    """From a day of the question to the day of the best sentence: `How many days before the audit is 1 April 2026?`"""
    plan = pool.plan
    asked = [day for day in question_days(plan) if not day.yearless or _HOW_MANY_DAYS.search(plan.question)]
    if not any(part.asking.wanted == "duration" for part in plan.parts) or len(asked) != 1:
        return None
    for pick in pool.picks[:1]:
        days = {day for _, day in days_of(pick.unit)} - {asked[0].day}
        if len(days) == 1 and not any(quantity.kind == "time" for quantity in pick.unit.quantities):
            day = Day(days.pop(), pick)
            return between(_in_year(asked[0], day.day.year), day, plan)
    return None


_HOW_MANY_DAYS: Final = re.compile(
    r"\b(?:how many days|wie ?viele tage|hoeveel dagen|combien de jours)\b", re.IGNORECASE
)


def _in_year(day: Day, year: int) -> Day:
    """A day of the question without a year is of the year of the day it is counted to."""
    return Day(day.day.replace(year=year)) if day.yearless and (day.day.month, day.day.day) != (2, 29) else day


# --- today, weekdays


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
    return Calculation(expression, "", "until" if day >= now else "since", "", tuple(picks[:1]), values, plan.language)


def weekday_line(plan: Plan, choices: Sequence[Chosen]) -> str | None:
    """The weekday of the best pick's date, when the question asks for it."""
    if not _WEEKDAY_ASKED.search(plan.question):
        return None
    for choice in choices:
        for pick in choice.picks:
            for _, day in days_of(pick.unit):
                line = say(
                    "weekday",
                    plan.language,
                    date=show_date(day, plan.language),
                    weekday=weekday(day, plan.language),
                )
                return f"{line[:1].upper()}{line[1:]} [{pick.seen.n}]"
    return None
