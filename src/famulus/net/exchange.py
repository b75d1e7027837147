"""One request and its answer: sent, checked, read within its limits.

It stands on aiohttp's connector and its parser of answers, below aiohttp's session: what a session adds to each request (cookies, redirects,
proxies, tracing, a task that writes) is switched off here anyhow, and costs three times as much as the rest.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import aiohttp
from aiohttp.connector import Connection
from aiohttp.http import HttpProcessingError
from aiohttp.streams import StreamReader
from yarl import URL

from famulus.messages.alarms import Alarm, Alarms
from famulus.net.body import BodyReader
from famulus.net.connector import SENDING, Sending
from famulus.net.errors import NetError, RedirectRefused
from famulus.net.head import Head
from famulus.net.url import Target

REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
# Pieces that come one by one cost mostly the wake-up that each of them causes. After so many in a row, each within half a rest of the one before,
# the socket is left alone for a rest, so that several come in one read. Shorter than the pause in which live text is gathered for its readers.
REST_S: Final = 0.02
_HURRIED_READS: Final = 4
_BROKEN: Final = (aiohttp.ClientError, HttpProcessingError, TimeoutError, OSError)


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


class Pool:
    """The connections to one destination and the number of requests that use them now."""

    def __init__(self, connector: aiohttp.TCPConnector, target: Target, alarms: Alarms) -> None:
        self.connector = connector
        self.alarms = alarms
        self.in_flight = 0
        # What connections are asked for with; it is never sent itself.
        self.destination = aiohttp.ClientRequest("GET", target.url, loop=asyncio.get_running_loop())

    async def aclose(self) -> None:
        await self.connector.close()


class NetStream:
    """An answer whose body is still coming. Entering sends the request; iterating gives the plain body as it arrives, once.

    Leaving closes the connection unless the body was read to its end. A class, for generators would cost as much as the request.
    `headers` are found under any spelling of their names.
    """

    status: int
    headers: Mapping[str, str]
    _connection: Connection
    _content: StreamReader
    _reader: BodyReader
    _ends: float
    _alarm: Alarm
    _closed: asyncio.Future[None]

    def __init__(self, pool: Pool, head: Head, body: bytes | None, limits: NetLimits) -> None:
        self._pool = pool
        self._target = head.target
        self._request = head.request(body)
        self._limits = limits
        self._loop = asyncio.get_running_loop()
        self._hurried = 0

    async def __aenter__(self) -> NetStream:
        self._pool.in_flight += 1
        alarms = self._pool.alarms
        try:
            with alarms.within(self._limits.total_s) as self._alarm:
                self._ends = self._alarm.when
                await self._send()
        except _BROKEN as error:
            self._pool.in_flight -= 1
            raise failure(error, self._target) from error
        except BaseException:
            self._pool.in_flight -= 1
            raise
        self._alarm = alarms.set(self._ends, self._expire)
        self._closed.add_done_callback(self._break_off)
        try:
            refuse_redirect(self.status, self.headers, self._target)
            self._reader = BodyReader(self.headers.get("Content-Encoding", ""), self._limits.size_bytes)
        except BaseException:
            self._leave()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        self._leave()

    def _leave(self) -> None:
        self._pool.in_flight -= 1
        self._pool.alarms.drop(self._alarm)
        self._closed.remove_done_callback(self._break_off)
        if self._content.is_eof() and self._content.exception() is None:
            self._connection.release()
        else:
            # An unread rest must not be drained: closing is what ends the server's work.
            self._connection.close()

    def __aiter__(self) -> NetStream:
        return self

    async def __anext__(self) -> bytes:
        try:
            while chunk := await self._read():
                if plain := self._reader.feed(chunk):
                    return plain
        except _BROKEN as error:
            raise failure(error, self._target) from error
        self._reader.finish()
        raise StopAsyncIteration

    async def finish(self, wait_s: float) -> None:
        """Waits that long for the end of a body of which everything of use has been read: only then is its connection kept."""
        if self._content.at_eof():
            return
        try:
            with self._pool.alarms.within(wait_s):
                while await self._content.readany():
                    pass
        except _BROKEN:
            return

    # ── sending ──

    async def _send(self) -> None:
        for last in (False, True):
            sending = Sending()
            SENDING.set(sending)
            try:
                await self._exchange_heads()
            except (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError):
                # Only a kept connection may be stale; a fresh one that dies has done so over this very request.
                if last or sending.connected or not self._limits.resend:
                    raise
            else:
                return

    async def _exchange_heads(self) -> None:
        limits, pool = self._limits, self._pool
        timeout = _connecting(limits.connect_s)
        try:
            connection = await pool.connector.connect(pool.destination, [], timeout)
        except TimeoutError as error:
            raise aiohttp.ConnectionTimeoutError(self._target.host) from error
        try:
            protocol, transport = connection.protocol, connection.transport
            if protocol is None or transport is None or (closed := protocol.closed) is None:
                raise aiohttp.ServerDisconnectedError
            if SENDING.get().connected:
                closed.add_done_callback(_heard)
                # One parser for all answers of a connection: they follow one another, and are read alike.
                protocol.set_response_params(read_until_eof=True, auto_decompress=False)
            transport.write(self._request)
            self._listen()
            message, content = await protocol.read()
            while message.code < 200:
                if message.upgrade or message.code == 101:
                    raise HttpProcessingError(code=message.code, message="no other protocol was asked for")
                self._listen()
                message, content = await protocol.read()
        except BaseException:
            connection.close()
            raise
        self.status, self.headers = message.code, message.headers
        self._connection, self._content, self._closed = connection, content, closed

    # ── reading ──

    async def _read(self) -> bytes:
        """What has come, as soon as anything has; while pieces come in quick succession, a rest's worth of them. Empty at the end."""
        if self._hurried >= _HURRIED_READS:
            await self._rest()
        asked = self._listen()
        chunk = await self._content.readany()
        self._hurried = self._hurried + 1 if self._loop.time() - asked < REST_S / 2 else 0
        # Whoever takes long over what has come is not the server's silence.
        self._alarm.when = self._ends
        return chunk

    def _listen(self) -> float:
        """The time from which on the server may be silent for so long and no longer."""
        now = self._loop.time()
        self._pool.alarms.move(self._alarm, min(self._ends, now + self._limits.silence_s))
        return now

    async def _rest(self) -> None:
        transport = self._connection.transport
        if transport is None or transport.is_closing() or self._content.is_eof():
            return
        transport.pause_reading()
        try:
            await asyncio.sleep(REST_S)
        finally:
            if not transport.is_closing():
                transport.resume_reading()

    def _break_off(self, _: asyncio.Future[None]) -> None:
        """The connection is gone. The parser tells a body that ended too early, but not one whose framing broke: its reader would wait on."""
        if not self._content.is_eof() and self._content.exception() is None:
            self._content.set_exception(aiohttp.ClientPayloadError())

    def _expire(self) -> None:
        """The time is over, or the server was silent too long: whoever reads is told, and the connection is of no further use."""
        error = TimeoutError()
        self._content.set_exception(error)
        if (protocol := self._connection.protocol) is not None:
            protocol.force_close()


@lru_cache(maxsize=16)
def _connecting(within_s: float) -> aiohttp.ClientTimeout:
    return aiohttp.ClientTimeout(sock_connect=within_s)


def _heard(closed: asyncio.Future[None]) -> None:
    """A kept connection may end with an error while nobody uses it; nobody needs to know."""
    if not closed.cancelled():
        closed.exception()


def refuse_redirect(status: int, headers: Mapping[str, str], target: Target) -> None:
    if status not in REDIRECTS:
        return
    location = headers.get("Location", "")
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
