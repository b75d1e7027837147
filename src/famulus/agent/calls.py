"""The tool calls of one round: decided, run (reads together, writes one after another), and written down in the order of the calls."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import groupby
from typing import Final

from famulus.agent.citations import number, source_json
from famulus.agent.decide import Answered, Decision, Ready, decide
from famulus.agent.records import StepStatus, passage_json, usage_json
from famulus.agent.run import Run
from famulus.events.types import SOURCES, TOOL_CALL, TOOL_RESULT, Draft
from famulus.messages.notices import notice_text
from famulus.messages.values import JsonObject, JsonValue, ToolCall
from famulus.policy.untrusted import escape_template_tokens
from famulus.tools.base import ToolOutput
from famulus.tools.bounding import Bounded, encode
from famulus.tools.gate import GateResult, Prepared

# An artifact id that begins so is the content of that call's own event; see `view.stored_result`.
RESULT_PREFIX: Final = "result-"
# From this many identical calls on the model is told that it repeats itself, instead of getting the same result once more.
_REPETITION: Final = 3


async def run_calls(
    run: Run,
    round: int,
    offer: Sequence[str],
    calls: Sequence[ToolCall],
    *,
    recovered: bool = False,
    started: frozenset[str] = frozenset(),
) -> None:
    """All the calls get a result. `offer` is the frozen tool list of the round; `started` names calls that a former worker had begun.

    Leaves the last results written but not committed: they go out with what the loop does next.
    """
    decisions = decide(run, offer, calls, recovered, started)
    for lane, group in groupby(decisions, key=lambda decision: decision.lane):
        batch = list(group)
        if lane == "read":
            await _run_reads(run, round, batch)
        else:
            for decision in batch:
                await _run_write(run, round, decision)
    _tell_sources(run)


async def _run_reads(run: Run, round: int, batch: Sequence[Decision]) -> None:
    """Reads begin while their steps are being committed, for what has no effect may happen twice; a query leaves this machine only after that."""
    at = _now(run)
    for decision in batch:
        _write_step(run, round, decision, at)
    ready = [decision.prepared for decision in batch if isinstance(decision, Ready)]
    if any(prepared.tool.network for prepared in ready):
        await run.journal.commit()
    tasks = _begin(run, ready)
    try:
        if tasks:
            # What answers at once shares its commit with what follows.
            await asyncio.sleep(0)
        for decision in batch:
            if isinstance(decision, Answered):
                _write_answered(run, decision)
                continue
            task = tasks[decision.prepared.call.call_id]
            if not task.done():
                # Somebody watches: what is there already goes out before the wait.
                await run.journal.commit()
            await _write_result(run, decision.prepared, await task)
    finally:
        await _cancel(list(tasks.values()))


def _begin(run: Run, ready: Sequence[Prepared]) -> dict[str, asyncio.Task[GateResult]]:
    """The calls under way, by id. One user may hold only so many places at the gate; a round does not fight with itself for them."""
    execute, most = run.deps.gate.execute, run.limits.calls_at_once
    if len(ready) <= most:
        return {prepared.call.call_id: asyncio.create_task(execute(prepared, run.context)) for prepared in ready}
    places = asyncio.Semaphore(most)

    async def in_turn(prepared: Prepared) -> GateResult:
        async with places:
            return await execute(prepared, run.context)

    return {prepared.call.call_id: asyncio.create_task(in_turn(prepared)) for prepared in ready}


async def _run_write(run: Run, round: int, decision: Decision) -> None:
    _write_step(run, round, decision, _now(run))
    if isinstance(decision, Answered):
        _write_answered(run, decision)
        return
    await run.journal.commit()
    result = await run.deps.gate.execute(decision.prepared, run.context)
    await _write_result(run, decision.prepared, result)
    await run.journal.commit()


async def _cancel(tasks: list[asyncio.Task[GateResult]]) -> None:
    open_tasks = [task for task in tasks if not task.done()]
    for task in open_tasks:
        task.cancel()
    if open_tasks:
        await asyncio.gather(*open_tasks, return_exceptions=True)


def step_json(
    round: int,
    call: ToolCall,
    recorded: JsonObject,
    effect: str,
    status: StepStatus,
    *,
    network: bool = False,
    **more: JsonValue,
) -> JsonObject:
    """A step as API and events show it."""
    step: JsonObject = {
        "round": round,
        "call_id": call.call_id,
        "tool": call.tool[:64],
        "arguments": recorded,
        "effect": effect,
        "network": network,
        "blocked": False,
        "cached": False,
        "status": status,
    }
    return step | more


def _now(run: Run) -> str:
    return run.journal.now().isoformat().replace("+00:00", "Z")


def _write_step(run: Run, round: int, decision: Decision, at: str) -> None:
    """`at` is when the call begins, as text."""
    if isinstance(decision, Ready):
        if decision.started:
            return
        prepared = decision.prepared
        step = step_json(
            round,
            prepared.call,
            prepared.recorded,
            prepared.effect,
            "running",
            network=prepared.tool.network,
            started_at=at,
        )
        run.journal.write(Draft(TOOL_CALL, step, {"key": prepared.key}))
        return
    status: StepStatus = "failed" if decision.error is not None else "succeeded"
    step = step_json(round, decision.call, decision.recorded, decision.effect, status, started_at=at)
    step |= {"blocked": decision.blocked, "cached": decision.same_as is not None}
    if decision.error is not None:
        step["error"] = decision.error[:300]
    run.journal.write(Draft(TOOL_CALL, step, None if decision.key is None else {"key": decision.key}))


async def _write_result(run: Run, prepared: Prepared, result: GateResult) -> None:
    """Numbers the passages, bounds the result, keeps the whole of what was cut, and writes the result down."""
    private: JsonObject = {}
    if result.output is not None:
        result = _numbered(run, result, result.output, private)
    bounded = run.deps.gate.bound(result)
    if bounded.content != bounded.preview:
        private["content"] = bounded.content
    data: JsonObject = {
        "call_id": prepared.call.call_id,
        "status": result.status,
        "preview": bounded.preview,
        "truncated": bounded.truncated,
        "blocked": False,
        "network": result.network,
        "cached": False,
        "is_error": result.is_error,
        "duration_ms": result.duration_ms,
    }
    if result.error is not None:
        data["error"] = result.error[:300]
    if bounded.full is not None:
        data["artifact_id"] = await _keep(run, prepared.call.call_id, bounded)
    if prepared.tool.toolbox == "knowledge":
        private["retrieval"] = True
    run.journal.write(Draft(TOOL_RESULT, data, private))
    for notice in result.output.notices if result.output else ():
        if notice not in run.state.notices:
            run.notice(notice, notice_text(notice))


async def _keep(run: Run, call_id: str, bounded: Bounded) -> str:
    """Where the whole result can be opened. What the event itself holds whole needs no copy: its id names the call."""
    if not bounded.truncated or bounded.full is None:
        return f"{RESULT_PREFIX}{call_id}"
    content = bounded.full.encode()
    return await run.deps.artifacts.put(run.principal.tenant, run.run_id, call_id, "application/json", content)


def _numbered(run: Run, result: GateResult, output: ToolOutput, private: JsonObject) -> GateResult:
    taken = run.state.numbers.take(output.passages)
    if taken:
        private["passages"] = [passage_json(n, passage) for n, passage in taken]
    if output.usage is not None:
        private["usage"] = usage_json(output.usage)
    if not output.passages:
        return result
    own = {passage.chunk_id: run.state.numbers.by_chunk[passage.chunk_id] for passage in output.passages}
    data = number(output.data, own)
    output = ToolOutput(data, output.passages, output.notices, output.usage)
    return GateResult(result.status, output, None, result.blocked, result.network, result.duration_ms, result.trusted)


def _write_answered(run: Run, decision: Answered) -> None:
    content, failed = _answer(run, decision)
    data: JsonObject = {
        "call_id": decision.call.call_id,
        "status": "failed" if failed else "succeeded",
        "preview": content[: run.limits.preview_characters],
        "truncated": False,
        "blocked": decision.blocked,
        "network": False,
        "cached": decision.same_as is not None,
        "is_error": failed,
        "duration_ms": 0.0,
    }
    if decision.error is not None:
        data["error"] = decision.error[:300]
    private: JsonObject | None = {"content": content} if content != data["preview"] else None
    run.journal.write(Draft(TOOL_RESULT, data, private))


def _answer(run: Run, decision: Answered) -> tuple[str, bool]:
    if decision.same_as is None:
        return encode({"error": escape_template_tokens(decision.error or "Not executed.")}), True
    first = run.state.calls[decision.same_as]
    if first.is_error or first.content is None:
        return encode({"error": f"The same call failed above ({decision.same_as}); change it."}), True
    if decision.repeated < _REPETITION:
        return first.content, False
    notice = (
        f"This exact call was made {decision.repeated} times; it was not executed again. Its result stands above (call {decision.same_as}) "
        "and does not change. Use other words, another tool, or answer with what there is."
    )
    return encode({"notice": notice, "same_as": decision.same_as}), False


def _tell_sources(run: Run) -> None:
    numbers = run.state.numbers
    if len(numbers.passages) > run.state.sources_told:
        sources: list[JsonValue] = [source_json(source) for source in numbers.sources()]
        run.journal.write(Draft(SOURCES, {"sources": sources}))
