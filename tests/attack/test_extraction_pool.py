"""The worker processes: one document's crash, hang or hunger never reaches the server or the next document."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from famulus.errors import ExtractionFailed
from famulus.knowledge.extract import sandbox
from famulus.knowledge.extract.base import Limits
from famulus.knowledge.extract.pool import ExtractionPool

BIG = b"id;city;amount\n" + b"".join(b"%d;C%d;%d,5\n" % (n, n % 97, n) for n in range(400_000))


@pytest.fixture
async def pool() -> AsyncIterator[ExtractionPool]:
    async with ExtractionPool(1) as pool:
        yield pool


def workers() -> list[int]:
    """Process ids of our reading processes that still run."""
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                status = (entry / "status").read_text()
                command = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            mine = f"PPid:\t{os.getpid()}\n" in status and "State:\tZ" not in status
            if mine and b"famulus.knowledge.extract.worker" in command:
                found.append(int(entry.name))
    return found


async def until_one_works() -> None:
    for _ in range(1000):
        if workers():
            return
        await asyncio.sleep(0.01)


def entries(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def environment_of(process: int) -> bytes:
    return Path(f"/proc/{process}/environ").read_bytes()


def interfaces(process: int) -> list[str]:
    """Names of the network interfaces that a process sees."""
    lines = Path(f"/proc/{process}/net/dev").read_text().splitlines()[2:]
    return [line.split(":")[0].strip() for line in lines]


async def code_of(pool: ExtractionPool, data: bytes, name: str = "a.csv") -> str:
    with pytest.raises(ExtractionFailed) as raised:
        await pool.extract(data, name)
    assert name in str(raised.value)
    return raised.value.code


async def test_failure_of_a_document_keeps_its_worker(pool: ExtractionPool) -> None:
    assert await code_of(pool, b"\x89PNG\r\n\x1a\n....") == "unsupported"
    before = workers()
    assert (await pool.extract(b"still here", "b.txt")).text == "still here"
    assert workers() == before


async def test_crash_fails_one_document_and_the_next_is_read(pool: ExtractionPool) -> None:
    task = asyncio.create_task(pool.extract(BIG, "a.csv"))
    await until_one_works()
    os.kill(workers()[0], signal.SIGSEGV)
    with pytest.raises(ExtractionFailed) as raised:
        await task
    assert raised.value.code == "crashed"
    assert (await pool.extract(b"next", "b.txt")).text == "next"


async def test_wall_time_ends_a_document(pool: ExtractionPool) -> None:
    async with ExtractionPool(1, limits=Limits(wall_s=0.3)) as quick:
        started = time.monotonic()
        assert await code_of(quick, BIG) == "timeout"
        assert time.monotonic() - started < 5
    assert workers() == []


async def test_cpu_time_ends_a_document() -> None:
    async with ExtractionPool(1, limits=Limits(cpu_s=1)) as small:
        assert await code_of(small, BIG * 4) == "timeout"


async def test_memory_is_bounded() -> None:
    async with ExtractionPool(1, limits=Limits(memory_bytes=150 << 20)) as small:
        assert await code_of(small, BIG * 3) in ("too_complex", "crashed")
        assert (await small.extract(b"next", "b.txt")).text == "next"


async def test_document_over_the_size_limit_starts_no_process() -> None:
    async with ExtractionPool(1, limits=Limits(document_bytes=1000)) as small:
        assert await code_of(small, b"x" * 1001) == "too_large"
        assert workers() == []


async def test_cancelled_call_kills_its_worker(pool: ExtractionPool) -> None:
    task = asyncio.create_task(pool.extract(BIG, "a.csv"))
    await until_one_works()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert workers() == []
    assert (await pool.extract(b"next", "b.txt")).text == "next"


async def test_closing_ends_all_processes_and_removes_their_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    async with ExtractionPool(2) as pool:
        await asyncio.gather(pool.extract(b"one", "a.txt"), pool.extract(b"two", "b.txt"))
        assert len(entries(tmp_path)) == 1
        assert len(workers()) > 0
    assert workers() == []
    assert entries(tmp_path) == []
    with pytest.raises(ExtractionFailed):
        await pool.extract(b"late", "a.txt")


async def test_worker_is_renewed_after_its_share_of_documents() -> None:
    async with ExtractionPool(1, documents_per_worker=1) as pool:
        assert (await pool.extract(b"one", "a.txt")).text == "one"
        assert workers() == []
        assert (await pool.extract(b"two", "a.txt")).text == "two"


async def test_worker_sees_no_secrets_and_no_network(pool: ExtractionPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAMULUS_SECRET", "do-not-leak")
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    await pool.extract(b"one", "a.txt")
    process = Path(f"/proc/{workers()[0]}")
    environment = environment_of(workers()[0])
    assert b"do-not-leak" not in environment
    assert b"PROXY" not in environment
    assert b"HF_HUB_OFFLINE=1" in environment
    assert entries(process / "cwd") == []


async def test_worker_has_its_own_empty_network_where_the_system_permits(pool: ExtractionPool) -> None:
    await pool.extract(b"one", "a.txt")
    mine, theirs = os.readlink("/proc/self/ns/net"), os.readlink(f"/proc/{workers()[0]}/ns/net")
    if mine == theirs:
        pytest.skip("this system permits no network namespaces")
    assert interfaces(workers()[0]) == ["lo"]


def test_environment_is_nearly_empty() -> None:
    assert set(sandbox.environment("/x")) - {"LD_LIBRARY_PATH", "SYSTEMROOT"} == {
        "HOME", "TMPDIR", "XDG_CACHE_HOME", "HF_HUB_OFFLINE", "PYTHONDONTWRITEBYTECODE", "LC_ALL", "RAYON_NUM_THREADS",
        "OMP_NUM_THREADS",
    }  # fmt: skip
