"""What `builtin/extractive` refuses although much of the question stands in its documents."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from conftest import World
from famulus.models.providers.extractive.phrases import is_refusal

HIRE = (
    "hire.csv",
    "Article: Floor heater 30 kW, gas; Day rate EUR: 31\nArticle: Garden tractor, small; Day rate EUR: 44",
)
RULES = ("reglement.txt", "En cas d'incendie, tout le monde se retrouve devant le portail nord du jardin de la mairie.")


@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("What does it cost to rent the 30 m boom crane for a day?", HIRE),
        ("Quel est le code d'ouverture du portail nord ?", RULES),
    ],
)
async def test_what_is_said_of_another_thing_is_no_answer(question: str, document: tuple[str, str]) -> None:
    assert is_refusal(await World([document]).ask(question))


async def test_a_row_about_the_thing_itself_is_an_answer() -> None:
    assert "Day rate EUR: 44 [1]" in await World([HIRE]).ask(
        "What does it cost to rent the small garden tractor for a day?"
    )


async def test_a_refusal_does_not_speak_of_sentences_that_it_does_not_give() -> None:
    answer = await World([RULES]).ask("Who won the elections in Portugal?")
    assert is_refusal(answer)
    assert "No language model is connected: the documents are searched" in answer


TURNOVER = (
    "report.md",
    "# Report of the year\n\nIn 2025 the turnover of the bakery was EUR 410,000. The oven was bought second hand.",
)


async def test_a_figure_of_another_year_is_no_answer() -> None:
    assert is_refusal(await World([TURNOVER]).ask("What was the turnover of the bakery in 2023?"))
    assert "EUR 410,000" in await World([TURNOVER]).ask("What was the turnover of the bakery in 2025?")


CREW = (
    "crew.md",
    "# The crew of the hall\n\nThe lights are looked after by Tidewell Podia BV of Gent. Extra hours of the cleaners are charged at EUR 29.50 an hour. "
    "The bell is rung by Ruth Ockham.",
)


async def test_a_firm_is_nobody_and_a_price_is_no_wage() -> None:
    assert is_refusal(await World([CREW]).ask("Who is the lighting master of the hall in Gent?"))
    assert is_refusal(await World([CREW]).ask("What does a cleaner earn an hour?"))
    assert "Ruth Ockham" in await World([CREW]).ask("Who rings the bell?")
    paid = ("wages.md", "The caretaker is paid EUR 24 an hour.")
    assert "EUR 24" in await World([paid]).ask("How much does the caretaker earn per hour?")


async def test_a_word_like_the_form_of_a_firm_leaves_a_person_a_person() -> None:
    crew = ("equipe.md", "La cloche est sonnée par Ruth Ockham sa vie durant.")
    assert "Ruth Ockham" in await World([crew]).ask("Qui est le sonneur de la cloche ?")
