"""Chooses what to say: for each part of the question the best sentence or row, and the further ones that add something."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from famulus.models.providers.extractive.evidence import Evidence
from famulus.models.providers.extractive.following import pointed_at
from famulus.models.providers.extractive.judge import Scored, judge_part
from famulus.models.providers.extractive.leaning import leans
from famulus.models.providers.extractive.plan import Part, Plan, refers_back
from famulus.models.providers.extractive.situation import Seen
from famulus.models.providers.extractive.superlative import extremes
from famulus.models.providers.extractive.terms import Term
from famulus.models.providers.extractive.units import days_of

# A further sentence must be nearly as good as the best one.
NEARLY: Final = 0.8
# Where the best is not strong, weaker ones are shown with it: a reader sees at once which one is meant.
NEARLY_WEAK: Final = 0.75
STRONG: Final = 0.92
MOST_FURTHER: Final = 2
# What standing in the passage of the other part's answer is worth to a part; twice for one of so few words of its own.
BESIDE: Final = 0.12
FEW: Final = 1
LENIENT: Final = 0.12


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is said to one part; empty when nothing was good enough. `ranked` is everything, best first."""

    part: Part
    picks: tuple[Scored, ...]
    ranked: tuple[Scored, ...]

    @property
    def answered(self) -> bool:
        return bool(self.picks)


def choose(evidence: Evidence, plan: Plan) -> list[Chosen]:
    """One choice per part; a comparison is one part with a choice per side, joined."""
    if plan.events:
        found = _choose_events(evidence, plan.events)
        return found if all(choice.answered for choice in found) else [_choose_part(evidence, plan.parts[0])]
    if plan.alternatives:
        return [_choose_sides(evidence, plan)]
    choices = [_choose_part(evidence, part) for part in plan.parts]
    first = next((choice for choice in choices if choice.answered), None)
    if len(choices) > 1 and first is not None:
        # Whoever asks two things at once asks them of the same matter: the other part needs less to be believed.
        return [choice if choice is first else _choose_beside(evidence, choice, first.picks[0]) for choice in choices]
    return choices


def _choose_beside(evidence: Evidence, choice: Chosen, other: Scored) -> Chosen:
    """The choice again, with what stands beside the other part's answer preferred; more where the part names little itself."""
    if (next_one := pointed_at(choice.part.text, choice.ranked, other.seen, other.unit)) is not None:
        rest = tuple(item for item in choice.ranked if item is not next_one)
        return Chosen(choice.part, (next_one,), (next_one, *rest))
    content = [term for term in choice.part.terms if term.kind not in ("light", "number")]
    pull = BESIDE * (2 if len(content) <= FEW or refers_back(choice.part, evidence.plan.language) else 1)
    again = _choose_part(evidence, choice.part, 0.0 if choice.answered else LENIENT, beside=other.seen, pull=pull)
    return again if again.answered else choice


def _choose_part(
    evidence: Evidence, part: Part, lenient: float = 0.0, *, beside: Seen | None = None, pull: float = 0.0
) -> Chosen:
    ranked = judge_part(evidence, part)
    if beside is not None:
        ranked.sort(key=lambda item: -item.score - pull * _nearness(item.seen, beside))
    if not ranked or not ranked[0].good:
        better = next((item for item in ranked[:5] if item.touches and item.holds(lenient)), None)
        if better is None:
            return Chosen(part, (), tuple(ranked))
        ranked.remove(better)
        ranked.insert(0, better)
    if found := extremes(evidence, part, ranked):
        rest = [item for item in ranked if item not in found]
        return Chosen(part, tuple(found), (*found, *rest))
    return Chosen(part, tuple(_with_next(evidence, part, _with_further(ranked, part), ranked)), tuple(ranked))


def _nearness(seen: Seen, beside: Seen) -> float:
    return 1.0 if seen.n == beside.n else 0.6 if seen.document_id == beside.document_id else 0.0


def _with_next(evidence: Evidence, part: Part, picks: list[Scored], ranked: Sequence[Scored]) -> list[Scored]:
    """Where the best sentence lacks the kind of answer, the sentence after it, which often has it (`Reason: …`, a place)."""
    best = picks[0]
    if part.asking.wanted not in ("place", "reason", "person", "organisation", "contact") or best.kind >= 0.8:
        return picks
    for item in ranked:
        follows = (
            item.seen.n == best.seen.n and item.unit.block == best.unit.block and item.unit.place == best.unit.place + 1
        )
        if follows and item not in picks and item.kind >= max(0.4, best.kind):
            return [best, item, *picks[1:]][: MOST_FURTHER + 1]
    return picks


