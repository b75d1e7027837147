"""A price with the tax, the surcharge or the discount that the question names (`including VAT`, `with the express surcharge`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from famulus.models.providers.extractive.breaks import price_break
from famulus.models.providers.extractive.extras import single
from famulus.models.providers.extractive.figures import Calculation, fraction, style_of
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.pool import ASIDE, SAVED, Pool, unique
from famulus.models.providers.extractive.rates import rate_times_quantity
from famulus.models.providers.extractive.shares import DOWN, UP
from famulus.models.providers.extractive.terms import Bag, Term, question_terms
from famulus.text.numbers import show_number
from famulus.text.quantities import Quantity

_TAX: Final = re.compile(
    r"\b(?:vat|tax(?:es)?|mwst|mehrwertsteuer|umsatzsteuer|ust|btw|belasting|tva|taxes?|ttc|ht)\b", re.IGNORECASE
)
_INCLUDED: Final = re.compile(
    r"\b(?:includ\w*|inclusive|inklusive|inkl|enthalten|inbegriffen|inclusief|inbegrepen|compris\w*|inclus\w*|ttc)\b",
    re.IGNORECASE,
)
_NOT: Final = re.compile(
    r"\b(?:not|without|exclud\w*|excl\w*|exclusive|plus|nicht|ohne|zuzüglich|zzgl|exkl\w*|exclusief|zonder|niet|hors|non|sans|ne sont pas|en sus)\b",
    re.IGNORECASE,
)
_HEAD: Final = re.compile(
    r"(?:vat|tax|taxes|discount|rebate|surcharge|supplement|rabatt|zuschlag|aufschlag|nachlass|korting|toeslag|opslag|remise|réduction|majoration|supplément|rabais)$",
    re.IGNORECASE,
)


def changed_price(pool: Pool) -> Calculation | None:
    """The price of the question, changed by the percentage that a sentence names for what is wanted with it."""
    match = ASIDE.search(pool.plan.question)
    if match is None or SAVED.search(pool.plan.question):
        return None
    if not any(part.asking.wanted in ("money", "amount", "open") for part in pool.plan.parts):
        return None
    noun = match["noun"] or match["noun2"] or match["noun3"] or ""
    base = price_break(pool) or rate_times_quantity(pool) or single(pool)
    if base is None:
        return None
    found = _percentage(pool, noun, base)
    if found is None or any(f"(100 {sign} " in base.expression for sign in "+-"):
        return None
    percent, item = found
    included = (
        _TAX.search(noun) is not None
        and _INCLUDED.search(item.unit.text) is not None
        and not _NOT.search(item.unit.text)
    )
    sources = unique([*base.sources, item])
    style = style_of(pool.plan, sources, base.unit)
    rate, written = fraction(percent.value), show_number(percent.value, style)
    if match["without"]:
        if not included:
            return base if "*" in base.expression else None
        changed, shown = f"* 100 / (100 + {rate})", f"× 100 / (100 + {written})"
    elif included:
        return None
    else:
        sign = "+" if _TAX.search(noun) else _sign(noun, item)
        changed, shown = f"* (100 {sign} {rate}) / 100", f"× (100 {sign} {written}) / 100"
    grouped = f"({base.expression})" if " + " in base.expression else base.expression
    return replace(base, expression=f"{grouped} {changed}", shown=f"{base.shown} {shown}", sources=sources, style=style)


def _percentage(pool: Pool, noun: str, base: Calculation) -> tuple[Quantity, Scored] | None:
    """The percentage for what the noun names: of the document of the price, else of another."""
    language = pool.plan.language
    naming = [term for term in question_terms(noun, language) if not _HEAD.search(term.written)]
    document = base.sources[0].seen.document_id
    fitting = [item for item in _stating(pool) if _names(item, noun, naming)]
    fitting.sort(key=lambda item: item.seen.document_id != document)
    for item in fitting:
        percents = [quantity for quantity in item.unit.quantities if quantity.kind == "percent"]
        if len(percents) == 1:
            return percents[0], item
    return None


def _stating(pool: Pool) -> Iterator[Scored]:
    return (
        item
        for item in pool.ranked
        if not item.unit.cells
        and any(quantity.kind == "percent" for quantity in item.unit.quantities)
        and not any(quantity.kind == "money" for quantity in item.unit.quantities)
    )


def _names(item: Scored, noun: str, naming: list[Term]) -> bool:
    text = item.unit.text
    if _TAX.search(noun):
        return _TAX.search(text) is not None
    bag = Bag(text, item.unit.language)
    if naming and not all(bag.credit(term) >= 0.6 for term in naming):
        return False
    return bool((DOWN if DOWN.search(noun) else UP).search(text))


def _sign(noun: str, item: Scored) -> str:
    if DOWN.search(noun):
        return "-"
    return "+" if UP.search(noun) or not DOWN.search(item.unit.text) else "-"
