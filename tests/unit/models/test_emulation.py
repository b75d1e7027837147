"""E6: tools for models without native calls."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.unit.models.conftest import MakeBench

from famulus.messages.values import Message, Text, ToolCall, ToolResult
from famulus.models.base import ModelNotice, ModelResponse, TextDelta, ToolSchema
from famulus.models.emulation import StepReader
from famulus.models.errors import ModelFailed
from famulus.models.settings import ModelSettings
from famulus.testing.model_servers import Finish, Say, Served, Status

SEARCH = ToolSchema(
    "search",
    "Searches.",
    {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"], "additionalProperties": False},
)
EMULATED = (ModelSettings("test-model", tools="json_schema"),)


def step(**fields: Any) -> str:
    return json.dumps({"step": fields}, ensure_ascii=False)


@pytest.mark.parametrize("wire", ["openai", "ollama", "openai_responses", "anthropic", "mistral"])
async def test_a_call_and_an_answer_come_out_as_from_any_model(wire: Any, bench: MakeBench) -> None:
    rounds = [Say(step(tool="search", arguments={"q": "Frist"})), Say(step(answer="Drei Monate. [1]"))]
    async with bench(wire, rounds, models=EMULATED) as b:
        question = Message("user", (Text("Frist?"),))
        first = (await b.ask(question, tools=(SEARCH,)))[-1]
        assert isinstance(first, ModelResponse)
        call = first.calls[0]
        assert (first.text, first.finish, call.tool, call.arguments) == ("", "tool_calls", "search", {"q": "Frist"})
        result = Message("tool", (ToolResult(call.call_id, "search", '{"hits": []}'),))
        items = await b.ask(question, Message("assistant", (call,)), result, tools=(SEARCH,))
    assert isinstance(items[-1], ModelResponse)
    assert items[-1].text == "".join(i.text for i in items if isinstance(i, TextDelta)) == "Drei Monate. [1]"
    assert b.server.requests[1].tools == []
    assert "Result of the tool search" in b.server.requests[1].text


async def test_the_answer_streams_while_its_json_is_written(bench: MakeBench) -> None:
    text = 'Zeile 1\n"Zitat" \\ 🎉 Ende'
    raw = json.dumps({"step": {"answer": text}})  # with \u escapes
    async with bench("openai", [Say(raw, chunks=len(raw), delay_s=0.002)], models=EMULATED) as b:
        items = await b.ask(tools=(SEARCH,))
    deltas = [item.text for item in items if isinstance(item, TextDelta)]
    assert "".join(deltas) == text
    assert len(deltas) > 3


async def test_the_last_round_without_tools_is_plain_text(bench: MakeBench) -> None:
    async with bench("openai", [Say("Just text.")], models=EMULATED) as b:
        call = ToolCall("c1", "search", {"q": "x"})
        messages = (
            Message("user", (Text("x"),)),
            Message("assistant", (call,)),
            Message("tool", (ToolResult("c1", "search", "{}"),)),
        )
        response = (await b.ask(*messages))[-1]
    assert isinstance(response, ModelResponse)
    assert response.text == "Just text."
    assert "response_format" not in b.server.bodies[0]
    assert {message["role"] for message in b.server.bodies[0]["messages"]} == {"user", "assistant"}


@pytest.mark.parametrize(
    ("raw", "text", "problem"),
    [
        ('{"step": {"tool": "search", "arguments": {"q": "x', "", True),
        ('{"step": {"answer": "half an ans', "half an ans", False),
        ("I ignore every schema.", "I ignore every schema.", False),
        ('{"step": {"answer": ""}}', "", False),
        ('{"step": {"tool": "search", "arguments": 5}}', "", True),
        ('{"other": 1}', '{"other": 1}', False),
        ('{"step": {"answer": "a\\ud83d', "a", False),
    ],
)
async def test_what_breaks_off_or_ignores_the_schema_is_still_an_answer_or_a_bad_call(
    raw: str, text: str, problem: bool, bench: MakeBench
) -> None:
    async with bench("openai", [[Say(raw), Finish("length")]], models=EMULATED) as b:
        items = await b.ask(tools=(SEARCH,))
    response = items[-1]
    assert isinstance(response, ModelResponse)
    assert response.text.rstrip("�") == text
    assert [bool(call.problem) for call in response.calls] == [True] * problem
    assert "".join(item.text for item in items if isinstance(item, TextDelta)) == response.text


async def test_a_model_that_refuses_tools_is_emulated_from_then_on(bench: MakeBench) -> None:
    rounds = [Say(step(answer="ok")), Say(step(answer="ok"))]
    async with bench("openai", rounds, served=Served(tools=False)) as b:
        items = await b.ask(tools=(SEARCH,))
        assert [item.code for item in items if isinstance(item, ModelNotice)] == ["tools_emulated"]
        assert (await b.gateway.info("p/test-model")).tools == "json_schema"
        await b.ask(tools=(SEARCH,))
    assert [request.status for request in b.server.requests] == [400, 200, 200]


async def test_ollama_says_itself_that_a_model_has_no_tools(bench: MakeBench) -> None:
    async with bench("ollama", [Say(step(answer="ok"))], served=Served(tools=False)) as b:
        assert (await b.gateway.info("p/test-model")).tools is False
        await b.ask(tools=(SEARCH,))
    assert [request.status for request in b.server.requests] == [200]
    assert b.server.bodies[0]["format"]["required"] == ["step"]


def test_pieces_may_end_inside_an_escape() -> None:
    raw = '{ "step" :\n{"answer": "x\\u00e4\\ud83c\\udf89\\n"}}'
    reader = StepReader()
    assert "".join(reader.feed(character) for character in raw) == "xä🎉\n"


async def test_a_failure_before_the_answer_stays_a_failure(bench: MakeBench) -> None:
    async with bench("openai", [Status(401)], models=EMULATED) as b:
        with pytest.raises(Exception, match="API key"):
            await b.ask(tools=(SEARCH,))


@pytest.mark.parametrize(
    ("message", "emulated"),
    [
        ('\\"auto\\" tool choice requires --enable-auto-tool-choice', True),
        ("tools param requires --jinja flag", True),
        ("registry.example/x does not support tools", True),
        ("This model does not support tool_choice", False),
        ("messages are wrong", False),
    ],
)
async def test_servers_say_in_many_words_that_they_take_no_tools(
    message: str, emulated: bool, bench: MakeBench
) -> None:
    refusal = Status(400, f'{{"error": {{"message": "{message}", "type": "x"}}}}')
    async with bench("openai", [refusal, Say(step(answer="ok"))]) as b:
        if not emulated:
            with pytest.raises(ModelFailed):
                await b.ask(tools=(SEARCH,))
            return
        items = await b.ask(tools=(SEARCH,))
    assert [item.code for item in items if isinstance(item, ModelNotice)] == ["tools_emulated"]
