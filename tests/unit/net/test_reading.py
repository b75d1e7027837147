"""How a body is read: pieces in quick succession several at a time, none lost, the first one at once."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from famulus.net.client import NetClient, NetLimits
from famulus.net.errors import NetError
from famulus.net.policy import EgressPolicy

HEAD = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
PIECES = 60


@asynccontextmanager
async def server(pieces: int, pause_s: float, end: bytes = b"0\r\n\r\n") -> AsyncIterator[str]:
    """Sends each piece in a write of its own, then the end."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with contextlib.suppress(OSError):
                await reader.readuntil(b"\r\n\r\n")
                writer.write(HEAD)
                for _ in range(pieces):
                    writer.write(b"5\r\npiece\r\n")
                    await writer.drain()
                    await asyncio.sleep(pause_s)
                writer.write(end)
                await writer.drain()
                await reader.read()
        finally:
            writer.transport.abort()
            served.set()

    served = asyncio.Event()
    running = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{running.sockets[0].getsockname()[1]}/"
    finally:
        running.close()
        await served.wait()
        await asyncio.sleep(0)  # an aborted transport closes in the loop's next turn


@asynccontextmanager
async def client() -> AsyncIterator[NetClient]:
    made = NetClient(EgressPolicy(allow_private_hosts=frozenset({"127.0.0.1"})))
    try:
        yield made
    finally:
        await made.aclose()


async def test_pieces_in_quick_succession_are_read_several_at_a_time_and_all_of_them() -> None:
    async with server(PIECES, 0.001) as url, client() as net, net.stream("web", "GET", url) as answer:
        reads = [chunk async for chunk in answer]
    assert b"".join(reads) == b"piece" * PIECES
    assert len(reads) < PIECES / 2


async def test_the_first_pieces_are_given_as_they_come() -> None:
    async with server(PIECES, 0.001) as url, client() as net, net.stream("web", "GET", url) as answer:
        assert await anext(answer) == b"piece"


@pytest.mark.parametrize("pieces", [1, PIECES])
async def test_a_broken_framing_is_told_at_once(pieces: int) -> None:
    async with server(pieces, 0.0005, end=b"no chunk\r\n") as url, client() as net:
        with pytest.raises(NetError) as caught:
            await net.request("web", "GET", url)
    assert caught.value.kind == "closed"


async def test_the_whole_time_ends_also_while_reading_rests() -> None:
    async with server(400, 0.001) as url, client() as net:
        with pytest.raises(NetError) as caught:
            await net.request("web", "GET", url, limits=NetLimits(total_s=0.1))
    assert caught.value.kind == "timeout"


@pytest.mark.parametrize("pieces", [0, 1])
async def test_a_server_that_falls_silent_in_a_body_is_told(pieces: int) -> None:
    async with server(pieces, 0, end=b"") as url, client() as net:
        with pytest.raises(NetError) as caught:
            await net.request("web", "GET", url, limits=NetLimits(silence_s=0.05))
    assert caught.value.kind == "timeout"


async def test_a_reader_that_takes_its_time_is_not_the_servers_silence() -> None:
    limits = NetLimits(silence_s=0.03)
    async with server(2, 0) as url, client() as net, net.stream("web", "GET", url, limits=limits) as answer:
        first = await anext(answer)
        await asyncio.sleep(0.05)
        assert b"".join([first] + [chunk async for chunk in answer]) == b"piecepiece"


async def test_answers_of_every_framing_are_read_one_after_another_from_one_connection() -> None:
    answers = [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none", 200, b"one"),
        (HEAD + b"3\r\ntwo\r\n0\r\n\r\n", 200, b"two"),
        (b"HTTP/1.1 204 No Content\r\n\r\n", 204, b""),
        (b"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nfour", 404, b"four"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 200, b""),
    ]
    connections: list[int] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(1)
        for answer, _, _ in answers:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(answer)
        await reader.read()
        writer.close()

    running = await asyncio.start_server(serve, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{running.sockets[0].getsockname()[1]}/"
    async with client() as net:
        got = [await net.request("web", "GET", url) for _ in answers]
    running.close()
    assert [(one.status, one.body) for one in got] == [(status, body) for _, status, body in answers]
    assert connections == [1]
