"""Content-addressed blobs: a file's bytes under their SHA-256, in the data folder or in the database. The same bytes are kept once.

A blob carries no owner. Whoever refers to one (a document, an artifact) decides when it goes; `sweep` removes what nobody names.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import tempfile
import time
from collections.abc import AsyncIterable, AsyncIterator, Collection, Iterable
from pathlib import Path
from typing import BinaryIO, Final, Protocol

import sqlalchemy as sa
from sqlalchemy import Connection

from famulus.errors import Invalid, NotFound, TooLarge
from famulus.store.database import Database
from famulus.store.schema.blobs import blob, blob_part

PART_BYTES: Final = 1024 * 1024
_INSERT: Final = sa.text(
    "INSERT INTO blob (sha256, size, created_us) VALUES (:sha256, :size, :created_us) ON CONFLICT (sha256) DO NOTHING"
)
_SHA256: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)

Content = bytes | BinaryIO | AsyncIterable[bytes]


class BlobStore(Protocol):
    async def put(self, content: Content, *, max_bytes: int | None = None) -> str:
        """Keeps the bytes durably and returns their SHA-256 in hex. Raises `TooLarge` after `max_bytes`; then nothing is kept."""
        ...

    async def read(self, sha256: str) -> bytes:
        """Raises `NotFound`."""
        ...

    def stream(self, sha256: str) -> AsyncIterator[bytes]:
        """The bytes in parts of at most 1 MiB. Raises `NotFound` at the first."""
        ...

    async def size(self, sha256: str) -> int:
        """In bytes. Raises `NotFound`."""
        ...

    async def delete(self, sha256: str) -> None:
        """Does nothing when it is not there."""
        ...

    def hold_in(self, connection: Connection, sha256: str) -> bool:
        """Inside a write: keeps others from removing the blob until the commit; False when it is not there (any more)."""
        ...

    def remove_in(self, connection: Connection, sha256: str) -> None:
        """Inside a write, after `hold_in` and a look at who still refers to it: takes the blob away for good."""
        ...

    async def sweep(self, keep: Collection[str], *, older_than_s: float = 3600) -> int:
        """Deletes what is not in `keep`, except blobs put within `older_than_s`: their reference may not be written yet. Returns how many."""
        ...


def blob_store(database: Database, folder: Path | None) -> BlobStore:
    """Files in `folder`, or rows of the database where the servers share no folder (`folder` is None)."""
    return DatabaseBlobs(database) if folder is None else FolderBlobs(folder)


class FolderBlobs:
    """`ab/cdef…` below a folder. A blob appears by rename of a finished, fsynced file: whole or not at all."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._arriving = folder / "arriving"

    async def put(self, content: Content, *, max_bytes: int | None = None) -> str:
        await asyncio.to_thread(self._arriving.mkdir, mode=0o700, parents=True, exist_ok=True)
        descriptor, name = await asyncio.to_thread(tempfile.mkstemp, dir=self._arriving)
        arriving = Path(name)
        try:
            digest = hashlib.sha256()
            with os.fdopen(descriptor, "wb") as file:
                async for part in _parts(content, max_bytes):
                    digest.update(part)
                    await asyncio.to_thread(file.write, part)
                await asyncio.to_thread(_flush, file)
            await asyncio.to_thread(self._place, arriving, digest.hexdigest())
        finally:
            await asyncio.to_thread(arriving.unlink, missing_ok=True)
        return digest.hexdigest()

    async def read(self, sha256: str) -> bytes:
        path = self._path(sha256)
        try:
            return await asyncio.to_thread(path.read_bytes)
        except FileNotFoundError:
            raise _missing(sha256) from None

    async def stream(self, sha256: str) -> AsyncIterator[bytes]:
        path = self._path(sha256)
        try:
            file = await asyncio.to_thread(path.open, "rb")
        except FileNotFoundError:
            raise _missing(sha256) from None
        with file:
            while part := await asyncio.to_thread(file.read, PART_BYTES):
                yield part

    async def size(self, sha256: str) -> int:
        try:
            return (await asyncio.to_thread(self._path(sha256).stat)).st_size
        except FileNotFoundError:
            raise _missing(sha256) from None

    async def delete(self, sha256: str) -> None:
        await asyncio.to_thread(self._path(sha256).unlink, missing_ok=True)

    def hold_in(self, connection: Connection, sha256: str) -> bool:
        return self._path(sha256).exists()  # a folder belongs to one process, whose writes run one after another

    def remove_in(self, connection: Connection, sha256: str) -> None:
        self._path(sha256).unlink(missing_ok=True)

    async def sweep(self, keep: Collection[str], *, older_than_s: float = 3600) -> int:
        return await asyncio.to_thread(self._sweep, frozenset(keep), time.time() - older_than_s)

    def path(self, sha256: str) -> Path:
        """The file itself, for a reader process. Raises `NotFound`."""
        path = self._path(sha256)
        if not path.exists():
            raise _missing(sha256)
        return path

    def _path(self, sha256: str) -> Path:
        name = _checked(sha256)
        return self._folder / name[:2] / name

    def _place(self, arriving: Path, sha256: str) -> None:
        target = self._path(sha256)
        if target.exists():
            os.utime(target)  # so that a sweep does not take it for an old orphan
            return
        target.parent.mkdir(mode=0o700, exist_ok=True)
        os.replace(arriving, target)
        _flush_folder(target.parent)

    def _sweep(self, keep: frozenset[str], before: float) -> int:
        gone = 0
        for path in (path for path in self._folder.glob("*/*") if path.is_file()):
            if path.name not in keep and path.stat().st_mtime < before:
                path.unlink(missing_ok=True)
                gone += 1
        return gone


