"""The loop of a run, with a scripted model and everything else in memory."""

from __future__ import annotations

import asyncio
import json
from decimal import Decimal

from famulus.agent.request import Budget
from famulus.agent.state import fold
from famulus.errors import ModelError
from famulus.events.types import (
    DONE,
    RUN_RESPONSE,
    RUN_ROUND,
    RUN_STARTED,
    RUN_SUMMARY,
    SOURCES,
    TOOL_CALL,
    TOOL_RESULT,
)
from famulus.messages.values import Cost, Message, Replay, Text, Usage
from famulus.models.base import ModelInfo, ModelNotice, ModelRequest
from famulus.models.errors import BudgetExceeded, ModelFailed
from famulus.policy.limits import Limits
from famulus.testing.agent import AgentBench, ask
from famulus.testing.run_log import reassemble
from famulus.testing.scripted import Say, ScriptedModel, call, results
from famulus.tools.base import ToolContext, ToolOutput
from famulus.tools.schema import tool

LIMITS_OF_WINDOW = Limits(rounds=8)
SHORT_ANSWERS = Limits(response_characters=50_000)
SEARCH = call("search_documents", {"query": "notice period"})
ANSWER = Say("The notice period is three months [1].")


async def test_answer_cites_the_passage_that_the_search_found() -> None:
    bench = AgentBench(ScriptedModel(Say(calls=(SEARCH,)), ANSWER))
    run = (await bench.run("What is the notice period?")).json()
    assert run["status"] == "completed"
    assert [(source["n"], source["document_name"], source["support"]) for source in run["sources"]] == [
        (1, "lease.md", "strong")
    ]
    assert run["steps"][0]["status"] == "succeeded"


async def test_events_come_in_the_documented_order_and_end_with_the_summary() -> None:
    bench = AgentBench(ScriptedModel(Say(calls=(SEARCH,)), ANSWER))
    await bench.run("What is the notice period?")
    kinds = [event.type for event in bench.log.events()]
    first = [RUN_STARTED, RUN_ROUND, RUN_RESPONSE, TOOL_CALL, TOOL_RESULT, SOURCES]
    assert kinds == [*first, RUN_ROUND, RUN_RESPONSE, DONE, RUN_SUMMARY]
    assert [event.seq for event in bench.log.events()] == list(range(1, len(kinds) + 1))


async def test_a_result_that_a_person_reads_whole_stands_once_in_its_event_and_a_restart_reads_it_there() -> None:
    bench = AgentBench(ScriptedModel(Say(calls=(SEARCH,)), ANSWER))
    await bench.run("What is the notice period?")
    event = next(event for event in bench.log.events() if event.type == TOOL_RESULT)
    assert "content" not in (event.private or {})
    assert [call.content for call in fold(bench.log.events()).calls.values()] == [event.data["preview"]]


async def test_three_rounds_with_two_parallel_reads_sum_the_usage() -> None:
    two = (SEARCH, call("search_documents", {"query": "train travel"}))
    again = (call("search_documents", {"query": "deposit"}), call("list_documents"))
    bench = AgentBench(ScriptedModel(Say(calls=two), Say(calls=again), ANSWER))
    run = await bench.run("What is the notice period?")
    assert (run.rounds, run.usage["input_tokens"], run.usage["output_tokens"]) == (3, 300, 30)
    assert len(run.steps) == 4


async def test_reads_of_one_round_run_together_and_their_results_keep_the_order_of_the_calls() -> None:
    order: list[str] = []
    gates = {"slow": asyncio.Event(), "fast": asyncio.Event()}

    async def wait_for(context: ToolContext, name: str) -> ToolOutput:
        """Waits."""
        gates[name].set()
        if name == "slow":
            await gates["fast"].wait()
        order.append(name)
        return ToolOutput({"name": name})

    calls = (call("wait_for", {"name": "slow"}, "a"), call("wait_for", {"name": "fast"}, "b"))
    bench = AgentBench(ScriptedModel(Say(calls=calls), Say("done")), tools=[tool(wait_for)])
    await bench.run("go")
    assert order == ["fast", "slow"]
    assert [event.data["call_id"] for event in bench.data(TOOL_RESULT)] == ["a", "b"]


