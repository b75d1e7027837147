"""Knowledge over HTTP: bases, uploads, documents, facts, search, passages."""

from pathlib import Path

import pytest

from famulus.app.documents import Incoming
from famulus.testing.served import Server

BASES = "/api/v1/knowledge-bases"


async def new_base(server: Server, name: str = "K") -> str:
    return (await server.owner.post(BASES, {"name": name})).body["id"]


async def ready(server: Server, document: str) -> dict[str, object]:
    return await server.owner.until(f"/api/v1/documents/{document}", lambda body: body["status"] in ("ready", "failed"))


async def test_base_is_made_changed_and_deleted(server: Server) -> None:
    base = await new_base(server)
    assert (await server.owner.post(BASES, {"name": "K"})).status == 409
    changed = await server.owner.call("PATCH", f"{BASES}/{base}", json={"name": "Z", "description": None})
    assert (changed.body["name"], changed.body["scope"]) == ("Z", "personal")
    assert (await server.owner.call("DELETE", f"{BASES}/{base}")).status == 204
    assert (await server.owner.get(f"{BASES}/{base}")).status == 404


async def test_lists_come_in_pages(server: Server) -> None:
    made = [await new_base(server, f"K{number}") for number in range(5)]
    first = (await server.owner.get(f"{BASES}?limit=3")).body
    second = (await server.owner.get(f"{BASES}?limit=3&cursor={first['next_cursor']}")).body
    assert [item["id"] for item in first["items"] + second["items"]] == made
    assert second["next_cursor"] is None
    assert (await server.owner.get(f"{BASES}?cursor=%%%")).status == 422
    assert (await server.owner.get(f"{BASES}?limit=0")).status == 422


async def test_upload_is_read_found_and_opened(server: Server) -> None:
    base = await new_base(server)
    text = "# Tarife\n\nDie Kündigungsfrist beträgt drei Monate.\n"
    name = "Vertrag für Zürich.md"
    answer = await server.owner.upload(base, {name: text.encode()}, path=f"ordner/{name}")
    assert (answer.status, answer.body["items"][0]["name"]) == (202, name)
    document = answer.body["items"][0]["document_id"]
    found = await ready(server, document)
    assert (found["status"], found["path"], found["error"]) == ("ready", f"ordner/{name}", None)
    hit = (await server.owner.post("/api/v1/search", {"query": "kuendigungsfrist", "knowledge_base_ids": [base]})).body[
        "hits"
    ][0]
    chunk = (await server.owner.get(f"/api/v1/chunks/{hit['chunk_id']}")).body
    content = (await server.owner.get(f"/api/v1/documents/{document}/content?offset={chunk['start']}&length=10")).body
    assert chunk["text"].startswith(content["text"][:5])
    assert content["next_offset"] == chunk["start"] + 10
    headings = (await server.owner.get(f"/api/v1/documents/{document}/structure")).body["items"]
    assert [item["text"] for item in headings if item["kind"] == "heading"] == ["Tarife"]
    original = await server.owner.get(f"/api/v1/documents/{document}/original")
    assert original.text == text
    assert "filename*=UTF-8''Vertrag%20f%C3%BCr%20Z%C3%BCrich.md" in original.headers["Content-Disposition"]
    assert (await server.owner.call("DELETE", f"/api/v1/documents/{document}")).status == 204
    assert (await server.owner.post("/api/v1/search", {"query": "kuendigungsfrist"})).body["hits"] == []


async def test_one_bad_file_does_not_hold_up_the_others(server: Server) -> None:
    base = await new_base(server)
    items = (await server.owner.upload(base, {"good.txt": b"good", "empty.txt": b"", "twin.txt": b"good"})).body[
        "items"
    ]
    states = [(await ready(server, item["document_id"]))["status"] for item in items]
    assert states == ["ready", "failed", "ready"]
    assert items[2]["duplicate_of"] == items[0]["document_id"]


@pytest.mark.parametrize(
    ("rule", "count", "text"), [("replace", 1, "new"), ("skip", 1, "old"), ("keep_both", 2, "old")]
)
async def test_same_name_again_follows_the_rule(server: Server, rule: str, count: int, text: str) -> None:
    base = await new_base(server)
    first = (await server.owner.upload(base, {"a.txt": b"old"})).body["items"][0]["document_id"]
    await ready(server, first)
    second = (await server.owner.upload(base, {"a.txt": b"new"}, on_conflict=rule)).body["items"][0]["document_id"]
    await ready(server, second)
    assert len((await server.owner.get(f"{BASES}/{base}/documents")).body["items"]) == count
    assert (await server.owner.get(f"/api/v1/documents/{first}/original")).text == text


