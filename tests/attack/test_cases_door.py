"""Attacks on scope and permission through the door of the whole product, by a model that is lost and by people who try.

Real store, documents and indexes; the web tool's address is a recording server on this machine.
"""

from __future__ import annotations

import contextlib
import json
import re
import sys
import tracemalloc
from collections.abc import AsyncIterator, Iterator
from typing import Any

import numpy as np
import pytest
from tests.system.product import Product, product, results

from famulus.app.runs import RunOrder
from famulus.errors import FamulusError, ToolError
from famulus.testing.model_servers import Call, Say
from famulus.testing.tool_server import ToolAnswer, ToolServer
from famulus.tools.builtin import web
from famulus.tools.builtin.arithmetic import calculate_exactly

ABSENT = {"error": "Not found in the selected knowledge bases."}


@pytest.fixture(scope="module")
async def shared(tmp_path_factory: pytest.TempPathFactory, anyio_backend: str) -> AsyncIterator[Product]:
    config = '\n[tools]\nprivate_network_allowlist = ["127.0.0.1"]\n'
    async with product(tmp_path_factory.mktemp("door") / "data", config=config) as shared:
        yield shared


@pytest.fixture
async def famulus(shared: Product) -> AsyncIterator[Product]:
    newcomer = await shared.newcomer()
    yield newcomer
    await newcomer.serves()


@pytest.fixture
async def sink(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ToolServer]:
    """Where `web_search` would go."""
    async with ToolServer({"GET /html/": ToolAnswer("nothing")}) as server:
        monkeypatch.setattr(web, "DUCKDUCKGO", server.base_url + "/html/")
        yield server


async def called(
    famulus: Product, *calls: Call, bases: tuple[str, ...] = (), **more: Any
) -> tuple[list[Any], dict[str, Any]]:
    """What the model got back for its calls, and the run."""
    famulus.script(list(calls), Say("done"), mode="hostile")
    run = await famulus.ask("go", *bases, **more)
    assert run["status"] == "completed"
    return results(famulus.asked[1]), run


async def test_a01_wider_scope_in_the_arguments_is_refused(famulus: Product) -> None:
    mine, other = await famulus.base("Mine is x."), await famulus.base("The secret is x.", name="other")
    calls = Call("search_documents", {"query": "x", "kb_ids": [other]}), Call("search_documents", {"query": "x"})
    (wide, plain), run = await called(famulus, *calls, bases=(mine,))
    assert "Unknown argument 'kb_ids'" in wide["error"]
    assert [hit["excerpt"] for hit in plain["hits"]] == ["Mine is x."]
    assert [step["status"] for step in run["steps"]] == ["failed", "succeeded"]


async def test_a02_other_foreign_and_random_ids_get_the_same_answer(famulus: Product) -> None:
    mine, other = await famulus.base("Mine."), await famulus.base(name="other")
    stranger = await famulus.newcomer()
    documents = [
        (await famulus.put(other, "secret.txt", "The secret."))["id"],
        (await stranger.put(await stranger.base(), "salary.txt", "The salary."))["id"],
        "0198c0de-0000-7000-8000-000000000000",
    ]
    chunks = [id_ for (id_,) in famulus.rows("SELECT id FROM chunk WHERE document IS NOT NULL")] + documents[2:]
    before = famulus.rows("SELECT count(*), sum(length(text)) FROM chunk")
    reads, _ = await called(famulus, *(Call("read_document", {"document_id": id_}) for id_ in documents), bases=(mine,))
    gets, _ = await called(famulus, *(Call("get_chunk", {"chunk_id": id_}) for id_ in chunks[-8:]), bases=(mine,))
    assert {json.dumps(answer) for answer in reads + gets} == {json.dumps(ABSENT)}
    assert famulus.rows("SELECT count(*), sum(length(text)) FROM chunk") == before


