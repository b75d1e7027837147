"""A small library on a real database: real bases, documents and facts; extraction and indexes are recorded fakes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
import sqlalchemy as sa
from numpy.typing import NDArray

from famulus.app.documents import Documents, Incoming
from famulus.app.facts import Facts
from famulus.app.knowledge_bases import KnowledgeBases
from famulus.app.removal import FREE_JOB, Removal
from famulus.errors import ExtractionFailed
from famulus.knowledge.base import Scope
from famulus.knowledge.extract.base import Block, Extracted, Rect
from famulus.knowledge.index.base import NO_FILTERS, Filters, IndexedChunk
from famulus.knowledge.index.hits import NO_VECTOR_HITS, VectorHits
from famulus.knowledge.index.prepared import Prepared
from famulus.knowledge.ingest import READ_JOB, Ingest
from famulus.knowledge.pending import EMBED_JOB
from famulus.knowledge.reader import Reader
from famulus.knowledge.uploads import OnConflict
from famulus.messages.values import JsonObject, Principal
from famulus.store.blobs import blob_store
from famulus.store.database import Database

OWNER = Principal("tenant-a", "user-a", "admin")
STRANGER = Principal("tenant-b", "user-b", "admin")
COLLEAGUE = Principal("tenant-a", "user-c", "member")


@dataclass
class RecordedIndex:
    """Holds what a real index would find: the numbers that are in it."""

    numbers: dict[int, str] = field(default_factory=dict)

    def add(self, connection: sa.Connection, chunks: Sequence[IndexedChunk]) -> None:
        self.numbers |= {chunk.number: chunk.text for chunk in chunks}

    def stage(self, connection: sa.Connection, tenant: str, name: str, segment: Prepared) -> None:
        raise NotImplementedError("no document of these tests is that large")

    def stage_words(self, connection: sa.Connection, tenant: str, keys: Sequence[str]) -> None:
        raise NotImplementedError("no document of these tests is that large")

    def reveal(self, connection: sa.Connection, tenant: str, name: str) -> int:
        raise NotImplementedError("no document of these tests is that large")

    def discard(self, connection: sa.Connection, tenant: str, beginning: str) -> None:
        pass

    def remove(self, connection: sa.Connection, tenant: str, numbers: Sequence[int]) -> None:
        for number in numbers:
            self.numbers.pop(number, None)

    def count(self, connection: sa.Connection, scope: Scope) -> int:
        return len(self.numbers)


class RecordedVectors:
    def __init__(self) -> None:
        self.numbers: dict[int, str] = {}

    def add(
        self, connection: sa.Connection, model: str, chunks: Sequence[IndexedChunk], vectors: NDArray[np.float32]
    ) -> None:
        self.numbers |= {chunk.number: model for chunk in chunks}

    def remove(self, connection: sa.Connection, tenant: str, numbers: Sequence[int]) -> None:
        for number in numbers:
            self.numbers.pop(number, None)

    def search(
        self,
        connection: sa.Connection,
        scope: Scope,
        model: str,
        vector: NDArray[np.float32],
        k: int,
        filters: Filters = NO_FILTERS,
        also: Sequence[int] | NDArray[np.int64] = (),
    ) -> VectorHits:
        return NO_VECTOR_HITS

    def count(self, connection: sa.Connection, scope: Scope, model: str) -> int:
        return len(self.numbers)


class CountingEmbedder:
    identity = "counting"
    dim = 2

    def __init__(self) -> None:
        self.texts: list[str] = []

    async def embed_queries(self, texts: list[str]) -> NDArray[np.float32]:
        return np.ones((len(texts), 2), dtype=np.float32)

    async def embed_passages(self, texts: list[str]) -> NDArray[np.float32]:
        self.texts += texts
        return np.ones((len(texts), 2), dtype=np.float32)


class TextExtraction:
    """One block for each paragraph; a file with no visible character is `empty`."""

    async def extract(self, data: bytes, name: str, media_type: str | None) -> Extracted:
        text = data.decode()
        if not text.strip():
            raise ExtractionFailed(f"{name!r} holds no text; check that it is the right file.", code="empty")
        blocks: list[Block] = []
        start = 0
        for paragraph in text.split("\n\n"):
            blocks.append(Block(start, start + len(paragraph), "text"))
            start += len(paragraph) + 2
        return Extracted(text, tuple(blocks), None, "en", (), "text/plain", "test")


class NoLocator:
    async def locate(self, pdf_bytes: bytes, page: int, quote: str, name: str = "") -> list[Rect]:
        return []


class Library:
    def __init__(self, database: Database, folder: Path) -> None:
        self.jobs: list[tuple[str, str, JsonObject]] = []
        self.keywords, self.vectors, self.embedder = RecordedIndex(), RecordedVectors(), CountingEmbedder()
        self.database = database
        self.blobs = blob_store(database, folder / "blobs" if database.dialect == "sqlite" else None)
        self.ingest = Ingest(
            database, self.blobs, TextExtraction(), self.keywords, self.vectors, self.embedder, self._enqueue
        )
        self.removal = Removal(database, self.blobs, self.ingest, self._enqueue)
        self.reader = Reader(database)
        self.bases = KnowledgeBases(database, self.removal)
        self.facts = Facts(database, self.bases, self.ingest)
        self.documents = Documents(
            database, self.blobs, self.bases, self.reader, self.removal, NoLocator(), self._enqueue
        )
        self._folder = folder

    def _enqueue(self, connection: sa.Connection, tenant: str, kind: str, key: str, payload: JsonObject) -> None:
        if (tenant, kind, payload) not in self.jobs:
            self.jobs.append((tenant, kind, payload))

    async def put(self, base_id: str, name: str, text: str, on_conflict: OnConflict = "replace") -> str:
        """Uploads one file as the owner and returns its document's id."""
        file = self._folder / f"upload-{len(list(self._folder.iterdir()))}"
        file.write_text(text)
        [result] = await self.documents.add(OWNER, base_id, [Incoming(name, file)], on_conflict)
        assert result.document_id is not None, result.error
        return result.document_id

    async def work(self) -> None:
        """Does all booked jobs, as a worker would."""
        while self.jobs:
            tenant, kind, payload = self.jobs.pop(0)
            if kind == FREE_JOB:
                await self.removal.free_booked(payload)
            else:
                await {READ_JOB: self.ingest.read, EMBED_JOB: self.ingest.embed}[kind](tenant, payload)

    def found(self) -> list[str]:
        """The texts that a search could find, sorted."""
        return sorted(self.keywords.numbers.values())


@pytest.fixture
async def library(database: Database, tmp_path: Path) -> Library:
    folder = tmp_path / "library"
    folder.mkdir()
    return Library(database, folder)


@pytest.fixture
async def base_id(library: Library) -> str:
    return (await library.bases.create(OWNER, "Docs")).id
