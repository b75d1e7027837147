"""The loop of one run: a fold over its events, round by round, until there is an answer or a limit.

Each round: time left? budget left? → the offer of tools → the model's stream → its calls → next round. The last round is asked without tools.
Everything the loop knows comes from the log, so a worker that takes over goes on where the events end.
"""

from __future__ import annotations

import re
import time
from contextlib import aclosing
from datetime import timedelta
from typing import Final

from msgspec.structs import replace

from famulus.agent.answer import judge
from famulus.agent.calls import run_calls
from famulus.agent.context import Context, Layer, prompt_window, render
from famulus.agent.ending import Ending, conclude, empty_answer, out_of_budget, out_of_rounds, out_of_time
from famulus.agent.estimate import estimated_usage
from famulus.agent.pipeline import given_messages
from famulus.agent.prompt import CLOSING
from famulus.agent.records import call_json, private_call_json, replay_json, usage_json
from famulus.agent.run import Run
from famulus.agent.state import RoundState
from famulus.errors import Invalid
from famulus.events.types import RUN_RESPONSE, RUN_ROUND, Draft
from famulus.messages.ids import new_id
from famulus.messages.values import JsonObject, ToolCall
from famulus.models.base import ModelNotice, ModelRequest, ModelResponse, ReasoningDelta, TextDelta
from famulus.models.errors import ModelFailed
from famulus.tools.bounding import bound_arguments
from famulus.tools.validate import check_size

_RECOVERED: Final = "recovered_call"
_SHORTER: Final = 0.6
# Source: the pattern that OpenAI and Anthropic require of a function's name.
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_NO_NAME: Final = re.compile(r"[^A-Za-z0-9_-]")


async def run_rounds(run: Run) -> None:
    """Rounds until the run has ended."""
    ending = None
    while ending is None:
        ending = await _round(run)
    await conclude(run, ending)


async def _round(run: Run) -> Ending | None:
    """One round, or the rest of one that a former worker began. The ending, once there is one."""
    current = run.state.round
    if current is not None and current.answered and not current.complete:
        await _finish_calls(run, current)
        return None
    if current is None or current.answered:
        if ending := _out_of_anything(run):
            return ending
        current, context = _open_round(run)
    else:
        context = _context(run, current.tools)
    await run.journal.commit()
    calls = await _ask(run, current, context)
    if calls:
        await run_calls(run, current.number, current.tools, calls, recovered=current.recovered)
        return None
    return _after_answer(run, current)


def _out_of_anything(run: Run) -> Ending | None:
    if run.journal.now() - run.taken_at > timedelta(seconds=run.limits.run_timeout_s):
        return out_of_time(run)
    budget, cost = run.request.budget, run.state.usage.cost
    if budget is not None and run.state.rounds:
        if not cost.complete or (cost.amount and cost.currency != budget.currency):
            return out_of_budget(run, unknown=True)
        if cost.amount >= budget.amount:
            return out_of_budget(run, unknown=False)
    return None


def _open_round(run: Run) -> tuple[RoundState, Context]:
    """Writes `run.round.v1`. The last round, and one that follows an empty answer, offer no tools."""
    number = len(run.state.rounds) + 1
    last = run.state.round
    again = last is not None and last.complete and not last.calls
    closing = number >= run.request.max_rounds or again or run.state.pipeline
    tools = () if closing else run.state.tools
    context = _context(run, tools)
    if context.left_out and context.left_out != run.state.left_out:
        run.state.left_out = context.left_out
        message = f"{context.left_out} parts of the conversation or of tool results were left out or cut to fit the model's window."
        run.notice("context_cut", message, context.json())
    data: JsonObject = {
        "round": number,
        "model": run.request.model,
        "tools": [*tools],
        "context": context.json(),
    }
    # The prompt is kept with the first round, so that a restart says the same to the model.
    private: JsonObject | None = {"prompt": run.state.prompt, "pipeline": run.state.pipeline} if number == 1 else None
    run.journal.write(Draft(RUN_ROUND, data, private))
    return run.state.rounds[-1], context


def _context(run: Run, tools: tuple[str, ...]) -> Context:
    offer = Layer("tools", run.deps.gate.registry.offer(tools).characters, len(tools))
    closing = not tools and bool(run.state.tools) and not run.state.pipeline
    system = f"{run.state.prompt}\n\n{CLOSING}" if closing else run.state.prompt
    given = given_messages(run.state.given)
    return render(run.state, system, run.history, run.request.message, given, offer, _window(run))


def _window(run: Run) -> int:
    """The tokens that a request may take."""
    return int(prompt_window(run.info, run.limits) * run.window_share)


async def _ask(run: Run, current: RoundState, context: Context) -> tuple[ToolCall, ...]:
    """The calls of the model's response. A prompt that was too long after all is sent again, shorter."""
    while True:
        try:
            return await _stream(run, current, context)
        except ModelFailed as failure:
            sent = context.characters
            if failure.kind != "context_exceeded" or not failure.before_first_token:
                raise
            run.window_share *= _SHORTER
            context = _context(run, current.tools)
            if context.characters >= sent:
                raise
            run.notice("context_cut", "The model's window was smaller than expected; less was sent.", context.json())
            await run.journal.commit()


