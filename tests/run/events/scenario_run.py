"""A run of three effects, killed at every commit; another worker takes it up and must repeat and lose nothing.

Arguments: `target` (for `open_database`) and `folder` (what was acknowledged and what was done, as plain files).
"""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from pathlib import Path

from famulus.errors import LeaseLost
from famulus.events.log import EventLog
from famulus.events.records import Lease
from famulus.events.types import DONE, RUN_STARTED, RUN_SUMMARY, TOOL_CALL, TOOL_RESULT, Draft, RunStatus
from famulus.jobs.queue import JobQueue
from famulus.jobs.worker import Worker
from famulus.messages.values import JsonObject, Principal
from famulus.store.database import open_database
from famulus.testing.crash import CrashDatabase, KillSwitch, sweep

LEASE_S = 0.3
STEPS = 3


def note(folder: Path, name: str, line: str) -> None:
    with (folder / name).open("a") as file:
        file.write(f"{line}\n")
        file.flush()
        os.fsync(file.fileno())


def lines(folder: Path, name: str) -> list[str]:
    path = folder / name
    return path.read_text().splitlines() if path.exists() else []


async def execute(log: EventLog, lease: Lease, folder: Path) -> None:
    """The smallest fold: what the events say is done is not done again."""
    events = await log.read(lease.tenant, lease.run_id)
    started = {event.data["call_id"] for event in events if event.type == TOOL_CALL}
    finished = {event.data["call_id"] for event in events if event.type == TOOL_RESULT}

    async def append(draft: Draft, *more: Draft, status: RunStatus | None = None) -> None:
        for event in await log.append(lease, [draft, *more], status=status):
            note(folder, f"{lease.tenant}.acknowledged", f"{event.seq} {event.type}")

    if not events:
        await append(Draft(RUN_STARTED, {}))
    for step in range(STEPS):
        if step in finished:
            continue
        outcome = "unknown"
        if step not in started:
            await append(Draft(TOOL_CALL, {"call_id": step, "status": "running"}))
            note(folder, f"{lease.tenant}.effects", str(step))
            outcome = "succeeded"
        await append(Draft(TOOL_RESULT, {"call_id": step, "status": outcome}))
    await append(Draft(DONE, {"text": "x"}), Draft(RUN_SUMMARY, {}), status="completed")


async def claimed(log: EventLog, worker: str) -> Lease:
    """The run, however long the machine paused between registering and claiming."""
    while True:
        await log.register_worker(worker, LEASE_S)
        with suppress(LeaseLost):
            (lease,) = await log.claim(worker, 1)
            return lease


async def work(switch: KillSwitch, attempt: int, arguments: JsonObject) -> None:
    folder = Path(str(arguments["folder"]))
    database = CrashDatabase(await open_database(str(arguments["target"]), pool_size=2), switch)
    log = EventLog(database)
    run_id = await log.create(Principal(f"t{attempt}", "anna"), {"attempt": attempt}, run_id=f"run-{attempt}")
    note(folder, f"t{attempt}.created", run_id)
    await execute(log, await claimed(log, f"w{attempt}"), folder)
    await log.remove_worker(f"w{attempt}")
    await log.aclose()
    await database.aclose()


async def verify(attempt: int, arguments: JsonObject) -> None:
    folder, tenant = Path(str(arguments["folder"])), f"t{attempt}"
    async with await open_database(str(arguments["target"]), pool_size=2) as database:
        log = EventLog(database)
        records = await log.records(tenant)
        assert len(records) >= len(lines(folder, f"{tenant}.created")), "an acknowledged run is lost"

        async def executor(lease: Lease) -> None:
            await execute(log, lease, folder)

        if not database.exclusive:
            await asyncio.sleep(LEASE_S)
        async with Worker(log, JobQueue(database), executor, {}), asyncio.timeout(20):
            for record in records:
                events = [item async for item in log.subscribe(tenant, record.run_id)]
                assert [event.seq for event in events] == list(range(1, len(events) + 1))
                assert (await log.record(tenant, record.run_id)).status == "completed"
                kept = {f"{event.seq} {event.type}" for event in events}
                assert kept >= set(lines(folder, f"{tenant}.acknowledged")), "an acknowledged event is lost"
        effects = lines(folder, f"{tenant}.effects")
        assert len(effects) == len(set(effects)), "an effect was repeated"
        await log.aclose()


if __name__ == "__main__":
    sweep(work, verify)
