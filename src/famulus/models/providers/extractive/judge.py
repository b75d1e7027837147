"""What each sentence and row says to a part of the question: the words it covers, and the kind of answer it holds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from famulus.models.providers.extractive.belief import believed
from famulus.models.providers.extractive.content import (
    MULTIPLYING,
    TOTAL,
    in_span,
)
from famulus.models.providers.extractive.evidence import Entry, Evidence
from famulus.models.providers.extractive.holds import kind_strength
from famulus.models.providers.extractive.limits import asks_how_many_there_are, asks_limit, is_limit, sets_limit
from famulus.models.providers.extractive.matter import Matter, matter_of
from famulus.models.providers.extractive.periods import asked_period
from famulus.models.providers.extractive.plan import Part, Plan, refers_back
from famulus.models.providers.extractive.ranges import of_another_range
from famulus.models.providers.extractive.scored import Scored
from famulus.models.providers.extractive.siblings import of_a_sibling, of_another_number
from famulus.models.providers.extractive.subject import is_subject
from famulus.models.providers.extractive.terms import NOTION, Term
from famulus.models.providers.extractive.units import Unit
from famulus.models.providers.extractive.unspoken import is_unspoken
from famulus.models.providers.extractive.weekdays import covers_day
from famulus.text.fold import fold
from famulus.text.units import TIME_WORDS

# How much a term counts that stands not in the sentence but around it.
NEIGHBOUR, HEADING, DOCUMENT, TITLES, PASSAGE, ELSEWHERE = 0.65, 0.9, 0.85, 0.75, 0.45, 0.37
# How much it counts elsewhere in the document, when no other document speaks of it.
TOPIC: Final = 0.6
# The shares of a score, and the figures from which a part counts as answered. Tuned on one half of the shipped questions.
AROUND, INSIDE, KIND, RETRIEVAL = 0.42, 0.3, 0.28, 0.15
ASIDE: Final = 0.8
SAME_LANGUAGE: Final = 0.1
DENSITY: Final = 0.08
PHRASE: Final = 0.025
# A name counts around a sentence as in it; of two sentences beside each other the one that has it is meant.
NAMED_HERE, NAMED = 0.04, 0.95
# What the sentence itself is about, not what it only mentions.
SAYS_OF: Final = 0.12
# A number of something where the most there may be is asked for.
NO_LIMIT: Final = 0.3
NAME_ENOUGH: Final = 0.35
# A missing noun is worse than a missing verb: what is asked about must be there.
NOUN: Final = 1.5
NAME_INSIDE: Final = 0.6
RARE: Final = frozenset({"count", "date", "clock", "duration", "whom", "person", "place", "often", "contact"})
# Here nothing of another kind can be the answer.
EXACT: Final = frozenset({"count", "money", "percent", "contact", "clock", "identifier"})
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
        "identifier",
    }
)


def judge_part(
    evidence: Evidence, part: Part, *, must: Sequence[Term] = (), without: Sequence[Term] = ()
) -> list[Scored]:
    """All units for this part, best first. `must` terms count double (one side of a comparison), `without` not at all."""
    matter = matter_of(evidence, part, must=must, without=without)
    scored = [_score(evidence, entry, matter) for entry in evidence.entries]
    ranked = sorted(scored, key=lambda item: (-item.score, item.seen.rank, item.seen.n, item.unit.place))
    # Both sides of a comparison are as close to the question: here words tell them apart.
    return ranked if must else believed(evidence, part, ranked)


def _lacks_mark(evidence: Evidence, matter: Matter, missing: Sequence[Term], entry: Entry) -> bool:
    """True when a name, a code, or the size that tells one thing from its like (`30 m`) stands nowhere near."""
    plan = evidence.plan
    if any(term.kind in ("name", "code") for term in missing) or _of_another_year(plan, entry):
        return True
    if matter.part.asking.wanted == "identifier":
        # A code is of the thing that its own sentence names.
        return any(term.noun and term.kind == "word" and entry.own(term) < 0.6 for term in matter.content)
    if not entry.unit.cells:
        return of_another_number(entry.unit.text, plan.question) or (
            not plan.alternatives
            and matter.part.asking.wanted not in ("person", "whom")
            and of_a_sibling(entry, matter.content)
        )
    if of_another_range(entry.unit.text, plan.question):
        return True
    if _has_codes(matter, entry):
        return False
    if _of_another_thing(plan, entry) or _of_another_row(evidence, matter, entry):
        return True
    sizes = {
        plan.question[q.start : q.end].split()[0]
        for q in plan.quantities
        if q.kind == "measure" and q.unit not in MULTIPLYING
    }
    return any(term.kind == "number" and term.written in sizes and entry.bag.credit(term) < 0.6 for term in plan.terms)


def _lacks_names(matter: Matter, entry: Entry) -> bool:
    """True when nothing but a name is asked about and neither the unit nor its headings have a part of it."""
    return (
        not matter.part.given
        and matter.names_alone
        and not any(entry.own(term) >= NAME_INSIDE for term in matter.content)
    )


_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")


def _of_another_year(plan: Plan, entry: Entry) -> bool:
    """True when the question gives the year of what it asks (`the turnover of 2024`), and sentence and headings name only others."""
    if any(part.asking.wanted in ("date", "duration", "yesno") for part in plan.parts) or plan.alternatives:
        return False
    asked = set(_YEAR.findall(plan.question))
    said = set(_YEAR.findall(" ".join((entry.unit.text, *entry.unit.headings))))
    return bool(asked and said) and not asked & said


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
        and not in_span(plan, term)
        and not any(term.key in part.asking.signals for part in plan.parts)
    ]
    if plan.alternatives or len(plan.parts) > 1 or len(naming) < 3:
        return False
    held = sum(entry.own(term) >= 0.6 for term in naming)
    return held * 2 < len(naming)


def _has_codes(matter: Matter, entry: Entry) -> bool:
    """True where the unit has every code of the question: whatever else it calls the thing, it is this one."""
    return bool(matter.codes) and all(entry.bag.credit(term) for term in matter.codes)


def _of_another_row(evidence: Evidence, matter: Matter, entry: Entry) -> bool:
    """True when another row of the table names what is asked about and this one does not (`a tractor` in the rows of another route)."""
    plan = evidence.plan
    if plan.alternatives or plan.operation != "none" or len(plan.parts) > 1 or matter.part.asking.wanted == "yesno":
        return False
    if TOTAL.search(plan.question):
        # What is added up stands in several rows.
        return False
    return any(
        entry.own(term) < 0.6 and evidence.another_row_has(entry, term)
        for term in matter.content
        if term.kind in ("name", "code") or (term.kind == "word" and term.noun)
    )


def _covered(
    evidence: Evidence, entry: Entry, part: Part, terms: Sequence[Term], kind: float
) -> tuple[dict[str, float], dict[str, float]]:
    """What the unit itself has of each term, and what it has with all that stands around it."""
    inside: dict[str, float] = {}
    around: dict[str, float] = {}
    for term in terms:
        own = max(entry.outer.credit(term), ASIDE * entry.bag.credit(term))
        if own < 0.6 and term.key in part.asking.signals and kind >= 0.8:
            own = 0.8
        if own < NOTION and covers_day(term, entry.unit.text):
            own = NOTION
        around[term.key] = own if own >= 0.95 else max(own, _near(evidence, entry, term))
        # A name or code says which document or chapter is meant; it need not stand in the sentence itself.
        inside[term.key] = own if own > 0 or term.kind not in ("name", "code") or around[term.key] < 0.6 else 0.95
        if term.kind in ("name", "code") and around[term.key] >= 0.6:
            around[term.key] = 1.0
    if part.asking.wanted not in EXACT or _has_rate_asked(evidence.plan, entry.unit):
        # A figure is of the thing of its own sentence, not of what the document is about.
        around |= _topic(evidence, entry, terms, around)
    return inside, around


def _score(evidence: Evidence, entry: Entry, matter: Matter) -> Scored:
    part, terms, weights, content = matter.part, matter.terms, matter.weights, matter.content
    kind = kind_strength(part.asking, entry.unit, evidence.plan)
    if (
        part.asking.wanted == "count"
        and asks_limit(part.text)
        and not entry.unit.cells
        and not sets_limit(entry.unit.text)
    ):
        kind = min(kind, NO_LIMIT)
    if part.asking.wanted == "count" and asks_how_many_there_are(part.text) and is_limit(entry.unit.text):
        kind = min(kind, NO_LIMIT)
    inside, around = _covered(evidence, entry, part, terms, kind)
    total = sum(weights.values()) or 1.0
    in_share = sum(weights[key] * value for key, value in inside.items()) / total
    near_share = sum(weights[key] * value for key, value in around.items()) / total
    score = AROUND * near_share + INSIDE * in_share + KIND * kind + RETRIEVAL * min(1.0, entry.seen.score)
    score += DENSITY * min(1.0, sum(inside.values()) / max(4, len(entry.bag)))
    score += PHRASE * min(3, _phrases(entry, terms))
    score += NAMED_HERE * sum(term.kind in ("name", "code") and entry.bag.credit(term) >= NAMED for term in terms)
    if entry.unit.language == evidence.plan.language:
        score += SAME_LANGUAGE
    shares = _shares(content, weights, around, entry)
    solid = _solid(shares)
    if part.given:
        context = [max(entry.bag.credit(term), _near(evidence, entry, term)) for term in part.given]
        back = refers_back(part, evidence.plan.language)
        score += (0.25 if back else 0.06) * (sum(context) / len(context) - 0.5)
        if back:
            solid = max(solid, _solid(shares + [(0.5, credit) for credit in context]))
    missing = tuple(term for term in content if around[term.key] < NAME_ENOUGH)
    if kind >= 0.8 and not missing and is_subject(entry.unit, terms, part):
        score += SAYS_OF
    foreign = entry.unit.language not in (None, evidence.plan.language)
    lacks = (
        matter.focus is not None
        and around[matter.focus.key] < 0.5
        and not (entry.unit.cells and _has_codes(matter, entry))
    )
    return Scored(
        entry.unit,
        entry.seen,
        score,
        solid,
        kind,
        part.asking.wanted in STRICT and not matter.names_alone,
        inside,
        missing,
        lacks,
        part.asking.wanted in EXACT or bool(part.asking.units),
        foreign,
        _lacks_mark(evidence, matter, missing, entry)
        or _lacks_names(matter, entry)
        or is_unspoken(part, missing, entry),
        entry.seen.score if evidence.by_meaning else 0.0,
        any(entry.own(term) >= 0.6 for term in content),
        part.asking.wanted in RARE,
    )


def _phrases(entry: Entry, terms: Sequence[Term]) -> int:
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
