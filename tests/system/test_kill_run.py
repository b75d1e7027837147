"""kill -9 of the server at every append of a run: it goes on from its last event and repeats nothing that is written down."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from tests.system.following import end_leases, ended_events, finished, rows, stored_events
from tests.system.product import provider

from famulus.testing.model_servers import Call, Round, Say, ScriptedModel
from famulus.testing.server import FamulusServer, Forks
from famulus.testing.trap import Then

ANSWER = "I look twice. I write it down. The answer is a and b."


def rounds(body: dict[str, Any], turn: int) -> Round:
    """Three rounds: two reads, one effect, the answer. The number of the run is in the names of what is read and written."""
    run = number_of(body)
    script: list[Round] = [
        [Say("I look twice. "), Call("look_up", {"key": f"a{run}"}), Call("look_up", {"key": f"b{run}"})],
        [Say("I write it down. "), Call("record_note", {"text": f"c{run}"})],
        Say("The answer is a and b."),
    ]
    return script[turn]


def number_of(body: dict[str, Any]) -> int:
    found = re.search(r"Run number (\d+)", json.dumps(body))
    assert found is not None
    return int(found[1])


async def order(server: FamulusServer, number: int) -> str:
    body = {"message": f"Run number {number}", "tools": ["look_up", "record_note"], "use_knowledge": False}
    answer = await server.client.post("/api/v1/runs", body)
    assert answer.status == 202, answer.text
    return answer.body["run_id"]


def last_of_each_append(events: list[dict[str, Any]]) -> list[int]:
    """The events of one append have one time."""
    following = [*events[1:], {"time": None}]
    return [event["seq"] for event, after in zip(events, following, strict=True) if event["time"] != after["time"]]


def check(
    model: ScriptedModel, effects: list[str], number: int, stored: list[dict[str, Any]], events: list[dict[str, Any]]
) -> None:
    """What was written down before the kill stays, and is not done again."""
    kept = [{"seq": event["seq"], "type": event["type"], "data": event["data"]} for event in events]
    assert kept[: len(stored)] == stored
    asked = [request for request in model.requests if number_of(request.body) == number]
    answered = sum(event["type"] == "run.response.v1" for event in stored)
    assert 3 <= len(asked) <= 4 if answered < 3 else len(asked) == 3
    done = sum(event["type"] == "chat.tool-result.v1" for event in stored)
    for place, name in enumerate((f"look_up a{number}", f"look_up b{number}")):
        assert effects.count(f"{name} begun") == 1 if done > place else 1 <= effects.count(f"{name} begun") <= 2
    results = [event["data"] for event in events if event["type"] == "chat.tool-result.v1"]
    assert len(results) == 3
    written = effects.count(f"record_note c{number} begun")
    assert written <= 1
    if "outcome unknown" not in results[2].get("error", ""):
        assert (written, results[2]["status"]) == (1, "succeeded")


# Dying after an append leaves what dying before the next one leaves, but for what was under way: there every second one will do.
@pytest.mark.parametrize(("then", "step"), [("kill_before", 1), ("kill_after", -2)])
async def test_run_killed_at_any_append_goes_on_and_repeats_no_committed_step(
    forks: Forks, tmp_path: Path, store: Mapping[str, str], then: Then, step: int
) -> None:
    async with (
        ScriptedModel("openai", rounds, by="turn") as model,
        FamulusServer(forks, tmp_path / "data", provider(model), store) as server,
    ):
        clean = await ended_events(server, before := await order(server, 0))
        runs: dict[int, tuple[str, list[dict[str, Any]]]] = {}
        for seq in last_of_each_append(clean)[::step]:
            server.trap(f"SELECT count(*) >= {seq} FROM run_event WHERE run > '{before}'", then)
            with suppress(aiohttp.ClientError):  # the first append may come before the answer
                await order(server, seq)
            assert await server.ended() == -9
            [(before,)] = rows(server, "SELECT max(id) FROM run")
            runs[seq] = before, stored_events(server, before)
            end_leases(server)
            await server.restart()
            run = await finished(server, before)  # before the next one begins, so that no run is killed twice
            assert (run["status"], run["answer"]) == ("completed", ANSWER)
        for seq, (run_id, stored) in runs.items():
            check(model, server.effects, seq, stored, await ended_events(server, run_id))
        # The first event goes out with the first round or, where the machine pauses between them, on its own: one length may come twice.
        lengths = [len(stored) for _, stored in runs.values()]
        assert len(set(lengths)) >= max(7 // abs(step), len(lengths) - 1)
        assert "Traceback" not in server.output