async def test_writes_run_one_after_another_and_after_the_reads_before_them() -> None:
    running: list[str] = []
    seen: list[str] = []

    async def note(context: ToolContext, text: str) -> ToolOutput:
        """Writes."""
        running.append(text)
        await asyncio.sleep(0)
        seen.append("+".join(running))
        running.remove(text)
        return ToolOutput({"noted": text})

    calls = (call("note", {"text": "one"}), call("note", {"text": "two"}))
    bench = AgentBench(ScriptedModel(Say(calls=calls), Say("done")), tools=[tool(note, effect="write")])
    await bench.run(ask("go", tools=("note",)))
    assert seen == ["one", "two"]


async def test_case_26_broken_arguments_become_error_results_and_the_run_goes_on() -> None:
    script = (
        Say(calls=(call("search_documents", '{"query": "x"'),)),
        Say(calls=(call("search_documents", '{"a":1}{"a":2}'),)),
        Say(calls=(call("search_documents", '{"query":"x"}'),)),
        Say("done"),
    )
    model = ScriptedModel(*script)
    bench = AgentBench(model)
    run = await bench.run("go")
    errors = [str(result.get("error")) for result in results(model.requests[-1])[:2]]
    assert all("not usable JSON" in error for error in errors)
    assert (run.answer, len(run.steps), len(bench.knowledge.searches)) == ("done", 3, 1)
    assert run.steps[0]["arguments"] == {"raw": '{"query": "x"'}


async def test_case_28_invented_names_are_told_and_never_dispatched() -> None:
    executed: list[object] = []

    async def find_items(context: ToolContext, query: str, max_price: int | None = None) -> ToolOutput:
        """Finds."""
        executed.append((query, max_price))
        return ToolOutput({"items": []})

    calls = (
        call("find_items", {"query": "a", "maximum_price": 5}),
        call("find_item", {"query": "a"}),
        call("find_items", {"query": "a", "max_price": "5"}),
    )
    model = ScriptedModel(Say(calls=calls), Say("done"))
    run = await AgentBench(model, tools=[tool(find_items)]).run("go")
    first, second, _ = (str(result.get("error")) for result in results(model.requests[-1]))
    assert "'maximum_price'" in first
    assert "query (required), max_price" in first
    assert "Similar: find_items" in second
    assert executed == [("a", 5)]
    assert [step["blocked"] for step in run.steps] == [False, True, False]


async def test_case_30_the_same_search_for_ever_ends_honestly_within_the_rounds() -> None:
    model = ScriptedModel(Say(calls=(call("search_documents", {"query": "zzz"}),)))
    bench = AgentBench(model)
    run = await bench.run("What is zzz?")
    assert (run.status, run.truncated, len(model.requests)) == ("max_rounds_reached", True, 8)
    assert len(bench.knowledge.searches) == 1
    assert model.requests[-1].tools == ()
    assert "notice" in results(model.requests[3])[2]
    assert "limit of 8 rounds" in run.answer
    assert "hits" not in run.answer


async def test_second_identical_read_is_answered_from_the_record_and_marked() -> None:
    bench = AgentBench(ScriptedModel(Say(calls=(SEARCH,)), Say(calls=(SEARCH,)), ANSWER))
    run = await bench.run("go")
    assert [step["cached"] for step in run.steps] == [False, True]
    assert len(bench.knowledge.searches) == 1


async def test_identical_calls_of_one_round_run_once() -> None:
    model = ScriptedModel(Say(calls=(SEARCH, SEARCH)), ANSWER)
    bench = AgentBench(model)
    await bench.run("go")
    first, second = results(model.requests[1])
    assert first == second
    assert len(bench.knowledge.searches) == 1


