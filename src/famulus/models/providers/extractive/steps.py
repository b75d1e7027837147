"""The next step of a turn: search, read, search wider, compute, or answer. Each call sees the same plan and goes on where the results end."""

from __future__ import annotations

import re
from typing import Final

from famulus.messages.values import JsonObject, ToolCall
from famulus.models.providers.extractive.answer import compose, computed_line, with_bare_note
from famulus.models.providers.extractive.calendar import weekday_line
from famulus.models.providers.extractive.compute import calculation_for, comparison_line, spoken
from famulus.models.providers.extractive.direct import direct_answer, read_direct
from famulus.models.providers.extractive.evidence import Evidence, gather
from famulus.models.providers.extractive.figures import Calculation
from famulus.models.providers.extractive.phrases import say
from famulus.models.providers.extractive.plan import (
    Plan,
    first_queries,
    make_plan,
    question_language,
    wider_queries,
)
from famulus.models.providers.extractive.pool import pool_of
from famulus.models.providers.extractive.recurring import needs_today
from famulus.models.providers.extractive.select import Chosen, choose, missing_terms
from famulus.models.providers.extractive.situation import Seen, Situation, is_small_talk
from famulus.models.providers.extractive.superlative import tables_asked
from famulus.models.providers.extractive.tables import table_wanted
from famulus.models.providers.extractive.terms import Bag

MOST_CALLS: Final = 8
HITS: Final = 8
TABLE_LENGTH: Final = 8_000
# A longer table is read in windows that overlap; one beyond this is not read whole.
TABLE_STEP: Final = 5_000
MOST_TABLE: Final = 40_000
# Above this the evidence needs no second search.
STRONG: Final = 0.72
_NOW: Final = re.compile(
    r"\b(?:today|now|current (?:date|time)|heute|jetzt|aktuelles datum|vandaag|nu|huidige (?:datum|tijd)|aujourd['’]hui|maintenant|days left|days until|noch tage|tage noch)\b",
    re.IGNORECASE,
)


def next_step(situation: Situation) -> list[ToolCall] | str:
    """Tool calls, all for one round, or the answer."""
    question = situation.question
    language = question_language(question)
    if talk := is_small_talk(question):
        return with_bare_note(say("hello" if talk == "hello" else "thanks", language), language)
    if direct := read_direct(question, language):
        if (answer := direct_answer(direct, situation)) is not None:
            return with_bare_note(answer, direct.language)
        return [_call(situation, 0, direct.tool, direct.arguments)]
    plan = make_plan(question)
    if not situation.passages and not situation.searched and "search_documents" not in situation.tools:
        return with_bare_note(say("no_search", plan.language), plan.language)
    for step in (_search, _read, _whole_tables, _widen):
        calls = step(situation, plan)
        if calls:
            return calls
    evidence = gather(situation, plan)
    choices = choose(evidence, plan)
    pool = pool_of(evidence, plan, choices)
    if needs_today(pool) and "get_current_datetime" in situation.tools and not situation.asked_now:
        return [_call(situation, 0, "get_current_datetime", {})]
    today = str(situation.now.get("date", "")) if situation.now is not None else ""
    calculation = calculation_for(pool, choices, frozenset(situation.whole), today)
    if calculation is not None and calculation.expression not in situation.calculated:
        if "calculate" in situation.tools and not situation.calculated:
            return [_call(situation, 0, "calculate", {"expression": calculation.expression})]
        calculation = None
    line = _computed(situation, plan, calculation)
    sources = calculation.sources if calculation is not None and line else ()
    return compose(plan, choices, _lines(plan, choices, line), sources)


def _computed(situation: Situation, plan: Plan, calculation: Calculation | None) -> str | None:
    """The line of what was computed, once the tool has given its result."""
    if calculation is None:
        return None
    said = spoken(calculation, situation.calculated[calculation.expression], plan.language)
    return computed_line(calculation, said) if said else None


def _lines(plan: Plan, choices: list[Chosen], computed: str | None) -> list[str]:
    found = (computed, weekday_line(plan, choices), comparison_line(plan, choices))
    return [line for line in found if line]


def _search(situation: Situation, plan: Plan) -> list[ToolCall]:
    if situation.searched or "search_documents" not in situation.tools:
        return []
    calls = [
        _call(situation, i, "search_documents", {"query": query, "k": HITS})
        for i, query in enumerate(first_queries(plan))
    ]
    if _NOW.search(plan.question) and "get_current_datetime" in situation.tools and not situation.asked_now:
        calls.append(_call(situation, len(calls), "get_current_datetime", {}))
    return calls[:MOST_CALLS]


