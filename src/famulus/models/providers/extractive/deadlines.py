"""Days that no sentence says but two figures give: the end of a term, the last day for a notice, the next time of what comes round."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from famulus.models.providers.extractive.evidence import Evidence
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.phrases import say
from famulus.models.providers.extractive.plan import Plan
from famulus.models.providers.extractive.select import Chosen
from famulus.models.providers.extractive.terms import Bag
from famulus.models.providers.extractive.units import Unit, days_of
from famulus.models.providers.extractive.vocabulary import notions
from famulus.text.dates import MONTHS, add_months, find_dates, show_date
from famulus.text.quantities import Quantity

# What a document says elsewhere counts when its sentence stands among the best of the part.
CONSIDERED: Final = 12

_LATEST: Final = re.compile(
    r"\b(?:by when|by (?:what|which) (?:date|day)|until when|how late|at the latest|latest|last day|bis wann|spätestens|letzter tag|wann .*spätestens|tot wanneer|uiterlijk|vóór welke|"
    r"voor welke datum|jusqu['’](?:à quand|à quelle date|au)|au plus tard|avant quelle date|avant quand)\b",
    re.IGNORECASE,
)
_BACK: Final = re.compile(
    r"\b(?:before|prior|notice|advance|vor|vorher|frist|kündigungsfrist|voraus|vóór|voor (?:het einde|afloop|het verstrijken)|vooraf|opzegtermijn|tevoren|avant|préavis|avance)\b",
    re.IGNORECASE,
)
_EVERY: Final = re.compile(
    r"\b(?:every|alle|jede[rns]?|elke|om de|iedere|tous les|toutes les|chaque)\s+(?=\w+\s+\w+)", re.IGNORECASE
)
_LAST: Final = re.compile(r"\b(?:last|latest|letzte[rsnm]?|zuletzt|laatste|laatst|derni(?:er|ère))\b", re.IGNORECASE)
_NEXT: Final = re.compile(
    r"\b(?:next|again|following|nächste[rsnm]?|wieder|erneut|volgende|weer|opnieuw|prochaine?|suivante?)\b",
    re.IGNORECASE,
)
_END_OF: Final = re.compile(
    rf"\b(?:end of|ende|eind(?:e)?(?: van)?|fin(?: de| du)?)\s+(?P<month>{'|'.join(MONTHS)})\s+(?P<year>\d{{4}})\b",
    re.IGNORECASE,
)
_MONTHS_IN: Final = {"month": 1, "quarter": 3, "year": 12}


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time as written in a sentence."""

    quantity: Quantity
    item: Scored

    @property
    def text(self) -> str:
        return self.item.unit.text[self.quantity.start : self.quantity.end]


def deadline_line(evidence: Evidence, plan: Plan, choices: Sequence[Chosen]) -> str | None:
    """A line that says how the day was found and which passages say so; None where the question wants no such day."""
    if plan.alternatives or plan.events or not any(choice.part.asking.wanted == "date" for choice in choices):
        return None
    choice = next(choice for choice in choices if choice.part.asking.wanted == "date")
    if not choice.answered:
        return None
    about = Bag(plan.question, plan.language)
    first = choice.picks[0].seen.document_id
    near = [item for item in choice.ranked[:CONSIDERED] if item.seen.document_id == first]
    if _LATEST.search(plan.question) and about.about(_notions("notice", "cancel", "extend")):
        return _notice(plan, near)
    if _NEXT.search(plan.question) and (line := _next_time(plan, choice.picks)) is not None:
        return line
    if about.about(_notions("end", "expire", "past")):
        return _end(plan, near)
    return None


def _notice(plan: Plan, near: Sequence[Scored]) -> str | None:
    """The day that lies the period of notice before the end."""
    span = next(
        (
            span
            for span in _spans(near)
            if _counts_back(span)
            and Bag(span.item.unit.text, span.item.unit.language).about(_notions("notice", "cancel"))
        ),
        None,
    )
    if span is None:
        return None
    found = _end_day(plan, span.item, near)
    if found is None:
        return None
    end, source = found
    day = _moved(end, span.quantity, -1)
    marks = "".join(f"[{n}]" for n in dict.fromkeys((span.item.seen.n, source.seen.n)))
    shown = say(
        "deadline",
        plan.language,
        end=show_date(end, plan.language),
        span=span.text,
        result=show_date(day, plan.language),
    )
    return f"{shown} {marks}"


