"""Whom and what a sentence names: people and firms by their capitals and titles, roles and people by the words for them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from famulus.models.providers.extractive.plan import Plan
from famulus.models.providers.extractive.units import Unit
from famulus.models.providers.extractive.vocabulary import notions, part_notions
from famulus.text.fold import key
from famulus.text.stopwords import ALL_GRAMMAR
from famulus.text.words import words

NAME: Final = re.compile(
    r"\b[A-ZÀ-Þ][\wà-ÿ'’-]+(?:\s+(?:van|de|der|den|von|zu|du|le|la|di|ten|ter)\b)*\s+[A-ZÀ-Þ][\wà-ÿ'’-]+"
)
ONE_NAME: Final = re.compile(r"(?<=[\wà-ÿ,:;)] )[A-ZÀ-Þ][\wà-ÿ&'’-]{2,}")


def without_asked(unit: Unit, plan: Plan) -> str:
    """The words of the unit that the question does not hold."""
    asked = {term.key for term in plan.terms}
    return " ".join(word.key for word in words(unit.text) if word.key not in asked)


@lru_cache(maxsize=1)
def role_notions() -> frozenset[int]:
    """Who does or pays something in a contract or a rule: tenant, landlord, supplier, employer …"""
    roles = [
        "tenant",
        "landlord",
        "supplier",
        "customer",
        "employer",
        "employee",
        "manager",
        "seller",
        "buyer",
        "owner",
    ]
    return frozenset[int]().union(*(notions(word, "en") for word in roles))


_HUMANS: Final = (
    "visitor", "employee", "customer", "child", "parent", "apprentice", "people", "passenger", "participant", "adult", "resident", "patient", "student",
    "member", "crew", "captain", "director", "manager",
)  # fmt: skip


@lru_cache(maxsize=1)
def human_notions() -> frozenset[int]:
    """Whom one counts as people: visitors, employees, customers …"""
    return frozenset[int]().union(*(notions(word, "en") for word in _HUMANS))


# What follows the name of a firm or a club: nobody's name. In these letters only: French `sa` and English `co-owner` follow people.
_FIRM: Final = re.compile(
    r"[\s,]{1,2}(?:&\s?\w+\s)?(?:Ltd|Limited|plc|PLC|LLP|Inc|LLC|Co(?!-)|GmbH|AG|KG|OHG|e\.\s?V|eG|UG|B\.?V|N\.?V|V\.?O\.?F|S\.?A|SARL|SAS|Sàrl|ASBL|asbl|vzw|VZW|SC|SCRL|SRL|SNC)\b"
)


def _matches(pattern: re.Pattern[str], text: str, asked: set[str]) -> Iterator[re.Match[str]]:
    """The names in order; what begins with a word of the question (`Hauswart Beat Fässler`) is looked at behind it."""
    at = 0
    while (match := pattern.search(text, at)) is not None:
        first = match.group().split()[0]
        if key(first) in asked and len(match.group().split()) > 1:
            at = match.start() + len(first)
        else:
            yield match
            at = match.end()


def has_name(unit: Unit, plan: Plan, pattern: re.Pattern[str], *, person: bool = False) -> bool:
    """A name that the question does not already hold; for a `person` none that is a firm's."""
    asked = {key(word.written) for word in plan.terms}
    for match in _matches(pattern, unit.text, asked):
        if person and (_FIRM.match(unit.text, match.end()) or _FIRM.search(f" {match.group().split()[-1]} ")):
            continue
        found = [word.key for word in words(match.group())]
        titled = bool(found) and (found[0] in _TITLES or bool(notions(found[0], unit.language) & human_notions()))
        if titled:
            # `Captain Henrike Vollbrecht`, `Frau Keller`: the title is no part of the name.
            found = found[1:]
        common = found if unit.language == "de" else found[:1]
        if not found or found[0] in ALL_GRAMMAR or set(found) & asked:
            continue
        if titled or not any(notions(word, unit.language) or part_notions(word, unit.language) for word in common):
            return True
    return False


_TITLES: Final = frozenset((
    "mr", "mrs", "ms", "miss", "dr", "prof", "captain", "herr", "frau", "dhr", "mevr", "mevrouw", "meneer", "heer", "m", "mme", "mlle", "monsieur",
    "madame", "maitre",
))  # fmt: skip
