"""Pipeline mode: one search, one model call without tools, the same events."""

from __future__ import annotations

import pytest

from famulus.agent.pipeline import search_text
from famulus.agent.small_talk import needs_knowledge
from famulus.events.types import RUN_NOTICE, TOOL_CALL
from famulus.messages.values import Message, Text
from famulus.testing.agent import AgentBench, ask
from famulus.testing.scripted import Say, ScriptedModel

ANSWER = Say("The notice period is three months [1].")


async def test_pipeline_searches_once_and_cites() -> None:
    model = ScriptedModel(ANSWER)
    bench = AgentBench(model)
    run = await bench.run(ask("What is the notice period?", mode="pipeline"))
    assert (run.status, len(model.requests), model.requests[0].tools) == ("completed", 1, ())
    assert run.sources[0]["document_name"] == "lease.md"
    assert [message.role for message in model.requests[0].messages] == ["system", "user", "assistant", "tool"]
    assert bench.data(TOOL_CALL)[0].data["round"] == 0


async def test_pipeline_passes_the_caller_s_search_options_on() -> None:
    bench = AgentBench(ScriptedModel(ANSWER))
    request = ask("What is the notice period?", mode="pipeline")
    object.__setattr__(request, "search", type(request.search)(k=2, score_threshold=0.4, categories=()))
    await bench.run(request)
    _, query = bench.knowledge.searches[0]
    assert (query.k, query.score_threshold) == (2, 0.4)


@pytest.mark.parametrize("message", ["thanks!", "Vielen Dank!", "ok, great", "Hallo", "merci beaucoup", "👍"])
async def test_case_21_small_talk_retrieves_nothing(message: str) -> None:
    bench = AgentBench(ScriptedModel(Say("You are welcome.")))
    run = await bench.run(ask(message, mode="pipeline"))
    assert bench.knowledge.searches == []
    assert run.status == "completed"
    assert bench.data(RUN_NOTICE)[0].data["code"] == "retrieval_skipped"


@pytest.mark.parametrize(
    "message",
    [
        "Find the termination clause in the contract",
        "No, what is the retention period for invoices?",
        "Retention period?",
        "Sure, explain the retention",
        "Kündigungsfrist Mietvertrag?",
        "ISO 9001",
    ],
)
def test_case_21_questions_that_a_keyword_gate_drops_are_searched(message: str) -> None:
    assert needs_knowledge(message)


async def test_pipeline_without_knowledge_asks_the_model_directly() -> None:
    bench = AgentBench(ScriptedModel(Say("hi")))
    await bench.run(ask("What is the notice period?", mode="pipeline", use_knowledge=False))
    assert bench.knowledge.searches == []


def test_question_with_too_few_words_of_its_own_is_searched_with_the_one_before() -> None:
    assert search_text("And in Zurich?", ["What is the notice period?"]) == "What is the notice period? And in Zurich?"
    assert search_text("What is the deposit for keys?", ["Hello"]) == "What is the deposit for keys?"


async def test_follow_up_in_the_pipeline_uses_the_history() -> None:
    bench = AgentBench(ScriptedModel(ANSWER))
    history = (Message("user", (Text("What is the notice period?"),)), Message("assistant", (Text("Three months."),)))
    await bench.run(ask("And the deposit?", mode="pipeline", history=history))
    assert "notice period" in bench.knowledge.searches[0][1].text
