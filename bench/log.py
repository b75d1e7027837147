"""Appends a second and CPU an append of the event log, on SQLite and on PostgreSQL, with many runs in flight.

    python bench/log.py [--runs 100] [--appends 30]

CPU is that of this process, all its threads; PostgreSQL's own processes are not in it. `live` is the cost of one streamed chunk
from `publish` to a subscriber that takes it.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time

from famulus.events.log import EventLog
from famulus.events.records import Lease
from famulus.events.types import RUN_NOTICE, TOOL_RESULT, Draft
from famulus.messages.values import Principal
from famulus.store.database import open_database
from famulus.testing.postgres import temporary_postgres

_DATA = {"call_id": "c1", "status": "succeeded", "preview": "x" * 300, "truncated": False, "duration_ms": 12}


async def appends(target: str, runs: int, count: int) -> str:
    async with await open_database(target) as database:
        log = EventLog(database)
        leases = await _claim(log, runs)
        started, cpu = time.perf_counter(), time.process_time()
        await asyncio.gather(*(_append(log, lease, count) for lease in leases))
        wall_s, cpu_s = time.perf_counter() - started, time.process_time() - cpu
        await log.aclose()
        total = runs * count
        return f"{total / wall_s:8.0f} appends/s  {cpu_s / total * 1e6:6.0f} µs CPU an append of 2 events  {wall_s / count * 1e3:6.2f} ms each"


async def _append(log: EventLog, lease: Lease, count: int) -> None:
    for _ in range(count):
        await log.append(lease, [Draft(TOOL_RESULT, _DATA), Draft(RUN_NOTICE, {"n": 1})])


async def _claim(log: EventLog, runs: int) -> list[Lease]:
    principal = Principal("t", "bench")
    await asyncio.gather(*(log.create(principal, {"message": "x"}) for _ in range(runs)))
    await log.register_worker("bench", 3600)
    return await log.claim("bench", runs)


async def live(target: str, chunks: int = 20_000) -> str:
    async with await open_database(target) as database:
        log = EventLog(database)
        (lease,) = await _claim(log, 1)
        reader = asyncio.create_task(_drain(log, lease))
        await asyncio.sleep(0.1)
        cpu = time.process_time()
        for number in range(chunks):
            log.publish(lease.run_id, "chat.stream.v1", "word ", number * 5)
            if number % 20 == 0:
                await asyncio.sleep(0.001)
        await asyncio.sleep(0.1)
        cpu = time.process_time() - cpu
        reader.cancel()
        await log.aclose()
        return f"{cpu / chunks * 1e6:.1f} µs CPU a chunk"


async def _drain(log: EventLog, lease: Lease) -> None:
    async for _ in log.subscribe(lease.tenant, lease.run_id):
        pass


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--appends", type=int, default=30)
    options = parser.parse_args()
    for runs in (1, options.runs):
        with tempfile.TemporaryDirectory() as folder:
            print(f"sqlite      {runs:4} in flight", asyncio.run(appends(folder, runs, options.appends)))
    with tempfile.TemporaryDirectory() as folder:
        print("live        ", asyncio.run(live(folder)))
    with temporary_postgres(durable=True) as server:
        for runs in (1, options.runs):
            url = server.create_database()
            print(f"postgresql  {runs:4} in flight", asyncio.run(appends(url, runs, options.appends)))


if __name__ == "__main__":
    main()
