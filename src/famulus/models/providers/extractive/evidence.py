"""What was seen, cut into sentences and rows, each with the words of what stands around it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from famulus.models.providers.extractive.closeness import Closeness
from famulus.models.providers.extractive.plan import Plan
from famulus.models.providers.extractive.situation import Seen, Situation
from famulus.models.providers.extractive.terms import Bag, Term
from famulus.models.providers.extractive.units import Unit, language_of, units_of

_ASIDE: Final = re.compile(r"\([^)]*\)")


@dataclass(frozen=True, slots=True)
class Entry:
    """A unit with the words of what stands around it."""

    unit: Unit
    seen: Seen
    bag: Bag
    outer: Bag
    headings: Bag
    document: Bag
    titles: Bag
    passage: Bag
    before: Bag | None
    after: Bag | None

    def own(self, term: Term) -> float:
        """What the unit itself or its headings have of a term."""
        return max(self.bag.credit(term), self.headings.credit(term))


@dataclass(slots=True)
class Evidence:
    """All units of all passages, with their words, once per model call."""

    plan: Plan
    by_meaning: bool = False
    closeness: Closeness | None = None
    entries: list[Entry] = field(default_factory=lambda: list[Entry]())
    passages: dict[str, list[Bag]] = field(default_factory=lambda: dict[str, list[Bag]]())
    _owners: dict[str, str | None] = field(default_factory=lambda: dict[str, str | None]())
    _named_in: dict[tuple[str, tuple[str, ...], str], bool] = field(
        default_factory=lambda: dict[tuple[str, tuple[str, ...], str], bool]()
    )

    def another_row_has(self, entry: Entry, term: Term) -> bool:
        """True when a row of the same table, not of this entry, has the very word."""
        place = (entry.seen.document_id, entry.unit.table, term.key)
        if place not in self._named_in:
            self._named_in[place] = any(
                other.bag.credit(term) >= 0.95
                for other in self.entries
                if other.unit.cells and (other.seen.document_id, other.unit.table) == place[:2]
            )
        return self._named_in[place]

    def only_in(self, term: Term, document_id: str) -> bool:
        """True when of the documents seen only this one has the term: then it is what the document is about."""
        if term.key not in self._owners:
            best = {name: max((bag.credit(term) for bag in bags), default=0.0) for name, bags in self.passages.items()}
            # Where one has the word itself, those with a like one do not count.
            holding = [name for name, credit in best.items() if credit >= (0.95 if max(best.values()) >= 0.95 else 0.6)]
            self._owners[term.key] = holding[0] if len(holding) == 1 and len(self.passages) > 1 else None
        return self._owners[term.key] == document_id

    def frequency(self, term: Term) -> int:
        return sum(1 for entry in self.entries if entry.bag.credit(term) >= 0.6)


def gather(situation: Situation, plan: Plan) -> Evidence:
    """The evidence of everything seen so far."""
    evidence = Evidence(plan, situation.by_meaning, situation.closeness)
    titles: dict[str, set[str]] = {}
    for seen in situation.passages.values():
        found = titles.setdefault(seen.document_id, set())
        found.update(seen.section[:1], *(unit.headings for unit in units_of(seen)[:1]))
        if seen.document_id in situation.openings:
            found.add(situation.openings[seen.document_id])
    for seen in situation.passages.values():
        language = language_of(seen)
        evidence.passages.setdefault(seen.document_id, []).append(bag_of(seen.text, language))
        evidence.entries += _entries(seen, bag_of(" . ".join(sorted(titles[seen.document_id])), language), language)
    return evidence


def _entries(seen: Seen, titles: Bag, language: str | None) -> Iterable[Entry]:
    units = units_of(seen)
    bags = [bag_of(unit.text, language) for unit in units]
    # A file name may be in any language.
    passage, document = bag_of(seen.text, language), bag_of(_spaced(seen.document), None)
    for index, unit in enumerate(units):
        before = bags[index - 1] if index and units[index - 1].block == unit.block and not unit.cells else None
        near = index + 1 < len(units) and units[index + 1].block == unit.block and not unit.cells
        after = bags[index + 1] if near else None
        yield Entry(
            unit,
            seen,
            bags[index],
            _outer(unit, bags[index], language),
            bag_of(" . ".join(unit.headings), language),
            document,
            titles,
            passage,
            before,
            after,
        )


def _outer(unit: Unit, bag: Bag, language: str | None) -> Bag:
    """The words outside parentheses: what stands inside is an aside."""
    return bag_of(_ASIDE.sub(" ", unit.text), language) if "(" in unit.text else bag


@lru_cache(maxsize=8_192)
def bag_of(text: str, language: str | None) -> Bag:
    return Bag(text, language)


def _spaced(name: str) -> str:
    return re.sub(r"[._-]+", " ", name.rsplit(".", 1)[0])
