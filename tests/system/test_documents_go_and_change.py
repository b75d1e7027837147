"""Case 14 and 11 over HTTP: what is deleted is gone everywhere; a new version replaces the old one in one step."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.system.following import rows
from tests.system.test_kill_index import all_done, check_whole, files, found, new_base

from famulus.testing.server import FamulusServer, Forks

# Every table that holds something of a document; the counters and the job of the start are not of a document.
TABLES = ("document", "document_revision", "chunk", "vector_row", "index_segment", "index_block", "index_word")


def counts(server: FamulusServer) -> dict[str, int]:
    return {table: rows(server, f"SELECT count(*) FROM {table}")[0][0] for table in TABLES}


async def ask(server: FamulusServer, question: str) -> dict[str, Any]:
    return (await server.client.post("/api/v1/runs?wait=true", {"message": question})).body


async def test_case_14_deleted_document_is_gone_from_search_files_tables_and_old_citations(
    forks: Forks, tmp_path: Path
) -> None:
    async with FamulusServer(forks, tmp_path / "data", embedder=0.0) as server:
        base = await new_base(server)
        texts = {
            "lease.md": b"The notice period of the warehouse is twelve months.",
            "menu.md": b"Soup is served daily.",
        }
        items = (await server.client.upload(base, texts)).body["items"]
        await all_done(server, base, 2)
        run = await ask(server, "What is the notice period of the warehouse?")
        [source] = run["sources"]
        document = next(item["document_id"] for item in items if item["name"] == "lease.md")
        assert source["document_id"] == document
        assert rows(server, "SELECT word FROM index_word WHERE word LIKE 'wareh%'") != []
        assert (await server.client.call("DELETE", f"/api/v1/documents/{document}")).status == 204
        assert await found(server, "warehouse") == 0
        for path in (
            f"chunks/{source['chunk_id']}",
            *(f"documents/{document}{end}" for end in ("", "/original", "/content")),
        ):
            answer = await server.client.get(f"/api/v1/{path}")
            assert (answer.status, "deleted" in answer.body["detail"]) == (404, True)
        again = (await server.client.get(f"/api/v1/runs/{run['id']}")).body
        assert (again["answer"], again["sources"]) == (run["answer"], run["sources"])
        assert rows(server, "SELECT word FROM index_word WHERE word LIKE 'wareh%'") == []
        documents = await all_done(server, base, 1)
        check_whole(server, documents, vectors=True)
        assert "twelve" not in (await ask(server, "What is the notice period of the warehouse?"))["answer"]


async def test_case_14_deleted_base_leaves_no_row_and_no_file(forks: Forks, tmp_path: Path) -> None:
    async with FamulusServer(forks, tmp_path / "data", embedder=0.0) as server:
        base = await new_base(server)
        await server.client.upload(base, {f"{n}.md": f"Room {n} has {n} windows.".encode() for n in range(5)})
        await server.client.post(f"/api/v1/knowledge-bases/{base}/facts", {"text": "The cellar has no window."})
        await all_done(server, base, 5)
        assert all(counts(server).values())
        assert (await server.client.call("DELETE", f"/api/v1/knowledge-bases/{base}")).status == 204
        assert (await found(server, "windows"), await found(server, "cellar")) == (0, 0)
        assert (counts(server), files(server)) == (dict.fromkeys(TABLES, 0), set[str]())
        assert (await server.client.get(f"/api/v1/knowledge-bases/{base}/documents")).status == 404


async def test_case_11_new_version_is_found_after_the_switch_and_the_old_one_before_it(
    forks: Forks, tmp_path: Path
) -> None:
    async with FamulusServer(forks, tmp_path / "data") as server:
        base = await new_base(server)

        async def limits() -> tuple[str, str]:
            hits = (await server.client.post("/api/v1/search", {"query": "limit days"})).body["hits"]
            run = await ask(server, "What is the limit in days?")
            return " ".join(hit["text"] for hit in hits), " ".join(source["quote"] for source in run["sources"])

        await server.client.upload(base, {"policy.txt": b"The limit is 30 days."})
        [old] = await all_done(server, base, 1, "off")
        assert await limits() == ("The limit is 30 days.", "The limit is 30 days.")
        server.trap("SELECT EXISTS(SELECT 1 FROM document WHERE status = 'indexing')", "hold")
        [item] = (await server.client.upload(base, {"policy.txt": b"The limit is 45 days."})).body["items"]
        await server.trapped()
        assert (item["document_id"], item["status"]) == (old["id"], "queued")
        assert await limits() == ("The limit is 30 days.", "The limit is 30 days.")
        server.release()
        [new] = await all_done(server, base, 1, "off")
        assert (new["revision"], new["chunk_count"]) == (2, 1)
        assert await limits() == ("The limit is 45 days.", "The limit is 45 days.")
        revisions = (await server.client.get(f"/api/v1/documents/{old['id']}/revisions")).body["items"]
        assert [revision["revision"] for revision in revisions] == [1, 2]
