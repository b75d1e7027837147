"""What is special about single wires."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

if TYPE_CHECKING:
    from tests.unit.models.conftest import MakeBench

from famulus.messages.values import JsonObject, Message, Text, ToolCall, ToolResult
from famulus.models.base import (
    ModelItem,
    ModelNotice,
    ModelRequest,
    ModelResponse,
    ReasoningDelta,
    TextDelta,
    ToolSchema,
)
from famulus.models.providers.anthropic.stream import MessagesDecoder
from famulus.models.providers.openai import OpenAIWire
from famulus.models.providers.openai.models import listed
from famulus.models.providers.openai.stream import ChatDecoder
from famulus.models.providers.perplexity import PerplexityWire
from famulus.models.providers.wire import Garbled, Offers, Quirks, is_strict
from famulus.models.settings import ModelSettings
from famulus.testing.model_servers import Call, Say, Status

SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"a": {"type": "string"}},
    "required": ["a"],
    "additionalProperties": False,
}
ASKED = Message("user", (Text("x"),))
TOOL = ToolSchema("search", "x", SCHEMA)


async def test_claude_models_without_constrained_output_answer_through_a_tool(bench: MakeBench) -> None:
    refusal = '{"type": "error", "error": {"type": "invalid_request_error", "message": "output_config: Extra inputs are not permitted"}}'
    async with bench("anthropic", [Status(400, refusal), Call("answer", {"a": "x"}, pieces=3)]) as b:
        items = await b.ask(ASKED, response_schema=SCHEMA)
    response = items[-1]
    assert isinstance(response, ModelResponse)
    assert (response.text, response.calls, response.finish) == ('{"a": "x"}', (), "stop")
    assert "".join(item.text for item in items if isinstance(item, TextDelta)) == response.text
    assert b.server.bodies[1]["tool_choice"] == {"type": "tool", "name": "answer"}


async def test_a_user_message_after_a_tool_result_is_bridged_for_mistral(bench: MakeBench) -> None:
    call = ToolCall("call_from_another_provider", "search", {"a": "x"})
    messages = [
        ASKED,
        Message("assistant", (call,)),
        Message("tool", (ToolResult(call.call_id, "search", "{}"),)),
        ASKED,
    ]
    async with bench("mistral", [Say("ok")]) as b:
        await b.ask(*messages)
    assert [request.status for request in b.server.requests] == [200]
    assert len(b.server.bodies[0]["messages"][1]["tool_calls"][0]["id"]) == 9


def test_perplexity_gets_no_tools_and_lists_its_models_itself() -> None:
    wire = PerplexityWire()
    body = wire.body(ModelRequest("p/sonar", (ASKED,), (TOOL,)), "sonar", Quirks())
    assert set(body) == {"model", "messages", "stream", "temperature"}
    assert {one.tools for one in wire.listed(b"")} == {False}


async def test_options_of_a_model_go_into_its_requests(bench: MakeBench) -> None:
    models = (ModelSettings("test-model", options={"reasoning_effort": "low"}),)
    async with bench("openai", [Say("ok")], models=models) as b:
        await b.ask(ASKED)
    assert b.server.bodies[0]["reasoning_effort"] == "low"


def read(decoder: ChatDecoder, *frames: bytes) -> list[ModelItem]:
    items: list[ModelItem] = []
    decoder.read(frames, items)
    return items


def test_what_came_before_a_broken_frame_counts() -> None:
    decoder = ChatDecoder("openai", "m")
    items: list[ModelItem] = []
    said = b'{"choices":[{"delta":{"content":"hi"}}]}'
    with pytest.raises(Garbled):
        decoder.read([said, said, b'{"choices":', said, b"[DONE]"], items)
    assert [item.text for item in items if isinstance(item, TextDelta)] == ["hi", "hi"]
    assert not decoder.done


def test_two_values_in_one_frame_are_broken_also_among_others() -> None:
    said = b'{"choices":[{"delta":{"content":"hi"}}]}'
    with pytest.raises(Garbled):
        read(ChatDecoder("openai", "m"), said, said + b"," + said, said)


def test_opaque_data_on_calls_goes_back_with_them() -> None:
    decoder = ChatDecoder("openai", "m")
    read(
        decoder,
        b'{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"s","arguments":"{}"},"extra_content":{"sig":"x"}}]}}]}',
        b'{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}',
    )
    response = decoder.response()
    message = Message("assistant", response.calls, response.replay)
    result = Message("tool", (ToolResult("c1", "s", "{}"),))
    body: dict[str, Any] = OpenAIWire().body(ModelRequest("p/m", (ASKED, message, result)), "m", Quirks())
    assert body["messages"][1]["tool_calls"][0]["extra_content"] == {"sig": "x"}


def test_old_thoughts_are_not_sent_in_a_new_turn() -> None:
    decoder = ChatDecoder("openai", "m")
    read(
        decoder,
        b'{"choices":[{"delta":{"reasoning_content":"hm","tool_calls":[{"index":0,"id":"c1","function":{"name":"s","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}',
    )
    response = decoder.response()
    turn = [
        ASKED,
        Message("assistant", response.calls, response.replay),
        Message("tool", (ToolResult("c1", "s", "{}"),)),
    ]
    wire = OpenAIWire()
    now = str(wire.body(ModelRequest("p/m", tuple(turn)), "m", Quirks()))
    later = str(wire.body(ModelRequest("p/m", (*turn, ASKED)), "m", Quirks()))
    another = str(wire.body(ModelRequest("p/m2", tuple(turn)), "m2", Quirks()))
    assert ["reasoning_content" in text for text in (now, later, another)] == [True, False, False]


def test_a_stream_without_an_end_is_no_answer() -> None:
    for decoder in (ChatDecoder("openai", "m"), MessagesDecoder("m", schema_asked=False)):
        with pytest.raises(Garbled):
            decoder.response()


def test_servers_that_end_without_done_have_said_enough() -> None:
    decoder = ChatDecoder("openai", "m")
    items = read(decoder, b'{"choices":[{"delta":{"content":"hi","reasoning":"because"},"finish_reason":"stop"}]}')
    assert [type(item) for item in items] == [ReasoningDelta, TextDelta]
    assert (decoder.response().text, decoder.response().usage.estimated) == ("hi", True)


@pytest.mark.parametrize(
    ("entry", "window", "tools"),
    [
        ('{"id": "m", "max_model_len": 8192}', 8192, None),
        ('{"id": "m", "meta": {"n_ctx": 4096, "n_ctx_train": 131072}}', 4096, None),
        ('{"id": "m", "context_length": 131072, "supported_parameters": ["tools"]}', 131072, True),
        ('{"id": "m", "context_length": 1000, "supported_parameters": []}', 1000, False),
        ('{"id": "m", "max_context_length": 5000, "capabilities": {"function_calling": false}}', 5000, False),
        ('{"id": "m"}', None, None),
    ],
)
def test_servers_tell_window_and_tools_under_many_names(entry: str, window: int | None, tools: bool | None) -> None:
    (one,) = listed(f'{{"data": [{entry}, {{"id": "text-embedding-3"}}]}}'.encode())
    assert (one.context_window, one.tools) == (window, tools)


def test_only_closed_schemas_with_all_fields_required_are_strict() -> None:
    assert is_strict(SCHEMA)
    assert not is_strict(SCHEMA | {"required": []})
    assert not is_strict(
        {
            "type": "object",
            "properties": {"x": {"type": "object", "properties": {"y": {}}}},
            "required": ["x"],
            "additionalProperties": False,
        }
    )


async def test_a_wire_that_answers_text_and_calls_gives_both(bench: MakeBench) -> None:
    async with bench("openai", [[Say("I look."), Call("search", {"a": "x"}), Say(" Then.")]]) as b:
        response = (await b.ask(ASKED, tools=(TOOL,)))[-1]
    assert isinstance(response, ModelResponse)
    assert (response.text, len(response.calls)) == ("I look. Then.", 1)
    assert not isinstance(response, ModelNotice)


def test_an_offer_of_tools_is_written_once_and_never_taken_for_another() -> None:
    written: list[str] = []

    def write(schema: ToolSchema) -> str:
        written.append(schema.name)
        return schema.name

    offers = Offers(write, most=2)
    kept = [(ToolSchema(name, "", {}),) for name in "abc"]
    told = [str(msgspec.json.encode(offers.written(one)), "utf-8") for one in (*kept, *kept, kept[2])]
    assert told == ['["a"]', '["b"]', '["c"]', '["a"]', '["b"]', '["c"]', '["c"]']
    assert len(written) == 6
