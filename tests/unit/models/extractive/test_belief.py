"""Where meaning can be measured, it decides with the words which sentence answers; where it cannot, words decide alone."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.unit.models.extractive.conftest import World

from famulus.errors import FamulusError

PORTER = (
    "house-rules.md",
    "# House rules\n\nBicycles stand in the yard. Whoever leaves last switches off the lights on all floors. "
    "Frau Ostrowski at the front desk hands out lost property on weekdays. Visitors sign the book.",
)
QUESTION = "Where do I get my forgotten umbrella back?"
ANSWER = "Frau Ostrowski at the front desk"


class Meaning:
    """Texts that hold one of the `near` words are close to every question, the others far."""

    def __init__(self, *near: str) -> None:
        self.near = near
        self.asked: list[str] = []

    async def __call__(self, question: str, sentences: Sequence[str]) -> list[float]:
        self.asked += sentences
        return [0.92 if any(word in text for word in self.near) else 0.76 for text in sentences]


async def test_a_sentence_that_shares_no_word_is_given_when_its_meaning_is_close() -> None:
    assert ANSWER not in await World([PORTER]).ask(QUESTION)
    assert ANSWER in await World([PORTER], measure=Meaning("lost property")).ask(QUESTION)


async def test_words_that_agree_are_not_enough_when_the_meaning_is_far() -> None:
    question = "Where do bicycles stand?"
    assert "yard" in await World([PORTER], measure=Meaning("Bicycles")).ask(question)
    assert "yard" not in await World([PORTER], measure=Meaning()).ask("Where do visitors of the yard sleep?")


async def test_without_a_search_by_meaning_nothing_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World([PORTER], measure=Meaning())
    by_words = world.answer("search_documents", {}) | {"used_modes": ["keyword"]}
    answered = world.answer
    monkeypatch.setattr(
        world, "answer", lambda tool, args: by_words if tool == "search_documents" else answered(tool, args)
    )
    await world.ask("Where do bicycles stand?")
    assert isinstance(world.measure, Meaning)
    assert world.measure.asked == []


async def test_a_measure_that_fails_is_told_and_words_decide() -> None:
    async def broken(question: str, sentences: Sequence[str]) -> list[float]:
        raise FamulusError("the embedder's process ended")

    world = World([PORTER], measure=broken)
    assert "yard" in await world.ask("Where do bicycles stand?")
    assert "vectors_failed" in world.notices


async def test_of_one_question_no_more_than_the_best_dozen_of_sentences_are_measured_at_a_step() -> None:
    long = (
        "log.txt",
        "\n\n".join(f"Entry {number}: the pump ran for {number} hours on that day." for number in range(1, 90)),
    )
    meaning = Meaning("Entry 7:")
    await World([long], measure=meaning).ask("How long did the pump run?")
    assert 2 <= len(set(meaning.asked)) <= 40
