"""The last day to give notice, or the day that a notice takes effect."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, timedelta
from typing import Final

from famulus.models.providers.extractive.contract_term import term_span, term_start
from famulus.models.providers.extractive.days import Day, Span, shifted, spans_of
from famulus.models.providers.extractive.deadline_sources import is_before, is_end, items_around, question_days
from famulus.models.providers.extractive.deadline_words import GIVES, MUST, NOTICE, START
from famulus.models.providers.extractive.figures import Calculation, Figure, closeness, telling_terms
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.pool import Pool
from famulus.models.providers.extractive.units import days_of
from famulus.text.dates import add_months, find_dates

_END_OF: Final = re.compile(r"\b(?:end of|late|ende|eind|einde|fin)\b", re.IGNORECASE)
_MONTH_END: Final = re.compile(
    r"\b(?:end of (?:a|the|each|any|that) (?:calendar )?month|month['’]?s? end|monatsende|ende (?:eines|des|jedes) (?:\w+)?monats|auf ende (?:eines )?monats?|einde van (?:de|een|elke) (?:kalender)?maand|fin (?:du|de chaque|d['’]un) mois)\b",
    re.IGNORECASE,
)
_QUARTER_END: Final = re.compile(
    r"\b(?:end of (?:a|the|each) (?:calendar )?quarter|quartalsende|ende (?:eines|des) (?:\w+)?(?:quartals|vierteljahr\w*)|einde van (?:een|het|elk) kwartaal|fin (?:du|de|d['’]un) trimestre)\b",
    re.IGNORECASE,
)
_LAST_DAY: Final = re.compile(r"\b(?:last day|letzte[rnm]? tag|laatste dag|dernier jour)\b", re.IGNORECASE)


def notice_day(pool: Pool) -> Calculation | None:
    """The day asked for around a notice; None where its length, or the day to count from, is not told or could be two."""
    plan = pool.plan
    span = _notice_span(pool)
    if span is None or span.source is None:
        return None
    asked = question_days(plan)
    if asked and GIVES.search(plan.question) and not MUST.search(plan.question):
        text = span.source.unit.text
        rounding = 3 if _QUARTER_END.search(text) else 1 if _MONTH_END.search(text) else 0
        return shifted(asked[0], [(1, span)], "later", plan.language, last_of=rounding)
    if not (MUST.search(plan.question) or _LAST_DAY.search(plan.question) or asked):
        return None
    if asked:
        sign = 1 if _WITHIN.search(_clause_around(span)) and not is_before(span.source, span) else -1
        return shifted(asked[0], [(sign, span)], "later" if sign > 0 else "earlier", plan.language)
    if (end := _named_end(pool, span.source)) is not None:
        return shifted(end, [(-1, span)], "earlier", plan.language)
    return _before_term_end(pool, span)


# `If you cancel within 14 days of the booking`: counted on, not back.
_WITHIN: Final = re.compile(
    r"\b(?:within|in the first|innerhalb|innert|binnen|binnen|dans les|sous)\b.*\b(?:of|after|from|since|following|nach|ab|seit|na|vanaf|après|suivant|à compter|dès)\b",
    re.IGNORECASE,
)


def _clause_around(span: Span) -> str:
    text = span.source.unit.text if span.source is not None else ""
    return text[max(0, span.quantity.start - 25) : span.quantity.end + 40]


_PROBATION: Final = re.compile(
    r"\b(?:probation\w*|trial period|probezeit|proeftijd|période d['’]essai)\b", re.IGNORECASE
)
_AFTERWARDS: Final = re.compile(
    r"\b(?:after|afterwards|thereafter|then|nach|danach|anschliessend|na|daarna|après|ensuite|par la suite)\b",
    re.IGNORECASE,
)


def _fits_probation(question: str, span: Span) -> bool:
    """False for the notice during a probation where the question is not about that, and the other way round."""
    if span.source is None:
        return True
    start = span.quantity.start
    before = re.split(r"[;.]\s|,\s", span.source.unit.text[max(0, start - 70) : start])
    clause = before[-1] + re.split(r"[;.,]", span.source.unit.text[span.quantity.end :][:40])[0]
    if len(before[-1]) < 4 and len(before) > 1:
        clause = before[-2] + clause
    during = _PROBATION.search(clause) is not None and not _AFTERWARDS.search(clause)
    asked = re.search(
        rf"\b(?:during|in|während|tijdens|pendant|durant)\b.{{0,12}}{_PROBATION.pattern}", question, re.IGNORECASE
    )
    return during == (asked is not None) or (asked is not None and not _PROBATION.search(span.source.unit.text))


def _notice_span(pool: Pool) -> Span | None:
    """The notice period: of several the one that the words of the question stand next to, else of the best sentence."""
    telling = [term for term in telling_terms(pool.plan) if not NOTICE.search(term.written)]
    found: list[tuple[float, Span]] = []
    for rank, item in enumerate(items_around(pool)):
        if not NOTICE.search(item.unit.text) and not NOTICE.search(" ".join(item.unit.headings[-1:])):
            continue
        spans = spans_of(item)
        if len(spans) > 1 and (before := [span for span in spans if is_before(item, span)]):
            # `extended by two years unless notice is given six months before`: the second.
            spans = before
        for span in spans:
            if not _fits_probation(pool.plan.question, span):
                continue
            found.append(
                (
                    closeness(Figure(span.quantity, item), telling)
                    - 0.1 * rank
                    - (0.5 if item not in pool.picks else 0.0),
                    span,
                )
            )
    if not found:
        return None
    best = max(worth for worth, _ in found)
    top = [span for worth, span in found if worth >= best - 1e-9]
    return top[0] if len({(span.quantity.value, span.quantity.unit) for span in top}) == 1 else None


def _named_end(pool: Pool, source: Scored) -> Day | None:
    """The end that the question means by month or year, else the day of the sentence itself, else the end that its document names."""
    months = [mention for mention in find_dates(pool.plan.question) if mention.day is None and mention.year]
    years = {int(year) for year in re.findall(r"\b20\d\d\b", pool.plan.question)}
    own = [(mention, day) for mention, day in days_of(source.unit)]
    others = [
        (item, mention, day)
        for item in items_around(pool)
        for mention, day in days_of(item.unit)
        if item.seen.document_id == source.seen.document_id
    ]
    for month in months:
        for item, _, day in [*((source, mention, day) for mention, day in own), *others]:
            if (day.year, day.month) == (month.year, month.month):
                return Day(day, item)
        if month.year and _END_OF.search(pool.plan.question[max(0, month.start - 14) : month.start]):
            return Day(date(month.year, month.month, monthrange(month.year, month.month)[1]))
        return None
    fitting = [day for _, day in own if not years or day.year in years]
    if len(fitting) == 1 and not START.search(source.unit.text[: own[0][0].start][-25:]):
        return Day(fitting[0], source)
    ends = [(item, day) for item, mention, day in others if is_end(item, mention) and (not years or day.year in years)]
    return Day(ends[0][1], ends[0][0]) if len({day for _, day in ends}) == 1 else None


def _before_term_end(pool: Pool, notice: Span) -> Calculation | None:
    """The notice before the end of a term whose start and length the document gives."""
    assert notice.source is not None
    document = notice.source.seen.document_id
    start, term = term_start(pool, document), term_span(pool, document, notice)
    if start is None or term is None:
        return None
    if notice.quantity.unit in ("day", "week") and term.quantity.unit in ("month", "year", "quarter"):
        months = int(term.quantity.value) * {"month": 1, "quarter": 3, "year": 12}[term.quantity.unit]
        end = Day(add_months(start.day, months) - timedelta(days=1), start.source)
        sources = [term.source] if term.source is not None else []
        return shifted(end, [(-1, notice)], "earlier", pool.plan.language, sources=sources)
    return shifted(start, [(1, term), (-1, notice)], "later", pool.plan.language, less_a_day=True)
