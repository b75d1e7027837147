"""Stopping a run at any moment, and going on after the worker was killed at any append."""

from __future__ import annotations

import asyncio

import pytest

from famulus.agent.view import RunView
from famulus.errors import LeaseLost
from famulus.events.types import DONE, RUN_NOTICE, RUN_RESPONSE, RUN_SUMMARY, TOOL_CALL, TOOL_RESULT
from famulus.models.base import ModelNotice
from famulus.policy.limits import Limits
from famulus.testing.agent import AgentBench, ask
from famulus.testing.run_log import reassemble
from famulus.testing.scripted import Say, ScriptedModel, call, results
from famulus.tools.base import Tool, ToolContext, ToolOutput
from famulus.tools.schema import tool

SEARCH = call("search_documents", {"query": "notice period"}, "c1")
TRAIN = call("search_documents", {"query": "train travel"}, "c2")
ANSWER = Say("The notice period is three months [1].")


class Killed(BaseException):
    """The process is gone: nothing may catch this."""


class SlowTool:
    """A tool that never ends by itself; tells when it began and whether it was cancelled."""

    def __init__(self, effect: str = "read") -> None:
        self.began = asyncio.Event()
        self.cancelled = False
        self.tool: Tool = tool(self.wait_long, effect="write" if effect == "write" else "read")

    async def wait_long(self, context: ToolContext) -> ToolOutput:
        """Waits."""
        self.began.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        return ToolOutput({})


async def stop_after(bench: AgentBench, began: asyncio.Event, request: object) -> RunView:
    running = asyncio.ensure_future(bench.run(request))
    await began.wait()
    bench.stop.set()
    bench.stop.set()
    async with asyncio.timeout(2):
        return await running


async def test_case_35_stop_inside_a_tool_ends_the_run_within_two_seconds() -> None:
    slow = SlowTool()
    model = ScriptedModel(Say("I will look.", calls=(call("wait_long", {}, "c1"),)), ANSWER)
    bench = AgentBench(model, tools=[slow.tool])
    run = await stop_after(bench, slow.began, "go")
    assert (run.status, run.answer, run.truncated, len(model.requests)) == ("stopped", "I will look.", True, 1)
    assert slow.cancelled
    assert run.by_call["c1"]["status"] == "cancelled"
    assert [event.type for event in bench.log.events()][-3:] == [TOOL_RESULT, DONE, RUN_SUMMARY]


async def test_stop_inside_a_started_write_reports_the_outcome_as_unknown() -> None:
    slow = SlowTool("write")
    bench = AgentBench(ScriptedModel(Say(calls=(call("wait_long", {}, "c1"),)), ANSWER), tools=[slow.tool])
    run = await stop_after(bench, slow.began, ask("go", tools=("wait_long",)))
    assert "outcome unknown" in run.by_call["c1"]["error"]


async def test_stop_inside_the_model_stream_keeps_the_partial_text_and_closes_the_stream() -> None:
    began = asyncio.Event()

    def hang(_: object) -> Say:
        began.set()
        return Say(pieces=("The notice ", "period"), hang=True)

    model = ScriptedModel(hang)
    bench = AgentBench(model)
    run = await stop_after(bench, began, "go")
    assert (run.status, run.answer, model.closed) == ("stopped", "The notice period", 1)
    assert bench.data(RUN_RESPONSE)[0].data["finish"] == "stopped"
    assert reassemble(bench.log.deltas()) == run.answer


async def test_stop_before_the_start_makes_no_model_call() -> None:
    model = ScriptedModel(ANSWER)
    bench = AgentBench(model)
    bench.stop.set()
    run = await bench.run("go")
    assert (run.status, model.requests) == ("stopped", [])


async def test_stop_does_not_wait_for_a_tool_that_ignores_cancellation() -> None:
    began = asyncio.Event()
    release = asyncio.Event()

    async def stubborn(context: ToolContext) -> ToolOutput:
        """Ignores."""
        began.set()
        while not release.is_set():
            try:
                await release.wait()
            except asyncio.CancelledError:
                continue
        return ToolOutput({})

    model = ScriptedModel(Say(calls=(call("stubborn"),)), ANSWER)
    bench = AgentBench(model, tools=[tool(stubborn)], limits=Limits(stop_grace_s=0.02))
    run = await stop_after(bench, began, "go")
    assert (run.status, release.is_set()) == ("stopped", False)
    release.set()
    await asyncio.sleep(0.01)
    assert len(model.requests) == 1


async def test_kill_at_every_append_goes_on_without_repeating_a_committed_step() -> None:
    script = (Say("Looking. ", calls=(SEARCH,)), Say(calls=(TRAIN,)), ANSWER)
    whole = AgentBench(ScriptedModel(*script))
    expected = await whole.run("go")
    for point in range(1, whole.log.appends + 1):
        model = ScriptedModel(lambda request: script[sum(message.role == "assistant" for message in request.messages)])
        bench = AgentBench(model)
        run = await killed_at(bench, point)
        assert (run.status, run.answer, len(run.steps)) == ("completed", expected.answer, 2), point
        assert [event.data["call_id"] for event in bench.data(TOOL_RESULT)] == ["c1", "c2"], point
        assert (len(bench.data(TOOL_CALL)), len(bench.data(RUN_RESPONSE))) == (2, 3), point


