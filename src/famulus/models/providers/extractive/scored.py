"""A sentence or row judged for one part of a question, and whether it may be given as its answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from famulus.models.providers.extractive.situation import Seen
from famulus.models.providers.extractive.terms import Term
from famulus.models.providers.extractive.units import Unit

# From which figures a part counts as answered. Tuned on one half of the shipped questions.
ENOUGH: Final = 0.52
# Prices and firms stand everywhere: there the words must agree more than where a day, an hour or a person is asked for.
SOLID: Final = 0.56
SOLID_OF_RARE_KINDS: Final = 0.5
# A part whose answer is of another kind than asked counts only when nearly all its words are there.
SOLID_OTHER_KIND: Final = 0.85
SOLID_WITHOUT_FOCUS: Final = 0.75
SURE_FROM, SURE_SHARE, SURE_MOST = 0.88, 0.6, 0.06
KIND_ENOUGH: Final = 0.35
FOREIGN: Final = 0.05
# With a belief: from which one it is enough alone, and below which one agreeing words do not help; of a price, a number or a code
# more must be believed, for figures of other things are everywhere.
BELIEVED, DOUBTED, DOUBTED_FIGURE = 0.4, 0.15, 0.25
# A figure of a thing that is not named is more likely that of another.
BELIEVED_WITHOUT_FOCUS = 0.7
# How much of what is left to a lenient judgement is left to the belief.
LENIENT_IN_BELIEF: Final = 1.5


@dataclass(frozen=True, slots=True)
class Scored:
    """A unit judged for one part. `credits` are what the unit itself covers; `solid` the share of the content that stands in or near it.

    `missing` are the content terms that nothing near covers; `lacks_focus` when the first noun of the question is among them.
    `touches` when the unit or its headings hold one of the content terms; `rare` when few sentences hold what kind of thing is asked for.
    `belief` is the probability that this answers, where its meaning was measured (`belief.py`).
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
    touches: bool = True
    rare: bool = False
    belief: float | None = None

    @property
    def good(self) -> bool:
        return self.holds()

    def holds(self, lenient: float = 0.0) -> bool:
        """True when this may be given as an answer; `lenient` lowers what is asked of it."""
        if self.belief is None:
            return self._agrees(lenient)
        # No meaning is close enough to make up for the name, the code or the size that is missing.
        if self.exact and self.strict and self.kind < KIND_ENOUGH and not lenient:
            return False
        unnamed = self.lacks_focus or (self.foreign and any(term.noun for term in self.missing))
        believed = BELIEVED_WITHOUT_FOCUS if self.exact and unnamed else BELIEVED
        if not self.lacks_mark and self.belief > believed - LENIENT_IN_BELIEF * lenient:
            return True
        doubted = DOUBTED_FIGURE if self.exact else DOUBTED
        return self.belief > doubted and self._agrees(lenient)

    def _agrees(self, lenient: float) -> bool:
        """True when its words agree with the question and it holds the kind of answer."""
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
        solid = SOLID_OF_RARE_KINDS if self.rare else SOLID
        return self.solid >= (solid if fitting else SOLID_OTHER_KIND) - lenient
