"""Runs over HTTP: ordered, followed, stopped, read again; the same text on every way."""

import asyncio
import json
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

import pytest
import sqlalchemy as sa

from famulus.store.schema import conversations as tables
from famulus.testing.served import Client, Server

TEXT = b"# Lease\n\nThe notice period of the warehouse is twelve months.\n\n# Deposit\n\nThe deposit is CHF 4,000.\n"


@pytest.fixture
async def base(server: Server) -> str:
    """A knowledge base with one document that can be searched."""
    base_id = (await server.owner.post("/api/v1/knowledge-bases", {"name": "leases"})).body["id"]
    document = (await server.owner.upload(base_id, {"lease.md": TEXT})).body["items"][0]["document_id"]
    await server.owner.until(f"/api/v1/documents/{document}", lambda body: body["status"] == "ready")
    return base_id


async def stream(client: Client, run_id: str, **headers: str) -> list[tuple[str, dict[str, Any]]]:
    """(id, event) of the whole stream."""
    text = (await client.get(f"/api/v1/runs/{run_id}/events", headers=headers)).text
    found: list[tuple[str, dict[str, Any]]] = []
    for message in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in message.splitlines() if not line.startswith(":"))
        if "data" in fields:
            event = json.loads(fields["data"])
            assert fields["event"] == event["type"]
            found.append((fields["id"], event))
    return found


async def test_answer_cites_the_passage(server: Server, base: str) -> None:
    body = {"message": "What is the notice period of the warehouse?", "knowledge_base_ids": [base]}
    run = (await server.owner.post("/api/v1/runs?wait=true", body)).body
    assert (run["status"], run["truncated"], run["model"]) == ("completed", False, "builtin/extractive")
    assert "twelve months" in run["answer"]
    assert "[1]" in run["answer"]
    assert (run["sources"][0]["n"], run["sources"][0]["document_name"], run["sources"][0]["section"]) == (
        1,
        "lease.md",
        ["Lease"],
    )
    assert run["steps"][0]["tool"] == "search_documents"
    assert run["usage"]["cost"] == {"amount": 0.0, "currency": "CHF", "complete": True}


async def test_stream_replays_all_and_resumes_anywhere(server: Server, base: str) -> None:
    accepted = (
        await server.owner.post("/api/v1/runs", {"message": "What is the deposit?", "knowledge_base_ids": [base]})
    ).body
    live = await stream(server.owner, accepted["run_id"])
    durable = [(place, event) for place, event in live if "." not in place]
    assert [int(place) for place, _ in durable] == list(range(1, len(durable) + 1))
    assert (durable[0][1]["type"], durable[-1][1]["type"]) == ("run.started.v1", "run.summary.v1")
    assert await stream(server.owner, accepted["run_id"]) == durable
    assert await stream(server.owner, accepted["run_id"], **{"Last-Event-ID": durable[2][0]}) == durable[3:]
    listed = (await server.owner.get(accepted["events_url"], headers={"Accept": "application/json"})).body
    assert listed["items"] == [event for _, event in durable]
    assert "private" not in json.dumps(listed)


async def test_stream_belongs_to_its_owner(server: Server, base: str) -> None:
    run_id = (
        await server.owner.post("/api/v1/runs", {"message": "What is the deposit?", "knowledge_base_ids": [base]})
    ).body["run_id"]
    path = f"/api/v1/runs/{run_id}/events"
    statuses = [
        (await server.stranger.get(path, headers={"Last-Event-ID": "0"})).status,
        (await server.anonymous.get(path)).status,
        (await server.owner.get(path, headers={"Last-Event-ID": "x"})).status,
    ]
    assert statuses == [404, 401, 422]


async def test_conversation_keeps_its_messages_and_one_run_at_a_time(server: Server, base: str) -> None:
    conversation = (await server.owner.post("/api/v1/conversations", {})).body["id"]
    runs = f"/api/v1/conversations/{conversation}/runs"
    body = {"message": "What is the deposit?", "knowledge_base_ids": [base]}
    first, second = await asyncio.gather(server.owner.post(runs, body), server.owner.post(runs, body))
    assert sorted([first.status, second.status]) == [202, 409]
    run_id = (first.body if first.status == 202 else second.body)["run_id"]
    await stream(server.owner, run_id)
    messages = (await server.owner.get(f"/api/v1/conversations/{conversation}/messages")).body["items"]
    assert [(m["role"], m["run_id"], m["status"]) for m in messages] == [
        ("user", run_id, None),
        ("assistant", run_id, "completed"),
    ]
    assert "4,000" in messages[1]["text"]
    assert (await server.owner.get(f"/api/v1/conversations/{conversation}")).body["title"] == "What is the deposit?"
    done = [event for _, event in await stream(server.owner, run_id) if event["type"] == "chat.done.v1"]
    assert (done[0]["data"]["message_id"], done[0]["data"]["text"]) == (messages[1]["id"], messages[1]["text"])


