"""Search in a scope: keyword and vector legs, one order, absolute scores. What could not be done is said, never hidden.

A search reads twice: first what the scope holds and what the words find, while the embedder works on the question in its own
process; then the vector leg, the order and the passages.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from famulus.knowledge.base import Embedder, Hit, Scope, SearchQuery, SearchResult
from famulus.knowledge.index.base import Filters, KeywordIndex, KeywordMatch, VectorIndex
from famulus.knowledge.index.cache import BoundedCache
from famulus.knowledge.index.hits import NO_KEYWORD_HITS, NO_VECTOR_HITS, KeywordHits, VectorHits
from famulus.knowledge.score import Evidence, calibration_of, keyword_scores, order, scores, vector_scores
from famulus.messages.values import Passage
from famulus.store.database import Database
from famulus.text.fold import nfc
from famulus.text.query import MAX_QUERY_CHARACTERS, analyse_query

# Hits that each leg may contribute; the order of the first ten does not change beyond it.
DEPTH = 100
REMEMBERED = 256
# A first question must not wait for a model that is being loaded on a busy machine.
EMBED_TIMEOUT_S = 10.0

LoadPassages = Callable[[Connection, Scope, Sequence[int]], Mapping[int, Passage]]
Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _State:
    """What a scope holds at one moment; `version` changes when any result could."""

    version: str
    chunks: int
    vectors: int


@dataclass(frozen=True, slots=True)
class _Ranking:
    """A result before its passages are loaded: passages may change their place without changing their words."""

    evidence: Evidence
    modes: tuple[str, ...]
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Look:
    """The first reading: a ranking with its passages, or what the words found where the vector leg is still to come."""

    state: _State
    notices: tuple[str, ...]
    ranking: _Ranking | None
    cached: bool
    passages: Mapping[int, Passage]
    words: KeywordMatch | None


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
        self._states: BoundedCache[_State] = BoundedCache(REMEMBERED)
        self._rankings: BoundedCache[_Ranking] = BoundedCache(REMEMBERED)
        self._query_vectors: BoundedCache[Vector] = BoundedCache(REMEMBERED)

    async def search(self, scope: Scope, query: SearchQuery) -> SearchResult:
        """Up to `k` hits above the threshold, best first. Degrades to keywords when vectors cannot be used, and says so."""
        started = time.perf_counter()
        query = replace(query, text=nfc(query.text[:MAX_QUERY_CHARACTERS]))
        asking = self._ask_early(scope, query)
        try:
            look = await self._database.read(lambda connection: self._look(connection, scope, query))
            ranking, passages = look.ranking, look.passages
            if ranking is None:
                vector, failed = await (asking or self._ask(query.text))
                ranking, passages = await self._database.read(
                    lambda connection: self._finish(connection, scope, query, look, vector, failed)
                )
        finally:
            if asking is not None:
                asking.cancel()
        hits = self._hits(ranking, passages)
        took_ms = (time.perf_counter() - started) * 1e3
        return SearchResult(hits, ranking.modes, took_ms, look.cached, ranking.notices)

    # ── the question's vector ──

    def _ask_early(
        self, scope: Scope, query: SearchQuery
    ) -> asyncio.Task[tuple[Vector | None, tuple[str, ...]]] | None:
        """Begins with the question's vector where the scope had vectors when it was last searched."""
        last = self._states.known(scope)
        if last is None or self._vector_leg(query, last)[0] is False:
            return None
        return asyncio.ensure_future(self._ask(query.text))

    def _vector_leg(self, query: SearchQuery, state: _State) -> tuple[bool, tuple[str, ...]]:
        """Whether the vector leg can run, and what to tell about it."""
        if query.mode == "keyword" or not state.chunks or not query.text.strip():
            return False, ()
        if self._embedder is None:
            return False, ("vectors_off",)
        if not state.vectors:
            return False, ("vectors_pending",)
        return True, ("vectors_pending",) if state.vectors < state.chunks else ()

    async def _ask(self, text: str) -> tuple[Vector | None, tuple[str, ...]]:
        """The vector of the question, None where the embedder cannot give it; and what to tell about that."""
        known = self._query_vectors.known(text)
        if known is not None:
            return known, ()
        assert self._embedder is not None
        try:
            async with asyncio.timeout(self._embed_timeout_s):
                rows = await self._embedder.embed_queries([text])
        except TimeoutError:
            return None, ("vectors_slow",)
        except Exception:
            # Whatever an embedder does (a model server that is down), words still find something.
            return None, ("vectors_failed",)
        self._query_vectors.put(text, rows[0])
        return rows[0], ()

    # ── the two readings ──

    def _look(self, connection: Connection, scope: Scope, query: SearchQuery) -> _Look:
        state = self._state(connection, scope)
        ranking = self._rankings.known((scope, query, state.version))
        cached, words = ranking is not None, None
        wanted, notices = self._vector_leg(query, state)
        if ranking is None:
            words = self._match(connection, scope, query) if query.mode != "vector" or not wanted else None
            if words and not wanted:
                ranking = self._by_words(query, words, notices)
                self._rankings.put((scope, query, state.version), ranking)
        passages = self._passages(connection, scope, ranking)
        return _Look(state, notices, ranking, cached, passages, words)

    def _finish(
        self,
        connection: Connection,
        scope: Scope,
        query: SearchQuery,
        look: _Look,
        vector: Vector | None,
        failed: tuple[str, ...],
    ) -> tuple[_Ranking, Mapping[int, Passage]]:
        words = look.words
        if vector is None or self._embedder is None:
            ranking = self._by_words(query, words or self._match(connection, scope, query), failed)
        else:
            found = words.top(_depth(query)) if words else NO_KEYWORD_HITS
            model, filters = self._embedder.identity, _filters(query)
            near = self._vectors.search(connection, scope, model, vector, _depth(query), filters, found.numbers)
            if words:
                found += words.of(np.setdiff1d(near.numbers, found.numbers))
            modes = ("keyword", "vector") if words else ("vector",)
            ranking = _Ranking(self._best(query, near, found), modes, look.notices)
        if not failed:
            self._rankings.put((scope, query, look.state.version), ranking)
        return ranking, self._passages(connection, scope, ranking)

    def _state(self, connection: Connection, scope: Scope) -> _State:
        model = self._embedder.identity if self._embedder else None
        version = self._keywords.version(connection, scope.tenant)
        if model is not None:
            version += "|" + self._vectors.version(connection, scope.tenant, model)
        state = self._states.known(scope)
        if state is None or state.version != version:
            vectors = self._vectors.count(connection, scope, model) if model is not None else 0
            state = _State(version, self._keywords.count(connection, scope), vectors)
            self._states.put(scope, state)
        return state

    def _match(self, connection: Connection, scope: Scope, query: SearchQuery) -> KeywordMatch:
        return self._keywords.match(connection, scope, analyse_query(query.text), _filters(query))

    def _passages(self, connection: Connection, scope: Scope, ranking: _Ranking | None) -> Mapping[int, Passage]:
        numbers: list[int] = [] if ranking is None else ranking.evidence.numbers.tolist()
        return self._load_passages(connection, scope, numbers) if numbers else {}

    # ── the order ──

    def _by_words(self, query: SearchQuery, words: KeywordMatch, notices: tuple[str, ...]) -> _Ranking:
        return _Ranking(self._best(query, NO_VECTOR_HITS, words.top(_depth(query))), ("keyword",), notices)

    def _best(self, query: SearchQuery, near: VectorHits, words: KeywordHits) -> Evidence:
        """Of the `k` best above the threshold, best first."""
        evidence = _evidence(near, words)
        rows = order(evidence, self._calibration)
        good = scores(evidence, self._calibration)[rows] >= query.score_threshold
        return evidence[rows[good][: max(0, query.k)]]

    def _hits(self, ranking: _Ranking, passages: Mapping[int, Passage]) -> tuple[Hit, ...]:
        evidence = ranking.evidence
        columns = (
            evidence.numbers.tolist(),
            scores(evidence, self._calibration).tolist(),
            evidence.keyword.tolist(),
            keyword_scores(evidence).tolist(),
            vector_scores(evidence, self._calibration).tolist(),
        )
        return tuple(
            Hit(
                replace(passages[number], score=round(score, 4)),
                round(by_words, 4) if found else None,
                round(by_vector, 4) if by_vector == by_vector else None,
            )
            for number, score, found, by_words, by_vector in zip(*columns, strict=True)
            if number in passages
        )


def _depth(query: SearchQuery) -> int:
    return max(DEPTH, query.k)


def _filters(query: SearchQuery) -> Filters:
    return Filters(query.categories, query.media_types, query.created_after, query.created_before)


def _evidence(near: VectorHits, words: KeywordHits) -> Evidence:
    """Everything known of every chunk that either leg found."""
    numbers = np.union1d(near.numbers, words.numbers)
    coverage, bm25 = np.zeros(len(numbers)), np.zeros(len(numbers))
    exact, keyword = np.zeros(len(numbers), np.bool_), np.zeros(len(numbers), np.bool_)
    cosine = np.full(len(numbers), np.nan)
    cosine[np.searchsorted(numbers, near.numbers)] = near.cosines
    at = np.searchsorted(numbers, words.numbers)
    coverage[at], bm25[at], exact[at], keyword[at] = words.coverage, words.scores, words.exact, True
    return Evidence(numbers, coverage, bm25, cosine, exact, keyword)
