"""Where the readers of documents may write: one private folder for each, all gone with the process that owns them.

A process that is killed removes nothing, so the next one does: each owner holds a lock on its part, which the kernel takes away
however it ends, and a part that nobody holds is removed. Documents lie in clear there while they are read.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Generator
from pathlib import Path

_PART = "extract-"
_LOCK = "lock"


class Scratch:
    """One owner's part of `parent`; without a parent, of a folder of its own among the system's temporary files."""

    def __init__(self, parent: Path | None) -> None:
        self._own = parent is None
        self._parent = Path(tempfile.mkdtemp(prefix="famulus-extract-")) if parent is None else parent
        self._parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Nobody looks for parts without an owner between the making of ours and its lock.
        with _held(self._parent / f"{_PART}{_LOCK}"):
            _remove_left(self._parent)
            self._part = Path(tempfile.mkdtemp(prefix=_PART, dir=self._parent))
            self._lock = _open(self._part / _LOCK)
            fcntl.flock(self._lock, fcntl.LOCK_EX)

    def folder(self) -> str:
        """A new empty folder, removed by who asked for it, at the latest by `close`."""
        return tempfile.mkdtemp(dir=self._part)

    def close(self) -> None:
        shutil.rmtree(self._parent if self._own else self._part, ignore_errors=True)
        os.close(self._lock)


def _remove_left(parent: Path) -> None:
    for part in parent.glob(f"{_PART}*"):
        if part.is_dir() and not _has_owner(part / _LOCK):
            shutil.rmtree(part, ignore_errors=True)


def _has_owner(lock: Path) -> bool:
    try:
        descriptor = _open(lock)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


@contextlib.contextmanager
def _held(lock: Path) -> Generator[None]:
    descriptor = _open(lock)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
