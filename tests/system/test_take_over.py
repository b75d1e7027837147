"""Two workers on one PostgreSQL: one is killed, the other takes its runs over within the lease."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.system.following import ended_events, finished
from tests.system.product import provider
from tests.system.test_kill_index import SECTIONS, all_done, found, new_base, put
from tests.system.test_kill_run import ANSWER, check, order, rounds

from famulus.testing.model_servers import ScriptedModel
from famulus.testing.server import FamulusServer, Forks

RUNS = 8
# The lease, one more renewal of the other worker until it looks, and what a busy machine needs for the rest of the runs.
TAKEN_OVER_S = 10.0 + 2.5 + 7.5


def select(url: str, query: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(url) as connection:
        return connection.execute(query.encode()).fetchall()


def stored(url: str, run_id: str) -> list[dict[str, Any]]:
    found = select(url, f"SELECT seq, type, data FROM run_event WHERE run = '{run_id}' ORDER BY seq")
    return [{"seq": seq, "type": kind, "data": json.loads(data)} for seq, kind, data in found]


@pytest.mark.postgres
async def test_runs_of_a_killed_worker_go_on_at_the_other_one_without_repetition(
    forks: Forks, tmp_path: Path, postgres_url: str
) -> None:
    async with ScriptedModel("openai", rounds, by="turn") as model:
        environment = {"FAMULUS_DATABASE_URL": postgres_url}
        settings = (forks, tmp_path / "door", provider(model), environment, None)
        async with (
            FamulusServer(*settings, ("serve", "--no-worker", "--port", "0")) as door,
            FamulusServer(forks, tmp_path / "first", provider(model), environment, None, ("worker",)) as first,
        ):
            first.trap("SELECT count(*) >= 40 FROM run_event")
            ids = [await order(door, number) for number in range(RUNS)]
            async with FamulusServer(
                forks, tmp_path / "second", provider(model), environment, None, ("worker",)
            ) as second:
                assert await first.ended() == -9
                killed_at = time.perf_counter()
                before = [stored(postgres_url, run_id) for run_id in ids]
                assert select(postgres_url, "SELECT count(*) FROM run WHERE finished_us IS NULL AND owner IS NOT NULL")[
                    0
                ][0]
                async with asyncio.timeout(TAKEN_OVER_S):
                    runs = [await finished(door, run_id) for run_id in ids]
                print("taken over and ended after", time.perf_counter() - killed_at)
                assert {(run["status"], run["answer"]) for run in runs} == {("completed", ANSWER)}
                effects = first.effects + second.effects
                for number, (run_id, events) in enumerate(zip(ids, before, strict=True)):
                    check(model, effects, number, events, await ended_events(door, run_id))


@pytest.mark.postgres
async def test_documents_of_a_killed_worker_are_read_by_the_other_one(
    forks: Forks, tmp_path: Path, postgres_url: str
) -> None:
    environment = {"FAMULUS_DATABASE_URL": postgres_url}
    async with (
        FamulusServer(forks, tmp_path / "door", "", environment, 0.05, ("serve", "--no-worker", "--port", "0")) as door,
        FamulusServer(forks, tmp_path / "first", "", environment, 0.05, ("worker",)) as first,
    ):
        base = await new_base(door)
        first.trap("SELECT count(*) >= 20 AND EXISTS(SELECT 1 FROM job WHERE state = 'running') FROM vector_row")
        for number in range(3):
            await put(door, base, number)
        assert await first.ended() == -9
        async with FamulusServer(forks, tmp_path / "second", "", environment, 0.05, ("worker",)):
            documents = await all_done(door, base, 3)
        [(chunks, doubled)] = select(postgres_url, "SELECT count(*), count(*) - count(DISTINCT text) FROM chunk")
        [(vectors,)] = select(postgres_url, "SELECT count(*) FROM vector_row JOIN chunk USING (tenant, number)")
        assert (chunks, doubled, vectors) == (3 * SECTIONS, 0, 3 * SECTIONS)
        assert select(postgres_url, "SELECT count(*) FROM vector_row") == [(vectors,)]
        assert {item["chunk_count"] for item in documents} == {SECTIONS}
        assert [await found(door, f"group{number}") for number in range(3)] == [SECTIONS] * 3
