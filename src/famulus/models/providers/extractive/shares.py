"""Per cent of an amount: the share itself, what is left of it, the amount with a surcharge or less a discount, and one amount in per cent of another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from famulus.models.providers.extractive.figures import (
    Calculation,
    Figure,
    closeness,
    figures_of,
    fraction,
    sizes_of,
    style_of,
    telling_terms,
)
from famulus.models.providers.extractive.growth import part_of_whole
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.periods import asked_currencies, asked_period
from famulus.models.providers.extractive.pool import Pool, unique
from famulus.models.providers.extractive.rises import RISES
from famulus.models.providers.extractive.terms import Bag, question_terms
from famulus.text.numbers import show_number
from famulus.text.quantities import Quantity

UP: Final = re.compile(
    r"\b(?:rises?|risen|rising|raised?|raise|increase[sd]?|surcharge|supplement|more|higher|added?|plus|on top|vat|interest|steig\w*|erhöh\w*|zuschlag|aufschlag|aufgeschlagen|zuzüglich|mehr|höher|"
    r"mehrwertsteuer|umsatzsteuer|mwst|angepasst|stijg\w*|verhog\w*|verhoogd|toeslag|opslag|vermeerderd|meer|hoger|btw|augment\w*|majorée?s?|majoration|supplément\w*|plus|tva|hausse)\b|\w*zuschlag\b|\w*toeslag\b",
    re.IGNORECASE,
)
DOWN: Final = re.compile(
    r"\b(?:discount|rebate|reduc\w*|less|off|cheaper|lower|deduct\w*|rabatt|skonto|nachlass|ermässig\w*|ermäßig\w*|abzug|abgezogen|günstiger|weniger|reduzier\w*|korting|goedkoper|minder|afgetrokken|verminder\w*|"
    r"remise|réduction|rabais|escompte|moins|réduite?s?|diminu\w*|ristourne)\b|\w*rabatt\b|\w*korting\b",
    re.IGNORECASE,
)
_LEFT: Final = re.compile(
    r"\b(?:left|remain\w*|rest(?: of)?|remainder|keep|get back|still|übrig|verbleib\w*|rest|restbetrag|bleib\w*|zurück|over(?!\s+\d)|overblijven|resteert|resterende?|blijft|reste\w*|restant\w*|solde)\b",
    re.IGNORECASE,
)
# The amount after the change is asked for: `with the surcharge`, `after the discount`, `the new rent`, `including VAT`.
_CHANGED: Final = re.compile(
    r"\b(?:with|after|including|incl\.?|inclusive|plus|less|minus|new|then|at most|highest|maximum|in total|altogether|all in|"
    r"mit|nach|inklusive|inkl\.?|einschliesslich|einschließlich|samt|neue[nrsm]?|höchstens|maximal|insgesamt|abzüglich|zuzüglich|brutto|"
    r"met|na|inclusief|incl\.?|nieuwe?|hoogstens|maximaal|in totaal|aftrek|avec|après|y compris|compris|ttc|nouveau|nouvelle|au maximum|au plus|au total|déduction)\b",
    re.IGNORECASE,
)
_SHARE_NOUN: Final = re.compile(
    r"\b(?:surcharge|(?:price )?reduction|price cut|deduction|discount|rebate|abzug|preisnachlass|aftrek|prijsverlaging|rabais|ristourne|save|saving|sparen|sparst|bespaar\w*|économis\w*|deposit|commission|bonus|fee|penalt\w*|interest|vat|tax|zuschlag|rabatt|skonto|anzahlung|provision|bonus|strafe|zins\w*|kaution|mehrwertsteuer|mwst|weihnachtsgeld|urlaubsgeld|gratifikation|"
    r"toeslag|korting|aanbetaling|commissie|boete|rente|btw|vakantiegeld|supplément|majoration|remise|réduction|acompte|commission|prime|pénalités?|intérêts?|tva|arrhes|caution|waarborg|borg)\b|\w*(?:zuschlag|rabatt|geld|toeslag|korting|zins)\b",
    re.IGNORECASE,
)
# What is taken off is the share itself.
_TAKEN_OFF: Final = re.compile(
    r"\b(?:how much|how many) .{0,40}\b(?:off|deducted|knocked off)\b|\bwie ?viel .*\b(?:abgezogen|erlassen|nachgelassen)\b|\bhoeveel .*\b(?:eraf|afgetrokken|in mindering)\b|\bcombien .*\bdéduit\w*",
    re.IGNORECASE,
)
_WHAT_PERCENT: Final = re.compile(
    r"\b(?:what|which|how many) (?:percentage|per ?cent|share)\b|\bwie ?viel prozent\b|\bwelcher (?:prozent\w*|anteil)\b|\bhoeveel procent\b|\bwelk (?:percentage|deel)\b|\bquel(?:le)? (?:pourcentage|part|proportion)\b|\bcombien de pour ?cent\b",
    re.IGNORECASE,
)
_CHANGES_PRICE: Final = re.compile(
    r"\b(?:discount|rebate|surcharge|supplement|bonus rate|premium|(?:per cent|percent|%) off|\w*rabatt|\w*zuschlag|\w*aufschlag|\w*korting|\w*toeslag|remise|réduction|majoration|supplément)\b",
    re.IGNORECASE,
)
_COSTS: Final = re.compile(
    r"\b(?:costs?|pays?|paid|earns?|get|gets|receives?|bring|makes?|kostet|kosten|zahl\w*|gezahlt|bezahl\w*|bekomm\w*|erhält|erhalte|verdien\w*|vergütet|kost|betaal\w*|betaald|betalen|krijg\w*|ontvang\w*|coûte\w*|paie\w*|payée?s?|payer|gagne\w*|touche\w*|reçoit|price|preis|prijs|prix)\b",
    re.IGNORECASE,
)
_GENERAL: Final = re.compile(
    r"(?:price|amount|preise?s?|betrag\w*|prijs|bedrag|prix|montant|cost|costs|kosten)$", re.IGNORECASE
)
_OF: Final = re.compile(
    r"\s*(?:of|on|von|vom|des|der|auf|van|op|du|de la|de l['’]|de|sur)\s+(?:the |der |dem |den |des |de |het |la |le |l['’]|a |an |one |eines |een |un |une |d['’]un |d['’]une )?(.{3,40})",
    re.IGNORECASE,
)


def share(pool: Pool) -> Calculation | None:
    """The percentage that a passage or the question names, of its amount; with a word of change the changed amount."""
    if not any(part.asking.wanted in ("money", "amount", "count", "measure", "open") for part in pool.plan.parts):
        return None
    asked = next((quantity for quantity in pool.plan.quantities if quantity.kind == "percent"), None)
    if asked is not None:
        return _asked_percent(pool, asked)
    cued = any(pattern.search(pool.plan.question) for pattern in (_SHARE_NOUN, UP, DOWN, _LEFT, _CHANGED)) or any(
        quantity.kind == "money" for quantity in pool.plan.quantities
    )
    nouns = [term for term in telling_terms(pool.plan) if term.noun]
    stating = sorted(
        _stating(pool, cued=cued),
        key=lambda item: -round(sum(item.credits.get(term.key, 0.0) for term in nouns), 1) * _has_percent(item),
    )
    for pick in stating:
        rank = next((place for place, item in enumerate(pool.picks) if item is pick), len(pool.picks))
        percents = [quantity for quantity in pick.unit.quantities if quantity.kind == "percent"]
        percent = percents[0] if len(percents) == 1 else _nearest(pool, pick, percents)
        if percent is None or (rank and not cued and not _of_asked(pool, pick, percent)):
            continue
        if (base := _base(pool, pick, percent)) is not None and not _rises_of_another(pool, pick, base[1]):
            return _calculation(pool, percent, pick, *base)
    return None


def _stating(pool: Pool, *, cued: bool) -> Sequence[Scored]:
    """The sentences whose percentage may be meant; where nothing is quoted, one that gives amount and change and names a noun of the question."""
    if pool.picks or pool.near:
        return pool.picks[:3] or pool.near[:2]
    nouns = [term for term in telling_terms(pool.plan) if term.noun]
    return [
        item
        for item in pool.ranked[:2]
        if cued
        and not item.lacks_mark
        and any(item.credits.get(term.key, 0.0) >= 0.8 for term in nouns)
        and any(quantity.kind == "money" for quantity in item.unit.quantities)
        and (DOWN if DOWN.search(pool.plan.question) else UP).search(item.unit.text)
    ]


def _has_percent(item: Scored) -> bool:
    return any(quantity.kind == "percent" for quantity in item.unit.quantities)


def _of_asked(pool: Pool, pick: Scored, percent: Quantity) -> bool:
    """`50 per cent of the rent` where the question asks for rent."""
    match = _OF.match(pick.unit.text[percent.end :])
    if match is None:
        return False
    bag = Bag(re.split(r"[,;.(]", match.group(1))[0], pick.unit.language)
    return any(bag.credit(term) >= 0.8 for term in pool.plan.terms if term.kind == "word")


def _nearest(pool: Pool, pick: Scored, percents: Sequence[Quantity]) -> Quantity | None:
    """Of several percentages of one sentence the one that the words of the question stand next to; None where two are as near."""
    telling = telling_terms(pool.plan)
    rated = sorted(
        ((closeness(Figure(percent, pick), telling), percent) for percent in percents), key=lambda item: -item[0]
    )
    return rated[0][1] if len(rated) > 1 and rated[0][0] > 1.15 * rated[1][0] else None


def _asked_percent(pool: Pool, percent: Quantity) -> Calculation | None:
    """`How much is 15 per cent of the annual rent?`: the amount comes from a passage."""
    for pick in pool.picks[:2]:
        if (figure := amount_meant(pool, pick)) is not None:
            return _calculation(pool, percent, None, figure.quantity, pick)
    return None


def amount_meant(pool: Pool, pick: Scored) -> Figure | None:
    """The amount of a sentence or row that the question means; None where two could be meant."""
    money = [figure for figure in figures_of(pick) if figure.quantity.kind == "money"]
    period = asked_period(pool.plan)
    if period and (same := [figure for figure in money if figure.quantity.per == period]):
        money = same
    currencies = asked_currencies(pool.plan)
    if currencies and (same := [figure for figure in money if figure.quantity.unit in currencies]):
        money = same
    if len({figure.value for figure in money}) == 1:
        return money[0]
    # `40 euros a season`: the word season stands with every price of one.
    pers = [Bag(per, pick.unit.language) for figure in money for per in figure.pers]
    telling = [term for term in telling_terms(pool.plan) if not any(bag.credit(term) >= 0.9 for bag in pers)]
    rated = sorted(
        ((closeness(figure, sizes_of(telling, pick) or telling), figure) for figure in money), key=lambda item: -item[0]
    )
    return rated[0][1] if len(rated) > 1 and rated[0][0] > 1.15 * rated[1][0] else None


def _rises_of_another(pool: Pool, pick: Scored, source: Scored | None) -> bool:
    """True where it is asked by how much something rises, and the amount is that of something else."""
    if source is None or not RISES.search(pool.plan.question):
        return False
    things = [term for term in telling_terms(pool.plan) if term.noun and pick.credits.get(term.key, 0.0) >= 0.6]
    return bool(things) and not any(source.credits.get(term.key, 0.0) >= 0.8 for term in things)


def _base(pool: Pool, pick: Scored, percent: Quantity) -> tuple[Quantity, Scored | None] | None:
    """Of what the percentage is taken: an amount of the question, of the sentence, or the one that its words name in another sentence."""
    if (asked := next((quantity for quantity in pool.plan.quantities if quantity.kind == "money"), None)) is not None:
        return asked, None
    own = [quantity for quantity in pick.unit.quantities if quantity.kind == "money"]
    after = [quantity for quantity in own if quantity.start > percent.start]
    if after or len(own) == 1:
        return (after or own)[0], pick
    first = pool.picks[0] if pool.picks else pick
    if first is not pick and first.seen.document_id == pick.seen.document_id and _of_asked(pool, pick, percent):
        figure = amount_meant(pool, first)
        if figure is not None:
            return figure.quantity, first
    if (named := _named_base(pool, pick, percent)) is not None:
        return named
    for other in pool.all:
        same = other is not pick and other.seen.document_id == pick.seen.document_id
        if same and any(quantity.kind == "money" for quantity in other.unit.quantities):
            figure = amount_meant(pool, other)
            return None if figure is None else (figure.quantity, other)
    return None


def _named_base(pool: Pool, pick: Scored, percent: Quantity) -> tuple[Quantity, Scored] | None:
    """The amount that `per cent of the order value` speaks of, where another sentence of the document gives it."""
    match = _OF.match(pick.unit.text[percent.end :])
    terms = question_terms(re.split(r"[,;.(]", match.group(1))[0], pick.unit.language)[:2] if match else []
    terms = [term for term in terms if not _GENERAL.match(term.written)] or terms
    if not terms:
        return None
    for entry in pool.of_document(pick.seen.document_id):
        bag = Bag(entry.unit.text, entry.unit.language)
        if entry is not pick and all(bag.credit(term) >= 0.7 for term in terms):
            money = [figure for figure in figures_of(entry) if figure.quantity.kind == "money"]
            if money:
                return max(money, key=lambda figure: closeness(figure, terms)).quantity, entry
    return None


def _calculation(
    pool: Pool, percent: Quantity, pick: Scored | None, base: Quantity, source: Scored | None
) -> Calculation:
    """The share, or with the sign of the sentence the changed amount."""
    question = pool.plan.question
    sources = unique([item for item in (pick, source) if item is not None])
    style = style_of(pool.plan, sources, base.unit)
    sign = _sign(question, percent, pick)
    amount, rate = show_number(base.value, style), show_number(percent.value, style)
    written = f"{base.unit} {amount}".strip()
    if sign:
        expression = f"{fraction(base.value)} * (100 {sign} {fraction(percent.value)}) / 100"
        values = (("change", f"{'+' if sign == '+' else '−'} {rate} %"), ("base", written))
        return Calculation(
            expression, f"{amount} × (100 {sign} {rate}) / 100", "changed", base.unit, sources, values, style
        )
    values = (("percent", rate), ("base", written))
    return Calculation(
        f"{fraction(base.value)} * {fraction(percent.value)} / 100",
        f"{amount} × {rate} / 100",
        "share",
        base.unit,
        sources,
        values,
        style,
    )


def _sign(question: str, percent: Quantity, pick: Scored | None) -> str:
    """`+` or `-` where the amount after the change is asked for, empty where the share is."""
    around = question if pick is None else pick.unit.text
    clause = around[max(0, percent.start - 90) : percent.end + 90]
    if _TAKEN_OFF.search(question):
        return ""
    if _LEFT.search(question) and not _LEFT.search(clause):
        return "-"
    noun = _SHARE_NOUN.search(question)
    changed = _CHANGED.search(question)
    if noun and not (changed and changed.start() < noun.start()):
        return ""
    down, up = DOWN.search(clause), UP.search(clause)
    if noun is None and changed is None and _CHANGES_PRICE.search(clause) and _COSTS.search(question):
        # `What does the card cost for a child?`, where children get a discount.
        return "-" if down else "+"
    if not (down or up) or (noun is None and changed is None and not _same_change(question)):
        return ""
    if down and up:
        middle = min(90, percent.start)
        return "-" if abs(down.start() - middle) < abs(up.start() - middle) else "+"
    return "-" if down else "+"


def _same_change(question: str) -> bool:
    return UP.search(question) is not None or DOWN.search(question) is not None


def part_in_percent(pool: Pool) -> Calculation | None:
    """One amount in per cent of another of the same currency, both in what is quoted: `which share of the price is for the lift`."""
    if not _WHAT_PERCENT.search(pool.plan.question):
        return None
    if (calculation := part_of_whole(pool)) is not None:
        return calculation
    if any(quantity.kind == "percent" for pick in pool.picks[:1] for quantity in pick.unit.quantities):
        return None
    figures = [figure for pick in pool.picks[:1] for figure in figures_of(pick) if figure.quantity.kind == "money"]
    asked = [quantity for quantity in pool.plan.quantities if quantity.kind == "money"]
    telling = telling_terms(pool.plan)
    values = sorted({figure.value for figure in figures} | {quantity.value for quantity in asked})
    if len(values) != 2:
        return None
    small, large = values
    sources = unique([figure.pick for figure in figures])
    style = style_of(pool.plan, sources, figures[0].quantity.unit)
    shown = f"{show_number(small, style)} / {show_number(large, style)} × 100"
    return (
        Calculation(f"{fraction(small)} / {fraction(large)} * 100", shown, "rate", "%", sources, style=style)
        if telling
        else None
    )
