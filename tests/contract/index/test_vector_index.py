"""What every `VectorIndex` does, on both engines, through a real transaction."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from famulus.errors import Invalid
from famulus.knowledge.base import Scope
from famulus.knowledge.index.base import NO_FILTERS, Filters, IndexedChunk
from famulus.knowledge.index.vectors import BitVectorIndex
from famulus.store.database import Database

ALL = Scope("t", ("k0", "k1", "k2"))


def vectors(n: int, dim: int = 100, seed: int = 7) -> NDArray[np.float32]:
    """Unit vectors in a narrow cone, like those of sentences."""
    random = np.random.default_rng(seed)
    centres = random.standard_normal((20, dim))
    rows = 2 + centres[random.integers(0, 20, n)] + random.standard_normal((n, dim)) * 0.7
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def chunks(n: int, first: int = 1, **values: object) -> list[IndexedChunk]:
    fields = {"tenant": "t", "category": None, "media_type": None, "created_at": None, "context": "", **values}
    return [IndexedChunk(m, f"c{m}", knowledge_base_id=f"k{m % 3}", document_id=None, title="", text="", **fields) for m in range(first, first + n)]  # fmt: skip


class Index:
    def __init__(self, database: Database) -> None:
        self.database = database
        self.index = BitVectorIndex()

    async def add(self, members: list[IndexedChunk], rows: NDArray[np.float32], model: str = "m") -> None:
        await self.database.write(lambda connection: self.index.add(connection, model, members, rows))

    async def find(
        self,
        vector: NDArray[np.float32],
        scope: Scope = ALL,
        k: int = 10,
        model: str = "m",
        filters: Filters = NO_FILTERS,
    ) -> list[int]:
        hits = await self.database.read(lambda c: self.index.match(c, scope, model, filters).top(c, vector, k))
        return [hit.number for hit in hits]


@pytest.fixture
def index(database: Database) -> Index:
    return Index(database)


def exact(rows: NDArray[np.float32], query: NDArray[np.float32], k: int = 10) -> list[int]:
    return [int(row) + 1 for row in np.argsort(-(rows @ query))[:k]]


async def test_recall_is_at_least_99_percent_with_and_without_a_narrow_scope(index: Index) -> None:
    rows = vectors(3_000)
    for start in range(0, 3_000, 300):
        await index.add(chunks(300, start + 1), rows[start : start + 300])
    queries = vectors(3_020)[3_000:]
    found = [len(set(await index.find(query)) & set(exact(rows, query))) for query in queries]
    assert sum(found) / (10 * len(queries)) >= 0.99
    mine = np.where(np.arange(1, 3_001) % 3 == 1, 1.0, 0.0).astype(np.float32)[:, None] * rows
    scoped = [len(set(await index.find(query, Scope("t", ("k1",)))) & set(exact(mine, query))) for query in queries]
    assert sum(scoped) / (10 * len(queries)) >= 0.99


async def test_the_score_is_the_cosine(index: Index) -> None:
    rows = vectors(20)
    await index.add(chunks(20), rows)
    hits = await index.database.read(lambda c: index.index.match(c, ALL, "m").top(c, rows[4], 1))
    assert hits[0].number == 5
    assert hits[0].cosine == pytest.approx(1.0, abs=2e-3)


async def test_chunks_asked_for_come_behind_the_best_whether_they_are_near_or_not(index: Index) -> None:
    rows = vectors(600)
    await index.add(chunks(600), rows)
    order = exact(rows, rows[4], 600)
    also = [order[5], order[1], order[400], order[599], 9_999]
    hits = await index.database.read(lambda c: index.index.match(c, ALL, "m", NO_FILTERS, also).top(c, rows[4], 3))
    assert hits.numbers[:3].tolist() == order[:3]
    assert sorted(hits.numbers[3:].tolist()) == sorted([order[5], order[400], order[599]])
    assert hits[-1].cosine == pytest.approx(float(rows[hits[-1].number - 1] @ rows[4]), abs=2e-3)


@pytest.mark.parametrize("held", [True, False])
async def test_rows_give_the_same_from_memory_and_from_the_table(database: Database, held: bool) -> None:
    index, rows = Index(database), vectors(180)
    index.index = BitVectorIndex(most_held_bytes=24 << 20 if held else 0)
    await index.add(chunks(100), rows[:100])
    await index.find(rows[0])
    await database.write(lambda c: index.index.remove(c, "t", [1, 7]))
    await index.add(chunks(80, 101), rows[100:])
    mine = rows.astype(np.float16).astype(np.float32)
    mine[[0, 6]] = 0
    for query in rows[:20]:
        assert await index.find(query, k=5) == exact(mine, query, 5)


@pytest.mark.parametrize("held", [True, False])
async def test_a_vector_may_come_after_what_it_is_compared_with_has_changed(database: Database, held: bool) -> None:
    index, rows = Index(database), vectors(300)
    index.index = BitVectorIndex(most_held_bytes=24 << 20 if held else 0)
    await index.add(chunks(300), rows)
    match = await database.read(lambda c: index.index.match(c, ALL, "m", NO_FILTERS, [7, 8]))
    await database.write(lambda c: index.index.remove(c, "t", range(100, 300)))
    hits = await database.read(lambda c: match.top(c, rows[4], 5))
    assert hits.numbers[0] == 5
    assert {7, 8} <= set(hits.numbers.tolist())


async def test_only_the_scope_is_seen(index: Index) -> None:
    rows = vectors(9)
    await index.add(chunks(9), rows)
    await index.add(chunks(3, 100, tenant="other"), rows[:3])
    assert sorted(await index.find(rows[0], Scope("t", ("k1",)))) == [1, 4, 7]
    assert await index.find(rows[0], Scope("t", ())) == []
    assert await index.find(rows[0], Scope("nobody", ("k1",))) == []


async def test_removed_vectors_are_gone(index: Index) -> None:
    rows = vectors(500)
    await index.add(chunks(500), rows)
    await index.database.write(lambda c: index.index.remove(c, "t", [1, 2, 999]))
    assert 1 not in await index.find(rows[0])
    await index.database.write(lambda c: index.index.remove(c, "t", range(3, 500)))
    assert await index.find(rows[0]) == [500]
    left = await index.database.read(lambda c: c.exec_driver_sql("SELECT count(*) FROM vector_row").scalar())
    assert left == 1


async def test_a_repeated_job_adds_nothing(index: Index) -> None:
    rows = vectors(6)
    await index.add(chunks(6), rows)
    await index.add(chunks(6), rows)
    assert sorted(await index.find(rows[0])) == [1, 2, 3, 4, 5, 6]


async def test_models_never_meet(index: Index) -> None:
    await index.add(chunks(3), vectors(3))
    await index.add(chunks(3), vectors(3, dim=64), model="other")
    assert len(await index.find(vectors(1, dim=64)[0], model="other")) == 3
    with pytest.raises(Invalid, match="shape"):
        await index.find(vectors(1, dim=64)[0])
    assert await index.find(vectors(1)[0], model="unknown") == []


async def test_filters_are_part_of_the_search(index: Index) -> None:
    rows = vectors(6)
    await index.add(chunks(3), rows[:3])
    await index.add(chunks(3, 4, category="animal"), rows[3:])
    assert sorted(await index.find(rows[0], filters=Filters(categories=("animal",)))) == [4, 5, 6]


async def test_count_is_of_the_scope_and_the_model(index: Index) -> None:
    await index.add(chunks(7), vectors(7))
    counted = await index.database.read(lambda c: index.index.count(c, Scope("t", ("k1",)), "m"))
    assert counted == 3
    assert await index.database.read(lambda c: index.index.count(c, ALL, "other")) == 0
