"""The endpoints in other systems' forms give what those systems gave."""

import asyncio
import json

import pytest

from famulus.testing.served import Server


@pytest.fixture
async def base(server: Server) -> str:
    base_id = (await server.owner.post("/api/v1/knowledge-bases", {"name": "commands"})).body["id"]
    for text, category in (
        ("The ls command lists directory contents.", "commands"),
        ("The cafeteria opens at seven.", "office"),
    ):
        await server.owner.post(f"/api/v1/knowledge-bases/{base_id}/facts", {"text": text, "category": category})
    return base_id


async def test_agent_run_gives_steps_and_the_answer_last(server: Server, base: str) -> None:
    body = {
        "model": "extractive",
        "kbIds": [base],
        "messages": [{"role": "user", "content": "What does the ls command do?"}],
    }
    answer = (await server.owner.post("/agent/run", body)).body
    assert "lists directory contents" in answer["answer"]
    assert (answer["truncated"], answer["error"]) == (False, None)
    *tools, last = answer["steps"]
    assert (last["type"], last["content"]) == ("answer", answer["answer"])
    assert {step["type"] for step in tools} == {"tool"}
    assert tools[0]["tool"] == "search_documents"
    assert (tools[0]["network"], tools[0]["blocked"]) == (False, False)


async def test_agent_run_without_bases_sees_none(server: Server, base: str) -> None:
    body = {"messages": [{"role": "user", "content": "What does the ls command do?"}]}
    assert "directory contents" not in (await server.owner.post("/agent/run", body)).body["answer"]


async def test_agent_query_numbers_its_steps(server: Server, base: str) -> None:
    answer = (
        await server.owner.post("/agent/query", params={"q": "What does the ls command do?", "max_iterations": "4"})
    ).body
    assert [step["step"] for step in answer["steps"]] == list(range(1, len(answer["steps"]) + 1))
    assert [step["type"] for step in answer["steps"]][:2] == ["tool_call", "tool_result"]
    assert answer["steps"][-1]["type"] == "answer"
    assert 1 <= answer["iterations"] <= 5


@pytest.mark.parametrize("query", ["max_iterations=0", "max_iterations=11", "max_iterations=x", ""])
async def test_agent_query_bounds_are_kept(server: Server, query: str) -> None:
    assert (await server.owner.post(f"/agent/query?{'q=x&' if query else ''}{query}")).status == 422


async def test_agent_models_are_listed(server: Server) -> None:
    models = (await server.owner.get("/agent/models")).body
    assert "builtin/extractive" in [model["name"] for model in models]


async def test_chat_message_gives_facts_as_sources(server: Server, base: str) -> None:
    body = {
        "message": "What is the ls command?",
        "session_id": "abc",
        "knowledge_options": {"top_k": 5, "categories": ["commands"]},
    }
    answer = (await server.owner.post("/api/chat/message", body)).body
    assert (answer["used_knowledge"], answer["sources"][0]["category"]) == (True, "commands")
    assert set(answer["sources"][0]) == {"fact_id", "content", "score", "category"}
    without = (await server.owner.post("/api/chat/message", {**body, "use_knowledge": False})).body
    assert (without["used_knowledge"], without["sources"]) == (False, [])


async def test_chat_message_streams_the_same_text(server: Server, base: str) -> None:
    body = {"message": "What is the ls command?", "session_id": "abc"}
    text = (await server.owner.post("/api/chat/message", body, headers={"Accept": "text/event-stream"})).text
    messages = [dict(line.split(": ", 1) for line in part.splitlines()) for part in text.strip().split("\n\n")]
    pieces = [json.loads(message["data"]) for message in messages if message["event"] == "delta"]
    whole = json.loads(messages[-1]["data"])
    assert messages[-1]["event"] == "done"
    assert "".join(piece["content"] for piece in pieces).strip() in whole["content"]


async def test_knowledge_search_gives_nodes(server: Server, base: str) -> None:
    hits = (await server.owner.post("/api/knowledge_base/search", {"query": "ls command", "top_k": 1})).body
    assert [(hit["content"], hit["metadata"]["category"]) for hit in hits] == [
        ("The ls command lists directory contents.", "commands")
    ]
    assert 0 < hits[0]["score"] <= 1


async def test_client_that_leaves_stops_its_run(server: Server, base: str) -> None:
    call = asyncio.create_task(server.owner.post("/agent/query", params={"q": "What does the ls command do?"}))
    await asyncio.sleep(0.02)
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)
    await server.owner.until("/api/v1/runs?status=active", lambda body: not body["items"])
