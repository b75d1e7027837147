"""Case 13: kill -9 at each step of indexing and of deletion; the next start finishes it without anybody's help, and nothing is doubled."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from tests.system.following import DATABASE_URL, end_leases, rows

from famulus.knowledge.ingest import AT_ONCE
from famulus.testing.server import FamulusServer, Forks
from famulus.testing.trap import Then

SECTIONS = 20
# Where the process dies while it reads the document of that number. `{mine}` is the row of the document.
READING: dict[int, tuple[str, Then]] = {
    1: ("EXISTS({mine})", "kill_after"),
    2: ("EXISTS({mine} AND status = 'extracting')", "kill_after"),
    3: ("EXISTS({mine} AND status = 'indexing')", "kill_after"),
    4: ("EXISTS({mine} AND status = 'ready')", "kill_before"),
    5: ("EXISTS({mine} AND status = 'ready')", "kill_after"),
}
EMBEDDING: list[tuple[str, Then]] = [
    ("SELECT count(*) >= 16 FROM vector_row", "kill_before"),
    ("SELECT count(*) >= 20 FROM vector_row", "kill_after"),
    ("SELECT count(*) >= 52 FROM vector_row", "kill_after"),
]


# More than go into one transaction: written in parts that nobody sees before the last one. Each list is of one document.
LARGE = AT_ONCE + 20
STAGED = "EXISTS(SELECT 1 FROM index_segment WHERE substr(kind, 1, 12) = 'words staged')"
STAGING: dict[int, list[tuple[str, Then]]] = {
    1: [
        ("EXISTS(SELECT 1 FROM document_revision WHERE text IS NOT NULL AND document IN ({mine}))", "kill_after"),
        (STAGED, "kill_before"),
        (STAGED, "kill_after"),
    ],
    2: [
        (STAGED + " AND EXISTS(SELECT 1 FROM index_word WHERE word = 'zweiterband')", "kill_after"),
        ("EXISTS({mine} AND status = 'ready')", "kill_before"),
        ("EXISTS({mine} AND status = 'ready')", "kill_after"),
    ],
}


def text(number: int, count: int = SECTIONS) -> bytes:
    """A file whose sections are one passage each; `group7` is in all of them, `place7x3` in one."""
    filler = "The office keeps a list of keys, desks, lamps and chairs for each room of the house. " * 12
    sections = [f"# Part {n}\n\ngroup{number} place{number}x{n}. {filler}\n" for n in range(count)]
    return "\n".join(sections).encode()


async def new_base(server: FamulusServer) -> str:
    return (await server.client.post("/api/v1/knowledge-bases", {"name": "Files"})).body["id"]


async def put(server: FamulusServer, base: str, number: int, data: bytes | None = None) -> str:
    item = (await server.client.upload(base, {f"file{number}.md": data or text(number)})).body["items"][0]
    return item["document_id"]


async def all_done(server: FamulusServer, base: str, count: int, vectors: str = "ready") -> list[dict[str, Any]]:
    """The documents of the base, once each is ready in every way."""

    def done(page: Any) -> bool:
        states = {(item["status"], item["vectors"]) for item in page["items"]}
        return len(page["items"]) == count and states == {("ready", vectors)}

    return (await server.client.until(f"/api/v1/knowledge-bases/{base}/documents", done))["items"]


async def found(server: FamulusServer, word: str) -> int:
    answer = await server.client.post("/api/v1/search", {"query": word, "k": 100, "mode": "keyword"})
    return len(answer.body["hits"])


def check_whole(server: FamulusServer, documents: list[dict[str, Any]], *, vectors: bool) -> None:
    """What the tables hold is exactly what the documents need."""
    chunks = {number for (number,) in rows(server, "SELECT number FROM chunk")}
    counted = sum(item["chunk_count"] for item in documents)
    assert len(chunks) == counted
    assert len({item["chunk_count"] for item in documents}) <= 1, "all files have the same form"
    assert rows(server, "SELECT count(*) FROM chunk WHERE document NOT IN (SELECT id FROM document)") == [(0,)]
    stored = [number for (number,) in rows(server, "SELECT number FROM vector_row ORDER BY number")]
    assert stored == (sorted(chunks) if vectors else [])
    assert files_named(server) <= files(server)


def files(server: FamulusServer) -> set[str]:
    """The names of all stored bytes, and of those that arrive."""
    if DATABASE_URL in server.environment:
        return {name for (name,) in rows(server, "SELECT sha256 FROM blob")}
    return {path.name for path in (server.folder / "blobs").rglob("*") if path.is_file()}


def files_named(server: FamulusServer) -> set[str]:
    return {name for (name,) in rows(server, "SELECT sha256 FROM document_revision")}


async def swept(server: FamulusServer) -> None:
    """Until no bytes are left that nobody names. Where others may be putting them in, that comes an hour later."""
    if DATABASE_URL not in server.environment:
        await server.client.until("/api/v1/health", lambda _: files(server) == files_named(server))


async def test_case_13_kill_at_each_step_of_reading(forks: Forks, tmp_path: Path, store: Mapping[str, str]) -> None:
    async with FamulusServer(forks, tmp_path / "data", environment=store) as server:
        base = await new_base(server)
        for number, (when, then) in READING.items():
            mine = f"SELECT 1 FROM document WHERE name = 'file{number}.md'"
            server.trap(f"SELECT {when.format(mine=mine)}", then)
            try:
                acknowledged = await put(server, base, number)
            except aiohttp.ClientError:
                acknowledged = None
            assert await server.ended() == -9
            mine = f"(SELECT id FROM document WHERE name = 'file{number}.md')"
            [(chunks,)] = rows(server, f"SELECT count(*) FROM chunk WHERE document = {mine}")
            assert chunks in (0, SECTIONS)
            assert acknowledged is None or rows(server, f"SELECT {mine}") == [(acknowledged,)]
            end_leases(server)
            await server.restart()
        clean = await put(server, base, 0)
        documents = await all_done(server, base, len(READING) + 1, "off")
        assert {item["chunk_count"] for item in documents if item["id"] == clean} == {SECTIONS}
        for number in READING:
            assert await found(server, f"group{number}") == SECTIONS
            assert await found(server, f"place{number}x3") == 1
        await swept(server)
        check_whole(server, documents, vectors=False)
        assert "Traceback" not in server.output


@pytest.mark.parametrize("number", STAGING)
async def test_case_13_kill_at_each_part_of_a_large_document(
    forks: Forks, tmp_path: Path, store: Mapping[str, str], number: int
) -> None:
    mine = f"SELECT id FROM document WHERE name = 'file{number}.md'"
    async with FamulusServer(forks, tmp_path / "data", environment=store) as server:
        base = await new_base(server)
        for kill, (when, then) in enumerate(STAGING[number]):
            server.trap(f"SELECT {when.format(mine=mine)}", then)
            if kill:
                end_leases(server)
                await server.start()
            else:
                with contextlib.suppress(aiohttp.ClientError):
                    await put(server, base, number, b"zweiterband\n\n" + text(number, LARGE))
            assert await server.ended() == -9
            last = number == 2 and kill == len(STAGING[number]) - 1
            [(chunks,)] = rows(server, f"SELECT count(*) FROM chunk WHERE document IN ({mine})")
            assert (chunks >= LARGE) if last else (chunks == 0)
        end_leases(server)
        await server.restart()
        documents = await all_done(server, base, 1, "off")
        check_whole(server, documents, vectors=False)
        assert await found(server, f"place{number}x3") == 1
        assert rows(server, "SELECT kind, sum(rows) FROM index_segment GROUP BY kind") == [
            ("words", documents[0]["chunk_count"])
        ]
        assert "Traceback" not in server.output


async def test_case_13_kill_between_batches_of_vectors(forks: Forks, tmp_path: Path, store: Mapping[str, str]) -> None:
    async with FamulusServer(forks, tmp_path / "data", environment=store, embedder=0.05) as server:
        base = await new_base(server)
        first, *others = EMBEDDING
        server.trap(*first)
        for number in range(4):
            try:
                await put(server, base, number)
            except aiohttp.ClientError:
                break
        for trap in others:
            assert await server.ended() == -9
            server.trap(*trap)
            end_leases(server)
            await server.start()
        assert await server.ended() == -9
        end_leases(server)
        await server.restart()
        for number in range(4):
            await put(server, base, number)
        documents = await all_done(server, base, 4)
        check_whole(server, documents, vectors=True)
        assert [await found(server, f"group{number}") for number in range(4)] == [SECTIONS] * 4


@pytest.mark.parametrize("then", ["kill_before", "kill_after"])
async def test_kill_in_a_deletion_leaves_the_document_whole_or_nothing_of_it(
    forks: Forks, tmp_path: Path, store: Mapping[str, str], then: Any
) -> None:
    async with FamulusServer(forks, tmp_path / "data", environment=store, embedder=0.0) as server:
        base = await new_base(server)
        kept, gone = await put(server, base, 1), await put(server, base, 2)
        await all_done(server, base, 2)
        server.trap(f"SELECT NOT EXISTS(SELECT 1 FROM document WHERE id = '{gone}')", then)
        with pytest.raises(aiohttp.ClientError):
            await server.client.call("DELETE", f"/api/v1/documents/{gone}")
        assert await server.ended() == -9
        end_leases(server)
        await server.restart()
        left = {kept, gone} if then == "kill_before" else {kept}
        documents = await all_done(server, base, len(left))
        assert {item["id"] for item in documents} == left
        assert await found(server, "group2") == (SECTIONS if gone in left else 0)
        await swept(server)
        check_whole(server, documents, vectors=True)
