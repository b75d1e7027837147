"""Blobs as files and as rows."""

from __future__ import annotations

import asyncio
import hashlib
import io
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from famulus.errors import Invalid, NotFound, TooLarge
from famulus.store.blobs import BlobStore, DatabaseBlobs, FolderBlobs
from famulus.store.database import Database

BIG = bytes(range(256)) * 10_000


@pytest.fixture(params=["files", "rows"])
def blobs(request: pytest.FixtureRequest, tmp_path: Path, database: Database) -> BlobStore:
    return FolderBlobs(tmp_path / "blobs") if request.param == "files" else DatabaseBlobs(database)


async def parts() -> AsyncIterator[bytes]:
    for start in range(0, len(BIG), 100_000):
        yield BIG[start : start + 100_000]


async def test_same_bytes_have_one_name_however_they_come(blobs: BlobStore):
    names = {await blobs.put(BIG), await blobs.put(io.BytesIO(BIG)), await blobs.put(parts())}
    assert names == {hashlib.sha256(BIG).hexdigest()}
    (name,) = names
    assert (await blobs.read(name), await blobs.size(name)) == (BIG, len(BIG))
    assert b"".join([part async for part in blobs.stream(name)]) == BIG


async def test_same_bytes_put_at_once_are_kept_once(blobs: BlobStore):
    for number in range(5):
        content = bytes([number]) * 5_000
        names = await asyncio.gather(*(blobs.put(content) for _ in range(8)))
        assert len(set(names)) == 1
        assert await blobs.read(names[0]) == content


async def test_empty_blob_is_a_blob(blobs: BlobStore):
    assert await blobs.read(await blobs.put(b"")) == b""


async def test_too_large_content_leaves_nothing(blobs: BlobStore, tmp_path: Path):
    with pytest.raises(TooLarge, match="1,000,000"):
        await blobs.put(parts(), max_bytes=1_000_000)
    with pytest.raises(NotFound):
        await blobs.read(hashlib.sha256(BIG).hexdigest())
    assert [path for path in (tmp_path / "blobs").rglob("*") if path.is_file()] == []


async def test_deleted_blob_is_gone_and_may_be_deleted_again(blobs: BlobStore):
    name = await blobs.put(b"x")
    await blobs.delete(name)
    await blobs.delete(name)
    for call in (blobs.read(name), blobs.size(name)):
        with pytest.raises(NotFound):
            await call


async def test_sweep_removes_old_orphans_only(blobs: BlobStore):
    kept, orphan = await blobs.put(b"kept"), await blobs.put(b"orphan")
    assert await blobs.sweep({kept}) == 0
    assert await blobs.sweep({kept}, older_than_s=-5) == 1
    assert await blobs.read(kept) == b"kept"
    with pytest.raises(NotFound):
        await blobs.read(orphan)


@pytest.mark.parametrize("name", ["../famulus.db", "AB" * 32, "", "ab/" + "c" * 61, "a" * 63 + "\n"])
async def test_names_that_are_no_hash_are_refused(blobs: BlobStore, name: str):
    for call in (blobs.read(name), blobs.delete(name), blobs.size(name)):
        with pytest.raises(Invalid):
            await call
