"""What the passages say to each part of the question: every sentence and row scored by the words it covers and the kind of answer it holds."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from famulus.models.providers.extractive.holds import kind_strength
from famulus.models.providers.extractive.plan import Part, Plan
from famulus.models.providers.extractive.situation import Seen, Situation
from famulus.models.providers.extractive.terms import Bag, Term
from famulus.models.providers.extractive.units import Unit, units_of

# How much a term counts that stands not in the sentence but around it.
NEIGHBOUR, HEADING, DOCUMENT, PASSAGE, ELSEWHERE = 0.65, 0.9, 0.8, 0.5, 0.3
# The shares of a score, and the score from which a part counts as answered. Tuned on one half of the shipped questions.
AROUND, INSIDE, KIND, RETRIEVAL = 0.45, 0.3, 0.2, 0.15
ENOUGH: Final = 0.5
NAME_ENOUGH: Final = 0.35
GIVEN_SHARE: Final = 0.3


@dataclass(frozen=True, slots=True)
class Scored:
    """A unit judged for one part. `inside` is what the unit itself covers; `missing` the terms that nothing near covers."""

    unit: Unit
    seen: Seen
    score: float
    inside: float
    around: float
    kind: float
    credits: dict[str, float]
    missing: tuple[Term, ...]

    @property
    def good(self) -> bool:
        return self.score >= ENOUGH and not any(term.kind in ("name", "code") for term in self.missing)


@dataclass(slots=True)
class Evidence:
    """All units of all passages, with their words, once per model call."""

    plan: Plan
    entries: list[Entry] = field(default_factory=lambda: list[Entry]())
    document_bags: dict[str, list[Bag]] = field(default_factory=lambda: dict[str, list[Bag]]())

    def frequency(self, term: Term) -> int:
        return sum(1 for entry in self.entries if entry.bag.credit(term) >= 0.6)


@dataclass(frozen=True, slots=True)
class Entry:
    unit: Unit
    seen: Seen
    bag: Bag
    headings: Bag
    document: Bag
    passage: Bag
    before: Bag | None
    after: Bag | None


def gather(situation: Situation, plan: Plan) -> Evidence:
    """The evidence of everything seen so far."""
    evidence = Evidence(plan)
    for seen in situation.passages.values():
        units = units_of(seen)
        bags = [_bag(unit.text) for unit in units]
        passage, document = _bag(seen.text), _bag(_spaced(seen.document))
        evidence.document_bags.setdefault(seen.document_id, []).append(passage)
        for index, unit in enumerate(units):
            before = bags[index - 1] if index and units[index - 1].block == unit.block and not unit.cells else None
            near = index + 1 < len(units) and units[index + 1].block == unit.block and not unit.cells
            after = bags[index + 1] if near else None
            headings = _bag(" . ".join(unit.headings))
            evidence.entries.append(Entry(unit, seen, bags[index], headings, document, passage, before, after))
    return evidence


@lru_cache(maxsize=8_192)
def _bag(text: str) -> Bag:
    return Bag(text)


def _spaced(name: str) -> str:
    return re.sub(r"[._-]+", " ", name.rsplit(".", 1)[0])


def judge_part(evidence: Evidence, part: Part, *, must: Sequence[Term] = (), without: Sequence[Term] = ()) -> list[Scored]:
    """All units for this part, best first. `must` terms count double (one side of a comparison), `without` not at all."""
    left_out = {term.key for term in without}
    terms = [term for term in part.terms if term.key not in left_out]
    weights = _weights(evidence, part, terms, {term.key for term in must})
    given = list(part.given)
    scored = [_score(evidence, entry, part, terms, weights, given) for entry in evidence.entries]
    return sorted(scored, key=lambda item: (-item.score, item.seen.rank, item.seen.n, item.unit.place))


def _weights(evidence: Evidence, part: Part, terms: Iterable[Term], must: set[str]) -> dict[str, float]:
    """A rare word tells more than one that half of the passages hold; a word that only says the kind of answer tells little."""
    n = max(2, len(evidence.entries))
    weights: dict[str, float] = {}
    for term in terms:
        rarity = math.log((n + 1) / (evidence.frequency(term) + 0.5)) / math.log(n + 1)
        weight = term.weight * (0.5 + 0.5 * min(1.0, rarity))
        if term.key in part.asking.signals:
            weight *= 0.35
        if term.kind == "number" and _multiplies(evidence.plan, term):
            weight *= 0.2
        weights[term.key] = weight * (2.0 if term.key in must else 1.0)
    return weights


def _multiplies(plan: Plan, term: Term) -> bool:
    """A number of the question with a plain unit of time or distance is something to compute with, not to find."""
    return any(
        plan.question[quantity.start : quantity.end].split()[:1] == [term.written] and quantity.kind in ("time", "money")
        for quantity in plan.quantities
    )


def _score(evidence: Evidence, entry: Entry, part: Part, terms: list[Term], weights: dict[str, float], given: list[Term]) -> Scored:
    kind = kind_strength(part.asking, entry.unit, evidence.plan)
    inside: dict[str, float] = {}
    around: dict[str, float] = {}
    for term in terms:
        own = entry.bag.credit(term)
        if own < 0.6 and term.key in part.asking.signals and kind >= 0.8:
            own = 0.8
        inside[term.key] = own
        around[term.key] = own if own >= 0.95 else max(own, _near(evidence, entry, term))
    total = sum(weights.values()) or 1.0
    in_share = sum(weights[key] * value for key, value in inside.items()) / total
    near_share = sum(weights[key] * value for key, value in around.items()) / total
    score = AROUND * near_share + INSIDE * in_share + KIND * kind + RETRIEVAL * min(1.0, entry.seen.score)
    if given:
        context = [max(entry.bag.credit(term), _near(evidence, entry, term)) for term in given]
        score += 0.08 * (sum(context) / len(context) - 0.5)
    missing = tuple(term for term in terms if around[term.key] < NAME_ENOUGH and term.key not in part.asking.signals)
    return Scored(entry.unit, entry.seen, score, in_share, near_share, kind, inside, missing)


def _near(evidence: Evidence, entry: Entry, term: Term) -> float:
    best = max(HEADING * entry.headings.credit(term), DOCUMENT * entry.document.credit(term))
    for bag in (entry.before, entry.after):
        if bag is not None:
            best = max(best, NEIGHBOUR * bag.credit(term))
    if best < PASSAGE:
        best = max(best, PASSAGE * entry.passage.credit(term))
    if best < ELSEWHERE:
        others = evidence.document_bags.get(entry.seen.document_id, [])
        best = max(best, ELSEWHERE * max((bag.credit(term) for bag in others), default=0.0))
    return best
