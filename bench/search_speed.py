"""Speed of search on synthetic chunks: `python bench/search_speed.py 14000 200000`.

Texts of 200 words (Zipf), vectors of 384 dimensions in 500 clusters, chunks spread over 1,000 bases; a query has three words
of one chunk and a vector near another. Measured on the product's `Searcher` and a database file, passages read as the product
reads them: wall time, and CPU time of the process, which also counts on a busy machine. Questions come with their vectors, as
one does that was asked before in another scope: one reading of the store. The lines "with its embedding" hold the built-in
model's work on each question as well, every one new to it, and two readings; "beside passages" is one question while many
passages wait for their vectors. `search_peers.py` measures other engines on the same data. A size is made once and kept; 200,000
chunks take about 1 GB of disk and some minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection
from synthetic import BASES, DIM, QUERIES, Corpus, corpus

from famulus.knowledge import replace as rows
from famulus.knowledge.base import Mode, Scope, SearchQuery
from famulus.knowledge.chunks import passages_by_number, to_indexed
from famulus.knowledge.embed.e5 import E5Embedder
from famulus.knowledge.index.base import IndexedChunk
from famulus.knowledge.index.keyword import PostingsIndex
from famulus.knowledge.index.postings import Postings, collect, merge
from famulus.knowledge.index.prepared import Prepared, packed
from famulus.knowledge.index.segments import MAX_ROWS, in_row_order, make_head
from famulus.knowledge.index.vectors import BitVectorIndex
from famulus.knowledge.search import Searcher
from famulus.store.database import Database, open_database

USUAL = 14_000
COMPLETE = "complete-2"
# More chunks than this are written in a tenth of the time that the product needs for them.
BUILT_AS_PRODUCT = 50_000
ALL = Scope("t", tuple(f"k{n}" for n in range(BASES)))
ONE_PERCENT = Scope("t", tuple(f"k{n}" for n in range(0, BASES, 100)))


class GivenVectors:
    """An `Embedder` whose question number n has vector n: at once, or after a model has done its work on it."""

    identity = "multilingual-e5-small/bench"
    dim = DIM

    def __init__(self, data: Corpus, model: E5Embedder | None = None) -> None:
        self._rows = dict(zip(data.questions, data.question_vectors, strict=True))
        self._model = model

    async def embed_queries(self, texts: list[str]) -> NDArray[np.float32]:
        if self._model is not None:
            await self._model.embed_queries(texts)
        return np.stack([self._rows[text] for text in texts])

    async def embed_passages(self, texts: list[str]) -> NDArray[np.float32]:
        raise NotImplementedError("the benchmark writes passage vectors itself")


def stored(data: Corpus, start: int, end: int) -> list[dict[str, Any]]:
    """Rows of passages, each in its base."""
    made: list[dict[str, Any]] = []
    for n in range(start, min(end, len(data.texts))):
        owner = rows.Owner("t", f"k{data.bases[n]}", f"Document {n}", datetime(2026, 1, 1, tzinfo=UTC), f"d{n}")
        made += rows.chunk_rows(owner, [rows.NewChunk(0, 0, len(data.texts[n]), data.texts[n])], n + 1)
    return made


async def build(folder: Path, data: Corpus) -> None:
    """Writes the database once; a later run uses it again."""
    if (folder / COMPLETE).exists():
        return
    database = await open_database(folder)
    started, used = time.perf_counter(), time.process_time()
    await (build_fast if len(data.texts) > BUILT_AS_PRODUCT else build_as_product)(database, data)
    wall, cpu = time.perf_counter() - started, time.process_time() - used
    print(f"  built in {wall:.0f} s ({1e3 * cpu / len(data.texts):.2f} ms CPU a chunk)", flush=True)
    await database.aclose()
    (folder / COMPLETE).touch()


async def build_as_product(database: Database, data: Corpus) -> None:
    """As documents come in: small transactions, and segments that are merged as they grow."""
    keywords, vectors = PostingsIndex(), BitVectorIndex()
    for start in range(0, len(data.texts), 500):
        made = stored(data, start, start + 500)
        part = [replace(to_indexed(row), title="") for row in made]
        near = data.vectors[start : start + 500]
        await database.write(lambda c, m=made: rows.insert_rows(c, m))
        await database.write(lambda c, p=part: keywords.add(c, p))
        await database.write(lambda c, p=part, v=near: vectors.add(c, GivenVectors.identity, p, v))


async def build_fast(database: Database, data: Corpus) -> None:
    """Full segments at once, as of one huge document, and without the analysis of texts whose words have one form."""
    keywords, vectors = PostingsIndex(), BitVectorIndex()
    words: set[str] = set()
    for start in range(0, len(data.texts), MAX_ROWS):
        made = stored(data, start, start + MAX_ROWS)
        part = [replace(to_indexed(row), title="") for row in made]
        near = data.vectors[start : start + MAX_ROWS]
        segment = prepared(part)
        words |= segment.keys
        await database.write(lambda c, m=made: rows.insert_rows(c, m))
        await database.write(lambda c, s=segment: keywords.stage(c, "t", "bench", s))
        await database.write(lambda c, p=part, v=near: vectors.add(c, GivenVectors.identity, p, v))
    await database.write(lambda c: keywords.stage_words(c, "t", sorted(words)))
    await database.write(lambda c: keywords.reveal(c, "t", "bench"))


def prepared(chunks: list[IndexedChunk]) -> Prepared:
    """What the product's `prepare` makes of these texts."""
    ordered = in_row_order(chunks)
    parts: list[tuple[Postings, NDArray[np.int64]]] = []
    words: set[str] = set()
    for start in range(0, len(ordered), 1_024):
        counted = [Counter(chunk.text.split()) for chunk in ordered[start : start + 1_024]]
        words.update(*counted)
        parts.append((collect(counted), np.arange(start, start + len(counted))))
    lengths = np.array([chunk.text.count(" ") + 1 for chunk in ordered], np.uint16)
    return packed(*make_head(ordered), merge(parts), lengths, frozenset(words))


