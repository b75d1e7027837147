"""The scripted tool server: records, answers, and misbehaves as told; the network gate bounds what it sends."""

from __future__ import annotations

import pytest

from famulus.net.client import NetClient, NetLimits
from famulus.net.errors import NetError
from famulus.net.policy import EgressPolicy
from famulus.testing.tool_server import ToolAnswer, ToolServer

POLICY = EgressPolicy(allow_private_hosts=frozenset({"127.0.0.1"}))


async def test_calls_are_answered_and_recorded() -> None:
    async with ToolServer({"POST /orders": ToolAnswer({"id": 7}, 201)}, openapi={"openapi": "3.1.0"}) as server:
        net = NetClient(POLICY)
        answer = await net.request("tool", "POST", server.base_url + "/orders?x=1", {"X-Key": "k"}, b'{"item": "ink"}')
        spec = await net.request("tool", "GET", server.base_url + "/openapi.json")
        missing = await net.request("tool", "GET", server.base_url + "/none")
        await net.aclose()
    assert (answer.status, answer.body, missing.status) == (201, b'{"id": 7}', 404)
    assert server.base_url.encode() in spec.body
    (call,) = server.calls("POST /orders")
    assert (call.json, call.target, call.headers["x-key"]) == ({"item": "ink"}, "/orders?x=1", "k")


async def test_case_31_an_answer_without_end_stops_at_the_limit() -> None:
    async with ToolServer({"GET /flood": ToolAnswer(chunk_bytes=65_536, chunks=None)}) as server:
        net = NetClient(POLICY)
        with pytest.raises(NetError) as caught:
            await net.request("tool", "GET", server.base_url + "/flood", limits=NetLimits(size_bytes=262_144))
        await net.aclose()
    assert caught.value.kind == "too_large"


async def test_a_dropped_connection_is_not_repeated_for_an_effect() -> None:
    async with ToolServer({"POST /pay": ToolAnswer(close=True)}) as server:
        net = NetClient(POLICY)
        with pytest.raises(NetError):
            await net.request("tool", "POST", server.base_url + "/pay", body=b"", limits=NetLimits(resend=False))
        await net.aclose()
    assert len(server.calls("POST /pay")) == 1


async def test_a_slow_answer_is_a_timeout() -> None:
    async with ToolServer({"GET /slow": ToolAnswer({}, delay_s=60)}) as server:
        net = NetClient(POLICY)
        with pytest.raises(NetError) as caught:
            await net.request("tool", "GET", server.base_url + "/slow", limits=NetLimits(total_s=0.05))
        await net.aclose()
    assert caught.value.kind == "timeout"
