"""kill -9 at every point where something becomes durable: before and after each commit, before and after each kept blob.

A scenario is a script of its own (so that it may fork): `sweep(work, verify)` runs `work` in child processes that kill themselves
at point 1, 2, 3 …, and `verify` in another after each, until `work` comes to its end unkilled. A test calls `run_scenario`.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import AsyncIterator, Callable, Collection, Coroutine
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from famulus.messages.values import JsonObject
from famulus.store.blobs import BlobStore, Content
from famulus.store.database import Database
from famulus.store.signals import Handler

if TYPE_CHECKING:
    from sqlalchemy import Connection

T = TypeVar("T")


class KillSwitch:
    """Kills this process with SIGKILL at its `at`-th `point`; never when `at` is None."""

    def __init__(self, at: int | None = None) -> None:
        self.at = at
        self.passed = 0

    def point(self) -> None:
        self.passed += 1
        if self.passed == self.at:
            os.kill(os.getpid(), signal.SIGKILL)


class CrashDatabase(Database):
    """A database with two points at each write: inside the transaction before the commit, and after it before the caller knows."""

    def __init__(self, database: Database, switch: KillSwitch) -> None:
        super().__init__()
        self._database = database
        self._switch = switch
        self.dialect = database.dialect
        self.exclusive = database.exclusive
        self.instance = database.instance

    async def write(self, function: Callable[[Connection], T], *, idempotent: bool = False) -> T:
        def then_crash(connection: Connection) -> T:
            value = function(connection)
            self._switch.point()
            return value

        value = await self._database.write(then_crash, idempotent=idempotent)
        self._switch.point()
        return value

    async def read(self, function: Callable[[Connection], T]) -> T:
        return await self._database.read(function)

    async def notify(self, channel: str, payload: JsonObject) -> None:
        await self._database.notify(channel, payload)

    def notify_in(self, connection: Connection, channel: str, payload: JsonObject) -> None:
        self._database.notify_in(connection, channel, payload)

    def listen(self, channel: str) -> AsyncIterator[JsonObject]:
        return self._database.listen(channel)

    def on_signal(self, channel: str, handler: Handler) -> Callable[[], None]:
        return self._database.on_signal(channel, handler)

    async def aclose(self) -> None:
        await self._database.aclose()


class CrashBlobs:
    """A `BlobStore` with a point before and after each `put` and `delete`."""

    def __init__(self, blobs: BlobStore, switch: KillSwitch) -> None:
        self._blobs = blobs
        self._switch = switch

    async def put(self, content: Content, *, max_bytes: int | None = None) -> str:
        self._switch.point()
        sha256 = await self._blobs.put(content, max_bytes=max_bytes)
        self._switch.point()
        return sha256

    async def delete(self, sha256: str) -> None:
        self._switch.point()
        await self._blobs.delete(sha256)
        self._switch.point()

    def hold_in(self, connection: Connection, sha256: str) -> bool:
        return self._blobs.hold_in(connection, sha256)

    def remove_in(self, connection: Connection, sha256: str) -> None:
        self._blobs.remove_in(connection, sha256)

    async def read(self, sha256: str) -> bytes:
        return await self._blobs.read(sha256)

    def stream(self, sha256: str) -> AsyncIterator[bytes]:
        return self._blobs.stream(sha256)

    async def size(self, sha256: str) -> int:
        return await self._blobs.size(sha256)

    async def sweep(self, keep: Collection[str], *, older_than_s: float = 3600) -> int:
        return await self._blobs.sweep(keep, older_than_s=older_than_s)


Work = Callable[[KillSwitch, int, JsonObject], Coroutine[Any, Any, None]]
Verify = Callable[[int, JsonObject], Coroutine[Any, Any, None]]


def sweep(work: Work, verify: Verify, *, most: int = 1_000) -> None:
    """The main function of a scenario script. Both get the number of the attempt and the arguments of `run_scenario`.

    Ends the process: 0 when all attempts were verified, 1 with the traceback of the one that was not.
    """
    # What the children would import at first use is imported once, before they are forked.
    for module in ("famulus.store.postgres", "famulus.store.sqlite", "sqlalchemy.dialects.postgresql.psycopg"):
        import_module(module)
    arguments = cast("JsonObject", json.loads(sys.argv[1]))
    for attempt in range(1, most + 1):
        killed = _in_child(work(KillSwitch(attempt), attempt, arguments), f"work, killed at point {attempt}")
        _in_child(verify(attempt, arguments), f"verify after point {attempt}")
        if not killed:
            print(json.dumps({"points": attempt - 1}))
            sys.exit(0)
    sys.exit(f"the work did not come to its end within {most} points")


def run_scenario(script: Path, timeout_s: float = 280, **arguments: str) -> int:
    """Runs a scenario script; the number of points at which it was killed. Raises `AssertionError` with its output when it fails."""
    command = [sys.executable, str(script), json.dumps(arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout_s, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{script.name}: {done.stdout}{done.stderr}")
    return int(json.loads(done.stdout.splitlines()[-1])["points"])


def _in_child(work: Coroutine[Any, Any, None], name: str) -> bool:
    """Whether the child was killed. Ends this process when the child failed."""
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        code = 0
        try:
            asyncio.run(work)
        except BaseException:
            traceback.print_exc()
            code = 1
        sys.stderr.flush()
        os._exit(code)
    work.close()
    _, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        return True
    if status != 0:
        sys.exit(f"failed: {name} (status {status})")
    return False
