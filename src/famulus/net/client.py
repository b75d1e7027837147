"""The only outbound door. One HTTP session per (purpose, destination); its connector is the egress policy.

No redirects, no proxies, no cookies, no credentials or certificates from the environment. Size, total time and
decompression are bounded for every request.
"""

from __future__ import annotations

import asyncio
import re
import ssl
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

import aiohttp
from yarl import URL

from famulus.errors import EgressRefused
from famulus.net.body import BodyReader
from famulus.net.connector import REUSED, Lookup, checked_connector, system_lookup
from famulus.net.errors import NetError, RedirectRefused
from famulus.net.policy import PROVIDER, EgressPolicy
from famulus.net.url import Target, parse_url

MAX_POOLS = 64
CONNECTIONS = 16
REDIRECTS = frozenset({301, 302, 303, 307, 308})
HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
HEADER_VALUE = re.compile(r"[\t\x20-\x7e\x80-\uffff]*")
OWN_HEADERS = frozenset(
    {"host", "content-length", "transfer-encoding", "connection", "accept-encoding", "te", "upgrade"}
)


@dataclass(frozen=True, slots=True)
class NetLimits:
    """`silence_s` between two reads, `total_s` for the whole exchange, `size_bytes` of the unpacked body.

    `resend`: a request on a kept connection that the server closed before any answer is sent once more on a new one. Off for
    requests with effects: the server may have acted before it died.
    """

    connect_s: float = 10.0
    silence_s: float = 60.0
    total_s: float = 120.0
    size_bytes: int = 16 << 20
    resend: bool = True


@dataclass(frozen=True, slots=True)
class NetResponse:
    """`headers` have lower-case names."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class NetStream:
    """An answer whose body is still coming; `chunks` may be iterated once, inside the context of `stream`.

    `finish` waits that long for the end of a body of which everything of use has been read: a connection that came to its end is
    kept for the next request.
    """

    status: int
    headers: Mapping[str, str]
    chunks: AsyncIterator[bytes]
    finish: Callable[[float], Awaitable[None]]


@dataclass(slots=True)
class Pool:
    """The connections to one destination and the number of requests that use them now."""

    session: aiohttp.ClientSession
    in_flight: int = 0


class NetClient:
    """`lookup` replaces the system's name resolution (tests)."""

    def __init__(self, policy: EgressPolicy, *, lookup: Lookup = system_lookup) -> None:
        self.policy = policy
        self.lookup = lookup
        self.pools: OrderedDict[tuple[str, str], Pool] = OrderedDict()
        self.closing: set[asyncio.Task[None]] = set()

    async def request(
        self,
        purpose: str,
        method: str,
        url: str,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        limits: NetLimits | None = None,
    ) -> NetResponse:
        """The whole answer, whatever its status. Raises `EgressRefused` (also for a redirect) and `NetError`."""
        async with self.stream(purpose, method, url, headers, body, limits) as answer:
            parts = [chunk async for chunk in answer.chunks]
            return NetResponse(answer.status, answer.headers, b"".join(parts))

    @asynccontextmanager
    async def stream(
        self,
        purpose: str,
        method: str,
        url: str,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        limits: NetLimits | None = None,
    ) -> AsyncGenerator[NetStream]:
        """The answer as it arrives. Leaving the context closes the connection unless the body was read to its end."""
        target = parse_url(url)
        checked = check_headers(headers or {})
        bounds = limits or NetLimits()
        pool = self.pool(purpose, target)
        pool.in_flight += 1
        response: aiohttp.ClientResponse | None = None
        try:
            response = await send(pool.session, method, target, checked, body, bounds)
            refuse_redirect(response, target)
            reader = BodyReader(response.headers.get("Content-Encoding", ""), bounds.size_bytes)
            names = {name.lower(): value for name, value in response.headers.items()}
            yield NetStream(response.status, names, read(response, reader, target), partial(finish, response))
        finally:
            pool.in_flight -= 1
            # An unread rest must not be drained: closing is what ends the server's work.
            if response is not None:
                response.close()

    def pool(self, purpose: str, target: Target) -> Pool:
        """The pool of this destination; the policy is asked when it is made, for it cannot change in a client's life."""
        key = (purpose, target.origin)
        pool = self.pools.get(key)
        if pool is None:
            rule = self.policy.rule(purpose, target)
            limit = 0 if purpose == PROVIDER else CONNECTIONS
            connector = checked_connector(rule, target.scheme == "https", self.policy.ca_file, self.lookup, limit)
            pool = self.pools[key] = Pool(open_session(connector))
            self.forget_oldest()
        else:
            self.pools.move_to_end(key)
        return pool

    def forget_oldest(self) -> None:
        """Keeps the number of pools bounded; only pools without a request in flight are closed."""
        for key, pool in list(self.pools.items())[:-1]:
            if len(self.pools) <= MAX_POOLS:
                return
            if key[0] != PROVIDER and pool.in_flight == 0:
                del self.pools[key]
                task = asyncio.create_task(pool.session.close())
                self.closing.add(task)
                task.add_done_callback(self.closing.discard)

    async def aclose(self) -> None:
        pools = list(self.pools.values())
        self.pools.clear()
        await asyncio.gather(*self.closing, *(pool.session.close() for pool in pools))


