"""Markers of an answer against the passages that were given out."""

from __future__ import annotations

import pytest

from famulus.agent.citations import Numbers, check, number
from famulus.agent.support import compare
from famulus.messages.values import Passage

TEXTS = {
    1: "The notice period is three months to the end of a month.",
    2: "The deposit is CHF 4500 and is paid before the keys.",
    3: "Train travel is first class above 90 minutes.",
    4: "Die Kündigungsfristenregelung sieht 30 Tage vor.",
}


def passage(n: int) -> Passage:
    return Passage(f"c{n}", "document", f"d{n}", None, f"doc{n}.md", "kb", TEXTS[n], 0.8)


PASSAGES = {n: passage(n) for n in TEXTS}


def test_case_23_impossible_markers_are_flagged_and_code_stays_text() -> None:
    checked = check("A [1]. B [7]. C [2][2]. D [0]. Code: arr[1]", PASSAGES)
    assert [source.n for source in checked.sources] == [1, 2]
    assert checked.unsupported == (7, 0)
    assert [(marker.n, marker.known) for marker in checked.markers] == [
        (1, True),
        (7, False),
        (2, True),
        (2, True),
        (0, False),
    ]


def test_markers_in_code_are_no_citations() -> None:
    checked = check("Use `rows[1]` and\n```\nx [2]\n```\nnotice period [1].", PASSAGES)
    assert [source.n for source in checked.sources] == [1]


def test_each_source_is_its_own_passage() -> None:
    sources = check("Three months [1], CHF 4500 [2].", PASSAGES).sources
    assert [(source.document_name, source.quote) for source in sources] == [
        ("doc1.md", TEXTS[1]),
        ("doc2.md", TEXTS[2]),
    ]


def test_marker_offsets_are_the_brackets() -> None:
    text = "The notice period is three months [1]."
    (marker,) = check(text, PASSAGES).markers
    assert text[marker.start : marker.end] == "[1]"


def test_several_numbers_in_one_bracket_are_several_citations() -> None:
    assert [source.n for source in check("Both hold [1, 2].", PASSAGES).sources] == [1, 2]


def test_marker_after_the_full_stop_belongs_to_the_sentence_before() -> None:
    (source,) = check("Hello there. The notice period is three months. [1]", PASSAGES).sources
    assert source.support == "strong"


def test_marker_that_hangs_on_a_word_counts_where_the_passage_backs_it() -> None:
    (source,) = check("The notice period is three months[1].", PASSAGES).sources
    assert source.support == "strong"


@pytest.mark.parametrize(
    ("sentence", "n", "support"),
    [
        ("The notice period is three months", 1, "strong"),
        ("The deposit is CHF 4,500, paid before you get the keys", 2, "strong"),
        ("The deposit is CHF 5000, paid before the keys", 2, "weak"),
        ("Bananas are yellow", 1, "none"),
        ("First class is allowed on trains above 90 minutes", 3, "strong"),
        ("Die Kündigungsfrist beträgt 30 Tage", 4, "strong"),
        ("Above 90 minutes the better coach may be booked", 3, "weak"),
    ],
)
def test_support_compares_words_and_numbers(sentence: str, n: int, support: str) -> None:
    assert compare(sentence, TEXTS[n]) == support


def test_same_passage_keeps_its_number() -> None:
    numbers = Numbers()
    assert [n for n, _ in numbers.take([passage(1), passage(2), passage(1)])] == [1, 2]
    assert [n for n, _ in numbers.take([passage(3), passage(2)])] == [3]


def test_number_goes_only_to_objects_of_known_passages() -> None:
    data = {"hits": [{"chunk_id": "c1", "n": 99}, {"chunk_id": "x", "n": 98}]}
    assert number(data, {"c1": 1}) == {"hits": [{"n": 1, "chunk_id": "c1"}, {"chunk_id": "x"}]}


def test_quote_of_a_long_passage_is_where_the_sentence_stands() -> None:
    long = Passage(
        "c9", "document", "d9", None, "x.md", "kb", "word " * 300 + "The fee is CHF 75. " + "other " * 300, 0.8
    )
    (source,) = check("The fee is CHF 75 [9].", {9: long}).sources
    assert "The fee is CHF 75." in source.quote
    assert len(source.quote) <= 400
