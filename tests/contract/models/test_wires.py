"""What every wire does the same: text, parallel calls, reasoning, usage, replay, structured output, failures."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, get_args

import pytest

from famulus.messages.values import JsonObject, Message, Principal, Text, ToolResult
from famulus.models.base import (
    ModelItem,
    ModelNotice,
    ModelRequest,
    ModelResponse,
    ReasoningDelta,
    TextDelta,
    ToolSchema,
)
from famulus.models.errors import ModelFailed
from famulus.models.gateway import Gateway, Retries, Spend
from famulus.models.providers.build import build_providers
from famulus.models.settings import ModelSettings, ProviderSettings
from famulus.net.client import NetClient
from famulus.net.policy import EgressPolicy
from famulus.testing.model_servers import (
    Call,
    Cut,
    Finish,
    Garble,
    Rounds,
    Say,
    ScriptedModel,
    Served,
    Split,
    Stall,
    Status,
    StreamError,
    Think,
    Tokens,
    WireName,
)  # fmt: skip

KEY = "sk-test-0123456789abcdef"
USER = Principal("tenant", "user")
SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"query": {"type": "string"}},
    "required": ["query"],
    "additionalProperties": False,
}
SEARCH = ToolSchema("search", "Searches the documents.", SCHEMA)
QUESTION = (Message("system", (Text("Be brief."),)), Message("user", (Text("What does the contract say?"),)))
CALLS = [Call("search", {"query": "Kündigung"}), Call("search", {"query": "Frist"})]


@pytest.fixture(params=get_args(WireName))
def wire(request: pytest.FixtureRequest) -> WireName:
    return request.param


@dataclass
class Bench:
    server: ScriptedModel
    gateway: Gateway
    waits: list[float]

    async def ask(self, messages: Sequence[Message] = QUESTION, **changes: Any) -> list[ModelItem]:
        request = ModelRequest(**({"model": "p/test-model", "messages": tuple(messages), "tools": (SEARCH,)} | changes))
        return [item async for item in self.gateway.stream(USER, request, Spend())]

    async def answer(self, messages: Sequence[Message] = QUESTION, **changes: Any) -> ModelResponse:
        last = (await self.ask(messages, **changes))[-1]
        assert isinstance(last, ModelResponse)
        return last

    async def failure(self, **changes: Any) -> ModelFailed:
        with pytest.raises(ModelFailed) as caught:
            await self.ask(**changes)
        return caught.value


@asynccontextmanager
async def bench(
    wire: WireName,
    rounds: Rounds,
    served: Served | None = None,
    models: tuple[ModelSettings, ...] = (),
    attempts: int = 1,
    timeout_s: float = 20.0,
    **options: Any,
) -> AsyncIterator[Bench]:
    served = served or Served()
    served.api_key = KEY
    async with ScriptedModel(wire, rounds, served=served, **options) as server:
        settings = [ProviderSettings("p", wire, server.base_url, KEY, models=models, timeout_s=timeout_s)]
        net = NetClient(EgressPolicy(providers=frozenset({settings[0].url})))
        waits: list[float] = []

        async def sleep(seconds: float) -> None:
            waits.append(seconds)

        gateway = Gateway(build_providers(settings, net), retries=Retries(attempts), sleep=sleep)
        yield Bench(server, gateway, waits)
        await gateway.aclose()
        await net.aclose()


def text_of(items: Sequence[ModelItem]) -> str:
    return "".join(item.text for item in items if isinstance(item, TextDelta))


def codes(items: Sequence[ModelItem]) -> list[str]:
    return [item.code for item in items if isinstance(item, ModelNotice)]


async def test_text_arrives_in_pieces_and_equals_the_response(wire: WireName) -> None:
    async with bench(wire, [Say("Die Kündigung läuft drei Monate.", chunks=5, delay_s=0.01)]) as b:
        items = await b.ask()
    response = items[-1]
    assert isinstance(response, ModelResponse)
    assert 1 < len([item for item in items if isinstance(item, TextDelta)]) <= 5
    assert text_of(items) == response.text == "Die Kündigung läuft drei Monate."
    assert (response.finish, response.calls) == ("stop", ())


@pytest.mark.parametrize("size", [1, 7, 64])
async def test_frames_may_be_split_anywhere(wire: WireName, size: int) -> None:
    async with bench(wire, [[Say("Größe: 日本語 🎉"), Call("search", {"query": "ü🎉"}), Split(size)]]) as b:
        response = await b.answer()
    assert response.text == "Größe: 日本語 🎉"
    assert [call.arguments for call in response.calls] == [{"query": "ü🎉"}]


async def test_parallel_calls_keep_their_order_and_ids(wire: WireName) -> None:
    async with bench(wire, [[Say("Ich suche."), *CALLS]]) as b:
        response = await b.answer()
    assert [(call.tool, call.arguments) for call in response.calls] == [
        ("search", dict(call.arguments)) for call in CALLS
    ]
    assert len({call.call_id for call in response.calls}) == 2
    assert response.finish == "tool_calls"


async def test_a_second_round_passes_the_servers_checks(wire: WireName) -> None:
    """The strict server refuses results without calls, lost thinking signatures, wrong role orders and unknown fields."""
    async with bench(
        wire, [[Think("Erst suchen."), *CALLS], [Think("Jetzt."), Call("search", {"query": "x"})], Say("Fertig.")]
    ) as b:
        messages = list(QUESTION)
        for _ in range(2):
            response = await b.answer(messages)
            messages.append(Message("assistant", (Text(response.text), *response.calls), response.replay))
            messages += [Message("tool", (ToolResult(c.call_id, c.tool, '{"hits": []}'),)) for c in response.calls]
        final = await b.answer([*messages, Message("user", (Text("Answer now."),))], tools=())
    assert final.text == "Fertig."
    assert [request.status for request in b.server.requests] == [200, 200, 200]
    assert b.server.requests[2].tools == []


async def test_thinking_goes_back_verbatim_within_a_turn(wire: WireName) -> None:
    async with bench(wire, [[Think("Erst suchen."), *CALLS], Say("Fertig.")]) as b:
        items = await b.ask()
        response = items[-1]
        assert isinstance(response, ModelResponse)
        message = Message("assistant", tuple(response.calls), response.replay)
        results = [Message("tool", (ToolResult(c.call_id, c.tool, "{}"),)) for c in response.calls]
        await b.answer([*QUESTION, message, *results])
    assert (
        "".join(item.text for item in items if isinstance(item, ReasoningDelta)) == response.reasoning == "Erst suchen."
    )
    sent = b.server.requests[1].text
    assert "Erst suchen." in sent
    if wire in ("anthropic", "openai_responses"):
        assert Think("").signature in sent


async def test_a_call_that_was_dropped_leaves_no_trace(wire: WireName) -> None:
    """The loop clips calls at its limit; the provider's own form of the message must not bring them back."""
    async with bench(wire, [[Think("Erst."), *CALLS], Say("Fertig.")]) as b:
        response = await b.answer()
        kept = response.calls[0]
        message = Message("assistant", (kept,), response.replay)
        final = await b.answer([*QUESTION, message, Message("tool", (ToolResult(kept.call_id, "search", "{}"),))])
    assert final.text == "Fertig."
    assert "Frist" not in b.server.requests[1].text


