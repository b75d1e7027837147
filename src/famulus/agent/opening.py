"""How a run begins: its first event, and what may take a moment (the model's abilities, the file names for the prompt)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from famulus.agent.history import instructions_of
from famulus.agent.prompt import system_prompt
from famulus.agent.request import to_json, tools_of_run
from famulus.agent.run import Run
from famulus.errors import FamulusError
from famulus.events.types import RUN_STARTED, Draft
from famulus.messages.values import JsonObject

# What is quick shares the commit of the first round; somebody who watches waits no longer than this for the first event.
_SOON_S: Final = 0.01
_RESUMED: Final = "The run was interrupted and goes on from its last step."


def open_run(run: Run) -> None:
    """Writes `run.started.v1`; a run that had begun only says that it goes on."""
    if run.state.started_at is not None:
        run.notice("resumed", _RESUMED)
        return
    request = to_json(run.request)
    request.pop("history", None)
    data: JsonObject = {
        "request": request,
        "model": run.request.model,
        "tools": [*tools_of_run(run.request, run.deps.gate.registry)],
        "servers": [],
        "history": len(run.request.history),
    }
    run.journal.write(Draft(RUN_STARTED, data))


async def prepare(run: Run) -> None:
    """Learns what the model can do, and makes the prompt unless a former worker made it. What was written before goes out while that takes a moment.

    Raises `ModelError` for an unknown model.
    """
    soon = asyncio.get_running_loop().call_later(_SOON_S, run.journal.begin)
    try:
        await _learn(run)
    finally:
        soon.cancel()


async def _learn(run: Run) -> None:
    run.info = await run.deps.gateway.info(run.request.model)
    state = run.state
    if state.prompt:
        return
    state.pipeline = run.request.mode == "pipeline"
    names, more = await _file_names(run)
    tools = () if state.pipeline else state.tools
    knowledge = bool(run.context.scope.knowledge_base_ids)
    directives = (*run.request.directives, *instructions_of(run.request.history))
    request = replace(run.request, directives=directives) if directives != run.request.directives else run.request
    state.prompt = system_prompt(request, tools, names, more, run.journal.now(), knowledge=knowledge)


async def _file_names(run: Run) -> tuple[Sequence[str], bool]:
    """The names for the prompt, and whether there are more. A failing look-up is told and skipped."""
    most = run.limits.prompt_names
    if run.deps.documents is None or not run.context.scope.knowledge_base_ids:
        return (), False
    try:
        found = await run.deps.documents.names(run.context.scope, most + 1)
    except FamulusError:
        run.notice("names_skipped", "The file names could not be read; the answer was made without them.")
        return (), False
    return [item.name for item in found[:most]], len(found) > most
