"""Quality of search, on the product's own search over public test sets: `python bench/retrieval.py --data FOLDER`.

nDCG@10 and recall@100 of SciFact, XQuAD in German and English and German questions on English passages; and how well the
absolute score tells questions that a collection answers from those of another collection (AUC). Exit code 1 below a target.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from datasets import Collection, data_folder, scifact, xquad
from sqlalchemy import Connection
from vector_cache import CachedEmbedder

from famulus.knowledge.base import Mode, Scope, SearchQuery, SearchResult
from famulus.knowledge.embed.texts import passage_text
from famulus.knowledge.index.base import IndexedChunk
from famulus.knowledge.index.keyword import PostingsIndex
from famulus.knowledge.index.vectors import BitVectorIndex
from famulus.knowledge.search import Searcher
from famulus.messages.values import Passage
from famulus.store.database import Database, open_database

TARGETS = {
    "scifact-test nDCG@10": 0.72,
    "scifact-test recall@100": 0.95,
    "xquad-de nDCG@10": 0.955,
    "xquad-en nDCG@10": 0.975,
    "xquad de→en nDCG@10": 0.90,
    "AUC of the score": 0.95,
}


class Bench:
    """One database with every collection in a base of its own."""

    def __init__(self, database: Database, embedder: CachedEmbedder) -> None:
        self.database = database
        self.embedder = embedder
        self.keywords = PostingsIndex()
        self.vectors = BitVectorIndex()
        self.searcher = Searcher(database, self.keywords, self.vectors, embedder, self._passages)
        self.next = 1
        self.first: dict[str, int] = {}

    def _passages(self, connection: Connection, scope: Scope, scores: Mapping[int, float]) -> Mapping[int, Passage]:
        (base,) = scope.knowledge_base_ids
        return {n: Passage(str(n), "document", None, None, "", base, "", score) for n, score in scores.items()}

    async def add(self, collection: Collection) -> None:
        self.first[collection.name] = self.next
        chunks = [
            IndexedChunk(n, str(n), "t", collection.name, str(n), title, "", text)
            for n, (title, text) in enumerate(collection.passages, self.next)
        ]
        self.next += len(chunks)
        texts = [passage_text(chunk) for chunk in chunks]
        await self.embedder.learn(collection.name.removesuffix("-test").removesuffix("-train"), texts, queries=False)
        rows = await self.embedder.embed_passages(texts)
        for start in range(0, len(chunks), 512):
            part, vectors = chunks[start : start + 512], rows[start : start + 512]
            await self.database.write(lambda c, p=part: self.keywords.add(c, p))
            await self.database.write(lambda c, p=part, v=vectors: self.vectors.add(c, self.embedder.identity, p, v))

    async def ask(self, base: str, questions: list[str], k: int, mode: Mode = "hybrid") -> list[SearchResult]:
        scope = Scope("t", (base,))
        return [await self.searcher.search(scope, SearchQuery(question, k=k, mode=mode)) for question in questions]

    def ranked(self, base: str, results: list[SearchResult]) -> list[list[int]]:
        return [[int(hit.passage.chunk_id) - self.first[base] for hit in result.hits] for result in results]


def ndcg(ranked: list[int], relevant: dict[int, int], k: int = 10) -> float:
    gain = sum((2 ** relevant.get(row, 0) - 1) / np.log2(place + 2) for place, row in enumerate(ranked[:k]))
    best = sorted(relevant.values(), reverse=True)[:k]
    return float(gain / sum((2**grade - 1) / np.log2(place + 2) for place, grade in enumerate(best)))


def recall(ranked: list[int], relevant: dict[int, int]) -> float:
    return sum(row in relevant for row in ranked[:100]) / len(relevant)


def auc(positive: list[float], negative: list[float]) -> float:
    """The chance that a positive scores above a negative; ties count half."""
    p, n = np.array(positive)[:, None], np.array(negative)[None, :]
    return float((p > n).mean() + (p == n).mean() / 2)


def top(results: list[SearchResult]) -> list[float]:
    return [result.hits[0].passage.score if result.hits else 0.0 for result in results]


async def measure(
    folder: Path, cache: Path, threads: int, split: str, mode: Mode, names: list[str]
) -> dict[str, float]:
    embedder = CachedEmbedder(cache, threads)
    claims = scifact(folder, split)
    german, english = xquad(folder, "de"), xquad(folder, "en")
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as data:
        database = await open_database(data)
        bench = Bench(database, embedder)
        for collection in (german, english, claims):
            await embedder.learn(collection.name, collection.questions, queries=True)
        for collection in (german, english, claims):
            if collection.name.split("-")[0] not in names:
                continue
            await bench.add(collection)
            results = await bench.ask(collection.name, collection.questions, 100, mode)
            pairs = list(zip(bench.ranked(collection.name, results), collection.relevant, strict=True))
            figures[f"{collection.name} nDCG@10"] = float(np.mean([ndcg(*pair) for pair in pairs]))
            figures[f"{collection.name} recall@100"] = float(np.mean([recall(*pair) for pair in pairs]))
            foreign = german.questions + english.questions if collection is claims else claims.questions
            strangers = await bench.ask(collection.name, foreign, 1, mode)
            figures[f"{collection.name} score AUC"] = auc(top(results), top(strangers))
            for name, scores in (("own", top(results)), ("foreign", top(strangers))):
                figures[f"{collection.name} score of {name} questions, median"] = float(np.median(scores))
        if "xquad" in names:
            crossed = bench.ranked(english.name, await bench.ask(english.name, german.questions, 10, mode))
            figures["xquad de→en nDCG@10"] = float(
                np.mean([ndcg(*pair) for pair in zip(crossed, german.relevant, strict=True)])
            )
        figures["AUC of the score"] = min(value for name, value in figures.items() if name.endswith("AUC"))
        await database.aclose()
    await embedder.aclose()
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data")
    parser.add_argument("--cache", default=".bench", help="folder for vectors and the prepared model")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument(
        "--split", choices=["test", "train"], default="test", help="SciFact questions; tune on train only"
    )
    parser.add_argument("--mode", choices=["hybrid", "keyword", "vector"], default="hybrid")
    parser.add_argument("--only", nargs="+", choices=["scifact", "xquad"], default=["scifact", "xquad"])
    given = parser.parse_args()
    Path(given.cache).mkdir(exist_ok=True)
    folder = data_folder(given.data)
    figures = asyncio.run(measure(folder, Path(given.cache), given.threads, given.split, given.mode, given.only))
    missed = [name for name, least in TARGETS.items() if figures.get(name, least) < least]
    for name, value in figures.items():
        target = TARGETS.get(name)
        print(f"{name:48s} {value:.4f}" + (f"  target {target}" if target else ""))
    if missed and given.mode == "hybrid":
        raise SystemExit(f"below target: {', '.join(missed)}")


if __name__ == "__main__":
    main()
