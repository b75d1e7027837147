"""How old something is, or for how many years it has been there, on a day or in a year that the question names."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from famulus.models.providers.extractive.figures import Calculation, telling_terms
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.plan import Plan
from famulus.models.providers.extractive.pool import Pool
from famulus.models.providers.extractive.terms import Bag, Term
from famulus.models.providers.extractive.units import days_of
from famulus.text.dates import find_dates, show_date

_ASKED: Final = re.compile(
    r"\b(?:how old|wie alt|hoe oud|quel âge|(?:how many|for how many) years (?:has|have|had|old)|wie ?viele jahre (?:besteht|gibt es|ist|sind|alt)|seit wie ?vielen jahren|hoeveel jaar (?:bestaat|is|oud)|depuis combien d['’]ann(?:s|ées)|combien d['’]ann(?:s|ées) a)\b",
    re.IGNORECASE,
)
_SAYING: Final = re.compile(r"old|age|alt|alter|jahre?n?|oud|jaar|âge|aura|avait|ans|années|years?", re.IGNORECASE)
_BORN: Final = re.compile(
    r"\b(?:found(?:ed|ing)|open(?:ed|s)|built|launched|born|established|since|installed|bought|made|dates from|erected|completed|inaugurat\w*|put into service|gegründet|eröffnet|erbaut|gebaut|besteht|seit|geboren|angeschafft|installiert|stammt|vom stapel\w*|fertiggestellt|in betrieb|"
    r"geopend|opgericht|gebouwd|sinds|bestaat|gekocht|dateert|te water|geplaatst|opgeleverd|ouvert\w*|inauguré\w*|fondé\w*|construit\w*|lancé\w*|créé\w*|depuis|né|née|date|achet\w*|installé\w*|mise? en service)\b",
    re.IGNORECASE,
)


def age(pool: Pool, today: str = "") -> Calculation | None:
    """The full years from the day that a sentence names as the beginning; None where several could be meant."""
    plan = pool.plan
    if not _ASKED.search(plan.question):
        return None
    then = _reference(plan, today)
    terms = [term for term in telling_terms(plan) if term.noun or term.kind in ("name", "code")]
    given = {
        word for mention in find_dates(plan.question) for word in plan.question[mention.start : mention.end].split()
    }
    terms = [term for term in terms if term.written not in given and not _SAYING.fullmatch(term.written)]
    if then is None or not terms:
        return None
    for item in pool.ranked[:20]:
        born = _born(item)
        if born is None or not _about(pool, item, terms):
            continue
        first, whole = born
        if first > then:
            return None
        reached = not whole or (then.month, then.day) >= (first.month, first.day)
        expression = f"{then.year} - {first.year}" + ("" if reached else " - 1")
        shown = (show_date(first, plan.language) if whole else str(first.year), show_date(then, plan.language))
        values = (("first", shown[0]), ("second", shown[1]))
        return Calculation(expression, "", "years_between", "", (item,), values, plan.language)
    return None


def _born(item: Scored) -> tuple[date, bool] | None:
    """The one day, or year, of a sentence with a word of beginning before it; False for a year alone."""
    for mention, day in days_of(item.unit):
        if _BORN.search(item.unit.text[max(0, mention.start - 60) : mention.end + 25]):
            return day, True
    for match in re.finditer(r"\b(?:1[6-9]|20)\d\d\b", item.unit.text):
        if not item.unit.dates and _BORN.search(item.unit.text[max(0, match.start() - 45) : match.end() + 25]):
            return date(int(match.group()), 1, 1), False
    return None


def _about(pool: Pool, item: Scored, terms: list[Term]) -> bool:
    """True where the sentence names the things of the question; one of them may be only in its heading or document."""
    inside = sum(item.credits.get(term.key, 0.0) >= 0.6 for term in terms)
    around = Bag(" ".join((item.seen.document, *item.unit.headings)).replace("-", " ").replace("_", " "), None)
    named = sum(item.credits.get(term.key, 0.0) >= 0.6 or around.credit(term) >= 0.6 for term in terms)
    return inside >= 1 and named == len(terms)


def _reference(plan: Plan, today: str) -> date | None:
    """The day of the question, the last of its year, or today."""
    for mention in find_dates(plan.question):
        if mention.exact is not None:
            return mention.exact
    if match := re.search(r"\b20\d\d\b", plan.question):
        return date(int(match.group()), 12, 31)
    try:
        return date.fromisoformat(today)
    except ValueError:
        return None
