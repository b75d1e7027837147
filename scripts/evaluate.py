"""Runs a question set over a folder of documents in this process and prints how good the answers are, per class and language.

    python scripts/evaluate.py [--docs examples/office] [--questions examples/questions.jsonl] [--half odd|even] [--show] [ID …]

Extraction, passages, tools and `builtin/extractive` are the product's own; the search is a small one in memory (`--mode keyword` by words,
`hybrid` with vectors), so that a run takes seconds. `famulus eval` measures the whole stack. Extraction and vectors are kept in `.bench/`.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import math
import pickle
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from famulus.agent.citations import Numbers, check, number
from famulus.agent.prompt import CLOSING
from famulus.app.evaluation import Cited, Question, Verdict, judge, load_questions, render, table
from famulus.errors import FamulusError, NotFound
from famulus.knowledge.base import Hit, Scope, SearchQuery, SearchResult
from famulus.knowledge.chunk import chunk
from famulus.knowledge.chunks import ChunkView
from famulus.knowledge.embed.engine import load
from famulus.knowledge.extract.base import Extracted
from famulus.knowledge.extract.pool import ExtractionPool
from famulus.knowledge.reader import DocumentInfo, DocumentName, DocumentPage, TextWindow
from famulus.knowledge.score import E5, KEYWORD_BIAS, KEYWORD_SLOPE
from famulus.messages.values import Message, Passage, Principal, Text, ToolCall, ToolResult
from famulus.models.base import ModelRequest, ModelResponse
from famulus.models.providers.extractive.provider import ExtractiveProvider
from famulus.testing.clock import FakeClock
from famulus.text.analysis import index_keys, index_language
from famulus.text.query import analyse_query
from famulus.tools.base import SearchDefaults, Tool, ToolContext
from famulus.tools.bounding import encode
from famulus.tools.builtin import builtin_tools

CACHE = Path(".bench/evaluate")
TODAY = datetime(2026, 7, 1, 9, 0, tzinfo=UTC)
ROUNDS = 8
DEPTH = 100
TOOLS = ("search_documents", "get_chunk", "read_document", "list_documents", "calculate", "get_current_datetime")


@dataclass
class Corpus:
    passages: list[Passage]
    index_texts: list[str]
    texts: dict[str, str]


def load_corpus(folder: Path) -> Corpus:
    """The passages of all files of the folder, from the cache where neither files nor code changed."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    code = [*sorted(Path("src/famulus/knowledge/extract").rglob("*.py")), Path("src/famulus/knowledge/chunk.py")]
    mark = hashlib.sha256(b"".join(path.read_bytes() for path in [*files, *code])).hexdigest()[:16]
    cached = CACHE / f"{mark}.corpus"
    if cached.exists():
        return pickle.loads(cached.read_bytes())
    corpus = Corpus([], [], {})
    for path, extracted in asyncio.run(_extracted(files)):
        document_id = f"d-{path.name}"
        corpus.texts[document_id] = extracted.text
        for draft in chunk(extracted):
            passage = Passage(
                f"c-{path.name}-{draft.ord}", "document", document_id, None, path.name, "kb", draft.text, 0.0, draft.page,
                draft.section, draft.start, draft.end,
            )  # fmt: skip
            corpus.passages.append(passage)
            corpus.index_texts.append(draft.index_text)
    CACHE.mkdir(parents=True, exist_ok=True)
    cached.write_bytes(pickle.dumps(corpus))
    return corpus


async def _extracted(files: Sequence[Path]) -> list[tuple[Path, Extracted]]:
    async with ExtractionPool(size=2) as pool:
        return [(path, await pool.extract(path.read_bytes(), path.name)) for path in files]


@dataclass
class Leg:
    """What the words say of one passage: BM25, the share of the query's weight that it holds, and whether it holds every identifier."""

    bm25: float = 0.0
    coverage: float = 0.0
    exact: bool = False


