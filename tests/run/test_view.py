"""The Run object, from events alone."""

from __future__ import annotations

from famulus.agent.view import RunView, stored_result
from famulus.events.types import TOOL_RESULT
from famulus.testing.agent import AgentBench
from famulus.testing.memory_knowledge import Stored
from famulus.testing.scripted import Say, ScriptedModel, call

SEARCH = call("search_documents", {"query": "word", "k": 20}, "c1")


async def test_run_object_has_the_documented_fields() -> None:
    bench = AgentBench(ScriptedModel(Say(calls=(call("calculate", {"expression": "6*7"}, "c1"),)), Say("42")))
    run = (await bench.run("What is 6*7?")).json()
    assert run["answer"] == "42"
    assert run["rounds"] == 2
    assert run["started_at"] == "2026-11-30T09:00:00Z"
    step = run["steps"][0]
    assert step["preview"] == '{"expression":"6*7","result":42}'
    assert {
        "round",
        "call_id",
        "tool",
        "arguments",
        "effect",
        "network",
        "blocked",
        "cached",
        "status",
        "preview",
        "truncated",
    } <= set(step)
    assert run["usage"] == {
        "input_tokens": 200,
        "output_tokens": 20,
        "cost": {"amount": 0.0, "currency": "CHF", "complete": True},
    }


async def test_view_of_half_a_run_shows_it_running() -> None:
    bench = AgentBench(ScriptedModel(Say("Looking.", calls=(SEARCH,)), Say("done")))
    await bench.run("go")
    half = RunView("run-1")
    for event in bench.log.events()[:4]:
        half.apply(event)
    assert (half.status, half.answer, half.by_call["c1"]["status"]) == ("running", "Looking.", "running")


async def test_no_private_data_is_in_the_run_object() -> None:
    bench = AgentBench(ScriptedModel(Say(calls=(SEARCH,)), Say("done")))
    run = (await bench.run("go")).json()
    assert "You are Famulus" not in str(run)


async def test_whole_result_of_a_cut_preview_is_found_in_the_events() -> None:
    many = [Stored("kb-1", f"d{index}", f"f{index}.txt", "word " * 70) for index in range(20)]
    bench = AgentBench(ScriptedModel(Say(calls=(SEARCH,)), Say("done")), *many)
    run = await bench.run("go")
    step = run.by_call["c1"]
    whole = stored_result(bench.log.events(), step["artifact_id"])
    assert len(step["preview"]) <= 2_000 < len(whole)
    assert step["truncated"] is False
    assert whole.count("chunk_id") == 20


async def test_result_beyond_the_bound_is_cut_for_the_model_and_kept_as_an_artifact() -> None:
    words = Stored("kb-1", "d", "big.txt", ("word " * 5_999).strip())
    bench = AgentBench(ScriptedModel(Say(calls=(call("get_chunk", {"chunk_id": "d#0"}, "c1"),)), Say("done")), words)
    run = await bench.run("go")
    event = bench.data(TOOL_RESULT)[0]
    assert run.by_call["c1"]["truncated"] is True
    assert len(event.private["content"]) < 24_500
    assert len(bench.log.artifacts[run.by_call["c1"]["artifact_id"]]) > 29_000