async def test_wrong_forms_are_refused(server: Server) -> None:
    base = await new_base(server)
    statuses = [
        (await server.owner.upload(base, {})).status,
        (await server.owner.upload(base, {"a": b"x"}, on_conflict="maybe")).status,
        (await server.owner.upload(base, {"a": b"x", "b": b"y"}, path="only-one")).status,
        (await server.owner.post(f"{BASES}/{base}/documents", {"file": "x"})).status,
    ]
    assert statuses == [422, 422, 422, 422]
    assert (await server.owner.get(f"{BASES}/{base}/documents")).body["items"] == []


async def test_markup_is_never_served_as_a_page(server: Server) -> None:
    base = await new_base(server)
    page = b"<html><script>alert(1)</script><p>text</p></html>"
    document = (await server.owner.upload(base, {"<img src=x>.html": page})).body["items"][0]["document_id"]
    original = await server.owner.get(f"/api/v1/documents/{document}/original")
    assert original.headers["Content-Type"] == "application/octet-stream"
    assert original.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert original.headers["Content-Disposition"].startswith("attachment")


async def test_fact_is_found_changed_and_hidden_when_sensitive(server: Server) -> None:
    base = await new_base(server)
    body = {"text": "The door code is 4711.", "category": "access", "tags": ["door"]}
    fact = (await server.owner.post(f"{BASES}/{base}/facts", body)).body
    search = {"query": "door code", "categories": ["access"]}
    assert (await server.owner.post("/api/v1/search", search)).body["hits"][0]["fact_id"] == fact["id"]
    for query in ("category=access", "tag=door", "q=4711"):
        assert len((await server.owner.get(f"{BASES}/{base}/facts?{query}")).body["items"]) == 1
    hidden = await server.owner.call("PATCH", f"/api/v1/facts/{fact['id']}", json={"sensitive": True, "category": None})
    assert (hidden.body["sensitive"], hidden.body["category"]) == (True, None)
    assert (await server.owner.post("/api/v1/search", {"query": "door code"})).body["hits"] == []


@pytest.mark.parametrize(
    "query",
    [
        '"',
        "'; DROP TABLE chunk;--",
        "NEAR(",
        "a* OR b",
        "col:val",
        "^",
        "{",
        "a\u0000b",
        "%_",
        "😀",
        "der die das",
        "x" * 4_000,
    ],
)
async def test_no_search_text_breaks_the_parser(server: Server, query: str) -> None:
    await server.owner.post(f"{BASES}/{await new_base(server)}/facts", {"text": "something"})
    assert (await server.owner.post("/api/v1/search", {"query": query})).status == 200


@pytest.mark.parametrize("path", ["/api/v1/search", "/api/knowledge_base/search"])
@pytest.mark.parametrize(
    ("query", "said"),
    [("x" * 1_000_000, "at most 4,000 characters"), ("x" * 4_001, "4,000"), (" \n\u00a0", "blank"), ("", "empty")],
)
async def test_a_query_that_cannot_be_searched_whole_is_refused(
    server: Server, path: str, query: str, said: str
) -> None:
    answer = await server.owner.post(path, {"query": query})
    assert answer.status == 422
    assert said in str(answer.body)


async def test_sample_base_is_made_once(server: Server) -> None:
    first, second = await server.owner.post(f"{BASES}/sample"), await server.owner.post(f"{BASES}/sample")
    assert (first.status, second.status, first.body["id"]) == (201, 200, second.body["id"])
    assert len((await server.owner.get(f"{BASES}/{first.body['id']}/documents?limit=200")).body["items"]) > 15


async def test_documents_are_listed_from_either_end_page_by_page(server: Server) -> None:
    base = (await server.owner.post(f"{BASES}/sample")).body["id"]
    path = f"{BASES}/{base}/documents"
    oldest = [item["id"] for item in (await server.owner.get(f"{path}?limit=200")).body["items"]]
    newest: list[str] = []
    cursor = ""
    while cursor is not None:
        page = (await server.owner.get(f"{path}?order=newest&limit=7{cursor and f'&cursor={cursor}'}")).body
        newest += [item["id"] for item in page["items"]]
        cursor = page["next_cursor"]
    assert newest == oldest[::-1]
    assert (await server.owner.get(f"{path}?order=name")).status == 422


async def test_a_file_of_a_batch_that_did_not_arrive_is_told_and_the_others_are_taken(
    server: Server, tmp_path: Path
) -> None:
    base = await new_base(server)
    (tmp_path / "good.md").write_text("The gate closes at ten.")
    (tmp_path / "big.md").touch()
    files = [Incoming("big.md", tmp_path / "big.md", refused="too large"), Incoming("good.md", tmp_path / "good.md")]
    owner = await server.famulus.accounts.owner()
    big, good = await server.famulus.documents.add(owner, base, files)
    assert (big.status, big.error, big.document_id) == ("failed", "too large", None)
    assert (await ready(server, str(good.document_id)))["status"] == "ready"
    assert len((await server.owner.get(f"{BASES}/{base}/documents")).body["items"]) == 1