class DatabaseBlobs:
    """Parts of 1 MiB in rows. Slower than files, but every server of the database sees them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, content: Content, *, max_bytes: int | None = None) -> str:
        # Collected in a temporary file first: the hash is the key, and it is known at the end only.
        with tempfile.TemporaryFile() as file:
            digest, size = hashlib.sha256(), 0
            async for part in _parts(content, max_bytes):
                digest.update(part)
                size += len(part)
                await asyncio.to_thread(file.write, part)
            name = digest.hexdigest()
            await self._database.write(lambda connection: _insert_blob(connection, name, size, file), idempotent=True)
        return name

    async def read(self, sha256: str) -> bytes:
        return b"".join([part async for part in self.stream(sha256)])

    async def stream(self, sha256: str) -> AsyncIterator[bytes]:
        await self.size(sha256)
        ord = 0
        while (part := await self._database.read(lambda c, ord=ord: _part(c, sha256, ord))) is not None:
            yield part
            ord += 1

    async def size(self, sha256: str) -> int:
        query = sa.select(blob.c.size).where(blob.c.sha256 == _checked(sha256))
        size = await self._database.read(lambda connection: connection.execute(query).scalar())
        if size is None:
            raise _missing(sha256)
        return size

    async def delete(self, sha256: str) -> None:
        _checked(sha256)
        await self._database.write(lambda connection: _delete_blob(connection, sha256), idempotent=True)

    def hold_in(self, connection: Connection, sha256: str) -> bool:
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(sa.func.hashtextextended(sha256, 0))))
        return connection.execute(sa.select(blob.c.sha256).where(blob.c.sha256 == sha256)).first() is not None

    def remove_in(self, connection: Connection, sha256: str) -> None:
        _delete_blob(connection, sha256)

    async def sweep(self, keep: Collection[str], *, older_than_s: float = 3600) -> int:
        before = int((time.time() - older_than_s) * 1_000_000)
        query = sa.select(blob.c.sha256).where(blob.c.created_us < before)
        old = await self._database.read(lambda connection: list(connection.execute(query).scalars()))
        orphans = [name for name in old if name not in set(keep)]
        for name in orphans:
            await self.delete(name)
        return len(orphans)


async def _parts(content: Content, max_bytes: int | None) -> AsyncIterator[bytes]:
    size = 0
    async for part in _raw_parts(content):
        size += len(part)
        if max_bytes is not None and size > max_bytes:
            raise TooLarge(f"the content is larger than the limit of {max_bytes:,} bytes; split it or raise the limit")
        yield part


async def _raw_parts(content: Content) -> AsyncIterator[bytes]:
    if isinstance(content, bytes):
        yield content
    elif isinstance(content, AsyncIterable):
        async for part in content:
            yield part
    else:
        while part := await asyncio.to_thread(content.read, PART_BYTES):
            yield part


def _insert_blob(connection: Connection, sha256: str, size: int, file: BinaryIO) -> None:
    values = {"sha256": sha256, "size": size, "created_us": int(time.time() * 1_000_000)}
    # Of two that bring the same bytes at once, the second waits for the first and finds them there.
    if not connection.execute(_INSERT, values).rowcount:
        connection.execute(sa.update(blob).where(blob.c.sha256 == sha256).values(created_us=values["created_us"]))
        return
    file.seek(0)
    for ord, part in enumerate(_file_parts(file)):
        connection.execute(sa.insert(blob_part).values(sha256=sha256, ord=ord, data=part))


def _file_parts(file: BinaryIO) -> Iterable[bytes]:
    while part := file.read(PART_BYTES):
        yield part


def _part(connection: Connection, sha256: str, ord: int) -> bytes | None:
    query = sa.select(blob_part.c.data).where(blob_part.c.sha256 == sha256, blob_part.c.ord == ord)
    return connection.execute(query).scalar()


def _delete_blob(connection: Connection, sha256: str) -> None:
    connection.execute(sa.delete(blob_part).where(blob_part.c.sha256 == sha256))
    connection.execute(sa.delete(blob).where(blob.c.sha256 == sha256))


def _checked(sha256: str) -> str:
    """Names come from the database, but a path is made of them: nothing but 64 hex digits passes."""
    if not _SHA256.fullmatch(sha256):
        raise Invalid(f"{sha256[:80]!r} is no SHA-256 in lower-case hex")
    return sha256


def _missing(sha256: str) -> NotFound:
    return NotFound(f"there is no blob {sha256!r}")


def _flush(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


def _flush_folder(path: Path) -> None:
    """Makes the rename itself durable; Windows has no such call and needs none."""
    if os.name == "nt":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
