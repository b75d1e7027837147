"""Where a day is looked for: the days of the question, and the sentences of the document that is meant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Final

from famulus.models.providers.extractive.days import ANY_YEAR, Day, Span, spans_of
from famulus.models.providers.extractive.deadline_words import BEFORE, ENDS, GIVES, NOTICE
from famulus.models.providers.extractive.figures import telling_terms
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.plan import Plan
from famulus.models.providers.extractive.pool import Pool
from famulus.models.providers.extractive.rates import lacks_thing
from famulus.models.providers.extractive.terms import Bag
from famulus.text.dates import DateMention, find_dates


def question_days(plan: Plan) -> list[Day]:
    """The days that the question names; one without a year is reckoned in any."""
    found: list[Day] = []
    for mention in find_dates(plan.question):
        if mention.exact is not None:
            found.append(Day(mention.exact))
        elif mention.day is not None and mention.year is None:
            try:
                found.append(Day(date(ANY_YEAR, mention.month, mention.day), yearless=True))
            except ValueError:
                continue
    return found


def items_around(pool: Pool) -> Iterator[Scored]:
    """What is quoted of the document that fits best, then the rest of it, best first; then the same of the next."""
    for document in likely_documents(pool):
        yield from (pick for pick in pool.picks if pick.seen.document_id == document)
        yield from (item for item in pool.of_document(document) if item not in pool.picks)


def misses_thing(item: Scored) -> bool:
    """As for amounts; but a word of ending (`voorbij`) that the sentence lacks is what is worked out."""
    missing = [term for term in item.missing if not ENDS.search(term.written) and not NOTICE.search(term.written)]
    return lacks_thing(replace(item, missing=tuple(missing)))


_TIMES: Final = re.compile(
    r"once|twice|time|times|einmal|mal|keer|fois|contrat|contract|vertrag|job|stelle|baan", re.IGNORECASE
)


def _in_named_document(pool: Pool, *, gives: bool) -> list[Scored]:
    """The best sentence of a document that has all nouns of the question; to give notice, one that states a notice and has one of them."""
    nouns = [
        term
        for term in telling_terms(pool.plan)
        if (term.noun or term.kind in ("name", "code")) and not _TIMES.fullmatch(term.written)
    ]
    if not nouns or not (gives or ENDS.search(pool.plan.question)):
        return []
    for item in pool.ranked[:10]:
        bags = pool.evidence.passages.get(item.seen.document_id, [])
        name = Bag(re.sub(r"[._-]+", " ", item.seen.document), None)
        held = sum(max(name.credit(term), *(bag.credit(term) for bag in bags), 0.0) >= 0.7 for term in nouns)
        states = gives and NOTICE.search(item.unit.text) is not None and bool(spans_of(item))
        if not item.lacks_mark and (held == len(nouns) or (states and held)):
            return [item]
    return []


def likely_documents(pool: Pool) -> list[str]:
    """The documents of what is quoted, the one first that holds most of what the question names in its own words."""
    found = list(dict.fromkeys(pick.seen.document_id for pick in pool.picks))
    if not found:
        asks_notice = NOTICE.search(pool.plan.question) is not None and any(
            term.kind in ("name", "code") for term in pool.plan.terms
        )
        # Which contract is meant its name tells; how its sentence on the notice calls the end (`break`, `leave`) does not matter.
        stated = [
            item
            for item in pool.ranked[:3]
            if asks_notice and not item.lacks_mark and NOTICE.search(item.unit.text) and spans_of(item)
        ]
        near = [item for item in pool.near[:1] if not misses_thing(item)]
        near = near or stated or _in_named_document(pool, gives=GIVES.search(pool.plan.question) is not None)
        return [item.seen.document_id for item in near[:1]]
    terms = [term for term in telling_terms(pool.plan) if term.noun or term.kind in ("name", "code")]

    def named(document: str) -> float:
        bags = pool.evidence.passages.get(document, [])
        name = Bag(re.sub(r"[._-]+", " ", document), None)
        return sum(max(name.credit(term), *(bag.credit(term) for bag in bags), 0.0) for term in terms)

    return sorted(found, key=lambda document: -round(named(document), 2))


def is_before(item: Scored, span: Span) -> bool:
    """True for a span that is counted back (`two weeks before the start`)."""
    after = item.unit.text[span.quantity.end : span.quantity.end + 45]
    before = item.unit.text[max(0, span.quantity.start - 30) : span.quantity.start]
    match = BEFORE.search(re.split(r"[;.,]\s", after)[0])
    return match is not None or re.search(r"\b(?:in advance|im voraus)\b", before, re.IGNORECASE) is not None


def is_end(item: Scored, mention: DateMention) -> bool:
    """True for a day that a word of ending stands next to (`ends on`, `until`, `bis zum`)."""
    before = item.unit.text[max(0, mention.start - 45) : mention.start]
    after = item.unit.text[mention.end : mention.end + 25]
    word = re.search(
        r"\b(?:until|till|to|ends?|ending|expires?|through|up to and including|by|bis(?: zum| und mit)?|endet(?: am)?|ende|läuft ab|tot(?: en met)?|eindigt(?: op)?|loopt af|jusqu['’]au|au|termine|prend fin|expire|fin)\s+(?:on |am |op |le |the |den |dem |zum )?(?:\w+day |\w+tag,? (?:den )?|\w+dag |\w+di )?$",
        before,
        re.IGNORECASE,
    )
    return word is not None or re.match(r"\s*(?:ende[nt]|ab|ends|eindigt|af)\b", after, re.IGNORECASE) is not None
