"""A question as the indexes take it: weighted terms, each with all the forms under which a text may hold it.

Nothing in the text of a question is syntax: quotes, operators and field names are characters like any other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from famulus.text.fold import nfc
from famulus.text.language import guess_language
from famulus.text.stem import stems
from famulus.text.stopwords import ALL_GRAMMAR, ASKING, GRAMMAR
from famulus.text.words import Word, all_words

# The doors refuse a longer search; a longer question to the agent is cut for its search: the rest could only add noise, and
# each term costs a look-up.
MAX_QUERY_CHARACTERS = 4_000
MAX_TERMS = 64
ASKING_WEIGHT = 0.2
PART_WEIGHT = 0.5


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """One thing to look for. `forms` are index keys that count as it; `weight` in (0, 1]; `exact` for identifiers."""

    key: str
    forms: tuple[str, ...]
    weight: float = 1.0
    kind: Literal["word", "identifier", "characters"] = "word"


@dataclass(frozen=True, slots=True)
class AnalysedQuery:
    """`terms` in the order of the text, without repeats; empty when the text holds no letter and no digit."""

    text: str
    language: str | None
    terms: tuple[QueryTerm, ...]

    @property
    def identifiers(self) -> tuple[QueryTerm, ...]:
        return tuple(term for term in self.terms if term.kind == "identifier")


def analyse_query(text: str) -> AnalysedQuery:
    """The question's terms. Grammar words are left out unless nothing else is there."""
    text = nfc(text[:MAX_QUERY_CHARACTERS])
    language = guess_language(text)
    found = list(all_words(text))
    grammar = GRAMMAR.get(language, ALL_GRAMMAR) if language else ALL_GRAMMAR
    content = [word for word in found if not _is_grammar(word, text, grammar)]
    content = _without_single_characters(content)
    covered = [word for word in content if word.kind == "identifier"]
    terms: dict[str, QueryTerm] = {}
    for word in content or found:
        term = _term(word, covered)
        if term.key not in terms or terms[term.key].weight < term.weight:
            terms[term.key] = term
    return AnalysedQuery(text, language, tuple(terms.values())[:MAX_TERMS])


def _without_single_characters(found: list[Word]) -> list[Word]:
    """In unspaced scripts pairs say enough; single characters are looked for only where one stands alone."""
    pairs = {
        place for word in found if word.kind == "characters" and len(word.key) > 1 for place in (word.start, word.end)
    }
    return [
        word for word in found if word.kind != "characters" or len(word.key) > 1 or not {word.start, word.end} & pairs
    ]


def _is_grammar(word: Word, text: str, grammar: frozenset[str]) -> bool:
    """True for a grammar word, except one written in capitals (`IT`, `WHO`) inside a text that is not all capitals."""
    written = text[word.start : word.end]
    shouted = len(written) > 1 and written.isupper() and not text.isupper()
    return word.kind == "word" and word.key in grammar and not shouted


def _term(word: Word, identifiers: list[Word]) -> QueryTerm:
    if word.kind == "identifier":
        return QueryTerm(word.key, (word.key,), 1.0, "identifier")
    if word.kind == "characters":
        return QueryTerm(word.key, (word.key,), 1.0, "characters")
    weight = ASKING_WEIGHT if word.key in ASKING else 1.0
    if any(whole.start <= word.start and word.end <= whole.end for whole in identifiers):
        weight = min(weight, PART_WEIGHT)
    return QueryTerm(word.key, stems(word.key), weight)
