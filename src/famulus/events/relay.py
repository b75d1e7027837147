"""Carries runs between processes on one PostgreSQL: who follows a run elsewhere, and what it needs to go on.

A follower leaves a row that says so (and a signal); the process that works on the run then writes the text so far into that row
at most every 200 ms and signals which runs moved. Signals only hasten: both sides also look once a second.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Final, cast

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.dialects.postgresql import insert

from famulus.events.bus import Bus, Channel
from famulus.events.rows import server_now
from famulus.messages.clock import Clock
from famulus.messages.values import JsonObject, JsonValue
from famulus.store.database import Database
from famulus.store.schema.runs import run, run_live

MOVED: Final = "run.moved"
FOLLOWED: Final = "run.followed"
_log: Final = logging.getLogger(__name__)
_EVERY_S: Final = 0.2
_POLL_S: Final = 1.0
_FOLLOW_S: Final = 15.0
_NAMES: Final = 100


class Relay:
    """Both directions for one process. `start` when the first run is followed or claimed; `aclose` at the end."""

    def __init__(self, database: Database, bus: Bus, clock: Clock) -> None:
        self._database = database
        self._bus = bus
        self._clock = clock
        self._followed: set[str] = set()
        self._moved: set[str] = set()
        self._asked: set[str] = set()
        self._push = asyncio.Event()
        self._pull = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._leave: list[Callable[[], None]] = []

    def start(self) -> None:
        if self._tasks:
            return
        self._leave = [
            self._database.on_signal(MOVED, self._on_moved),
            self._database.on_signal(FOLLOWED, self._on_followed),
        ]
        self._tasks = [
            asyncio.create_task(_forever(self._push_once, self._push), name="famulus-relay-push"),
            asyncio.create_task(_forever(self._pull_once, self._pull), name="famulus-relay-pull"),
        ]

    def moved(self, channel: Channel) -> None:
        """A run of this process has new events or text."""
        if channel.run_id in self._followed:
            self._moved.add(channel.run_id)
            self._push.set()

    def follow(self, channel: Channel) -> None:
        """Somebody here follows a run that another process works on."""
        self.start()
        self._asked.discard(channel.run_id)
        self._pull.set()

    async def aclose(self) -> None:
        for leave in self._leave:
            leave()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []

    def _on_moved(self, payload: JsonObject) -> None:
        if any(channel.run_id in _names(payload) for channel in self._bus.followed_elsewhere()):
            self._pull.set()

    def _on_followed(self, payload: JsonObject) -> None:
        names = _names(payload)
        for channel in self._bus.local():
            if channel.run_id in names:
                self._followed.add(channel.run_id)
                self.moved(channel)

    # ── the side that works on runs ──

    async def _push_once(self) -> None:
        local = {channel.run_id: channel for channel in self._bus.local()}
        if not local:
            self._followed.clear()
            return
        self._followed = await self._database.read(lambda c: _followed_among(c, self._clock, list(local)))
        moved = [local[run_id] for run_id in self._moved & local.keys()]
        self._moved.clear()
        if moved:
            rows = [_live_row(channel) for channel in moved]
            await self._database.write(lambda c: self._write_live(c, rows), idempotent=True)

    def _write_live(self, connection: Connection, rows: list[dict[str, object]]) -> None:
        for row in sorted(rows, key=lambda row: str(row["run"])):
            connection.execute(
                sa.update(run_live).where(run_live.c.tenant == row["tenant"], run_live.c.run == row["run"]).values(row)
            )
        names: list[JsonValue] = [str(row["run"]) for row in rows]
        for start in range(0, len(names), _NAMES):
            self._database.notify_in(connection, MOVED, {"runs": names[start : start + _NAMES]})

    # ── the side that follows ──

    async def _pull_once(self) -> None:
        channels = {channel.run_id: channel for channel in self._bus.followed_elsewhere()}
        self._asked &= channels.keys()
        if not channels:
            return
        fresh = [channel for channel in channels.values() if channel.run_id not in self._asked]
        keys = [(channel.tenant, channel.run_id) for channel in channels.values()]
        await self._database.write(lambda c: self._write_followed(c, keys, fresh), idempotent=True)
        self._asked |= channels.keys()
        for row in await self._database.read(lambda c: _state(c, list(channels))):
            channel = channels[row.id]
            if row.seq:
                channel.show(row.seq, (row.text_start, row.text), (row.reasoning_start, row.reasoning))
            channel.advance(row.next_seq - 1)

    def _write_followed(self, connection: Connection, keys: list[tuple[str, str]], fresh: list[Channel]) -> None:
        now = server_now(connection, self._clock)
        until = now + int(_FOLLOW_S * 1_000_000)
        rows = [{"tenant": tenant, "run": run_id, "watched_until_us": until} for tenant, run_id in sorted(keys)]
        statement = insert(run_live).values(rows)
        connection.execute(
            statement.on_conflict_do_update(
                index_elements=[run_live.c.tenant, run_live.c.run],
                set_={"watched_until_us": statement.excluded.watched_until_us},
                # Renewed when half of it has passed: not at each look.
                where=run_live.c.watched_until_us < now + int(_FOLLOW_S * 500_000),
            )
        )
        names: list[JsonValue] = [channel.run_id for channel in fresh]
        for start in range(0, len(names), _NAMES):
            self._database.notify_in(connection, FOLLOWED, {"runs": names[start : start + _NAMES]})


async def _forever(step: Callable[[], Coroutine[object, object, None]], wanted: asyncio.Event) -> None:
    """Runs `step` when wanted, at most every 200 ms, and once a second anyway."""
    while True:
        try:
            await step()
        except Exception as error:
            # The border of this loop: the next look may succeed, and without it nobody would follow anything any more.
            _log.warning(
                "runs of other processes cannot be followed now", extra={"error": f"{type(error).__name__}: {error}"}
            )
        await asyncio.sleep(_EVERY_S)
        try:
            async with asyncio.timeout(_POLL_S - _EVERY_S):
                await wanted.wait()
        except TimeoutError:
            pass
        wanted.clear()


def _followed_among(connection: Connection, clock: Clock, run_ids: list[str]) -> set[str]:
    query = sa.select(run_live.c.run).where(
        run_live.c.run.in_(run_ids), run_live.c.watched_until_us > server_now(connection, clock)
    )
    return set(connection.execute(query).scalars())


def _live_row(channel: Channel) -> dict[str, object]:
    return {
        "tenant": channel.tenant,
        "run": channel.run_id,
        "seq": channel.live_seq,
        "text_start": channel.text.start,
        "text": channel.text.since(0),
        "reasoning_start": channel.reasoning.start,
        "reasoning": channel.reasoning.since(0),
    }


def _state(connection: Connection, run_ids: list[str]) -> list[sa.Row[*tuple[Any, ...]]]:
    live = run_live.c
    joined = run.outerjoin(run_live, sa.and_(live.tenant == run.c.tenant, live.run == run.c.id))
    query = sa.select(
        run.c.id, run.c.next_seq, live.seq, live.text_start, live.text, live.reasoning_start, live.reasoning
    )
    return list(connection.execute(query.select_from(joined).where(run.c.id.in_(run_ids))).all())


def _names(payload: JsonObject) -> set[str]:
    return {str(name) for name in cast("list[JsonValue]", payload.get("runs") or [])}
