"""Chunks: exact slices that cover the text, start at headings, and never cut rows or fences that fit."""

from __future__ import annotations

import time

from hypothesis import given, settings
from hypothesis import strategies as st

from famulus.knowledge.chunk import ChunkDraft, chunk
from famulus.knowledge.extract.base import Extracted
from famulus.knowledge.extract.builder import TextBuilder
from famulus.knowledge.extract.markdown import add_markdown_text
from famulus.knowledge.extract.tables import add_records


def from_markdown(text: str) -> Extracted:
    builder = TextBuilder()
    add_markdown_text(builder, text)
    return builder.build("text/markdown", "plain")


def assert_covers(extracted: Extracted, drafts: list[ChunkDraft], max_chars: int) -> None:
    position = 0
    for number, draft in enumerate(drafts):
        assert draft.ord == number
        assert draft.text == extracted.text[draft.start : draft.end]
        assert not extracted.text[position : draft.start].strip()
        assert 0 < len(draft.text) <= max_chars
        position = draft.end
    assert not extracted.text[position:].strip()


PIECES = st.sampled_from(
    ["# A", "## B ü", "word " * 30, "x" * 500, "- one\n- two", "| a | b |\n| --- | --- |\n| 1 | 2 |", "```\ncode\n\nmore\n```",
     "> quote", "Größe\u0308 📎", "\n\n\n", "1. eins\n2. zwei", "Title\n=====", "---", "\t indented", "a|b", "|", "\u2028", "é\r"]
)  # fmt: skip


@given(st.lists(PIECES | st.text(max_size=40), max_size=25), st.integers(30, 400))
@settings(max_examples=120, deadline=None)
def test_chunks_are_exact_ordered_slices_that_cover_everything(parts: list[str], max_chars: int) -> None:
    extracted = from_markdown("\n\n".join(parts))
    assert_covers(extracted, chunk(extracted, max_chars=max_chars, min_chars=max_chars // 5), max_chars)


def test_each_section_starts_its_own_chunk_at_the_heading() -> None:
    body = "Ein Satz über Fristen und Gebühren. " * 12
    drafts = chunk(from_markdown(f"# Vertrag\n\n{body}\n\n## Fristen\n\n{body}\n\n## Kosten\n\n{body}"))
    assert [draft.text.split("\n")[0] for draft in drafts] == ["# Vertrag", "## Fristen", "## Kosten"]
    assert drafts[1].section == ("Vertrag", "Fristen")
    assert drafts[1].context == "Vertrag"
    assert drafts[1].index_text.startswith("Vertrag\n## Fristen")


def test_second_chunk_of_a_section_carries_the_whole_path() -> None:
    drafts = chunk(from_markdown("# Vertrag\n\n## Fristen\n\n" + "Ein Satz. " * 200))
    assert drafts[1].context == "Vertrag > Fristen"


def test_short_sections_are_joined() -> None:
    drafts = chunk(from_markdown("# FAQ\n\n## Eins?\n\nJa.\n\n## Zwei?\n\nNein."))
    assert len(drafts) == 1


def test_a_chunk_never_crosses_a_page() -> None:
    builder = TextBuilder()
    for page in (1, 2, 3):
        builder.start_page(page)
        builder.add("text", f"Kurzer Text der Seite {page}.")
    drafts = chunk(builder.build("application/pdf", "plain", page_count=3))
    assert [draft.page for draft in drafts] == [1, 2, 3]


def test_text_without_pages_has_no_page() -> None:
    assert {draft.page for draft in chunk(from_markdown("second doc"))} == {None}


def test_code_fence_that_fits_is_not_cut() -> None:
    code = "```python\n" + "x = 1\n\n" * 60 + "```"
    drafts = chunk(from_markdown("# A\n\n" + "Text davor. " * 90 + "\n\n" + code + "\n\nDanach."))
    assert any(code in draft.text for draft in drafts)


def test_table_is_cut_between_rows_and_each_part_carries_the_header() -> None:
    rows = "\n".join(f"| {number} | Ort {number} |" for number in range(200))
    drafts = chunk(from_markdown(f"# Orte\n\n| id | ort |\n| --- | --- |\n{rows}"))
    assert len(drafts) > 2
    assert all(draft.text.splitlines()[-1].endswith(" |") for draft in drafts)
    assert all("| id | ort |" in draft.index_text for draft in drafts)


def test_100000_rows_are_cut_quickly_between_rows() -> None:
    builder = TextBuilder()
    add_records(builder, "", [["id", "city", "amount"], *([str(n), f"C{n % 97}", f"{n},56"] for n in range(20_000))])
    extracted = builder.build("text/csv", "plain")
    started = time.process_time()
    drafts = chunk(extracted)
    assert time.process_time() - started < 5
    assert all(draft.text.startswith("id: ") for draft in drafts)
    assert all(draft.context == "id; city; amount" for draft in drafts)


def test_word_of_5_mb_is_cut_quickly() -> None:
    builder = TextBuilder()
    builder.add("text", "x" * 5_000_000)
    extracted = builder.build("text/plain", "plain")
    started = time.process_time()
    drafts = chunk(extracted)
    assert time.process_time() - started < 5
    assert_covers(extracted, drafts, 1200)


def test_long_paragraph_is_cut_at_sentences() -> None:
    drafts = chunk(from_markdown("Dies ist ein ganzer Satz mit Inhalt. " * 200))
    assert all(draft.text.endswith(".") for draft in drafts)


def test_nothing_gives_no_chunks() -> None:
    assert chunk(from_markdown("  \n\n ")) == []
