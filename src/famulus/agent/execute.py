"""The door of this room: a worker hands in a claimed run, and gets control back when the run has ended or is no longer its own."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, cast

from famulus.agent.ending import Ending, conclude, failed, out_of_budget
from famulus.agent.estimate import estimated_usage
from famulus.agent.history import usable_history
from famulus.agent.journal import Journal
from famulus.agent.loop import run_rounds
from famulus.agent.opening import open_run, prepare
from famulus.agent.pipeline import search_first
from famulus.agent.records import usage_json
from famulus.agent.request import RunInput, from_json
from famulus.agent.run import AgentDeps, Run
from famulus.agent.state import fold
from famulus.agent.support import compare
from famulus.errors import FamulusError, LeaseLost
from famulus.events.records import Lease
from famulus.events.types import RUN_RESPONSE, TOOL_CALL, TOOL_RESULT, Draft, Event, RunStatus
from famulus.knowledge.base import Scope
from famulus.messages.values import JsonObject, Principal
from famulus.models.errors import BudgetExceeded
from famulus.models.spend import Spend
from famulus.store.errors import StoreUnavailable
from famulus.tools.base import ToolContext

log: Final = logging.getLogger(__name__)


class RunExecutor:
    """Runs any number of runs at once; keeps nothing between them."""

    def __init__(self, deps: AgentDeps) -> None:
        self._deps = deps

    async def warm_up(self) -> None:
        """Loads what the check of citations needs, in a thread, so that the first answer does not wait for it."""
        await asyncio.to_thread(compare, "Nous 12 oder de", "Nous 12 oder de")

    async def execute(
        self, lease: Lease, principal: Principal, request: JsonObject, events: Sequence[Event], stop: asyncio.Event
    ) -> None:
        """Takes the run from its last event to its end. `stop` asks it to end within two seconds, with what it has.

        Returns silently when the lease is lost. Raises `StoreUnavailable` when the log cannot be written. Cancelled, it leaves the run as the log has it, for the next worker.
        """
        try:
            run = self._take(lease, principal, from_json(request), events)
            if run.state.ended is None:
                await self._until_stopped(run, stop)
        except LeaseLost:
            log.info("run lost to another worker", extra={"run_id": lease.run_id})

    def _take(self, lease: Lease, principal: Principal, request: RunInput, events: Sequence[Event]) -> Run:
        state = fold(events)
        scope = Scope(principal.tenant, request.knowledge_base_ids if request.use_knowledge else ())
        budget = request.budget
        spend = Spend.resumed(None if budget is None else (budget.amount, budget.currency), state.usage.cost)
        return Run(
            run_id=lease.run_id,
            principal=principal,
            request=request,
            deps=self._deps,
            state=state,
            journal=Journal(self._deps.log, lease, state, self._deps.clock),
            context=ToolContext(principal, lease.run_id, scope, request.zone, request.model, request.search, spend),
            taken_at=self._deps.clock.now(),
            history=usable_history(request.history, self._deps.limits.history_messages),
        )

    async def _until_stopped(self, run: Run, stop: asyncio.Event) -> None:
        body = asyncio.ensure_future(_work(run))
        stopped = asyncio.ensure_future(stop.wait())
        try:
            if not stop.is_set():
                await asyncio.wait({body, stopped}, return_when=asyncio.FIRST_COMPLETED)
            if body.done():
                body.result()
                return
            body.cancel()
            await asyncio.wait({body}, timeout=run.limits.stop_grace_s)
            if body.done() and not body.cancelled() and (error := body.exception()) is not None:
                raise error
            await run.journal.settle()
            if run.state.ended is None:
                await _stop(run)
            else:
                # It had come to its own end; its last events may still wait.
                await run.journal.commit(status=cast(RunStatus, run.state.ended))
        finally:
            stopped.cancel()
            if not body.done():
                body.cancel()
                await asyncio.wait({body}, timeout=run.limits.stop_grace_s)
            if not body.done():
                # A tool that ignores its cancellation keeps its task, not the worker; whatever it returns has nowhere to go.
                log.warning("a tool ignores its cancellation", extra={"run_id": run.run_id})
                body.add_done_callback(_forget)
            with suppress(FamulusError):
                await run.journal.settle()


def _forget(task: asyncio.Task[None]) -> None:
    if not task.cancelled():
        task.exception()


async def _work(run: Run) -> None:
    """The whole run; every error but a lost lease becomes its ending."""
    try:
        open_run(run)
        await prepare(run)
        if run.state.pipeline:
            await search_first(run)
        await run_rounds(run)
    except (LeaseLost, StoreUnavailable):
        # Nothing can be written: the worker hands the run back, and it goes on from the log.
        raise
    except BudgetExceeded as error:
        await conclude(run, out_of_budget(run, unknown=error.code == "price_unknown"))
    except Exception as error:
        if run.state.ended is not None:
            raise
        keep_partial(run, "error")
        await conclude(run, failed(error))


def keep_partial(run: Run, finish: str) -> None:
    """Writes down what had streamed of a response that will not be finished."""
    current = run.state.round
    text = run.journal.take_partial()
    if current is None or current.answered or not text:
        return
    data: JsonObject = {
        "round": current.number,
        "text": text,
        "calls": [],
        "usage": usage_json(estimated_usage(run, current, len(text))),
        "finish": finish,
    }
    run.journal.write(Draft(RUN_RESPONSE, data))


async def _stop(run: Run) -> None:
    """The ending of a stopped run: partial text kept, open calls cancelled, no further call of any kind."""
    if run.state.started_at is None:
        open_run(run)
    keep_partial(run, "stopped")
    for state in [call for call in run.state.calls.values() if not call.done]:
        unknown = state.started and state.effect == "write"
        error = "cancelled by the user" + ("; outcome unknown" if unknown else "")
        step: JsonObject = {"call_id": state.call.call_id, "status": "cancelled", "is_error": True, "error": error}
        if not state.started:
            before: JsonObject = {"round": len(run.state.rounds), "tool": state.call.tool[:64], "arguments": {}}
            flags: JsonObject = {"effect": state.effect, "network": False, "blocked": False, "cached": False}
            run.journal.write(Draft(TOOL_CALL, before | step | flags))
        flags = {
            "preview": "",
            "truncated": False,
            "blocked": False,
            "network": False,
            "cached": False,
            "duration_ms": 0.0,
        }
        run.journal.write(Draft(TOOL_RESULT, step | flags, {"content": f'{{"error":"{error}"}}'}))
    await conclude(run, Ending("stopped", truncated=True, reason="stopped"))