async def test_last_round_offers_no_tools_and_its_answer_is_marked_truncated() -> None:
    model = ScriptedModel(Say(calls=(SEARCH,)), ANSWER)
    run = await AgentBench(model).run(ask("What is the notice period?", max_rounds=2))
    assert (run.status, run.truncated, run.answer) == ("max_rounds_reached", True, ANSWER.text)
    assert [bool(request.tools) for request in model.requests] == [True, False]
    assert "no tools are available now" in model.requests[-1].messages[0].text


async def test_calls_beyond_the_limit_of_a_round_are_answered_but_not_run() -> None:
    many = tuple(call("search_documents", {"query": f"word{index}"}) for index in range(10))
    model = ScriptedModel(Say(calls=many), ANSWER)
    bench = AgentBench(model)
    await bench.run("go")
    assert len(bench.knowledge.searches) == 8
    assert "at most 8 calls" in str(results(model.requests[1])[9]["error"])


async def test_budget_stops_before_the_next_round_with_a_progress_text() -> None:
    dear = Usage(100, 10, cost=Cost(Decimal("0.2"), "CHF"))
    model = ScriptedModel(Say(calls=(SEARCH,), usage=dear))
    run = await AgentBench(model).run(ask("What is the notice period?", budget=Budget(Decimal("0.1"))))
    assert (run.status, len(model.requests)) == ("budget_exceeded", 1)
    assert "CHF 0.1" in run.answer
    assert "lease.md [1]" in run.answer


async def test_unknown_price_is_not_free_under_a_budget() -> None:
    unknown = Usage(100, 10, cost=Cost(complete=False))
    run = await AgentBench(ScriptedModel(Say(calls=(SEARCH,), usage=unknown))).run(ask("go", budget=Budget(Decimal(1))))
    assert (run.status, run.reason) == ("budget_exceeded", "price_unknown")


async def test_deadline_ends_the_run_as_failed_with_what_was_found() -> None:
    bench: AgentBench

    def slow(_: object) -> Say:
        bench.clock.advance(3_600)
        return Say(calls=(SEARCH,))

    bench = AgentBench(ScriptedModel(slow, ANSWER))
    run = await bench.run("What is the notice period?")
    assert (run.status, run.error["code"]) == ("failed", "deadline")
    assert "lease.md [1]" in run.answer


async def test_temperature_is_zero_unless_the_caller_sets_one() -> None:
    model = ScriptedModel(Say("hi"))
    await AgentBench(model).run("go")
    await AgentBench(model).run(ask("go", temperature=0.7))
    assert [request.temperature for request in model.requests] == [0.0, 0.7]


async def test_empty_answer_is_asked_once_more_without_tools() -> None:
    model = ScriptedModel(Say(calls=(SEARCH,)), Say(""), ANSWER)
    run = await AgentBench(model).run("What is the notice period?")
    assert (run.status, run.answer, run.rounds) == ("completed", ANSWER.text, 3)
    assert model.requests[-1].tools == ()


async def test_model_that_stays_empty_fails_honestly() -> None:
    run = await AgentBench(ScriptedModel(Say(""))).run("What is the notice period?")
    assert (run.status, run.error["code"], run.rounds) == ("failed", "empty_answer", 2)
    assert run.answer == "The model returned an empty answer."


async def test_tool_output_as_an_answer_is_not_an_answer() -> None:
    def echo(request: object) -> Say:
        return Say(request.messages[-1].parts[0].content if request.messages[-1].role == "tool" else "[]")

    model = ScriptedModel(Say(calls=(SEARCH,)), echo, ANSWER)
    run = await AgentBench(model).run("What is the notice period?")
    assert run.status == "completed"
    assert run.answer.endswith(ANSWER.text)
    assert model.requests[2].tools == ()


async def test_answer_cut_by_the_output_limit_is_marked() -> None:
    run = await AgentBench(ScriptedModel(Say("The notice", finish="length"))).run("go")
    assert (run.status, run.truncated, run.reason) == ("completed", True, "length")
    assert run.notices[-1]["code"] == "answer_cut"


