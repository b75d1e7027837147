"""Attack case M07: whatever a model server does, one bounded retry policy before the first token, and an error that says what happened."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from famulus.messages.values import Message, Principal, Text
from famulus.models.base import ModelItem, ModelNotice, ModelRequest, ModelResponse, TextDelta, ToolSchema
from famulus.models.errors import ModelFailed
from famulus.models.gateway import Gateway, Retries, Spend
from famulus.models.providers.build import build_providers
from famulus.models.settings import ProviderSettings
from famulus.net.client import NetClient
from famulus.net.policy import EgressPolicy
from famulus.testing.model_servers import Call, Rounds, Say, ScriptedModel, Status

SEARCH = ToolSchema("search", "Searches.", {"type": "object", "properties": {}, "additionalProperties": False})
REQUEST = ModelRequest("p/test-model", (Message("user", (Text("x"),)),), (SEARCH,))
USER = Principal("tenant", "user")


async def no_name(host: str, port: int) -> list[str]:
    raise OSError("no such name")


async def private_name(host: str, port: int) -> list[str]:
    return ["10.0.0.7"]


async def ask(base_url: str, net: NetClient) -> list[ModelItem]:
    async def sleep(seconds: float) -> None:
        return None

    async with aclosing(net):
        gateway = Gateway(
            build_providers([ProviderSettings("p", "openai", base_url)], net), retries=Retries(3), sleep=sleep
        )
        return [item async for item in gateway.stream(USER, REQUEST, Spend())]


async def asked(rounds: Rounds) -> tuple[list[ModelItem], ScriptedModel]:
    async with ScriptedModel("openai", rounds) as server:
        return await ask(server.base_url, NetClient(EgressPolicy(providers=frozenset({server.base_url})))), server


async def test_m07_a_refused_connection_and_an_unknown_name_are_connection_failures() -> None:
    local = "http://127.0.0.1:9999/v1"
    for url, net in (
        (local, NetClient(EgressPolicy(providers=frozenset({local})))),
        ("https://models.example/v1", NetClient(EgressPolicy(), lookup=no_name)),
    ):
        with pytest.raises(ModelFailed) as caught:
            await ask(url, net)
        assert (caught.value.kind, caught.value.before_first_token) == ("connection", True)


async def test_m07_a_public_providers_name_that_turns_private_is_refused_and_not_retried() -> None:
    with pytest.raises(ModelFailed) as caught:
        await ask("https://models.example/v1", NetClient(EgressPolicy(), lookup=private_name))
    assert caught.value.kind == "rejected"
    assert "10.0.0.7" in str(caught.value)


async def test_m07_a_redirect_of_the_provider_is_refused_with_its_target() -> None:
    with pytest.raises(ModelFailed, match=r"redirect to 'elsewhere\.example' refused"):
        await asked([Status(307, "", {"Location": "http://elsewhere.example/v1"})])


async def test_m07_errors_before_the_first_token_are_retried_and_told() -> None:
    items, server = await asked([Status(429, headers={"Retry-After": "1"}), Status(500), Say("ok")])
    assert [item.code for item in items if isinstance(item, ModelNotice)] == ["retry", "retry"]
    assert "".join(item.text for item in items if isinstance(item, TextDelta)) == "ok"
    assert len(server.requests) == 3


async def test_m07_doubled_call_ids_and_split_arguments_become_different_calls() -> None:
    items, _ = await asked(
        [[Call("search", {"q": "1"}, call_id="same", pieces=9), Call("search", raw='{"q": ', call_id="same")]]
    )
    response = items[-1]
    assert isinstance(response, ModelResponse)
    assert [call.arguments for call in response.calls] == [{"q": "1"}, None]
    assert len({call.call_id for call in response.calls}) == 2


async def test_many_streams_at_once_lose_nothing() -> None:
    text = " ".join(f"word{i}" for i in range(5))
    async with ScriptedModel("openai", [Say(text)], repeat=True) as server:
        net = NetClient(EgressPolicy(providers=frozenset({server.base_url})))
        gateway = Gateway(build_providers([ProviderSettings("p", "openai", server.base_url)], net))

        async def one() -> str:
            return "".join(
                [item.text async for item in gateway.stream(USER, REQUEST, Spend()) if isinstance(item, TextDelta)]
            )

        async with aclosing(net):
            answers = await asyncio.gather(*(one() for _ in range(200)))
    assert answers == [text] * 200
