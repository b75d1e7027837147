"""Attacks on the permission of a run: tools that it was not given."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from famulus.testing.agent import AgentBench, ask
from famulus.testing.scripted import Say, ScriptedModel, call, results
from famulus.tools.ports import WebPage

SEARCH_WEB = call("web_search", {"query": "CANARY"})


class Sink:
    def __init__(self) -> None:
        self.seen: list[str] = []

    async def get(self, url: str, *, query: Mapping[str, str], headers: Mapping[str, str]) -> WebPage:
        self.seen.append(query["q"])
        return WebPage(200, "")


async def test_b01_web_search_without_permission_is_absent_and_refused() -> None:
    model, sink = ScriptedModel(Say(calls=(SEARCH_WEB,)), Say("done")), Sink()
    run = await AgentBench(model, web=sink).run(ask("go", tools=("web_search", "calculate")))
    (step,) = run.steps
    assert "web_search" not in [schema.name for schema in model.requests[0].tools]
    assert (step["blocked"], step["network"], step["status"], sink.seen) == (True, False, "failed", [])


@pytest.mark.parametrize(
    "name", ["run_shell", "web-search", "WEB_SEARCH", "web_search ", "ｗeb_search", "", "a" * 10_000]
)
async def test_b04_hallucinated_tool_is_never_dispatched_to_a_similar_one(name: str) -> None:
    model, sink = ScriptedModel(Say(calls=(call(name, {"query": "CANARY"}),)), Say("done")), Sink()
    run = await AgentBench(model, web=sink).run(ask("go", allow_web=True))
    (step,) = run.steps
    assert step["blocked"] is True
    assert sink.seen == []
    assert "There is no tool" in str(results(model.requests[1])[0]["error"])


async def test_b05_permission_of_one_run_does_not_carry_over_to_the_next() -> None:
    sink = Sink()
    bench = AgentBench(ScriptedModel(Say(calls=(SEARCH_WEB,)), Say("a"), Say(calls=(SEARCH_WEB,)), Say("b")), web=sink)
    first = await bench.run(ask("go", allow_web=True), "run-1")
    second = await bench.run("go", "run-2")
    assert [run.steps[0]["blocked"] for run in (first, second)] == [False, True]
    assert sink.seen == ["CANARY"]


async def test_allowed_web_search_is_shown_as_leaving_the_machine() -> None:
    model = ScriptedModel(Say(calls=(SEARCH_WEB,)), Say("done"))
    run = await AgentBench(model, web=Sink()).run(ask("go", allow_web=True))
    (step,) = run.steps
    assert step["network"] is True
    assert "no results parsed" in step["error"]


async def test_b08_argument_bombs_end_as_errors_and_the_run_goes_on() -> None:
    bombs = (
        call("search_documents", {"query": "x" * 5_000_000}),
        call("search_documents", {"query": 5, "k": "many"}),
        call("search_documents", '{"query": NaN}'),
        call("search_documents", '{"query": ' + "[" * 900 + "]" * 900 + "}"),
        call("search_documents", '{"query": "\\ud800"}'),
        call("search_documents", '{"query": "x", "k": ' + "9" * 4_000 + "}"),
    )
    model = ScriptedModel(Say(calls=bombs), Say("done"))
    bench = AgentBench(model)
    run = await bench.run("go")
    assert run.status == "completed"
    assert bench.knowledge.searches == []
    assert all(len(str(result["error"])) < 1_000 for result in results(model.requests[1]))
    assert sum(len(str(event.data)) for event in bench.log.events()) < 60_000
