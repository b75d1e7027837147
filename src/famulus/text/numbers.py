"""Numbers as people write them in English, German, Dutch and French: digits with any separators, and number words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

_WORDS_BY_LANGUAGE: Final[dict[str, str]] = {
    "en": "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty",
    "de": "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig",
    "nl": "één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig",
    "fr": "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt",
}
_MORE: Final[dict[str, int]] = {
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90, "hundred": 100,
    "ein": 1, "eine": 1, "einen": 1, "einem": 1, "einer": 1, "zwoelf": 12, "fuenf": 5, "fuenfzehn": 15, "dreissig": 30,
    "dreißig": 30, "vierzig": 40, "fünfzig": 50, "sechzig": 60, "neunzig": 90, "hundert": 100,
    "een": 1, "dertig": 30, "veertig": 40, "vijftig": 50, "zestig": 60, "negentig": 90, "honderd": 100,
    "une": 1, "trente": 30, "quarante": 40, "cinquante": 50, "soixante": 60, "cent": 100,
}  # fmt: skip

# `cent` is a coin in English and Dutch, `elf` and `zes` are unambiguous; a bare article counts as one only before a unit.
ARTICLES: Final = frozenset({"ein", "eine", "einen", "einem", "einer", "een", "un", "une", "one", "eins", "cent"})
WORDS: Final[dict[str, int]] = {
    word: value for words in _WORDS_BY_LANGUAGE.values() for value, word in enumerate(words.split(), 1)
} | _MORE


def _compounds() -> dict[str, int]:
    """`forty-eight`, `achtundvierzig`, `achtenveertig`, `quarante-huit`: tens with ones. French above 69 counts on from sixty."""
    tens = {
        "en": "twenty thirty forty fifty sixty seventy eighty ninety",
        "de": "zwanzig dreissig vierzig fünfzig sechzig siebzig achtzig neunzig",
        "nl": "twintig dertig veertig vijftig zestig zeventig tachtig negentig",
        "fr": "vingt trente quarante cinquante soixante",
    }
    found: dict[str, int] = {}
    for language, words in tens.items():
        ones = _WORDS_BY_LANGUAGE[language].split()[:9]
        if language in ("de", "nl"):
            ones[0] = "ein" if language == "de" else "een"
        for ten, written in enumerate(words.split(), 2):
            found.setdefault(written, 10 * ten)
            for one, word in enumerate(ones, 1):
                link = "ën" if word.endswith("e") else "en"
                joined = {
                    "en": f"{written}-{word}",
                    "de": f"{word}und{written}",
                    "nl": f"{word}{link}{written}",
                    "fr": f"{written}-{word}",
                }
                found[joined[language]] = 10 * ten + one
    return found


WORDS.update({word: value for word, value in _compounds().items() if word not in WORDS})


_SCALES: Final[dict[str, int]] = {
    "million": 10**6, "millions": 10**6, "millionen": 10**6, "miljoen": 10**6, "mio": 10**6,
    "billion": 10**9, "milliarde": 10**9, "milliarden": 10**9, "miljard": 10**9, "milliard": 10**9, "milliards": 10**9,
    "thousand": 1000, "tausend": 1000, "duizend": 1000, "mille": 1000,
}  # fmt: skip

_DIGITS: Final = re.compile(
    r"(?<![\w.,'’-])(?:\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+(?!\d)(?:[.,]\d{1,2}(?!\d))?|\d+(?:[.,]\d+)?)(?=$|[^\w]|[a-zA-Z°%€£$])"
)
_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)?")


@dataclass(frozen=True, slots=True)
class Number:
    """`text[start:end]` of the text it was found in; a scale word (`million`) is inside. `word` when it was written out."""

    start: int
    end: int
    value: Decimal
    word: bool = False


def find_numbers(text: str, language: str | None) -> list[Number]:
    """All numbers in order. `language` decides what `3.480` and `1,234` are; codes such as `GW-1207` hold none."""
    found = [_scaled(text, Number(m.start(), m.end(), _value(m.group(), language))) for m in _DIGITS.finditer(text)]
    for match in _WORD.finditer(text):
        value = WORDS.get(match.group().casefold())
        if value is not None:
            found.append(_scaled(text, Number(match.start(), match.end(), Decimal(value), word=True)))
    return sorted(found, key=lambda number: number.start)


def _value(written: str, language: str | None) -> Decimal:
    plain = re.sub(r"['’\u00a0\u202f ]", "", written)
    separators = re.findall(r"[.,]", plain)
    if not separators:
        return Decimal(plain)
    last = separators[-1]
    if len(set(separators)) == 2:
        other = "," if last == "." else "."
        return Decimal(plain.replace(other, "").replace(last, "."))
    groups = re.split(r"[.,]", plain)
    grouped = all(len(group) == 3 for group in groups[1:]) and 1 <= len(groups[0]) <= 3 and groups[0] != "0"
    thousands = len(separators) > 1 or (grouped and (last == ",") == (language == "en"))
    return Decimal(plain.replace(last, "" if thousands else "."))


def _scaled(text: str, number: Number) -> Number:
    match = _WORD.match(text, number.end + 1) if text[number.end : number.end + 1] in (" ", "\u00a0") else None
    scale = _SCALES.get(match.group().casefold()) if match else None
    if match is None or scale is None:
        return number
    return Number(number.start, match.end(), number.value * scale, number.word)


def show_number(value: Decimal, language: str) -> str:
    """A number for a reader of this language; whole numbers without decimals, others with two at most where that is exact."""
    rounded = value.quantize(Decimal("0.01")) if value != value.to_integral_value() else value.quantize(Decimal(1))
    text = f"{rounded:,}"
    separators = {"en": (",", "."), "de": ("'", "."), "nl": (".", ","), "fr": ("\u202f", ",")}.get(language, (",", "."))
    return text.translate(str.maketrans({",": separators[0], ".": separators[1]}))
