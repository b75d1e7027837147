"""Putting right what a killed process left behind: bytes that nobody names, documents that nobody will read. A job at each start."""

from __future__ import annotations

import asyncio
import shutil
import time
from pathlib import Path
from typing import Final

import sqlalchemy as sa

from famulus.events.artifacts import referenced_blobs as artifact_blobs
from famulus.jobs.queue import JobQueue
from famulus.knowledge.documents import referenced_blobs
from famulus.knowledge.ingest import READ_JOB, Ingest
from famulus.store.blobs import BlobStore
from famulus.store.database import Database

UPKEEP_JOB: Final = "store.upkeep"
# The folder in the data folder where uploads arrive, each in a folder of its own.
UPLOADS: Final = "uploads"
# Where other processes share the store: an upload of theirs may still be without its row, a dead one's lease not over yet.
_OTHERS_S: Final = 3_600.0
_AFTER_LEASES_S: Final = 30.0
_DONE_JOBS_KEPT_S: Final = 7 * 86_400.0


class Upkeep:
    def __init__(self, database: Database, blobs: BlobStore, queue: JobQueue, ingest: Ingest, data: Path) -> None:
        self._database = database
        self._blobs = blobs
        self._queue = queue
        self._ingest = ingest
        self._uploads = data / UPLOADS
        self._began = time.monotonic()

    async def book(self) -> None:
        """Books the job; at once where this process is the only one."""
        delay_s = 0.0 if self._database.exclusive else _AFTER_LEASES_S
        await self._queue.enqueue("", UPKEEP_JOB, "all", {}, delay_s=delay_s)

    async def run(self) -> None:
        """The job `store.upkeep`. Takes nothing away that was put in since this process began."""
        await self._database.write(self._fail_abandoned)
        keep = await self._database.read(lambda c: referenced_blobs(c) | artifact_blobs(c))
        age_s = time.monotonic() - self._began + (0.0 if self._database.exclusive else _OTHERS_S)
        await self._blobs.sweep(keep, older_than_s=age_s)
        await asyncio.to_thread(_remove_older, self._uploads, age_s)
        await self._queue.forget_finished(_DONE_JOBS_KEPT_S)

    def _fail_abandoned(self, connection: sa.Connection) -> int:
        return self._ingest.fail_abandoned(connection, self._queue.open_in(connection, READ_JOB))


def _remove_older(folder: Path, age_s: float) -> None:
    """Removes what is in the folder and was last changed longer ago than `age_s`."""
    before = time.time() - age_s
    for path in folder.iterdir() if folder.is_dir() else ():
        if path.stat().st_mtime < before:
            shutil.rmtree(path, ignore_errors=True)
