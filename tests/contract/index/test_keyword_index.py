"""What every `KeywordIndex` does, on both engines, through a real transaction."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from famulus.knowledge.base import Scope
from famulus.knowledge.index.base import NO_FILTERS, Filters, IndexedChunk
from famulus.knowledge.index.hits import KeywordHit
from famulus.knowledge.index.keyword import PostingsIndex
from famulus.store.database import Database
from famulus.text.query import analyse_query

K1 = Scope("t", ("k1",))


def chunk(number: int, text: str, kb: str = "k1", title: str = "", **values: object) -> IndexedChunk:
    fields = {"tenant": "t", "category": None, "media_type": None, "created_at": None, "context": "", **values}
    return IndexedChunk(
        number=number, chunk_id=f"c{number}", knowledge_base_id=kb, document_id=None, title=title, text=text, **fields
    )


class Index:
    """The index with its database, so that a test reads as one line a step."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.index = PostingsIndex()

    async def add(self, *chunks: IndexedChunk) -> None:
        await self.database.write(lambda connection: self.index.add(connection, chunks))

    async def remove(self, *numbers: int, tenant: str = "t") -> None:
        await self.database.write(lambda connection: self.index.remove(connection, tenant, numbers))

    async def hits(self, query: str, scope: Scope = K1, filters: Filters = NO_FILTERS, k: int = 10) -> list[KeywordHit]:
        analysed = analyse_query(query)
        return await self.database.read(
            lambda connection: list(self.index.match(connection, scope, analysed, filters).top(k))
        )

    async def find(self, query: str, scope: Scope = K1, filters: Filters = NO_FILTERS, k: int = 10) -> list[int]:
        return [hit.number for hit in await self.hits(query, scope, filters, k)]


@pytest.fixture
def index(database: Database) -> Index:
    return Index(database)


GERMAN = ["Kündigungsfrist", "kuendigungsfrist", "KÜNDIGUNGSFRIST", "Ku\u0308ndigungsfrist", "Mär"]


@pytest.mark.parametrize("query", GERMAN)
async def test_german_spellings_and_compounds_find_the_rule(index: Index, query: str) -> None:
    await index.add(
        chunk(1, "Die Kündigungsfristenregelung gilt ab 1. März."), chunk(2, "Größe der Straße: 12 m"), chunk(3, "e")
    )
    assert await index.find(query) == [1]


@pytest.mark.parametrize("query", ["GRÖSSE", "groesse", "Größe", "strasse", "Straße", "STRASSE"])
async def test_umlaut_and_sharp_s_spellings_meet(index: Index, query: str) -> None:
    await index.add(chunk(1, "Die Kündigungsfristenregelung gilt ab 1. März."), chunk(2, "Größe der Straße: 12 m"))
    assert await index.find(query) == [2]


async def test_hall_does_not_return_the_letter_e(index: Index) -> None:
    await index.add(chunk(1, "Die Sporthalle ist neu."), chunk(2, "e"))
    assert 2 not in await index.find("Hall")


async def test_a_compound_finds_the_text_that_has_its_parts(index: Index) -> None:
    await index.add(chunk(1, "Die Kündigungsfrist beträgt drei Monate."), chunk(2, "Das Wetter ist schön."))
    assert await index.find("Kündigungsfristenregelung") == [1]


@pytest.mark.parametrize("name", ["MAX_RETRY_COUNT", "ISO 9001", "v2.3.1"])
async def test_exact_identifiers_rank_first(index: Index, name: str) -> None:
    noise = [
        chunk(n, "max retry count iso iso 9001.5 v2 3 1 v2.3.10 count of retry retry max " * 3) for n in range(2, 8)
    ]
    await index.add(
        *noise, chunk(1, f"The setting that a long text about many other things names once is {name} here.")
    )
    hits = await index.hits(f"What is {name}?")
    assert hits[0].number == 1
    assert hits[0].exact


async def test_an_identifier_is_found_by_one_of_its_parts(index: Index) -> None:
    await index.add(chunk(1, "Set MAX_RETRY_COUNT or maxRetryDelay."), chunk(2, "Nothing here."))
    assert await index.find("retry") == [1]


ODD = [
    '"',
    "'; DROP TABLE x;--",
    "NEAR(",
    "a* OR b",
    "col:val",
    "^",
    "{",
    '"unbalanced (quotes',
    "the of and",
    "😀",
    "\x00",
    "%_",
    "",
    "   ",
    "\ud800",
    "kb:K2 OR tenant:*",
]


@pytest.mark.parametrize("query", ODD)
async def test_no_text_is_syntax(index: Index, query: str) -> None:
    await index.add(chunk(1, "Zebra"), chunk(2, "Zebra of another base", kb="k2"))
    assert await index.find(query) == []