class MemorySearch:
    """BM25 and coverage over the product's own analysis and, with `vectors`, cosines; scored and put in order as the product does."""

    def __init__(self, corpus: Corpus, vectors: Vectors | None = None) -> None:
        self._corpus = corpus
        self._vectors = vectors
        counts = [
            index_keys(f"{re.sub(r'[._-]', ' ', p.document_name)} {text}", index_language(p.text))
            for p, text in zip(corpus.passages, corpus.index_texts, strict=True)
        ]
        self._n = len(counts)
        sizes = [sum(count.values()) for count in counts]
        mean = sum(sizes) / len(sizes)
        self._norms = [1.2 * (0.25 + 0.75 * size / mean) for size in sizes]
        self._postings: dict[str, dict[int, int]] = {}
        for i, count in enumerate(counts):
            for key, times in count.items():
                self._postings.setdefault(key, {})[i] = times

    async def search(self, scope: Scope, query: SearchQuery) -> SearchResult:
        legs = self._keyword(query.text)
        found = set(sorted(legs, key=lambda i: -legs[i].bm25)[:DEPTH])
        cosines: dict[int, float] = {}
        modes: tuple[str, ...] = ("keyword",)
        if self._vectors is not None and query.mode != "keyword":
            cosines = {i: float(value) for i, value in enumerate(await self._vectors.similar(query.text))}
            found |= set(sorted(cosines, key=lambda i: -cosines[i])[:DEPTH])
            modes = ("keyword", "vector")
        placed = [(i, legs.get(i, Leg()), cosines.get(i)) for i in sorted(found)]
        placed.sort(key=lambda item: _order(item[1], item[2]), reverse=True)
        hits = [
            Hit(replace(self._corpus.passages[i], score=round(_score(leg.coverage, cosine), 4)), leg.coverage, cosine)
            for i, leg, cosine in placed[: query.k]
        ]
        return SearchResult(tuple(hits), modes, 0.0)

    def _keyword(self, text: str) -> dict[int, Leg]:
        terms = analyse_query(text).terms
        legs: dict[int, Leg] = {}
        identifiers: Counter[int] = Counter()
        total = 0.0
        for term in terms:
            times: Counter[int] = Counter()
            for form in set(term.forms):
                times.update(self._postings.get(form, {}))
            rarity = math.log1p((self._n - len(times) + 0.5) / (len(times) + 0.5)) * term.weight
            total += rarity
            for i, tf in times.items():
                leg = legs.setdefault(i, Leg())
                leg.bm25 += rarity * tf * 2.2 / (tf + self._norms[i])
                leg.coverage += rarity
                identifiers[i] += term.kind == "identifier"
        asked = sum(term.kind == "identifier" for term in terms)
        for i, leg in legs.items():
            leg.coverage = min(1.0, leg.coverage / total)
            leg.exact = asked > 0 and identifiers[i] == asked
        return legs


def _score(coverage: float, cosine: float | None) -> float:
    if cosine is None:
        return _logistic(KEYWORD_SLOPE * coverage + KEYWORD_BIAS)
    together = E5.joint_coverage * coverage + E5.joint_cosine * cosine + E5.joint_bias
    return max(_logistic(together), _logistic(E5.alone_cosine * (cosine - E5.alone_middle)))


def _order(leg: Leg, cosine: float | None) -> tuple[bool, float]:
    if cosine is None:
        return leg.exact, leg.coverage
    return leg.exact, cosine + E5.order_coverage * leg.coverage


def _logistic(value: float) -> float:
    return 1.0 / (1.0 + math.exp(-value))


