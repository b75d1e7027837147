"""The loop behind the real model gate, against each scripted wire."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import get_args

import pytest

from famulus.agent.request import RunInput
from famulus.events.types import RUN_RESPONSE
from famulus.models.gateway import Gateway
from famulus.models.prices import Prices
from famulus.models.providers.build import build_providers
from famulus.models.settings import ModelSettings, ProviderSettings
from famulus.net.client import NetClient
from famulus.net.policy import EgressPolicy
from famulus.testing.agent import AgentBench, ask
from famulus.testing.model_servers import (
    Call,
    Cut,
    Item,
    Rounds,
    Say,
    ScriptedModel,
    Stall,
    Think,
    Tokens,
    WireName,
)
from famulus.testing.run_log import reassemble

NOTICE = Call("search_documents", {"query": "notice period"})
TRAIN = Call("search_documents", {"query": "train travel class"})
ANSWER = "The notice period is three months [1]. Train travel is first class above 90 minutes [2]."


@pytest.fixture(params=get_args(WireName))
def wire(request: pytest.FixtureRequest) -> WireName:
    return request.param


@asynccontextmanager
async def bench_of(
    wire: WireName, rounds: Rounds, **options: object
) -> AsyncIterator[tuple[AgentBench, ScriptedModel]]:
    async with ScriptedModel(wire, rounds, **options) as server:
        models = (ModelSettings("test-model", context_window=32_000),)
        settings = [ProviderSettings("p", wire, server.base_url, "key-of-the-test", models=models)]
        net = NetClient(EgressPolicy(providers=frozenset({settings[0].url})))
        gateway = Gateway(build_providers(settings, net), Prices.of_settings(settings))
        yield AgentBench(gateway), server
        await net.aclose()


def order(question: str = "What are the notice period and the train class?", **changes: object) -> RunInput:
    return ask(question, model="p/test-model", **changes)


async def test_three_rounds_with_two_parallel_reads_end_in_a_cited_answer(wire: WireName) -> None:
    rounds: list[list[Item]] = [
        [Say("Looking. "), NOTICE, TRAIN, Tokens(100, 10)],
        [Call("get_chunk", {"chunk_id": "doc-lease#0"}), Call("list_documents"), Tokens(200, 20)],
        [Say(ANSWER), Tokens(300, 30)],
    ]
    async with bench_of(wire, rounds) as (bench, server):
        run = await bench.run(order())
    assert (run.status, run.answer) == ("completed", f"Looking. {ANSWER}")
    assert [(source["n"], source["support"]) for source in run.sources] == [(1, "strong"), (2, "strong")]
    assert (run.usage["input_tokens"], run.usage["output_tokens"], len(run.steps)) == (600, 60, 4)
    assert all(request.status == 200 for request in server.requests)


async def test_last_call_at_the_limit_offers_no_tools(wire: WireName) -> None:
    async with bench_of(wire, [[NOTICE], [TRAIN], [Say(ANSWER)]]) as (bench, server):
        run = await bench.run(order(max_rounds=3))
    assert (run.status, run.truncated, run.answer) == ("max_rounds_reached", True, ANSWER)
    assert [bool(request.tools) for request in server.requests] == [True, True, False]


async def test_case_30_hostile_model_that_always_calls_ends_honestly(wire: WireName) -> None:
    forever = [[Call("search_documents", {"query": "zzz"})]]
    async with bench_of(wire, forever, mode="hostile", repeat=True) as (bench, server):
        run = await bench.run(order())
    assert (run.status, run.truncated, len(server.requests)) == ("max_rounds_reached", True, 8)
    assert "8" in run.answer
    assert "hits" not in run.answer


async def test_case_26_broken_arguments_on_every_wire(wire: WireName) -> None:
    broken = Call("search_documents", raw='{"query": "x"')
    double = Call("search_documents", raw='{"a":1}{"a":2}')
    rounds = [[broken], [double], [Call("search_documents", {"query": "x"})], [Say("done")]]
    async with bench_of(wire, rounds) as (bench, _):
        run = await bench.run(order())
    assert (run.status, run.answer, len(run.steps)) == ("completed", "done", 3)
    assert len(bench.knowledge.searches) == 1


async def test_reasoning_is_replayed_as_the_wire_wants_it(wire: WireName) -> None:
    rounds: list[list[Item]] = [[Think("First I search."), NOTICE], [Say(ANSWER)]]
    async with bench_of(wire, rounds) as (bench, server):
        run = await bench.run(order())
    assert run.status == "completed"
    assert all(request.status == 200 for request in server.requests)


async def test_stream_that_dies_keeps_the_partial_text(wire: WireName) -> None:
    async with bench_of(wire, [[Say("The notice period is three months and more"), Cut(6)]]) as (bench, _):
        run = await bench.run(order())
    assert (run.status, run.truncated) == ("failed", True)
    assert run.answer
    assert "The notice period is three months and more".startswith(run.answer)
    assert reassemble(bench.log.deltas()) == run.answer


async def test_stop_inside_the_stream_closes_the_connection(wire: WireName) -> None:
    async with bench_of(wire, [[Say("The notice period"), Stall()]]) as (bench, server):
        running = asyncio.ensure_future(bench.run(order()))
        await bench.log.streaming.wait()
        bench.stop.set()
        async with asyncio.timeout(2):
            run = await running
        await asyncio.sleep(0.05)
        assert server.open_streams == 0
    assert (run.status, len(server.requests)) == ("stopped", 1)
    assert run.answer == bench.data(RUN_RESPONSE)[0].data["text"] != ""


async def test_pipeline_mode_on_every_wire(wire: WireName) -> None:
    async with bench_of(wire, [[Say("The notice period is three months [1].")]]) as (bench, server):
        run = await bench.run(order("What is the notice period?", mode="pipeline"))
    assert (run.status, len(run.sources), server.requests[0].status) == ("completed", 1, 200)


@pytest.mark.parametrize("name", ["ｗeb_search", "run shell!", "x" * 100, "search_documents "])
async def test_invented_name_can_be_sent_back_to_every_provider(wire: WireName, name: str) -> None:
    async with bench_of(wire, [[Call(name, {"query": "x"})], [Say("done")]], mode="hostile") as (bench, _server):
        run = await bench.run(order())
    assert (run.status, run.answer) == ("completed", "done")
    assert run.steps[0]["blocked"] is True
    assert bench.knowledge.searches == []
