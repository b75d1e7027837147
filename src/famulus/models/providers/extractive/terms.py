"""Words of a question against words of a text: the same stem, the same notion, or a part of a compound, each with its credit."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import Final, Literal

from famulus.models.providers.extractive.forms import forms_of
from famulus.models.providers.extractive.reading import LIGHT, PHRASAL, QUALIFIERS
from famulus.models.providers.extractive.separable import joined, whole_verbs
from famulus.models.providers.extractive.vocabulary import expressions, is_place, notions, part_notions, places
from famulus.text.dates import MONTHS, find_dates
from famulus.text.fold import key
from famulus.text.numbers import WORDS as NUMBER_WORDS
from famulus.text.numbers import find_numbers
from famulus.text.quantities import unit_name
from famulus.text.stopwords import ALL_GRAMMAR, GRAMMAR
from famulus.text.words import identifiers, words

TermKind = Literal["word", "light", "name", "number", "code"]
WEIGHTS: Final[dict[TermKind, float]] = {"word": 1.0, "light": 0.3, "name": 1.4, "number": 1.1, "code": 2.2}
# What a match is worth. Tuned on one half of the shipped question set, checked on the other.
SAME, NOTION, INSIDE, HEAD, FIRST_PART, PART_NOTION, LIKE = 1.0, 0.9, 0.85, 0.65, 0.5, 0.7, 0.75

_MONEY_CODE: Final = re.compile(r"(?:CHF|EUR|GBP|USD|Fr)\b", re.IGNORECASE)
# `April 2030`, `Mitte 2030` name a time, no thing.
_YEAR_OF: Final = re.compile(r"[^\W\d_]+ (?:19|20)\d\d")
_AMOUNT: Final = re.compile(
    r"\b(?:CHF|EUR|GBP|USD)\s?[\d.,'’]+|\b\d{1,3}(?:[.,'’ ]\d{3})+\b|[\d.,]+\s?(?:CHF|EUR|GBP|USD|euros?|francs|Franken|pounds|€)\b",
    re.IGNORECASE,
)
# `Line B`, `Raum C`: a letter that tells one thing from its like.
_LETTER: Final = re.compile(r"[^\W\d_]{3,} [B-HJ-Z]$")
_SENTENCE_START: Final = re.compile(r"(?:^|[.!?:]\s+|[\"“„(]\s*)$")


@dataclass(frozen=True, slots=True)
class Term:
    """One thing that a question names. `written` as in the question; `key` the comparison key (codes begin with `=`).

    `joint` are the notions of the expressions that it is a word of (`open` and `day` of `open day`).
    """

    key: str
    written: str
    kind: TermKind
    weight: float
    language: str | None = None
    noun: bool = False
    joint: frozenset[int] = frozenset()


def question_terms(text: str, language: str | None) -> list[Term]:
    """The content words, numbers and codes of a question in order, without repeats."""
    found: dict[str, Term] = {}
    for pattern, word in PHRASAL:
        text = pattern.sub(word, text)
    text = joined(text, language)
    codes = [code for code in identifiers(text) if not _is_no_code(text, code.start, code.end)]
    # `Folio 6.1.2` is named by `6.1.2`.
    alone = {code.key for code in codes}
    codes = [
        code
        for code in codes
        if (version := _VERSIONED.fullmatch(code.key)) is None or f"={version['version']}" not in alone
    ]
    amounts = [(match.start(), match.end()) for match in _AMOUNT.finditer(text)]
    for code in codes:
        found[code.key] = Term(code.key, text[code.start : code.end], "code", WEIGHTS["code"])
    grammar = GRAMMAR.get(language or "", ALL_GRAMMAR)
    for number in find_numbers(text, language):
        if (
            not number.word
            and number.value != number.value.to_integral_value()
            and not any(a <= number.start < b for a, b in amounts)
            and not any(code.start <= number.start < code.end for code in codes)
        ):
            found.setdefault(
                f"#{number.value}",
                Term(f"#{number.value}", text[number.start : number.end], "number", WEIGHTS["number"], language),
            )
            amounts.append((number.start, number.end))
    plain = list(words(text))
    lettered = dict(_lettered(text))
    joint = _joint([word.key for word in plain], language)
    for at, word in enumerate(plain):
        written = text[word.start : word.end]
        shouted = len(written) > 1 and written.isupper() and not text.isupper()
        if (word.key in grammar and word.key not in _CONTENT_PARTICLES and not shouted) or (
            len(word.key) == 1 and not word.key.isdigit() and not _LETTER.search(text[: word.end])
        ):
            continue
        if any(code.start <= word.start and word.end <= code.end for code in codes):
            continue
        if any(start <= word.start and word.end <= end for start, end in amounts):
            continue
        kind = _kind(text, word.start, written, word.key, language)
        name = lettered.get(word.start, word.key)
        found.setdefault(
            name, Term(name, written, kind, WEIGHTS[kind], language, _is_noun(text, word.start, written, language))
        )
        if at in joint:
            found[name] = replace(found[name], joint=found[name].joint | joint[at])
    return list(found.values())


# `e-bike`, `U-Bahn`, `T-shirt`: one word, and no bike.
_LETTERED: Final = re.compile(r"(?<![\w-])(?P<letter>[^\W\d_])[-‑](?P<word>[^\W\d_]{3,})")


def _lettered(text: str) -> list[tuple[int, str]]:
    """Where the words begin that have a letter before them, and the keys of both together."""
    return [(match.start("word"), key(match["letter"] + match["word"])) for match in _LETTERED.finditer(text)]


_VERSIONED: Final = re.compile(r"=[^\W\d_]{2,} (?P<version>v?\d+(?:\.\d+)+)")


def _is_no_code(text: str, start: int, end: int) -> bool:
    """True for an amount, a time (`April 2030`), and a noun before an amount with its unit (`ein Kind 40 Minuten zu spät`)."""
    written = text[start:end]
    if _MONEY_CODE.match(written) or _YEAR_OF.fullmatch(written):
        return True
    following = _UNIT_AFTER.match(text, end)
    return following is not None and _NOUN_NUMBER.fullmatch(written) is not None and unit_name(following[1]) is not None


_NOUN_NUMBER: Final = re.compile(r"[^\W\d_]{2,} \d+")
_UNIT_AFTER: Final = re.compile(r"\s([^\W\d_]{3,})")


def _joint(keys: list[str], language: str | None) -> dict[int, frozenset[int]]:
    """The notions of the expressions by the places of their words."""
    found: dict[int, frozenset[int]] = {}
    for start, end, number in expressions(keys, language):
        for at in range(start, end):
            found[at] = found.get(at, frozenset[int]()) | {number}
    return found


def _kind(text: str, start: int, written: str, word_key: str, language: str | None) -> TermKind:
    if written[0].isdigit() or (len(written) == 1 and written.isupper()):
        return "number"
    if word_key in LIGHT or word_key in QUALIFIERS:
        return "light"
    first = _SENTENCE_START.search(text[:start]) is not None
    if language != "de" and written[0].isupper() and not first:
        return "name"
    if written.isupper() and len(written) > 1:
        return "name"
    # In German every noun has a capital; a place is a name, and so is what is no common word and follows a preposition of place.
    if language == "de" and written[0].isupper() and not first:
        known = notions(word_key, language)
        if known & places(word_key, language) if known else _after_place(text[:start]):
            return "name"
    return "word"


_BEFORE_NOUN: Final = re.compile(
    r"\b(?:the|a|an|my|our|your|his|her|their|its|this|that|these|those|any|no|some|each|every|of|in|for|with|on|per|at|from|by|about|which|what|many|much|"
    r"de|het|een|mijn|ons|onze|uw|dit|deze|die|geen|elke?|ieder|van|voor|met|op|bij|per|aan|uit|welke?|hoeveel|"
    r"le|la|les|un|une|du|des|au|aux|mon|ma|mes|notre|nos|votre|vos|son|sa|ses|ce|cette|ces|chaque|en|pour|avec|dans|sur|quel|quelle|quels|quelles|par|sous)\s+(?:[^\W\d_]+\s+)?$|\b[ld]['’]$",
    re.IGNORECASE,
)


def _is_noun(text: str, start: int, written: str, language: str | None) -> bool:
    """A rough guess: in German a capital, elsewhere a word within two after an article, a possessive or a preposition."""
    if language == "de":
        return written[0].isupper() and key(written) not in QUALIFIERS
    if language == "en" and written.endswith("ing"):
        return False
    return _BEFORE_NOUN.search(text[max(0, start - 40) : start]) is not None and key(written) not in QUALIFIERS


# Languages that hardly ever write compounds in one word.
_NO_COMPOUNDS: Final = frozenset({"en", "fr"})
# Grammar to a search engine, but what `how long was it down` is about.
_CONTENT_PARTICLES: Final = frozenset({"down"})
_PLACE: Final = re.compile(r"\b(?:in|nach|bei|aus|an der|am)\s+$", re.IGNORECASE)


def _after_place(before: str) -> bool:
    return _PLACE.search(before) is not None


class Bag:
    """The words of a piece of text, ready to be asked for terms."""

    __slots__ = (
        "_codes",
        "_credits",
        "_dated",
        "_keys",
        "_language",
        "_notions",
        "_part_notions",
        "_stems",
        "_text",
        "_units",
        "_values",
    )

    def __init__(self, text: str, language: str | None = None) -> None:
        in_order = [word.key for word in words(text)]
        keys = set(in_order) | whole_verbs(text, language) | {name for _, name in _lettered(text)}
        self._text = text
        self._dated: frozenset[int] | None = None
        self._credits: dict[tuple[str, str, frozenset[int]], float] = {}
        self._keys = keys
        self._language = language
        self._values = {number.value for number in find_numbers(text, language)}
        self._codes = {code.key for code in identifiers(text)}
        self._units = {name for word in keys if (name := unit_name(word)) is not None}
        self._stems = {form for word in keys for form in forms_of(word, language)}
        self._notions = frozenset(number for _, _, number in expressions(in_order, language)).union(
            # `Vier Boote` celebrate nothing.
            *(notions(word, language) for word in keys if word not in NUMBER_WORDS)
        )
        self._part_notions = frozenset[int]().union(
            *(part_notions(word, language) for word in keys if len(word) >= 8 and language not in _NO_COMPOUNDS)
        )

    def __len__(self) -> int:
        """How many different words it has that are not grammar."""
        return len(self._keys - ALL_GRAMMAR)

    def about(self, numbers: frozenset[int]) -> bool:
        """True when a word, or a part of a compound, stands for one of these notions."""
        return bool(numbers & (self._notions | self._part_notions))

    def _months(self) -> frozenset[int]:
        """The months of its dates, however written (`2026-02-06` is in February)."""
        if self._dated is None:
            self._dated = frozenset(mention.month for mention in find_dates(self._text)) | _spanned(self._text)
        return self._dated

    def _has_version(self, code: str) -> bool:
        """True where the number of a version stands alone (`## 6.1 (9 March 2026)` in the notes of Folio)."""
        match = _VERSIONED.fullmatch(code)
        return (
            match is not None
            and re.search(rf"(?<![\w.,]){re.escape(match['version'])}(?![.,]?\d)", self._text) is not None
        )

    def credit(self, term: Term) -> float:
        """0 to 1: how well the text holds the term."""
        place = (term.kind, term.key, term.joint)
        if place not in self._credits:
            self._credits[place] = self._credit(term)
        return self._credits[place]

    def _credit(self, term: Term) -> float:
        if term.kind == "code":
            return SAME if term.key in self._codes or self._has_version(term.key) else 0.0
        if (month := MONTHS.get(term.written.casefold())) is not None and month in self._months():
            return SAME
        if term.key.startswith("#"):
            return SAME if Decimal(term.key[1:]) in self._values else 0.0
        if term.kind == "number" or term.key in NUMBER_WORDS:
            return SAME if term.key in self._keys or _other_writing(term.key) & self._keys else 0.0
        if named := frozenset(number for number in term.joint if is_place(number)):
            # One word of `United States` says nothing of them.
            return SAME if named & self._notions else 0.0
        if forms_of(term.key, term.language) & self._stems:
            return SAME
        if (unit := unit_name(term.written)) is not None and unit in self._units:
            return SAME
        best = 0.0
        own = notions(term.key, term.language)
        shared = (own | term.joint) & self._notions
        if any(is_place(number) for number in shared):
            # A place under its other name is the same place.
            return SAME
        if shared:
            best = NOTION
        elif own & self._part_notions:
            best = PART_NOTION
        elif (
            not own
            and len(term.key) >= 8
            and term.language not in _NO_COMPOUNDS
            and part_notions(term.key, term.language) & self._notions
        ):
            best = HEAD * 0.95
        if best >= INSIDE or len(term.key) < 4:
            return best
        return max(
            best,
            max(
                (
                    _part_credit(term.key, word, term.language in _NO_COMPOUNDS and self._language in _NO_COMPOUNDS)
                    for word in self._keys
                ),
                default=0.0,
            ),
        )


# `from November to February`, `vom 1. Oktober bis 31. März`, `d'avril à septembre`.
_MONTH: Final = "|".join(sorted(MONTHS, key=len, reverse=True))
_MONTHS_TO: Final = re.compile(
    rf"\b(?P<first>{_MONTH})\b\.?(?:\s\d{{4}})?\s?(?:to|until|till|through|bis(?: zum| einschliesslich| einschließlich)?|tot(?: en met)?|t/m|à|au|jusqu['’]en|[-–])\s?(?:the |le )?(?:\d{{1,2}}(?:st|nd|rd|th|er|\.)?\s)?(?P<last>{_MONTH})\b",
    re.IGNORECASE,
)


def _spanned(text: str) -> frozenset[int]:
    """The months of the spans of months in a text, those between included."""
    found: set[int] = set()
    for match in _MONTHS_TO.finditer(text):
        first, last = MONTHS[match["first"].casefold()], MONTHS[match["last"].casefold()]
        found |= {(first - 1 + step) % 12 + 1 for step in range((last - first) % 12 + 1)}
    return frozenset(found)


@lru_cache(maxsize=4_096)
def _other_writing(number: str) -> frozenset[str]:
    if number in NUMBER_WORDS:
        value = NUMBER_WORDS[number]
        return frozenset({str(value), *(key(word) for word, other in NUMBER_WORDS.items() if other == value)})
    if number.isdigit() and int(number) < 100:
        return frozenset(key(word) for word, value in NUMBER_WORDS.items() if value == int(number))
    return frozenset()


@lru_cache(maxsize=262_144)
def _part_credit(asked: str, word: str, no_compounds: bool) -> float:
    """Credit of one word of the text for one of the question by a shared part of at least four letters (six in English and French)."""
    if not asked.isalpha() or not word.isalpha() or min(len(asked), len(word)) < 4:
        return 0.0
    best = 0.0
    for a in forms_of(asked, None):
        for b in forms_of(word, None):
            if no_compounds and min(len(a), len(b)) < 6:
                pass
            elif len(a) >= 4 and len(b) >= len(a) + 3:
                best = max(best, INSIDE if b.endswith(a) else INSIDE - 0.1 if b.startswith(a) and len(a) >= 5 else 0.0)
            elif len(b) >= 4 and len(a) >= len(b) + 3:
                best = max(best, HEAD if a.endswith(b) else FIRST_PART if a.startswith(b) and len(b) >= 5 else 0.0)
            shared = _shared_start(a, b)
            if shared >= 5 and shared >= 0.7 * max(len(a), len(b)):
                best = max(best, LIKE)
    return best


def _shared_start(a: str, b: str) -> int:
    length = 0
    for left, right in zip(a, b, strict=False):
        if left != right:
            break
        length += 1
    return length


def coverage(terms: Iterable[Term], credits: dict[str, float], weights: dict[str, float]) -> float:
    """Share of the weight of the terms that is covered."""
    total = sum(weights[term.key] for term in terms)
    return sum(weights[term.key] * credits.get(term.key, 0.0) for term in terms) / total if total else 0.0