async def send(
    session: aiohttp.ClientSession,
    method: str,
    target: Target,
    headers: dict[str, str],
    body: bytes | None,
    limits: NetLimits,
) -> aiohttp.ClientResponse:
    timeout = aiohttp.ClientTimeout(total=limits.total_s, sock_connect=limits.connect_s, sock_read=limits.silence_s)
    for last in (False, True):
        REUSED.set(False)
        try:
            return await session.request(
                method, target.url, headers=headers, data=body, timeout=timeout, allow_redirects=False
            )
        except (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError) as error:
            # Only a kept connection may be stale; a fresh one that dies has done so over this very request.
            if last or not REUSED.get() or not limits.resend:
                raise failure(error, target) from error
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise failure(error, target) from error
    raise AssertionError("unreachable")


def open_session(connector: aiohttp.TCPConnector) -> aiohttp.ClientSession:
    return aiohttp.ClientSession(
        connector=connector,
        cookie_jar=aiohttp.DummyCookieJar(),
        trust_env=False,
        auto_decompress=False,
        raise_for_status=False,
        headers={"User-Agent": "famulus", "Accept-Encoding": "gzip"},
    )


async def read(response: aiohttp.ClientResponse, reader: BodyReader, target: Target) -> AsyncIterator[bytes]:
    try:
        async for chunk in response.content.iter_any():
            plain = reader.feed(chunk)
            if plain:
                yield plain
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        raise failure(error, target) from error
    reader.finish()


async def finish(response: aiohttp.ClientResponse, wait_s: float) -> None:
    content = response.content
    if content.at_eof():
        return
    try:
        async with asyncio.timeout(wait_s):
            while await content.readany():
                pass
    except (aiohttp.ClientError, TimeoutError, OSError):
        return


def check_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Raises `EgressRefused` for a name or value that could end its line or change the framing."""
    for name, value in headers.items():
        if not HEADER_NAME.fullmatch(name) or not HEADER_VALUE.fullmatch(value):
            raise EgressRefused(f"header {name[:60]!r} refused: it holds characters that no header may hold")
        if name.lower() in OWN_HEADERS and not (name.lower() == "accept-encoding" and value == "identity"):
            raise EgressRefused(f"header {name!r} refused: the client sets it itself")
    return dict(headers)


def refuse_redirect(response: aiohttp.ClientResponse, target: Target) -> None:
    if response.status not in REDIRECTS:
        return
    location = response.headers.get("Location", "")
    try:
        host = target.url.join(URL(location)).host or location[:100]
    except ValueError:
        host = location[:100]
    raise RedirectRefused(location[:2000], host)


def failure(error: BaseException, target: Target) -> NetError:
    """The error in the gate's words. It names the host only: paths and queries may hold secrets."""
    where = f"{target.host}:{target.port}"
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return NetError("dns", f"host {target.host!r} has no address: check its name")
    if isinstance(error, aiohttp.ClientConnectorCertificateError | aiohttp.ClientSSLError | ssl.SSLError):
        return NetError("tls", f"no trusted connection to {where}: its certificate or TLS version was refused")
    if isinstance(error, aiohttp.ConnectionTimeoutError):
        return NetError("connect", f"no connection to {where} in time: is it running and reachable?")
    if isinstance(error, TimeoutError):
        return NetError("timeout", f"{where} did not answer in time")
    if isinstance(error, aiohttp.ClientConnectorError):
        return NetError("connect", f"no connection to {where}: {error.os_error.strerror or 'refused'}")
    if isinstance(
        error, aiohttp.ServerDisconnectedError | aiohttp.ClientPayloadError | aiohttp.ClientOSError | OSError
    ):
        return NetError("closed", f"{where} closed the connection before the answer was complete")
    return NetError("protocol", f"{where} did not answer with valid HTTP")
