"""A document of many passages is indexed in parts: nobody waits for it, and nothing of it is seen before all of it is there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import pytest
import sqlalchemy as sa

from famulus.knowledge.base import Scope
from famulus.knowledge.documents import read_document
from famulus.knowledge.extract.base import Block, Extracted
from famulus.knowledge.index.keyword import PostingsIndex
from famulus.knowledge.index.vectors import BitVectorIndex
from famulus.knowledge.ingest import AT_ONCE, Ingest
from famulus.knowledge.uploads import Upload, add_document
from famulus.store.database import Database
from famulus.testing.crash import CrashDatabase, KillSwitch
from famulus.text.query import analyse_query

PASSAGES = AT_ONCE + 100
SCOPE = Scope("t", ("k",))
T = TypeVar("T")


class Parts:
    """Extracts sections that are one passage each; also the originals."""

    async def read(self, sha256: str) -> bytes:
        return b""

    async def extract(self, data: bytes, name: str, media_type: str | None) -> Extracted:
        sections = [f"Common word{n} " + "filler " * 120 for n in range(PASSAGES)]
        blocks, at = [], 0
        for n, section in enumerate(sections):
            blocks.append(Block(at, at + len(section), "text", section=(f"s{n}",)))
            at += len(section) + 1
        return Extracted("\n".join(sections), tuple(blocks), None, "en", (), "text/plain", "test")


class Watched(CrashDatabase):
    """Another writer and a search between all writes of the ingest; dies before the write of a number."""

    def __init__(self, database: Database, keywords: PostingsIndex, dies_at: int = 0) -> None:
        super().__init__(database, KillSwitch())
        self._keywords, self._dies_at = keywords, dies_at
        self.writes = 0
        self.found: list[int] = []

    async def write(self, function: Callable[[sa.Connection], T], *, idempotent: bool = False) -> T:
        self.writes += 1
        if self.writes == self._dies_at:
            raise ConnectionAbortedError
        value = await self._database.write(function)
        await self._database.write(lambda c: c.execute(sa.text("UPDATE knowledge_base SET description = 'seen'")))
        self.found.append(await self._database.read(lambda c: found(c, self._keywords)))
        return value


def found(connection: sa.Connection, keywords: PostingsIndex) -> int:
    return len(keywords.match(connection, SCOPE, analyse_query("common")).top(10_000))


def ingest(database: Database, keywords: PostingsIndex) -> Ingest:
    return Ingest(database, Parts(), Parts(), keywords, BitVectorIndex(), None, lambda *_: None)


async def put(database: Database) -> dict[str, Any]:
    base = (
        "INSERT INTO knowledge_base (tenant, id, owner, name, created_at, updated_at) VALUES ('t', 'k', 'o', 'n', 0, 0)"
    )

    def add(connection: sa.Connection) -> str:
        connection.execute(sa.text(base))
        return add_document(connection, "t", "k", Upload("a.txt", "a.txt", 1, "x"), "skip").document_id

    return {"document": await database.write(add), "revision": 1}


async def test_others_write_while_a_large_document_is_indexed_and_nobody_sees_a_part_of_it(database: Database) -> None:
    payload, keywords = await put(database), PostingsIndex()
    watched = Watched(database, keywords)
    await ingest(watched, keywords).read("t", payload)
    assert len(watched.found) > 4
    assert watched.found == [0] * (len(watched.found) - 1) + [PASSAGES]


@pytest.mark.parametrize("dies_at", range(3, 8))
async def test_killed_at_any_write_a_large_document_is_not_seen_and_the_next_reading_leaves_nothing_behind(
    database: Database, dies_at: int
) -> None:
    payload, keywords = await put(database), PostingsIndex()
    with pytest.raises(ConnectionAbortedError):
        await ingest(Watched(database, keywords, dies_at), keywords).read("t", payload)
    assert await database.read(lambda c: found(c, keywords)) == 0
    await ingest(database, keywords).read("t", payload)
    assert await database.read(lambda c: found(c, keywords)) == PASSAGES
    kinds = await database.read(lambda c: c.execute(sa.text("SELECT kind, rows FROM index_segment")).all())
    assert [tuple(row) for row in kinds] == [("words", PASSAGES)]


@pytest.mark.parametrize("by", ["the job's last attempt", "upkeep"])
async def test_a_large_document_that_is_given_up_leaves_no_words_behind(database: Database, by: str) -> None:
    payload, keywords = await put(database), PostingsIndex()
    with pytest.raises(ConnectionAbortedError):
        await ingest(Watched(database, keywords, 7), keywords).read("t", payload)
    if by == "upkeep":
        assert await database.write(lambda c: ingest(database, keywords).fail_abandoned(c, set())) == 1
    else:
        await ingest(database, keywords).give_up("t", payload)
    left = "SELECT (SELECT count(*) FROM index_word) + (SELECT count(*) FROM index_block)"
    assert await database.read(lambda c: c.execute(sa.text(left)).scalar()) == 0
    document = await database.read(lambda c: read_document(c, "t", payload["document"]))
    assert document.status == "failed"
