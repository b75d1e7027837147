"""The outbound door: what comes back, what is bounded, what is sent again."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from famulus.net.client import NetClient, NetLimits
from famulus.net.errors import NetError
from famulus.net.policy import EgressPolicy

POLICY = EgressPolicy(allow_private_hosts=frozenset({"127.0.0.1"}))
CERTIFICATE = Path(__file__).parents[2] / "attack" / "certificate.pem"
Answer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def raw_server(answer: Answer, context: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tasks.add(asyncio.current_task())  # pyright: ignore
        try:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                await answer(reader, writer)
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()
        finally:
            writer.transport.abort()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0.01)  # aborted transports close in the loop's next turns


def always(data: bytes) -> Answer:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(data)
        await writer.drain()

    return answer


async def fetch(port: int, **limits: float) -> bytes:
    client = NetClient(POLICY)
    try:
        answer = await client.request("web", "GET", f"http://127.0.0.1:{port}/", limits=NetLimits(**limits))  # pyright: ignore
        return answer.body
    finally:
        await client.aclose()


async def failed(port: int, **limits: float) -> str:
    with pytest.raises(NetError) as caught:
        await fetch(port, **limits)
    return caught.value.kind


def response(body: bytes, *headers: str) -> bytes:
    head = ["HTTP/1.1 200 OK", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


async def test_a_gzip_answer_comes_unpacked() -> None:
    async with raw_server(always(response(gzip.compress(b"hello"), "Content-Encoding: gzip"))) as port:
        assert await fetch(port) == b"hello"


async def test_a_compressed_bomb_stops_at_the_limit() -> None:
    bomb = gzip.compress(bytes(50_000_000))
    async with raw_server(always(response(bomb, "Content-Encoding: gzip"))) as port:
        assert await failed(port, size_bytes=1_000_000) == "too_large"


async def test_a_large_answer_stops_at_the_limit() -> None:
    async with raw_server(always(response(bytes(200_000)))) as port:
        assert await failed(port, size_bytes=100_000) == "too_large"


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (response(b"x", "Content-Encoding: br"), "encoding"),
        (response(b"no gzip", "Content-Encoding: gzip"), "encoding"),
        (response(gzip.compress(b"hello", mtime=0)[:-9], "Content-Encoding: gzip"), "closed"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nshort", "closed"),
        (b"", "closed"),
        (b"SSH-2.0-OpenSSH\r\n\r\n", "protocol"),
    ],
)
async def test_a_broken_answer_has_its_kind(answer: bytes, kind: str) -> None:
    async with raw_server(always(answer)) as port:
        assert await failed(port) == kind


async def test_a_silent_server_is_a_timeout() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    async with raw_server(silent) as port:
        assert await failed(port, silence_s=0.05) == "timeout"


async def test_a_closed_port_is_a_connect_error() -> None:
    async with raw_server(always(b"")) as port:
        pass
    assert await failed(port) == "connect"


async def test_an_unknown_name_is_a_dns_error() -> None:
    async def lookup(host: str, port: int) -> list[str]:
        raise OSError("no such name")

    client = NetClient(EgressPolicy(), lookup=lookup)
    with pytest.raises(NetError) as caught:
        await client.request("web", "GET", "http://unknown.example/")
    await client.aclose()
    assert caught.value.kind == "dns"


class Stale:
    """Answers the first request of each connection and closes at the second, before any byte."""

    def __init__(self) -> None:
        self.requests = 0

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        self.requests += 1
        writer.write(response(b"ok"))
        await writer.drain()
        await reader.readuntil(b"\r\n\r\n")
        self.requests += 1


async def test_a_kept_connection_that_was_closed_is_replaced_once() -> None:
    stale = Stale()
    async with raw_server(stale) as port:
        client = NetClient(POLICY)
        for _ in range(2):
            answer = await client.request("web", "POST", f"http://127.0.0.1:{port}/", body=b"")
            assert answer.body == b"ok"
        await client.aclose()
    assert stale.requests == 3


async def test_a_request_with_effects_is_not_sent_again() -> None:
    stale = Stale()
    async with raw_server(stale) as port:
        client = NetClient(POLICY)
        await client.request("tool", "POST", f"http://127.0.0.1:{port}/", body=b"")
        with pytest.raises(NetError):
            await client.request("tool", "POST", f"http://127.0.0.1:{port}/", body=b"", limits=NetLimits(resend=False))
        await client.aclose()
    assert stale.requests == 2


async def test_a_stream_that_is_left_early_closes_its_connection() -> None:
    gone = asyncio.Event()

    async def endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
        await reader.read()
        gone.set()

    async with raw_server(endless) as port:
        client = NetClient(POLICY)
        async with client.stream("web", "GET", f"http://127.0.0.1:{port}/") as answer:
            assert await anext(answer) == b"hello"
        await asyncio.wait_for(gone.wait(), 2)
        await client.aclose()


async def test_tls_checks_the_name_while_the_address_is_pinned() -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE, CERTIFICATE.with_suffix(".key"))

    async def lookup(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    names = frozenset({"service.test", "other.test"})
    async with raw_server(always(response(b"secret")), context) as port:
        client = NetClient(EgressPolicy(allow_private_hosts=names, ca_file=str(CERTIFICATE)), lookup=lookup)
        assert (await client.request("web", "GET", f"https://service.test:{port}/")).body == b"secret"
        with pytest.raises(NetError) as caught:
            await client.request("web", "GET", f"https://other.test:{port}/")
        await client.aclose()
    assert caught.value.kind == "tls"


async def test_many_destinations_keep_few_pools() -> None:
    async def lookup(host: str, port: int) -> list[str]:
        raise OSError

    client = NetClient(EgressPolicy(), lookup=lookup)
    for i in range(80):
        with pytest.raises(NetError):
            await client.request("web", "GET", f"http://host{i}.example/")
    assert len(client.pools) <= 64
    await client.aclose()


async def test_a_slow_drip_ends_at_the_total_time() -> None:
    async def drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        while True:
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.01)

    async with raw_server(drip) as port:
        assert await failed(port, silence_s=5, total_s=0.1) == "timeout"
