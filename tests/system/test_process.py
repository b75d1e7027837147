"""The process itself: one on a folder, a clear refusal for the second, what a start leaves and finds."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.system.following import Follower, until
from tests.system.product import provider

from famulus.testing.model_servers import Say, ScriptedModel
from famulus.testing.server import FamulusServer, Forks


async def test_second_process_on_the_same_folder_is_refused_clearly(forks: Forks, tmp_path: Path):
    async with FamulusServer(forks, tmp_path / "data") as server:
        for command in (["serve", "--port", "0"], ["search", "anything"]):
            arguments = [*command, "--data", str(server.folder)]
            _, ended = await forks.start(arguments, {}, tmp_path / command[0])
            assert await ended == 1
            text = (tmp_path / f"{command[0]}.log").read_text()
            assert "is in use by another Famulus process" in text
            assert f"pid {server.pid}" in text
            assert "Traceback" not in text
        assert (await server.client.get("/api/v1/health")).status == 200


async def test_a_stop_lets_readers_go_quietly_and_they_go_on_after_the_restart(forks: Forks, tmp_path: Path):
    words = "".join(f"word{number} " for number in range(300))
    async with (
        ScriptedModel("openai", [[Say(words, chunks=300, delay_s=0.02)]], by="turn") as model,
        FamulusServer(forks, tmp_path / "data", provider(model)) as server,
    ):
        body = {"message": "Count.", "tools": [], "use_knowledge": False}
        run_id = (await server.client.post("/api/v1/runs", body)).body["run_id"]
        reader = Follower()
        reading = asyncio.create_task(reader.follow(server, run_id))
        await until(lambda: "word9 " in reader.text)
        assert await server.end() == 0
        await reading
        assert "run.summary.v1" not in reader.types
        assert not any(word in server.output for word in ("Traceback", "ERROR"))
        await server.restart()
        await reader.follow(server, run_id)
        assert reader.types[-1] == "run.summary.v1"


async def test_restart_keeps_what_was_put_in_and_who_may_enter(forks: Forks, tmp_path: Path):
    async with FamulusServer(forks, tmp_path / "data") as server:
        base = await server.client.post("/api/v1/knowledge-bases", {"name": "Kept"})
        await server.kill()
        await server.restart()
        found = await server.client.get(f"/api/v1/knowledge-bases/{base.body['id']}")
        assert (found.status, found.body["name"]) == (200, "Kept")
        assert await server.end() == 0


async def test_start_removes_the_bytes_that_a_killed_process_left(forks: Forks, tmp_path: Path):
    async with FamulusServer(forks, tmp_path / "data") as server:
        base = (await server.client.post("/api/v1/knowledge-bases", {"name": "Files"})).body["id"]
        item = (await server.client.upload(base, {"kept.txt": b"Kept."})).body["items"][0]
        await server.kill()
        left = [server.folder / name for name in ("uploads/upload-x/0", "blobs/arriving/tmpx", f"blobs/ab/{'ab' * 32}")]
        for path in left:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"left")
        await server.restart()
        await until(lambda: not any(path.exists() for path in left))
        assert (await server.client.get(f"/api/v1/documents/{item['document_id']}/original")).text == "Kept."
