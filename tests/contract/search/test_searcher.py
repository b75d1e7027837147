"""Search through its public door: legs, scores, filters, what is said when a leg cannot run, and hostile queries."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from threading import Event
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sqlalchemy import Connection

from famulus.knowledge.base import Mode, Scope, SearchQuery
from famulus.knowledge.index.base import IndexedChunk
from famulus.knowledge.index.keyword import PostingsIndex
from famulus.knowledge.index.vectors import BitVectorIndex
from famulus.knowledge.search import Searcher
from famulus.messages.values import Passage
from famulus.store.database import Database
from famulus.testing.embedder import HashEmbedder

K1 = Scope("t", ("k1",))
TRAINS = [
    "The night train to Vienna leaves Zurich at 21:40 from platform 9.",
    "Bicycles may be taken on regional trains with a bicycle ticket.",
    "Seat reservations on the express train cost 5 francs.",
    "The dining car opens twenty minutes after departure.",
    "Passengers make their changes at the main station.",
]


class World:
    """A searcher over chunks that live in a dictionary."""

    def __init__(self, database: Database, embedder: HashEmbedder | None) -> None:
        self.database = database
        self.embedder = embedder
        self.chunks: dict[int, IndexedChunk] = {}
        self.keywords = PostingsIndex()
        self.vectors = BitVectorIndex()
        self.searcher = Searcher(database, self.keywords, self.vectors, embedder, self.load)

    def load(self, connection: Connection, scope: Scope, scores: Mapping[int, float]) -> Mapping[int, Passage]:
        return {
            n: Passage(c.chunk_id, "document", c.document_id, None, c.title, c.knowledge_base_id, c.text, score)
            for n, score in scores.items()
            if (c := self.chunks.get(n))
        }

    async def add(self, *texts: str, kb: str = "k1", embed: bool = True, **values: object) -> None:
        first = len(self.chunks) + 1
        fields = {"tenant": "t", "title": "", "context": "", "category": None, **values}
        new = [IndexedChunk(n, f"c{n}", knowledge_base_id=kb, document_id=None, text=text, **fields) for n, text in enumerate(texts, first)]  # fmt: skip
        self.chunks |= {c.number: c for c in new}
        await self.database.write(lambda connection: self.keywords.add(connection, new))
        if self.embedder and embed:
            rows = await self.embedder.embed_passages(list(texts))
            identity = self.embedder.identity
            await self.database.write(lambda connection: self.vectors.add(connection, identity, new, rows))

    async def texts(self, query: str, scope: Scope = K1, **values: object) -> list[str]:
        result = await self.searcher.search(scope, SearchQuery(query, **values))
        return [hit.passage.text for hit in result.hits]


@pytest.fixture
def world(database: Database) -> World:
    return World(database, HashEmbedder())


async def test_both_legs_find_and_say_so(world: World) -> None:
    await world.add(*TRAINS)
    result = await world.searcher.search(K1, SearchQuery("Can I take my bicycle on the train?"))
    assert result.hits[0].passage.text == TRAINS[1]
    assert result.used_modes == ("keyword", "vector")
    assert result.notices == ()
    assert result.hits[0].keyword_score is not None
    assert result.hits[0].vector_score is not None


@pytest.mark.parametrize("mode", ["hybrid", "keyword"])
async def test_nothing_relevant_scores_low_in_every_mode(world: World, mode: Mode) -> None:
    await world.add(*TRAINS)
    result = await world.searcher.search(K1, SearchQuery("How do I make lasagne?", mode=mode))
    good = await world.searcher.search(K1, SearchQuery("When does the dining car open?", mode=mode))
    assert max((hit.passage.score for hit in result.hits), default=0.0) < 0.3
    assert good.hits[0].passage.score > 0.7


async def test_the_threshold_is_absolute(world: World) -> None:
    await world.add(*TRAINS)
    assert await world.texts("How do I make lasagne?", score_threshold=0.35) == []
    assert await world.texts("When does the dining car open?", score_threshold=0.35) == [TRAINS[3]]


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("Find the termination clause in the contract", 0),
        ("No, what is the retention period for invoices?", 1),
        ("Retention period?", 1),
        ("Sure, explain the retention", 1),
        ("Kündigungsfrist Mietvertrag?", 2),
    ],
)
async def test_short_and_chatty_questions_find_their_fact(world: World, question: str, fact: int) -> None:
    facts = [
        "Termination clause: 14 days.",
        "Invoices: retention period of 10 years.",
        "Die Kündigungsfrist beträgt drei Monate.",
    ]
    await world.add(*facts)
    result = await world.searcher.search(K1, SearchQuery(question))
    assert result.hits[0].passage.text == facts[fact]
    assert result.hits[0].passage.score > 0.35


async def test_keywords_answer_while_vectors_are_pending(world: World) -> None:
    await world.add(*TRAINS, embed=False)
    result = await world.searcher.search(K1, SearchQuery("dining car"))
    assert result.hits[0].passage.text == TRAINS[3]
    assert (result.used_modes, result.notices) == (("keyword",), ("vectors_pending",))
    assert world.embedder is not None
    assert world.embedder.queries == []


async def test_a_passage_without_its_vector_is_ranked_with_the_others(world: World) -> None:
    await world.add(*TRAINS)
    await world.add("The dining car serves soup.", embed=False)
    result = await world.searcher.search(K1, SearchQuery("What does the dining car serve?"))
    assert result.hits[0].passage.text == "The dining car serves soup."
    assert result.notices == ("vectors_pending",)


async def test_without_an_embedder_vectors_are_off(database: Database) -> None:
    world = World(database, None)
    await world.add(*TRAINS)
    result = await world.searcher.search(K1, SearchQuery("dining car"))
    assert (len(result.hits), result.used_modes, result.notices) == (1, ("keyword",), ("vectors_off",))


async def test_a_broken_embedder_degrades_and_recovers(world: World) -> None:
    await world.add(*TRAINS)
    assert world.embedder is not None
    world.embedder.broken = RuntimeError("model server down")
    broken = await world.searcher.search(K1, SearchQuery("dining car"))
    world.embedder.broken = None
    repaired = await world.searcher.search(K1, SearchQuery("dining car"))
    assert (broken.used_modes, broken.notices) == (("keyword",), ("vectors_failed",))
    assert repaired.used_modes == ("keyword", "vector")


async def test_the_embedder_works_while_the_words_are_looked_up(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await world.add(*TRAINS)
    await world.texts("dining car")
    asked, match, embedder = Event(), world.keywords.match, world.embedder
    assert embedder is not None

    def wait_then_match(*given: Any) -> object:
        assert asked.wait(5)
        return match(*given)

    class Telling(HashEmbedder):
        async def embed_queries(self, texts: list[str]) -> NDArray[np.float32]:
            asked.set()
            return await super().embed_queries(texts)

    monkeypatch.setattr(embedder, "embed_queries", Telling().embed_queries)
    monkeypatch.setattr(world.keywords, "match", wait_then_match)
    result = await world.searcher.search(K1, SearchQuery("night train"))
    assert (result.used_modes, result.hits[0].passage.text) == (("keyword", "vector"), TRAINS[0])


async def test_a_question_goes_to_the_embedder_before_anything_is_read(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.add(*TRAINS)
    await world.texts("dining car")
    embedder, read, seen = world.embedder, world.database.read, list[list[str]]()
    assert embedder is not None

    async def note_then_read(function: Any) -> Any:
        seen.append(list(embedder.queries))
        return await read(function)

    monkeypatch.setattr(world.database, "read", note_then_read)
    await world.texts("night train")
    assert seen[0] == ["dining car", "night train"]


async def test_a_question_whose_vector_is_known_is_answered_by_one_reading(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.add(*TRAINS)
    twice = await world.texts("dining car", mode="vector")
    read, times = world.database.read, list[object]()

    async def count_then_read(function: Any) -> Any:
        times.append(function)
        return await read(function)

    monkeypatch.setattr(world.database, "read", count_then_read)
    assert await world.texts("dining car", mode="vector", k=4) == twice[:4]
    assert (await world.searcher.search(K1, SearchQuery("dining car"))).used_modes == ("keyword", "vector")
    assert len(times) == 2


async def test_vector_mode_uses_vectors_alone(world: World) -> None:
    await world.add(*TRAINS)
    result = await world.searcher.search(K1, SearchQuery("dining car", mode="vector"))
    assert result.used_modes == ("vector",)
    assert result.hits[0].keyword_score is None


async def test_the_scope_decides_and_query_text_cannot_widen_it(world: World) -> None:
    await world.add("The secret of base two is zebra.", kb="k2")
    await world.add("Public notes about animals.")
    assert await world.texts("kb:k2 OR tenant:* zebra secret") == ["Public notes about animals."]
    assert await world.texts("zebra secret", Scope("t", ())) == []
    assert await world.texts("zebra secret", Scope("u", ("k2",))) == []


async def test_a_repeated_search_is_remembered_until_something_changes(world: World) -> None:
    await world.add(*TRAINS)
    query = SearchQuery("dining car")
    results = [await world.searcher.search(K1, query) for _ in range(2)]
    await world.add("Another dining car.")
    changed = await world.searcher.search(K1, query)
    assert [result.cached for result in results] == [False, True]
    assert results[0].hits == results[1].hits
    assert not changed.cached
    assert "Another dining car." in [hit.passage.text for hit in changed.hits]


async def test_a_removed_chunk_is_gone_at_once(world: World) -> None:
    await world.add(*TRAINS)
    await world.texts("dining car")
    await world.database.write(lambda c: world.keywords.remove(c, "t", [4]))
    await world.database.write(lambda c: world.vectors.remove(c, "t", [4]))
    assert TRAINS[3] not in await world.texts("dining car")


async def test_filters_hold_in_both_legs(world: World) -> None:
    await world.add("Zebra one", category="a", created_at=datetime(2026, 1, 1, tzinfo=UTC), media_type="text/plain")
    await world.add("Zebra two", category="b", created_at=datetime(2025, 1, 1, tzinfo=UTC), media_type="text/html")
    assert await world.texts("zebra", categories=("a",)) == ["Zebra one"]
    assert await world.texts("zebra", media_types=("text/html",)) == ["Zebra two"]
    assert await world.texts("zebra", created_after=datetime(2025, 6, 1, tzinfo=UTC)) == ["Zebra one"]


@pytest.mark.parametrize("text", ['"', "'; DROP TABLE x;--", "NEAR(", "a* OR b", "^", "{", "😀", "\x00", "\ud800", "", "x" * 1_000_000])  # fmt: skip
async def test_odd_queries_are_answered(world: World, text: str) -> None:
    await world.add(*TRAINS)
    result = await world.searcher.search(K1, SearchQuery(text))
    assert all(0.0 <= hit.passage.score <= 1.0 for hit in result.hits)