async def test_usage_is_the_providers(wire: WireName) -> None:
    async with bench(wire, [[Say("ok"), Tokens(input=1000, output=50, cached=400, reasoning=20)]]) as b:
        usage = (await b.answer()).usage
    assert (usage.input_tokens, usage.output_tokens, usage.estimated) == (1000, 50, False)
    if wire != "ollama":
        assert usage.cached_tokens == 400


async def test_case_26_broken_arguments_are_calls_with_a_problem(wire: WireName) -> None:
    raws = ['{"query": "x"', '{"a":1}{"a":2}', "[1]", '{"query":"x"}']
    async with bench(wire, [[Call("search", raw=raw) for raw in raws]]) as b:
        calls = (await b.answer()).calls
    assert [call.arguments for call in calls] == [None, None, None, {"query": "x"}]
    assert [call.raw for call in calls] == raws
    assert "end in the middle" in str(calls[0].problem)
    assert "more than one" in str(calls[1].problem)
    assert "one JSON object" in str(calls[2].problem)


async def test_broken_arguments_can_go_back_to_the_provider(wire: WireName) -> None:
    async with bench(wire, [Call("search", raw='{"query": "x'), Say("Fertig.")]) as b:
        call = (await b.answer()).calls[0]
        assert call.problem
        messages = [
            *QUESTION,
            Message("assistant", (call,)),
            Message("tool", (ToolResult(call.call_id, "search", "{}", True),)),
        ]
        assert (await b.answer(messages)).text == "Fertig."


