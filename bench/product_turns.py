"""One agent turn of the product: the same two tools, question and model server as the peers, with the durable log on.

`python product_turns.py BASE_URL [TURNS_AT_ONCE]` measures when it is told to (see `peers/blocks.py`), then runs so many turns at once, and prints
what that took as one JSON line. The tools answer at once, so what is measured is the loop itself: run record, events, gates, wire, citations.
"""

from __future__ import annotations

import asyncio
import json
import resource
import sys
import tempfile
import time
from collections.abc import Collection
from pathlib import Path

import uvloop
from peers.blocks import measure_when_told

QUESTION = "Which service handles the most connections, and how is it tuned?"
TEXT = "chunk 12: connection limits are set by max_conn; default 100. "


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def resident_mb() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 2**20


async def main(base_url: str, crowd: int) -> None:
    before = time.process_time()
    import famulus  # noqa: F401

    imported = time.process_time() - before

    from famulus.agent.execute import RunExecutor
    from famulus.agent.request import RunInput, to_json
    from famulus.agent.run import AgentDeps
    from famulus.app.collector import settle_collector
    from famulus.events.log import EventLog
    from famulus.knowledge.base import Hit, Scope, SearchQuery, SearchResult
    from famulus.knowledge.chunks import ChunkView
    from famulus.knowledge.reader import DocumentInfo, DocumentName, DocumentPage, TextWindow
    from famulus.messages.clock import SystemClock
    from famulus.messages.values import Passage, Principal
    from famulus.models.gateway import Gateway
    from famulus.models.providers.build import build_providers
    from famulus.models.settings import ModelSettings, ProviderSettings
    from famulus.net.client import NetClient
    from famulus.net.policy import EgressPolicy
    from famulus.store.database import open_database
    from famulus.tools.builtin import builtin_tools
    from famulus.tools.gate import Gate
    from famulus.tools.registry import Registry

    passage = Passage("chunk-12", "document", "doc-7", None, "manual.pdf", "kb", TEXT * 10, 0.8, page=3)

    class InstantKnowledge:
        async def search(self, scope: Scope, query: SearchQuery) -> SearchResult:
            return SearchResult((Hit(passage, 0.8, None),), ("keyword",), 0.1)

        async def list(self, scope: Scope, knowledge_base: str | None, offset: int, limit: int) -> DocumentPage:
            return DocumentPage([DocumentInfo("doc-7", "manual.pdf", "docs", "application/pdf", 1000, "ready")], None)

        async def names(self, scope: Scope, limit: int) -> list[DocumentName]:
            return []

        async def warnings(self, scope: Scope, document_ids: Collection[str]) -> dict[str, list[str]]:
            return {}

        async def chunk(self, scope: Scope, chunk_id: str) -> ChunkView:
            raise NotImplementedError

        async def text(self, scope: Scope, document_id: str, offset: int, length: int) -> TextWindow:
            raise NotImplementedError

    folder = tempfile.TemporaryDirectory()
    database = await open_database(Path(folder.name) / "data")
    log = EventLog(database)
    net = NetClient(EgressPolicy(providers=frozenset({base_url})))
    model = ModelSettings("fake", context_window=100_000, tools=True)
    gateway = Gateway(build_providers([ProviderSettings("bench", "openai", base_url, "none", True, (model,))], net))
    knowledge = InstantKnowledge()
    registry = Registry(builtin_tools(searcher=knowledge, reader=knowledge, clock=SystemClock()))
    executor = RunExecutor(AgentDeps(log, log.artifacts, gateway, Gate(registry), SystemClock()))
    await executor.warm_up()
    settle_collector()
    actor = Principal("tenant", "user", "admin")
    request = to_json(RunInput(QUESTION, "bench/fake", knowledge_base_ids=("kb",)))
    await log.register_worker("bench", 600)
    done: dict[str, asyncio.Event] = {}

    async def run(lease: object, run_id: str) -> None:
        await executor.execute(lease, actor, request, [], asyncio.Event())  # type: ignore[arg-type]
        done[run_id].set()

    async def turn() -> str:
        run_id = await log.create(actor, request)
        done[run_id] = asyncio.Event()
        for lease in await log.claim("bench", 1):
            working.add(asyncio.ensure_future(run(lease, lease.run_id)))
        await done[run_id].wait()
        return run_id

    working: set[asyncio.Future[None]] = set()

    async def measure(turns: int, in_flight: int) -> float:
        gate = asyncio.Semaphore(in_flight)
        ids: list[str] = []

        async def one() -> None:
            async with gate:
                ids.append(await turn())

        started = time.process_time()
        await asyncio.gather(*(one() for _ in range(turns)))
        spent = (time.process_time() - started) / turns * 1000
        assert len(ids) == turns
        return spent

    await measure(5, 1)
    events = await log.read("tenant", await turn())
    first = events[-2]
    assert "document 7" in str(first.data["text"]), first
    results = [event.data["status"] for event in events if event.type == "chat.tool-result.v1"]
    assert results == ["succeeded"] * 6, results
    await measure_when_told(measure)
    resident = resident_mb()
    await measure(crowd, crowd)
    record = {"name": "famulus", "import_cpu_s": imported, "at_once": crowd, "growth_mb": peak_mb() - resident}
    print(json.dumps(record), flush=True)
    await gateway.aclose()
    await net.aclose()
    await log.aclose()
    await database.aclose()


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1000))
