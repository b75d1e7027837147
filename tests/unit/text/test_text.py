"""Text analysis: folding, words, stems, sentences, language, queries."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from famulus.text.analysis import index_keys
from famulus.text.fold import key
from famulus.text.language import guess_language
from famulus.text.query import analyse_query
from famulus.text.sentences import sentences
from famulus.text.stem import stem
from famulus.text.words import all_words, words


@pytest.mark.parametrize(
    "spellings",
    [
        ("Kündigungsfrist", "kuendigungsfrist", "KÜNDIGUNGSFRIST", "Ku\u0308ndigungsfrist"),
        ("Größe", "GRÖSSE", "groesse", "Grösse"),
        ("Straße", "STRASSE", "strasse"),
        ("café", "CAFE", "cafe\u0301"),
        ("ﬁle", "file"),
        ("Ａ１", "a1"),
    ],
)
def test_spellings_of_one_word_share_a_key(spellings: tuple[str, ...]) -> None:
    assert len({key(word) for word in spellings}) == 1


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("en", ("contract", "contracts")),
        ("en", ("control", "controlled", "controlling")),
        ("de", ("Vertrag", "Verträge", "Verträgen")),
        ("de", ("Frist", "Fristen")),
        ("nl", ("huis", "huizen")),
        ("nl", ("vergadering", "vergaderingen")),
        ("fr", ("contrat", "contrats")),
        ("fr", ("cheval", "chevaux")),
    ],
)
def test_forms_of_one_word_share_a_stem(language: str, forms: tuple[str, ...]) -> None:
    assert len({stem(key(form), language) for form in forms}) == 1


def test_identifiers_are_kept_whole_and_in_parts() -> None:
    found = {word.key for word in all_words("Set MAX_RETRY_COUNT of v2.3.1, see ISO 9001 and maxRetryDelay.")}
    assert {"=max_retry_count", "retry", "=v2.3.1", "=iso 9001", "9001", "delay", "maxretrydelay"} <= found


@given(st.text(max_size=300))
def test_words_lie_where_they_say(text: str) -> None:
    for word in words(text):
        assert word.key
        assert key(text[word.start : word.end][:64]) == word.key


@given(st.text(max_size=300))
def test_counted_keys_are_the_keys_of_all_words(text: str) -> None:
    assert index_keys(text, None) == Counter(word.key for word in all_words(text))


@given(st.text(max_size=500))
def test_sentences_cover_the_text_in_order(text: str) -> None:
    found = list(sentences(text))
    assert all(text[s.start : s.end] == s.text == s.text.strip() != "" for s in found)
    assert "".join("".join(s.text for s in found).split()) == "".join(text.split())
    assert all(a.end <= b.start for a, b in pairwise(found))


def test_abbreviations_dates_and_decimals_do_not_end_a_sentence() -> None:
    text = (
        "Dr. Müller kommt am 1. März um 9.30 Uhr. Das kostet z. B. ca. 3.5 Franken, vgl. Abs. 2. Er sagte: „Gut.“ Ende."
    )
    assert [s.text for s in sentences(text)] == [
        "Dr. Müller kommt am 1. März um 9.30 Uhr.",
        "Das kostet z. B. ca. 3.5 Franken, vgl. Abs. 2.",
        "Er sagte: „Gut.“",
        "Ende.",
    ]


def test_list_items_and_blank_lines_end_a_sentence() -> None:
    text = "Heading\n\n- one\n- two\nThe text goes\non here."
    assert [s.text for s in sentences(text)] == ["Heading", "- one", "- two", "The text goes\non here."]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("What is the notice period?", "en"),
        ("Wie lang ist die Kündigungsfrist?", "de"),
        ("Hoeveel dagen vakantie heb ik per jaar?", "nl"),
        ("Combien de jours de congé ai-je par an ?", "fr"),
        ("Wie is de huurder?", "nl"),
        ("Wie ist der Preis?", "de"),
        ("12 345", None),
        ("", None),
    ],
)
def test_language_of_a_short_text(text: str, language: str | None) -> None:
    assert guess_language(text) == language


def test_grammar_words_are_left_out_unless_they_are_all() -> None:
    assert [term.key for term in analyse_query("What is the notice period?").terms] == ["notice", "period"]
    assert [term.key for term in analyse_query("to be or not to be").terms] == ["to", "be", "or", "not"]


def test_a_word_in_capitals_is_a_name() -> None:
    assert "it" in [term.key for term in analyse_query("Who leads the IT department?").terms]


@pytest.mark.parametrize("text", ["", "\x00", "😀", "^ { } *", "\ud800"])
def test_a_query_without_words_has_no_terms(text: str) -> None:
    assert analyse_query(text).terms == ()


def test_a_huge_query_is_bounded() -> None:
    assert len(analyse_query(" ".join(f"word{n}" for n in range(10_000))).terms) == 64
