"""Builds all rooms from one `Settings` and takes them down again. The one place that knows every room.

What is opened last is closed first: the worker hands its work back before the log and the store are closed.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa

from famulus.agent.execute import RunExecutor
from famulus.agent.request import Budget
from famulus.agent.run import AgentDeps
from famulus.app.adapters import GateWebClient, ModelSummariser, RunWork
from famulus.app.conversations import Conversations
from famulus.app.documents import Documents
from famulus.app.facts import Facts
from famulus.app.famulus import Famulus
from famulus.app.health import parts_of
from famulus.app.knowledge_bases import KnowledgeBases
from famulus.app.models import Models
from famulus.app.providers import ModelRoom, open_models
from famulus.app.removal import FREE_JOB, Removal
from famulus.app.runs import Runs
from famulus.app.upkeep import UPKEEP_JOB, Upkeep
from famulus.auth.accounts import Accounts
from famulus.config import Settings
from famulus.errors import ConfigError
from famulus.events.log import EventLog
from famulus.jobs.queue import Job, JobQueue
from famulus.jobs.worker import Worker
from famulus.knowledge.bases import Bases
from famulus.knowledge.chunks import passages_by_number
from famulus.knowledge.closeness import SentenceCloseness
from famulus.knowledge.embed.e5 import E5Embedder
from famulus.knowledge.extract.pool import ExtractionPool
from famulus.knowledge.index.keyword import PostingsIndex
from famulus.knowledge.index.vectors import BitVectorIndex
from famulus.knowledge.ingest import READ_JOB, Ingest
from famulus.knowledge.pending import EMBED_JOB, enqueue_stale
from famulus.knowledge.reader import Reader
from famulus.knowledge.search import Searcher
from famulus.messages.clock import SystemClock
from famulus.messages.values import JsonObject
from famulus.models.spend import Spend
from famulus.policy.limits import Limits
from famulus.store.blobs import BlobStore, blob_store
from famulus.store.database import Database, open_database
from famulus.tools.builtin import builtin_tools
from famulus.tools.gate import Gate
from famulus.tools.registry import Registry

BUILTIN_EMBEDDER: Final = "builtin/multilingual-e5-small"
# The worker waits as long for a stopped task as the loop needs to write its ending, and a little more.
_STOP_GRACE_S: Final = 1.0


@asynccontextmanager
async def build(settings: Settings, *, worker: bool = True) -> AsyncGenerator[Famulus]:
    """The product over these settings. `worker` also works on queued runs and documents in this process.

    Raises ConfigError (data folder foreign or in use, database unreachable) and NeedsUpgrade.
    """
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(await _open_store(settings))
        blobs = blob_store(database, None if settings.database_url else settings.data / "blobs")
        log = EventLog(database, blobs=blobs)
        stack.push_async_callback(log.aclose)
        embedder = _embedder(settings)
        if embedder is not None:
            stack.push_async_callback(embedder.aclose)
        # What the built-in model makes of a cosine was fitted on this embedder; with any other, words decide.
        measure = SentenceCloseness(embedder) if isinstance(embedder, E5Embedder) else None
        models = await open_models(settings, measure)
        stack.push_async_callback(models.aclose)
        rooms = Rooms(settings, database, blobs, log, models, _limits(settings), JobQueue(database))
        knowledge = await _build_knowledge(stack, rooms, embedder)
        registry = _build_tools(rooms, knowledge)
        famulus = _build_use_cases(rooms, knowledge, registry)
        if worker:
            await stack.enter_async_context(_build_worker(rooms, knowledge, registry))
            await _upkeep(rooms, knowledge).book()
            await _book_missing_vectors(rooms, knowledge)
        yield famulus


@dataclass(frozen=True, slots=True)
class Rooms:
    """What everything else is built from."""

    settings: Settings
    database: Database
    blobs: BlobStore
    log: EventLog
    models: ModelRoom
    limits: Limits
    queue: JobQueue

    def enqueue(self, connection: sa.Connection, tenant: str, kind: str, key: str, payload: JsonObject) -> None:
        self.queue.enqueue_in(connection, tenant, kind, key, payload)


@dataclass(frozen=True, slots=True)
class Knowledge:
    bases: Bases
    reader: Reader
    ingest: Ingest
    extraction: ExtractionPool
    searcher: Searcher
    embedder: E5Embedder | None


async def _open_store(settings: Settings) -> Database:
    url = settings.database_url
    return await open_database(settings.data if url is None else url.get_secret_value())


def _limits(settings: Settings) -> Limits:
    agent = settings.agent
    return Limits(rounds=agent.max_rounds, calls_per_round=agent.max_calls_per_round, stop_grace_s=_STOP_GRACE_S)


async def _build_knowledge(stack: AsyncExitStack, rooms: Rooms, embedder: E5Embedder | None) -> Knowledge:
    extraction = await stack.enter_async_context(ExtractionPool(scratch=rooms.settings.data / "tmp"))
    keywords, vectors = PostingsIndex(), BitVectorIndex()
    ingest = Ingest(rooms.database, rooms.blobs, extraction, keywords, vectors, embedder, rooms.enqueue)
    searcher = Searcher(rooms.database, keywords, vectors, embedder, passages_by_number)
    return Knowledge(Bases(rooms.database), Reader(rooms.database), ingest, extraction, searcher, embedder)


def _embedder(settings: Settings) -> E5Embedder | None:
    embedding = settings.embedding
    if embedding.model == "off":
        return None
    if embedding.model != BUILTIN_EMBEDDER:
        raise ConfigError(f"embedding.model: {embedding.model!r} is not known; use {BUILTIN_EMBEDDER!r} or 'off'")
    return E5Embedder(settings.data / "models", idle_release_s=embedding.idle_release_s)


def _build_tools(rooms: Rooms, knowledge: Knowledge) -> Registry:
    return Registry(
        builtin_tools(
            searcher=knowledge.searcher,
            reader=knowledge.reader,
            clock=SystemClock(),
            summariser=ModelSummariser(rooms.models.gateway),
            web=GateWebClient(rooms.models.net),
            web_engine=rooms.settings.tools.web_search,
            limits=rooms.limits,
        )
    )


def _build_use_cases(rooms: Rooms, knowledge: Knowledge, registry: Registry) -> Famulus:
    settings, database = rooms.settings, rooms.database
    removal = _removal(rooms, knowledge)
    models = Models(rooms.models.gateway, settings.agent.model, lambda _: Spend())
    runs = Runs(
        rooms.log,
        knowledge.bases,
        models,
        registry,
        rooms.limits,
        default_budget=_budget(settings),
        web_for_members=settings.tools.access_mode == "all-users",
    )
    return Famulus(
        settings=settings,
        database=database,
        accounts=Accounts(database, session_days=settings.server.session_days),
        knowledge_bases=KnowledgeBases(database, removal),
        documents=Documents(
            database, rooms.blobs, knowledge.bases, knowledge.reader, removal, knowledge.extraction, rooms.enqueue
        ),
        facts=Facts(database, knowledge.bases, knowledge.ingest),
        conversations=Conversations(database, rooms.log, runs),
        runs=runs,
        models=models,
        searcher=knowledge.searcher,
        registry=registry,
        parts=parts_of(settings),
        notices=rooms.models.notices,
    )


def _upkeep(rooms: Rooms, knowledge: Knowledge) -> Upkeep:
    return Upkeep(rooms.database, rooms.blobs, rooms.queue, knowledge.ingest, rooms.settings.data)


def _removal(rooms: Rooms, knowledge: Knowledge) -> Removal:
    return Removal(rooms.database, rooms.blobs, knowledge.ingest, rooms.enqueue)


def _budget(settings: Settings) -> Budget | None:
    amount = settings.agent.budget_amount
    return None if amount is None else Budget(amount, settings.agent.budget_currency)


def _build_worker(rooms: Rooms, knowledge: Knowledge, registry: Registry) -> Worker:
    deps = AgentDeps(
        log=rooms.log,
        artifacts=rooms.log.artifacts,
        gateway=rooms.models.gateway,
        gate=Gate(registry, limits=rooms.limits),
        clock=rooms.log.clock,
        documents=knowledge.reader,
        limits=rooms.limits,
    )

    upkeep, removal = _upkeep(rooms, knowledge), _removal(rooms, knowledge)

    async def read(job: Job) -> None:
        try:
            await knowledge.ingest.read(job.tenant, job.payload)
        except Exception:
            if job.last_attempt:
                await knowledge.ingest.give_up(job.tenant, job.payload)
            raise

    async def embed(job: Job) -> None:
        await knowledge.ingest.embed(job.tenant, job.payload)

    async def free(job: Job) -> None:
        await removal.free_booked(job.payload)

    async def put_right(job: Job) -> None:
        await upkeep.run()

    return Worker(
        rooms.log,
        rooms.queue,
        RunWork(rooms.log, RunExecutor(deps)),
        {READ_JOB: read, EMBED_JOB: embed, FREE_JOB: free, UPKEEP_JOB: put_right},
        max_runs=rooms.settings.limits.runs_at_once,
    )


async def _book_missing_vectors(rooms: Rooms, knowledge: Knowledge) -> None:
    """After a first start with vectors, or with another embedder, every base gets new ones in the background."""
    embedder = knowledge.embedder
    if embedder is not None:
        await rooms.database.write(lambda connection: enqueue_stale(connection, embedder.identity, rooms.enqueue))
