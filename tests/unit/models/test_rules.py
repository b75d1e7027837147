"""E3: what a model family takes, from the table and from refusals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.unit.models.conftest import MakeBench

from famulus.models.base import ModelNotice, ModelRequest
from famulus.models.providers.rules import Change, apply, changes_for, lesson
from famulus.testing.model_servers import Call, Say, Status, Think

BODY: dict[str, Any] = {
    "model": "m",
    "messages": [],
    "temperature": 0,
    "max_tokens": 5,
    "tools": [],
    "stream_options": {},
}


@pytest.mark.parametrize("model", ["o4-mini", "gpt-5-mini", "openai/o3", "GPT-5.1"])
def test_reasoning_models_take_no_temperature_and_another_limit(model: str) -> None:
    body = apply(dict(BODY), changes_for("openai", model))
    assert "temperature" not in body
    assert body["max_completion_tokens"] == 5


@pytest.mark.parametrize("model", ["gpt-4o", "llama3.3", "office-model"])
def test_other_models_take_what_is_sent(model: str) -> None:
    assert apply(dict(BODY), changes_for("openai", model)) == BODY


REFUSALS = [
    ("max_tokens", "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.", Change("max_tokens", "max_completion_tokens")),
    ("temperature", "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.", Change("temperature")),
    (None, "`temperature` is deprecated for this model.", Change("temperature")),
    (None, "temperature: Extra inputs are not permitted", Change("temperature")),
    ("stream_options", "Extra inputs are not permitted", Change("stream_options")),
    (None, "Unrecognized request argument supplied: stream_options", Change("stream_options")),
    (None, "`temperature` may only be set to 1 when thinking is enabled.", Change("temperature")),
    ("messages", "Invalid signature in thinking block", Change("replay")),
    (None, "Invalid `signature` in `thinking` block", Change("replay")),
    ("tools", "tools is not supported", None),
    ("messages", "messages is not supported", None),
    ("temperature", "temperature must be at most 2", None),
    ("top_p", "top_p is not supported", None),
]  # fmt: skip


@pytest.mark.parametrize(("param", "message", "change"), REFUSALS)
def test_a_refusal_teaches_only_about_optional_parameters_of_the_request(
    param: str | None, message: str, change: Change | None
) -> None:
    assert lesson(400, param, message, BODY) == change
    assert lesson(500, param, message, BODY) is None


async def test_a_lesson_is_told_and_remembered(bench: MakeBench) -> None:
    refusal = '{"error": {"message": "Unsupported parameter: \'temperature\'", "type": "x", "param": "temperature", "code": null}}'
    async with bench("openai", [Status(400, refusal), Say("one"), Say("two")]) as b:
        items = await b.ask()
        assert [item.code for item in items if isinstance(item, ModelNotice)] == ["parameter_dropped"]
        assert not any(isinstance(item, ModelNotice) for item in await b.ask())
    assert ["temperature" in body for body in b.server.bodies] == [True, False, False]


async def test_reasoning_models_are_asked_right_the_first_time(bench: MakeBench) -> None:
    for wire in ("openai", "openai_responses"):
        async with bench(wire, [Say("one")]) as b:
            await b.ask(model="p/o4-mini", max_output_tokens=100, temperature=0.0)
        assert [request.status for request in b.server.requests] == [200]


async def test_a_server_that_always_refuses_is_asked_a_bounded_number_of_times(bench: MakeBench) -> None:
    refusal = '{"error": {"message": "Unsupported parameter", "param": "%s"}}'

    def rounds(body: dict[str, Any], index: int) -> Status:
        return Status(
            400,
            refusal % next(iter([name for name in body if name not in ("model", "messages", "stream")] or ["none"])),
        )

    async with bench("openai", rounds) as b:
        with pytest.raises(Exception, match="refused the request"):
            await b.ask(max_output_tokens=5)
    assert len(b.server.requests) <= 5


async def test_a_signature_that_is_refused_is_left_out(bench: MakeBench) -> None:
    from famulus.messages.values import Message, Text, ToolResult
    from famulus.models.base import ModelResponse, ToolSchema

    tool = ToolSchema("search", "x", {"type": "object", "properties": {}, "additionalProperties": False})
    async with bench("anthropic", [[Think("hm", "c29tZXRoaW5nLWVsc2U="), Call("search")], Say("done")]) as b:
        question = Message("user", (Text("x"),))
        response = (await b.ask(question, tools=(tool,)))[-1]
        assert isinstance(response, ModelResponse)
        result = Message("tool", (ToolResult(response.calls[0].call_id, "search", "{}"),))
        items = await b.ask(question, Message("assistant", response.calls, response.replay), result, tools=(tool,))
    assert isinstance(items[-1], ModelResponse)
    assert items[-1].text == "done"
    assert [request.status for request in b.server.requests] == [200, 400, 200]


def test_a_request_says_nothing_that_was_not_asked() -> None:
    assert ModelRequest("p/m", ()).max_output_tokens is None
