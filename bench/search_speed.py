"""Speed of search on synthetic chunks: `python bench/search_speed.py 14000 200000`.

Texts of 200 words (Zipf), vectors of 384 dimensions in 500 clusters, chunks spread over 1,000 bases; a query has three words
of one chunk and a vector near another. Measured on the product's `Searcher` and a database file: wall time, and CPU time of
the process, which also counts on a busy machine. The model that embeds a question is measured by itself. `search_peers.py`
measures other engines on the same data.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection
from synthetic import BASES, DIM, QUERIES, Corpus, corpus

from famulus.knowledge.base import Mode, Scope, SearchQuery
from famulus.knowledge.embed.e5 import E5Embedder
from famulus.knowledge.index.base import IndexedChunk
from famulus.knowledge.index.keyword import PostingsIndex
from famulus.knowledge.index.vectors import BitVectorIndex
from famulus.knowledge.search import Searcher
from famulus.messages.values import Passage
from famulus.store.database import open_database

ALL = Scope("t", tuple(f"k{n}" for n in range(BASES)))
ONE_PERCENT = Scope("t", tuple(f"k{n}" for n in range(0, BASES, 100)))


class GivenVectors:
    """An `Embedder` that takes no time: question number n has vector n."""

    identity = "multilingual-e5-small/bench"
    dim = DIM

    def __init__(self, data: Corpus) -> None:
        self._rows = dict(zip(data.questions, data.question_vectors, strict=True))

    async def embed_queries(self, texts: list[str]) -> NDArray[np.float32]:
        return np.stack([self._rows[text] for text in texts])

    async def embed_passages(self, texts: list[str]) -> NDArray[np.float32]:
        raise NotImplementedError("the benchmark writes passage vectors itself")


def load(connection: Connection, scope: Scope, numbers: Sequence[int]) -> Mapping[int, Passage]:
    return {n: Passage(str(n), "document", None, None, "", "k", "", 0.0) for n in numbers}


async def build(folder: Path, data: Corpus) -> None:
    """Writes the database once; a later run uses it again."""
    if (folder / "complete").exists():
        return
    keywords, vectors = PostingsIndex(), BitVectorIndex()
    database = await open_database(folder)
    started, used = time.perf_counter(), time.process_time()
    for start in range(0, len(data.texts), 500):
        part = [
            IndexedChunk(n + 1, str(n), "t", f"k{data.bases[n]}", None, "", "", data.texts[n])
            for n in range(start, min(start + 500, len(data.texts)))
        ]
        rows = data.vectors[start : start + 500]
        await database.write(lambda c, p=part: keywords.add(c, p))
        await database.write(lambda c, p=part, r=rows: vectors.add(c, GivenVectors.identity, p, r))
    wall, cpu = time.perf_counter() - started, time.process_time() - used
    print(f"  built in {wall:.0f} s ({1e3 * cpu / len(data.texts):.2f} ms CPU a chunk)", flush=True)
    await database.aclose()
    (folder / "complete").touch()


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
    print(f"  {name:34s} p50 {p50:7.2f} ms  p99 {p99:7.2f} ms  CPU {cpu:6.2f} ms", flush=True)


def memory_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def measure(count: int, cache: Path) -> None:
    print(f"{count} chunks", flush=True)
    data = corpus(count)
    folder = cache / f"speed-{count}"
    await build(folder, data)
    before = memory_mb()
    started = time.perf_counter()
    database = await open_database(folder)
    keywords, vectors, embedder = PostingsIndex(), BitVectorIndex(), GivenVectors(data)
    searcher = Searcher(database, keywords, vectors, embedder, load)
    await searcher.search(ALL, SearchQuery(data.questions[0], k=10))
    print(f"  open to first answer               {(time.perf_counter() - started) * 1e3:.0f} ms", flush=True)

    def ask(scope: Scope, mode: Mode) -> Callable[[int], Awaitable[object]]:
        return lambda number: searcher.search(scope, SearchQuery(data.questions[number], k=10, mode=mode))

    modes: tuple[Mode, ...] = ("keyword", "vector", "hybrid")
    for label, scope in (("everything", ALL), ("1 % of the bases", ONE_PERCENT)):
        for mode in modes:
            await timed(f"{mode}, {label}", ask(scope, mode))
    wanted = [set(np.argsort(-(data.vectors @ vector))[:10] + 1) for vector in data.question_vectors[:50]]

    def nearest(number: int) -> Callable[[Connection], set[int]]:
        vector = data.question_vectors[number]
        return lambda c: {hit.number for hit in vectors.search(c, ALL, embedder.identity, vector, 10)}

    found = [len(await database.read(nearest(number)) & each) for number, each in enumerate(wanted)]
    print(f"  recall@10 of vectors               {sum(found) / 500:.4f}")
    print(f"  memory grown by                    {memory_mb() - before:.0f} MB", flush=True)
    await database.aclose()


async def model_speed(cache: Path) -> None:
    embedder = E5Embedder(cache / "models")
    started = time.perf_counter()
    await embedder.prepare()
    print(f"embedder ready after {time.perf_counter() - started:.2f} s")
    await timed("embed one question", lambda n: embedder.embed_queries([f"How long is notice period number {n}?"]))
    await embedder.aclose()


async def run(counts: list[int], cache: Path) -> None:
    for count in counts:
        await measure(count, cache)
    await model_speed(cache)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("counts", nargs="*", type=int, default=[14_000])
    parser.add_argument("--cache", default=".bench")
    given = parser.parse_args()
    Path(given.cache).mkdir(exist_ok=True)
    asyncio.run(run(given.counts, Path(given.cache)))


if __name__ == "__main__":
    main()
