"""The one door in front of every route, as plain ASGI: host, caller, origin, body, security headers, counters.

Order matters: a wrong host learns nothing, an unknown caller's body is not read, and what a browser sends across sites is
refused before anything looks at it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from typing import Final, Protocol

from fastapi import Response
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from famulus.api.bodies import BoundedBody, UnsupportedBody, read_body, replay
from famulus.api.hosts import SAFE_METHODS, HostRule, cross_site
from famulus.api.metrics import Metrics
from famulus.api.problems import from_error, from_fault, problem
from famulus.api.strict_json import check_json
from famulus.config import LimitSettings
from famulus.errors import FamulusError, Unauthenticated
from famulus.messages.values import Principal

COOKIE: Final = "famulus_session"
PRINCIPAL: Final = "famulus.principal"
# Without a valid credential these answer 401 before their body is read; each route asks for its caller once more itself.
_PRIVATE: Final = ("/api/", "/agent/", "/v1/", "/mcp", "/metrics", "/openapi.json", "/docs")
_PUBLIC: Final = frozenset({"/api/v1/health", "/api/v1/session"})
_HEADERS: Final = {
    "content-security-policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


class Authenticator(Protocol):
    async def authenticate(self, secret: str) -> Principal: ...


class Door:
    """Wraps the app. What passes has an allowed host, a bounded body and, on private paths, a known caller."""

    def __init__(
        self,
        app: ASGIApp,
        authenticator: Authenticator,
        allowed_hosts: Iterable[str],
        limits: LimitSettings,
        metrics: Metrics,
    ) -> None:
        self._app = app
        self._authenticator = authenticator
        self._hosts = HostRule(allowed_hosts)
        self._limits = limits
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        outgoing = _Outgoing(send)
        started = time.perf_counter()
        try:
            refusal = await self._refusal(scope)
            bounded = None if refusal else await self._body(scope, receive)
            if refusal is not None:
                await refusal(scope, receive, outgoing)
            elif bounded is not None:
                await self._app(scope, bounded, outgoing)
        except FamulusError as error:
            await outgoing.respond(from_error(error), scope, receive)
        except Exception as error:
            if not outgoing.status:
                await outgoing.respond(from_fault(error), scope, receive)
        finally:
            self._metrics.request(scope, outgoing.status, time.perf_counter() - started)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        refusal = await self._refusal(scope)
        # A browser cannot add a header to a socket, but it always tells the page's origin.
        if refusal is None and headers.get("origin") and _is_cross_site(scope, headers):
            refusal = problem(403, "Another site may not open this socket.", code="cross_site")
        if refusal is not None:
            await send({"type": "websocket.close", "code": 4000 + refusal.status_code, "reason": ""})
            return
        await self._app(scope, receive, send)

    async def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1:
            return _closing(problem(400, "Send exactly one Host header.", code="bad_host"))
        if not self._hosts.allows(hosts[0]):
            return _closing(
                problem(
                    421,
                    "This server does not answer under that name; list it in server.allowed_hosts.",
                    code="bad_host",
                )
            )
        if "\x00" in scope["path"] or b"%00" in scope["query_string"]:
            return _closing(problem(400, "The address holds a NUL character.", code="bad_address"))
        await self._identify(scope, headers)
        path: str = scope["path"]
        if scope[PRINCIPAL] is None and path.startswith(_PRIVATE) and path not in _PUBLIC:
            return _closing(from_error(Unauthenticated("Sign in, or send `Authorization: Bearer TOKEN`.")))
        return _closing(self._cross_site(scope, headers))

    async def _identify(self, scope: Scope, headers: Headers) -> None:
        scope[PRINCIPAL] = None
        bearer, cookie = _bearer(headers), _cookie(headers)
        secret = bearer if bearer is not None else cookie
        if secret is None:
            return
        try:
            scope[PRINCIPAL] = await self._authenticator.authenticate(secret)
        except Unauthenticated:
            return

    def _cross_site(self, scope: Scope, headers: Headers) -> Response | None:
        if scope["type"] != "http" or scope["method"] in SAFE_METHODS or _bearer(headers) is not None:
            return None
        if _is_cross_site(scope, headers):
            return problem(403, "A page of another site may not do this.", code="cross_site")
        return None

    async def _body(self, scope: Scope, receive: Receive) -> Receive | None:
        """The body to hand on: files by stream, everything else read whole and, when it is JSON, found unambiguous."""
        headers = Headers(scope=scope)
        if headers.get("content-encoding", "identity").lower() != "identity":
            raise UnsupportedBody("Compressed request bodies are not taken; send the body as it is.")
        kind = headers.get("content-type", "").split(";")[0].strip().lower()
        if kind == "multipart/form-data":
            return BoundedBody(receive, self._limits.upload_total_bytes, self._limits.request_idle_s)
        if scope["method"] in SAFE_METHODS and "content-length" not in headers and "transfer-encoding" not in headers:
            return receive
        body = await read_body(BoundedBody(receive, self._limits.request_bytes, self._limits.request_idle_s))
        if body is None:
            return None
        if body and (kind == "application/json" or kind.endswith("+json")):
            check_json(body)
        elif body and scope["method"] not in SAFE_METHODS:
            raise UnsupportedBody("Send the body as JSON, with the header `Content-Type: application/json`.")
        return replay(body, receive)


class _Outgoing:
    """A `send` that adds the security headers and remembers the status."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status = 0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await self._send(message)

    async def respond(self, response: Response, scope: Scope, receive: Receive) -> None:
        if not self.status:
            await response(scope, receive, self)


def _bearer(headers: Headers) -> str | None:
    scheme, _, secret = headers.get("authorization", "").partition(" ")
    return secret.strip() if scheme.lower() == "bearer" else None


def _cookie(headers: Headers) -> str | None:
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return None
    return None if morsel is None else morsel.value


def _is_cross_site(scope: Scope, headers: Headers) -> bool:
    scheme = "https" if scope["scheme"] in ("https", "wss") else "http"
    return cross_site(headers.get("origin"), headers.get("sec-fetch-site"), headers["host"], scheme)


def _closing(response: Response | None) -> Response | None:
    """The same with the connection closed after it: the rest of an unread body is not waited for."""
    if response is not None:
        response.headers["connection"] = "close"
    return response
