"""Prices for each begun block of time: how many quarters of an hour or hours so many minutes begin."""

from __future__ import annotations

import re
from decimal import ROUND_CEILING, Decimal
from typing import Final

from famulus.models.providers.extractive.figures import Figure
from famulus.text.quantities import Quantity

# `each started quarter of an hour`, `je angefangene halbe Stunde`: minutes by what the unit of the rate begins with.
_STARTED: Final = re.compile(
    r"\b(?:started|begun|commenced|part of an?|angefangene\w*|angebrochene\w*|begonnene?\w*|entamée?|commencée?)\b",
    re.IGNORECASE,
)
_BLOCKS: Final[tuple[tuple[re.Pattern[str], int], ...]] = (
    (re.compile(r"\bquarter(?:s of an| of an)?[ -]hours?\b|viertelstunde|\bkwartier\b|\bquart d['’]heure", re.IGNORECASE), 15),
    (re.compile(r"\bhalf(?: an)?[ -]hour|\bhalbe[nr]? stunde|\bhalf uur\b|\bdemi-heure", re.IGNORECASE), 30),
    (re.compile(r"\b(?:hour|stunde|uur|heure)\b", re.IGNORECASE), 60),
)  # fmt: skip


def started_blocks(quantity: Quantity, per: str, figure: Figure) -> Decimal | None:
    """How many blocks of time are begun in so many minutes, where the price is one for each block."""
    if quantity.unit not in ("minute", "hour") or per in ("day", "week", "month", "year"):
        return None
    clause = clause_of(figure)
    block = next((minutes for pattern, minutes in _BLOCKS if pattern.search(clause)), None)
    if block is None or (block == 60 and not _STARTED.search(clause)):
        return None
    minutes = quantity.value * (60 if quantity.unit == "hour" else 1)
    return (minutes / block).to_integral_value(ROUND_CEILING)


def clause_of(figure: Figure) -> str:
    """The clause that a figure stands in."""
    if figure.column:
        return figure.column
    text, start = figure.pick.unit.text, figure.quantity.start
    return re.split(r"[;:.,]\s", text[:start])[-1] + re.split(r"[;:.,](?:\s|$)", text[start:])[0]