def _counts_back(span: Span) -> bool:
    """`twelve months before`, `mit einer Frist von drei Monaten`: the word stands beside the span."""
    text, start, end = span.item.unit.text, span.quantity.start, span.quantity.end
    return _BACK.search(text[max(0, start - 30) : start]) is not None or _BACK.search(text[end : end + 20]) is not None


def _end_day(plan: Plan, notice: Scored, near: Sequence[Scored]) -> tuple[date, Scored] | None:
    """The end that the notice is counted from: said in the question, in the sentence itself, or by the term of the document."""
    asked = next((mention.exact for mention in find_dates(plan.question) if mention.exact), None) or _month_end(plan)
    if asked is not None:
        return asked, notice
    own = [day for _, day in days_of(notice.unit)]
    if own:
        return own[0], notice
    for item in near:
        days = [day for _, day in days_of(item.unit)]
        if len(days) == 2 and _is_term(item.unit):
            return max(days), item
    return next(_ends(near), None)


def _month_end(plan: Plan) -> date | None:
    match = _END_OF.search(plan.question)
    if match is None:
        return None
    year, month = int(match["year"]), MONTHS[match["month"].casefold()]
    return date(year, month, calendar.monthrange(year, month)[1])


def _end(plan: Plan, near: Sequence[Scored]) -> str | None:
    """The last day of a term that a sentence gives by its first day and its length."""
    for end, item in _ends(near):
        days = [day for _, day in days_of(item.unit)]
        span = next(_spans([item]))
        return (
            say(
                "term_end",
                plan.language,
                start=show_date(days[0], plan.language),
                span=span.text,
                result=show_date(end, plan.language),
            )
            + f" [{item.seen.n}]"
        )
    return None


def _ends(near: Sequence[Scored]) -> Iterator[tuple[date, Scored]]:
    for item in near:
        days = [day for _, day in days_of(item.unit)]
        span = next(_spans([item]), None)
        if len(days) == 1 and span is not None and _is_term(item.unit) and not _BACK.search(item.unit.text):
            yield _moved(days[0], span.quantity, 1) - timedelta(days=1), item


def _is_term(unit: Unit) -> bool:
    return Bag(unit.text, unit.language).about(_notions("begin", "duration", "valid"))


def _next_time(plan: Plan, picks: Sequence[Scored]) -> str | None:
    """`every five years, the last one in November 2023`: the time after that."""
    for pick in picks[:2]:
        text = pick.unit.text
        every = _EVERY.search(text)
        spans = [span for span in _spans([pick]) if every and 0 <= span.quantity.start - every.end() <= 3]
        mention = next((mention for mention in pick.unit.dates if mention.year), None)
        if not spans or mention is None or mention.year is None:
            continue
        asked_after = re.search(rf"\b{mention.year}\b", plan.question) is not None
        if not asked_after and not _LAST.search(text):
            continue
        day = _moved(date(mention.year, mention.month, mention.day or 1), spans[0].quantity, 1)
        shown = show_date(day, plan.language)
        if mention.day is None:
            shown = shown.split(" ", 1)[-1]
        known = text[mention.start : mention.end]
        return say("next_time", plan.language, start=known, span=spans[0].text, result=shown) + f" [{pick.seen.n}]"
    return None


def _spans(items: Sequence[Scored]) -> Iterator[Span]:
    for item in items:
        for quantity in item.unit.quantities:
            if quantity.kind == "time" and quantity.unit in ("day", "week", "month", "quarter", "year"):
                yield Span(quantity, item)


def _moved(day: date, quantity: Quantity, direction: int) -> date:
    amount = int(quantity.value) * direction
    if quantity.unit in _MONTHS_IN:
        return add_months(day, amount * _MONTHS_IN[quantity.unit])
    return day + timedelta(days=amount * (7 if quantity.unit == "week" else 1))


def _notions(*words: str) -> frozenset[int]:
    return frozenset[int]().union(*(notions(word, "en") for word in words))
