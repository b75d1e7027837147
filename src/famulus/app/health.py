"""Whether this installation works: the store, the embedder, the models. Quick enough to be asked every few seconds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import sqlalchemy as sa

from famulus import __version__
from famulus.config import Settings
from famulus.errors import FamulusError
from famulus.store.database import Database


@dataclass(frozen=True, slots=True)
class Check:
    status: Literal["ok", "failed", "off"]
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Health:
    status: Literal["ok", "degraded"]
    version: str
    checks: Mapping[str, Check]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at, and what to do about it. `wait`: nothing to do; `warn`: something to do, the rest works."""

    name: str
    status: Literal["ok", "off", "wait", "warn", "failed"]
    detail: str
    next: str | None = None


def parts_of(settings: Settings) -> Mapping[str, Check]:
    """What the settings say of the parts that are not asked."""
    if settings.embedding.model == "off":
        return {"vectors": Check("off", "keyword search only")}
    return {"vectors": Check("ok", settings.embedding.model)}


async def health_of(database: Database, parts: Mapping[str, Check]) -> Health:
    """The store is asked; `parts` is what is known of the others."""
    checks = {"store": await _store(database), **parts}
    status = "degraded" if any(check.status == "failed" for check in checks.values()) else "ok"
    return Health(status, __version__, checks)


async def _store(database: Database) -> Check:
    try:
        await database.read(lambda connection: connection.execute(sa.text("SELECT 1")).scalar())
    except FamulusError as error:
        return Check("failed", str(error))
    return Check("ok", database.dialect)
