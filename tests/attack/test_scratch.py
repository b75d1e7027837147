"""Copies of documents that readers make are gone with their owner, however that ends; those of a living owner stay."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from famulus.knowledge.extract.pool import ExtractionPool
from famulus.knowledge.extract.scratch import Scratch

OWNER = """
import sys, time
from pathlib import Path
from famulus.knowledge.extract.scratch import Scratch
folder = Scratch(Path(sys.argv[1])).folder()
(Path(folder) / "copy.txt").write_text("secret")
print(folder, flush=True)
time.sleep(60)
"""


def folders(parent: Path) -> list[Path]:
    return [entry for entry in parent.rglob("*") if entry.is_dir()]


def started(parent: Path) -> tuple[subprocess.Popen[str], Path]:
    """A process that owns scratch folders, and the one in which it has written."""
    owner = subprocess.Popen([sys.executable, "-c", OWNER, str(parent)], stdout=subprocess.PIPE, text=True)
    assert owner.stdout is not None
    return owner, Path(owner.stdout.readline().strip())


def texts(parent: Path) -> list[Path]:
    return list(parent.rglob("*.txt"))


async def test_what_a_killed_owner_left_is_removed_by_the_next_start(tmp_path: Path) -> None:
    owner, folder = started(tmp_path)
    async with ExtractionPool(1, scratch=tmp_path):
        assert texts(tmp_path) == [folder / "copy.txt"]
    os.kill(owner.pid, signal.SIGKILL)
    owner.communicate()
    async with ExtractionPool(1, scratch=tmp_path):
        assert texts(tmp_path) == []


async def test_an_ended_pool_leaves_nothing(tmp_path: Path) -> None:
    async with ExtractionPool(1, scratch=tmp_path) as pool:
        assert (await pool.extract(b"a,b\n1,2\n", "a.csv")).text
        assert folders(tmp_path) != []
    assert folders(tmp_path) == []


def test_folders_are_private(tmp_path: Path) -> None:
    scratch = Scratch(tmp_path / "tmp")
    try:
        assert [os.stat(at).st_mode & 0o077 for at in (tmp_path / "tmp", scratch.folder())] == [0, 0]
    finally:
        scratch.close()