async def test_provider_failure_in_mid_stream_keeps_the_partial_text() -> None:
    broken = Say(pieces=("The notice ", "period is"), error=ModelError("The connection was lost.", code="connection"))
    bench = AgentBench(ScriptedModel(broken))
    run = await bench.run("go")
    assert (run.status, run.answer, run.truncated) == ("failed", "The notice period is", True)
    assert run.error["code"] == "connection"
    assert [event.type for event in bench.log.events()][-3:] == ["run.error.v1", DONE, RUN_SUMMARY]


async def test_notices_of_the_gateway_reach_the_user_before_the_answer() -> None:
    retry = ModelNotice("retry", "The provider was busy; trying again.", {"attempt": 1})
    bench = AgentBench(ScriptedModel(Say("hi", notices=(retry,))))
    run = await bench.run("go")
    assert run.notices == [{"code": "retry", "message": retry.message, "data": {"attempt": 1}}]


async def test_call_recovered_from_text_never_runs_an_effect() -> None:
    done: list[str] = []

    async def delete_all(context: ToolContext) -> ToolOutput:
        """Deletes."""
        done.append("deleted")
        return ToolOutput({})

    recovered = ModelNotice("recovered_call", "A call was written as text.")
    model = ScriptedModel(Say(calls=(call("delete_all"), SEARCH), notices=(recovered,)), Say("done"))
    bench = AgentBench(model, tools=[tool(delete_all, effect="write")])
    run = await bench.run(ask("go", tools=("delete_all", "search_documents")))
    assert done == []
    assert len(bench.knowledge.searches) == 1
    assert [step["blocked"] for step in run.steps] == [True, False]


async def test_replay_data_goes_back_verbatim_with_its_message() -> None:
    replay = Replay("anthropic", [{"type": "thinking", "signature": "s"}])
    model = ScriptedModel(Say(calls=(call("search_documents", {"query": "x"}, "c1"),), replay=replay), ANSWER)
    bench = AgentBench(model)
    await bench.run("go")
    assert model.requests[1].messages[2].replay == replay
    assert all("signature" not in str(event.data) for event in bench.log.events())


async def test_repeated_call_ids_of_a_provider_stay_apart() -> None:
    one, two = call("search_documents", {"query": "a"}, "call_0"), call("search_documents", {"query": "b"}, "call_0")
    run = await AgentBench(ScriptedModel(Say(calls=(one,)), Say(calls=(two,)), ANSWER)).run("go")
    assert len(run.steps) == 2


async def test_case_36_text_over_several_rounds_is_reassembled_exactly() -> None:
    words = [f"w{index} " for index in range(1, 201)]
    script = Say(pieces=tuple(words[:100]), calls=(SEARCH,)), Say(pieces=tuple(words[100:]))
    bench = AgentBench(ScriptedModel(*script))
    run = await bench.run("go")
    assert run.answer == "".join(words) == reassemble(bench.log.deltas())
    assert "".join(str(event.data["text"]) for event in bench.data(RUN_RESPONSE)) == run.answer


async def test_texts_of_two_rounds_do_not_run_into_each_other() -> None:
    bench = AgentBench(ScriptedModel(Say("Let me look.", calls=(SEARCH,)), ANSWER))
    run = await bench.run("go")
    assert run.answer == f"Let me look.\n\n{ANSWER.text}" == reassemble(bench.log.deltas())


async def test_history_is_sent_and_the_oldest_goes_first_when_the_window_is_small() -> None:
    history = tuple(
        Message("user" if index % 2 == 0 else "assistant", (Text(f"m{index} " + "x" * 3_000),)) for index in range(10)
    )
    small = ModelInfo("scripted/model", "scripted", "scripted", local=True, tools=True, context_window=6_000)
    model = ScriptedModel(Say("hi"), info=small)
    run = await AgentBench(model).run(ask("The newest question", history=history))
    sent = [message.text for message in model.requests[0].messages]
    assert "Famulus" in sent[0]
    assert sent[-1] == "The newest question"
    assert not any(text.startswith("m0 ") for text in sent)
    assert any(text.startswith("m8 ") for text in sent)
    assert run.notices[0]["code"] == "context_cut"


