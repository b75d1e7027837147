"""A gateway in front of a scripted server, for the tests of this room."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, TypeAlias

import pytest

from famulus.messages.values import Message, Principal, Text
from famulus.models.base import ModelItem, ModelRequest
from famulus.models.gateway import Gateway, Spend
from famulus.models.prices import Prices
from famulus.models.providers.build import build_providers
from famulus.models.settings import ModelSettings, ProviderSettings
from famulus.net.client import NetClient
from famulus.net.policy import EgressPolicy
from famulus.testing.model_servers import Rounds, ScriptedModel, WireName

USER = Principal("tenant", "user")


class Bench:
    def __init__(self, server: ScriptedModel, gateway: Gateway) -> None:
        self.server = server
        self.gateway = gateway

    async def ask(self, *messages: Message, spend: Spend | None = None, **changes: Any) -> list[ModelItem]:
        asked = messages or (Message("user", (Text("What does the contract say?"),)),)
        request = ModelRequest(**({"model": "p/test-model", "messages": asked} | changes))
        return [item async for item in self.gateway.stream(USER, request, spend or Spend())]


MakeBench: TypeAlias = Callable[..., AbstractAsyncContextManager[Bench]]


@pytest.fixture
def bench() -> MakeBench:
    @asynccontextmanager
    async def make(
        wire: WireName,
        rounds: Rounds,
        models: tuple[ModelSettings, ...] = (),
        gateway: dict[str, Any] | None = None,
        **options: Any,
    ) -> AsyncIterator[Bench]:
        async with ScriptedModel(wire, rounds, **options) as server:
            settings = [ProviderSettings("p", wire, server.base_url, "key-of-the-test", models=models)]
            net = NetClient(EgressPolicy(providers=frozenset({settings[0].url})))
            made = Gateway(build_providers(settings, net), Prices.of_settings(settings), **(gateway or {}))
            yield Bench(server, made)
            await net.aclose()

    return make
