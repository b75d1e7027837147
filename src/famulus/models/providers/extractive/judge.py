"""What each sentence and row says to a part of the question: the words it covers, and the kind of answer it holds."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from famulus.models.providers.extractive.evidence import Entry, Evidence
from famulus.models.providers.extractive.extremes import is_superlative
from famulus.models.providers.extractive.holds import kind_strength
from famulus.models.providers.extractive.periods import asked_period
from famulus.models.providers.extractive.plan import Part, Plan, is_comparative, refers_back
from famulus.models.providers.extractive.situation import Seen
from famulus.models.providers.extractive.terms import Term
from famulus.models.providers.extractive.units import Unit
from famulus.text.dates import find_dates
from famulus.text.fold import fold
from famulus.text.units import EVERY_WORDS, TIME_WORDS

# How much a term counts that stands not in the sentence but around it.
NEIGHBOUR, HEADING, DOCUMENT, TITLES, PASSAGE, ELSEWHERE = 0.65, 0.9, 0.85, 0.75, 0.45, 0.37
# How much it counts elsewhere in the document, when no other document speaks of it.
TOPIC: Final = 0.6
# The shares of a score, and the figures from which a part counts as answered. Tuned on one half of the shipped questions.
AROUND, INSIDE, KIND, RETRIEVAL = 0.42, 0.3, 0.28, 0.15
FOREIGN: Final = 0.05
ASIDE: Final = 0.8
SAME_LANGUAGE: Final = 0.1
DENSITY: Final = 0.08
PHRASE: Final = 0.025
ENOUGH: Final = 0.52
SOLID: Final = 0.56
# A part whose answer is of another kind than asked counts only when nearly all its words are there.
SOLID_OTHER_KIND: Final = 0.85
SOLID_WITHOUT_FOCUS: Final = 0.75
SURE_FROM, SURE_SHARE, SURE_MOST = 0.88, 0.6, 0.06
KIND_ENOUGH: Final = 0.35
NAME_ENOUGH: Final = 0.35
# A missing noun is worse than a missing verb: what is asked about must be there.
NOUN: Final = 1.5
NAME_INSIDE: Final = 0.6
MULTIPLYING: Final = frozenset({"kilometre", "mile", "kilogram", "litre", "tonne"})
# Here nothing of another kind can be the answer.
EXACT: Final = frozenset({"count", "money", "percent", "contact", "clock"})
FOCUSED: Final = frozenset({"open", "money", "amount", "percent", "measure", "duration", "clock", "contact"})
STRICT: Final = frozenset(
    {
        "person",
        "contact",
        "money",
        "amount",
        "percent",
        "measure",
        "duration",
        "date",
        "clock",
        "count",
        "organisation",
        "often",
    }
)


@dataclass(frozen=True, slots=True)
class Scored:
    """A unit judged for one part. `credits` are what the unit itself covers; `solid` the share of the content that stands in or near it.

    `missing` are the content terms that nothing near covers; `lacks_focus` when the first noun of the question is among them.
    """

    unit: Unit
    seen: Seen
    score: float
    solid: float
    kind: float
    strict: bool
    credits: dict[str, float]
    missing: tuple[Term, ...]
    lacks_focus: bool = False
    exact: bool = False
    foreign: bool = False
    lacks_mark: bool = False
    sure: float = 0.0

    @property
    def good(self) -> bool:
        return self.holds()

    def holds(self, lenient: float = 0.0) -> bool:
        """True when this may be given as an answer; `lenient` lowers what is asked of it."""
        if self.score < ENOUGH - lenient or self.lacks_mark:
            return False
        if self.lacks_focus and self.solid < SOLID_WITHOUT_FOCUS - lenient:
            return False
        # A search by meaning that is sure of the passage makes up for words that it does not share with the question.
        lenient += min(SURE_MOST, SURE_SHARE * max(0.0, self.sure - SURE_FROM))
        fitting = self.kind >= KIND_ENOUGH or not self.strict
        if not fitting and (self.kind <= 0.0 or self.exact):
            return False
        if self.foreign:
            lenient -= FOREIGN
        return self.solid >= (SOLID if fitting else SOLID_OTHER_KIND) - lenient


def judge_part(
    evidence: Evidence, part: Part, *, must: Sequence[Term] = (), without: Sequence[Term] = ()
) -> list[Scored]:
    """All units for this part, best first. `must` terms count double (one side of a comparison), `without` not at all."""
    left_out = {term.key for term in without}
    terms = [term for term in part.terms if term.key not in left_out]
    weights = _weights(evidence, part, terms, {term.key for term in must})
    scored = [_score(evidence, entry, part, terms, weights) for entry in evidence.entries]
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
        if _multiplies(evidence.plan, term) or _is_period(evidence.plan, term):
            weight *= 0.25
        if evidence.plan.operation in ("compare", "difference") and is_comparative(
            term.written, evidence.plan.language
        ):
            weight *= 0.2
        if is_superlative(term.written, part.text, evidence.plan.language):
            weight *= 0.2
        if _in_given_day(evidence.plan, part, term):
            weight *= 0.1
        weights[term.key] = weight * (2.0 if term.key in must else 1.0)
    return weights


def _lacks_mark(plan: Plan, missing: Sequence[Term], entry: Entry) -> bool:
    """True when a name, a code, or the size that tells one thing from its like (`30 m`) stands nowhere near."""
    if any(term.kind in ("name", "code") for term in missing):
        return True
    if not entry.unit.cells:
        return False
    if _of_another_thing(plan, entry):
        return True
    sizes = {
        plan.question[q.start : q.end].split()[0]
        for q in plan.quantities
        if q.kind == "measure" and q.unit not in MULTIPLYING
    }
    return any(term.kind == "number" and term.written in sizes and entry.bag.credit(term) < 0.6 for term in plan.terms)


def _has_rate_asked(plan: Plan, unit: Unit) -> bool:
    """True for a price per what the question gives a quantity of (`three hours` and `138 euros an hour`), or asks for a period of."""
    units = {quantity.unit for quantity in plan.quantities if quantity.kind in ("time", "measure")}
    units |= {"week", "month", "quarter", "year"} if asked_period(plan) else set[str]()
    return not unit.cells and any(quantity.kind == "money" and quantity.per in units for quantity in unit.quantities)


def _of_another_thing(plan: Plan, entry: Entry) -> bool:
    """A row is about one thing: most words that name it must stand in the row, its heading or its sheet, not just beside it."""
    naming = [
        term
        for term in plan.terms
        if term.kind == "word"
        and term.written.casefold() not in TIME_WORDS
        and not _in_span(plan, term)
        and not any(term.key in part.asking.signals for part in plan.parts)
    ]
    if plan.alternatives or len(plan.parts) > 1 or len(naming) < 3:
        return False
    held = sum(max(entry.bag.credit(term), entry.headings.credit(term)) >= 0.6 for term in naming)
    return held * 2 < len(naming)


def _is_content(plan: Plan, part: Part, term: Term) -> bool:
    if plan.operation in ("compare", "difference") and is_comparative(term.written, plan.language):
        return False
    if is_superlative(term.written, part.text, plan.language):
        return False
    return (
        term.key not in part.asking.signals
        and term.kind != "light"
        and not _multiplies(plan, term)
        and not _is_period(plan, term)
        and not _has_amount(plan, term)
        and not _in_span(plan, term)
        and not _in_given_day(plan, part, term)
    )


def _in_given_day(plan: Plan, part: Part, term: Term) -> bool:
    """True for a word of a day that the question gives to count from (`I gave notice on 10 March 2026, when …?`): no document need have it."""
    return part.asking.wanted in ("date", "duration") and term.written in _given_days(plan.question)


@lru_cache(maxsize=256)
def _given_days(question: str) -> frozenset[str]:
    spans = [(mention.start, mention.end) for mention in find_dates(question) if mention.day is not None]
    return frozenset(word for start, end in spans for word in re.findall(r"\w+", question[start:end]))


def _in_span(plan: Plan, term: Term) -> bool:
    """True for a word of a quantity that is said in words (`einem halben Jahr`, `a dozen`): the text may count in other units."""
    return any(
        quantity.word
        and quantity.kind in ("time", "count")
        and term.written in plan.question[quantity.start : quantity.end].split()
        for quantity in plan.quantities
    )


_AMOUNT_OF: Final = re.compile(
    r"\s(?:of|von|over|van|de|d['’]un montant de|über|à|zu|at|worth|is|ist|beträgt|est de|in höhe von)\s+(?:[A-Z]{3}\s?|[€£$]\s?)?$",
    re.IGNORECASE,
)


def _has_amount(plan: Plan, term: Term) -> bool:
    """True for what an amount of the question is of (`an invoice of EUR 2,400`, `a salary of …`): any document may call it otherwise."""
    for quantity in plan.quantities:
        if quantity.kind == "money":
            before = plan.question[: quantity.start]
            joint = _AMOUNT_OF.search(before)
            if joint and before[: joint.start()].endswith(term.written):
                return True
    return False


def _is_period(plan: Plan, term: Term) -> bool:
    """`per year` says for how long the amount is wanted; a monthly one answers it too."""
    word = term.written.casefold()
    return (word in TIME_WORDS or word in EVERY_WORDS) and asked_period(plan) is not None


def _multiplies(plan: Plan, term: Term) -> bool:
    """A number of the question that may be something to compute with, not to find: `for 3 days`, `five hours`, `three nodes`."""
    return any(
        plan.question[quantity.start : quantity.end].split()[:1] == [term.written]
        and (
            quantity.kind in ("time", "money")
            or (quantity.kind == "count" and quantity.word)
            or quantity.unit in MULTIPLYING
        )
        for quantity in plan.quantities
    )


def _score(evidence: Evidence, entry: Entry, part: Part, terms: list[Term], weights: dict[str, float]) -> Scored:
    kind = kind_strength(part.asking, entry.unit, evidence.plan)
    inside: dict[str, float] = {}
    around: dict[str, float] = {}
    for term in terms:
        own = max(entry.outer.credit(term), ASIDE * entry.bag.credit(term))
        if own < 0.6 and term.key in part.asking.signals and kind >= 0.8:
            own = 0.8
        around[term.key] = own if own >= 0.95 else max(own, _near(evidence, entry, term))
        # A name or code says which document or chapter is meant; it need not stand in the sentence itself.
        inside[term.key] = own if own > 0 or term.kind not in ("name", "code") or around[term.key] < 0.6 else 0.95
        if term.kind in ("name", "code") and around[term.key] >= 0.6:
            around[term.key] = 1.0
    if part.asking.wanted not in EXACT or _has_rate_asked(evidence.plan, entry.unit):
        # A figure is of the thing of its own sentence, not of what the document is about.
        around |= _topic(evidence, entry, terms, around)
    total = sum(weights.values()) or 1.0
    in_share = sum(weights[key] * value for key, value in inside.items()) / total
    near_share = sum(weights[key] * value for key, value in around.items()) / total
    score = AROUND * near_share + INSIDE * in_share + KIND * kind + RETRIEVAL * min(1.0, entry.seen.score)
    score += DENSITY * min(1.0, sum(inside.values()) / max(4, len(entry.bag)))
    score += PHRASE * min(3, _phrases(entry, terms))
    if entry.unit.language == evidence.plan.language:
        score += SAME_LANGUAGE
    content = [term for term in terms if _is_content(evidence.plan, part, term)] or terms
    shares = _shares(content, weights, around, entry)
    solid = _solid(shares)
    if part.given:
        context = [max(entry.bag.credit(term), _near(evidence, entry, term)) for term in part.given]
        back = refers_back(part, evidence.plan.language)
        score += (0.25 if back else 0.06) * (sum(context) / len(context) - 0.5)
        if back:
            solid = max(solid, _solid(shares + [(0.5, credit) for credit in context]))
    missing = tuple(term for term in content if around[term.key] < NAME_ENOUGH)
    foreign = entry.unit.language not in (None, evidence.plan.language)
    focus = (
        next((term for term in content if term.noun and term.kind == "word"), None)
        if part.asking.wanted in FOCUSED
        else None
    )
    lacks = focus is not None and around[focus.key] < 0.5
    return Scored(
        entry.unit,
        entry.seen,
        score,
        solid,
        kind,
        part.asking.wanted in STRICT,
        inside,
        missing,
        lacks,
        part.asking.wanted in EXACT,
        foreign,
        _lacks_mark(evidence.plan, missing, entry),
        entry.seen.score if evidence.by_meaning else 0.0,
    )


def _phrases(entry: Entry, terms: list[Term]) -> int:
    """How many pairs of words that stand side by side in the question do so in the unit."""
    text = fold(entry.unit.text)
    pairs = ((a, b) for a, b in pairwise(terms) if a.kind != "light" or b.kind != "light")
    return sum(1 for a, b in pairs if f"{fold(a.written)} {fold(b.written)}" in text)


def _shares(
    content: Sequence[Term], weights: dict[str, float], around: dict[str, float], entry: Entry
) -> list[tuple[float, float]]:
    """Weight and credit of what must be there. A name counts where the unit itself has it; as mere context it proves nothing."""
    shares: list[tuple[float, float]] = []
    for term in content:
        if term.kind not in ("name", "code"):
            shares.append((weights[term.key] * (NOUN if term.noun else 1.0), around[term.key]))
        elif entry.bag.credit(term) >= 0.6:
            shares.append((NAME_INSIDE if term.kind == "name" else weights[term.key], 1.0))
    return shares or [(weights[term.key], around[term.key]) for term in content]


def _solid(shares: Sequence[tuple[float, float]]) -> float:
    """Share of the weight that is covered; what stands only somewhere in the passage counts half."""
    total = sum(weight for weight, _ in shares)
    return (
        sum(weight * (credit if credit >= 0.6 else credit / 2) for weight, credit in shares) / total if total else 0.0
    )


def _near(evidence: Evidence, entry: Entry, term: Term) -> float:
    best = max(
        HEADING * entry.headings.credit(term),
        DOCUMENT * entry.document.credit(term),
        TITLES * entry.titles.credit(term),
    )
    for bag in (entry.before, entry.after):
        if bag is not None:
            best = max(best, NEIGHBOUR * bag.credit(term))
    if best < PASSAGE:
        best = max(best, PASSAGE * entry.passage.credit(term))
    if best < ELSEWHERE:
        others = evidence.passages.get(entry.seen.document_id, [])
        best = max(best, ELSEWHERE * max((bag.credit(term) for bag in others), default=0.0))
    return best


def _topic(evidence: Evidence, entry: Entry, terms: Sequence[Term], around: dict[str, float]) -> dict[str, float]:
    """The one noun of the question that only this document has, as what it is about; several from elsewhere are a coincidence."""
    if entry.unit.cells:
        return {}
    far = [term for term in terms if term.noun and term.kind == "word" and around[term.key] < NAME_INSIDE]
    if len(far) != 1 or not evidence.only_in(far[0], entry.seen.document_id):
        return {}
    return {far[0].key: TOPIC}
