"""Real `famulus` processes for tests: start, watch, kill -9, start again, each on loopback with a folder of its own.

`async with Forks() as forks:` is one warm process for many tests; `async with FamulusServer(forks, folder) as server:` is one
`famulus serve` from it. POSIX only.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import re
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Final, cast

import aiohttp

from famulus.testing.client import ADMIN_TOKEN, Client
from famulus.testing.trap import Then, Trap, release, sprung

START_S: Final = 60.0
_READY: Final = re.compile(r"Famulus is ready at (http://\S+)|The worker is ready")


class Forks:
    """The warm process of `famulus.testing.forks`."""

    def __init__(self) -> None:
        self._numbers = itertools.count()
        self._started: dict[int, asyncio.Future[int]] = {}
        self._ended: dict[int, asyncio.Future[int]] = {}
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Forks:
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "famulus.testing.forks"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        if await self._line() is None:
            raise RuntimeError("the warm process did not start; its error stands above")
        self._reading = asyncio.create_task(self._read())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.close()
        await self._process.wait()
        if self._reading is not None:
            await self._reading

    async def start(
        self, arguments: list[str], environment: Mapping[str, str], place: Path, embedder: float | None = None
    ) -> tuple[int, asyncio.Future[int]]:
        """The process id, and what gives its exit code (negative: the signal that ended it).

        Its output, trap and executed tools are files beside `place`: `.log`, `.trap`, `.effects`.
        """
        assert self._process is not None
        assert self._process.stdin is not None
        number = next(self._numbers)
        started = self._started[number] = asyncio.get_running_loop().create_future()
        order = {
            "id": number,
            "arguments": arguments,
            "environment": dict(environment),
            "output": str(place.with_suffix(".log")),
            "trap": str(place.with_suffix(".trap")),
            "effects": str(place.with_suffix(".effects")),
            "embedder": embedder,
        }
        self._process.stdin.write(json.dumps(order).encode() + b"\n")
        pid = await started
        return pid, self._end_of(pid)

    def _end_of(self, pid: int) -> asyncio.Future[int]:
        return self._ended.setdefault(pid, asyncio.get_running_loop().create_future())

    async def _line(self) -> dict[str, Any] | None:
        assert self._process is not None
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        return cast("dict[str, Any]", json.loads(line)) if line else None

    async def _read(self) -> None:
        while (answer := await self._line()) is not None:
            if "id" in answer:
                self._started.pop(answer["id"]).set_result(answer["pid"])
            else:
                self._end_of(answer["pid"]).set_result(answer["code"])
        for future in (*self._started.values(), *self._ended.values()):
            if not future.done():
                future.cancel("the warm process has ended")


@dataclass
class FamulusServer:
    """One `famulus serve` (or `worker`) on `folder`. `config` is the text of `famulus.toml`; it may name the key of a
    scripted model as `env:SCRIPTED_KEY`. Vectors are off unless `embedder` gives the seconds of a batch of the tests' tiny one.

    `restart` keeps the port. `trap` kills or holds the process at a moment named by SQL.
    """

    forks: Forks
    folder: Path
    config: str = ""
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    embedder: float | None = None
    arguments: tuple[str, ...] = ("serve", "--port", "0")

    def __post_init__(self) -> None:
        self.address = ""
        self.pid = 0
        self.client = cast("Client", None)
        self._ended: asyncio.Future[int] | None = None
        self._seen = 0
        self._log = self.folder.with_suffix(".log")
        self._trap = self.folder.with_suffix(".trap")

    @property
    def output(self) -> str:
        """What all starts of it wrote to standard output and standard error."""
        return self._log.read_text(errors="replace") if self._log.exists() else ""

    @property
    def effects(self) -> list[str]:
        """What the tools of `effects.py` did, one line for each begin and end."""
        file = self.folder.with_suffix(".effects")
        return file.read_text().splitlines() if file.exists() else []

    async def __aenter__(self) -> FamulusServer:
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "famulus.toml").write_text(self.config)
        self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=START_S))
        try:
            await self.start()
        except BaseException:
            await self.__aexit__(None, None, None)
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._session.close()
        await self.end(signal.SIGKILL)

    async def start(self) -> None:
        """Starts the process and waits until it answers, or until a trap has killed it.

        Raises AssertionError with its output when it ends in another way.
        """
        self._seen = len(self.output)
        arguments = [*self.arguments, "--data", str(self.folder)]
        if self.address and "0" in arguments:
            arguments[arguments.index("0")] = self.address.rpartition(":")[2]
        environment = {
            "FAMULUS_ADMIN_TOKEN": ADMIN_TOKEN,
            "FAMULUS_LOG__LEVEL": "warning",
            "SCRIPTED_KEY": "key",
            **self.environment,
        }
        if self.embedder is None:
            environment.setdefault("FAMULUS_EMBEDDING__MODEL", "off")
        self.pid, self._ended = await self.forks.start(arguments, environment, self.folder, self.embedder)
        async with asyncio.timeout(START_S):
            while (ready := _READY.search(self.output, self._seen)) is None:
                if self._trapped():
                    return
                assert not self._ended.done(), f"ended with {self._ended.result()}: {self.output[self._seen :]}"
                await asyncio.sleep(0.02)
        if ready[1] is not None:
            self.address = ready[1]
            self.client = Client(self.address, self._session, ADMIN_TOKEN)
            await self._answers()

    async def kill(self) -> None:
        """kill -9, and until it is gone."""
        assert await self.end(signal.SIGKILL) == -signal.SIGKILL

    async def restart(self) -> None:
        """Kills it if it still runs, takes the trap away, and starts it on the same folder and port."""
        await self.end(signal.SIGKILL)
        self.release()
        await self.start()

    async def end(self, number: int = signal.SIGTERM) -> int:
        """Sends the signal if it runs; its exit code."""
        if self._ended is None:
            return 0
        if not self._ended.done():
            os.kill(self.pid, number)
        return await self.ended()

    async def ended(self) -> int:
        """Waits for its end; its exit code."""
        assert self._ended is not None
        async with asyncio.timeout(START_S):
            return await asyncio.shield(self._ended)

    def trap(self, when: str, then: Then = "kill_after") -> None:
        """Kills or holds the process when `when` first holds after a write."""
        self.release()
        Trap(when, then).set(self._trap)

    async def trapped(self) -> None:
        """Waits until the trap holds somebody."""
        async with asyncio.timeout(START_S):
            while not sprung(self._trap):  # noqa: ASYNC110 (another process sets it)
                await asyncio.sleep(0.01)

    def release(self) -> None:
        """Takes the trap away; whoever is held goes on."""
        release(self._trap)

    def _trapped(self) -> bool:
        assert self._ended is not None
        return self._ended.done() and self._ended.result() == -signal.SIGKILL

    async def _answers(self) -> None:
        async with asyncio.timeout(START_S):
            while not self._trapped():
                try:
                    if (await self.client.get("/api/v1/health")).status == 200:
                        return
                except aiohttp.ClientConnectionError:
                    pass
                await asyncio.sleep(0.02)
