"""What a unit does not speak of, though much of the question stands in it: who did something, which thing it is, the thing itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from famulus.models.providers.extractive.evidence import Entry
from famulus.models.providers.extractive.names import human_notions, role_notions
from famulus.models.providers.extractive.plan import Part
from famulus.models.providers.extractive.terms import Bag, Term
from famulus.models.providers.extractive.vocabulary import notions
from famulus.text.fold import key


def is_unspoken(part: Part, missing: Sequence[Term], entry: Entry) -> bool:
    """True for a row where the question is who did something, or which thing it is, that no column speaks of (`Who approved order PO-505?`)."""
    if part.asking.wanted == "organisation" and not _names_any(entry, part.terms):
        return True
    which = _WHICH.match(part.text) if part.asking.wanted == "open" else None
    if which is not None and any(which["thing"] == term.written and _is_somebody(term) for term in missing):
        return True
    if not entry.unit.cells:
        return False
    if part.asking.wanted == "money" and any(_is_first_part(term, entry.unit.label) for term in part.terms):
        return True
    if part.asking.wanted in ("person", "organisation"):
        return any(term.kind == "word" and not term.noun for term in missing)
    return which is not None and any(which["thing"] == term.written for term in missing)


def _names_any(entry: Entry, terms: Sequence[Term]) -> bool:
    """True where the unit or the heading right above it holds a word of the question."""
    above = Bag(" ".join(entry.unit.headings[-1:]), entry.unit.language)
    return any(max(entry.bag.credit(term), above.credit(term)) >= 0.5 for term in terms)


def _is_first_part(term: Term, label: str) -> bool:
    """True for a printer where a row is of the `Druckerpatrone`: the last part of a compound says what a thing is."""
    if term.kind != "word" or not term.noun or len(term.key) < 5:
        return False
    keys = [key(word) for word in re.findall(r"[^\W\d_]+", label)]
    return term.key not in keys and any(word.startswith(term.key) and len(word) >= len(term.key) + 4 for word in keys)


def _is_somebody(term: Term) -> bool:
    """True for `contractor`, `insurer`, `doctor`: a sentence that names none does not say which one."""
    numbers = notions(term.key, term.language)
    return bool(numbers & (role_notions() | human_notions() | _trades()))


@lru_cache(maxsize=1)
def _trades() -> frozenset[int]:
    return frozenset[int]().union(
        *(
            notions(word, "en")
            for word in ["contractor", "company", "insurer", "bank", "craftsman", "supplier", "technician"]
        )
    )


_WHICH: Final = re.compile(
    r"\W*(?:which|what|welche[nrms]?|welke?|quel(?:le)?s?)\s+(?P<thing>[^\W\d_]+)", re.IGNORECASE
)
