"""What `builtin/extractive` works out of figures of its documents, kind by kind, on tiny documents of its own."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from conftest import DOCUMENT, EVERY, World

BOAT = (
    "boat-lease.txt",
    "Lease of the boat shed. The lease begins on 1 March 2024 and runs for six years. The tenant may end it on 31 October 2027 by giving four months' notice in writing. "
    "The lift is inspected every two years; the last inspection was on 5 May 2025. The yearly fee of EUR 2,400 is payable in four equal instalments.",
)
PACHT = (
    "pachtvertrag.txt",
    "Pachtvertrag über den Obstgarten. Die Pacht beginnt am 1. April 2025 und gilt für drei Jahre. Der Vertrag kann mit einer Frist von zwei Monaten zum Ende der Laufzeit gekündigt werden. "
    "Für die Presse werden 25 Euro je angefangenem Tag berechnet.",
)
BAIL = (
    "bail-garage.txt",
    "Bail du garage. La location commence le 1er juin 2025 pour une durée de vingt-quatre mois. Le bail est écrit en français et le garage se trouve dans la rue du Port.",
)
HUUR = (
    "huur-kano.txt",
    "De huur van de kano's begint op 1 mei 2025 en geldt voor twee jaar. De kano's worden elke drie jaar geverfd, de laatste keer in juni 2024. Dit staat in het contract van de vereniging.",
)
LOADS = (
    "loads.csv",
    "load: L-1; left: 2026-01-02; arrived: 2026-01-09; grower: Birch Farm; weight_kg: 1200\nload: L-2; left: 2026-01-05; arrived: 2026-01-07; grower: Birch Farm; weight_kg: 800\n"
    "load: L-3; left: 2026-02-01; arrived: 2026-02-03; grower: Elm Farm; weight_kg: 500",
)
TICKETS = (
    "tickets.csv",
    "Ticket: Adult, lake tour; Low season EUR: 10; High season EUR: 14\nTicket: Child, lake tour; Low season EUR: 5; High season EUR: 7",
)
CLUB = (
    "report.txt",
    "In 2025 the pool counted 5,400 visitors, against 4,900 in the year before. The café was open on most days of the season.",
)


async def answer(question: str, *documents: tuple[str, str]) -> str:
    return await World(list(documents)).ask(question, tools=(*EVERY, DOCUMENT))


@pytest.mark.parametrize(
    ("question", "document", "expected"),
    [
        ("When does the lease of the boat shed end?", BOAT, "28 February 2030"),
        ("Wann endet die Pacht des Obstgartens?", PACHT, "31. März 2028"),
        ("Wanneer eindigt de huur van de kano's?", HUUR, "tot en met 30 april 2027"),
        ("Quand se termine la location du garage ?", BAIL, "jusqu'au 31 mai 2027 inclus"),
    ],
)
async def test_the_end_of_a_term_is_said_in_four_languages(
    question: str, document: tuple[str, str], expected: str
) -> None:
    assert expected in await answer(question, document)


async def test_a_notice_is_counted_back_from_the_day_of_its_sentence() -> None:
    found = await answer("By when must the tenant give notice to end the lease?", BOAT)
    assert "31 October 2027 less 4 months: 30 June 2027 [1]" in found


async def test_a_notice_is_counted_back_from_the_end_of_the_term() -> None:
    assert "31. Januar 2028" in await answer("Bis wann muss der Pachtvertrag spätestens gekündigt werden?", PACHT)


async def test_what_comes_round_is_said_for_the_next_time() -> None:
    assert "5 May 2027 [1]" in await answer("When is the next inspection of the lift?", BOAT)
    assert "juni 2027" in await answer("Wanneer worden de kano's de volgende keer geverfd?", HUUR)


async def test_each_of_equal_instalments_is_worked_out() -> None:
    assert "= 600 EUR [1]" in await answer("How much is each instalment of the yearly fee of the lease?", BOAT)


async def test_a_rate_per_started_day_is_a_rate_per_day() -> None:
    assert "25 × 3 = 75 EUR" in await answer("Was kostet die Presse für drei Tage?", PACHT)


async def test_the_rows_that_a_name_chooses_are_summed() -> None:
    assert "= 2,000" in await answer("What is the total weight of the loads of Birch Farm?", LOADS, CLUB)


async def test_the_days_between_the_two_dates_of_a_row_are_counted() -> None:
    assert "7 days" in await answer("How long did the load L-1 take until it arrived?", LOADS, CLUB)


async def test_a_price_of_a_row_is_multiplied_from_the_column_that_is_named() -> None:
    assert "14 × 3 = 42 EUR" in await answer(
        "What do three adults pay for the lake tour in high season?", TICKETS, CLUB
    )


async def test_the_change_between_two_counts_of_a_sentence_is_said() -> None:
    assert "5,400 - 4,900 = 500" in await answer("By how many visitors did 2025 beat the year before?", CLUB, TICKETS)
