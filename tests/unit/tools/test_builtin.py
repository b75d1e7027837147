"""The built-in tools through the gate's arguments and their protocols."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from famulus.errors import NotFound, ToolError
from famulus.knowledge.base import Scope
from famulus.testing.agent import ANNA, LEASE
from famulus.testing.clock import FakeClock
from famulus.testing.memory_knowledge import MemoryKnowledge, Stored
from famulus.tools.base import SearchDefaults, ToolContext
from famulus.tools.builtin import builtin_tools
from famulus.tools.builtin.search import excerpt
from famulus.tools.builtin.summarise import pick_sentences
from famulus.tools.ports import Summary

CLOCK = FakeClock(datetime(2026, 3, 31, 23, 30, tzinfo=UTC))
CONTEXT = ToolContext(ANNA, "run-1", Scope("tenant-1", ("kb-1",)), "Europe/Zurich", "m")
KNOWLEDGE = MemoryKnowledge(
    LEASE,
    Stored("kb-1", "d-2025", "Travel Policy 2025.pdf", "Train."),
    Stored("kb-1", "d-2026", "Travel Policy 2026.pdf", "Plane."),
    Stored("kb-1", "d-nfc", "Übersicht.md", "Overview."),
)


async def use(asked: str, context: ToolContext = CONTEXT, /, **arguments: object) -> object:
    tools = {tool.name: tool for tool in builtin_tools(searcher=KNOWLEDGE, reader=KNOWLEDGE, clock=CLOCK)}
    return (await tools[asked].handler(context, arguments)).data


async def test_clock_answers_in_the_user_s_zone_and_in_the_one_asked_for() -> None:
    assert await use("get_current_datetime") == {
        "datetime": "2026-04-01T01:30:00+02:00",
        "date": "2026-04-01",
        "time": "01:30",
        "weekday": "Wednesday",
        "timezone": "Europe/Zurich",
        "utc": "2026-03-31T23:30:00Z",
    }
    assert (await use("get_current_datetime", timezone="Asia/Tokyo"))["date"] == "2026-04-01"


async def test_clock_refuses_what_is_no_zone() -> None:
    with pytest.raises(ToolError, match="'Mars/X' is not a time zone"):
        await use("get_current_datetime", timezone="Mars/X")


async def test_search_hit_carries_ids_score_and_a_short_excerpt() -> None:
    found = await use("search_documents", query="notice period")
    hit = found["hits"][0]
    assert set(hit) == {"chunk_id", "document_id", "document", "section", "score", "excerpt"}
    assert hit["document"] == "lease.md"
    assert len(hit["excerpt"]) <= 400


async def test_search_that_finds_nothing_says_what_to_try() -> None:
    assert "Try other words" in (await use("search_documents", query="zzz"))["note"]


async def test_model_cannot_widen_the_categories_that_the_caller_chose() -> None:
    context = ToolContext(ANNA, "r", CONTEXT.scope, "UTC", "m", SearchDefaults(3, 0.3, ("hr",)))
    KNOWLEDGE.searches.clear()
    await use("search_documents", context, query="notice", categories=["hr", "law"], score_threshold=0.1)
    await use("search_documents", context, query="notice", categories=["law"])
    assert [(query.categories, query.k, query.score_threshold) for _, query in KNOWLEDGE.searches] == [
        (("hr",), 3, 0.3)
    ]


async def test_document_is_read_window_by_window() -> None:
    first = await use("read_document", document_id="doc-lease", length=30)
    assert (first["offset"], first["length"], first["next_offset"]) == (0, 30, 30)
    rest = await use("read_document", document_id="doc-lease", offset=30)
    assert first["text"] + rest["text"] == LEASE.text
    assert "next_offset" not in rest
    assert [passage["chunk_id"] for passage in rest["passages"]] == ["doc-lease#0", "doc-lease#1"]


@pytest.mark.parametrize("name", ["lease.md", "Lease", "LEASE.MD", "lease.pdf", "leas-e"])
async def test_document_is_found_by_an_exact_or_close_unique_name(name: str) -> None:
    assert (await use("read_document", name=name))["document_id"] == "doc-lease"


async def test_name_is_compared_in_one_normal_form() -> None:
    assert (await use("read_document", name="U\u0308bersicht.md"))["document_id"] == "d-nfc"


async def test_ambiguous_name_gives_the_candidates() -> None:
    found = await use("read_document", name="travel policy")
    assert [item["document_id"] for item in found["candidates"]] == ["d-2025", "d-2026"]


async def test_read_needs_an_id_or_a_name() -> None:
    with pytest.raises(ToolError, match="document_id or name"):
        await use("read_document")


async def test_list_goes_on_from_its_offset() -> None:
    listed = await use("list_documents", offset=2)
    assert [item["document"] for item in listed["documents"]] == ["Travel Policy 2026.pdf", "Übersicht.md"]


async def test_chunk_knows_its_neighbours() -> None:
    found = await use("get_chunk", chunk_id="doc-lease#1")
    assert (found["previous"], "next" in found) == ("doc-lease#0", False)


async def test_summary_without_a_model_picks_sentences_about_the_focus() -> None:
    found = await use("summarise_chunks", chunk_ids=["doc-lease#0", "doc-lease#1"], focus="deposit")
    assert found["method"] == "extract"
    assert "deposit" in found["summary"]
    assert [chunk["chunk_id"] for chunk in found["chunks"]] == ["doc-lease#0", "doc-lease#1"]


@pytest.mark.parametrize(("written", "told"), [("about b", ("about b", "model")), (" \n", ("a", "extract"))])
async def test_summary_says_who_wrote_it(written: str, told: tuple[str, str]) -> None:
    class Model:
        async def summarise(self, context: ToolContext, texts: object, focus: str) -> Summary:
            return Summary(written)

    tools = builtin_tools(searcher=KNOWLEDGE, reader=KNOWLEDGE, clock=CLOCK, summariser=Model())
    summarise = next(tool for tool in tools if tool.name == "summarise_chunks")
    data = (await summarise.handler(CONTEXT, {"texts": ["a"], "focus": "b"})).data
    assert (data["summary"], data["method"]) == told


async def test_summary_of_a_passage_outside_the_scope_is_not_found() -> None:
    with pytest.raises(NotFound):
        await use("summarise_chunks", chunk_ids=["doc-secret#0"])


def test_excerpt_begins_where_the_words_are() -> None:
    text = "x " * 600 + "the notice period is three months " + "y " * 600
    found = excerpt(text, "notice period", 400)
    assert "notice period is three months" in found
    assert len(found) <= 400


def test_excerpt_holds_the_sentence_rather_than_many_mentions_of_one_word() -> None:
    text = "The company pays. The company asks. The company waits. " * 12 + "Holiday is 30 days a year. " + "y " * 600
    assert "Holiday is 30 days a year." in excerpt(text, "The company gives 30 days of holiday a year", 400)


def test_picked_sentences_are_bounded() -> None:
    assert len(pick_sentences(["word " * 2_000], "word")) <= 1_200
