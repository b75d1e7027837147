"""Search in a scope: keyword and vector legs, one order, absolute scores. What could not be done is said, never hidden."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from famulus.knowledge.base import Embedder, Hit, Scope, SearchQuery, SearchResult
from famulus.knowledge.index.base import Filters, KeywordHit, KeywordIndex, VectorHit, VectorIndex
from famulus.knowledge.score import Evidence, calibration_of, keyword_score, order_key, score, vector_score
from famulus.messages.values import Passage
from famulus.store.database import Database
from famulus.text.query import MAX_QUERY_CHARACTERS, analyse_query

# Hits that each leg may contribute; the order of the first ten does not change beyond it.
DEPTH = 100
REMEMBERED = 256
# A first question must not wait for a model that is being loaded on a busy machine.
EMBED_TIMEOUT_S = 10.0

LoadPassages = Callable[[Connection, Scope, Sequence[int]], Mapping[int, Passage]]
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class _State:
    """What a scope holds at one moment; `version` changes when any result could."""

    version: str
    chunks: int
    vectors: int


@dataclass(frozen=True, slots=True)
class _Ranking:
    """A result before its passages are loaded: passages may change their place without changing their words."""

    hits: tuple[Evidence, ...]
    modes: tuple[str, ...]
    notices: tuple[str, ...]


class Searcher:
    """Answers `SearchQuery`s. `embedder` None means keywords only; `load_passages` reads chunk rows by number."""

    def __init__(
        self,
        database: Database,
        keyword_index: KeywordIndex,
        vector_index: VectorIndex,
        embedder: Embedder | None,
        load_passages: LoadPassages,
        *,
        embed_timeout_s: float = EMBED_TIMEOUT_S,
    ) -> None:
        self._database = database
        self._keywords = keyword_index
        self._vectors = vector_index
        self._embedder = embedder
        self._load_passages = load_passages
        self._embed_timeout_s = embed_timeout_s
        self._calibration = calibration_of(embedder.identity if embedder else None)
        self._states: _Recent[_State] = _Recent(REMEMBERED)
        self._rankings: _Recent[_Ranking] = _Recent(REMEMBERED)
        self._query_vectors: _Recent[NDArray[np.float32]] = _Recent(REMEMBERED)

    async def search(self, scope: Scope, query: SearchQuery) -> SearchResult:
        """Up to `k` hits above the threshold, best first. Degrades to keywords when vectors cannot be used, and says so."""
        started = time.perf_counter()
        query = replace(query, text=query.text[:MAX_QUERY_CHARACTERS])
        state = await self._database.read(lambda connection: self._state(connection, scope))
        key = (scope, query, state.version)
        ranking = self._rankings.get(key)
        cached = ranking is not None
        if ranking is None:
            vector, notices = await self._vector(query, state)
            ranking = await self._database.read(
                lambda connection: self._rank(connection, scope, query, vector, notices)
            )
            if not set(notices) - {"vectors_pending", "vectors_off"}:
                self._rankings.put(key, ranking)
        hits = await self._hits(scope, ranking)
        took_ms = (time.perf_counter() - started) * 1e3
        return SearchResult(hits, ranking.modes, took_ms, cached, ranking.notices)

    def _state(self, connection: Connection, scope: Scope) -> _State:
        model = self._embedder.identity if self._embedder else None
        version = self._keywords.version(connection, scope.tenant)
        if model is not None:
            version += "|" + self._vectors.version(connection, scope.tenant, model)
        state = self._states.get((scope, version))
        if state is None:
            vectors = self._vectors.count(connection, scope, model) if model is not None else 0
            state = _State(version, self._keywords.count(connection, scope), vectors)
            self._states.put((scope, version), state)
        return state

    async def _vector(self, query: SearchQuery, state: _State) -> tuple[NDArray[np.float32] | None, tuple[str, ...]]:
        """The vector of the question, None where the vector leg cannot run; and what to tell about it."""
        if query.mode == "keyword" or not state.chunks or not query.text.strip():
            return None, ()
        if self._embedder is None:
            return None, ("vectors_off",)
        if not state.vectors:
            return None, ("vectors_pending",)
        pending = ("vectors_pending",) if state.vectors < state.chunks else ()
        known = self._query_vectors.get(query.text)
        if known is not None:
            return known, pending
        try:
            rows = await asyncio.wait_for(self._embedder.embed_queries([query.text]), self._embed_timeout_s)
        except TimeoutError:
            return None, ("vectors_slow",)
        except Exception:
            # Whatever an embedder does (a model server that is down), words still find something.
            return None, ("vectors_failed",)
        self._query_vectors.put(query.text, rows[0])
        return rows[0], pending

    def _rank(
        self,
        connection: Connection,
        scope: Scope,
        query: SearchQuery,
        vector: NDArray[np.float32] | None,
        notices: tuple[str, ...],
    ) -> _Ranking:
        filters = Filters(query.categories, query.media_types, query.created_after, query.created_before)
        depth = max(DEPTH, query.k)
        near: list[VectorHit] = []
        if vector is not None and self._embedder is not None:
            near = self._vectors.search(connection, scope, self._embedder.identity, vector, depth, filters)
        words: list[KeywordHit] = []
        if query.mode != "vector" or vector is None:
            also = [hit.number for hit in near]
            words = self._keywords.search(connection, scope, analyse_query(query.text), depth, filters, also)
        evidence = self._evidence(connection, scope, vector, near, words)
        evidence.sort(key=lambda each: (order_key(each, self._calibration), -each.number), reverse=True)
        good = (each for each in evidence if score(each, self._calibration) >= query.score_threshold)
        hits = tuple(each for each, _ in zip(good, range(max(0, query.k)), strict=False))
        modes = ("keyword",) * (query.mode != "vector" or vector is None) + ("vector",) * (vector is not None)
        return _Ranking(hits, modes, notices)

    def _evidence(
        self,
        connection: Connection,
        scope: Scope,
        vector: NDArray[np.float32] | None,
        near: Sequence[VectorHit],
        words: Sequence[KeywordHit],
    ) -> list[Evidence]:
        """Everything known of every chunk that either leg found."""
        cosines = {hit.number: hit.cosine for hit in near}
        if vector is not None and self._embedder is not None:
            missing = [hit.number for hit in words if hit.number not in cosines]
            cosines |= self._vectors.cosines(connection, scope, self._embedder.identity, vector, missing)
        found = {hit.number: hit for hit in words}
        return [
            Evidence(
                number,
                found[number].coverage if number in found else 0.0,
                cosines.get(number),
                number in found and found[number].exact,
                found.get(number),
            )
            for number in dict.fromkeys([*cosines, *found])
        ]

    async def _hits(self, scope: Scope, ranking: _Ranking) -> tuple[Hit, ...]:
        numbers = [each.number for each in ranking.hits]
        if not numbers:
            return ()
        passages = await self._database.read(lambda connection: self._load_passages(connection, scope, numbers))
        return tuple(self._hit(each, passages[each.number]) for each in ranking.hits if each.number in passages)

    def _hit(self, evidence: Evidence, passage: Passage) -> Hit:
        return Hit(
            replace(passage, score=round(score(evidence, self._calibration), 4)),
            None if evidence.keyword is None else round(keyword_score(evidence.coverage), 4),
            None if evidence.cosine is None else round(vector_score(evidence.cosine, self._calibration), 4),
        )


class _Recent(Generic[V]):
    """The last `size` values by key; used from the threads that read."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._lock = Lock()
        self._items: OrderedDict[object, V] = OrderedDict()

    def get(self, key: object) -> V | None:
        with self._lock:
            if key in self._items:
                self._items.move_to_end(key)
            return self._items.get(key)

    def put(self, key: object, value: V) -> None:
        with self._lock:
            self._items[key] = value
            self._items.move_to_end(key)
            if len(self._items) > self._size:
                self._items.popitem(last=False)
