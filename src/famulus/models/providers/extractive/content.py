"""Which words of a question must stand in its answer, and which only say how much, how long or for when it is asked."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from famulus.models.providers.extractive.extremes import is_superlative
from famulus.models.providers.extractive.periods import asked_period
from famulus.models.providers.extractive.plan import Part, Plan
from famulus.models.providers.extractive.sides import is_comparative
from famulus.models.providers.extractive.terms import Term
from famulus.models.providers.extractive.year_before import says_growth
from famulus.text.dates import find_dates
from famulus.text.units import EVERY_WORDS, TIME_WORDS

MULTIPLYING: Final = frozenset({"kilometre", "mile", "kilogram", "litre", "tonne"})


def is_content(plan: Plan, part: Part, term: Term) -> bool:
    if plan.operation in ("compare", "difference") and is_comparative(term.written, plan.language):
        return False
    if is_superlative(term.written, part.text, plan.language):
        return False
    return (
        term.key not in part.asking.signals
        and term.kind != "light"
        and not multiplies(plan, term)
        and not is_period(plan, term)
        and not has_amount(plan, term)
        and not in_span(plan, term)
        and not in_given_day(plan, part, term)
        and not sums_up(part, term)
        and not _is_relative(part, term)
        and not says_growth(plan.question, term)
        and not (part.asking.wanted == "date" and _FALLS.fullmatch(term.written))
    )


# A day that something falls on.
_FALLS: Final = re.compile(r"falls?|fällt|fallen|fiel|valt|vallen|viel|tombe|tombent|tombait", re.IGNORECASE)


# Somebody of the asker's, for whom the documents have another word: a pupil, a guest, a member.
_RELATIVE: Final = re.compile(
    r"\b(?:my|our|meine?[nrms]?|unsere?[nrms]?|mijn|onze|mon|ma|mes|notre|nos)\s+(?:\w+\s)?(?P<who>sons?|daughters?|wife|husband|girlfriend|boyfriend|sohn|söhne|tochter|töchter|frau|mann|freundin|freund|zoon|zoons|dochter|dochters|vrouw|man|vriend|vriendin|fils|filles?|femme|mari)\b",
    re.IGNORECASE,
)


def _is_relative(part: Part, term: Term) -> bool:
    return any(term.written == match["who"] for match in _RELATIVE.finditer(part.text))


_ALL_OF_THEM: Final = re.compile(
    r"(?:\b(?:for|across|over|für|über|voor|over|pour)\s+|,\s*)(?:all|alle[nrms]?|tous|toutes)\s+(?:the |our |unsere |de |onze |les |nos )?(?P<noun>[^\W\d_]+)(?:\s+(?:included|together|inbegriffen|zusammen|inbegrepen|samen|compris(?:es)?|confondue?s))?\W*$",
    re.IGNORECASE,
)
TOTAL: Final = re.compile(
    r"\b(?:total\w*|altogether|insgesamt|gesamt\w*|zusammen|totaal|totale|samen|ensemble|en tout)\b", re.IGNORECASE
)


def sums_up(part: Part, term: Term) -> bool:
    """True for what a total is said to be over (`for all sites`): the text may list its parts by other names, where another noun says what is added."""
    match = _ALL_OF_THEM.search(part.text)
    if match is None or not TOTAL.search(part.text):
        return False
    words = re.findall(r"[^\W\d_]+", match.group())
    return term.written in words and any(
        other.noun and other.kind == "word" and other.written not in words for other in part.terms
    )


def in_given_day(plan: Plan, part: Part, term: Term) -> bool:
    """True for a word of a day that the question gives to count from (`I gave notice on 10 March 2026, when …?`): no document need have it."""
    return part.asking.wanted in ("date", "duration") and term.written in _given_days(plan.question)


@lru_cache(maxsize=256)
def _given_days(question: str) -> frozenset[str]:
    spans = [(mention.start, mention.end) for mention in find_dates(question) if mention.day is not None]
    return frozenset(word for start, end in spans for word in re.findall(r"\w+", question[start:end]))


def in_span(plan: Plan, term: Term) -> bool:
    """True for a word of a quantity that is said in words (`einem halben Jahr`, `a dozen`): the text may count in other units."""
    return any(
        quantity.word
        and quantity.kind in ("time", "count")
        and term.written in plan.question[quantity.start : quantity.end].split()
        for quantity in plan.quantities
    )


_AMOUNT_OF: Final = re.compile(
    r"\s(?:of|von|over|van|de|d['’]un montant de|über|à|zu|at|worth|is|ist|beträgt|est de|in höhe von)\s+(?:[A-Z]{3}\s?|[€£$]\s?)?$",
    re.IGNORECASE,
)


def has_amount(plan: Plan, term: Term) -> bool:
    """True for what an amount of the question is of (`an invoice of EUR 2,400`, `a salary of …`): any document may call it otherwise."""
    for quantity in plan.quantities:
        if quantity.kind == "money":
            before = plan.question[: quantity.start]
            joint = _AMOUNT_OF.search(before)
            if joint and before[: joint.start()].endswith(term.written):
                return True
    return False


def is_period(plan: Plan, term: Term) -> bool:
    """`per year` says for how long the amount is wanted; a monthly one answers it too."""
    word = term.written.casefold()
    return (word in TIME_WORDS or word in EVERY_WORDS) and asked_period(plan) is not None


def multiplies(plan: Plan, term: Term) -> bool:
    """A number of the question that may be something to compute with, not to find: `for 3 days`, `five hours`, `three nodes`."""
    return any(
        plan.question[quantity.start : quantity.end].split()[:1] == [term.written]
        and (
            quantity.kind in ("time", "money")
            or (quantity.kind == "count" and quantity.word)
            or quantity.unit in MULTIPLYING
        )
        for quantity in plan.quantities
    )
