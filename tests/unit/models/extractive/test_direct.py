"""Questions that need no document: a tool is asked at once, and its result is the answer."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from famulus.models.providers.extractive.direct import read_direct
from famulus.models.providers.extractive.phrases import TEXTS

sys.path.insert(0, str(Path(__file__).parent))
from conftest import CALCULATE, CLOCK, READ, SEARCH, World


@pytest.mark.parametrize(
    ("question", "expression", "answer", "language"),
    [
        ("What is 12*34+5?", "12 * 34 + 5", "12 × 34 + 5 = 413", "en"),
        ("Calculate 12*34+5", "12 * 34 + 5", "12 × 34 + 5 = 413", "en"),
        ("Wie viel ist 3,5 * 4?", "3.5 * 4", "3,5 × 4 = 14", "de"),
        ("Wat is 1.250 gedeeld door 4?", "1250 / 4", "1.250 ÷ 4 = 312,5", "nl"),
        ("Combien font 3,5 fois 3 ?", "3.5 * 3", "3,5 × 3 = 10,5", "fr"),
        ("What is 15% of 240?", "240 * 15 / 100", "240 × 15 ÷ 100 = 36", "en"),
    ],
)
async def test_a_sum_goes_to_the_calculator_alone_and_comes_back_in_the_language_of_the_question(
    world: World, question: str, expression: str, answer: str, language: str
) -> None:
    said = await world.ask(question)
    assert [(call.tool, call.arguments) for call in world.calls] == [(CALCULATE, {"expression": expression})]
    assert said == f"{answer}\n\n{TEXTS[language]['bare_note']}"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What time is it?", "It is now 10:00, 2 March 2026 (UTC)."),
        ("Which day is it today?", "Today is Monday, 2 March 2026 (UTC)."),
        ("Wie spät ist es?", "Es ist jetzt 10:00, 2. März 2026 (UTC)."),
        ("Welcher Tag ist heute?", "Heute ist Montag, 2. März 2026 (UTC)."),
        ("Hoe laat is het?", "Het is nu 10:00, 2 maart 2026 (UTC)."),
        ("Quelle heure est-il ?", "Il est maintenant 10:00, 2 mars 2026 (UTC)."),
        ("Quel jour sommes-nous ?", "Nous sommes le lundi 2 mars 2026 (UTC)."),
    ],
)
async def test_the_clock_answers_what_time_or_day_it_is(world: World, question: str, answer: str) -> None:
    said = await world.ask(question)
    assert [call.tool for call in world.calls] == [CLOCK]
    assert said.startswith(f"{answer}\n\n")


async def test_without_the_tool_it_says_so_and_searches_nothing(world: World) -> None:
    assert (await world.ask("What is 2+2?", tools=(SEARCH, READ))).startswith(TEXTS["en"]["no_calculator"])
    assert (await world.ask("Hoe laat is het?", tools=(SEARCH, READ))).startswith(TEXTS["nl"]["no_clock"])
    assert world.calls == []


class Refusing(World):
    def answer(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        return {"error": "Division by zero has no value."}


async def test_an_error_of_the_tool_is_told_and_not_asked_for_again() -> None:
    world = Refusing([])
    assert "Division by zero has no value." in await world.ask("What is 1/0?")
    assert len(world.calls) == 1


@pytest.mark.parametrize(
    "question",
    [
        "What time does the gym open?",
        "What time is it in the lease?",
        "Which day is payday?",
        "What is 2 + 2 according to the statutes?",
        "What is ISO 9001?",
        "What is 2026-03-02?",
        "044-123-45",
        "Which year?",
        "3 and 4",
        "Wie viel ist der Mietzins * 12?",
    ],
)
def test_a_question_that_is_more_than_that_is_none_of_these(question: str) -> None:
    assert read_direct(question, "en") is None
