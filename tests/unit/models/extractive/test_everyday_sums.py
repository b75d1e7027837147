"""What people ask every day of a price list, a minute or a contract, in four languages: worked out, or refused where it is another thing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from conftest import World
from famulus.models.providers.extractive.phrases import is_refusal

STOOLS = (
    "prices.md",
    "| Article | Description | Price GBP | Days |\n|---|---|---|---|\n| S-1 | Workshop stool | 139.00 | 10 |\n| C-1 | Cable drum 25 m | 46.75 | 5 |",
)
WRENCHES = (
    "wrenches.md",
    "| Article | Description | Price GBP |\n|---|---|---|\n| T-1 | Torque wrench 20-100 Nm | 84.50 |\n| T-2 | Torque wrench 40-200 Nm | 112.00 |",
)


@pytest.mark.parametrize(
    ("text", "question", "said"),
    [
        # numbers of several things, each at its price
        (STOOLS[1], "How much is it for three workshop stools and two cable drums?", "= 510.50 GBP"),
        ("Adults pay EUR 9.50. Children pay EUR 4.", "How much do two adults and a child pay?", "= 23 EUR"),
        ("Erwachsene zahlen 12 Euro, Kinder 5 Euro.", "Was zahlen zwei Erwachsene und drei Kinder?", "= 39 EUR"),
        ("Een warme maaltijd kost 6,50 euro, soep 2 euro.", "Wat kosten drie warme maaltijden en twee soepen?", "= 23,50 EUR"),
        ("Une parure de draps est facturée 6,80 euros, une serviette 1,90 euro.", "Combien coûtent dix parures de draps et vingt serviettes ?", "= 106 EUR"),
        # pence, running and square metres
        ("Mileage in your own car is 45p a mile.", "What do I get back for 200 miles in my own car?", "= 90 GBP"),
        ("Een kopie kost 15 ct per pagina.", "Wat kost een kopie van 40 pagina's?", "= 6 EUR"),
        ("De loods kost 39 euro per vierkante meter.", "Wat kost de loods voor 24 vierkante meter?", "= 936 EUR"),
        ("The carpet costs £12 per square metre.", "How much is the carpet for 30 square metres?", "= 360 GBP"),
        ("Kabel kostet 3 Euro pro laufenden Meter.", "Was kosten 15 Meter Kabel?", "= 45 EUR"),
        # by how much something rises
        ("The fee rises from 85 to 92 euros.", "By how much does the fee go up?", "= 7 EUR"),
        ("Der Beitrag steigt von 85 auf 92 Euro.", "Um wie viel Euro wird der Beitrag erhöht?", "= 7 EUR"),
        ("De contributie stijgt van 85 naar 92 euro.", "Met hoeveel euro gaat de contributie omhoog?", "= 7 EUR"),
        ("La cotisation passe de 85 à 92 euros.", "De combien augmente la cotisation ?", "= 7 EUR"),
        # each of so many
        ("Each of the 14 lockers costs £6 a month.", "What do all lockers cost together per month?", "= 84 GBP"),
        ("Für jeden der zwölf Stellplätze werden 35 Euro im Monat berechnet.", "Was kosten alle Stellplätze zusammen im Monat?", "= 420 EUR"),
        # a part said in words
        ("The works cost £60,000, of which the council pays a third.", "How much does the council pay?", "= 20,000 GBP"),
        ("Die Kosten betragen 60.000 Euro; die Stadt übernimmt die Hälfte.", "Wie viel übernimmt die Stadt?", "= 30.000 EUR"),
        ("De kosten zijn begroot op 184.000 euro, waarvan de gemeente een kwart betaalt.", "Hoeveel betaalt de gemeente mee?", "= 46.000 EUR"),
        ("Les travaux coûtent 90 000 euros, dont la région paie les deux tiers.", "Combien paie la région ?", "= 60 000 EUR"),
        # a term that may be renewed
        ("Le contrat prend effet le 1er mars 2026 pour une durée de deux ans, renouvelable par tacite reconduction.", "Quand prend fin le contrat ?", "29 février 2028"),
        # what is taken off, and what goes to somebody
        ("For the delay we take 5 per cent off the goods value of EUR 38,600.", "How many euros do we get off the goods value?", "= 1,930 EUR"),
        ("In 2025 leverde het oud papier 31.600 euro op. Tien procent daarvan gaat naar de vereniging.", "Hoeveel geld van het oud papier ging er over 2025 naar de vereniging?", "= 3.160 EUR"),
        # a wage by its name
        ("Der Stundenlohn einer Aushilfe beträgt 14,60 Euro.", "Wie viel verdient eine Aushilfe in 30 Stunden?", "= 438 EUR"),
        # two days of one sentence
        ("Die Prüfung wird an zwei Terminen abgenommen, am 24. Februar und am 17. März 2026.", "Wie viele Tage liegen zwischen den zwei Terminen der Prüfung?", "21"),
        # verbs in two parts
        ("Anmeldung zum Sommerfest bis 10. Juli bei Sabine Kolb.", "Bei wem melde ich mich fürs Sommerfest an?", "Sabine Kolb"),
        ("Wer umzieht, meldet sich beim Sekretariat ab.", "Wo melde ich mich ab?", "Sekretariat"),
        ("Aanmelden voor het feest kan bij Ruud Postma.", "Bij wie meld ik me voor het feest aan?", "Ruud Postma"),
    ],
)  # fmt: skip
async def test_an_everyday_question_is_worked_out(text: str, question: str, said: str) -> None:
    answer = await World([("document.md", text)]).ask(question)
    assert said in answer.replace("\N{NARROW NO-BREAK SPACE}", " ").replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(
    ("text", "question"),
    [
        (WRENCHES[1], "What is the price of the torque wrench 60-300 Nm?"),
        ("Der Umsatz 2025 lag bei 14,6 Millionen Euro.", "Wie hoch war der Gewinn 2025?"),
        ("De omzet was 3 miljoen euro.", "Hoe hoog was de winst?"),
        ("In de haven geldt een maximumsnelheid van 5 kilometer per uur.", "Hoe diep is de haven?"),
        ("The speed limit at the gate is 10 km per hour.", "How wide is the gate?"),
    ],
)
async def test_a_figure_of_another_kind_or_size_is_no_answer(text: str, question: str) -> None:
    assert is_refusal(await World([("document.md", text)]).ask(question))


async def test_a_size_from_one_number_to_another_is_not_multiplied() -> None:
    answer = await World([WRENCHES]).ask("What is the price of the torque wrench 40-200 Nm?")
    assert "112.00" in answer
    assert "×" not in answer


async def test_people_and_nights_are_no_two_things_to_add() -> None:
    answer = await World([("rooms.md", "A bed costs EUR 20 per person per night.")]).ask(
        "What does a bed cost for two people and three nights?"
    )
    assert "= 120 EUR" in answer


async def test_half_an_hour_is_no_half_of_an_amount() -> None:
    answer = await World([("hire.md", "A boat costs EUR 30, for half an hour more the company asks nothing.")]).ask(
        "What does the company ask for a boat?"
    )
    assert "×" not in answer
