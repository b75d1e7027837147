"""What shares words with a question and does not answer it: another thing, another measure, a limit, a deed that nobody speaks of."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from famulus.models.providers.extractive.phrases import is_refusal

sys.path.insert(0, str(Path(__file__).parent))
from conftest import World

ORDER = "order: PO-506; supplier: Sitwell Ltd; article: standing desks; quantity: 4; total EUR: 2196\norder: PO-507; supplier: Verhoeven; article: envelopes; quantity: 40; total EUR: 132"


async def test_a_row_does_not_say_who_did_what_no_column_speaks_of() -> None:
    world = World([("orders.csv", ORDER)])
    assert is_refusal(await world.ask("Who approved order PO-506?"))
    assert "Sitwell" in await World([("orders.csv", ORDER)]).ask("Who supplied order PO-506?")


@pytest.mark.parametrize(
    ("question", "document"),
    [
        # One word of a name of two says nothing of it.
        ("What is the daily allowance in the United States?", "The allowance is GBP 32 for a full day in the United Kingdom. Lost receipts are replaced by a signed statement."),
        # The storey that something is on is no number of storeys.
        ("Hoeveel verdiepingen heeft het gebouw?", "Het gehuurde omvat 210 vierkante meter op de tweede verdieping en vier parkeerplaatsen in de kelder."),
        ("Which database does the catalog service use?", "Service: catalog; Language: Go; Port: 7001\nService: search; Language: Rust; Port: 7003"),
        ("Wie is de notaris?", "Het voorschot voor de servicekosten is 410 euro per maand."),
    ],
)  # fmt: skip
async def test_what_only_shares_a_word_is_refused(question: str, document: str) -> None:
    assert is_refusal(await World([("document.md", document)]).ask(question))


@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("Wie laut ist der Projektor?", "Anschluss: HDMI 1; Zweck: Projektor; Auflösung: 3840 x 2160"),
        ("Was kostet ein Drucker?", "Artikel: Druckerpatrone schwarz; Gruppe: Technik; Preis EUR: 38,50"),
        ("Combien pèse la chaudière ?", "# Chaudière Thermax\n\nLa température de l'eau chaude est réglée à 50 degrés en usine."),
        ("Hoe diep is het wedstrijdbad?", "Het wedstrijdbad is 25 meter lang, 15 meter breed en 27 graden warm."),
        ("Which payment provider does the billing team use?", "# Billing team\n\n## People\n\n- Product owner: Salome Keller\n- Tech lead: Arjun Mehta"),
    ],
)  # fmt: skip
async def test_another_measure_or_thing_is_refused(question: str, document: str) -> None:
    assert is_refusal(await World([("document.md", document)]).ask(question))


async def test_a_length_in_the_direction_asked_for_is_an_answer() -> None:
    pool = "Het wedstrijdbad is 25 meter lang, 15 meter breed en 2 meter diep."
    assert "2 meter diep" in await World([("pool.md", pool)]).ask("Hoe diep is het wedstrijdbad?")


@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("Hoeveel boeken heeft de bibliotheek?", "# Bibliotheek\n\nLeden lenen hoogstens tien boeken tegelijk, voor drie weken."),
        ("How many cars does Wheelshare have?", "# Wheelshare\n\nCars come in three classes."),
        ("How many books does the library have?", "# Library\n\nMembers borrow at most ten books at a time."),
    ],
)  # fmt: skip
async def test_how_many_one_may_have_is_not_how_many_there_are(question: str, document: str) -> None:
    assert is_refusal(await World([("rules.md", document)]).ask(question))


async def test_which_contractor_is_not_answered_by_what_is_built() -> None:
    minutes = "De toiletten op de begane grond worden van 6 tot en met 24 juli verbouwd."
    assert is_refusal(await World([("notulen.md", minutes)]).ask("Welke aannemer verbouwt de toiletten in juli?"))
