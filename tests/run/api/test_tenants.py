"""Another tenant's ids are absent, at every address of the OpenAPI document."""

import re
from typing import Any

import pytest

from famulus.testing.served import Server

# What a body needs to be valid, so that 404 is about the id and nothing else.
BODIES: dict[str, Any] = {
    "create_fact": {"text": "x"},
    "update_fact": {"text": "x"},
    "update_knowledge_base": {"name": "x"},
    "update_conversation": {"title": "x"},
    "create_conversation_run": {"message": "x"},
    "branch_conversation": {},
    "rate_message": {"rating": 1},
}


@pytest.fixture
async def ids(server: Server) -> dict[str, str]:
    """One of everything, of the owner's."""
    base = (await server.owner.post("/api/v1/knowledge-bases", {"name": "theirs"})).body["id"]
    fact = (await server.owner.post(f"/api/v1/knowledge-bases/{base}/facts", {"text": "the code is 1234"})).body["id"]
    document = (await server.owner.upload(base, {"a.txt": b"text"})).body["items"][0]["document_id"]
    conversation = (await server.owner.post("/api/v1/conversations", {"title": "t"})).body["id"]
    run = (await server.owner.post(f"/api/v1/conversations/{conversation}/runs", {"message": "hello"})).body["run_id"]
    messages = (await server.owner.get(f"/api/v1/conversations/{conversation}/messages")).body["items"]
    return {
        "knowledge-bases": base,
        "facts": fact,
        "documents": document,
        "conversations": conversation,
        "runs": run,
        "messages": messages[1]["id"],
        "chunks": fact,
    }


async def test_every_address_with_an_id_answers_404_to_another_tenant(server: Server, ids: dict[str, str]) -> None:
    document = (await server.owner.get("/openapi.json")).body
    walked = 0
    for path, operations in document["paths"].items():
        if "{id}" not in path:
            continue
        noun = re.match(r"/api/v1/([a-z-]+)/\{id\}", path)
        assert noun is not None, path
        address = path.replace("{id}", ids[noun[1]]).replace("{artifact_id}", "x")
        for method, operation in operations.items():
            body = BODIES.get(operation["operationId"])
            if operation["operationId"] == "upload_documents":
                answer = await server.stranger.upload(ids["knowledge-bases"], {"a.txt": b"x"})
            else:
                answer = await server.stranger.call(
                    method.upper(), address, **({"json": body} if body is not None else {})
                )
            assert answer.status == 404, (method, path, answer.text)
            walked += 1
    assert walked >= 20


async def test_foreign_ids_in_bodies_and_queries_are_absent_too(server: Server, ids: dict[str, str]) -> None:
    foreign = [ids["knowledge-bases"]]
    calls = [
        await server.stranger.post("/api/v1/search", {"query": "code", "knowledge_base_ids": foreign}),
        await server.stranger.post("/api/v1/runs", {"message": "code", "knowledge_base_ids": foreign}),
        await server.stranger.post("/agent/run", {"messages": [{"role": "user", "content": "x"}], "kbIds": foreign}),
        await server.stranger.post("/agent/query?q=x&tenant_id=somebody-else"),
    ]
    assert [answer.status for answer in calls] == [404, 404, 404, 404]
    assert (await server.stranger.get("/api/v1/runs")).body["items"] == []


async def test_lists_and_search_show_own_things_only(server: Server, ids: dict[str, str]) -> None:
    for path in ("/api/v1/knowledge-bases", "/api/v1/conversations", "/api/v1/runs"):
        assert (await server.stranger.get(path)).body["items"] == []
        assert len((await server.owner.get(path)).body["items"]) == 1
    assert (await server.stranger.post("/api/v1/search", {"query": "the code is 1234"})).body["hits"] == []


async def test_absent_and_foreign_answer_in_the_same_words(server: Server, ids: dict[str, str]) -> None:
    def shape(text: str) -> str:
        return re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|nowhere", "ID", text)

    for noun, found in ids.items():
        if noun != "messages":
            foreign = await server.stranger.get(f"/api/v1/{noun}/{found}")
            absent = await server.stranger.get(f"/api/v1/{noun}/nowhere")
            assert shape(foreign.text) == shape(absent.text)
