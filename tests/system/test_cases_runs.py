"""Runs through the door of the whole product with a scripted model: markers, broken calls, repetition, size, arithmetic, windows."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import pytest
from tests.system.product import Product, product, provider, results

from famulus.testing.model_servers import Call, Say, ScriptedModel, Served, Status, Tokens
from famulus.testing.tool_server import ToolAnswer, ToolServer
from famulus.tools.builtin import web

FACTS = ("Alpha costs 10 francs.", "Beta costs 20 francs.", "Gamma costs 30 francs.", "Delta costs 40 francs.")
SEARCH = Call("search_documents", {"query": "costs francs"})


@pytest.fixture(scope="module")
async def shared(tmp_path_factory: pytest.TempPathFactory, anyio_backend: str) -> AsyncIterator[Product]:
    config = '\n[tools]\nprivate_network_allowlist = ["127.0.0.1"]\n'
    async with product(tmp_path_factory.mktemp("runs") / "data", config=config) as shared:
        yield shared


@pytest.fixture
async def famulus(shared: Product) -> AsyncIterator[Product]:
    newcomer = await shared.newcomer()
    yield newcomer
    await newcomer.serves()


async def test_case_23_impossible_markers_are_flagged_and_the_others_open_their_own_source(famulus: Product) -> None:
    famulus.script(SEARCH, Say("A [1]. B [7]. C [2][2]. D [0]. Code: arr[1]"))
    run = await famulus.ask("What costs what?", await famulus.base(*FACTS))
    given = {hit["n"]: hit["excerpt"] for hit in results(famulus.asked[1])[0]["hits"]}
    assert sorted(given) == [1, 2, 3, 4]
    assert ([source["n"] for source in run["sources"]], run["unsupported"]) == ([1, 2], [7, 0])
    for source in run["sources"]:
        opened = (await famulus.client.get(f"/api/v1/chunks/{source['chunk_id']}")).body
        assert opened["text"] == source["quote"] == given[source["n"]]
    done = next(event["data"] for event in await famulus.events(run) if event["type"] == "chat.done.v1")
    linked = [(marker["n"], marker["start"]) for marker in done["markers"] if marker["known"]]
    assert linked == [(1, 2), (2, 16), (2, 19)]
    assert run["answer"].endswith("arr[1]")


async def test_case_26_broken_arguments_are_told_and_one_call_runs(famulus: Product) -> None:
    broken = Call("search_documents", raw='{"query": "x"'), Call("search_documents", raw='{"a":1}{"a":2}')
    long = Call("search_documents", raw='{"query": "' + "x" * 100_000)
    famulus.script(*broken, long, Call("search_documents", {"query": "x"}), Say("done"))
    run = await famulus.ask("go", await famulus.base(*FACTS))
    told = [str(result.get("error")) for result in results(famulus.asked[-1])]
    assert ["not usable JSON" in error for error in told] == [True, True, True, False]
    assert (run["answer"], [step["status"] for step in run["steps"]]) == ("done", ["failed"] * 3 + ["succeeded"])
    assert [step["arguments"]["raw"] for step in run["steps"][:2]] == [call.raw for call in broken]
    assert len(json.dumps(await famulus.events(run))) < 50_000


async def test_case_28_invented_names_are_told_and_never_dispatched(famulus: Product) -> None:
    base = await famulus.base(*FACTS)
    famulus.script(
        Call("search_documents", {"query": "francs", "maximum_hits": 1}),
        Call("search_document", {"query": "francs"}),
        Call("search_documents", {"query": "francs", "k": "1"}),
        Say("done"),
        mode="hostile",
    )
    run = await famulus.ask("go", base)
    first, second, third = results(famulus.asked[-1])
    assert "'maximum_hits'" in first["error"]
    assert "score_threshold" in first["error"]
    assert "search_documents" in second["error"]
    assert len(third["hits"]) == 1
    assert [step["blocked"] for step in run["steps"]] == [False, True, False]


async def test_case_30_the_same_search_for_ever_ends_honestly(famulus: Product) -> None:
    famulus.script(Call("search_documents", {"query": "zebra"}), mode="hostile", repeat=True)
    run = await famulus.ask("Where is the zebra?", await famulus.base(*FACTS), max_rounds=8)
    assert (run["status"], run["truncated"], len(famulus.asked)) == ("max_rounds_reached", True, 8)
    assert [step["cached"] for step in run["steps"]] == [False] + [True] * 6
    assert all("notice" in result for result in results(famulus.asked[7])[2:])
    assert not famulus.model.requests[7].tools
    assert "8 rounds" in run["answer"]
    assert "hits" not in run["answer"]


@pytest.mark.parametrize("chunks", [80, None], ids=["5_mb", "without_end"])
async def test_case_31_a_page_of_5_mb_is_read_up_to_the_limit(
    famulus: Product, monkeypatch: pytest.MonkeyPatch, chunks: int | None
) -> None:
    async with ToolServer({"GET /html/": ToolAnswer(chunk_bytes=65_536, chunks=chunks)}) as server:
        monkeypatch.setattr(web, "DUCKDUCKGO", server.base_url + "/html/")
        famulus.script(Call("web_search", {"query": "x"}), Say("done"))
        run = await famulus.ask("go", allow_web=True)
        (step,) = run["steps"]
        assert (run["status"], run["answer"], step["status"], step["network"]) == ("completed", "done", "failed", True)
        assert "larger than" in step["error"]
        assert len(json.dumps(famulus.asked[1])) < 20_000
        async with asyncio.timeout(2):
            while server.open_requests:  # noqa: ASYNC110 (the server has a number and nothing to wait for)
                await asyncio.sleep(0.01)


async def test_case_31_a_document_of_5_mb_comes_in_windows_with_a_way_to_go_on(famulus: Product) -> None:
    base = await famulus.base()
    document = await famulus.put(base, "long.txt", "A sentence of the long document. " * 40_000)
    famulus.script(Call("read_document", {"document_id": document["id"]}), Say("done"))
    run = await famulus.ask("go", base)
    (read,) = results(famulus.asked[1])
    assert (len(read["text"]), read["total"] > 1_000_000, read["next_offset"]) == (8_000, True, 8_000)
    assert len(run["steps"][0]["preview"]) <= 2_000
    whole = await famulus.client.get(f"/api/v1/runs/{run['id']}/artifacts/{run['steps'][0]['artifact_id']}")
    assert whole.body["next_offset"] == 8_000


BOMBS = [
    "9**9**9",
    "(" * 5_000 + "1" + ")" * 5_000,
    "1/0",
    "True+1",
    "1e400*0",
    "10**4000",
    "__import__('os')",
    "2**0.5",
]


async def test_case_33_arithmetic_bombs_are_answered_while_others_are_served(famulus: Product) -> None:
    famulus.script([Call("calculate", {"expression": bomb}) for bomb in BOMBS], Say("done"))
    running = asyncio.create_task(famulus.ask("go", max_calls_per_round=8))
    while not running.done():
        assert (await famulus.client.get("/api/v1/health")).status == 200
    answers = results(famulus.asked[1])
    assert [answer.get("result") for answer in answers] == [None, None, None, None, 0, None, None, 1.4142135623731]
    assert all("too " in answers[place]["error"] or "larg" in answers[place]["error"] for place in (0, 1, 5))
    assert all("Traceback" not in answer.get("error", "") for answer in answers)


@pytest.fixture
async def ollama(tmp_path: str, anyio_backend: str) -> AsyncIterator[ScriptedModel]:
    async with ScriptedModel("ollama", [Say("The word is ZEBRA.")], served=Served(context_window=131_072)) as server:
        yield server


async def test_case_34_a_long_history_arrives_whole_at_ollama(
    ollama: ScriptedModel, tmp_path_factory: pytest.TempPathFactory
) -> None:
    history = [
        {"role": role, "content": f"turn {number} " + "word " * 600}
        for number in range(5)
        for role in ("user", "assistant")
    ]
    body = {"message": "What is the code word?", "messages": history, "directives": ["The code word is ZEBRA."]}
    async with product(tmp_path_factory.mktemp("ollama") / "data", config=second(ollama)) as famulus:
        model = {"model": "local/test-model"}
        run = await famulus.ask(**body, **model)
        (request,) = ollama.requests
        assert request.status == 200
        assert request.body["options"]["num_ctx"] > 6_000
        assert "ZEBRA" in request.body["messages"][0]["content"]
        assert request.body["messages"][-1]["content"] == body["message"]
        assert "turn 0" in request.text
        assert not [notice for notice in run["notices"] if notice["code"] == "context_cut"]
        ollama.rounds = [[Say("I do not know."), Tokens(input=900, output=4)]]
        ollama.state.played = 0
        cut = await famulus.ask(**body, **model)
        assert [notice["code"] for notice in cut["notices"]] == ["context_cut"]
        await famulus.serves()


async def test_a_run_that_failed_is_an_error_in_every_form(famulus: Product) -> None:
    famulus.script(Status(401, message="wrong key"), repeat=True)
    post, body = famulus.client.post, {"message": "hello", "session_id": "s"}
    query = await post("/agent/query?q=hello")
    chat = await post("/api/chat/message", body)
    assert [(answer.status, answer.body["code"]) for answer in (query, chat)] == [(502, "model_error")] * 2
    stream = await post("/api/chat/message", body, headers={"Accept": "text/event-stream"})
    assert (stream.status, "event: error" in stream.text, "event: done" in stream.text) == (200, True, False)
    run = await post("/agent/run", {"messages": [{"role": "user", "content": "hello"}]})
    assert (run.status, run.body["answer"], bool(run.body["error"])) == (200, "", True)


def second(model: ScriptedModel) -> str:
    """A second provider beside the usual one."""
    return provider(model).partition("[agent]")[0].replace('"scripted"', '"local"')
