"""Quantities in running text: how much of what, and per what. `70 Rappen pro Kilometer` is 0.70 CHF per kilometre."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise
from typing import Final, Literal

from famulus.text.dates import find_dates
from famulus.text.numbers import ARTICLES, Number, find_numbers
from famulus.text.units import EVERY_WORDS, MEASURE_WORDS, MONEY_WORDS, SMALL_MONEY_WORDS, TIME_WORDS

Kind = Literal["money", "percent", "time", "measure", "clock", "count", "ordinal"]

# Units of two words, which the table of units joins by a hard space.
_PAIR: Final = r"square met(?:re|er)s?|vierkante meters?|mètres? carrés?"
_WORD: Final = re.compile(rf"{_PAIR}|[^\W\d_]+²?|[%€£$°]C?", re.IGNORECASE)
_BEFORE: Final = re.compile(r"(?P<unit>[A-Za-z]{2,4}|[€£$])\.?[\s\u00a0]?$")
# `je angefangenem Tag`, `for every further mile`: what stands between the word for a rate and its unit.
_WHICH: Final = (
    r"(?:(?:started|commenced|begun|further|additional|extra|other|full|whole|calendar|single|angefangene[mnrs]?|angebrochene[mnrs]?|begonnene[mnrs]?|weitere[mnrs]?|"
    r"zusätzliche[mnrs]?|volle[mnrs]?|ganze[mnrs]?|einzelne[mnrs]?|begonnen|bijkomende?|volle?|hele|gehele|verdere?|gefahrene[mnrs]?|gereden|laufende[mnrs]?|strekkende|linear|running)\s+)*"
)
_PER: Final = re.compile(
    rf"^[\s,(]*(?:netto |brutto )?(?:\b(?:per|pro|par|je|a|an|each|every|pr|le|la|les|l['’]|im|in der|am|jede[nrsm]?|elke?|iedere?|chaque|in het)\b\s*|/\s?|[lL]['’]){_WHICH}(?P<unit>{_PAIR}|[^\W\d_]+)",
    re.IGNORECASE,
)
_FIRM: Final = re.compile(
    r"^[\s(]*(?:per|pro|par|je|each|every|chaque|jede[nrsm]?|elke?|iedere?|/|im|in der|am|a month|a year|a week|a day)\b",
    re.IGNORECASE,
)
# `am Samstag 95 Euro` is no rate, `62 Euro im Monat` is one.
_IN: Final = re.compile(r"[\s,(]*(?:netto |brutto )?(?:im|am|in der|in het|la|le|les)\b", re.IGNORECASE)
_CLOCK: Final = re.compile(
    r"\b(?P<hour>[01]?\d|2[0-4])(?:[:.](?P<minute>[0-5]\d)|\s?h\s?(?P<minute2>[0-5]\d)?\b)?\s*(?P<mark>uhr|uur|heures?|o['’]clock|am|pm|a\.m\.|p\.m\.)?",
    re.IGNORECASE,
)
# `45p a mile`; `45 p.` are pages, `1080p` a picture.
_PENCE: Final = re.compile(r"p\b(?!\.\d)")
_WORKING: Final = re.compile(r"^\s*(?:working|business|ouvr(?:és|ables|é|able))\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Quantity:
    """`text[start:end]`. `unit` is canonical (`EUR`, `month`, `kilogram`) or, for a count, the word after the number.

    `per` is the canonical unit or the plain lower-case word of a rate, None for a plain amount.
    """

    start: int
    end: int
    value: Decimal
    kind: Kind
    unit: str = ""
    per: str | None = None
    word: bool = False


def unit_name(word: str) -> str | None:
    """The canonical unit of a word, whatever its kind; None for other words."""
    folded = _joined(word)
    return (
        TIME_WORDS.get(folded) or MEASURE_WORDS.get(folded) or MONEY_WORDS.get(folded) or SMALL_MONEY_WORDS.get(folded)
    )


def _joined(word: str) -> str:
    return word.casefold().replace(" ", "\u00a0")


def find_quantities(text: str, language: str | None) -> list[Quantity]:
    """All quantities in order; dates hold none, clock times are of kind `clock`. Bare articles count only before a unit of time or measure."""
    dates = [(mention.start, mention.end) for mention in find_dates(text) if mention.day is not None]
    found = _phrases(text, language)
    taken = dates + [(quantity.start, quantity.end) for quantity in found]
    for number in find_numbers(text, language):
        if any(start <= number.start < end for start, end in taken):
            continue
        quantity = _quantity(text, number)
        if quantity is None:
            continue
        found.append(_with_rate(text, quantity))
    return _sharing_units(text, sorted(found, key=lambda quantity: quantity.start))


# `from 85 to 92 euros`, `zwischen 5 und 8 Prozent`.
_FROM: Final = re.compile(r"\b(?:from|between|von|vom|zwischen|van|tussen|de|entre)\s$", re.IGNORECASE)
_TO: Final = re.compile(
    r"\s?(?:to|and|auf|bis|und|naar|tot|op|en|à|a|et)\s(?:rund |about |circa |[A-Z]{3}\s|[€£$]\s?)?", re.IGNORECASE
)


_AND: Final = re.compile(r"\s(?:and|or|und|oder|en|of|et|ou)\s", re.IGNORECASE)


def _sharing_units(text: str, found: list[Quantity]) -> list[Quantity]:
    """The first of two with the unit that only the second has."""
    shared = list(found)
    for at, (first, second) in enumerate(pairwise(found)):
        between = text[first.end : second.start]
        if first.kind != "count" or second.kind not in ("money", "percent", "measure", "time"):
            continue
        bounds = _FROM.search(text[: first.start]) and _TO.fullmatch(between)
        # `10 and 24 days after the due date`.
        if bounds or (second.kind == "time" and _AND.fullmatch(between)):
            shared[at] = replace(first, kind=second.kind, unit=second.unit, per=second.per)
    return shared


# Amounts that are said without a number: value, kind and unit.
_SAID: Final[tuple[tuple[str, int, Kind, str], ...]] = (
    (r"(?:a |one )?fortnight", 14, "time", "day"),
    (r"half a year|ein(?:em|es)? halbe[ns]? jahr(?:es)?|halbjahr|(?:een )?half jaar|un semestre|(?:une )?demi-année", 6, "time", "month"),
    (r"(?:a|one) year and a half|anderthalb jahren?|eineinhalb jahren?|anderhalf jaar|un an et demi", 18, "time", "month"),
    (r"half a dozen|ein halbes dutzend|(?:een )?half dozijn|une demi-douzaine(?: de| d['’])?", 6, "count", ""),
    (r"(?:a |one )?dozen|(?:ein(?:em)? )?dutzend|(?:een )?dozijn|(?:une )?douzaine(?: de| d['’])?", 12, "count", ""),
)  # fmt: skip
_PHRASES: Final = tuple(re.compile(rf"\b(?:{said})\b", re.IGNORECASE) for said, *_ in _SAID)
_NOUN_AFTER: Final = re.compile(r"\s*(?P<noun>[^\W\d_]{3,})")


def _phrases(text: str, language: str | None) -> list[Quantity]:
    found: list[Quantity] = []
    for pattern, (_, value, kind, unit) in zip(_PHRASES, _SAID, strict=True):
        for match in pattern.finditer(text):
            if language == "nl" and match.group().casefold() == "dozen":
                # Boxes.
                continue
            if any(match.start() < quantity.end and quantity.start < match.end() for quantity in found):
                continue
            noun = _NOUN_AFTER.match(text, match.end()) if kind == "count" else None
            name = noun["noun"].casefold() if noun else unit
            found.append(Quantity(match.start(), match.end(), Decimal(value), kind, name, None, True))
    return found


def _quantity(text: str, number: Number) -> Quantity | None:
    clock = _CLOCK.match(text, number.start)
    if clock is not None and not number.word and (clock["mark"] or clock["minute2"] or ":" in clock.group()):
        hour = Decimal(int(clock["hour"]))
        return Quantity(number.start, clock.end(), hour, "clock", "clock")
    if not number.word and number.value < 100 and (pence := _PENCE.match(text, number.end)):
        return Quantity(number.start, pence.end(), number.value / 100, "money", "GBP")
    word = _unit_after(text, number.end)
    small = word is not None and SMALL_MONEY_WORDS.get(word.group().casefold())
    before = _BEFORE.search(text[max(0, number.start - 6) : number.start])
    money = MONEY_WORDS.get(before["unit"].casefold()) if before else None
    if money and not number.word:
        return Quantity(number.start, number.end, number.value, "money", money)
    if word is None:
        if number.word and text[number.start : number.end].casefold() in ARTICLES:
            return None
        kind: Kind = "ordinal" if text[number.end : number.end + 1] == "." and not number.word else "count"
        return Quantity(number.start, number.end, number.value, kind, "", None, number.word)
    name = _joined(word.group())
    if name == "per" and text[word.end() : word.end() + 5].lower() == " cent":
        return Quantity(number.start, word.end() + 5, number.value, "percent", "percent")
    if name == "pour" and text[word.end() : word.end() + 5].lower() == " cent":
        return Quantity(number.start, word.end() + 5, number.value, "percent", "percent")
    if name in MONEY_WORDS and not number.word:
        return Quantity(number.start, word.end(), number.value, "money", MONEY_WORDS[name])
    if small and not (name in ("cent", "cents") and number.word and number.value == 100):
        return Quantity(number.start, word.end(), number.value / 100, "money", small)
    if name in MONEY_WORDS:
        return Quantity(number.start, word.end(), number.value, "money", MONEY_WORDS[name], None, True)
    if (unit := TIME_WORDS.get(name) or (_compound_unit(name) if name not in MEASURE_WORDS else None)) is not None:
        if unit == "day" and _WORKING.match(text[word.end() : word.end() + 14]):
            unit = "workday"
        return Quantity(number.start, word.end(), number.value, "time", unit, None, number.word)
    between = _BETWEEN.match(text, word.start())
    if between is not None and (unit := TIME_WORDS.get(between["unit"].casefold())) is not None:
        return Quantity(number.start, between.end(), number.value, "time", unit, None, number.word)
    following = _WORD.match(text, word.end() + 1) if name in ("working", "business") else None
    unit = TIME_WORDS.get(following.group().casefold()) if following is not None else None
    if following is not None and unit in ("day", "hour"):
        unit = "workday" if unit == "day" else unit
        return Quantity(number.start, following.end(), number.value, "time", unit, None, number.word)
    if name in MEASURE_WORDS:
        unit = MEASURE_WORDS[name]
        return Quantity(
            number.start,
            word.end(),
            number.value,
            "percent" if unit == "percent" else "measure",
            unit,
            None,
            number.word,
        )
    if number.word and text[number.start : number.end].casefold() in ARTICLES:
        return None
    return Quantity(number.start, number.end, number.value, "count", name, None, number.word)


# `three full months`, `zwei weitere Stunden`.
_BETWEEN: Final = re.compile(
    r"(?:full|whole|complete|calendar|consecutive|further|additional|extra|more|volle[nr]?|ganze[nr]?|weitere[nr]?|zusätzliche[nr]?|volle|hele|extra|opeenvolgende|verdere)\s+(?P<unit>[^\W\d_]+)",
    re.IGNORECASE,
)
# `Ferientage`, `werkdagen`, `Monatsmieten` no: only a compound that ends in a unit of time is one.
_UNIT_ENDINGS: Final = {
    "tage": "day", "tagen": "day", "dagen": "day", "wochen": "week", "weken": "week", "monate": "month", "monaten": "month",
    "maanden": "month", "stunden": "hour", "jahre": "year", "jahren": "year",
}  # fmt: skip


def _compound_unit(word: str) -> str | None:
    if word.endswith(("arbeitstage", "arbeitstagen", "werktage", "werktagen", "werkdagen")):
        return "workday"
    return next(
        (unit for ending, unit in _UNIT_ENDINGS.items() if word.endswith(ending) and len(word) >= len(ending) + 3), None
    )


def _unit_after(text: str, at: int) -> re.Match[str] | None:
    while at < len(text) and text[at] in " \u00a0\u202f-\n":
        at += 1
    return _WORD.match(text, at)


def _with_rate(text: str, quantity: Quantity) -> Quantity:
    if quantity.kind in ("clock", "ordinal"):
        return quantity
    end = quantity.end
    for stop in (end, *_word_ends(text, end, 3)):
        match = _PER.match(text[stop : stop + 60])
        if match and (stop == end or _FIRM.match(text[stop : stop + 60])):
            if _IN.match(match.group()) and unit_name(match["unit"]) is None:
                continue
            if quantity.kind == "time" and not _FIRM.match(text[stop : stop + 60]):
                continue
            return replace(quantity, per=_per_name(match["unit"]))
    following = _WORD.match(text, end + 1) if end < len(text) else None
    if following and (period := EVERY_WORDS.get(following.group().casefold())):
        return replace(quantity, per=period)
    if quantity.kind == "money" and (period := _period_before(text, quantity.start)):
        return replace(quantity, per=period)
    return quantity


def _word_ends(text: str, at: int, most: int) -> list[int]:
    """Where the next words end, inside the same clause."""
    clause = re.split(r"[,;.:()\d]|\s(?:and|und|et)\s", text[at : at + 60])[0]
    return [at + match.end() for match in list(_WORD.finditer(clause))[:most]]


def _per_name(word: str) -> str:
    return unit_name(word) or word.casefold()


def _period_before(text: str, at: int) -> str | None:
    """How often, said by an adjective earlier in the same clause: `The annual rent is GBP 57,600`."""
    clause = re.split(r"[.;:!?]\s", text[max(0, at - 90) : at])[-1]
    words = [EVERY_WORDS.get(match.group().casefold()) for match in _WORD.finditer(clause)]
    return next((period for period in reversed(words) if period), None)
