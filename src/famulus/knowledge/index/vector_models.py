"""The embedders that a tenant has vectors of: how large their vectors are, and the mean that bit codes are made against."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from famulus.errors import Invalid
from famulus.knowledge.index.segments import new_segment_id
from famulus.knowledge.index.sql import execute, fetch


@dataclass(frozen=True, slots=True)
class ModelShape:
    """`count` vectors were ever added."""

    id: int
    dim: int
    count: int

    @property
    def kind(self) -> str:
        """The kind of the segments that hold its codes."""
        return f"vectors:{self.id}"


@dataclass(frozen=True, slots=True)
class VectorModel(ModelShape):
    """`total` is the sum of the vectors that were ever added."""

    total: NDArray[np.float64]

    @property
    def mean(self) -> NDArray[np.float32]:
        return (self.total / max(1, self.count)).astype(np.float32)


def models(connection: Connection, tenant: str, name: str | None) -> list[VectorModel]:
    """The named model, or all of the tenant's; empty when it has no vectors yet."""
    statement = "SELECT id, dim, count, total FROM vector_model WHERE tenant = ?"
    found = fetch(connection, statement + (" AND model = ?" if name else ""), [tenant, name] if name else [tenant])
    return [
        VectorModel(cast(int, key), cast(int, dim), cast(int, count), np.frombuffer(bytes(cast(bytes, total))))
        for key, dim, count, total in found
    ]


def model_shape(connection: Connection, tenant: str, name: str) -> ModelShape | None:
    """As `models`, without what only a writer must know."""
    found = fetch(connection, "SELECT id, dim, count FROM vector_model WHERE tenant = ? AND model = ?", [tenant, name])
    return ModelShape(*cast("tuple[int, int, int]", found[0])) if found else None


def model_for(connection: Connection, tenant: str, name: str, dim: int) -> VectorModel:
    """The stored model, made on its first vectors. Raises Invalid where its vectors are of another size."""
    known = models(connection, tenant, name)
    if known and known[0].dim != dim:
        raise Invalid(f"vectors of model {name!r} have {known[0].dim} dimensions, not {dim}")
    if known:
        return known[0]
    made = VectorModel(new_segment_id(), dim, 0, np.zeros(dim, np.float64))
    execute(
        connection,
        "INSERT INTO vector_model (tenant, model, id, dim, count, total) VALUES (?, ?, ?, ?, ?, ?)",
        [tenant, name, made.id, made.dim, 0, made.total.tobytes()],
    )
    return made


def counted(connection: Connection, tenant: str, model: VectorModel, vectors: NDArray[np.float32]) -> VectorModel:
    """The model with these vectors in its mean."""
    total: NDArray[np.float64] = np.vstack([model.total, vectors]).sum(axis=0, dtype=np.float64)
    grown = VectorModel(model.id, model.dim, model.count + len(vectors), total)
    execute(
        connection,
        "UPDATE vector_model SET count = ?, total = ? WHERE tenant = ? AND id = ?",
        [grown.count, grown.total.tobytes(), tenant, model.id],
    )
    return grown