async def test_old_results_leave_before_the_window_is_full_and_the_question_stays() -> None:
    async def long_result(context: ToolContext, part: int) -> ToolOutput:
        """Long."""
        return ToolOutput({"text": f"part {part} " + "y" * 6_000})

    small = ModelInfo("scripted/model", "scripted", "scripted", local=True, tools=True, context_window=8_000)
    script = [Say(calls=(call("long_result", {"part": part}),)) for part in range(5)]
    model = ScriptedModel(*script, Say("hi"), info=small)
    await AgentBench(model, tools=[tool(long_result)], limits=LIMITS_OF_WINDOW).run("The question")
    last = model.requests[-1]
    assert last.messages[1].text == "The question"
    assert results(last)[0].get("left_out") is True
    assert "part 4" in str(results(last)[4])


async def test_window_that_proves_smaller_makes_the_run_send_less() -> None:
    def refuse_long(request: ModelRequest) -> Say:
        long = sum(len(message.text) for message in request.messages) > 60_000
        return Say(error=ModelFailed("context_exceeded", "scripted")) if long else Say("hi")

    history = tuple(Message("user", (Text(f"m{index} " + "x" * 4_000),)) for index in range(30))
    model = ScriptedModel(refuse_long)
    run = await AgentBench(model).run(ask("The question", history=history))
    assert (run.status, run.notices[-1]["code"]) == ("completed", "context_cut")
    assert model.requests[-1].messages[-1].text == "The question"


async def test_question_too_long_for_the_model_fails_with_the_reason() -> None:
    model = ScriptedModel(Say(error=ModelFailed("context_exceeded", "scripted")))
    run = await AgentBench(model).run("x" * 1_000)
    assert (run.status, run.error["code"], len(model.requests)) == ("failed", "model_context_exceeded", 1)


async def test_refusal_of_the_model_gate_for_money_is_a_budget_ending() -> None:
    refusal = BudgetExceeded("stopped at the cost limit", limit=Decimal(1), spent=Decimal(1), code="price_unknown")
    run = await AgentBench(ScriptedModel(Say(error=refusal))).run(ask("go", budget=Budget(Decimal(1))))
    assert (run.status, run.reason, run.error) == ("budget_exceeded", "price_unknown", None)


async def test_usage_of_a_broken_off_call_is_estimated() -> None:
    priced = ModelInfo(
        "scripted/model", "scripted", "x", local=False, tools=True, input_price=1.0, output_price=2.0, currency="CHF"
    )
    broken = Say("The notice", error=ModelError("The connection was lost."))
    run = await AgentBench(ScriptedModel(broken, info=priced)).run("go")
    assert run.usage["estimated"] is True
    assert run.usage["cost"]["amount"] > 0


async def test_endless_text_is_cut_and_the_provider_stream_closed() -> None:
    def pour(_: object) -> Say:
        return Say(pieces=("word " * 1_000,) * 100, hang=True)

    model = ScriptedModel(pour)
    run = await AgentBench(model, limits=SHORT_ANSWERS).run("go")
    assert (run.status, run.truncated, run.reason, model.closed) == ("completed", True, "cut", 1)


async def test_summary_counts_rounds_calls_and_time() -> None:
    bench = AgentBench(ScriptedModel(Say(calls=(SEARCH,)), ANSWER))
    await bench.run("go")
    summary = bench.data(RUN_SUMMARY)[0].data
    assert (summary["status"], summary["rounds"], summary["calls"]) == ("completed", 2, 1)
    assert set(summary["durations"]) == {"retrieval_ms", "model_ms", "tools_ms", "overhead_ms", "first_token_ms"}


async def test_the_first_word_is_counted_from_the_start_of_the_run() -> None:
    def slow(_: object) -> Say:
        bench.clock.advance(9)
        return Say(calls=(SEARCH,))

    bench = AgentBench(ScriptedModel(slow, ANSWER))
    await bench.run("go")
    assert '"first_token_ms": 9000' in json.dumps(bench.data(RUN_SUMMARY)[0].data)
