"""Whether a sentence or row is about the thing asked for, or only mentions it (`three rents` in the clause on the deposit)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import Final

from famulus.models.providers.extractive.plan import Part
from famulus.models.providers.extractive.terms import NOTION, Bag, Term
from famulus.models.providers.extractive.units import Unit
from famulus.text.quantities import unit_name

# The subject stands at the beginning.
FIRST_WORDS: Final = 3
_SAYS: Final = re.compile(
    r"\s*(?:[^\W\d_]+\s+){0,2}?(?:is|are|was|amounts?|comes? to|costs?|takes?|lasts?|beträgt|betragen|ist|sind|war|kostet|kosten|dauert|liegt|liegen|bedraagt|bedragen|zijn|kost|duurt|est|sont|était|coûte(?:nt)?|dure|s['’]élève)\b",
    re.IGNORECASE,
)
_OPENING: Final = re.compile(
    r"\W*(?:(?:the|our|its|die|der|das|unsere?|seine|ihre|de|het|onze|zijn|le|la|les|notre|nos)\s+|l['’])?(?:[^\W\d_]+\s+)?$",
    re.IGNORECASE,
)


def is_subject(unit: Unit, terms: Sequence[Term], part: Part) -> bool:
    """True where the thing asked for is what the sentence is about (`The rent is …`), or the name of the row."""
    nouns = [term for term in terms if term.noun and term.kind == "word" and unit_name(term.written) is None]
    thing = next((term for term in nouns if term.key not in part.asking.signals), nouns[0] if nouns else None)
    if thing is None:
        return False
    if unit.cells:
        return Bag(unit.label, unit.language).credit(thing) >= 1.0
    return any(
        Bag(word.group(), unit.language).credit(thing) >= NOTION
        and _SAYS.match(unit.text, word.end())
        and _OPENING.match(unit.text[: word.start()])
        for word in islice(re.finditer(r"[^\W\d_]+", unit.text), FIRST_WORDS)
    )