def _read(situation: Situation, plan: Plan) -> list[ToolCall]:
    """Reads the most promising passages of which only an excerpt was shown."""
    if "get_chunk" not in situation.tools:
        return []
    ranked = sorted(situation.passages.values(), key=lambda seen: -_promise(seen, plan))
    promising = ranked[:12]
    cut = [seen for seen in promising if not seen.whole and seen.chunk_id not in situation.asked_chunks]
    if len(situation.asked_chunks) >= 2 * MOST_CALLS:
        return []
    return [_call(situation, i, "get_chunk", {"chunk_id": seen.chunk_id}) for i, seen in enumerate(cut[:MOST_CALLS])]


def _promise(seen: Seen, plan: Plan) -> float:
    bag = Bag(" ".join((seen.text, *seen.section, re.sub(r"[._-]", " ", seen.document))))
    total = sum(term.weight for term in plan.terms) or 1.0
    covered = sum(term.weight * bag.credit(term) for term in plan.terms) / total
    return covered + seen.score + 1.5 / (3 + seen.rank)


def _widen(situation: Situation, plan: Plan) -> list[ToolCall]:
    """A second search in other words, once, when a part has no strong evidence."""
    if "search_documents" not in situation.tools or len(situation.searched) > len(first_queries(plan)):
        return []
    evidence = gather(situation, plan)
    choices = choose(evidence, plan)
    if all(choice.answered and choice.picks[0].score >= STRONG for choice in choices):
        return []
    queries = wider_queries(plan, missing_terms(choices), _found_words(evidence, choices))
    queries = [query for query in queries if query not in situation.searched]
    calls = [_call(situation, i, "search_documents", {"query": query, "k": HITS}) for i, query in enumerate(queries)]
    return (calls + _openings(situation, choices, len(calls)))[:MOST_CALLS]


def _whole_tables(situation: Situation, plan: Plan) -> list[ToolCall]:
    """Reads the tables among whose rows a superlative chooses or that are added up, for a search shows only some of the rows."""
    if "read_document" not in situation.tools or plan.alternatives or plan.events:
        return []
    if situation.openings:
        return _rest_of_table(situation)
    choices = choose(gather(situation, plan), plan)
    ids = [name for choice in choices for name in tables_asked(choice.part, plan.language, choice.ranked)]
    ids += [name for choice in choices for name in table_wanted(plan, choice.ranked)]
    wanted = [name for name in dict.fromkeys(ids) if name][:2]
    arguments: list[JsonObject] = [{"document_id": name, "length": TABLE_LENGTH} for name in wanted]
    return [_call(situation, index, "read_document", argument) for index, argument in enumerate(arguments)]


def _rest_of_table(situation: Situation) -> list[ToolCall]:
    """The windows after the first of a table that was asked for whole, overlapping, so that every passage lies in one; none of a long text."""
    arguments: list[JsonObject] = [
        {"document_id": name, "offset": offset, "length": TABLE_LENGTH}
        for name, (end, total) in situation.windows.items()
        if end == TABLE_LENGTH < total <= MOST_TABLE
        for offset in range(TABLE_STEP, total, TABLE_STEP)
    ]
    return [_call(situation, index, "read_document", argument) for index, argument in enumerate(arguments[:MOST_CALLS])]


def _openings(situation: Situation, choices: list[Chosen], index: int) -> list[ToolCall]:
    """Reads how the documents of the best evidence begin: a title often says what (`Lease of Unit 4`) their sentences leave out."""
    if "read_document" not in situation.tools:
        return []
    ids = [item.seen.document_id for choice in choices for item in choice.ranked[:4] if item.missing]
    wanted = [
        document_id for document_id in dict.fromkeys(ids) if document_id and document_id not in situation.openings
    ][:3]
    arguments: list[JsonObject] = [{"document_id": document_id, "length": 1_500} for document_id in wanted]
    return [_call(situation, index + i, "read_document", argument) for i, argument in enumerate(arguments)]


def _found_words(evidence: Evidence, choices: list[Chosen]) -> list[str]:
    """Words of the headings where the best evidence stands: what the documents themselves call the matter."""
    words: list[str] = []
    for choice in choices:
        for item in choice.ranked[:2]:
            words += [word for heading in item.unit.headings[-1:] for word in re.findall(r"[^\W\d_]{4,}", heading)]
    return list(dict.fromkeys(words))[:6]


def _call(situation: Situation, index: int, tool: str, arguments: JsonObject) -> ToolCall:
    return ToolCall(f"call_{situation.rounds + 1}_{index + 1}", tool, arguments)