async def test_edit_branch_feedback_and_export(server: Server, base: str) -> None:
    conversation = (await server.owner.post("/api/v1/conversations", {"title": "Lease <b>"})).body["id"]
    path = f"/api/v1/conversations/{conversation}"

    async def ask(**more: object) -> list[dict[str, Any]]:
        run = await server.owner.post(
            f"{path}/runs", {"message": "What is the deposit?", "knowledge_base_ids": [base], **more}
        )
        await stream(server.owner, run.body["run_id"])
        return (await server.owner.get(f"{path}/messages")).body["items"]

    before = await ask()
    after = await ask(replaces_message_id=before[0]["id"])
    assert len(after) == 2
    assert {message["id"] for message in before}.isdisjoint(message["id"] for message in after)
    assert (await server.owner.post(f"/api/v1/messages/{after[1]['id']}/feedback", {"rating": -1})).status == 204
    assert (await server.owner.get(f"{path}/messages")).body["items"][1]["feedback"] == -1
    branch = (await server.owner.post(f"{path}/branches", {"before_message_id": after[1]["id"]})).body["id"]
    assert [m["role"] for m in (await server.owner.get(f"/api/v1/conversations/{branch}/messages")).body["items"]] == [
        "user"
    ]
    exported = await server.owner.get(f"{path}/export?format=md")
    cited = after[1]["sources"]
    assert exported.text.count("\n- [") == len(cited) > 0
    assert f"- [{cited[0]['n']}] lease.md" in exported.text
    assert f"“{cited[0]['quotes'][0]['text']}" in exported.text
    assert exported.headers["Content-Disposition"].startswith('attachment; filename="Lease b.md"')
    assert (await server.owner.get(f"{path}/export?format=json")).body["messages"][1]["id"] == after[1]["id"]
    assert (await server.owner.call("DELETE", path)).status == 204
    assert (await server.owner.get(path)).status == 404


async def test_an_edited_question_gives_its_words_to_the_title_and_knows_the_answers_before(
    server: Server, base: str
) -> None:
    conversation = (await server.owner.post("/api/v1/conversations", {})).body["id"]
    path = f"/api/v1/conversations/{conversation}"
    runs: list[str] = []
    for question in ("What is the deposit?", "How much is the deposit?", "How high is the deposit?"):
        old = (await server.owner.get(f"{path}/messages")).body["items"]
        body = {"message": question, "knowledge_base_ids": [base]}
        run = await server.owner.post(f"{path}/runs", body | ({"replaces_message_id": old[0]["id"]} if old else {}))
        runs.append(run.body["run_id"])
        events = [event for _, event in await stream(server.owner, runs[-1])]
        assert (await server.owner.get(path)).body["title"] == question
    assert events[0]["data"]["request"]["earlier_runs"] == runs[:2]
    await server.owner.call("PATCH", path, json={"title": "Deposits"})
    again = (await server.owner.get(f"{path}/messages")).body["items"]
    await server.owner.post(f"{path}/runs", {"message": "And the rent?", "replaces_message_id": again[0]["id"]})
    assert (await server.owner.get(path)).body["title"] == "Deposits"


async def test_private_conversation_has_no_tools(server: Server, base: str) -> None:
    conversation = (await server.owner.post("/api/v1/conversations", {"private": True})).body["id"]
    run_id = (
        await server.owner.post(f"/api/v1/conversations/{conversation}/runs", {"message": "What is the deposit?"})
    ).body["run_id"]
    await stream(server.owner, run_id)
    run = (await server.owner.get(f"/api/v1/runs/{run_id}")).body
    assert (run["steps"], run["sources"]) == ([], [])


async def test_socket_carries_the_events_of_all_runs(server: Server, base: str) -> None:
    headers = {"Authorization": f"Bearer {server.owner.token}"}
    async with server.owner.session.ws_connect(server.address + "/api/v1/ws", headers=headers) as socket:
        run_id = (
            await server.owner.post("/api/v1/runs", {"message": "What is the deposit?", "knowledge_base_ids": [base]})
        ).body["run_id"]
        seen: list[dict[str, Any]] = []
        async with asyncio.timeout(30):
            while not seen or seen[-1]["type"] != "run.summary.v1":
                seen.append(await socket.receive_json())
    durable = [event for event in seen if event["type"] not in ("chat.stream.v1", "chat.reasoning.v1")]
    assert {event["run_id"] for event in seen} == {run_id}
    assert [event["seq"] for event in durable] == list(range(1, len(durable) + 1))


