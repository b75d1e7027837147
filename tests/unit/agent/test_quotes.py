"""Which sentences of a passage a citation opens."""

from __future__ import annotations

import pytest

from famulus.agent.citations import check
from famulus.agent.quotes import backing
from famulus.messages.values import Passage

HOLIDAYS = (
    "The provisions of this section apply to all sites of the company including Winterthur.\n\n"
    "## Holidays\n\nEvery employee has 25 days of paid holiday per year; from the age of 50 it is 30 days. "
    "Up to five days can be carried over and must be taken by the end of April.\n\n"
    "| City | Limit |\n| --- | --- |\n| Paris | EUR 180 |\n| London | GBP 185 |\n"
)


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("Every employee has 25 days of paid holiday per year; from the age of 50 it is 30 days.", ["Every employee"]),
        ("From 50 on you get 30 days of holiday.", ["Every employee"]),
        ("You have 25 days of holiday a year, and five can be carried over until April.", ["Every employee", "Up to"]),
        ("City: London; Limit: GBP 185", ["| City", "| London"]),
        ("Mit 50 Jahren sind es 30.", ["Every employee"]),
        ("Cats are not allowed in the aquarium.", []),
    ],
)
def test_the_sentences_that_back_the_answer_are_quoted(sentence: str, told: list[str]) -> None:
    spans = backing(sentence, HOLIDAYS)
    assert len(spans) == len(told), [HOLIDAYS[start:end] for start, end in spans]
    assert all(HOLIDAYS[start:end].startswith(begin) for (start, end), begin in zip(spans, told, strict=True))


def test_of_two_sentences_alike_the_cited_one_is_quoted() -> None:
    passage = "The hall costs CHF 50 a day on weekends and public holidays. The hall costs CHF 50 a day."
    assert [passage[start:end] for start, end in backing("The hall costs CHF 50 a day.", passage)] == [
        "The hall costs CHF 50 a day."
    ]


def test_a_source_quotes_what_each_citing_sentence_rests_on_at_its_place_in_the_document() -> None:
    passage = Passage("c", "document", "d", None, "handbook.pdf", "kb", HOLIDAYS, 0.8, start=1_000)
    answer = (
        "Five days can be carried over to the end of April [1]. From the age of 50 it is 30 days [1]. Ships fly [1]."
    )
    (source,) = check(answer, {1: passage}).sources
    assert [quote.text[:14] for quote in source.quotes] == ["Every employee", "Up to five day"]
    assert all(HOLIDAYS[quote.start - 1_000 : quote.end - 1_000] == quote.text for quote in source.quotes)


def test_of_a_sheet_the_row_is_quoted() -> None:
    sheet = "Nr: R-1; Kunde: Huber; Status: bezahlt\nNr: R-2; Kunde: Spital Uster; Status: offen\nNr: R-3; Kunde: Café; Status: bezahlt"
    spans = backing("Nr: R-2; Kunde: Spital Uster; Status: offen", sheet)
    assert [sheet[start:end] for start, end in spans] == ["Nr: R-2; Kunde: Spital Uster; Status: offen"]