@pytest.mark.parametrize("door", ["/api/v1/runs", "/agent/run", "conversation"])
async def test_a03_a_base_of_another_person_is_404_and_makes_no_run(famulus: Product, door: str) -> None:
    stranger = await famulus.newcomer()
    base = await stranger.base("The salary.")
    body: dict[str, Any] = {"message": "x", "knowledge_base_ids": [base]}
    if door == "/agent/run":
        body = {"messages": [{"role": "user", "content": "x"}], "kbIds": [base]}
    elif door == "conversation":
        door = f"/api/v1/conversations/{(await famulus.client.post('/api/v1/conversations', {})).body['id']}/runs"
    before = famulus.rows("SELECT count(*) FROM run")
    answer = await famulus.client.post(door, body)
    assert (answer.status, answer.body["code"]) == (404, "not_found")
    assert famulus.rows("SELECT count(*) FROM run") == before


async def test_a04_a_longer_name_outside_the_scope_is_not_found(famulus: Product) -> None:
    mine, other = await famulus.base(), await famulus.base(name="other")
    await famulus.put(mine, "report.txt", "The report.")
    await famulus.put(other, "report-final.txt", "The final report.")
    calls = [Call("read_document", {"name": name}) for name in ("report-final.txt", "report.txt")]
    (final, plain), _ = await called(famulus, *calls, bases=(mine,))
    assert (final, plain["text"]) == (ABSENT, "The report.")


PATHS = ["../../etc/passwd", "..\\..\\x", "%2e%2e%2f", "/proc/self/environ", "a\u0000.pdf", "CON", "n" * 4_096]


# A hash, the two letters of its folder, or the temporary name that a blob has while it arrives.
NAMED_BY_CONTENT = re.compile(r"[0-9a-f]{64}|[0-9a-f]{2}|tmp[a-z0-9_]{8}|arriving")


class Opened:
    """The paths of all files that this process opens while it watches."""

    def __init__(self) -> None:
        self.watching = False
        self.paths: list[str] = []
        sys.addaudithook(self.see)

    def see(self, event: str, arguments: tuple[object, ...]) -> None:
        if self.watching and event in ("open", "os.listdir", "os.scandir", "os.rename", "os.remove", "os.mkdir"):
            self.paths.append(str(arguments[0]))

    @contextlib.contextmanager
    def watch(self) -> Iterator[list[str]]:
        self.paths, self.watching = [], True
        try:
            yield self.paths
        finally:
            self.watching = False


OPENED = Opened()


async def test_a05_a_path_as_a_name_is_not_found_and_never_opened(famulus: Product) -> None:
    base = await famulus.base("Mine.")
    with OPENED.watch() as opened:
        for number, name in enumerate(PATHS):
            form = {name.replace("\u0000", "%00"): f"named {number}".encode()}
            await famulus.read((await famulus.client.upload(base, form)).body["items"][0]["document_id"])
        answers, _ = await called(
            famulus, *(Call("read_document", {"name": name}) for name in PATHS[:-1]), bases=(base,)
        )
        long, _ = await called(famulus, Call("read_document", {"name": PATHS[-1] + "m"}), bases=(base,))
        for name in PATHS[:4]:
            assert (await famulus.client.get(f"/api/v1/documents/{name.replace('%', '%25')}/original")).status in (
                404,
                200,
            )
    assert long == [ABSENT]
    assert all(answer == ABSENT or answer["text"].startswith("named") for answer in answers)
    assert opened
    used = [path for path in opened if any(part in path for part in ("passwd", "environ", "..", "%2e", "CON", "nnn"))]
    assert used == []
    kept = [path for path in opened if path.startswith(f"{famulus.folder / 'blobs'}/")]
    assert kept
    assert [path for path in kept if not NAMED_BY_CONTENT.fullmatch(path.rpartition("/")[2])] == []


