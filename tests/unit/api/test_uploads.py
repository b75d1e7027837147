"""Multipart bodies by stream: whole files, limits, names that are labels only."""

from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.datastructures import Headers
from starlette.types import Message, Receive

from famulus.api.uploads import Received, Uploads
from famulus.config import LimitSettings
from famulus.errors import Invalid, TooLarge

HEADERS = Headers({"content-type": "multipart/form-data; boundary=XX"})


def body_of(*parts: tuple[str, bytes]) -> bytes:
    written = [
        b"--XX\r\nContent-Disposition: form-data; " + head.encode() + b"\r\n\r\n" + data + b"\r\n"
        for head, data in parts
    ]
    return b"".join(written) + b"--XX--\r\n"


def receiver(body: bytes, step: int = 7) -> Receive:
    pieces = [body[start : start + step] for start in range(0, len(body), step)] or [b""]

    async def receive() -> Message:
        return {"type": "http.request", "body": pieces.pop(0), "more_body": bool(pieces)}

    return receive


async def take(folder: Path, body: bytes, limits: LimitSettings, look: Callable[[Received], object]) -> object:
    async with Uploads(folder, limits).receive(HEADERS, receiver(body)) as received:
        return look(received)


async def test_parts_arrive_whole_and_are_gone_afterwards(tmp_path: Path) -> None:
    body = body_of(
        ('name="file"; filename="a.txt"', b"one\r\n--X"),
        ('name="path"', b"docs/a.txt"),
        ('name="file"; filename="b"', b""),
    )
    seen = await take(
        tmp_path / "up",
        body,
        LimitSettings(),
        lambda r: ([(f.name, f.path.read_bytes(), f.size) for f in r.files], r.values),
    )
    assert seen == ([("a.txt", b"one\r\n--X", 8), ("b", b"", 0)], {"path": ["docs/a.txt"]})
    assert list((tmp_path / "up").iterdir()) == []


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ('name="file"; filename="K%22u.pdf"', 'K"u.pdf'),
        ('name="file"; filename="Kündigung.pdf"', "Kündigung.pdf"),
        ('name="file"; filename="x"; filename*=UTF-8\'\'K%C3%BCndigung.pdf', "Kündigung.pdf"),
        ('name="file"; filename="../../etc/passwd"', "../../etc/passwd"),
        ('name="file"; filename="a\\"b;c.txt"', 'a"b;c.txt'),
    ],
)
async def test_names_are_read_as_browsers_write_them(tmp_path: Path, head: str, name: str) -> None:
    places = await take(
        tmp_path / "up",
        body_of((head, b"x")),
        LimitSettings(),
        lambda r: [(f.name, f.path.parent.parent) for f in r.files],
    )
    assert places == [(name, tmp_path / "up")]


@pytest.mark.parametrize("limits", [LimitSettings(upload_bytes=3), LimitSettings(upload_files=1)])
async def test_limits_hold_while_the_body_comes(tmp_path: Path, limits: LimitSettings) -> None:
    body = body_of(('name="file"; filename="a"', b"four"), ('name="file"; filename="b"', b"four"))
    with pytest.raises(TooLarge):
        await take(tmp_path / "up", body, limits, lambda r: r)
    assert list((tmp_path / "up").iterdir()) == []


async def test_a_file_that_is_too_large_is_refused_alone(tmp_path: Path) -> None:
    body = body_of(
        ('name="file"; filename="a"', b"one"),
        ('name="file"; filename="big"', b"four"),
        ('name="file"; filename="c"', b"two"),
    )
    taken = await take(
        tmp_path / "up",
        body,
        LimitSettings(upload_bytes=3),
        lambda r: [(f.name, f.path.read_bytes(), f.refused) for f in r.files],
    )
    assert [(name, content) for name, content, _ in taken] == [("a", b"one"), ("big", b""), ("c", b"two")]
    assert "'big' is larger than the limit of 3 bytes" in str(taken[1][2])


@pytest.mark.parametrize(
    "body",
    [
        body_of(('name="file"; filename="a"', b"cut"))[:-8],
        body_of(('name="surprise"', b"x")),
        b"no multipart at all",
        body_of(('name="path"', b"x" * 20_000)),
    ],
)
async def test_malformed_bodies_are_refused(tmp_path: Path, body: bytes) -> None:
    with pytest.raises((Invalid, TooLarge)):
        await take(tmp_path / "up", body, LimitSettings(), lambda r: r)
