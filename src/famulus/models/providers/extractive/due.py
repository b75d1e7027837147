"""The day that something is due: a span of a sentence counted from the day of the question or of a dated event."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from famulus.models.providers.extractive.days import Day, Span, shifted, spans_of
from famulus.models.providers.extractive.deadline_sources import is_before, is_end, misses_thing, question_days
from famulus.models.providers.extractive.deadline_words import MUST, NOTICE, START
from famulus.models.providers.extractive.figures import Calculation, Figure, closeness, telling_terms
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.pool import Pool
from famulus.models.providers.extractive.terms import Bag, Term, question_terms
from famulus.models.providers.extractive.units import days_of


def due_day(pool: Pool) -> Calculation | None:
    """The day of the question, or of an event that a sentence dates, with the one span of the best sentence added or taken off."""
    plan = pool.plan
    asked = question_days(plan)
    if not asked and not MUST.search(plan.question):
        return None
    for item in pool.picks[:3] or [item for item in pool.near[:1] if not misses_thing(item)]:
        spans = spans_of(item)
        span = spans[0] if len(spans) == 1 else _named_span(pool, item, spans)
        if span is None or (NOTICE.search(item.unit.text) and not NOTICE.search(plan.question)):
            continue
        sign = -1 if is_before(item, span) else 1
        phrase = "later" if sign > 0 else "earlier"
        if len(asked) == 1 and not any(day == asked[0].day for _, day in days_of(item.unit)):
            return shifted(asked[0], [(sign, span)], phrase, plan.language)
        if not asked and (event := _event_day(pool, item, span)) is not None:
            return shifted(event, [(sign, span)], phrase, plan.language)
    return None if asked else _from_next_sentence(pool)


def _from_next_sentence(pool: Pool) -> Calculation | None:
    """The day of the best sentence, with the span that the sentence after it sets (`It must be put right within 60 days.`)."""
    for item in pool.picks[:1]:
        days = {day for _, day in days_of(item.unit)}
        after = next((other for other in pool.beside(item) if other.unit.place > item.unit.place), None)
        if len(days) != 1 or spans_of(item) or after is None or after.unit.dates or not _SETS.search(after.unit.text):
            continue
        spans = spans_of(after)
        if len(spans) == 1 and spans[0].countable and not is_before(after, spans[0]):
            return shifted(Day(days.pop(), item), [(1, spans[0])], "later", pool.plan.language)
    return None


_SETS: Final = re.compile(
    r"\b(?:within|no later than|innerhalb|innert|binnen|spätestens|uiterlijk|dans (?:les|un délai)|sous|au plus tard)\b",
    re.IGNORECASE,
)


_ORDER: Final = re.compile(
    r"\b(?:(?P<first>first|erste[nrms]?|eerste|premi(?:er|ère))|second|zweite[nrms]?|tweede|deuxième|seconde?)\b",
    re.IGNORECASE,
)


def _named_span(pool: Pool, item: Scored, spans: Sequence[Span]) -> Span | None:
    if (order := _ORDER.search(pool.plan.question)) is not None and len(spans) > 1:
        # `10 and 24 days after the due date`: the first reminder, the second.
        return spans[0] if order["first"] else spans[1]
    telling = telling_terms(pool.plan)
    rated = sorted(
        ((closeness(Figure(span.quantity, item), telling), span) for span in spans), key=lambda each: -each[0]
    )
    return rated[0][1] if len(rated) > 1 and rated[0][0] > 1.1 * rated[1][0] else None


def _event_day(pool: Pool, item: Scored, span: Span) -> Day | None:
    """The day of what the span runs from (`within eight days of delivery`, `two weeks before the start`), where one sentence dates it."""
    after = re.split(r"[;.]\s", item.unit.text[span.quantity.end : span.quantity.end + 70])[0]
    terms = [term for term in question_terms(after, item.unit.language) if term.kind not in ("light", "number")][:3]
    own = [day for _, day in days_of(item.unit)]
    if len(own) == 1:
        return Day(own[0], item)
    telling = telling_terms(pool.plan)
    if not terms or own:
        return None
    if _BEGINNING.search(after) and (day := _beginning(pool, item, telling)) is not None:
        return day
    found: list[Day] = []
    for other in pool.ranked[:30]:
        if other is item or len(days_of(other.unit)) != 1:
            continue
        bag = Bag(other.unit.text, other.unit.language)
        near = Bag(" ".join((*other.unit.headings, other.seen.document)), None)
        if any(bag.credit(term) >= 0.7 for term in terms) and any(
            max(bag.credit(term), near.credit(term)) >= 0.7 for term in telling
        ):
            found.append(Day(days_of(other.unit)[0][1], other))
    return found[0] if len({day.day for day in found}) == 1 else None


_BEGINNING: Final = re.compile(
    r"\b(?:start|beginning|begins?|starts?|first day|arrival|\w*beginn|\w*start|anfang|\w*antritt|anreise|(?:het |de )?(?:begin|aanvang|start|aankomst)|début|commencement|arrivée)\b",
    re.IGNORECASE,
)


def _beginning(pool: Pool, item: Scored, telling: Sequence[Term]) -> Day | None:
    """The one day on which a sentence of the same document says that the thing of the question begins."""
    nouns = [term for term in telling if term.noun or term.kind in ("name", "code")]
    found: list[tuple[int, Day]] = []
    for other in pool.of_document(item.seen.document_id):
        for mention, day in days_of(other.unit):
            near = other.unit.text[max(0, mention.start - 60) : mention.end + 20]
            named = sum(other.credits.get(term.key, 0.0) >= 0.7 for term in nouns)
            if START.search(near) and not is_end(other, mention) and named:
                found.append((named, Day(day, other)))
    most = max((named for named, _ in found), default=0)
    best = [day for named, day in found if named == most]
    return best[0] if len({day.day for day in best}) == 1 else None
