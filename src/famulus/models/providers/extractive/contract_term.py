"""The end of a term: a start and a length that a document gives, and an extension where the question speaks of one."""

from __future__ import annotations

import re
from typing import Final

from famulus.models.providers.extractive.days import Day, Span, shifted, spans_of
from famulus.models.providers.extractive.deadline_sources import (
    is_before,
    is_end,
    items_around,
    likely_documents,
    question_days,
)
from famulus.models.providers.extractive.deadline_words import BEFORE, EVENT, NOTICE, START, TERM
from famulus.models.providers.extractive.figures import Calculation, Figure, closeness, telling_terms
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.pool import Pool
from famulus.models.providers.extractive.units import days_of


def term_end(pool: Pool) -> Calculation | None:
    """The last day of a term; None where a quoted sentence names it already, or its start or length is not told."""
    plan = pool.plan
    documents = likely_documents(pool)
    asked = question_days(plan)
    for document in documents[:2]:
        term = term_span(pool, document, None)
        if term is None or term.source is None:
            continue
        if not asked and _states_end(pool, document, term.source):
            return None
        if (
            asked
            and pool.picks
            and spans_of(pool.picks[0])
            and term.source is not pool.picks[0]
            and not NOTICE.search(pool.picks[0].unit.text)
        ):
            # The best sentence has a span of its own: that one is meant.
            return None
        start = asked[0] if asked else term_start(pool, document, term)
        if start is not None and not (
            start.source is None and BEFORE.search(term.source.unit.text[term.quantity.end :][:40])
        ):
            spans = [(1, term)]
            if RENEWED.search(plan.question) and not _NOT_RENEWED.search(plan.question):
                extension = _extension(pool, document, term)
                if extension is None:
                    return None
                spans.append((1, extension))
            return shifted(start, spans, "term_end", plan.language)
    return None


RENEWED: Final = re.compile(
    r"\b(?:extend\w*|extension|renew\w*|prolong\w*|verläng\w*|verleng\w*|reconduit\w*|reconduction|renouvel\w*)\b",
    re.IGNORECASE,
)
_NOT_RENEWED: Final = re.compile(
    rf"\b(?:not|never|without|nicht|ohne|niet|zonder|sans|pas|ne|n['’]est)\b.{{0,15}}?{RENEWED.pattern}|{RENEWED.pattern}.{{0,5}}\b(?:pas|nicht|niet)\b",
    re.IGNORECASE,
)


def _extension(pool: Pool, document: str, term: Span) -> Span | None:
    """By how much the term is extended."""
    for item in pool.of_document(document):
        for span in spans_of(item):
            before = re.split(r"[;.]\s", item.unit.text[max(0, span.quantity.start - 60) : span.quantity.start])[-1]
            after = re.split(r"[;.,]\s?", item.unit.text[span.quantity.end :][:30])[0]
            if (RENEWED.search(before) or RENEWED.search(after)) and not is_before(item, span) and span != term:
                return span
    return None


def _states_end(pool: Pool, document: str, source: Scored) -> bool:
    """True when a quoted sentence gives the end as a day, or two days of which the second is one."""
    if any(quantity.kind == "time" for quantity in pool.plan.quantities):
        return False
    for item in pool.picks:
        if item is source:
            # The sentence that gives start and length ranks before any that names an end of something.
            return False
        if item.seen.document_id == document:
            for mention, _ in days_of(item.unit):
                if is_end(item, mention):
                    return True
    return False


def term_start(pool: Pool, document: str, term: Span | None = None) -> Day | None:
    """The day on which the term begins: in the sentence of the term, else in the best sentence of the document that speaks of a start."""
    own = [term.source] if term is not None and term.source is not None else []
    others = [item for item in items_around(pool) if item.seen.document_id == document and item not in own]
    for items, pattern in ((own, START), (others, START), (own, EVENT), (others, EVENT)):
        for item in items:
            for mention, day in days_of(item.unit):
                text = item.unit.text
                next_day = min((m.start for m, _ in days_of(item.unit) if m.start > mention.start), default=len(text))
                near = text[max(0, mention.start - 60) : min(mention.end + 30, next_day - 8)]
                if pattern.search(near) and not is_end(item, mention):
                    return Day(day, item)
    return None


def term_span(pool: Pool, document: str, notice: Span | None) -> Span | None:
    """How long it runs: a span with a word of lasting before it, no notice period; of several the one nearest to the words of the question."""
    telling = telling_terms(pool.plan)
    asked = {(quantity.value, quantity.unit) for quantity in pool.plan.quantities if quantity.kind == "time"}
    found: list[tuple[float, Span]] = []
    for rank, item in enumerate(items_around(pool)):
        if item.seen.document_id != document:
            continue
        for span in spans_of(item):
            clause = re.split(r"[;.]\s", item.unit.text[max(0, span.quantity.start - 70) : span.quantity.start])[-1]
            around = item.unit.text[max(0, span.quantity.start - 50) : span.quantity.end + 50]
            if notice is not None and (item is notice.source or NOTICE.search(around)):
                continue
            if (
                not TERM.search(clause + item.unit.text[span.quantity.end : span.quantity.end + 20])
                or BEFORE.search(item.unit.text[span.quantity.end : span.quantity.end + 25])
                or NOTICE.search(around)
            ):
                continue
            # `for two years, renewable` is the term itself.
            if re.search(
                r"\b(?:renew\w*|verlänger\w*|verleng\w*|reconduit\w*|renouvel\w*|again|further|weitere|extended)\b",
                item.unit.text[max(0, span.quantity.start - 50) : span.quantity.end],
                re.IGNORECASE,
            ) or re.search(r"\b(?:minimum|earliest)\b", around, re.IGNORECASE):
                continue
            if asked and (span.quantity.value, span.quantity.unit) not in asked and not question_days(pool.plan):
                continue
            bonus = 0.6 if any(START.search(item.unit.text) and mention for mention, _ in days_of(item.unit)) else 0.0
            found.append(
                (
                    closeness(Figure(span.quantity, item), telling)
                    + bonus
                    - 0.1 * rank
                    - (0.3 if item not in pool.picks else 0.0)
                    - (1.0 if notice is None and NOTICE.search(item.unit.text) else 0.0),
                    span,
                )
            )
    if not found:
        return None
    return max(found, key=lambda item: item[0])[1]
