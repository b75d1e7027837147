"""What search is to the rest of the product: a query inside a scope gives hits with absolute scores."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from famulus.messages.values import Passage

Mode = Literal["hybrid", "keyword", "vector"]


@dataclass(frozen=True, slots=True)
class Scope:
    """What a search may see: the tenant and exactly these knowledge bases (already checked against the caller's rights).

    Made only by `app/` from a Principal and the run's choice; never from anything that a model or a document said. A key of
    several caches, and a thousand names are not hashed anew for each: `bases` keeps its hash.
    """

    tenant: str
    knowledge_base_ids: tuple[str, ...]
    bases: frozenset[str] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "bases", frozenset(self.knowledge_base_ids))

    def __hash__(self) -> int:
        return hash((self.tenant, self.bases))


@dataclass(frozen=True, slots=True)
class SearchQuery:
    text: str
    k: int = 5
    score_threshold: float = 0.0
    categories: tuple[str, ...] = ()
    mode: Mode = "hybrid"
    media_types: tuple[str, ...] = ()
    created_after: datetime | None = None
    created_before: datetime | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """`passage.score` is absolute in 0..1; the two leg scores likewise, None where that leg did not run or find it."""

    passage: Passage
    keyword_score: float | None
    vector_score: float | None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Best first, at most k. `used_modes` says which legs ran; `notices` why one did not (`vectors_pending`, …)."""

    hits: tuple[Hit, ...]
    used_modes: tuple[str, ...]
    took_ms: float
    cached: bool = False
    notices: tuple[str, ...] = ()


class Embedder(Protocol):
    """Turns texts into float32 rows, L2-normalised, shape (n, dim). `identity` changes when the vectors would."""

    identity: str
    dim: int

    async def embed_queries(self, texts: list[str]) -> NDArray[np.float32]: ...

    async def embed_passages(self, texts: list[str]) -> NDArray[np.float32]: ...