class MemoryReader:
    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._by_id = {p.chunk_id: i for i, p in enumerate(corpus.passages)}

    async def chunk(self, scope: Scope, chunk_id: str) -> ChunkView:
        if chunk_id not in self._by_id:
            raise NotFound(f"There is no passage {chunk_id!r}.")
        i = self._by_id[chunk_id]
        passage = self._corpus.passages[i]
        neighbours = [
            self._corpus.passages[j].chunk_id
            if 0 <= j < len(self._corpus.passages) and self._corpus.passages[j].document_id == passage.document_id
            else None
            for j in (i - 1, i + 1)
        ]
        return ChunkView(passage, neighbours[0], neighbours[1])

    async def list(self, scope: Scope, knowledge_base: str | None, offset: int, limit: int) -> DocumentPage:
        names = sorted(self._corpus.texts)
        return DocumentPage(
            [DocumentInfo(i, i[2:], "kb", "text/plain", 1, "ready") for i in names[offset : offset + limit]], None
        )

    async def text(self, scope: Scope, document_id: str, offset: int, length: int) -> TextWindow:
        text = self._corpus.texts[document_id]
        end = offset + length
        touched = [
            p for p in self._corpus.passages if p.document_id == document_id and p.start < end and p.end > offset
        ]
        return TextWindow(document_id, document_id[2:], text[offset:end], offset, len(text), touched)

    async def warnings(self, scope: Scope, document_ids: Collection[str]) -> dict[str, Sequence[str]]:
        return {}

    async def names(self, scope: Scope, limit: int) -> Sequence[DocumentName]:
        return [DocumentName(i, i[2:], "kb") for i in self._corpus.texts]


@dataclass
class Trace:
    answer: str
    passages: dict[int, Passage]
    calls: list[tuple[int, ToolCall, str]]
    rounds: int


async def run(question: str, tools: dict[str, Tool], provider: ExtractiveProvider) -> Trace:
    """The agent's loop in short: model, calls, numbered results, until there is an answer."""
    context = ToolContext(
        Principal("t", "u"), "r", Scope("t", ("kb",)), "Europe/Zurich", "builtin/extractive", SearchDefaults()
    )
    system = Message("system", (Text("You are Famulus. Now: Wednesday, 2026-07-01, 11:00, time zone Europe/Zurich."),))
    messages: list[Message] = [system, Message("user", (Text(question),))]
    numbers = Numbers()
    calls: list[tuple[int, ToolCall, str]] = []
    for round in range(1, ROUNDS + 1):
        offer = tuple(tools[name].schema for name in TOOLS) if round < ROUNDS else ()
        if not offer:
            messages[0] = Message("system", (*system.parts, Text("\n\n" + CLOSING)))
        response = await ask(provider, ModelRequest("builtin/extractive", tuple(messages), offer))
        if not response.calls:
            return Trace(response.text, numbers.passages, calls, round)
        messages.append(Message("assistant", response.calls))
        assert len(response.calls) <= 8, "too many calls in one round"
        for call in response.calls:
            content = await execute(tools, context, call, numbers)
            calls.append((round, call, content))
            messages.append(Message("tool", (ToolResult(call.call_id, call.tool, content),)))
    raise AssertionError("no answer")


async def ask(provider: ExtractiveProvider, request: ModelRequest) -> ModelResponse:
    async for item in provider.stream(request):
        if isinstance(item, ModelResponse):
            return item
    raise AssertionError("no response")


async def execute(tools: dict[str, Tool], context: ToolContext, call: ToolCall, numbers: Numbers) -> str:
    try:
        output = await tools[call.tool].handler(context, call.arguments or {})
    except FamulusError as error:
        return encode({"error": str(error)})
    for n, passage in numbers.take(output.passages):
        numbers.add(n, passage)
    data = number(output.data, numbers.by_chunk)
    assert isinstance(data, dict)
    return encode({"untrusted": True} | data)


async def evaluate(questions: list[Question], corpus: Corpus, vectors: Vectors | None) -> list[tuple[Verdict, Trace]]:
    found: list[tuple[Verdict, Trace]] = []
    built = builtin_tools(searcher=MemorySearch(corpus, vectors), reader=MemoryReader(corpus), clock=FakeClock(TODAY))
    tools = {tool.name: tool for tool in built}
    provider = ExtractiveProvider(vectors.closeness if vectors is not None else None)
    for question in questions:
        trace = await run(question.question, tools, provider)
        checked = check(trace.answer, trace.passages)
        cited = [Cited(trace.passages[s.n].document_name, trace.passages[s.n].text) for s in checked.sources]
        found.append((judge(question, trace.answer, cited, len(checked.unsupported)), trace))
    return found