def _choose_events(evidence: Evidence, events: Sequence[Part]) -> list[Chosen]:
    """For each event the best unit with a whole date; two events never share one date while another pair is nearly as good."""
    ranked = [judge_part(evidence, event) for event in events]
    dated = [[item for item in items if days_of(item.unit)][:4] for items in ranked]
    good = [[item for item in items if item.holds(LENIENT)] for items in dated]
    pairs = [(a, b) for a in good[0] for b in good[1] if a.seen.document_id == b.seen.document_id]
    best = max(pairs, key=lambda pair: pair[0].score + pair[1].score - (0.5 if _one_date(*pair) else 0.0), default=None)
    picks = [()] * 2 if best is None else [(best[0],), (best[1],)]
    return [Chosen(event, pick, tuple(items)) for event, pick, items in zip(events, picks, ranked, strict=True)]


def _one_date(a: Scored, b: Scored) -> bool:
    return _same(a, b) and len({day for _, day in days_of(a.unit)}) < 2


def _choose_sides(evidence: Evidence, plan: Plan) -> Chosen:
    """For each side its best unit, both from one document or table where that is nearly as good; then the best for the whole question."""
    part = plan.parts[0]
    sides = plan.alternatives
    ranked = [
        judge_part(evidence, part, must=side, without=[term for term in _others(sides, index) if term.kind != "name"])
        for index, side in enumerate(sides)
    ]
    if len(sides) > 2:
        return _choose_each(part, ranked, judge_part(evidence, part))
    good = [
        _naming(items, side) or [item for item in items[:8] if item.holds(LENIENT / 2)]
        for items, side in zip(ranked, sides, strict=True)
    ]
    pairs = [(a, b) for a in good[0] for b in good[1]]
    best = max(pairs, key=_pair_worth, default=None)
    picks = list(best) if best is not None else [items[0] for items in good if items][:1]
    if len(picks) == 2 and _same(picks[0], picks[1]):
        picks.pop()
    whole = judge_part(evidence, part)
    if whole and whole[0].good and not any(_same(whole[0], pick) for pick in picks):
        picks.append(whole[0])
    if not any(pick.good for pick in picks):
        picks = []
    return Chosen(part, tuple(picks), tuple(whole))


# Around a sentence a name counts nearly as much as in it; only in it as much as this.
IN_IT: Final = 0.96


def _naming(items: Sequence[Scored], side: Sequence[Term]) -> list[Scored]:
    """For a side that is only a name (`Holtmann's offer or Verbruggen's`) what names it: this needs less to be believed."""
    if any(term.kind != "name" for term in side):
        return []
    named = (item for item in items[:8] if any(item.credits.get(term.key, 0.0) >= IN_IT for term in side))
    return [item for item in named if item.holds(LENIENT)]


def _others(sides: Sequence[Sequence[Term]], index: int) -> list[Term]:
    return [term for number, side in enumerate(sides) if number != index for term in side]


def _choose_each(part: Part, ranked: Sequence[Sequence[Scored]], whole: Sequence[Scored]) -> Chosen:
    """The best unit of each of three sides or more; nothing where one has none."""
    picks = [next((item for item in items[:4] if item.holds(LENIENT)), None) for items in ranked]
    found = {(pick.seen.n, pick.unit.place): pick for pick in picks if pick is not None}
    return Chosen(part, tuple(found.values()) if all(picks) else (), tuple(whole))


def _pair_worth(pair: tuple[Scored, Scored]) -> float:
    a, b = pair
    worth = a.score + b.score
    if a.seen.document_id == b.seen.document_id:
        worth += 0.12
    if a.seen.n == b.seen.n:
        worth += 0.06
    if bool(a.unit.cells) != bool(b.unit.cells):
        worth -= 0.1
    # One sentence may speak of both sides; one row of a table does not.
    return worth - (0.3 if _same(a, b) and a.unit.cells else 0.0)


def _same(a: Scored, b: Scored) -> bool:
    return a.seen.n == b.seen.n and a.unit.place == b.unit.place


def _with_further(ranked: Sequence[Scored], part: Part) -> list[Scored]:
    """The best, and up to two more that cover terms which it lacks or are nearly as good from another place."""
    best = ranked[0]
    picks = [best]
    covered = {key for key, credit in best.credits.items() if credit >= 0.6}
    for item in ranked[1:12]:
        if len(picks) > MOST_FURTHER or item.score < (NEARLY if best.score >= STRONG else NEARLY_WEAK) * best.score:
            break
        if not item.good and not (best.score < STRONG and item.holds(LENIENT)):
            continue
        if leans(item, picks) or any(_alike(item, pick) for pick in picks):
            continue
        new = {key for key, credit in item.credits.items() if credit >= 0.6} - covered
        if new or item.score >= 0.93 * best.score or item.kind > best.kind + 0.1 or best.score < STRONG:
            picks.append(item)
            covered |= new
    return picks


def _alike(a: Scored, b: Scored) -> bool:
    return a.unit.text == b.unit.text


def missing_terms(choices: Sequence[Chosen]) -> list[Term]:
    """Terms that the best evidence of the unanswered or weak parts does not hold."""
    found: dict[str, Term] = {}
    for choice in choices:
        best = choice.ranked[0] if choice.ranked else None
        for term in choice.part.terms if best is None else best.missing:
            found[term.key] = term
    return list(found.values())