async def _stream(run: Run, current: RoundState, context: Context) -> tuple[ToolCall, ...]:
    """Streams one model call and writes `run.response.v1`; the calls that are to be run."""
    request = ModelRequest(
        model=run.request.model,
        messages=context.messages,
        tools=run.deps.gate.registry.offer(current.tools).schemas,
        tool_choice="auto" if current.tools else "none",
        temperature=run.request.temperature,
    )
    started, recovered = time.perf_counter(), False
    timing: JsonObject = {}
    response: ModelResponse | None = None
    items = run.deps.gateway.stream(run.principal, request, run.spend)
    async with aclosing(items):
        async for item in items:
            if isinstance(item, TextDelta):
                if not timing:
                    timing = {"first_token_ms": _elapsed(started), "first_word_ms": _since_start(run)}
                run.journal.text(item.text)
                if run.journal.partial_length > run.limits.response_characters:
                    break
            elif isinstance(item, ReasoningDelta):
                run.journal.reasoning(item.text)
            elif isinstance(item, ModelNotice):
                recovered = recovered or item.code == _RECOVERED
                await _tell(run, item)
            else:
                response = item
    timing["duration_ms"] = _elapsed(started)
    return _write_response(run, current, response, timing, recovered)


async def _tell(run: Run, notice: ModelNotice) -> None:
    """At once, for somebody may wait. What a former worker was told in the same words is not told again."""
    if run.state.notices.get(notice.code) != notice.message:
        run.notice(notice.code, notice.message, notice.data)
        await run.journal.commit()


def _since_start(run: Run) -> float:
    """Milliseconds since the run began: a reader waits for the searches before the model call too."""
    began = run.state.started_at or run.journal.now()
    return round(max(0.0, (run.journal.now() - began).total_seconds() * 1_000), 3)


def _elapsed(started: float) -> float:
    return round((time.perf_counter() - started) * 1_000, 3)


def _write_response(
    run: Run, current: RoundState, response: ModelResponse | None, timing: JsonObject, recovered: bool
) -> tuple[ToolCall, ...]:
    """`response` is None where the loop itself cut an endless text."""
    text = run.journal.take_partial()
    calls = _accepted(run, response.calls) if response is not None else ()
    kept = calls[: run.limits.calls_recorded]
    if len(kept) < len(calls):
        run.notice("calls_dropped", f"The model asked for {len(calls)} calls at once; {len(kept)} were kept.")
    ignored = bool(kept) and not current.tools
    data: JsonObject = {
        "round": current.number,
        "text": text,
        "calls": [call_json(call, _recorded(run, call)) for call in kept],
        "usage": usage_json(response.usage if response else estimated_usage(run, current, len(text))),
        "finish": "cut" if response is None else response.finish,
    }
    if ignored:
        data["calls_ignored"] = True
    if recovered:
        data["recovered"] = True
    private: JsonObject = {"calls": [private_call_json(call, run.limits.recorded_argument_characters) for call in kept]}
    if response is not None and response.replay is not None and kept == response.calls:
        private["replay"] = replay_json(response.replay)
    run.journal.write(Draft(RUN_RESPONSE, data | timing, private))
    return () if ignored else kept


def _recorded(run: Run, call: ToolCall) -> JsonObject:
    if call.arguments is None:
        return {"raw": call.raw[: run.limits.recorded_argument_characters]}
    return bound_arguments(call.arguments, run.limits)


def _accepted(run: Run, calls: tuple[ToolCall, ...]) -> tuple[ToolCall, ...]:
    """The calls as the log and every provider can hold them.

    Ids that are missing or come again are replaced, names that are no names are spelled out, oversized arguments become a problem.
    """
    seen: set[str] = set()
    accepted: list[ToolCall] = []
    for call in calls:
        if not call.call_id or call.call_id in seen or call.call_id in run.state.calls or len(call.call_id) > 200:
            call = replace(call, call_id=new_id())
        if _NAME.fullmatch(call.tool) is None:
            call = replace(call, tool=_plain_name(run, call.tool))
        if call.arguments is not None:
            try:
                check_size(call.arguments, run.limits)
            except Invalid as error:
                call = replace(call, arguments=None, problem=str(error))
        seen.add(call.call_id)
        accepted.append(call)
    return calls if all(a is b for a, b in zip(calls, accepted, strict=True)) else tuple(accepted)


def _plain_name(run: Run, name: str) -> str:
    """A name that a provider takes back in its history; never the name of a tool that exists."""
    plain = _NO_NAME.sub("_", name[:60]) or "unnamed"
    return f"no_{plain}" if plain in run.deps.gate.registry else plain


async def _finish_calls(run: Run, current: RoundState) -> None:
    """The calls that a former worker left open. Reads run again under their ids; a started write is reported, never repeated."""
    open_calls = [call for call in current.calls if not call.done]
    started = frozenset(call.call.call_id for call in open_calls if call.started)
    calls = [call.call for call in open_calls]
    await run_calls(run, current.number, current.tools, calls, recovered=current.recovered, started=started)


def _after_answer(run: Run, current: RoundState) -> Ending | None:
    """The verdict on a response without calls; None to ask once more."""
    contents = [call.content or "" for call in run.state.calls.values()]
    verdict = judge(current, contents)
    if verdict == "answer":
        if current.finish in ("length", "content_filter", "cut"):
            run.notice(
                "answer_cut", "The answer was cut: the model reached its output limit.", {"finish": current.finish}
            )
            return Ending("completed", truncated=True, reason=current.finish)
        return _complete(run, current)
    if current.number >= run.request.max_rounds:
        return out_of_rounds(run, answered=False)
    earlier = run.state.rounds[-2] if len(run.state.rounds) > 1 else None
    if earlier is not None and not earlier.calls:
        return empty_answer(run, tool_output=verdict == "tool_output")
    return None


def _complete(run: Run, current: RoundState) -> Ending:
    """A closing call that the limit forced is an answer, but not one that the model came to by itself."""
    if run.state.tools and not run.state.pipeline and current.number >= run.request.max_rounds:
        return out_of_rounds(run, answered=True)
    return Ending("completed")
