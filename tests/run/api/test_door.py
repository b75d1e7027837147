"""What the door lets in, and how it says no."""

import asyncio
import io
import json
from typing import Any

import pytest

from famulus.testing.served import ADMIN_TOKEN, Client, Server

PRIVATE = [
    "/api/v1/me",
    "/api/v1/knowledge-bases",
    "/api/v1/runs",
    "/metrics",
    "/openapi.json",
    "/docs",
    "/agent/models",
    "/api/v1/nothing",
]


async def raw(server: Server, request: bytes) -> bytes:
    """The answer's bytes to bytes sent as they are."""
    host, port = server.address.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(request)
    answer = await asyncio.wait_for(reader.read(65536), 5)
    writer.close()
    await writer.wait_closed()
    return answer


@pytest.mark.parametrize("path", PRIVATE)
async def test_private_addresses_need_a_credential(server: Server, path: str) -> None:
    answer = await server.anonymous.get(path)
    assert (answer.status, answer.body["code"], answer.headers["WWW-Authenticate"]) == (
        401,
        "unauthenticated",
        "Bearer",
    )


async def test_health_is_open_and_tells_details_to_administrators_only(server: Server) -> None:
    told = {"status": "ok", "version": "0.1.0", "checks": {}, "settings_file": None}
    assert (await server.anonymous.get("/api/v1/health")).body == told
    assert "store" in (await server.owner.get("/api/v1/health")).body["checks"]


@pytest.mark.parametrize("host", ["evil.test", "evil.test:80", "localhost.", "127.0.0.1.evil.test", "[::1", ""])
@pytest.mark.parametrize("path", ["/", "/api/v1/health", "/api/v1/me", "/assets/x.js"])
async def test_foreign_host_is_refused_everywhere(server: Server, host: str, path: str) -> None:
    answer = await server.owner.get(path, headers={"Host": host})
    assert answer.status in (400, 421)


async def test_two_hosts_and_none_are_refused(server: Server) -> None:
    for hosts in (b"Host: localhost\r\nHost: evil.test\r\n", b""):
        assert b" 400 " in (await raw(server, b"GET /api/v1/health HTTP/1.1\r\n" + hosts + b"\r\n")).split(b"\r\n")[0]


async def test_security_headers_stand_on_every_answer(server: Server) -> None:
    for path in ("/", "/api/v1/health", "/api/v1/me", "/nothing/here", "/api/v1/nothing"):
        headers = (await server.owner.get(path)).headers
        assert headers["Content-Security-Policy"].startswith("default-src 'self'")
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "Access-Control-Allow-Origin" not in headers


async def browser(server: Server) -> Client:
    """A browser that is signed in: it has the cookie and no token."""
    answer = await server.anonymous.post("/api/v1/session", {"token": ADMIN_TOKEN})
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    return Client(server.address, server.anonymous.session, headers={"Cookie": cookie.split(";")[0]})