async def timed(name: str, ask: Callable[[int], Awaitable[object]]) -> None:
    for warm in range(5):
        await ask(warm)
    walls: list[float] = []
    used = time.process_time()
    for question in range(5, QUERIES):
        started = time.perf_counter()
        await ask(question)
        walls.append((time.perf_counter() - started) * 1e3)
    cpu = (time.process_time() - used) / len(walls) * 1e3
    p50, p99 = np.percentile(walls, [50, 99])
    print(f"  {name:44s} p50 {p50:7.2f} ms  p99 {p99:7.2f} ms  CPU {cpu:6.2f} ms", flush=True)


def memory_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def measure(count: int, cache: Path, model: E5Embedder) -> None:
    print(f"{count} chunks", flush=True)
    size = "" if count == USUAL else f" of {count:,} chunks"
    data = corpus(count)
    folder = cache / f"speed-{count}"
    await build(folder, data)
    before = memory_mb()
    started = time.perf_counter()
    database = await open_database(folder)
    searcher = searcher_of(database, GivenVectors(data))
    await searcher.search(ALL, SearchQuery(data.questions[0], k=10))
    print(f"  open to first answer               {(time.perf_counter() - started) * 1e3:.0f} ms", flush=True)
    modes: tuple[Mode, ...] = ("keyword", "vector", "hybrid")
    for label, scope in (("everything", ALL), ("1 % of the bases", ONE_PERCENT)):
        for mode in modes:
            await timed(f"{mode}, {label}{size}", asking(searcher, data, scope, mode))
    print(f"  recall@10 of vectors               {await recall(database, data):.4f}")
    print(f"  memory grown by                    {memory_mb() - before:.0f} MB", flush=True)
    searcher = searcher_of(database, GivenVectors(data, model))
    await timed(f"hybrid with its embedding{size}", asking(searcher, data, ALL, "hybrid"))
    await database.aclose()


def searcher_of(database: Database, embedder: GivenVectors) -> Searcher:
    return Searcher(database, PostingsIndex(), BitVectorIndex(), embedder, passages_by_number)


def asking(searcher: Searcher, data: Corpus, scope: Scope, mode: Mode) -> Callable[[int], Awaitable[object]]:
    return lambda number: searcher.search(scope, SearchQuery(data.questions[number], k=10, mode=mode))


async def recall(database: Database, data: Corpus) -> float:
    """The share of the ten nearest of 50 questions that the vector index finds among its first ten."""
    vectors = BitVectorIndex()

    def nearest(vector: NDArray[np.float32]) -> Callable[[Connection], set[int]]:
        return lambda c: {hit.number for hit in vectors.match(c, ALL, GivenVectors.identity).top(c, vector, 10)}

    found = 0
    for vector in data.question_vectors[:50]:
        wanted = set(np.argsort(-(data.vectors @ vector))[:10] + 1)
        found += len(await database.read(nearest(vector)) & wanted)
    return found / 500


async def run(counts: list[int], cache: Path) -> None:
    model = E5Embedder(cache / "models")
    started = time.perf_counter()
    await model.prepare()
    print(f"embedder ready after {time.perf_counter() - started:.2f} s")
    await timed("embed one question", lambda n: model.embed_queries([f"How long is notice period number {n}?"]))
    passages = asyncio.ensure_future(model.embed_passages(["It ends three months after the notice. " * 25] * 512))
    await timed("the same beside passages", lambda n: model.embed_queries([f"How long is the other period {n}?"]))
    passages.cancel()
    # What is left of the passages would go on beside the searches.
    await model.aclose()
    await model.prepare()
    for count in counts:
        await measure(count, cache, model)
    await model.aclose()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("counts", nargs="*", type=int, default=[USUAL])
    parser.add_argument("--cache", default=".bench")
    given = parser.parse_args()
    Path(given.cache).mkdir(exist_ok=True)
    asyncio.run(run(given.counts, Path(given.cache)))


if __name__ == "__main__":
    main()
