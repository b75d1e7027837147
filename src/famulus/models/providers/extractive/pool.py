"""Where the figures of a calculation are looked for: what the answer quotes, and what else speaks of the same thing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from famulus.models.providers.extractive.evidence import Evidence
from famulus.models.providers.extractive.judge import Scored, judge_part
from famulus.models.providers.extractive.plan import Part, Plan
from famulus.models.providers.extractive.select import Chosen
from famulus.models.providers.extractive.terms import Term
from famulus.text.dates import find_dates
from famulus.text.units import TIME_WORDS

# How far below the best a sentence may be that lends a figure.
LENDS: Final = 0.2
# What a price is wanted with or without: `including VAT`, `mit dem Rabatt`, `hors taxes`; also behind it (`surcharge included`).
_CHANGE: Final = (
    r"(?:vat|tax(?:es)?|discount|rebate|surcharge|supplement|mwst|mehrwertsteuer|umsatzsteuer|ust|steuern?|rabatt|nachlass|skonto|zuschlag|aufschlag|btw|belasting|korting|toeslag|opslag|"
    r"tva|taxes?|remise|réduction|rabais|majoration|supplément|escompte|[^\W\d_]+(?:zuschlag|rabatt|toeslag|korting|aufschlag))"
)
_WITH: Final = r"(?:with|including|incl\.?|inclusive of|plus|after|less|mit|inklusive|inkl\.?|einschlie(?:ss|ß)lich|zuzüglich|nach|abzüglich|samt|met|inclusief|na aftrek van|na|avec|y compris|après)"
_WITHOUT: Final = (
    r"(?:without|before|excluding|excl\.?|net of|ohne|vor|exklusive|exkl\.?|zonder|exclusief|excl\.?|hors|sans|avant)"
)
_SMALL: Final = r"(?:the |a |an |any |der |den |dem |die |das |de |het |la |le |les |l['’]|une? )?"
ASIDE: Final = re.compile(
    rf"\b(?:(?P<without>{_WITHOUT})|{_WITH})\s+{_SMALL}(?P<noun>(?:[^\W\d_]+\s+){{0,2}}?{_CHANGE})\b|"
    rf"\b(?P<noun2>(?:(?!the\b|de\b)[^\W\d_]+\s+)?{_CHANGE})\s+(?:included|inbegriffen|eingerechnet|inbegrepen|meegerekend|compris(?:e|es)?|incluse?s?)\b|\b(?P<noun3>ttc)\b",
    re.IGNORECASE,
)
# What is saved is the discount itself.
SAVED: Final = re.compile(r"\b(?:sav\w+|gespart|spar\w*|bespaar\w*|bespar\w*|économis\w*)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Pool:
    """`picks` are what the answer quotes; `near` what else is nearly as good or stands in a document that is quoted, best first."""

    evidence: Evidence
    plan: Plan
    picks: tuple[Scored, ...]
    near: tuple[Scored, ...]
    ranked: tuple[Scored, ...]

    @property
    def all(self) -> tuple[Scored, ...]:
        return (*self.picks, *self.near)

    def of_document(self, document_id: str) -> Iterator[Scored]:
        """Everything of one document, best first."""
        return (item for item in self.ranked if item.seen.document_id == document_id)

    def beside(self, item: Scored, most: int = 1) -> list[Scored]:
        """The sentences of the same paragraph at most so many places away, in order."""
        return sorted(
            (
                other
                for other in self.ranked
                if other.seen.n == item.seen.n
                and other.unit.block == item.unit.block
                and 0 < abs(other.unit.place - item.unit.place) <= most
            ),
            key=lambda other: other.unit.place,
        )


def pool_of(evidence: Evidence, plan: Plan, choices: Sequence[Chosen]) -> Pool:
    picks = unique([pick for choice in choices for pick in choice.picks])
    ranked = unique([item for choice in choices for item in choice.ranked])
    if len(choices) > 1:
        ranked = tuple(sorted(ranked, key=lambda item: -item.score))
    if len(plan.parts) == 1 and not plan.alternatives and not plan.events:
        picks, ranked = _lent(evidence, plan.parts[0], picks, ranked)
    if not picks and ranked and ranked[0].lacks_mark:
        # What tells the thing asked for from its like stands nowhere: figures of something else are no answer either.
        return Pool(evidence, plan, (), (), ranked)
    best = ranked[0].score if ranked else 0.0
    documents = {pick.seen.document_id for pick in picks}
    near = [
        item
        for item in ranked[:40]
        if item not in picks
        and item.score >= best - 2 * LENDS
        and (item.holds(LENDS) or (item.seen.document_id in documents and item.score >= best - LENDS))
    ]
    return Pool(evidence, plan, picks, tuple(near[:12]), ranked)


def _lent(
    evidence: Evidence, part: Part, picks: tuple[Scored, ...], ranked: tuple[Scored, ...]
) -> tuple[tuple[Scored, ...], tuple[Scored, ...]]:
    """Judged again without what a price is wanted with; where nothing answers, also without the figures that the question gives and its situation."""
    aside = [] if SAVED.search(part.text) else aside_terms(part)
    if aside:
        again = tuple(judge_part(evidence, part, without=aside))
        good = [item for item in again[:2] if item.good]
        if good:
            return unique([*good, *picks]), again
    if picks:
        return picks, ranked
    told = [*_told(evidence.plan, part), *aside]
    if not told or len(told) == len(part.terms):
        return (), ranked
    again = tuple(judge_part(evidence, part, without=told))
    return tuple(item for item in again[:3] if item.good and item.touches), again


def _told(plan: Plan, part: Part) -> list[Term]:
    """The terms that need not stand in a sentence which lends a figure: numbers, units, the situation, and what is to be done with the figure."""
    asking = asking_sentence(part.text)
    figures = {word for q in plan.quantities for word in part.text[q.start : q.end].split()[:1]}
    days = {w for m in find_dates(part.text) for w in re.findall(r"\w+", part.text[m.start : m.end])}
    things = [
        term
        for term in part.terms
        if _stands_in(term, asking)
        and (term.noun or term.kind in ("name", "code"))
        and not _DOING.fullmatch(term.written)
        and term.key not in part.asking.signals
        and term.written not in days
    ]
    return [
        term
        for term in part.terms
        if term.written in figures
        or _DOING.fullmatch(term.written)
        or term.written.casefold() in TIME_WORDS
        or (part.asking.wanted == "date" and set(term.written.split()) & days)
        or (not _stands_in(term, asking) and (things or not (term.noun or term.kind in ("name", "code"))))
    ]


# What is done with a thing or a figure, not the thing itself.
_DOING: Final = re.compile(
    r"need|must|latest|last|spätestens|uiterlijk|tard|have|take|leave|get|gets|receive|late|left|remain\w*|exceed\w*|come|comes|altogether|brauchen?|muss|müssen|nehmen?|bekomm\w*|erhalt\w*|hinterlegen|spät\w*|übrig|bleib\w*|blieb\w*|fällt|insgesamt|gesamthaft|"
    r"nodig|moet|moeten|krijg\w*|ontvang\w*|laat|late|over|blijft|bleef|blijven|samen|prenons|prend|devons|doit|dois|devez|doivent|devoir|recev\w*|reçoit|laisser|laissons|faut|tardi(?:f|ve)s?|reste\w*|compte\w*|rapport|ensemble|total|totale?",
    re.IGNORECASE,
)


def aside_terms(part: Part) -> list[Term]:
    """The terms that say with or without what the price is wanted."""
    spans = [match.group() for match in ASIDE.finditer(part.text)]
    words = {word for span in spans for word in re.findall(r"[\w'’-]+", span)}
    return [term for term in part.terms if term.written in words]


def asking_sentence(question: str) -> str:
    """The sentence that asks, without those before it that tell the situation (`I fall ill on 11 May. By when …?`)."""
    return [piece for piece in _SENTENCES.split(question) if piece.strip()][-1] if question.strip() else question


_SENTENCES: Final = re.compile(r"(?:(?<=[^\W\d_]{2})|(?<=\d{4}))[.!]\s+(?=[A-ZÀ-Þ])")


def _stands_in(term: Term, text: str) -> bool:
    return term.written.casefold() in text.casefold()


def unique(picks: Sequence[Scored]) -> tuple[Scored, ...]:
    return tuple({(pick.seen.n, pick.unit.place): pick for pick in picks}.values())
