"""Search in a scope: keyword and vector legs, one order, absolute scores. What could not be done is said, never hidden.

A search reads twice: first what the scope holds, what the words find, and all of the vector leg that needs no vector, while the
embedder works on the question in its own process; then the nearest vectors, the order and the passages. Where the vector is known
already (the same question in another scope, with other filters, in another mode), one reading does all.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from famulus.knowledge.base import Embedder, Hit, Scope, SearchQuery, SearchResult
from famulus.knowledge.index.base import Filters, KeywordIndex, KeywordMatch, VectorIndex, VectorMatch
from famulus.knowledge.index.cache import BoundedCache
from famulus.knowledge.index.hits import NO_KEYWORD_HITS, KeywordHits, Lookup, no_words
from famulus.knowledge.ranking import Rated, best, evidence_of, evidence_of_words
from famulus.knowledge.score import calibration_of
from famulus.messages.values import Passage
from famulus.store.database import Database
from famulus.text.fold import nfc
from famulus.text.query import MAX_QUERY_CHARACTERS, analyse_query

# Hits that each leg may contribute; the order of the first ten does not change beyond it.
DEPTH = 100
REMEMBERED = 256
# A first question must not wait for a model that is being loaded on a busy machine.
EMBED_TIMEOUT_S = 10.0

LoadPassages = Callable[[Connection, Scope, Mapping[int, float]], Mapping[int, Passage]]
Vector = NDArray[np.float32]
# The vector of a question, None where the embedder could not give it; and what to tell about that.
Asked = tuple[Vector | None, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class _State:
    """What a scope holds at one moment; `version` changes when any result could."""

    version: str
    chunks: int
    vectors: int


@dataclass(frozen=True, slots=True)
class _Ranking:
    """A result before its passages are loaded: passages may change their place without changing their words."""

    rated: tuple[Rated, ...]
    modes: tuple[str, ...]
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Legs:
    """What only a vector is missing for: the scope's vectors, and what the words found unless vectors alone are searched."""

    vectors: VectorMatch
    words: KeywordMatch | None
    found: KeywordHits
    by_number: Lookup | None


@dataclass(frozen=True, slots=True)
class _Look:
    """The first reading: a ranking with its passages, or the legs where the vector is still to come."""

    state: _State
    notices: tuple[str, ...]
    ranking: _Ranking | None
    cached: bool
    passages: Mapping[int, Passage]
    legs: _Legs | None


class Searcher:
    """Answers `SearchQuery`s. `embedder` None means keywords only; `load_passages` reads chunk rows by number, each given with its score."""

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
            if asking is not None:
                # The question goes out before the thread that reads is woken: that would hold the interpreter for milliseconds.
                await asyncio.sleep(0)
            known = asking.result() if asking is not None and asking.done() else None
            look = await self._database.read(lambda connection: self._look(connection, scope, query, known))
            ranking, passages = look.ranking, look.passages
            if look.legs is not None:
                legs = look.legs
                asked = await (asking or self._ask(query.text))
                ranking, passages = await self._database.read(
                    lambda connection: self._finish(connection, scope, query, look, legs, asked)
                )
        finally:
            if asking is not None:
                asking.cancel()
        assert ranking is not None
        hits = _hits(ranking, passages)
        took_ms = (time.perf_counter() - started) * 1e3
        return SearchResult(hits, ranking.modes, took_ms, look.cached, ranking.notices)

    # ── the question's vector ──

    def _ask_early(self, scope: Scope, query: SearchQuery) -> asyncio.Task[Asked] | None:
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

    async def _ask(self, text: str) -> Asked:
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

    def _look(self, connection: Connection, scope: Scope, query: SearchQuery, asked: Asked | None) -> _Look:
        state = self._state(connection, scope)
        ranking = self._rankings.known((scope, query, state.version))
        cached, legs = ranking is not None, None
        wanted, notices = self._vector_leg(query, state)
        if ranking is None and wanted:
            legs = self._legs(connection, scope, query)
            if asked is not None:
                ranking, legs = self._rank(connection, scope, query, state, notices, legs, asked), None
        elif ranking is None:
            ranking = self._by_words(query, self._match(connection, scope, query), notices)
            self._rankings.put((scope, query, state.version), ranking)
        return _Look(state, notices, ranking, cached, self._passages(connection, scope, ranking), legs)

    def _legs(self, connection: Connection, scope: Scope, query: SearchQuery) -> _Legs:
        assert self._embedder is not None
        words = self._match(connection, scope, query) if query.mode != "vector" else None
        found = words.top(_depth(query)) if words else NO_KEYWORD_HITS
        vectors = self._vectors.match(connection, scope, self._embedder.identity, _filters(query), found.numbers)
        return _Legs(vectors, words, found, words.by_number() if words else None)

    def _finish(
        self, connection: Connection, scope: Scope, query: SearchQuery, look: _Look, legs: _Legs, asked: Asked
    ) -> tuple[_Ranking, Mapping[int, Passage]]:
        ranking = self._rank(connection, scope, query, look.state, look.notices, legs, asked)
        return ranking, self._passages(connection, scope, ranking)

    def _rank(
        self,
        connection: Connection,
        scope: Scope,
        query: SearchQuery,
        state: _State,
        notices: tuple[str, ...],
        legs: _Legs,
        asked: Asked,
    ) -> _Ranking:
        words, (vector, failed) = legs.words, asked
        if vector is None:
            ranking = self._by_words(query, words or self._match(connection, scope, query), failed)
        else:
            near = legs.vectors.top(connection, vector, _depth(query))
            of_near = legs.by_number(near.numbers) if legs.by_number else no_words(len(near))
            evidence = evidence_of(near, of_near, legs.found)
            rated = best(evidence, self._calibration, query.k, query.score_threshold)
            ranking = _Ranking(rated, ("keyword", "vector") if words else ("vector",), notices)
        if not failed:
            self._rankings.put((scope, query, state.version), ranking)
        return ranking

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
        scores = {rated.number: rated.score for rated in ranking.rated} if ranking is not None else {}
        return self._load_passages(connection, scope, scores) if scores else {}

    def _by_words(self, query: SearchQuery, words: KeywordMatch, notices: tuple[str, ...]) -> _Ranking:
        found = words.top(_depth(query))
        rated = best(evidence_of_words(found), self._calibration, query.k, query.score_threshold)
        return _Ranking(rated, ("keyword",), notices)


def _hits(ranking: _Ranking, passages: Mapping[int, Passage]) -> tuple[Hit, ...]:
    return tuple(
        Hit(passages[rated.number], rated.keyword_score, rated.vector_score)
        for rated in ranking.rated
        if rated.number in passages
    )


def _depth(query: SearchQuery) -> int:
    return max(DEPTH, query.k)


def _filters(query: SearchQuery) -> Filters:
    return Filters(query.categories, query.media_types, query.created_after, query.created_before)