@pytest.mark.parametrize("headers", [{}, {"Origin": "http://evil.test"}])
async def test_socket_is_closed_to_strangers_and_other_sites(server: Server, headers: dict[str, str]) -> None:
    import aiohttp

    if headers:
        headers = {**headers, "Authorization": f"Bearer {server.owner.token}"}
    with pytest.raises(aiohttp.WSServerHandshakeError):
        async with server.owner.session.ws_connect(server.address + "/api/v1/ws", headers=headers):
            pass


@pytest.mark.parametrize(
    "zone", ["../../etc/passwd", "UTC+99", "posix/Europe/Zurich", "x" * 10_000, "", "Europe/Zürich"]
)
async def test_hostile_zone_is_utc_and_echoed_nowhere(server: Server, zone: str) -> None:
    body = {"message": "What day is it?", "use_knowledge": False}
    answer = await server.owner.post("/api/v1/runs?wait=true", body, headers={"X-User-Timezone": zone})
    if answer.status == 400:
        return  # the header is larger than the server reads
    events = (
        await server.owner.get(f"/api/v1/runs/{answer.body['id']}/events", headers={"Accept": "application/json"})
    ).text
    assert "UTC" in events
    assert not zone or zone not in events


async def test_zone_of_the_person_is_used(server: Server) -> None:
    body = {"message": "What day is it?", "use_knowledge": False}
    run = (await server.owner.post("/api/v1/runs?wait=true", body, headers={"X-User-Timezone": "Asia/Tokyo"})).body
    events = (await server.owner.get(f"/api/v1/runs/{run['id']}/events", headers={"Accept": "application/json"})).text
    assert "Asia/Tokyo" in events


async def test_stop_is_idempotent_and_an_ended_run_stays(server: Server, base: str) -> None:
    run = (
        await server.owner.post(
            "/api/v1/runs?wait=true", {"message": "What is the deposit?", "knowledge_base_ids": [base]}
        )
    ).body
    assert (await server.owner.post(f"/api/v1/runs/{run['id']}/stop")).status == 202
    assert (await server.owner.post(f"/api/v1/runs/{run['id']}/stop")).body["status"] == "completed"


async def test_a_long_conversation_is_answered_edited_and_copied_to_its_end(server: Server, base: str) -> None:
    conversation = (await server.owner.post("/api/v1/conversations", {"title": "Long"})).body["id"]
    path = f"/api/v1/conversations/{conversation}"
    await server.famulus.conversations._database.write(lambda c: _fill(c, conversation, 1_200))
    started = await server.owner.post(
        f"{path}/runs",
        {"message": "What is the deposit?", "knowledge_base_ids": [base], "replaces_message_id": "m1198"},
    )
    assert started.status == 202
    await stream(server.owner, started.body["run_id"])
    branch = (await server.owner.post(f"{path}/branches", {})).body["id"]
    copied = await server.owner.get(f"/api/v1/conversations/{branch}/export?format=json")
    assert [message["text"] for message in copied.body["messages"]][-3:-1] == ["text 1197", "What is the deposit?"]
    assert len(copied.body["messages"]) == 1_200


def _fill(connection: sa.Connection, conversation: str, number: int) -> None:
    """That many messages, made out of the first account's conversation row."""
    tenant = connection.execute(sa.select(tables.conversation.c.tenant)).scalar_one()
    row = {"tenant": tenant, "conversation": conversation, "sources": [], "created_at": datetime.now(UTC)}
    values = [
        {
            **row,
            "id": f"m{n}",
            "ord": n,
            "role": ("user", "assistant")[n % 2],
            "text": f"text {n}",
            "status": "completed",
        }
        for n in range(number)
    ]
    connection.execute(sa.insert(tables.conversation_message), values)


async def test_a_conversation_is_found_by_its_words_in_any_case(server: Server) -> None:
    made = (await server.owner.post("/api/v1/conversations", {"title": "ÜBERSICHT der Größen"})).body["id"]
    for word in ("übersicht", "GRÖSSEN".replace("SS", "ß"), "Übersicht der"):
        found = (await server.owner.get(f"/api/v1/conversations?q={quote(word)}")).body["items"]
        assert [item["id"] for item in found] == [made], word


async def test_runs_are_listed_by_their_status(server: Server, base: str) -> None:
    body = {"message": "What is the notice period?", "knowledge_base_ids": [base]}
    ended = [(await server.owner.post("/api/v1/runs?wait=true", body)).body["id"] for _ in range(3)]

    async def listed(query: str) -> list[str]:
        return [item["id"] for item in (await server.owner.get(f"/api/v1/runs?{query}")).body["items"]]

    assert await listed("status=ended") == ended[::-1]
    assert await listed("status=completed&limit=2") == ended[:0:-1]
    assert await listed("status=active") == await listed("status=failed") == []
