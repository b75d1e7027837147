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


def _compounds() -> dict[str, int]:
    """`twenty-four`, `vierundzwanzig`, `vierentwintig`, `quarante-huit` and their like, 21 to 99."""
    tens = {
        "en": "twenty thirty forty fifty sixty seventy eighty ninety",
        "de": "zwanzig dreissig vierzig fünfzig sechzig siebzig achtzig neunzig",
        "nl": "twintig dertig veertig vijftig zestig zeventig tachtig negentig",
        "fr": "vingt trente quarante cinquante soixante soixante quatre-vingt quatre-vingt",
    }
    units = {language: words.split() for language, words in _WORDS_BY_LANGUAGE.items()}
    units["de"] = ["ein", *units["de"][1:]]
    units["nl"] = ["een", *units["nl"][1:]]
    found: dict[str, int] = {}
    for language, names in tens.items():
        for ten, name in enumerate(names.split(), 2):
            if not (language == "fr" and ten in (7, 9)):
                found[name] = ten * 10
            for unit in range(1, 10):
                value = ten * 10 + unit
                low = units[language][unit - 1]
                if language == "en":
                    found[f"{name}-{low}"] = value
                elif language == "fr":
                    found[f"{name}-{units['fr'][unit + 9] if ten in (7, 9) else low}"] = value
                elif language == "de":
                    found[f"{low}und{name}"] = value
                    found[f"{low}und{name.replace('dreissig', 'dreißig')}"] = value
                else:
                    found[f"{low}{'ën' if low.endswith('e') else 'en'}{name}"] = value
    return found | {"quatre-vingts": 80, "quatre-vingt-dix": 90, "soixante-dix": 70}


WORDS: Final[dict[str, int]] = (
    _compounds()
    | {value_word: value for words in _WORDS_BY_LANGUAGE.values() for value, value_word in enumerate(words.split(), 1)}
    | _MORE
)

_SCALES: Final[dict[str, int]] = {
    "million": 10**6, "millions": 10**6, "millionen": 10**6, "miljoen": 10**6, "mio": 10**6,
    "billion": 10**9, "milliarde": 10**9, "milliarden": 10**9, "miljard": 10**9, "milliard": 10**9, "milliards": 10**9,
    "thousand": 1000, "tausend": 1000, "duizend": 1000, "mille": 1000,
}  # fmt: skip

_DIGITS: Final = re.compile(
    r"(?<![\w.,'’-])(?:\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+(?!\d)(?:[.,]\d{1,2}(?!\d))?|\d+(?:[.,]\d+)?)(?=$|[^\w]|[a-zA-Z°%€£$])"
)
_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


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
        written = match.group().casefold()
        # `quarante-huit` is one number, `one-way` and `three-month` begin with one.
        whole = WORDS.get(written)
        first = written.split("-")[0]
        if whole is not None:
            found.append(_scaled(text, Number(match.start(), match.end(), Decimal(whole), word=True)))
        elif first in WORDS and first != written:
            found.append(Number(match.start(), match.start() + len(first), Decimal(WORDS[first]), word=True))
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
    """A number for a reader of this language (`de` as in Switzerland, `de-DE` as in Germany); whole numbers without decimals, others with two."""
    rounded = value.quantize(Decimal("0.01")) if value != value.to_integral_value() else value.quantize(Decimal(1))
    text = f"{rounded:,}"
    separators = {"en": (",", "."), "de": ("'", "."), "de-DE": (".", ","), "nl": (".", ","), "fr": ("\u202f", ",")}.get(
        language, (",", ".")
    )
    return text.translate(str.maketrans({",": separators[0], ".": separators[1]}))
