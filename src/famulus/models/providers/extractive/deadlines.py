"""Days that a question asks for and no document writes out: the end of a term, the last day to give notice, the day that something is due.

The day to count from comes from the question or from a sentence, the span from a sentence; both are quoted. Where either is missing or two
could be meant, there is no calculation.
"""

from __future__ import annotations

from famulus.models.providers.extractive.contract_term import RENEWED, term_end
from famulus.models.providers.extractive.days import spans_of
from famulus.models.providers.extractive.deadline_sources import is_before
from famulus.models.providers.extractive.deadline_words import ENDS, MUST, NOTICE
from famulus.models.providers.extractive.due import due_day
from famulus.models.providers.extractive.figures import Calculation
from famulus.models.providers.extractive.notice import notice_day
from famulus.models.providers.extractive.pool import Pool


def deadline(pool: Pool) -> Calculation | None:
    """The day asked for; None where the question asks for none, a document names it, or what is needed is missing."""
    plan = pool.plan
    if not any(part.asking.wanted in ("date", "duration", "open", "clock") for part in plan.parts) or plan.events:
        return None
    if not any(part.asking.wanted == "date" for part in plan.parts) and not MUST.search(plan.question):
        return None
    if NOTICE.search(plan.question):
        return notice_day(pool)
    first = spans_of(pool.picks[0]) if pool.picks else []
    renewed = ENDS.search(plan.question) and RENEWED.search(plan.question)
    if not renewed and any(is_before(pool.picks[0], span) for span in first) and (found := due_day(pool)) is not None:
        return found
    if ENDS.search(plan.question) and (found := term_end(pool)) is not None:
        return found
    return due_day(pool)
