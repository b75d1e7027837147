"""Tool calls that a model writes as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.unit.models.conftest import MakeBench

from famulus.models.base import ModelNotice, ModelRequest, ModelResponse, TextDelta, ToolSchema
from famulus.models.recover import calls_in_text
from famulus.testing.model_servers import Say

SEARCH = ToolSchema("search", "Searches.", {"type": "object", "properties": {}, "additionalProperties": False})
REQUEST = ModelRequest("p/m", (), (SEARCH,))

WRITTEN = [
    '{"name": "search", "arguments": {"q": "x"}}',
    '{"name": "search", "parameters": {"q": "x"}}',
    '{"tool": "search", "arguments": "{\\"q\\": \\"x\\"}"}',
    '{"type": "function", "function": {"name": "search", "arguments": {"q": "x"}}}',
    '```json\n{"name": "search", "arguments": {"q": "x"}}\n```',
    '<tool_call>\n{"name": "search", "arguments": {"q": "x"}}\n</tool_call>',
    'I will look.\n<tool_call>{"name": "search", "arguments": {"q": "x"}}</tool_call>',
    '[TOOL_CALLS][{"name": "search", "arguments": {"q": "x"}}]',
    '<|python_tag|>{"name": "search", "parameters": {"q": "x"}}',
    '<function=search>{"q": "x"}</function>',
]
NOT_CALLS = [
    "Use search with {'q': 'x'}.",
    '{"name": "delete_all", "arguments": {"q": "x"}}',
    '{"name": "search"}',
    'For example: {"name": "search", "arguments": {"q": "x"}}',
    '[{"name": "search", "arguments": {"q": "x"}}, {"price": 3}]',
    "[1] says so.",
    '{"name": "search", "arguments": ',
    "[" * 100_000,
]


@pytest.mark.parametrize("text", WRITTEN)
def test_known_forms_are_read(text: str) -> None:
    assert [(call.tool, call.arguments) for call in calls_in_text(text, REQUEST)] == [("search", {"q": "x"})]


@pytest.mark.parametrize("text", NOT_CALLS)
def test_other_text_stays_text(text: str) -> None:
    assert calls_in_text(text, REQUEST) == ()


@pytest.mark.parametrize("text", [*NOT_CALLS[:-1], "Plain words.", "{", "<tool", "`code`"])
async def test_text_that_is_no_call_arrives_whole(text: str, bench: MakeBench) -> None:
    async with bench("openai", [Say(text, chunks=4)]) as b:
        items = await b.ask(tools=(SEARCH,))
    response = items[-1]
    assert isinstance(response, ModelResponse)
    assert "".join(item.text for item in items if isinstance(item, TextDelta)) == response.text == text
    assert response.calls == ()


async def test_recovered_calls_are_named_in_a_notice(bench: MakeBench) -> None:
    async with bench("openai", [Say(WRITTEN[6])]) as b:
        items = await b.ask(tools=(SEARCH,))
    notice, response = items[-2], items[-1]
    assert isinstance(notice, ModelNotice)
    assert isinstance(response, ModelResponse)
    assert notice.data == {"call_ids": [response.calls[0].call_id], "tools": ["search"]}


async def test_recovery_can_be_switched_off_and_needs_offered_tools(bench: MakeBench) -> None:
    async with bench("openai", [Say(WRITTEN[0])], gateway={"recover_calls": False}) as b:
        response = (await b.ask(tools=(SEARCH,)))[-1]
    async with bench("openai", [Say(WRITTEN[0])]) as b:
        without = (await b.ask())[-1]
    for item in (response, without):
        assert isinstance(item, ModelResponse)
        assert (item.calls, item.text) == ((), WRITTEN[0])
