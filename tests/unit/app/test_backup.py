"""A backup is one whole state; a restore never writes over anything."""

import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path

import pytest

from famulus.app.backup import BackupFailed, read_backup, write_backup
from famulus.auth.accounts import Accounts
from famulus.errors import ConfigError, Invalid
from famulus.store.blobs import blob_store
from famulus.store.database import open_database

TOKEN = "t" * 40


async def test_backup_of_a_running_folder_comes_back_whole(tmp_path: Path) -> None:
    async with await open_database(tmp_path / "data") as database:
        await Accounts(database).ensure_owner(TOKEN)
        name = await blob_store(database, tmp_path / "data" / "blobs").put(b"the file")
        write_backup(tmp_path / "data", tmp_path / "copy.tar.gz")
    read_backup(tmp_path / "copy.tar.gz", tmp_path / "again")
    async with await open_database(tmp_path / "again") as database:
        assert (await Accounts(database).authenticate(TOKEN)).role == "admin"
        assert await blob_store(database, tmp_path / "again" / "blobs").read(name) == b"the file"


def test_restore_refuses_a_folder_that_holds_something(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("mine")
    with pytest.raises(Invalid, match="not empty"):
        read_backup(tmp_path / "copy.tar.gz", tmp_path / "full")


@pytest.mark.parametrize("member", ["../escape", "/absolute", "blobs/../../escape"])
def test_foreign_archive_writes_nothing(tmp_path: Path, member: str) -> None:
    (tmp_path / "x").write_text("x")
    with tarfile.open(tmp_path / "copy.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "x", member)
    with pytest.raises(BackupFailed):
        read_backup(tmp_path / "copy.tar.gz", tmp_path / "new")
    assert list((tmp_path / "new").iterdir()) == []
    assert not (tmp_path / "escape").exists()


def test_folder_without_a_database_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        write_backup(tmp_path, tmp_path / "copy.tar.gz")


@pytest.mark.parametrize(
    "content", [b"", b"hello", b"PK\x03\x04", b"\x1f\x8b\x08\x00" + b"\xff" * 40, b"\xfd7zXZ\x00" + b"\xff" * 40]
)
def test_file_that_is_no_backup_is_told_in_plain_words(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "wrong").write_bytes(content)
    with pytest.raises(BackupFailed) as caught:
        read_backup(tmp_path / "wrong", tmp_path / "new")
    said = str(caught.value)
    assert "not a whole backup of Famulus; give a file" in said
    assert not any(word in said for word in ("gz", "xz", "tar", "header", "method", "\n"))


def test_cut_backup_is_told_in_plain_words(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    with closing(sqlite3.connect(tmp_path / "data" / "famulus.db")) as connection:
        connection.execute("CREATE TABLE a AS SELECT randomblob(200000)")
        connection.commit()
    write_backup(tmp_path / "data", tmp_path / "whole")
    whole = (tmp_path / "whole").read_bytes()
    (tmp_path / "cut").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BackupFailed, match="not a whole backup of Famulus; give"):
        read_backup(tmp_path / "cut", tmp_path / "new")
