"""Sentences that share much with a question and do not answer it, each beside the question that they do answer."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from famulus.models.providers.extractive.phrases import is_refusal

sys.path.insert(0, str(Path(__file__).parent))
from conftest import World

FARES = (
    "fares.md",
    "# Fares of the ferry\n\n| Route | Ticket | Single EUR |\n|---|---|---|\n| Velden - Aspeln | Motorcycle | 3.70 |\n| Velden - Aspeln | Car | 5.40 |\n"
    "| Orsoy - Baerl | Tractor | 12.40 |\n| Orsoy - Baerl | Car | 6.10 |",
)
HARBOUR = (
    "haven.txt",
    "HAVENREGLEMENT\n\nAan steiger C liggen uitsluitend lange boten. Gasten krijgen 4 kWh per nacht gratis, daarna kost een kWh 0,45 euro. Bij steiger A is het water 2,4 meter diep.",
)
HANGAR = (
    "hangar.md",
    "# Hangar\n\nThe code of the alarm system is changed every six months. The code of the gate is G4417.",
)
SHIP = (
    "ship.md",
    "# The Colne Lass\n\nThe Colne Lass passed the inspection of 9 November 2025 with two remarks. She was launched in 1994.",
)
CONTRACT = (
    "contract.md",
    "# Maintenance\n\nAgreement No. 26-04, made on 16 January 2026 between Tarnmoor Ferries Ltd, 2 Quay House (the Owner), and Ackerby Slip Ltd, 14 Shipyard Lane (the Yard). "
    "The Yard may raise its rates once a year by no more than 3.5 per cent.",
)
BOARD = (
    "board.md",
    "# Board\n\nThe workshop asks for a second inspector. Open day: 3,850 visitors, cost EUR 15,920, income EUR 11,300. The salary of a mechanic is EUR 3,400 a month.",
)
CAMP = (
    "kamp.txt",
    "KAMPREGELS\n\nIedere dag maken vier deelnemers het kamp schoon. Aan de vlucht nemen hoogstens zes deelnemers deel.",
)
OIL = (
    "oil.md",
    "# Oil\n\nOil and cleaning agents are kept in the metal cabinet, up to 60 litres in all. A litre of brake fluid costs EUR 14.",
)


@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("What does a single for a tractor cost on the Velden - Aspeln ferry?", FARES),
        ("Hoe diep is het water bij steiger C?", HARBOUR),
        ("What is the code of the alarm system?", HANGAR),
        ("In which year was the Colne Lass built?", SHIP),
        ("What salary does the new inspector get?", BOARD),
        ("Hoeveel deelnemers kunnen er hoogstens mee met het kamp?", (CAMP[0], CAMP[1].split(" Aan")[0])),
        ("How much is a litre of engine oil?", OIL),
    ],
)
async def test_what_only_shares_words_with_the_question_is_refused(question: str, document: tuple[str, str]) -> None:
    assert is_refusal(await World([document]).ask(question))


@pytest.mark.parametrize(
    ("question", "document", "expected"),
    [
        ("What does a single for a tractor cost on the Orsoy - Baerl ferry?", FARES, "12.40"),
        ("Hoe diep is het water bij steiger A?", HARBOUR, "2,4 meter"),
        ("What is the code of the gate?", HANGAR, "G4417"),
        ("In which year was the Colne Lass launched?", SHIP, "1994"),
        ("By how much can Ackerby Slip raise its rates in a year at most?", CONTRACT, "3.5 per cent"),
        ("What salary does a mechanic get?", BOARD, "3,400"),
        ("Hoeveel deelnemers gaan er hoogstens mee met de vlucht?", CAMP, "zes"),
        ("How much is a litre of brake fluid?", OIL, "EUR 14"),
    ],
)
async def test_what_answers_the_question_is_found_beside_it(
    question: str, document: tuple[str, str], expected: str
) -> None:
    answer = await World([document]).ask(question)
    assert expected in answer.splitlines()[0] or expected in answer.splitlines()[1], answer


CODES = (
    "tickets.md",
    "# Ticket machines\n\nThe machines take cards and coins.\n\n| Code | Meaning | What to do |\n|---|---|---|\n| TK-118 | coin box full | empty it and enter the seal number |\n| TK-140 | clock is wrong | restart the machine |",
)


async def test_the_row_of_the_code_answers_whatever_else_the_question_calls_the_thing() -> None:
    answer = await World([CODES]).ask("A ticket machine shows TK-118. What do I have to do?")
    assert "seal number" in answer.splitlines()[0]


async def test_a_price_a_day_is_preferred_to_what_is_free() -> None:
    text = "# Slip\n\nAfter the work a vessel may stay on the slip for ten days free of charge. Each further day costs GBP 38."
    assert "GBP 38" in await World([("slip.md", text)]).ask("What do we pay per day if she stays on the slip too long?")


async def test_two_questions_about_hours_are_two() -> None:
    text = "RUST\n\nTussen 22.30 en 7.00 uur is het stil in de haven. Generatoren mogen alleen draaien van 9.00 tot 12.00 uur."
    answer = await World([("haven.txt", text)]).ask(
        "Vanaf hoe laat moet het 's avonds stil zijn, en tussen welke tijden mag een generator aan?"
    )
    assert "22.30" in answer
    assert "12.00" in answer


async def test_of_two_rates_in_a_sentence_the_one_that_is_asked_for_is_taken() -> None:
    text = "HAVENKRAAN\n\nEen boot uit het water halen kost 14 euro per meter, terug in het water zetten 11 euro per meter."
    answer = await World([("kraan.txt", text)]).ask(
        "Wat kost het om een boot van 9 meter met de kraan uit het water te laten halen?"
    )
    assert "14 × 9" in answer
