"""What of a part of the question is looked for in every sentence: its terms, what each weighs, and which must be there."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from famulus.models.providers.extractive.content import in_given_day, is_content, is_period, multiplies, sums_up
from famulus.models.providers.extractive.evidence import Evidence
from famulus.models.providers.extractive.extremes import is_superlative
from famulus.models.providers.extractive.plan import Part
from famulus.models.providers.extractive.sides import is_comparative
from famulus.models.providers.extractive.terms import Term

FOCUSED: Final = frozenset(
    {"open", "money", "amount", "percent", "measure", "duration", "clock", "contact", "date", "identifier"}
)

# When something was built is not when it was inspected; of what is to come, texts say the day in many words.
_ASKS_PAST: Final = re.compile(
    r"\b(?:when|(?:what|which) (?:year|date|day)) (?:was|were|did|has|have)\b|\b(?:wann|welche[mns]? (?:jahr|tag|datum)) (?:wurden?|hat|haben|ist|sind)\b|"
    r"\b(?:wanneer|welk(?:e)? (?:jaar|dag|datum)) (?:werd|werden|is|zijn|heeft)\b|\b(?:quand|quelle (?:année|date)|quel jour)\b.*\b(?:a|ont)[- ](?:t-)?(?:\w+ )?(?:été|\w+é)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Matter:
    """`content` are the terms that must be found; `focus` is the first noun of them, where the kind of answer is of one thing."""

    part: Part
    terms: tuple[Term, ...]
    weights: dict[str, float]
    content: tuple[Term, ...]
    focus: Term | None

    @property
    def codes(self) -> tuple[Term, ...]:
        return tuple(term for term in self.content if term.kind == "code")

    @property
    def names_alone(self) -> bool:
        """True for a question who somebody is: it asks for a person and holds nothing but the name."""
        return self.part.asking.wanted == "person" and all(term.kind == "name" for term in self.content)


def matter_of(evidence: Evidence, part: Part, *, must: Sequence[Term] = (), without: Sequence[Term] = ()) -> Matter:
    """`must` terms count double (one side of a comparison), `without` not at all."""
    left_out = {term.key for term in without}
    terms = tuple(term for term in part.terms if term.key not in left_out)
    content = [term for term in terms if is_content(evidence.plan, part, term)]
    content = content or [term for term in terms if not sums_up(part, term)] or list(terms)
    words = [term for term in content if term.kind == "word"]
    focus = next((term for term in words if term.noun), None)
    if part.asking.wanted == "date":
        done = _ASKS_PAST.search(part.text) is not None
        focus = next((term for term in words if not term.noun), None) if done else None
    focused = part.asking.wanted in FOCUSED and not evidence.plan.events
    return Matter(
        part,
        terms,
        _weights(evidence, part, terms, {term.key for term in must}),
        tuple(content),
        focus if focused else None,
    )


def _weights(evidence: Evidence, part: Part, terms: Sequence[Term], must: set[str]) -> dict[str, float]:
    """A rare word tells more than one that half of the passages hold; a word that only says the kind of answer tells little."""
    plan, n = evidence.plan, max(2, len(evidence.entries))
    weights: dict[str, float] = {}
    for term in terms:
        rarity = math.log((n + 1) / (evidence.frequency(term) + 0.5)) / math.log(n + 1)
        weight = term.weight * (0.5 + 0.5 * min(1.0, rarity))
        if term.key in part.asking.signals:
            weight *= 0.35
        if multiplies(plan, term) or is_period(plan, term):
            weight *= 0.25
        if plan.operation in ("compare", "difference") and is_comparative(term.written, plan.language):
            weight *= 0.2
        if is_superlative(term.written, part.text, plan.language):
            weight *= 0.2
        if in_given_day(plan, part, term):
            weight *= 0.1
        weights[term.key] = weight * (2.0 if term.key in must else 1.0)
    return weights