async def killed_at(bench: AgentBench, point: int) -> RunView:
    def kill(number: int) -> None:
        if number == point:
            raise Killed

    bench.log.before_append = kill
    with pytest.raises(Killed):
        await bench.run("go")
    bench.log.before_append = None
    return await bench.run("go")


async def test_read_that_was_running_when_the_worker_died_runs_again_under_its_id() -> None:
    slow = SlowTool()
    model = ScriptedModel(Say(calls=(call("wait_long", {}, "c1"),)), ANSWER)
    bench = AgentBench(model, tools=[slow.tool])
    await killed_while(bench, slow.began, "go")
    slow.began.clear()
    again = asyncio.ensure_future(bench.run("go"))
    await slow.began.wait()
    bench.stop.set()
    await again
    assert [event.data["call_id"] for event in bench.data(TOOL_CALL)] == ["c1"]
    assert bench.data(RUN_NOTICE)[0].data["code"] == "resumed"


async def test_write_that_was_running_when_the_worker_died_is_reported_not_repeated() -> None:
    slow = SlowTool("write")
    model = ScriptedModel(Say(calls=(call("wait_long", {}, "c1"),)), Say("I do not know whether it took effect."))
    bench = AgentBench(model, tools=[slow.tool])
    await killed_while(bench, slow.began, ask("go", tools=("wait_long",)))
    slow.began.clear()
    run = await bench.run(ask("go", tools=("wait_long",)))
    assert not slow.began.is_set()
    assert run.status == "completed"
    assert "outcome unknown" in str(results(model.requests[1])[0]["error"])


async def killed_while(bench: AgentBench, began: asyncio.Event, request: object) -> None:
    running = asyncio.ensure_future(bench.run(request))
    await began.wait()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_worker_that_lost_its_lease_stops_without_a_trace() -> None:
    taken: list[object] = []

    def take_over(_: object) -> Say:
        taken.append(bench.log.lease())
        return ANSWER

    bench = AgentBench(ScriptedModel(take_over))
    run = await bench.run("go")
    assert run.status == "running"
    assert bench.data(RUN_RESPONSE) == []


async def test_lost_lease_is_not_an_error_for_the_worker() -> None:
    bench = AgentBench(ScriptedModel(ANSWER))

    def lose(number: int) -> None:
        raise LeaseLost("taken")

    bench.log.before_append = lose
    await bench.run("go")
    assert bench.log.events() == []


async def test_ended_run_handed_in_again_changes_nothing() -> None:
    bench = AgentBench(ScriptedModel(ANSWER))
    await bench.run("go")
    before = bench.log.events()
    await bench.run("go")
    assert bench.log.events() == before


async def test_prompt_of_a_resumed_run_is_the_one_it_began_with() -> None:
    model = ScriptedModel(Say(calls=(SEARCH,)), ANSWER)
    bench = AgentBench(model)
    bench.log.before_append = lambda number: (_ for _ in ()).throw(Killed) if number == 3 else None
    with pytest.raises(Killed):
        await bench.run("go")
    bench.log.before_append = None
    bench.clock.advance(86_400 - 60)
    await bench.run("go")
    assert model.requests[0].messages[0].text == model.requests[-1].messages[0].text.split("\n\nThis is the last")[0]


async def test_time_in_which_no_server_ran_does_not_count_against_the_deadline() -> None:
    bench = AgentBench(ScriptedModel(Say(calls=(SEARCH,)), ANSWER))
    bench.log.before_append = lambda number: (_ for _ in ()).throw(Killed) if number == 3 else None
    with pytest.raises(Killed):
        await bench.run("go")
    bench.log.before_append = None
    bench.clock.advance(86_400)
    assert (await bench.run("go")).status == "completed"


async def test_run_that_broke_off_is_not_told_that_its_answer_cites_nothing() -> None:
    slow = SlowTool()
    model = ScriptedModel(Say("I will look.", calls=(SEARCH,)), Say(calls=(call("wait_long", {}, "c2"),)), ANSWER)
    bench = AgentBench(model, tools=[slow.tool])
    run = await stop_after(bench, slow.began, ask("go", tools=("search_documents", "wait_long")))
    assert (run.status, run.answer, run.notices) == ("stopped", "I will look.", [])


async def test_notice_of_the_model_is_told_once_when_the_run_is_resumed() -> None:
    told = Say(ANSWER.text, notices=(ModelNotice("no_language_model", "Connect one."),))
    bench = AgentBench(ScriptedModel(told, told))
    bench.log.before_append = lambda number: (_ for _ in ()).throw(Killed) if number == 3 else None
    with pytest.raises(Killed):
        await bench.run("What is the notice period?")
    bench.log.before_append = None
    run = await bench.run("What is the notice period?")
    assert [notice["code"] for notice in run.notices].count("no_language_model") == 1
    assert "resumed" in [notice["code"] for notice in run.notices]
