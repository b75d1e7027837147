"""A superlative picks the extreme of what is asked, among rows or sentences, in four languages."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from famulus.models.providers.extractive.extremes import read_extreme

sys.path.insert(0, str(Path(__file__).parent))
from conftest import World

ROOMS = (
    "rooms.md",
    "| Room | Branch | Seats | Price per hour |\n|---|---|---|---|\n| Elm | Leeds | 12 | EUR 30 |\n| Oak | Lyon | 1,040 | EUR 75 |\n| Ash | Leeds | 40 | EUR 18 |",
)
ZIMMER = (
    "zimmer.md",
    "| Zimmer | Plätze | Preis |\n|---|---|---|\n| Ulme | 12 | CHF 30 |\n| Eiche | 40 | CHF 75 |\n| Esche | 7 | CHF 18 |",
)
ZALEN = ("zalen.md", "| Zaal | Plaatsen | Prijs |\n|---|---|---|\n| Iep | 12 | EUR 30 |\n| Eik | 40 | EUR 75 |")
SALLES = ("salles.md", "| Salle | Places | Prix |\n|---|---|---|\n| Orme | 12 | EUR 30 |\n| Chêne | 40 | EUR 75 |")


@pytest.mark.parametrize(
    ("table", "question", "row", "others"),
    [
        (ROOMS, "Which room has the most seats?", "Room: Oak", ("Elm", "Ash")),
        (ROOMS, "Which room has the fewest seats?", "Room: Elm", ("Oak", "Ash")),
        (ROOMS, "Which room is the cheapest?", "Room: Ash", ("Oak", "Elm")),
        (ROOMS, "Which room in Leeds has the most seats?", "Room: Ash", ("Oak", "Elm")),
        (ZIMMER, "Welches Zimmer hat die meisten Plätze?", "Zimmer: Eiche", ("Ulme", "Esche")),
        (ZIMMER, "Welches Zimmer ist am günstigsten?", "Zimmer: Esche", ("Ulme", "Eiche")),
        (ZALEN, "Welke zaal heeft de meeste plaatsen?", "Zaal: Eik", ("Iep",)),
        (ZALEN, "Welke zaal heeft de laagste prijs?", "Zaal: Iep", ("Eik",)),
        (SALLES, "Quelle salle a le plus de places ?", "Salle: Chêne", ("Orme",)),
        (SALLES, "Quelle salle a le prix le plus élevé ?", "Salle: Chêne", ("Orme",)),
    ],
)
async def test_of_a_table_the_extreme_row_is_said_and_no_other(
    table: tuple[str, str], question: str, row: str, others: tuple[str, ...]
) -> None:
    answer = await World([table]).ask(question)
    assert row in answer
    assert not any(other in answer for other in others)


async def test_the_sentence_that_states_the_extreme_comes_before_the_row() -> None:
    sentence = "The room Oak offers 1,040 seats."
    answer = await World([("elm.md", "The room Elm offers 12 seats."), ROOMS, ("oak.md", sentence)]).ask(
        "Which room has the most seats?"
    )
    assert answer.index(sentence) < answer.index("Room: Oak")
    assert "Elm" not in answer


async def test_of_sentences_that_state_the_same_the_extreme_is_said() -> None:
    passages = [("a.md", "The north hall offers 120 seats."), ("b.md", "The south hall offers 80 seats.")]
    assert (await World(passages).ask("Which hall has the fewest seats?")).startswith("The south hall")
    assert (await World(passages).ask("Which hall has the most seats?")).startswith("The north hall")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Who gets at most three days?", "en"),
        ("Is the gateway larger than the notifier?", "en"),
        ("Wer bekommt höchstens drei Tage?", "de"),
        ("Un congé de plus de trois jours", "fr"),
        ("Wie krijgt minstens drie dagen?", "nl"),
    ],
)
def test_a_limit_or_a_comparison_is_no_superlative(text: str, language: str) -> None:
    assert read_extreme(text, language) is None
