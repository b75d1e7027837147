"""Full tool results and produced files of runs: small ones in their row, larger ones as blobs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection

from famulus.errors import Invalid, NotFound
from famulus.messages.clock import Clock
from famulus.messages.ids import new_id
from famulus.store.blobs import BlobStore
from famulus.store.columns import to_micros
from famulus.store.database import Database
from famulus.store.schema.runs import run_artifact

INLINE_BYTES: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class Artifact:
    artifact_id: str
    call_id: str
    media_type: str
    content: bytes


class Artifacts:
    def __init__(self, database: Database, clock: Clock, blobs: BlobStore | None) -> None:
        self._database = database
        self._clock = clock
        self._blobs = blobs

    async def put(self, tenant: str, run_id: str, call_id: str, media_type: str, content: bytes) -> str:
        """Keeps `content` for the life of the run; returns its id."""
        artifact_id = new_id()
        row: dict[str, object] = {
            "tenant": tenant,
            "run": run_id,
            "id": artifact_id,
            "call_id": call_id,
            "media_type": media_type,
            "size": len(content),
            "created_us": to_micros(self._clock.now()),
        }
        if self._blobs is not None and len(content) > INLINE_BYTES:
            row["sha256"] = await self._blobs.put(content)
        else:
            row["data"] = content
        await self._database.write(lambda connection: connection.execute(sa.insert(run_artifact).values(row)) and None)
        return artifact_id

    async def read(self, tenant: str, run_id: str, artifact_id: str) -> Artifact:
        """Raises `NotFound`, also for an artifact of another tenant or run."""
        key = (run_artifact.c.tenant == tenant, run_artifact.c.run == run_id, run_artifact.c.id == artifact_id)

        def select(connection: Connection) -> sa.Row[*tuple[Any, ...]] | None:
            return connection.execute(sa.select(run_artifact).where(*key)).one_or_none()

        row = await self._database.read(select)
        if row is None:
            raise NotFound(f"the run {run_id!r} has no artifact {artifact_id!r}")
        if row.data is not None:
            return Artifact(artifact_id, row.call_id, row.media_type, bytes(row.data))
        if self._blobs is None:
            raise Invalid(f"the artifact {artifact_id!r} is a blob, and this process has no blob store")
        return Artifact(artifact_id, row.call_id, row.media_type, await self._blobs.read(row.sha256))


def referenced_blobs(connection: Connection) -> set[str]:
    """The hashes of all blobs that artifacts use, for the sweep of orphans."""
    query = sa.select(run_artifact.c.sha256).where(run_artifact.c.sha256.is_not(None)).distinct()
    return {sha256 for sha256 in connection.execute(query).scalars() if sha256 is not None}


def artifact_uses(connection: Connection, sha256: str) -> bool:
    """Whether an artifact of any run needs these bytes."""
    query = sa.select(sa.literal(1)).where(run_artifact.c.sha256 == sha256).limit(1)
    return connection.execute(query).first() is not None