CROSS_SITE: list[dict[str, str]] = [
    {"Origin": "http://evil.test"},
    {"Origin": "null"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
]


@pytest.mark.parametrize("headers", CROSS_SITE)
async def test_another_site_changes_nothing_with_a_cookie(server: Server, headers: dict[str, str]) -> None:
    page = await browser(server)
    document = (await server.owner.get("/openapi.json")).body
    changing = [(m, p) for p, ms in document["paths"].items() for m in ms if m not in ("get", "head")]
    assert len(changing) > 15
    for method, path in changing:
        answer = await page.call(method.upper(), path.replace("{id}", "x"), json={"name": "n"}, headers=headers)
        assert (answer.status, answer.body["code"]) == (403, "cross_site"), path
    plain = await page.call(
        "POST", "/api/v1/knowledge-bases", data='{"name": "n"}', headers={**headers, "Content-Type": "text/plain"}
    )
    assert plain.status == 403


async def test_own_page_may_and_signing_out_ends_it(server: Server) -> None:
    page = await browser(server)
    own = {"Origin": server.address, "Sec-Fetch-Site": "same-origin"}
    assert (await page.post("/api/v1/knowledge-bases", {"name": "mine"}, headers=own)).status == 201
    assert (await page.call("DELETE", "/api/v1/session", headers=own)).status == 204
    assert (await page.get("/api/v1/me")).status == 401


async def test_signin_link_works_once(server: Server) -> None:
    owner, _ = await server.famulus.accounts.ensure_owner()
    link = f"/signin?token={await server.famulus.accounts.issue_signin(owner)}"
    first, second = await server.anonymous.get(link), await server.anonymous.get(link)
    assert (first.status, first.headers["Location"], "Set-Cookie" in first.headers) == (303, "/", True)
    assert (second.headers["Location"], "Set-Cookie" in second.headers) == ("/?signin=expired", False)


async def test_wrong_token_opens_no_session(server: Server) -> None:
    answer = await server.anonymous.post("/api/v1/session", {"token": "wrong"})
    assert (answer.status, "Set-Cookie" in answer.headers) == (401, False)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b'{"name": "a", "name": "b"}', 400),
        (b"[" * 100_000, 400),
        (b'{"name": "\\ud800"}', 400),
        (b'{"name": NaN}', 400),
        (b"{", 400),
        (b'{"name": "a", "surprise": 1}', 422),
        (b'{"name": 5}', 422),
        (b'{"name": ""}', 422),
        (b"[]", 422),
        (b"", 422),
        (b'{"name": "' + b"x" * 5_000_000 + b'"}', 413),
    ],
)
async def test_bad_bodies_are_told_apart(server: Server, body: bytes, status: int) -> None:
    answer = await server.owner.call(
        "POST", "/api/v1/knowledge-bases", data=io.BytesIO(body), headers={"Content-Type": "application/json"}
    )
    assert answer.status == status
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert set(answer.body) >= {"type", "title", "status", "detail", "error_id"}


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded"])
async def test_a_body_that_is_not_declared_as_json_is_told_how_to_be(server: Server, kind: str) -> None:
    body = io.BytesIO(b'{"name": "K"}')
    answer = await server.owner.call("POST", "/api/v1/knowledge-bases", data=body, headers={"Content-Type": kind})
    assert answer.status == 415
    assert "Content-Type: application/json" in answer.body["detail"]


async def test_compressed_body_is_refused(server: Server) -> None:
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    answer = await server.owner.call(
        "POST", "/api/v1/search", data=b"\x1f\x8b", headers=headers, skip_auto_headers=None
    )
    assert answer.status == 415


@pytest.mark.parametrize("value", [1, 0, "true", "false", [True], {}, None, 1.0, "yes"])
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/v1/runs", {"message": "x", "allow_web": "VALUE"}),
        ("/agent/run", {"messages": [{"role": "user", "content": "x"}], "allowWeb": "VALUE"}),
    ],
)
async def test_web_access_needs_a_boolean(server: Server, path: str, body: dict[str, Any], value: object) -> None:
    filled = json.loads(json.dumps(body).replace('"VALUE"', json.dumps(value)))
    assert (await server.owner.post(path, filled)).status == 400
    assert (await server.owner.get("/api/v1/runs")).body["items"] == []


async def test_web_access_told_twice_is_refused(server: Server) -> None:
    body = b'{"messages": [{"role": "user", "content": "x"}], "allowWeb": false, "allowWeb": true}'
    answer = await server.owner.call("POST", "/agent/run", data=body, headers={"Content-Type": "application/json"})
    assert answer.status == 400
    assert (await server.owner.get("/api/v1/runs")).body["items"] == []


@pytest.mark.parametrize("field", ["use_knowledge"])
@pytest.mark.parametrize("value", [1, "true", None])
async def test_other_booleans_are_strict_too(server: Server, field: str, value: object) -> None:
    assert (await server.owner.post("/api/v1/runs", {"message": "x", field: value})).status == 422


async def test_nul_in_an_address_is_refused(server: Server) -> None:
    for path in ("/api/v1/documents/%00", "/api/v1/runs?cursor=%00", "/%00"):
        answer = await raw(
            server, f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {ADMIN_TOKEN}\r\n\r\n".encode()
        )
        assert answer.startswith(b"HTTP/1.1 400")


async def test_fault_says_its_id_and_nothing_else(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(server.famulus.facts, "get", broken)
    answer = await server.owner.get("/api/v1/facts/x")
    assert (answer.status, answer.body["code"]) == (500, "internal")
    assert "secret" not in answer.text
    assert answer.body["error_id"] in answer.body["detail"]
