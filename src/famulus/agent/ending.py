"""How a run ends: one verdict, then the last events in one commit with the final status."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import Final

from famulus.agent.citations import check, marker_json, source_json
from famulus.agent.phrases import say
from famulus.agent.records import usage_json
from famulus.agent.run import Run
from famulus.errors import FamulusError
from famulus.events.types import DONE, RUN_ERROR, RUN_SUMMARY, Draft, RunStatus
from famulus.messages.ids import new_id
from famulus.messages.values import JsonObject, JsonValue

log: Final = logging.getLogger(__name__)

_NAMES: Final = 5
_SHORT: Final = 1_500


@dataclass(frozen=True, slots=True)
class Ending:
    """`said` is what the product adds itself where the model left no answer; `reason` says why a text is incomplete."""

    status: RunStatus
    truncated: bool = False
    reason: str | None = None
    said: str = ""
    problem: JsonObject | None = None


def failed(error: Exception) -> Ending:
    """The ending for an error. A foreign exception is logged under a number; its text stays on the server."""
    error_id = new_id()
    if isinstance(error, FamulusError):
        code, detail = error.code, str(error)
    else:
        log.error("run failed", exc_info=error, extra={"error_id": error_id})
        code, detail = "internal", "Something went wrong inside the server; the log has it under the error id."
    problem: JsonObject = {
        "type": f"urn:famulus:error:{code}",
        "title": "The run failed",
        "status": 500 if code == "internal" else 502,
        "detail": detail[:1_000],
        "code": code,
        "error_id": error_id,
    }
    return Ending("failed", truncated=True, reason=code, problem=problem)


def empty_answer(run: Run, *, tool_output: bool) -> Ending:
    """The ending for a model that had nothing to say, even when asked again."""
    said = say("tool_output" if tool_output else "empty", run.request.message)
    code = "tool_output_as_answer" if tool_output else "empty_answer"
    problem: JsonObject = {
        "type": f"urn:famulus:error:{code}",
        "title": "The run failed",
        "status": 502,
        "detail": said,
        "code": code,
        "error_id": new_id(),
    }
    return Ending("failed", truncated=True, reason=code, said=_with_findings(run, said), problem=problem)


def out_of_rounds(run: Run, *, answered: bool) -> Ending:
    said = "" if answered else _with_findings(run, say("rounds", run.request.message, rounds=run.request.max_rounds))
    return Ending("max_rounds_reached", truncated=True, reason="max_rounds", said=said)


def out_of_budget(run: Run, *, unknown: bool) -> Ending:
    budget = run.request.budget
    amount = "" if budget is None else f"{budget.currency} {budget.amount}"
    spent = f"{run.state.usage.cost.currency} {run.state.usage.cost.amount.normalize():f}"
    said = say(
        "price_unknown" if unknown else "budget",
        run.request.message,
        budget=amount,
        spent=spent,
        rounds=len(run.state.rounds),
    )
    return Ending(
        "budget_exceeded",
        truncated=True,
        reason="price_unknown" if unknown else "budget",
        said=_with_findings(run, said),
    )


def out_of_time(run: Run) -> Ending:
    said = _with_findings(run, say("deadline", run.request.message))
    ending = failed(FamulusError(f"The run took longer than {run.limits.run_timeout_s:g} s.", code="deadline"))
    return Ending("failed", truncated=True, reason="deadline", said=said, problem=ending.problem)


async def conclude(run: Run, ending: Ending) -> None:
    """Writes the end of the run: error, answer, summary, status, in one commit that waits for the disk."""
    text = run.state.text
    if ending.said:
        text = text + ("\n\n" if text and not text[-1].isspace() else "") + ending.said
        run.journal.text(ending.said)
        run.journal.take_partial()
    passages = run.state.numbers.passages
    # A long answer has many sentences to compare; other runs go on meanwhile.
    checked = check(text, passages) if len(text) < _SHORT else await asyncio.to_thread(check, text, passages)
    answered = ending.status in ("completed", "max_rounds_reached") and not ending.said
    # A run that broke off left words on the way to an answer, not an answer that lacks its sources.
    if answered and text and run.state.numbers.passages and not checked.sources:
        run.notice("uncited", "The answer names no passage; the passages that were found are in the steps.")
    if ending.problem is not None:
        run.journal.write(Draft(RUN_ERROR, ending.problem))
    sources: list[JsonValue] = [source_json(source) for source in checked.sources]
    markers: list[JsonValue] = [marker_json(marker) for marker in checked.markers]
    done: JsonObject = {
        "message_id": run.request.message_id or run.run_id,
        "text": text,
        "sources": sources,
        "status": ending.status,
        "truncated": ending.truncated,
        "markers": markers,
        "unsupported": [*checked.unsupported],
    }
    if ending.reason is not None:
        done["reason"] = ending.reason
    run.journal.write(Draft(DONE, done), Draft(RUN_SUMMARY, _summary(run, ending)))
    await run.journal.commit(status=ending.status)


def _summary(run: Run, ending: Ending) -> JsonObject:
    state, timing = run.state, run.state.timing
    started = state.started_at or run.journal.now()
    whole = max(0.0, (run.journal.now() - started).total_seconds() * 1_000)
    durations: JsonObject = {
        "retrieval_ms": round(timing.retrieval_ms, 3),
        "model_ms": round(timing.model_ms, 3),
        "tools_ms": round(timing.tools_ms, 3),
        "overhead_ms": round(max(0.0, whole - timing.model_ms - timing.tools_ms), 3),
        "first_token_ms": timing.first_token_ms,
    }
    return {
        "status": ending.status,
        "rounds": len(state.rounds),
        "calls": len(state.calls),
        "usage": usage_json(state.usage),
        "durations": durations,
    }


def _with_findings(run: Run, said: str) -> str:
    """The sentence, and the names of the documents that were found, each with its number."""
    named: dict[str, int] = {}
    for n, passage in run.state.numbers.passages.items():
        named.setdefault(passage.document_name, n)
    if not named:
        return said
    names = ", ".join(f"{name} [{n}]" for name, n in list(named.items())[:_NAMES])
    return f"{said} {say('found', run.request.message, names=names)}"
