"""Case 36 and 35 on the real product: whoever reads a run at whatever time gets the same; a stop ends it within two seconds."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest
from tests.system.following import Follower, ended_events, finished, until
from tests.system.product import provider

from famulus.testing.model_servers import Call, Round, Say, ScriptedModel
from famulus.testing.server import FamulusServer, Forks

WORDS = [f"word{number} " for number in range(1, 201)]
FIRST, SECOND = "".join(WORDS[:100]), "".join(WORDS[100:])
ROUNDS: list[Round] = [
    [Say(FIRST, chunks=100, delay_s=0.02), Call("look_up", {"key": "a"})],
    Say(SECOND, chunks=100, delay_s=0.02),
]
BODY: dict[str, Any] = {"message": "Count.", "tools": ["look_up"], "use_knowledge": False, "temperature": 0.3}


async def order(server: FamulusServer) -> str:
    return (await server.client.post("/api/v1/runs", BODY)).body["run_id"]


async def test_case_36_reload_late_joiner_and_second_tab_read_the_same(forks: Forks, tmp_path: Path) -> None:
    async with (
        ScriptedModel("openai", ROUNDS, by="turn") as model,
        FamulusServer(forks, tmp_path / "data", provider(model)) as server,
    ):
        run_id = await order(server)
        reloaded, second_tab, late = Follower(), Follower(), Follower()
        tab = asyncio.create_task(second_tab.follow(server, run_id))
        await reloaded.follow(server, run_id, lambda: "word37 " in reloaded.text)
        await until(lambda: "word80 " in second_tab.text)
        again = asyncio.create_task(reloaded.follow(server, run_id))
        await until(lambda: "word150 " in second_tab.text)
        await asyncio.gather(tab, again, late.follow(server, run_id))
        run = await finished(server, run_id)
        assert run["status"] == "completed"
        for reader in (reloaded, second_tab, late):
            assert reader.text == run["answer"] + " " * (len(FIRST + SECOND) - len(run["answer"])) == FIRST + SECOND
            assert [*reader.events.values()] == await ended_events(server, run_id)
            assert reader.types.count("chat.tool-call.v1") == 1
        assert [body["temperature"] for body in model.bodies] == [0.3, 0.3]


async def test_case_36_kill_in_mid_stream_goes_on_for_a_reader_who_comes_back(forks: Forks, tmp_path: Path) -> None:
    async with (
        ScriptedModel("openai", ROUNDS, by="turn") as model,
        FamulusServer(forks, tmp_path / "data", provider(model)) as server,
    ):
        run_id = await order(server)
        reader = Follower()
        await reader.follow(server, run_id, lambda: "word130 " in reader.text)
        await server.kill()
        await server.restart()
        await reader.follow(server, run_id)
        run = await finished(server, run_id)
        assert (run["status"], reader.text) == ("completed", FIRST + SECOND)
        assert [*reader.events.values()] == await ended_events(server, run_id)
        assert [len(model.requests), server.effects.count("look_up a begun")] == [3, 1]


async def test_end_of_the_process_by_a_signal_hands_the_run_back_for_the_next_start(
    forks: Forks, tmp_path: Path
) -> None:
    async with (
        ScriptedModel("openai", ROUNDS, by="turn") as model,
        FamulusServer(forks, tmp_path / "data", provider(model)) as server,
    ):
        run_id = await order(server)
        reader = Follower()
        await reader.follow(server, run_id, lambda: "word5 " in reader.text)
        assert await server.end() == 0
        await server.restart()
        await reader.follow(server, run_id)
        assert ((await finished(server, run_id))["status"], reader.text) == ("completed", FIRST + SECOND)
        assert "Traceback" not in server.output


SLOW: list[Round] = [[Say("I will look. "), Call("look_up", {"key": "a", "wait_s": 60})], Say("never")]
LONG: list[Round] = [Say(FIRST, chunks=100, delay_s=0.2)]


@pytest.mark.parametrize(("rounds", "text"), [(SLOW, "I will look."), (LONG, "word1 word2 word3")])
async def test_case_35_stop_ends_the_run_within_two_seconds_and_keeps_its_text(
    forks: Forks, tmp_path: Path, rounds: list[Round], text: str
) -> None:
    async with (
        ScriptedModel("openai", rounds, by="turn") as model,
        FamulusServer(forks, tmp_path / "data", provider(model)) as server,
    ):
        run_id = await order(server)
        reader = Follower()
        reading = asyncio.create_task(reader.follow(server, run_id))
        await until(lambda: (text in reader.text) and (rounds is LONG or server.effects == ["look_up a begun"]))
        stopped_at = time.perf_counter()
        path = f"/api/v1/runs/{run_id}/stop"
        assert [(await server.client.post(path)).status, (await server.client.post(path)).status] == [202, 202]
        await reading
        assert time.perf_counter() - stopped_at < 2
        run = await finished(server, run_id)
        assert (run["status"], run["truncated"], run["answer"].startswith(text)) == ("stopped", True, True)
        assert (await server.client.post(path)).status == 202
        assert reader.text.strip() == run["answer"].strip()
        await until(lambda: model.open_streams == 0, 2)
        assert len(model.requests) == 1
        if rounds is SLOW:
            assert server.effects == ["look_up a begun", "look_up a cancelled"]
            assert [step["status"] for step in run["steps"]] == ["cancelled"]


async def test_answer_begun_again_after_a_kill_is_the_new_one_alone(forks: Forks, tmp_path: Path) -> None:
    answers = [Say(FIRST, chunks=100, delay_s=0.05), Say("A short answer.")]
    async with (
        ScriptedModel("openai", answers) as model,
        FamulusServer(forks, tmp_path / "data", provider(model)) as server,
    ):
        run_id = await order(server)
        reader = Follower()
        await reader.follow(server, run_id, lambda: "word20 " in reader.text)
        await server.kill()
        await server.restart()
        await reader.follow(server, run_id)
        texts = {event["type"]: event["data"].get("text") for event in reader.events.values()}
        assert (texts["run.response.v1"], texts["chat.done.v1"]) == ("A short answer.", "A short answer.")
        assert (await finished(server, run_id))["answer"] == "A short answer."
