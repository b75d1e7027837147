"""Superlatives of four languages: which end of a row of figures is asked for, and of what."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

MONEY, TIME, LENGTH, WEIGHT = "money", "time", "length", "weight"


@dataclass(frozen=True, slots=True)
class Extreme:
    """`direction` is 1 for the highest, -1 for the lowest. `kinds` are the kinds of figure that the word itself says (none: any).

    `words` are the words of the question that name the figure, `written` the superlative; `chooses` when one of several is asked for.
    """

    direction: int
    kinds: frozenset[str]
    words: frozenset[str]
    written: str
    chooses: bool


# Endings: German `-ste(n)`, Dutch `-ste`. What is no superlative of a figure (`at most`, `last`, `next`) is not here.
_HIGH: Final[dict[str, str]] = {
    "en": r"(?<!at )(?:the )?most(?! of\b)(?! expensive)|highest|largest|biggest|greatest|fastest|widest|deepest|tallest|strongest|hottest|warmest|farthest|furthest",
    "de": r"(?:die |den |am )?meisten?|(?:am )?(?:höchste|grösste|größte|schnellste|breiteste|stärkste|wärmste|weiteste)[nrsm]?",
    "nl": r"(?:de |het )?meeste?|(?:het )?(?:hoogste?|grootste?|snelste?|breedste?|diepste?|sterkste?|warmste?|verste?)",
    "fr": r"le plus (?:de |d['’])|(?:le|la|les) plus (?:grande?s?|élevée?s?|haute?s?|forte?s?|importante?s?|rapides?|larges?|profonde?s?)",
}
_LOW: Final[dict[str, str]] = {
    "en": r"(?<!at )(?:the )?(?:least(?! expensive)|fewest)|lowest|smallest|slowest|narrowest|shallowest|coldest|weakest",
    "de": r"(?:die |den |am )?wenigsten?|(?:am )?(?:niedrigste|tiefste|kleinste|geringste|langsamste|schmalste|schwächste|kälteste)[nrsm]?",
    "nl": r"(?:de |het )?minste|(?:het )?(?:laagste?|kleinste?|geringste?|langzaamste?|smalste?|zwakste?|koudste?)",
    "fr": r"le moins (?:de |d['’])|(?:le|la|les) (?:plus (?:petite?s?|basse?s?|bas|faibles?|lente?s?)|moins (?:élevée?s?|haute?s?|rapides?|grande?s?))",
}
_OWN_KIND: Final[tuple[tuple[int, frozenset[str], dict[str, str]], ...]] = (
    (1, frozenset({MONEY}), {
        "en": r"most expensive|dearest|priciest|costliest", "de": r"(?:am )?(?:teuerste|kostspieligste)[nrsm]?", "nl": r"(?:het )?duurste?",
        "fr": r"(?:le|la|les) plus (?:ch(?:er|ère)s?|coûteu(?:x|ses?))",
    }),
    (-1, frozenset({MONEY}), {
        "en": r"cheapest|least expensive", "de": r"(?:am )?(?:billigste|günstigste|preiswerteste|preisgünstigste)[nrsm]?", "nl": r"(?:het )?(?:goedkoopste?|voordeligste?)",
        "fr": r"(?:le|la|les) (?:moins (?:ch(?:er|ère)s?|coûteu(?:x|ses?))|plus (?:avantageu(?:x|ses?)|économiques?))|(?:le|la) meilleure? marché",
    }),
    (1, frozenset({TIME, LENGTH}), {
        "en": r"longest", "de": r"(?:am )?längste[nrsm]?", "nl": r"(?:het )?langste?", "fr": r"(?:le|la|les) plus (?:longue?s?|longtemps)",
    }),
    (-1, frozenset({TIME, LENGTH}), {
        "en": r"shortest", "de": r"(?:am )?kürzeste[nrsm]?", "nl": r"(?:het )?kortste?", "fr": r"(?:le|la|les) (?:plus (?:courte?s?|brefs?|brèves?)|moins (?:longue?s?|longtemps))",
    }),
    (1, frozenset({WEIGHT}), {
        "en": r"heaviest", "de": r"(?:am )?schwerste[nrsm]?", "nl": r"(?:het )?zwaarste?", "fr": r"(?:le|la|les) plus lourde?s?",
    }),
    (-1, frozenset({WEIGHT}), {
        "en": r"lightest", "de": r"(?:am )?leichteste[nrsm]?", "nl": r"(?:het )?lichtste?", "fr": r"(?:le|la|les) plus l(?:é|e)g(?:ers?|ères?)",
    }),
)  # fmt: skip
_CHOOSES: Final[dict[str, str]] = {
    "en": r"\b(?:which|who|whose|what \w+ (?:has|have|is|are|gets?|handles?|costs?|needs?)|where)\b",
    "de": r"\b(?:welche[nrsm]?|wer|wessen|wo)\b",
    "nl": r"\b(?:welke?|wie|waar)\b",
    "fr": r"\b(?:quel(?:le)?s?|qui|lequel|laquelle|où)\b",
}
# Where the words that name the figure end: at a preposition, a verb of having, or a mark.
_END: Final = re.compile(
    r"[,;?!.:]|\s(?:in|at|on|for|with|of|among|and|or|is|are|has|have|does|do|can|per|im|am|an|bei|für|mit|von|der|und|oder|ist|sind|hat|haben|kann|pro|"
    r"bij|voor|met|van|en|of|heeft|hebben|kan|op|dans|pour|avec|du|des|et|ou|est|sont|par|à|au)\s",
    re.IGNORECASE,
)
_BEFORE_FRENCH: Final = re.compile(r"(?!(?:est|sont|soit|a|ont)\s*$)\b([^\W\d_]+(?:\s+(?:de|d['’])\s*[^\W\d_]+)?)\s*$")


@lru_cache(maxsize=512)
def read_extreme(text: str, language: str) -> Extreme | None:
    """What end of which figures the text asks for; None without a superlative."""
    for direction, kinds, patterns in (*_OWN_KIND, (1, frozenset[str](), _HIGH), (-1, frozenset[str](), _LOW)):
        pattern = patterns.get(language)
        match = re.search(rf"\b(?:{pattern})\b", text, re.IGNORECASE) if pattern else None
        if match is None:
            continue
        rest = text[match.end() :]
        end = _END.search(rest)
        named = rest[: end.start()] if end else rest
        if language == "fr" and not re.search(r"(?:de |d['’])$", match.group(), re.IGNORECASE):
            before = _BEFORE_FRENCH.search(text[: match.start()])
            named += f" {before.group(1)}" if before else ""
        chooser = re.search(_CHOOSES[language], text, re.IGNORECASE)
        if not kinds and not named.strip() and chooser is not None and chooser.end() <= match.start():
            # `Which rent is the highest?`: what is chosen is itself the figure.
            between = text[chooser.end() : match.start()]
            named = between[: end.start()] if (end := _END.search(between)) else between
        words = frozenset(re.findall(r"[\w-]+", named))
        return Extreme(direction, kinds, words, match.group().strip(), chooser is not None)
    return None


def is_superlative(word: str, text: str, language: str) -> bool:
    """True for a word of the superlative of this question: it says in what things are compared, and need not stand in the answer."""
    extreme = read_extreme(text, language)
    return extreme is not None and word in re.findall(r"[\w-]+", extreme.written)
