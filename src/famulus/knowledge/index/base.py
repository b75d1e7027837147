"""What an index is: chunks go in and out inside the caller's transaction; a scoped query gives row numbers with scores.

An index never returns text. Scope and filters are part of every search, so a row that the caller may not see is neither
counted, nor scored, nor returned. `connection` is always the caller's SQLAlchemy connection: an index commits nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from famulus.knowledge.base import Scope
from famulus.knowledge.index.hits import KeywordHits, Lookup, VectorHits
from famulus.text.query import AnalysedQuery

if TYPE_CHECKING:
    from famulus.knowledge.index.prepared import Prepared


@dataclass(frozen=True, slots=True)
class IndexedChunk:
    """A chunk as the indexes take it. `number` is the dense row id (0 < number < 2**32), never used twice."""

    number: int
    chunk_id: str
    tenant: str
    knowledge_base_id: str
    document_id: str | None
    title: str
    context: str
    text: str
    category: str | None = None
    media_type: str | None = None
    created_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Filters:
    """Narrows a search to chunks whose value is one of those named; empty means no condition. Dates are inclusive."""

    categories: tuple[str, ...] = ()
    media_types: tuple[str, ...] = ()
    created_after: datetime | None = None
    created_before: datetime | None = None

    @property
    def any(self) -> bool:
        return bool(self.categories or self.media_types or self.created_after or self.created_before)


NO_FILTERS = Filters()


class KeywordMatch(Protocol):
    """A query against the chunks of a scope. Needs no connection any more."""

    def top(self, k: int) -> KeywordHits:
        """Up to `k` hits, exact ones first, then by score, then by number."""
        ...

    def by_number(self) -> Lookup:
        """What looks chunks up: made at the cost of all that match, so that each look-up afterwards costs next to nothing."""
        ...


class KeywordIndex(Protocol):
    """Finds chunks by their words. Statistics (how rare is a word?) come from the scope alone."""

    def add(self, connection: Connection, chunks: Sequence[IndexedChunk]) -> None: ...

    def stage(self, connection: Connection, tenant: str, name: str, segment: Prepared) -> None:
        """Stores a segment that no search finds before `reveal` of the same name. For what is too large for one transaction."""
        ...

    def stage_words(self, connection: Connection, tenant: str, keys: Sequence[str]) -> None:
        """Adds keys of staged segments to what the index knows of words; any number of them at a time, after `stage`."""
        ...

    def reveal(self, connection: Connection, tenant: str, name: str) -> int:
        """Makes all that was staged under the name found, at once; how many chunks."""
        ...

    def discard(self, connection: Connection, tenant: str, beginning: str) -> None:
        """Takes away all that is staged under names that begin so."""
        ...

    def remove(self, connection: Connection, tenant: str, numbers: Sequence[int]) -> None:
        """Afterwards no search finds them; unknown numbers are ignored."""
        ...

    def match(
        self, connection: Connection, scope: Scope, query: AnalysedQuery, filters: Filters = NO_FILTERS
    ) -> KeywordMatch:
        """What the scope's chunks are worth for the query."""
        ...

    def count(self, connection: Connection, scope: Scope) -> int:
        """Number of chunks in the scope."""
        ...

    def version(self, connection: Connection, tenant: str) -> str:
        """Changes whenever a search of the tenant could give something else."""
        ...


class VectorMatch(Protocol):
    """The vectors of a scope, ready for a question's vector."""

    def top(self, connection: Connection, vector: NDArray[np.float32], k: int) -> VectorHits:
        """Up to `k` hits, best first, then by number; behind them, those others that the match was asked to hold as well."""
        ...


class VectorIndex(Protocol):
    """Finds chunks by their vectors. `model` is the embedder's identity; vectors of two models never meet."""

    def add(
        self, connection: Connection, model: str, chunks: Sequence[IndexedChunk], vectors: NDArray[np.float32]
    ) -> None:
        """`vectors` are L2-normalised rows, one for each chunk in order; all chunks belong to one tenant."""
        ...

    def remove(self, connection: Connection, tenant: str, numbers: Sequence[int]) -> None:
        """Afterwards no search finds them, under any model; unknown numbers are ignored."""
        ...

    def match(
        self,
        connection: Connection,
        scope: Scope,
        model: str,
        filters: Filters = NO_FILTERS,
        also: Sequence[int] | NDArray[np.int64] = (),
    ) -> VectorMatch:
        """The scope's vectors; of the chunks in `also`, those that are visible and have a vector are among the hits of any vector."""
        ...

    def version(self, connection: Connection, tenant: str, model: str) -> str:
        """Changes whenever a search of the tenant could give something else."""
        ...

    def count(self, connection: Connection, scope: Scope, model: str) -> int:
        """Number of chunks in the scope that have a vector of this model."""
        ...
