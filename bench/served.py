"""A real `famulus serve` in front of the model server of `fake_model.py`: time to the first event, cost of a streamed piece.

`python served.py latency|stream MODEL_SERVER_PORT [--quick]` prints one JSON line. The CPU is that of the server process, all its threads.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

TOKEN = "benchmark-token-of-forty-characters-0000"
TICK_S = 1 / os.sysconf("SC_CLK_TCK")
# The size of a run's own work, which is subtracted from what its pieces cost.
FEW = 10


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * TICK_S


class Server:
    def __init__(self, session: aiohttp.ClientSession, base: str, pid: int) -> None:
        self.session, self.base, self.pid = session, base, pid

    async def run(self, model: str) -> tuple[float, float, str]:
        """Milliseconds until the first event, when the request was made, and the answer."""
        body = {"message": "How long is the notice period?", "model": f"bench/{model}", "use_knowledge": False}
        started = time.monotonic()
        async with self.session.post(f"{self.base}/api/v1/runs", json=body) as answer:
            told = await answer.json()
            assert answer.status == 202, told
        first, text = 0.0, ""
        async with self.session.get(self.base + told["events_url"]) as answer:
            async for line in answer.content:
                if line.startswith(b"event: run.started") and not first:
                    first = time.monotonic() - started
                if line.startswith(b"data: ") and b'"chat.done.v1"' in line:
                    text = json.loads(line[6:])["data"]["text"]
        return first * 1000, started, text


@asynccontextmanager
async def serving(model_port: int, models: list[str]) -> AsyncIterator[Server]:
    port = free_port()
    known: list[dict[str, Any]] = [{"name": name, "tools": True, "context_window": 100_000} for name in models]
    provider = {"name": "bench", "kind": "openai", "base_url": f"http://127.0.0.1:{model_port}/v1", "models": known}
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "FAMULUS_PROVIDERS": json.dumps([{**provider, "local": True}]),
            "FAMULUS_ADMIN_TOKEN": TOKEN,
            "FAMULUS_DATA": folder + "/data",
        }
        arguments = ("-m", "famulus", "serve", "--port", str(port))
        process = await asyncio.create_subprocess_exec(
            sys.executable, *arguments, env=environment, stderr=asyncio.subprocess.DEVNULL
        )
        headers = {"Authorization": f"Bearer {TOKEN}"}
        base = f"http://127.0.0.1:{port}"
        try:
            async with aiohttp.ClientSession(headers=headers, read_bufsize=2**22) as session:
                await until_healthy(session, base, process)
                yield Server(session, base, process.pid)
        finally:
            process.terminate()
            await process.wait()


def until_healthy_once(url: str, process: subprocess.Popen[bytes]) -> None:
    """Waits for the first good answer, asked for again every few milliseconds."""
    while process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.005)
    told = process.stderr.read().decode(errors="replace").strip() if process.stderr else ""
    raise SystemExit(f"the server did not start: {told[-500:]}")


async def until_healthy(session: aiohttp.ClientSession, base: str, process: asyncio.subprocess.Process) -> None:
    while process.returncode is None:
        try:
            async with session.get(base + "/api/v1/health") as answer:
                if answer.status == 200:
                    return
        except aiohttp.ClientError:
            pass
        await asyncio.sleep(0.01)
    raise SystemExit("the server did not start")


async def latency(model_port: int, quick: bool) -> dict[str, object]:
    async with serving(model_port, ["clock"]) as server:
        for _ in range(5):
            await server.run("clock")
        first: list[float] = []
        sent: list[float] = []
        for _ in range(20 if quick else 60):
            seen, started, text = await server.run("clock")
            first.append(seen)
            sent.append((float(text) - started) * 1000)
        return {
            "first_event_ms": [round(statistics.median(first), 1), round(sorted(first)[int(len(first) * 0.95)], 1)],
            "model_request_ms": [round(statistics.median(sent), 1), round(sorted(sent)[int(len(sent) * 0.95)], 1)],
        }


async def stream(model_port: int, quick: bool) -> dict[str, object]:
    """`burst`: one answer as fast as it comes. `apart`: 20 answers at once, each piece written by itself; `bare`: a client that only reads these."""
    burst, many, each = (10_000, 10, 400) if quick else (20_000, 20, 1000)
    names = [f"text-{FEW}-0", f"text-{burst}-0", f"text-{FEW}-4000", f"text-{each}-4000"]
    async with serving(model_port, names) as server:
        await asyncio.gather(*(server.run(names[0]) for _ in range(many)))

        async def cost(model: str, at_once: int) -> float:
            before = cpu_s(server.pid)
            answers = await asyncio.gather(*(server.run(model) for _ in range(at_once)))
            spent = cpu_s(server.pid) - before
            wanted = "piece " * int(model.split("-")[1])
            assert all(text == wanted for _, _, text in answers), "a stream is not what was sent"
            return spent

        bursts = [await cost(names[1], 1) - await cost(names[0], 1) for _ in range(1 if quick else 3)]
        apart = await cost(names[3], many) - await cost(names[2], many)
    bare = await read_only(model_port, names[3], many) - await read_only(model_port, names[2], many)
    return {
        "burst_us": round(statistics.median(bursts) / (burst - FEW) * 1e6, 1),
        "apart_us": round(apart / many / (each - FEW) * 1e6, 1),
        "bare_us": round(bare / many / (each - FEW) * 1e6, 1),
    }


async def read_only(model_port: int, model: str, at_once: int) -> float:
    """CPU seconds of this process for reading so many streams from the model server and throwing them away."""
    url = f"http://127.0.0.1:{model_port}/v1/chat/completions"
    question = {"model": model, "stream": True, "messages": [{"role": "user", "content": "?"}]}

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), raise_for_status=True) as session:

        async def read() -> None:
            async with session.post(url, json=question) as answer:
                async for _ in answer.content.iter_any():
                    pass

        started = time.process_time()
        await asyncio.gather(*(read() for _ in range(at_once)))
        return time.process_time() - started


if __name__ == "__main__":
    what = {"latency": latency, "stream": stream}[sys.argv[1]]
    print(json.dumps(asyncio.run(what(int(sys.argv[2]), "--quick" in sys.argv))), flush=True)
