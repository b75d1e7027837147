"""A year against the one before it: how the question says so, and which of its words only say that (`gestiegen`, `par rapport à`)."""

from __future__ import annotations

import re
from typing import Final

from famulus.models.providers.extractive.terms import Term

YEAR_BEFORE: Final = re.compile(
    r"\b(?:(?:the )?(?:year before|previous year|prior year|year earlier)|last year|vorjahr\w*|(?:ein )?jahr zuvor|vorigen jahr|vorig jaar|(?:een )?jaar (?:eerder|ervoor|daarvoor)|(?:l['’])?année (?:précédente|d['’]avant)|(?:un )?an plus tôt|l['’]an dernier)\b",
    re.IGNORECASE,
)
_GROWING: Final = re.compile(
    r"year|before|against|compared|previous|prior|earlier|last|grow|grew|grown|rise|rose|risen|increased?|fall|fell|fallen|decreased?|dropped|vorjahr\w*|gegenüber|jahr|zuvor|verglichen|vergleich|gestiegen|stieg|gewachsen|"
    r"zugenommen|gesunken|gefallen|abgenommen|vorig|jaar|eerder|ten|opzichte|vergeleken|gestegen|gegroeid|toegenomen|gedaald|afgenomen|année|an|précédente|dernier|rapport|augment\w*|progress\w*|baiss\w*|diminu\w*",
    re.IGNORECASE,
)


def says_growth(question: str, term: Term) -> bool:
    """True for a word by which a question sets a year against the one before: the text has the two figures, not the word."""
    return YEAR_BEFORE.search(question) is not None and _GROWING.fullmatch(term.written) is not None
