"""Other engines on the data of `search_speed.py`: `.bench/venv/bin/python bench/search_peers.py 14000`.

Runs in an environment of its own (requirements-bench.in); an engine that is not installed is left out. Every engine holds the
same vectors or texts with the knowledge base of each chunk, is asked for ten hits, and is compared with the exact answer
inside the same scope: recall@10 for vectors, overlap with bm25s's first ten for words.
"""

from __future__ import annotations

import argparse
import importlib
import os
import tempfile
import time
from collections.abc import Callable

import numpy as np
from synthetic import BASES, QUERIES, Corpus, corpus

K = 10
Ask = Callable[[int], list[int]]
ONE_PERCENT = list(range(0, BASES, 100))


def faiss_hnsw(data: Corpus, _: str) -> dict[str, Ask]:
    import faiss

    index = faiss.index_factory(data.vectors.shape[1], "HNSW32", faiss.METRIC_INNER_PRODUCT)
    index.hnsw.efConstruction = 128
    index.add(data.vectors)
    faiss.omp_set_num_threads(1)
    index.hnsw.efSearch = 64
    allowed = faiss.IDSelectorBatch(np.flatnonzero(np.isin(data.bases, ONE_PERCENT)))
    narrow = faiss.SearchParametersHNSW(sel=allowed, efSearch=64)

    def ask(number: int, **options: object) -> list[int]:
        rows = index.search(data.question_vectors[number][None], K, **options)[1][0]
        return [int(row) for row in rows if row >= 0]

    return {"vector": ask, "vector, 1 %": lambda number: ask(number, params=narrow)}


def sqlite_vec(data: Corpus, folder: str) -> dict[str, Ask]:
    import pysqlite3
    import sqlite_vec as extension

    connection = pysqlite3.connect(folder + "/vec.db")
    connection.enable_load_extension(True)
    extension.load(connection)
    connection.execute(
        "create virtual table v using vec0(id integer primary key, e float[384] distance_metric=cosine, kb integer)"
    )
    rows = ((n, data.vectors[n].tobytes(), int(data.bases[n])) for n in range(len(data.vectors)))
    connection.executemany("insert into v(id, e, kb) values (?, ?, ?)", rows)
    connection.commit()
    scope = ", ".join(map(str, ONE_PERCENT))

    def ask(number: int, condition: str = "") -> list[int]:
        statement = f"select id from v where e match ? and k = {K}{condition}"
        return [row[0] for row in connection.execute(statement, (data.question_vectors[number].tobytes(),))]

    return {"vector": ask, "vector, 1 %": lambda number: ask(number, f" and kb in ({scope})")}


def chroma(data: Corpus, folder: str) -> dict[str, Ask]:
    import chromadb

    client = chromadb.PersistentClient(folder)
    collection = client.create_collection("chunks", metadata={"hnsw:space": "ip"}, embedding_function=None)
    for start in range(0, len(data.vectors), 2_000):
        rows = range(start, min(start + 2_000, len(data.vectors)))
        collection.add(
            ids=[str(n) for n in rows],
            embeddings=data.vectors[rows.start : rows.stop],
            metadatas=[{"kb": int(data.bases[n])} for n in rows],
        )

    def ask(number: int, **options: object) -> list[int]:
        found = collection.query(data.question_vectors[number], n_results=K, include=[], **options)
        return [int(name) for name in found["ids"][0]]

    return {"vector": ask, "vector, 1 %": lambda number: ask(number, where={"kb": {"$in": ONE_PERCENT}})}


