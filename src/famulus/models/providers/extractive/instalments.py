"""Amounts in parts: one of several equal instalments, the whole of several, and so many months of a rent."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from famulus.models.providers.extractive.amounts import MONTHS_OF_RENT
from famulus.models.providers.extractive.figures import (
    Calculation,
    closeness,
    figures_of,
    fraction,
    product,
    style_of,
    telling_terms,
)
from famulus.models.providers.extractive.pool import Pool
from famulus.models.providers.extractive.terms import Bag
from famulus.text.dates import find_dates
from famulus.text.numbers import show_number

_PARTS: Final = re.compile(
    r"\b(?:instal?ments?|payments?|parts?|shares?|raten|teilzahlungen|teilbeträge\w*|teilen?|tranchen|termijnen|delen|échéances|versements|mensualités|paiements|tranches)\b",
    re.IGNORECASE,
)
_EACH: Final = re.compile(
    r"\b(?:each|every|one|single|per|jede[nrsm]?|eine[nr]?|einzelne[nrsm]?|pro|elke?|iedere?|één|een|per|chacune?|chaque|une|par)\b",
    re.IGNORECASE,
)


def equal_part(pool: Pool) -> Calculation | None:
    """`payable in four equal instalments`: one of them."""
    named = _PARTS.search(pool.plan.question) and _EACH.search(pool.plan.question)
    months = {mention.month for mention in find_dates(pool.plan.question) if mention.day is None}
    for pick in pool.picks[:2]:
        # `in two equal parts in January and July`: what is paid in January is one of them.
        if not named and not any(mention.month in months for mention in find_dates(pick.unit.text)):
            continue
        figures = figures_of(pick)
        money = [figure for figure in figures if figure.quantity.kind == "money"]
        counts = [
            figure
            for figure in figures
            if figure.quantity.kind == "count"
            and _PARTS.search(pick.unit.text[figure.quantity.start : figure.quantity.end + 40])
        ]
        if len(money) == 1 and len(counts) == 1 and counts[0].value > 1:
            unit = money[0].quantity.unit
            style = style_of(pool.plan, [pick], unit)
            shown = f"{show_number(money[0].value, style)} / {show_number(counts[0].value, style)}"
            return Calculation(
                f"{fraction(money[0].value)} / {fraction(counts[0].value)}", shown, "rate", unit, (pick,), style=style
            )
    return None


def of_parts(pool: Pool) -> Calculation | None:
    """The whole of several instalments in one sentence: `the last instalment of EUR 18,400; the first two, EUR 27,600 each`."""
    question = pool.plan.question
    if not (
        _PARTS.search(question)
        and re.search(
            r"\b(?:full|whole|total|all|together|sum|ganze\w*|gesamt\w*|alle|zusammen|total\w*|hele|samen|prix|tout\w*|ensemble|montant)\b",
            question,
            re.IGNORECASE,
        )
    ):
        return None
    for pick in pool.all[:4]:
        text = pick.unit.text
        money = [figure for figure in figures_of(pick) if figure.quantity.kind == "money"]
        if not money or not _PARTS.search(text) or len({figure.like for figure in money}) != 1:
            continue
        terms: list[tuple[Decimal, Decimal]] = []
        for figure in money:
            before = text[max(0, figure.quantity.start - 60) : figure.quantity.start]
            counts = [
                q
                for q in pick.unit.quantities
                if q.kind == "count"
                and 1 < q.value < 50
                and figure.quantity.start - 60 <= q.start < figure.quantity.start
            ]
            each = re.match(
                r"\W*(?:each|je|jeweils|elk|ieder|chacun\w*)\b", text[figure.quantity.end :], re.IGNORECASE
            ) or re.search(r"\b(?:each of|je|jeweils|of|à|de|zu)\W+(?:[A-Z]{3}|[€£])?\s?$", before)
            terms.append((counts[-1].value if counts and each else Decimal(1), figure.value))
        if len(terms) < 2 and terms[0][0] == 1:
            continue
        unit = money[0].quantity.unit
        style = style_of(pool.plan, [pick], unit)
        show = [(fraction(n), fraction(v), show_number(n, style), show_number(v, style)) for n, v in terms]
        expression = " + ".join(v if n == "1" else f"{n} * {v}" for n, v, _, _ in show)
        shown = " + ".join(v if n == "1" else f"{n} × {v}" for _, _, n, v in show)
        return Calculation(expression, shown, "total", unit, (pick,), style=style)
    return None


def months_of_rent(pool: Pool) -> Calculation | None:
    """`a deposit of three months' rent`: so many times the monthly amount that the document names for it."""
    plan = pool.plan
    if not any(part.asking.wanted in ("money", "amount") for part in plan.parts):
        return None
    telling = telling_terms(plan)
    for item in pool.picks[:3]:
        if item.seen.document_id != pool.picks[0].seen.document_id:
            continue
        match = MONTHS_OF_RENT.search(item.unit.text)
        months = next(
            (
                q
                for q in item.unit.quantities
                if match and q.start <= match.start("unit") and q.end + 2 >= match.start("unit")
            ),
            None,
        )
        if match is None or months is None or any(quantity.kind == "money" for quantity in item.unit.quantities):
            continue
        own = Bag(item.unit.text, item.unit.language)
        rents: list[tuple[float, int]] = []
        candidates = [
            figure
            for other in pool.of_document(item.seen.document_id)
            for figure in figures_of(other)
            if figure.quantity.kind == "money"
            and (figure.quantity.per == "month" or _MONTHLY.search(_clause(other.unit.text, figure.quantity.start)))
            and _RENT.search(_clause(other.unit.text, figure.quantity.start))
        ]
        # `three months' rent of the shop`: of several rents the one that sentence and question name.
        named = [term for term in telling if own.credit(term) >= 0.6]
        candidates = [
            figure for figure in candidates if any(figure.pick.credits.get(term.key, 0.0) < 0.6 for term in named)
        ]
        terms = [term for term in telling if own.credit(term) >= 0.6 and not _RENT.search(term.written)]
        rents = sorted(
            ((closeness(figure, terms or telling), -index) for index, figure in enumerate(candidates)), reverse=True
        )
        if rents and (len({figure.value for figure in candidates}) == 1 or rents[0][0] > rents[1][0]):
            rent = candidates[-rents[0][1]]
            return product(plan, [rent.value, months.value], rent.quantity.unit, [item, rent.pick])
    return None


_RENT: Final = re.compile(
    r"\b(?:rent|\w*miete|\w*mietzins|\w*huur|huurprijs|loyer|salary|gehalt|lohn|salaris|salaire)\b", re.IGNORECASE
)


# A rent is one of a month, where nothing else is said of it.
_MONTHLY: Final = re.compile(
    r"\b(?:grundmiete|kaltmiete|nettomiete|monatsmiete|kale huur|maandhuur|monthly rent)\b", re.IGNORECASE
)


def _clause(text: str, at: int) -> str:
    """What stands before a figure up to the joint; `and that of the shop GBP 1,875` goes on."""
    return re.split(
        r"[;.]\s|(?:,|\s(?:and|und|en|et))\s(?!(?:that|those|the one|jene|die(?:jenige)? (?:der|des|für|van|voor)|dat|celui|celle)\b)",
        text[max(0, at - 120) : at],
    )[-1]
