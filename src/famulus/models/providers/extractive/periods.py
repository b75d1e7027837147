"""The period that a question wants an amount for, and amounts of one period said for another."""

from __future__ import annotations

import re
from decimal import Decimal
from itertools import pairwise
from typing import Final

from famulus.models.providers.extractive.plan import Plan
from famulus.text.numbers import show_number
from famulus.text.quantities import Quantity
from famulus.text.units import EVERY_WORDS, MONEY_WORDS, PER_YEAR, TIME_WORDS


def asked_period(plan: Plan) -> str | None:
    """The period that the question wants the amount for: `per year`, `im Jahr`, `annual`."""
    words = re.findall(r"\w+", plan.question.casefold())
    for before, word in pairwise(["", *words]):
        if word in EVERY_WORDS or (before in _PER_WORDS and word in TIME_WORDS):
            period = EVERY_WORDS.get(word) or TIME_WORDS[word]
            if period in ("month", "quarter", "year", "week"):
                return period
    return None


def asked_currencies(plan: Plan) -> set[str]:
    """The currencies that the question wants an amount in (`in euros`); those of its own amounts say nothing of that."""
    given = [(quantity.start - 5, quantity.end) for quantity in plan.quantities if quantity.kind == "money"]
    return {
        MONEY_WORDS[word.group().casefold()]
        for word in re.finditer(r"[^\W\d_]+|[€£$]", plan.question)
        if word.group().casefold() in MONEY_WORDS and not any(a <= word.start() <= b for a, b in given)
    }


_PER_WORDS: Final = frozenset(
    [
        "per",
        "a",
        "an",
        "each",
        "every",
        "pro",
        "im",
        "par",
        "l",
        "heel",
        "ganzen",
        "ganzes",
        "whole",
        "full",
        "entire",
        "one",
        "een",
        "une",
        "ein",
        "einem",
        "un",
        "sur",
    ]
)


def converted_rate(rate: Quantity, wanted: str, language: str) -> tuple[str, str] | None:
    """The expression and what people see for the amount in the period `wanted`; None where they do not fit."""
    have, want = PER_YEAR.get(rate.per or ""), PER_YEAR.get(wanted)
    if have is None or want is None or rate.per == wanted:
        return None
    value, shown = fraction(rate.value), show_number(rate.value, language)
    if have > want and have % want == 0:
        return f"{value} * {have // want}", f"{shown} × {have // want}"
    if want > have and want % have == 0 and wanted != "week":
        return f"{value} / {want // have}", f"{shown} / {want // have}"
    if have == 52 or want == 52:
        return (f"{value} * {have} / {want}", f"{shown} × {have} / {want}")
    return None


def fraction(value: Decimal) -> str:
    """The number as the calculator reads it."""
    return f"{value.normalize():f}"
