"""Following a run as a page does: the event stream, the text put together from its pieces, and the log itself."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any, Final

import psycopg

from famulus.testing.server import FamulusServer

DATABASE_URL: Final = "FAMULUS_DATABASE_URL"


@dataclass
class Follower:
    """What one reader of a run has: durable events by number, the text by offset and of finished responses, the last id."""

    last_id: str = ""
    events: dict[int, dict[str, Any]] = field(default_factory=dict[int, dict[str, Any]])
    text: str = ""
    finished: int = 0
    seen: int = 0

    async def follow(self, server: FamulusServer, run_id: str, enough: Callable[[], bool] = lambda: False) -> None:
        """Reads on from the last id until the end of the run, or until it is `enough`."""
        headers = {"Last-Event-ID": self.last_id} if self.last_id else {}
        async for place, event in stream(server, run_id, headers):
            self.last_id = place
            self.take(event)
            if enough():
                return

    def take(self, event: dict[str, Any]) -> None:
        self.seen += 1
        data = event["data"]
        if event["type"] == "chat.stream.v1":
            assert data["offset"] <= len(self.text), "a piece of the text is missing"
            self.text = self.text[: data["offset"]] + data["delta"] + self.text[data["offset"] + len(data["delta"]) :]
        elif event["type"] != "chat.reasoning.v1":
            assert event["seq"] not in self.events, "an event came twice"
            self.events[event["seq"]] = event
        if event["type"] == "run.response.v1":
            # Whoever comes late may have it from here alone.
            self.text = self.text[: self.finished] + data["text"]
            self.finished = len(self.text)

    @property
    def types(self) -> list[str]:
        return [self.events[seq]["type"] for seq in sorted(self.events)]


async def stream(
    server: FamulusServer, run_id: str, headers: dict[str, str]
) -> AsyncIterator[tuple[str, dict[str, Any]]]:
    """(id, event) until the stream ends."""
    headers = {"Authorization": f"Bearer {server.client.token}", **headers}
    url = f"{server.address}/api/v1/runs/{run_id}/events"
    async with server.client.session.get(url, headers=headers) as response:
        assert response.status == 200
        fields: dict[str, str] = {}
        async for raw in response.content:
            line = raw.decode().rstrip("\n")
            if line:
                name, _, value = line.partition(": ")
                fields[name] = value
            elif "data" in fields:
                yield fields["id"], json.loads(fields["data"])
                fields = {}


async def finished(server: FamulusServer, run_id: str) -> dict[str, Any]:
    """The Run object once it has ended."""
    going = ("queued", "running")
    return await server.client.until(f"/api/v1/runs/{run_id}", lambda run: run["status"] not in going)


async def ended_events(server: FamulusServer, run_id: str) -> list[dict[str, Any]]:
    """All durable events of the ended run: numbered without a gap, one end."""
    await finished(server, run_id)
    headers = {"Accept": "application/json"}
    events = (await server.client.get(f"/api/v1/runs/{run_id}/events", headers=headers)).body["items"]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    kinds = [event["type"] for event in events]
    assert (kinds.count("chat.done.v1"), kinds.count("run.summary.v1"), kinds[-1]) == (1, 1, "run.summary.v1")
    return events


def rows(server: FamulusServer, query: str) -> list[tuple[Any, ...]]:
    """Straight from the database, also of a dead process."""
    if url := server.environment.get(DATABASE_URL):
        with psycopg.connect(url) as postgres:
            return postgres.execute(query.encode()).fetchall()
    with sqlite3.connect(server.folder / "famulus.db") as connection:
        found = connection.execute(query).fetchall()
    connection.close()
    return found


def end_leases(server: FamulusServer) -> None:
    """As if the lease of the killed process had run out. On the embedded store it needs none: nobody else can be there."""
    if url := server.environment.get(DATABASE_URL):
        with psycopg.connect(url) as postgres:
            postgres.execute("UPDATE worker SET lease_until_us = 0")


def stored_events(server: FamulusServer, run_id: str) -> list[dict[str, Any]]:
    """The events of the log as clients would see them, without their times."""
    query = f"SELECT seq, type, data FROM run_event WHERE run = '{run_id}' ORDER BY seq"
    return [{"seq": seq, "type": kind, "data": json.loads(data)} for seq, kind, data in rows(server, query)]


async def until(true: Callable[[], bool], timeout_s: float = 20.0) -> None:
    async with asyncio.timeout(timeout_s):
        while not true():  # noqa: ASYNC110 (another process makes it true)
            await asyncio.sleep(0.01)