async def test_a07_filter_words_are_plain_text(famulus: Product) -> None:
    mine, other = await famulus.base("Mine is x."), await famulus.base("The secret code is 4711.", name="other")
    query = f"kb:{other} OR tenant:* secret code"
    (found,), _ = await called(famulus, Call("search_documents", {"query": query}), bases=(mine,))
    assert "4711" not in json.dumps(found)
    assert {hit["excerpt"] for hit in found["hits"]} <= {"Mine is x."}


async def test_a09_parallel_calls_all_have_the_scope_of_the_run(famulus: Product) -> None:
    mine, other = await famulus.base("Mine is x."), await famulus.base("The secret is x.", name="other")
    calls = (
        Call("search_documents", {"query": "x"}),
        Call("search_documents", {"query": "secret"}),
        Call("list_documents", {"knowledge_base": other}),
        Call("search_documents", {"query": "x", "knowledge_base_ids": [mine, other]}),
    )
    (plain, secret, listed, wide), _ = await called(famulus, *calls, bases=(mine,))
    assert "secret is" not in json.dumps([plain, secret])
    assert listed == ABSENT
    assert "Unknown argument" in wide["error"]


async def test_b01_web_search_without_permission_is_absent_refused_and_silent(
    famulus: Product, sink: ToolServer
) -> None:
    for more in ({}, {"allow_web": False}, {"tools": ["web_search", "calculate"]}):
        _, run = await called(famulus, Call("web_search", {"query": "CANARY"}), **more)
        (step,) = run["steps"]
        assert (step["blocked"], step["network"], step["status"]) == (True, False, "failed")
        assert "web_search" not in famulus.model.requests[0].tools
    assert sink.requests == []


DOORS = {
    "/api/v1/runs": ('{"message": "x", "allow_web": VALUE}', "allow_web"),
    "/agent/run": ('{"messages": [{"role": "user", "content": "x"}], "allowWeb": VALUE}', "allowWeb"),
    "conversation": ('{"message": "x", "allow_web": VALUE}', "allow_web"),
}
VALUES = [
    "1",
    '"true"',
    '"false"',
    "[true]",
    "{}",
    "null",
    "1.0",
    '"yes"',
    "0",
    "-0",
    '""',
    'false, "NAME": true',
    'true, "NAME": true',
]


@pytest.mark.parametrize("door", DOORS)
async def test_b02_permission_for_the_web_is_a_boolean_or_400(famulus: Product, door: str) -> None:
    body, name = DOORS[door]
    path = door
    if door == "conversation":
        path = f"/api/v1/conversations/{(await famulus.client.post('/api/v1/conversations', {})).body['id']}/runs"
    before = famulus.rows("SELECT count(*) FROM run")
    for value in VALUES:
        data = body.replace("VALUE", value.replace("NAME", name))
        answer = await famulus.client.call("POST", path, data=data, headers={"Content-Type": "application/json"})
        assert (answer.status, answer.body["status"]) == (400, 400), value
    assert famulus.rows("SELECT count(*) FROM run") == before


@pytest.mark.parametrize("value", ["true", 1, np.bool_(True), [True], None, "False"], ids=repr)
async def test_b03_permission_in_python_is_true_itself(famulus: Product, value: Any) -> None:
    before = famulus.rows("SELECT count(*) FROM run")
    with pytest.raises(FamulusError, match="allow_web"):
        await famulus.famulus.runs.create(famulus.principal, RunOrder(message="x", allow_web=value))
    assert famulus.rows("SELECT count(*) FROM run") == before


async def test_b04_a_hallucinated_tool_is_never_a_similar_one(famulus: Product, sink: ToolServer) -> None:
    names = ["run_shell", "web-search", "WEB_SEARCH", "web_search ", "ｗeb_search"]
    answers, run = await called(famulus, *(Call(name, {"query": "CANARY"}) for name in names), allow_web=True)
    assert all("There is no tool" in answer["error"] for answer in answers)
    assert [step["blocked"] for step in run["steps"]] == [True] * 5
    assert sink.requests == []


