"""What calculations are made of: the figures of a sentence or row with what they are per, and one calculation as the tool and a reader see it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final, Literal

from famulus.models.providers.extractive.cells import cell_at, quantities_of
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.phrases import Phrase
from famulus.models.providers.extractive.plan import Plan
from famulus.models.providers.extractive.pool import unique
from famulus.models.providers.extractive.terms import Bag, Term
from famulus.text.dates import find_dates
from famulus.text.numbers import find_numbers, show_number
from famulus.text.quantities import Quantity, unit_name
from famulus.text.stopwords import ALL_GRAMMAR
from famulus.text.units import EVERY_WORDS, MONEY_WORDS

# What the tool's number stands for: an amount, a day (as its ordinal number), or a month (year times twelve plus month).
Shape = Literal["number", "day", "month"]


@dataclass(frozen=True, slots=True)
class Calculation:
    """`expression` goes to the tool; `shown` is the same for people. `unit` is set after the result; `sources` are what lends the figures.

    A result of the shape `month` stands for `day` of that month. `bound` is a least or highest amount that the result may not pass.
    """

    expression: str
    shown: str
    phrase: Phrase
    unit: str
    sources: tuple[Scored, ...]
    values: tuple[tuple[str, str], ...] = ()
    style: str = "en"
    shape: Shape = "number"
    day: int = 1

    @property
    def numbers(self) -> tuple[int, ...]:
        """The citation numbers of the sources."""
        return tuple(dict.fromkeys(source.seen.n for source in self.sources))


@dataclass(frozen=True, slots=True)
class Figure:
    """A quantity where it stands. `pers` are the units it is per, canonical or as written; `column` is its header in a row."""

    quantity: Quantity
    pick: Scored
    pers: tuple[str, ...] = ()
    column: str = ""

    @property
    def value(self) -> Decimal:
        return self.quantity.value

    @property
    def like(self) -> tuple[str, str]:
        """Figures of one kind and unit can be added and compared."""
        return self.quantity.kind, "" if self.quantity.kind == "count" else self.quantity.unit


def fraction(value: Decimal) -> str:
    """The number as the calculator reads it."""
    return f"{value.normalize():f}"


def style_of(plan: Plan, sources: Sequence[Scored], unit: str = "") -> str:
    """How numbers are written in the answer: in German as in Switzerland where money or source are Swiss, else as in Germany."""
    if plan.language != "de":
        return plan.language
    swiss = unit == "CHF" or any(
        re.search(r"\d['’]\d{3}|\b(?:CHF|Franken|Rappen)\b", source.unit.text) for source in sources
    )
    return "de" if swiss or not unit else "de-DE"


def shown_unit(quantity: Quantity) -> str:
    """What is set after the result: a currency, a measure as it is written in short."""
    return (
        quantity.unit
        if quantity.kind == "money"
        else _SHORT.get(quantity.unit, "")
        if quantity.kind == "measure"
        else ""
    )


_SHORT: Final = {
    "kilogram": "kg", "tonne": "t", "metre": "m", "centimetre": "cm", "millimetre": "mm", "kilometre": "km", "mile": "mi", "litre": "l",
    "kilowatt": "kW", "square metre": "m²", "degree": "°",
}  # fmt: skip


def product(
    plan: Plan, values: Sequence[Decimal], unit: str, sources: Sequence[Scored], phrase: Phrase = "rate"
) -> Calculation:
    style = style_of(plan, sources, unit)
    shown = " × ".join(show_number(value, style) for value in values)
    return Calculation(" * ".join(map(fraction, values)), shown, phrase, unit, tuple(sources), style=style)


def difference(plan: Plan, a: Figure, b: Figure) -> Calculation:
    high, low = (a, b) if a.value >= b.value else (b, a)
    unit = shown_unit(high.quantity)
    style = style_of(plan, [a.pick, b.pick], unit)
    shown = f"{show_number(high.value, style)} - {show_number(low.value, style)}"
    return Calculation(
        f"{fraction(high.value)} - {fraction(low.value)}",
        shown,
        "difference",
        unit,
        unique([a.pick, b.pick]),
        style=style,
    )


# --- figures of a sentence or row

_ADJECTIVES: Final = (
    r"(?:(?:started|commenced|begun|further|additional|extra|other|full|whole|calendar|single|gefahrene[mnrs]?|gereden|volgende?|angefangene[mnrs]?|angebrochene[mnrs]?|begonnene[mnrs]?|weitere[mnrs]?|"
    r"zusätzliche[mnrs]?|volle[mnrs]?|ganze[mnrs]?|einzelne[mnrs]?|begonnen|bijkomende?|hele|gehele|verdere?)\s+)*"
)
_RATE: Final = r"(?:per|pro|par|je|each|every|for each|for every|jede[nrsm]?|elke?|iedere?|chaque|/)"
_CHAIN: Final = re.compile(
    rf"\s*(?:(?:and|und|en|et)\s+)?(?:\b{_RATE}\b\s*|/\s?){_ADJECTIVES}(?P<unit>[^\W\d_]+)|\s*(?:and|und|en|et)\s+(?P<time>[^\W\d_]+)",
    re.IGNORECASE,
)
_LEADING: Final = re.compile(
    rf"(?:^|[\s(])(?:every|each|any|jede[nrsm]?|elke?|iedere?|chaque|per|pro|par|je|an?|one|ein(?:e[nr]?)?|een|une?)\s+{_ADJECTIVES}(?P<unit>[^\W\d_]{{2,}})\b",
    re.IGNORECASE,
)
# `La nuit en dortoir coûte 24 €`, `The hour costs`: the price of one.
_SUBJECT: Final = re.compile(
    r"\s*(?:the|die|der|das|de|het|la|le|l['’])\s*(?P<unit>hour|day|night|week|month|stunde|nacht|woche|tag|monat|uur|dag|nacht|week|maand|heure|nuit|semaine|journée|jour|mois)\b(?!\w)",
    re.IGNORECASE,
)
_SPAN_BEFORE: Final = re.compile(
    r"(?:^|[\s:])(?:(?P<half>half|halber|halve|demi)|full|whole|ganzer|hele|entière?)[\s-]+(?P<unit>day|tag|dag|journée|week|woche|semaine):?\s+(?:[A-Z]{3}\s?|[€£$]\s?)?$",
    re.IGNORECASE,
)
_COMPOUND: Final = re.compile(
    r"\b[^\W\d_]{3,}(?P<unit>stunde|nacht|woche|uur)\b|\b(?:arbeits|werk|miet|huur|verpleeg|pflege)(?P<day>tag|dag)\b",
    re.IGNORECASE,
)
_STRONG: Final = re.compile(r"\s*[(]?(?:every|each|jede[nrsm]?|elke?|iedere?|chaque|per|pro|je)\s", re.IGNORECASE)


MOST_DAYS: Final = 31


def figures_of(pick: Scored) -> list[Figure]:
    """All figures of the unit; a plain amount after a rate in the same sentence (`84 euros an hour, at weekends 126 euros`) shares its unit."""
    found: list[Figure] = []
    for quantity in quantities_of(pick.unit):
        if quantity.kind == "ordinal" and quantity.value > MOST_DAYS:
            # A number before a full stop is an ordinal only where it may be a day.
            quantity = replace(quantity, kind="count")
        if quantity.kind in ("clock", "ordinal") or _is_pronoun(pick.unit.text, quantity):
            continue
        cell = cell_at(pick.unit, quantity.start) if pick.unit.cells else None
        before = next((other.quantity.end for other in reversed(found) if other.quantity.kind == "money"), 0)
        pers = _pers(pick.unit.text, quantity, before) if cell is None else _cell_pers(pick, quantity, cell[0])
        if quantity.kind == "money" and not pers and cell is None:
            rated = next((f for f in reversed(found) if f.like == ("money", quantity.unit) and f.pers), None)
            if rated is not None and _goes_on(pick.unit.text, rated.quantity, quantity):
                pers = rated.pers
        pers = tuple(per for per in pers if per not in _NO_UNITS)
        found.append(Figure(quantity, pick, pers, cell[0] if cell else ""))
    return found


def _is_pronoun(text: str, quantity: Quantity) -> bool:
    """True for `one` in `the small one £380`."""
    return quantity.word and quantity.kind == "money" and text[quantity.end : quantity.end + 1].isdigit()


def _pers(text: str, quantity: Quantity, after_figure: int) -> tuple[str, ...]:
    found = [quantity.per] if quantity.per else []
    after = re.split(r"[;:]|\.\s", text[quantity.end : quantity.end + 70])[0]
    first = next((match for match in _WORD.finditer(after) if _unit(match.group()) == quantity.per), None)
    at = first.end() if first else len(after)
    # `per person per night`, `pro Person und Nacht`: what follows at once is a second unit of the same rate.
    while match := _CHAIN.match(after, at):
        at = match.end()
        name = match["unit"] or match["time"]
        if match["unit"] or unit_name(name):
            found.append(_unit(name))
    if not found:
        clause = re.split(r"[;:]|,\s|\.\s", text[max(after_figure, quantity.start - 90) : quantity.start])[-1]
        if after_figure:
            # What stands before the joint belongs to the figure before.
            clause = re.split(r"\b(?:and|und|et|en|or|oder|ou|of)\s", clause)[-1]
        for match in _LEADING.finditer(clause):
            name = match["unit"]
            if unit_name(name) or _STRONG.match(match.group()):
                found.append(_unit(name))
        if not found and quantity.kind == "money" and (match := _SUBJECT.match(clause)) and unit_name(match["unit"]):
            found.append(_unit(match["unit"]))
        # `half day EUR 35, full day EUR 55`: the span stands right before its price.
        if (
            not found
            and quantity.kind == "money"
            and (match := _SPAN_BEFORE.search(clause))
            and unit_name(match["unit"])
        ):
            found.append(f"half {_unit(match['unit'])}" if match["half"] else _unit(match["unit"]))
        # `Die Arbeitsstunde kostet 76 Euro`: the price is that of one hour.
        if not found and quantity.kind == "money" and (match := _COMPOUND.search(clause)):
            found.append(_unit((match["unit"] or match["day"]).casefold()))
        sentence = re.split(r"[;:]\s|\.\s", text[: quantity.start])[-1]
        if not found and not after_figure and quantity.kind == "money" and (match := _EACH_FIRST.match(sentence)):
            found.append(_unit(match["unit"]))
    return tuple(dict.fromkeys(found))


# `For each late delivery of more than …, 35 euros are deducted`: however far from the amount.
_EACH_FIRST: Final = re.compile(
    rf"(?:for (?:each|every)|für jede[nrs]?|voor (?:elke?|iedere?)|pour chaque)\s+{_ADJECTIVES}(?P<unit>[^\W\d_]{{3,}})",
    re.IGNORECASE,
)


# `…, at weekends 126 euros.` goes on from the rate before; `35 euros call-out fee` is another price.
_ALONE: Final = re.compile(r"\s*(?:[.,;:)]|$|(?:and|or|und|oder|en|of|et|ou)\s)", re.IGNORECASE)
# `185 euros a quarter for a studio, 260 euros for two rooms`: both are built alike.
_FOR: Final = re.compile(r"\b(?:for|für|voor|pour)\s", re.IGNORECASE)


def _goes_on(text: str, rated: Quantity, plain: Quantity) -> bool:
    """True for an amount that is per what the one before it is per."""
    after = text[plain.end :]
    return bool(_ALONE.match(after) or (_FOR.search(text[rated.end : plain.start]) and _FOR.match(after.lstrip())))


_NO_UNITS: Final = ALL_GRAMMAR | frozenset(MONEY_WORDS.values())
_WORD: Final = re.compile(r"[^\W\d_]+")


def _unit(word: str) -> str:
    return unit_name(word) or word.casefold()


_PER_TITLE: Final = re.compile(
    r"\b(?:per|pro|par|je|an?)\s+(?P<unit>night|day|hour|week|month|year|person|nacht|tag|stunde|woche|monat|jahr|dag|uur|week|maand|jaar|persoon|nuit|jour|heure|semaine|mois|an|personne)\b",
    re.IGNORECASE,
)
_HALF: Final = re.compile(r"\b(?:half|halbe[nrs]?|halve|demi\w*)\b", re.IGNORECASE)
_UNIT_COLUMN: Final = re.compile(r"units?|per|pro|par|einheit|eenheid|unité|basis|billing|abrechnung", re.IGNORECASE)


def _cell_pers(pick: Scored, quantity: Quantity, header: str) -> tuple[str, ...]:
    """What an amount in a row is per: its own cell, its header, or a column that says it (`Unit: per cabin`)."""
    found = [quantity.per] if quantity.per else []
    found += [
        _unit(match["unit"])
        for match in re.finditer(rf"\b(?:per|pro|par|je)\s+{_ADJECTIVES}(?P<unit>[^\W\d_]+)", header, re.IGNORECASE)
    ]
    if _HALF.search(header):
        # Half a day is no day.
        found = [f"half {per}" for per in found]
    if quantity.kind == "money" and not found:
        # `Tarifs par nuit` stands above the table.
        found += [_unit(match["unit"]) for title in pick.unit.headings[-1:] for match in _PER_TITLE.finditer(title)]
    if quantity.kind == "money":
        for head, value in pick.unit.cells:
            if _UNIT_COLUMN.fullmatch(head) and re.fullmatch(r"[^\W\d_]+", value.strip()):
                found.append(_unit(value.strip()))
            if match := re.match(rf"(?:per|pro|par|je)\s+{_ADJECTIVES}(?P<unit>[^\W\d_]+)", value, re.IGNORECASE):
                found.append(_unit(match["unit"]))
    return tuple(dict.fromkeys(found))


# --- which figure the words of the question mean


def nearness(pick: Scored, quantity: Quantity, terms: Sequence[Term]) -> float:
    """How near to one of the terms a figure stands."""
    if pick.unit.cells:
        return sum(pick.credits.get(term.key, 0.0) for term in terms)
    around = pick.unit.text[max(0, quantity.start - 50) : quantity.end + 50]
    distance = 0.0
    for word in re.finditer(r"[\w-]+", around):
        credit = max((Bag(word.group(), pick.unit.language).credit(term) for term in terms), default=0.0)
        if credit >= 0.5:
            place = max(0, quantity.start - 50) + word.start()
            between = pick.unit.text[min(place, quantity.start) : max(place, quantity.start)]
            other_clause = 0.3 if _CLAUSE[pick.unit.language == "nl"].search(between) else 1.0
            distance = max(distance, other_clause * credit / (1 + abs(place - quantity.start) / 20))
    return distance


# French `en` is no `and`.
_CLAUSE: Final = (re.compile(r"[;,]\s|\s(?:and|und|et)\s"), re.compile(r"[;,]\s|\sen\s"))


def closeness(figure: Figure, terms: Sequence[Term]) -> float:
    """Over all terms: in a row how well header and label hold them, in a sentence how near they stand."""
    unit = figure.pick.unit
    if unit.cells:
        header, label = Bag(re.sub(r"[_-]", " ", figure.column), unit.language), Bag(unit.label, unit.language)
        return sum(max(header.credit(term), label.credit(term)) for term in terms)
    # `monthly` stands with every amount of a rent: only in the head of a column does it tell one from another.
    return sum(
        nearness(figure.pick, figure.quantity, [term]) for term in terms if term.written.casefold() not in EVERY_WORDS
    )


def described(plan: Plan, figure: Figure) -> float:
    """How near to it a number stands that the question gives for the thing (`a place of 45 hours`)."""
    text, language = figure.pick.unit.text, figure.pick.unit.language
    asked = {quantity.value for quantity in plan.quantities if quantity.kind != "money"}
    near = 0.0
    for number in find_numbers(text, language):
        if number.value in asked and number.start != figure.quantity.start:
            between = text[min(number.start, figure.quantity.start) : max(number.start, figure.quantity.start)]
            other_clause = 0.3 if _CLAUSE[language == "nl"].search(between) else 1.0
            near = max(near, other_clause / (1 + len(between) / 20))
    return near


# Words that tell one column from another (`High season`), though elsewhere they mean little.
SIZES: Final = frozenset(
    [
        "small",
        "large",
        "big",
        "little",
        "klein",
        "kleine",
        "kleinen",
        "kleiner",
        "gross",
        "grosse",
        "grossen",
        "grosser",
        "groß",
        "große",
        "großen",
        "großer",
        "grote",
        "groot",
        "petit",
        "petite",
        "grand",
        "grande",
    ]
)
LEVELS: Final = SIZES | frozenset(
    re.findall(
        r"\S+",
        "high low full half whole weekday weekend single double first second third last new old daily monthly weekly yearly annual "
        "hoch hohe niedrig ganz ganze ganzen ganzer halb halbe halben erste zweite neue alte hoog laag hoge lage heel hele halve eerste tweede nieuwe oude "
        "haute basse entier entière demi premier première deuxième nouveau nouvelle",
    )
)


def sizes_of(terms: Sequence[Term], pick: Scored) -> list[Term]:
    """`the small one £380`: what tells one of a kind from another in a sentence counts before the name of the kind."""
    return [
        term
        for term in terms
        if not pick.unit.cells and term.written.casefold() in SIZES and pick.credits.get(term.key, 0.0) >= 0.8
    ]


def telling_terms(plan: Plan) -> list[Term]:
    """The terms that say which of several figures is meant: no words of asking, no units, no figures of the question."""
    signals = frozenset[str]().union(*(part.asking.signals for part in plan.parts))
    figures = {word for quantity in plan.quantities for word in plan.question[quantity.start : quantity.end].split()}
    figures |= {
        word for day in find_dates(plan.question) for word in re.findall(r"\w+", plan.question[day.start : day.end])
    }
    return [
        term
        for term in plan.terms
        if (term.kind in ("word", "name", "code", "number") or term.written.casefold() in LEVELS)
        and term.key not in signals
        and term.written not in figures
        and unit_name(term.written) is None
    ]
