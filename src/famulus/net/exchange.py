"""One request and its answer: sent, checked, read within its limits."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import aiohttp
from yarl import URL

from famulus.net.body import BodyReader
from famulus.net.connector import SENDING, Sending
from famulus.net.errors import NetError, RedirectRefused
from famulus.net.url import Target

REDIRECTS = frozenset({301, 302, 303, 307, 308})


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


@dataclass(slots=True)
class Pool:
    """The connections to one destination and the number of requests that use them now."""

    session: aiohttp.ClientSession
    in_flight: int = 0


class NetStream:
    """An answer whose body is still coming. Entering sends the request; iterating gives the plain body as it arrives, once.

    Leaving closes the connection unless the body was read to its end. A class, for generators would cost as much as the request.
    `headers` are found under any spelling of their names.
    """

    status: int
    headers: Mapping[str, str]
    _response: aiohttp.ClientResponse
    _reader: BodyReader

    def __init__(
        self, pool: Pool, method: str, target: Target, headers: dict[str, str], body: bytes | None, limits: NetLimits
    ) -> None:
        self._pool = pool
        self._target = target
        self._size_bytes = limits.size_bytes
        self._send = partial(send, pool.session, method, target, headers, body, limits)

    async def __aenter__(self) -> NetStream:
        self._pool.in_flight += 1
        try:
            self._response = await self._send()
        except BaseException:
            self._pool.in_flight -= 1
            raise
        self.status, self.headers = self._response.status, self._response.headers
        try:
            refuse_redirect(self._response, self._target)
            self._reader = BodyReader(self.headers.get("Content-Encoding", ""), self._size_bytes)
        except BaseException:
            self._leave()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        self._leave()

    def _leave(self) -> None:
        self._pool.in_flight -= 1
        # An unread rest must not be drained: closing is what ends the server's work.
        self._response.close()

    def __aiter__(self) -> NetStream:
        return self

    async def __anext__(self) -> bytes:
        try:
            while chunk := await self._response.content.readany():
                if plain := self._reader.feed(chunk):
                    return plain
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise failure(error, self._target) from error
        self._reader.finish()
        raise StopAsyncIteration

    async def finish(self, wait_s: float) -> None:
        """Waits that long for the end of a body of which everything of use has been read: only then is its connection kept."""
        content = self._response.content
        if content.at_eof():
            return
        try:
            async with asyncio.timeout(wait_s):
                while await content.readany():
                    pass
        except (aiohttp.ClientError, TimeoutError, OSError):
            return


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
        sending = Sending()
        SENDING.set(sending)
        try:
            return await session.request(
                method, target.url, headers=headers, data=body, timeout=timeout, allow_redirects=False
            )
        except (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError) as error:
            # Only a kept connection may be stale; a fresh one that dies has done so over this very request.
            if last or sending.connected or not limits.resend:
                raise failure(error, target) from error
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise failure(error, target) from error
    raise AssertionError("unreachable")


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