async def test_b05_permission_of_one_run_does_not_carry_over_in_its_conversation(
    famulus: Product, sink: ToolServer
) -> None:
    conversation = (await famulus.client.post("/api/v1/conversations", {})).body["id"]
    blocked: list[bool] = []
    for allowed in (True, False):
        famulus.script(Call("web_search", {"query": "CANARY"}), Say("done"), mode="hostile")
        order = {"message": "go", "allow_web": allowed, "knowledge_base_ids": []}
        accepted = (await famulus.client.post(f"/api/v1/conversations/{conversation}/runs", order)).body
        run = await famulus.client.until(f"/api/v1/runs/{accepted['run_id']}", lambda run: run["status"] == "completed")
        blocked.append(run["steps"][0]["blocked"])
    assert (blocked, len(sink.requests)) == ([False, True], 1)


async def test_b08_argument_bombs_are_errors_and_leak_nothing(famulus: Product) -> None:
    bombs = [
        '{"query": 5, "k": "many"}',
        '{"query": "x", "surprise": 1}',
        '{"query": "' + "x" * 5_000_000 + '"}',
        '{"query": "x", "score_threshold": NaN}',
        '{"query": "x", "score_threshold": Infinity}',
        '{"query": ' + "[" * 10_000 + "]" * 10_000 + "}",
        '{"query": "\\ud800"}',
        '{"query": "x", "k": ' + "9" * 70_000 + "}",
    ]
    answers, run = await called(famulus, *(Call("search_documents", raw=bomb) for bomb in bombs))
    assert all(len(answer["error"]) < 1_000 for answer in answers)
    assert not [answer for answer in answers if "Traceback" in answer["error"] or "Error(" in answer["error"]]
    assert [step["status"] for step in run["steps"]] == ["failed"] * 8
    assert len(json.dumps(await famulus.events(run))) < 100_000


BOMBS = [
    "9**9**9", "2**10**9", "1<<10**10", "10**5000 % 7", "(" * 5_000 + "1" + ")" * 5_000, "1+" * 50_000 + "1", "1" * 10_000_000, "-" * 10_000 + "1",
]  # fmt: skip
FORMS = [
    "1e308*10", "1/0", "0**-1", "float nan", "(-8)**(1/3)", "0.1+0.2", "7//0.0", "٣+٤", "１+１", "1_000", "0x10", "1e5", "1,000", "5%", "2^3",
    "__import__('os')", "().__class__", "a:=1", "[x for x in y]", "f'{1}'", "lambda: 1", "1 if 1 else 2", "'a'*10**9",
]  # fmt: skip


async def test_i01_bombs_for_the_calculator_are_refused(famulus: Product) -> None:
    answers, run = await called(famulus, *(Call("calculate", {"expression": bomb}) for bomb in BOMBS))
    assert [step["status"] for step in run["steps"]] == ["failed"] * len(BOMBS)
    assert all(len(answer["error"]) < 1_000 for answer in answers)
    assert len(json.dumps(await famulus.events(run))) < 200_000


@pytest.mark.parametrize("expression", BOMBS, ids=lambda text: text[:20])
def test_i01_bombs_cost_no_memory(expression: str) -> None:
    tracemalloc.start()
    with pytest.raises(ToolError):
        calculate_exactly(expression)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000_000


async def test_i02_i03_forms_have_a_value_or_an_error_that_names_them(famulus: Product) -> None:
    calls = [Call("calculate", {"expression": form}) for form in FORMS]
    answers, _ = await called(famulus, *calls, max_calls_per_round=len(FORMS))
    values = {form: answer["result"] for form, answer in zip(FORMS, answers, strict=True) if "result" in answer}
    assert values == {"1e308*10": "1E+309", "0.1+0.2": 0.3, "1e5": 100000}
    told = [answer["error"] for answer in answers if "error" in answer]
    assert all(len(error) > 15 and "Traceback" not in error and "SyntaxError" not in error for error in told)
