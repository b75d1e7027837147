"""The loop on the real event log of a SQLite data folder."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from famulus.agent.execute import RunExecutor
from famulus.agent.request import to_json
from famulus.agent.view import view_of
from famulus.events.log import EventLog
from famulus.store.database import open_database
from famulus.testing.agent import ANNA, AgentBench, ask
from famulus.testing.run_log import reassemble
from famulus.testing.scripted import Say, ScriptedModel, call

SCRIPT = (Say("Looking. ", calls=(call("search_documents", {"query": "notice period"}),)), Say("Three months [1]."))


async def test_run_from_the_queue_to_the_last_event(tmp_path: Path) -> None:
    database = await open_database(str(tmp_path / "famulus.db"))
    log = EventLog(database)
    try:
        bench = AgentBench(ScriptedModel(*SCRIPT))
        executor = RunExecutor(replace(bench.deps, log=log, artifacts=log.artifacts))
        run_id = await log.create(ANNA, to_json(ask("What is the notice period?")))
        await log.register_worker("w1", 30)
        (lease,) = await log.claim("w1", 1)
        followed = log.subscribe(ANNA.tenant, run_id)
        following = asyncio.ensure_future(collect(followed))
        record = await log.record(ANNA.tenant, run_id)
        await executor.execute(lease, record.principal, record.request, [], asyncio.Event())
        seen = await following
        view = view_of(await log.record(ANNA.tenant, run_id), await log.read(ANNA.tenant, run_id))
        assert (view.status, view.answer, len(view.sources)) == ("completed", "Looking. Three months [1].", 1)
        assert reassemble([item for item in seen if hasattr(item, "delta")]) in ("", view.answer)
        assert [item.seq for item in seen if hasattr(item, "data")] == list(range(1, 11))
    finally:
        await log.aclose()
        await database.aclose()


async def collect(items: object) -> list[object]:
    return [item async for item in items]