async def test_arguments_without_end_are_bounded(wire: WireName) -> None:
    async with bench(wire, [Call("search", raw='{"query": "' + "x" * 200_000)]) as b:
        call = (await b.answer()).calls[0]
    assert call.arguments is None
    assert len(call.raw) <= 4096


async def test_an_answer_cut_at_its_limit_says_so(wire: WireName) -> None:
    async with bench(wire, [[Say("half an ans"), Finish("length")]]) as b:
        assert (await b.answer()).finish == "length"


async def test_a_schema_asks_for_constrained_output(wire: WireName) -> None:
    async with bench(wire, [Say('{"query": "x"}')]) as b:
        response = await b.answer(tools=(), response_schema=SCHEMA)
    assert response.text == '{"query": "x"}'
    assert '"additionalProperties": false' in b.server.requests[0].text


@pytest.mark.parametrize(
    ("status", "kind"),
    [(401, "auth"), (403, "auth"), (404, "not_found"), (429, "rate_limit"), (500, "unavailable"), (502, "unavailable"), (503, "overloaded"), (529, "overloaded"), (504, "timeout"), (400, "rejected")],
)  # fmt: skip
async def test_statuses_have_their_kind(wire: WireName, status: int, kind: str) -> None:
    async with bench(wire, [Status(status)]) as b:
        failure = await b.failure()
    assert (failure.kind, failure.before_first_token, failure.status) == (kind, True, status)


async def test_a_key_that_is_echoed_never_shows(wire: WireName) -> None:
    bodies = [
        f'{{"error": {{"message": "bad key {KEY} in ?key={KEY}", "type": "x"}}}}',
        f"<html>proxy https://x/?key={KEY}</html>",
    ]
    async with bench(wire, [Status(401, body) for body in bodies]) as b:
        for _ in bodies:
            assert KEY not in repr(await b.failure())
            assert KEY not in str(await b.failure())


async def test_the_right_key_is_sent_and_a_wrong_one_is_an_auth_failure(wire: WireName) -> None:
    async with bench(wire, [Say("ok")]) as b:
        assert (await b.answer()).text == "ok"
        b.server.served.api_key = "another"
        assert (await b.failure()).kind == "auth"


async def test_an_unknown_model_is_not_found(wire: WireName) -> None:
    async with bench(wire, [Say("ok")]) as b:
        assert (await b.failure(model="p/no-such-model")).kind == "not_found"


async def test_a_prompt_that_is_too_long_is_context_exceeded(wire: WireName) -> None:
    async with bench(wire, [Say("ok")], served=Served(context_window=2000)) as b:
        long = Message("user", (Text("word " * 4000),))
        assert (await b.failure(messages=(long,))).kind == "context_exceeded"


async def test_a_wait_that_the_server_asks_for_is_kept_and_told(wire: WireName) -> None:
    rounds = [Status(429, headers={"Retry-After": "2"}), Status(503), Say("ok")]
    async with bench(wire, rounds, attempts=3) as b:
        items = await b.ask()
    assert codes(items) == ["retry", "retry"]
    assert text_of(items) == "ok"
    assert b.waits[0] == 2.0


async def test_retries_are_bounded(wire: WireName) -> None:
    async with bench(wire, [Status(500)], repeat=True, attempts=3) as b:
        assert (await b.failure()).kind == "unavailable"
        assert len(b.server.requests) == 3


async def test_a_wait_that_is_too_long_is_not_waited_for(wire: WireName) -> None:
    async with bench(wire, [Status(429, headers={"Retry-After": "600"})], attempts=3) as b:
        failure = await b.failure()
    assert (failure.retry_after_s, b.waits) == (600.0, [])


@pytest.mark.parametrize("status", [400, 401, 404])
async def test_refusals_are_not_retried(wire: WireName, status: int) -> None:
    async with bench(wire, [Status(status)], attempts=3) as b:
        await b.failure()
        assert len(b.server.requests) == 1


async def test_a_cut_before_the_first_byte_is_retried(wire: WireName) -> None:
    """The first one on a kept connection is the network's own affair: it sends again on a new one."""
    async with bench(wire, [Cut(0), Cut(0), Say("ok")], attempts=3) as b:
        items = await b.ask()
    assert (codes(items), text_of(items)) == (["retry"], "ok")


