"""What `builtin/extractive` promises of prices with a second price, of discounts that only the document names, of rows and of days after a check."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from conftest import CALCULATE, DOCUMENT, EVERY, World

BATH = (
    "tarife-bad.txt",
    "Tarife des Strandbads\n\nEine Tageskarte kostet für Einheimische 6 Franken und für Gäste 9 Franken. Ein Liegestuhl kostet 4 Franken je Stunde. Die Saisonkarte kostet CHF 96. Kinder erhalten 25 Prozent Rabatt auf die Saisonkarte.\n\nDie Rutschbahn wurde am 12. März 2026 geprüft; die nächste Prüfung findet nach zwölf Monaten statt.",
)
ROOF = (
    "dakwerk.txt",
    "Onderhoud dak\n\nHet dak werd gekeurd op 17 februari 2026; de volgende keuring moet binnen twaalf maanden gebeuren. De loodgieter rekent 62 euro per uur en 35 euro voorrijkosten. De goot wordt drie keer per jaar schoongemaakt. De goot schoonmaken kost 145 euro per beurt.",
)
BIKES = (
    "policy-bikes.md",
    "# Company bikes\n\nWe pay 24 pence a mile for journeys by bike. A helmet costs GBP 38, a lock GBP 27 and a pair of lights GBP 19. Every employee may spend GBP 120 a year on repairs. Bikes are returned within ten working days after the last day of work.",
)
HALL = (
    "location-salle.md",
    "# Salle des fêtes\n\nLa location de la salle coûte 420 euros par jour, le chauffage 35 euros par jour en hiver. Une caution de 30 pour cent du prix de location est demandée. Le ménage est facturé 85 euros. La réservation s'annule sans frais jusqu'à trois semaines avant la date.",
)
YOGA = (
    "yoga.md",
    "# Yoga studio\n\n| Class | Members EUR | Guests EUR | Duration |\n|---|---|---|---|\n| Morning yoga | 12 | 16 | 60 minutes |\n| Evening yoga | 14 | 19 | 75 minutes |\n| Weekend course | 95 | 120 | 2 days |",
)
TRIPS = (
    "travel.csv",
    "trip: T-1; date: 2026-03-02; employee: Orla Finch; city: Ghent; nights: 2; cost_eur: 412.50\ntrip: T-2; date: 2026-03-15; employee: Ivo Tamm; city: Lille; nights: 1; cost_eur: 230.00\ntrip: T-3; date: 2026-04-09; employee: Orla Finch; city: Trier; nights: 3; cost_eur: 655.00",
)
LOAN = (
    "loan.md",
    "# Loan of the association\n\nThe bank lends us EUR 60,000 for eight years. Interest is 3.5 per cent a year. The loan starts on 1 October 2025. We repay EUR 7,500 a year. The first report to the bank is due on 15 January 2027.",
)
EVERYTHING = [BATH, ROOF, BIKES, HALL, YOGA, TRIPS, LOAN]


@pytest.mark.parametrize(
    ("question", "figure"),
    [
        ("Wie viel billiger ist die Tageskarte für Einheimische als für Gäste?", "3 CHF"),
        ("Was kosten zwei Liegestühle für drei Stunden?", "24 CHF"),
        ("Was kostet die Saisonkarte für ein Kind?", "72 CHF"),
        ("Wann muss die Rutschbahn das nächste Mal geprüft werden?", "12. März 2027"),
        ("Tegen wanneer moet het dak opnieuw gekeurd worden?", "17 februari 2027"),
        ("Wat kost de loodgieter voor drie uur met voorrijkosten?", "221 EUR"),
        ("Hoeveel kost het schoonmaken van de goot per jaar?", "435 EUR"),
        ("I cycled 50 miles for work. How much do I get?", "12 GBP"),
        ("What do a helmet, a lock and a pair of lights cost together?", "84 GBP"),
        ("My last day of work is 3 April 2026, by when do I return the bike?", "17 April 2026"),
        ("Combien coûte la location de la salle pour trois jours en hiver avec le chauffage ?", "365 EUR"),
        ("À combien s'élève la caution pour une journée ?", "126 EUR"),
        ("Je réserve la salle pour le 14 juin 2026, jusqu'à quand puis-je annuler sans frais ?", "24 mai 2026"),
        ("What do five guests pay for evening yoga?", "95 EUR"),
        ("How much did Orla Finch's trips cost in total?", "1,067.50 EUR"),
        ("How many nights did Orla Finch spend away in total?", "2 + 3 = 5"),
        ("How much interest do we pay in the first year?", "2,100 EUR"),
        ("How much more do guests pay for the weekend course than members?", "25 EUR"),
    ],
)
async def test_the_figure_that_is_worked_out_is_said_with_its_source(question: str, figure: str) -> None:
    world = World(EVERYTHING)
    answer = await world.ask(question, tools=(*EVERY, DOCUMENT))
    assert len(world.used(CALCULATE)) == 1, answer
    assert [line for line in answer.splitlines() if figure in line and line.rstrip().endswith("]")], answer