async def test_ten_thousand_terms_and_a_megabyte_are_answered(index: Index) -> None:
    await index.add(chunk(1, "Zebra"))
    assert await index.find("zebra " + " ".join(f"w{n}" for n in range(10_000))) == [1]
    assert await index.find("x" * 1_000_000) == []


async def test_chinese_is_found_by_part_of_a_sentence(index: Index) -> None:
    await index.add(chunk(1, "北京是中国的首都。"), chunk(2, "東京は日本の首都です。"))
    assert await index.find("北京") == [1]


async def test_only_the_scope_is_seen(index: Index) -> None:
    await index.add(chunk(1, "zebra"), chunk(2, "zebra", kb="k2"), chunk(3, "zebra", tenant="other"))
    assert await index.find("zebra") == [1]
    assert await index.find("zebra", Scope("t", ("k1", "k2"))) == [1, 2]
    assert await index.find("zebra", Scope("t", ())) == []


async def test_statistics_come_from_the_scope(index: Index) -> None:
    mine = [chunk(1, "zebra stripes"), chunk(2, "lion mane"), chunk(3, "lion paw")]
    await index.add(*mine)
    alone = await index.hits("zebra lion")
    await index.add(*[chunk(n, "zebra", kb="k2") for n in range(4, 60)])
    assert await index.hits("zebra lion") == alone


async def test_removed_chunks_are_gone_in_any_segment(index: Index) -> None:
    for n in range(1, 40):
        await index.add(chunk(n, f"zebra number{n}"))
    await index.remove(*range(1, 39), 777)
    assert await index.find("zebra", k=100) == [39]
    assert await index.find("number7") == []


async def test_removed_words_leave_no_trace(index: Index) -> None:
    await index.add(chunk(1, "Geheimnisträger"), chunk(2, "Bürgermeister"))
    await index.remove(1)
    words = await index.database.read(lambda c: c.exec_driver_sql("SELECT word FROM index_word").scalars().all())
    assert [word for word in words if word.startswith("geheim")] == []
    assert await index.find("Bürgermeister") == [2]


async def test_a_word_stays_known_while_a_living_chunk_has_it(index: Index) -> None:
    await index.add(*[chunk(n, f"Bürgermeister Nummer{n}") for n in range(1, 12)])
    await index.add(chunk(20, "Bürgermeister allein"))
    await index.remove(20)
    await index.remove(1)
    words = await index.database.read(lambda c: c.exec_driver_sql("SELECT word FROM index_word").scalars().all())
    assert sorted(words) == ["burgermeist"]


async def test_merged_segments_find_everything(index: Index) -> None:
    for n in range(1, 101):
        await index.add(chunk(n, f"zebra item{n}", kb=f"k{n % 3}"))
    scope = Scope("t", ("k0", "k1", "k2"))
    segments = await index.database.read(lambda c: c.exec_driver_sql("SELECT count(*) FROM index_segment").scalar())
    assert segments is not None
    assert segments < 20
    assert await index.find("zebra", scope, k=1000) == list(range(1, 101))
    assert [await index.find(f"item{n}", scope) for n in (1, 50, 100)] == [[1], [50], [100]]


async def test_filters_are_part_of_the_search(index: Index) -> None:
    day = datetime(2026, 3, 31, tzinfo=UTC)
    await index.add(
        chunk(1, "zebra", category="animal", media_type="text/plain", created_at=day),
        chunk(2, "zebra", category="crossing", media_type="text/html", created_at=day.replace(year=2025)),
        chunk(3, "zebra"),
    )
    assert await index.find("zebra", filters=Filters(categories=("crossing", "x"))) == [2]
    assert await index.find("zebra", filters=Filters(media_types=("text/plain",))) == [1]
    assert await index.find("zebra", filters=Filters(created_after=day)) == [1]
    assert await index.find("zebra", filters=Filters(created_before=day.replace(year=2025))) == [2]


async def test_a_failed_transaction_leaves_nothing(index: Index) -> None:
    def fail(connection: object) -> None:
        index.index.add(connection, [chunk(1, "zebra")])  # pyright: ignore
        raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        await index.database.write(fail)
    assert await index.find("zebra") == []


async def test_coverage_says_how_much_of_the_question_is_there(index: Index) -> None:
    await index.add(chunk(1, "zebra stripes"), chunk(2, "zebra"), chunk(3, "lion"))
    found = {hit.number: hit.coverage for hit in await index.hits("zebra stripes")}
    assert found[1] == pytest.approx(1.0)
    assert found[2] < 0.6


async def test_a_title_word_counts(index: Index) -> None:
    await index.add(chunk(1, "It is paid monthly.", title="Rent"), chunk(2, "Nothing about it at all."))
    assert await index.find("rent") == [1]


async def test_count_is_of_the_scope(index: Index) -> None:
    await index.add(chunk(1, "a"), chunk(2, "b", kb="k2"), chunk(3, "c"))
    await index.remove(3)
    assert await index.database.read(lambda connection: index.index.count(connection, K1)) == 1
