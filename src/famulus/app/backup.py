"""A data folder in one file, and back. The copy is one state of the database, whatever a server does meanwhile.

Secrets of providers are not in it: they are in the environment or in files that the settings name.
"""

from __future__ import annotations

import errno
import lzma
import os
import shutil
import sqlite3
import tarfile
import tempfile
import zlib
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from famulus.errors import ConfigError, FamulusError, Invalid
from famulus.store.folder import LOCK, MARKER

DATABASE: Final = "famulus.db"
BLOBS: Final = "blobs"
# Everything else in the folder can be made again, or belongs to the machine (locks, uploads under way, caches).
_FILES: Final = (MARKER, "famulus.toml")


class BackupFailed(FamulusError):
    """A backup could not be written, or the file is not a whole one."""

    code = "backup_failed"


def write_backup(folder: Path, target: Path) -> int:
    """Writes the folder into `target`, whole or not at all; returns its size in bytes. Raises ConfigError, Invalid, BackupFailed."""
    if not (folder / DATABASE).exists():
        raise ConfigError(
            f"{str(folder)!r} holds no embedded database; a PostgreSQL server has its own tools (pg_dump)"
        )
    if target.exists():
        raise Invalid(f"{str(target)!r} exists already; choose another name")
    arriving = target.with_name(f".{target.name}.part")
    try:
        with tempfile.TemporaryDirectory(prefix="famulus-backup-", dir=target.resolve().parent) as scratch:
            copy = Path(scratch) / DATABASE
            _copy_database(folder / DATABASE, copy)
            _write(folder, copy, arriving)
        os.replace(arriving, target)
    except OSError as error:
        raise BackupFailed(
            f"cannot write {str(target)!r}: {error.strerror or error}; choose a folder that is there, with enough room, that you may write"
        ) from error
    finally:
        arriving.unlink(missing_ok=True)
    return target.stat().st_size


def read_backup(source: Path, folder: Path) -> None:
    """Makes the data folder from a backup. Raises Invalid for a folder that holds something, BackupFailed for a foreign file."""
    if folder.exists() and any(entry.name != LOCK for entry in folder.iterdir()):
        raise Invalid(f"the folder {str(folder)!r} is not empty; restore into a new one with --data")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _arriving(folder) as scratch:
        _unpack(source, scratch)
        for entry in sorted(scratch.iterdir()):
            shutil.move(entry, folder / entry.name)


def _unpack(source: Path, scratch: Path) -> None:
    try:
        with tarfile.open(source, "r:*") as archive:
            # The filter refuses paths that lead out of the folder, links and devices.
            archive.extractall(scratch, members=_known(archive), filter="data")
        with closing(sqlite3.connect(scratch / DATABASE)) as connection:
            sound = connection.execute("PRAGMA quick_check").fetchone() == ("ok",)
    except PermissionError as error:
        raise BackupFailed(f"{str(source)!r} cannot be read or unpacked: {error.strerror}") from error
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise BackupFailed(f"there is no room to unpack {str(source)!r}; free some and restore again") from error
        raise _not_whole(source) from error
    except (tarfile.TarError, EOFError, zlib.error, lzma.LZMAError, sqlite3.DatabaseError) as error:
        # The words of these errors name what is inside of an archive; the person named a file.
        raise _not_whole(source) from error
    if not sound or not (scratch / MARKER).exists():
        raise _not_whole(source)


def _not_whole(source: Path) -> BackupFailed:
    return BackupFailed(
        f"{str(source)!r} is not a whole backup of Famulus; give a file that a backup wrote, or an earlier copy of it"
    )


def _copy_database(source: Path, copy: Path) -> None:
    with (
        closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as reader,
        closing(sqlite3.connect(copy)) as writer,
    ):
        reader.backup(writer)
        writer.execute("PRAGMA journal_mode=DELETE")


def _write(folder: Path, copy: Path, arriving: Path) -> None:
    descriptor = os.open(arriving, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        with tarfile.open(fileobj=file, mode="w:gz", compresslevel=3) as archive:
            archive.add(copy, DATABASE)
            for name in _FILES:
                if (folder / name).exists():
                    archive.add(folder / name, name)
            for blob in sorted((folder / BLOBS).glob("??/*")):
                archive.add(blob, f"{BLOBS}/{blob.parent.name}/{blob.name}")
        file.flush()
        os.fsync(file.fileno())


def _known(archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    for member in archive:
        if member.isfile() and (member.name in (DATABASE, *_FILES) or member.name.startswith(f"{BLOBS}/")):
            yield member


@contextmanager
def _arriving(folder: Path) -> Generator[Path]:
    scratch = Path(tempfile.mkdtemp(prefix=".restore-", dir=folder))
    try:
        yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
