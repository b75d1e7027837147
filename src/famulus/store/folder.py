"""The data folder: made private, marked as ours, locked by one process at a time."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Final, cast

from famulus.errors import ConfigError, NeedsUpgrade
from famulus.store.errors import FolderInUse, Unreachable

MARKER: Final = "famulus.json"
LOCK: Final = "famulus.lock"
FORMAT: Final = 1
_EXPECTED: Final = frozenset({LOCK, "famulus.toml", ".DS_Store", "lost+found", "desktop.ini"})


class DataFolder:
    """A folder that this process owns until `close`."""

    def __init__(self, path: Path, lock: int | None) -> None:
        self.path = path
        self._lock = lock

    @property
    def database(self) -> Path:
        return self.path / "famulus.db"

    @property
    def blobs(self) -> Path:
        return self.path / "blobs"

    @property
    def backups(self) -> Path:
        return self.path / "backups"

    def close(self) -> None:
        if self._lock is not None:
            _unlock(self._lock)
            os.close(self._lock)
            self._lock = None


def open_folder(path: Path, *, exclusive: bool = True) -> DataFolder:
    """The data folder at `path`, made when absent or empty.

    `exclusive` locks it against a second process (needed by everything that holds the embedded database).
    Raises `ConfigError` when it is not a folder, is not writable or holds something foreign, `FolderInUse`, and
    `NeedsUpgrade` when a newer version wrote it.
    """
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check_marker(path)
        lock = _acquire(path) if exclusive else None
    except OSError as error:
        raise Unreachable(
            f"cannot use the data folder {str(path)!r}: {error.strerror or error}; choose a folder this user may write"
        ) from error
    try:
        _write_marker(path)
    except OSError as error:
        if lock is not None:
            os.close(lock)
        raise Unreachable(
            f"cannot write to the data folder {str(path)!r}: {error.strerror or error}; check its owner, rights and free space"
        ) from error
    return DataFolder(path, lock)


def announce(path: Path, address: str) -> None:
    """Tells other processes where the holder of the folder's lock answers; forgotten when the next process takes the lock."""
    (path / LOCK).write_text(f"{os.getpid()}\n{address}\n", encoding="utf-8")


def _check_marker(path: Path) -> None:
    marker = path / MARKER
    if marker.exists():
        _check_format(path, marker)
        return
    foreign = sorted(entry.name for entry in path.iterdir() if entry.name not in _EXPECTED)
    if foreign:
        raise ConfigError(
            f"the folder {str(path)!r} is not empty and not a data folder of Famulus (it holds {foreign[0]!r}); "
            "give the path of an existing data folder, or of a new or empty one"
        )


def _check_format(path: Path, marker: Path) -> None:
    try:
        found = cast("dict[str, object]", json.loads(marker.read_text(encoding="utf-8")))
        version = int(str(found["format"]))
    except (ValueError, KeyError, TypeError) as error:
        raise Unreachable(f"the marker file {str(marker)!r} is damaged; restore it from a backup") from error
    if version > FORMAT:
        raise NeedsUpgrade(
            f"the data folder {str(path)!r} has format {version}, this version reads up to {FORMAT}; install a newer Famulus"
        )


def _write_marker(path: Path) -> None:
    marker = path / MARKER
    if not marker.exists():
        fresh = marker.with_suffix(".new")
        fresh.write_text(json.dumps({"product": "famulus", "format": FORMAT}) + "\n", encoding="utf-8")
        os.replace(fresh, marker)
    elif not os.access(path, os.W_OK):
        raise PermissionError(13, "the folder is read-only")


def _acquire(path: Path) -> int:
    """The descriptor that holds the lock. The lock is the kernel's: it ends with the process, however that ends."""
    lock = os.open(path / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    if not _try_lock(lock):
        owner, _, address = os.read(lock, 300).decode(errors="replace").strip().partition("\n")
        os.close(lock)
        where = f", which answers at {address}" if address else ""
        raise FolderInUse(
            f"the data folder {str(path)!r} is in use by another Famulus process (pid {owner or 'unknown'}){where}; "
            "use that one, stop it first, or choose another folder with --data",
            address or None,
        )
    os.ftruncate(lock, 0)
    os.write(lock, f"{os.getpid()}\n".encode())
    return lock


if sys.platform == "win32":
    import msvcrt

    # The locked byte lies far behind the pid, because a locked region cannot be read by others on Windows.
    _AT: Final = 1 << 20

    def _seek_then(lock: int, mode: int) -> None:
        os.lseek(lock, _AT, os.SEEK_SET)
        msvcrt.locking(lock, mode, 1)
        os.lseek(lock, 0, os.SEEK_SET)

    def _try_lock(lock: int) -> bool:
        try:
            _seek_then(lock, msvcrt.LK_NBLCK)
        except OSError:
            os.lseek(lock, 0, os.SEEK_SET)
            return False
        return True

    def _unlock(lock: int) -> None:
        _seek_then(lock, msvcrt.LK_UNLCK)

else:
    import fcntl

    def _try_lock(lock: int) -> bool:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(lock: int) -> None:
        fcntl.flock(lock, fcntl.LOCK_UN)