def lance(data: Corpus, folder: str) -> dict[str, Ask]:
    import lancedb

    rows = [
        {"id": n, "vector": data.vectors[n], "text": data.texts[n], "kb": int(data.bases[n])}
        for n in range(len(data.texts))
    ]
    table = lancedb.connect(folder).create_table("t", rows)
    table.create_fts_index("text")
    scope = "kb in (" + ", ".join(map(str, ONE_PERCENT)) + ")"

    def vector(number: int, condition: str | None = None) -> list[int]:
        search = table.search(data.question_vectors[number]).distance_type("dot").limit(K).select(["id"])
        return [row["id"] for row in (search.where(condition, prefilter=True) if condition else search).to_list()]

    def words(number: int) -> list[int]:
        search = table.search(data.questions[number], query_type="fts").limit(K).select(["id"])
        return [row["id"] for row in search.to_list()]

    def both(number: int) -> list[int]:
        search = table.search(query_type="hybrid").vector(data.question_vectors[number]).text(data.questions[number])
        return [row["id"] for row in search.distance_type("dot").limit(K).select(["id"]).to_list()]

    narrow = {"vector, 1 %": lambda number: vector(number, scope)}
    return {"vector": vector, **narrow, "keyword": words, "hybrid": both}


def tantivy(data: Corpus, folder: str) -> dict[str, Ask]:
    import tantivy as engine

    builder = engine.SchemaBuilder()
    builder.add_integer_field("id", stored=True)
    builder.add_text_field("body")
    index = engine.Index(builder.build(), path=folder)
    writer = index.writer(100_000_000, 1)
    for number, text in enumerate(data.texts):
        writer.add_document(engine.Document(id=number, body=text))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def ask(number: int) -> list[int]:
        query = index.parse_query(data.questions[number], ["body"])
        return [searcher.doc(address)["id"][0] for _, address in searcher.search(query, K).hits]

    return {"keyword": ask}


def bm25s(data: Corpus, _: str) -> dict[str, Ask]:
    import bm25s as engine

    index = engine.BM25()
    index.index([text.split() for text in data.texts], show_progress=False)

    def ask(number: int) -> list[int]:
        found, _ = index.retrieve([data.questions[number].split()], k=K, show_progress=False)
        return [int(row) for row in found[0]]

    return {"keyword": ask}


# The word reference comes first.
PEERS = {"bm25s": bm25s, "tantivy": tantivy, "faiss": faiss_hnsw, "sqlite_vec": sqlite_vec, "chromadb": chroma, "lancedb": lance}  # fmt: skip


def exact(data: Corpus, number: int, narrow: bool) -> set[int]:
    rows = np.flatnonzero(np.isin(data.bases, ONE_PERCENT)) if narrow else np.arange(len(data.vectors))
    return set(rows[np.argsort(-(data.vectors[rows] @ data.question_vectors[number]))[:K]].tolist())


def timed(name: str, ask: Ask, wanted: Callable[[int], set[int]] | None) -> None:
    for number in range(5):
        ask(number)
    walls: list[float] = []
    used = time.process_time()
    for number in range(5, QUERIES):
        started = time.perf_counter()
        ask(number)
        walls.append((time.perf_counter() - started) * 1e3)
    cpu = (time.process_time() - used) / len(walls) * 1e3
    p50, p99 = np.percentile(walls, [50, 99])
    line = f"  {name:26s} p50 {p50:7.2f} ms  p99 {p99:7.2f} ms  CPU {cpu:6.2f} ms"
    if wanted is not None:
        line += f"  agreement {np.mean([len(set(ask(number)) & wanted(number)) / K for number in range(40)]):.3f}"
    print(line, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=14_000)
    count = parser.parse_args().count
    # It would write two lines about each question.
    os.environ.setdefault("LANCE_LOG", "error")
    data = corpus(count)
    print(f"{count} chunks")
    reference: Ask | None = None
    for module, make in PEERS.items():
        try:
            importlib.import_module(module)
        except ImportError:
            print(f"  {module} is not installed")
            continue
        with tempfile.TemporaryDirectory() as folder:
            for what, ask in make(data, folder).items():
                if what == "keyword":
                    reference = reference or ask
                    words = reference
                    timed(f"{module} {what}", ask, lambda number, words=words: set(words(number)))
                elif what == "hybrid":
                    timed(f"{module} {what}", ask, None)
                else:
                    timed(f"{module} {what}", ask, lambda number, what=what: exact(data, number, "%" in what))


if __name__ == "__main__":
    main()
