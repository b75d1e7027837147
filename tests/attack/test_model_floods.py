"""A model that floods: calls, arguments, text, repetition. The run stays bounded and ends in one terminal status."""

from __future__ import annotations

from famulus.events.types import RUN_SUMMARY, TOOL_CALL
from famulus.policy.limits import Limits
from famulus.testing.agent import AgentBench, ask
from famulus.testing.scripted import Say, ScriptedModel, call, results


async def test_j06_five_hundred_calls_in_one_turn_are_bounded() -> None:
    many = tuple(call("search_documents", {"query": f"word {index}"}) for index in range(500))
    model = ScriptedModel(Say(calls=many), Say("done"))
    bench = AgentBench(model)
    run = await bench.run("go")
    assert len(bench.knowledge.searches) == 8
    assert len(bench.data(TOOL_CALL)) == 64
    assert len(results(model.requests[1])) == 64
    assert run.notices[0]["code"] == "calls_dropped"


async def test_j06_ten_megabytes_of_arguments_stay_out_of_the_log() -> None:
    huge = call("search_documents", {"query": "x" * 10_000_000})
    broken = call("search_documents", '{"query": "' + "x" * 10_000_000)
    bench = AgentBench(ScriptedModel(Say(calls=(huge, broken)), Say("done")))
    run = await bench.run("go")
    assert run.status == "completed"
    assert sum(len(str(event.data)) + len(str(event.private)) for event in bench.log.events()) < 200_000


async def test_j06_endless_stream_is_cut_and_the_partial_answer_kept() -> None:
    model = ScriptedModel(Say(pieces=("and " * 1_000,) * 1_000))
    run = await AgentBench(model, limits=Limits(response_characters=20_000)).run("go")
    assert (run.truncated, run.reason) == (True, "cut")
    assert 20_000 < len(run.answer) < 30_000


async def test_j06_model_that_never_finishes_ends_at_the_rounds() -> None:
    model = ScriptedModel(*(Say(calls=(call("calculate", {"expression": str(index)}),)) for index in range(200)))
    bench = AgentBench(model)
    run = await bench.run(ask("go", max_rounds=100))
    assert (run.status, run.truncated, len(model.requests)) == ("max_rounds_reached", True, 100)
    assert len(bench.data(RUN_SUMMARY)) == 1