class Vectors:
    """The embedder over one folder. What was embedded once is kept on disk, for it does not change."""

    def __init__(self, corpus: Corpus) -> None:
        self._file = CACHE / "vectors.pickle"
        self._known: dict[str, Any] = pickle.loads(self._file.read_bytes()) if self._file.exists() else {}
        self._engine: Any = None
        self._new = 0
        passages = [f"passage: {text}" for text in corpus.index_texts]
        self._matrix = np.asarray(self._vectors(passages, lambda missing: self._loaded().embed_texts(missing)))

    async def similar(self, query: str) -> Any:
        """Cosines of the query with each passage."""
        return self._matrix @ self._questions([query])[0]

    async def closeness(self, question: str, sentences: Sequence[str]) -> list[float]:
        """Cosines of sentences with a question."""
        passages = [f"passage: {text}" for text in sentences]
        asked = self._questions([question])[0]
        return [
            float(row @ asked)
            for row in self._vectors(passages, lambda missing: self._loaded().embed_questions(missing))
        ]

    def save(self) -> None:
        if self._new:
            self._file.write_bytes(pickle.dumps(self._known))

    def _questions(self, texts: Sequence[str]) -> list[Any]:
        return self._vectors(
            [f"query: {text}" for text in texts], lambda missing: self._loaded().embed_questions(missing)
        )

    def _loaded(self) -> Any:
        self._engine = self._engine or load(CACHE / "embedder", 2)
        return self._engine

    def _vectors(self, texts: Sequence[str], embed: Callable[[list[str]], Any]) -> list[Any]:
        missing = [text for text in dict.fromkeys(texts) if text not in self._known]
        if missing:
            self._known |= dict(zip(missing, np.asarray(embed(missing)), strict=True))
            self._new += len(missing)
        return [self._known[text] for text in texts]


def show(verdict: Verdict, trace: Trace, verbose: bool) -> None:
    question = verdict.question
    flags = f"cited={verdict.cited} keywords={verdict.keywords} refused={verdict.refused} rounds={trace.rounds}"
    print(f"\n--- {question.id} {question.kind} {flags}\n    {question.question}")
    print("    expect:", [place.passage for places in question.expect for place in places], question.keywords)
    if verbose:
        for round, call, content in trace.calls:
            print(f"    {round} {call.tool} {call.arguments} -> {content[:160]!r}")
    print("    " + verdict.answer.replace("\n", "\n    "))


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures builtin/extractive on a question set.")
    parser.add_argument("ids", nargs="*")
    parser.add_argument("--docs", type=Path, default=Path("examples/office"))
    parser.add_argument("--questions", type=Path, default=Path("examples/questions.jsonl"))
    parser.add_argument("--half", choices=("odd", "even"))
    parser.add_argument("--mode", choices=("keyword", "hybrid"), default="hybrid")
    parser.add_argument("--show", action="store_true", help="print the answers that are not right")
    parser.add_argument("--all", action="store_true", help="print every answer")
    parser.add_argument("--verbose", action="store_true", help="with the calls")
    options = parser.parse_args()
    questions = load_questions(options.questions)
    if options.half:
        questions = [q for q in questions if int(re.sub(r"\D", "", q.id)) % 2 == (options.half == "odd")]
    if options.ids:
        questions = [q for q in questions if q.id in options.ids]
    corpus = load_corpus(options.docs)
    vectors = Vectors(corpus) if options.mode == "hybrid" else None
    started = time.perf_counter()
    results = asyncio.run(evaluate(questions, corpus, vectors))
    if vectors is not None:
        vectors.save()
    for verdict, trace in results:
        if options.all or options.ids or (options.show and not verdict.right):
            show(verdict, trace, options.verbose)
    print(f"\n{render(table(verdict for verdict, _ in results))}")
    print(
        f"{time.perf_counter() - started:.1f} s, mode {options.mode}, not right: {[v.question.id for v, _ in results if not v.right]}",
        file=sys.stderr,
    )


if __name__ == "__main__":
    main()