async def test_m07_a_cut_in_the_middle_is_an_error_after_the_partial_text(wire: WireName) -> None:
    async with bench(
        wire, [[Say("one two three four five six"), Cut(8 if wire != "ollama" else 4)], Say("no")], attempts=3
    ) as b:
        items, failure = await collected(b.gateway.stream(USER, ModelRequest("p/test-model", QUESTION), Spend()))
        assert len(b.server.requests) == 1
    assert text_of(items).startswith("one two")
    assert failure is not None
    assert (failure.kind, failure.before_first_token) == ("connection", False)


async def collected(stream: AsyncIterator[ModelItem]) -> tuple[list[ModelItem], ModelFailed | None]:
    items: list[ModelItem] = []
    try:
        async for item in stream:
            items.append(item)
    except ModelFailed as failure:
        return items, failure
    return items, None


async def test_m07_garbage_is_an_error_not_an_answer(wire: WireName) -> None:
    async with bench(
        wire, [Garble(), [Say("one two"), Garble()], Garble(b"<html>hello</html>"), Garble(b"data: [1,2]")]
    ) as b:
        before = await b.failure()
        assert (before.kind, before.before_first_token) == ("unavailable", True)
        assert not (await b.failure()).before_first_token
        assert (await b.failure()).kind == "unavailable"
        assert (await b.failure()).kind == "unavailable"


async def test_m07_a_web_page_with_status_200_is_an_error(wire: WireName) -> None:
    async with bench(
        wire, [Status(200, "<html>login</html>", {"Content-Type": "text/html"}), Status(200, '{"half": ')]
    ) as b:
        assert "base_url" in str(await b.failure())
        assert (await b.failure()).kind == "unavailable"


async def test_an_error_inside_a_stream_has_its_kind(wire: WireName) -> None:
    async with bench(wire, [[Say("one two"), StreamError("the server is overloaded, busy")]]) as b:
        failure = await b.failure()
    assert (failure.kind, failure.before_first_token) == ("overloaded", False)


async def test_a_silent_server_is_a_timeout(wire: WireName) -> None:
    async with bench(wire, [Stall()], timeout_s=0.2) as b:
        assert (await b.failure()).kind == "timeout"


async def test_leaving_a_stream_ends_the_request_at_the_server(wire: WireName) -> None:
    async with bench(wire, [[Say("one two three"), Stall()]]) as b:
        stream = b.gateway.stream(USER, ModelRequest("p/test-model", QUESTION), Spend())
        async for item in stream:
            if isinstance(item, TextDelta):
                break
        assert b.server.open_streams == 1
        await stream.aclose()  # type: ignore[attr-defined]
        await until(lambda: b.server.open_streams == 0)


async def until(reached: Any) -> None:
    import asyncio

    for _ in range(100):
        if reached():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("not reached in a second")


async def test_a_kept_connection_serves_the_next_request(wire: WireName) -> None:
    async with bench(wire, [Say("one"), Say("two"), Say("three")]) as b:
        for text in ("one", "two", "three"):
            assert (await b.answer()).text == text
        pool = next(iter(b.gateway.selector.providers["p"].net.pools.values()))  # type: ignore[attr-defined]
        kept = pool.connector._conns  # the only place where aiohttp shows its idle connections
        assert sum(len(connections) for connections in kept.values()) == 1


async def test_a_call_written_as_text_is_recovered_and_not_shown(wire: WireName) -> None:
    async with bench(wire, [Say('{"name": "search", "arguments": {"query": "x"}}')]) as b:
        items = await b.ask()
    response = items[-1]
    assert isinstance(response, ModelResponse)
    assert (codes(items), text_of(items), response.text) == (["recovered_call"], "", "")
    assert [(call.tool, call.arguments) for call in response.calls] == [("search", {"query": "x"})]


async def test_models_are_asked_from_the_provider(wire: WireName) -> None:
    async with bench(wire, [], models=(ModelSettings("test-model", context_window=1234, tools="json_schema"),)) as b:
        infos = {info.name: info for info in await b.gateway.models(USER)}
    assert set(infos) == {"p/test-model", "p/o4-mini", "p/gpt-4o", "p/gpt-4-test"}
    assert (infos["p/test-model"].context_window, infos["p/test-model"].tools) == (1234, "json_schema")
    assert infos["p/gpt-4o"].tools == {"ollama": True, "mistral": True, "anthropic": True}.get(wire)


async def test_a_test_of_a_model_gives_its_latency(wire: WireName) -> None:
    async with bench(wire, [Say("OK"), Status(401)]) as b:
        assert await b.gateway.test("p/test-model") > 0
        with pytest.raises(ModelFailed):
            await b.gateway.test("p/test-model")
