"""What a number of things costs of which a sentence gives number and single price (`64 sensors at EUR 83 apiece`)."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from famulus.models.providers.extractive.figures import Calculation, Figure, figures_of, product
from famulus.models.providers.extractive.pool import Pool
from famulus.models.providers.extractive.rates import EACH, lacks_thing
from famulus.text.quantities import unit_name
from famulus.text.stem import stems
from famulus.text.units import PIECES

# The question wants all of them, or an order or bill as a whole.
_ALL: Final = re.compile(
    r"\b(?:all|total|altogether|whole|entire|orders?|ordered|bill|alle[nrms]?|insgesamt|gesamt\w*|zusammen|ganze[nr]?|bestellung|bestellt\w*|rechnung|samen|totaal|totale|hele|bestelling|besteld|rekening|tous|toutes?|total\w*|ensemble|en tout|commande\w*|facture)\b",
    re.IGNORECASE,
)
# What joins the number of things to the price of one.
_AT: Final = re.compile(
    r"\b(?:at|for|zu|à|für|je|tegen|voor|van|pour|de)\s(?:je\s)?(?:[A-Z]{3}\s?|[€£$]\s?)?$|[@à]\s?$"
)
_FOR_EACH: Final = re.compile(r"\b(?:zu je|für je|à je|at each|voor elk)\s(?:[A-Z]{3}\s?|[€£$]\s?)?$", re.IGNORECASE)
# `each of the 14 lockers costs`.
_EACH_OF: Final = re.compile(
    r"\b(?:(?:for )?each of (?:the|our|these)|(?:für )?jede[rnsm]? der|(?:voor )?elk(?:e)? van de|(?:pour )?chac(?:un|une) des)\s$",
    re.IGNORECASE,
)
LONGEST: Final = 60


def all_pieces(pool: Pool) -> Calculation | None:
    """Number times single price, of the best sentence that names the thing, where the question wants them all."""
    wanted = {part.asking.wanted for part in pool.plan.parts}
    if pool.plan.quantities or not wanted & {"money", "amount"} or not _ALL.search(pool.plan.question):
        return None
    for pick in pool.picks[:2]:
        if pick.unit.cells or lacks_thing(pick):
            continue
        figures = figures_of(pick)
        found = [pair for pair in pairwise(figures) if _are_pieces(pick.unit.text, *pair)]
        if len(found) == 1:
            number, price = found[0]
            return product(pool.plan, [number.value, price.value], price.quantity.unit, [pick])
    return None


def _are_pieces(text: str, number: Figure, price: Figure) -> bool:
    """True for a number of things, and at once the price of one of them."""
    if number.quantity.kind not in ("count", "measure") or price.quantity.kind != "money" or number.value <= 1:
        return False
    between = text[number.quantity.end : price.quantity.start]
    if re.search(r"[;.]\s", between):
        return False
    if _EACH_OF.search(text[: number.quantity.start]):
        return True
    if len(between) > LONGEST:
        return False
    each = EACH.match(text[price.quantity.end :]) is not None or _FOR_EACH.search(between) is not None
    if not price.pers or each:
        return each
    if not _AT.search(between):
        return False
    things = {number.quantity.unit} | {
        form for word in re.findall(r"[^\W\d_]+", between) for form in (_name(word), *stems(word.casefold()))
    }
    return any(per in PIECES or per in things or set(stems(per)) & things for per in price.pers)


def _name(word: str) -> str:
    return unit_name(word) or word.casefold()
