"""What `builtin/extractive` promises of sums of money and measures: over tiny documents of four languages the computed figure stands in the answer, with its source."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from conftest import CALCULATE, DOCUMENT, EVERY, World

HOTEL = (
    "hotel-notes.md",
    "# Guest house Larkspur\n\nThe garden room costs EUR 84 per night. Breakfast is EUR 12.50 per person per day. A bicycle can be hired for EUR 9 a day or EUR 45 a week. "
    "Parking costs EUR 3 per started hour, with a maximum of EUR 20. The city tax is EUR 2.50 per person and night.\n\n"
    "## Cancellation\n\nWhoever cancels in the last week pays 80 per cent of the price. The key deposit is EUR 30.",
)
WORKSHOP = (
    "werkstatt-tarife.txt",
    "Tarife der Werkstatt Birkental\n\nDie Arbeitsstunde kostet 76 Euro, am Samstag 95 Euro. Ein Ölwechsel kostet 145 Euro. Die Miete für einen Stellplatz beträgt 62 Euro im Monat. "
    "Für die Anfahrt werden 0,85 Euro je gefahrenem Kilometer berechnet, mindestens jedoch 25 Euro. Ein Satz Winterreifen kostet 480 Euro, die Einlagerung 36 Euro je Saison.\n\n"
    "Bei Zahlung innerhalb von zehn Tagen gewähren wir 3 Prozent Skonto. Die Jahresprüfung der Hebebühne kostet 312 Euro.",
)
SCHOOL = (
    "cursusgids.txt",
    "Cursusgids van de Zilverschool\n\nEen cursus keramiek kost 185 euro per deelnemer. Het lesgeld voor pianoles is 64 euro per maand. Een uur privéles kost 38 euro. "
    "De zaal wordt verhuurd voor 55 euro per uur; elk volgend uur na de eerste drie uur kost 40 euro. Leden krijgen 15 procent korting op de cursus keramiek.",
)
GYM_FR = (
    "tarifs-piscine.txt",
    "Tarifs de la piscine des Tilleuls\n\nUne entrée adulte coûte 5,40 euros, une entrée enfant 3,20 euros. La location d'un casier est de 1,50 euro par jour. "
    "L'abonnement annuel coûte 258 euros, payable en trois versements égaux. Le cours d'aquagym est facturé 72 euros par trimestre. "
    "Pour un groupe, les vingt premières entrées coûtent 4 euros chacune et chaque entrée supplémentaire 2,50 euros.",
)
LEASE = (
    "lease-mill.md",
    "# Lease of the Old Mill\n\nThe rent of the studio is GBP 1,240 a month and that of the shop GBP 1,875 a month. The service charge is GBP 165 a month. "
    "The rent may rise by at most 4 per cent at the review of 2028. The tenant lodges a deposit of three months' rent of the shop. Insurance costs GBP 930 a year.\n\n"
    "Water is free up to 30 cubic metres a quarter; every further cubic metre costs GBP 2.20. Electricity is charged at GBP 0.28 per kilowatt hour.",
)
PARCELS = (
    "carrier.md",
    "# Courier Swiftlane\n\nA letter within the city costs EUR 6.80. Parcels up to 5 kg cost EUR 9, up to 15 kg EUR 14.50, and every additional kilogram EUR 0.60. "
    "Waiting time is charged at EUR 0.75 per minute. The fuel surcharge is 8 per cent of the transport price. Mileage is paid at 40 cents per kilometre for the first 100 kilometres and 25 cents for each further kilometre.",
)
MINUTES = (
    "minutes-2026.md",
    "# 3 March 2026\n\nThe roof of the boathouse was budgeted at EUR 18,400.\n\n# 9 June 2026\n\nThe roof of the boathouse cost EUR 19,950 in the end. "
    "Membership fees rise from EUR 120 to EUR 138 a year. In 2025 we had 1,482 visitors, against 1,305 in the year before. Wages make up EUR 21,000 of our spending of EUR 60,000.",
)
PRICES = (
    "price-list.md",
    "| Article | Unit | Low season EUR | High season EUR |\n|---|---|---|---|\n| Kayak, single | per hour | 11 | 14 |\n| Kayak, double | per hour | 17 | 21 |\n| Rowing boat | per day | 60 | 75 |\n| Life vest | per day | 4 | 5 |",
)
ORDERS = (
    "orders.md",
    "| order | date | supplier | item | quantity | unit_price_eur | total_eur | status |\n|---|---|---|---|---|---|---|---|\n"
    "| A-101 | 2026-01-14 | Norrfeld | Cable drum | 4 | 210.00 | 840.00 | delivered |\n| A-102 | 2026-01-28 | Pascalis | Label roll | 60 | 3.50 | 210.00 | delivered |\n"
    "| A-103 | 2026-02-06 | Norrfeld | Cable tie | 900 | 0.10 | 90.00 | open |\n| A-104 | 2026-02-20 | Norrfeld | Switch | 6 | 145.00 | 870.00 | open |\n| A-105 | 2026-03-03 | Wendlau | Ladder | 2 | 168.00 | 336.00 | cancelled |",
)
MACHINES = (
    "machines.md",
    "| Line | Batch size | Batches per shift | Power |\n|---|---|---|---|\n| Line A | 40 kg | 18 | 22 kW |\n| Line B | 65 kg | 12 | 31 kW |",
)
EVERYTHING = [HOTEL, WORKSHOP, SCHOOL, GYM_FR, LEASE, PARCELS, MINUTES, PRICES, ORDERS, MACHINES]

RATES = [
    ("How much is the garden room for five nights?", "420 EUR"),
    ("What do we pay for breakfast for three people for four days?", "150 EUR"),
    ("What does a bicycle cost for two weeks?", "90 EUR"),
    ("How much city tax do two people pay for six nights?", "30 EUR"),
    ("What does parking cost for four hours?", "12 EUR"),
    ("Was kosten vier Arbeitsstunden in der Werkstatt am Samstag?", "380 EUR"),
    ("Wie viel zahle ich für den Stellplatz in einem halben Jahr?", "372 EUR"),
    ("Wie hoch ist die Miete für einen Stellplatz im Jahr?", "744 EUR"),
    ("Was kostet die Anfahrt für 60 Kilometer?", "51 EUR"),
    ("Wat kost een cursus keramiek voor een dozijn deelnemers?", "2.220 EUR"),
    ("Hoeveel lesgeld betaal ik voor pianoles in een heel jaar?", "768 EUR"),
    ("Wat kosten vijf uur privéles?", "190 EUR"),
    ("Combien coûtent quatre entrées adulte à la piscine ?", "21,60 EUR"),
    ("Combien coûte la location d'un casier pour dix jours ?", "15 EUR"),
    ("Combien coûte le cours d'aquagym sur un an ?", "288 EUR"),
    ("What is the annual rent of the shop in the Old Mill?", "22,500 GBP"),
    ("What does insurance cost per month for the Old Mill?", "77.50 GBP"),
    ("How much are 250 kilowatt hours of electricity in the Old Mill?", "70 GBP"),
    ("What does it cost when the courier waits for 20 minutes?", "15 EUR"),
    ("What do three double kayaks cost for one hour in high season?", "63 EUR"),
    ("What does a rowing boat cost for four days in low season?", "240 EUR"),
    ("How many kilograms can line B make in one shift?", "780 kg"),
]
STEPS = [
    ("What does the courier charge for a parcel of 22 kg?", "18.70 EUR"),
    ("How much mileage is paid for 180 kilometres?", "60 EUR"),
    ("How much do we pay for 48 cubic metres of water in a quarter?", "39.60 GBP"),
    ("Wat kost de zaal voor vijf uur?", "245 EUR"),
    ("Combien coûtent 26 entrées pour un groupe ?", "95 EUR"),
]
SHARES = [
    ("How much do I pay if I cancel in the last week a booking of EUR 350?", "280 EUR"),
    ("What is the highest rent of the studio after the review of 2028?", "1,289.60 GBP"),
    ("What is the deposit for the shop in the Old Mill in pounds?", "5,625 GBP"),
    ("Wie viel Skonto bekomme ich auf eine Rechnung von 2.400 Euro?", "72 EUR"),
    ("Was zahle ich für eine Rechnung von 2.400 Euro nach Abzug von Skonto?", "2.328 EUR"),
    ("Wat betalen leden voor de cursus keramiek met korting?", "157,25 EUR"),
    ("How much is the fuel surcharge on a transport price of EUR 260?", "20.80 EUR"),
    ("What percentage of our spending are wages?", "35"),
]
SUMS = [
    ("What do the rent of the shop and the service charge come to together per month?", "2,040 GBP"),
    ("What do the rent of the studio, the rent of the shop and the service charge add up to per month?", "3,280 GBP"),
    ("Was kosten ein Ölwechsel und ein Satz Winterreifen zusammen?", "625 EUR"),
    ("Combien coûtent une entrée adulte et une entrée enfant ensemble ?", "8,60 EUR"),
    ("How much more is the rent of the shop than that of the studio?", "635 GBP"),
    ("By how much was the budget of the boathouse roof exceeded?", "1,550 EUR"),
    ("By how much do the membership fees rise?", "18 EUR"),
    ("By how many visitors did 2025 beat the year before?", "177"),
    ("À combien s'élève chacun des trois versements de l'abonnement ?", "86 EUR"),
    ("Wie viel teurer ist die Arbeitsstunde am Samstag?", "19 EUR"),
]
TABLES = [
    ("How much did we spend with Norrfeld in total?", "1,800 EUR"),
    ("How many orders from Norrfeld are open?", "2"),
    ("What is the average total of the Norrfeld orders?", "600 EUR"),
    ("Wie viel haben wir insgesamt bei Norrfeld bestellt?", "1.800 EUR"),
    ("What do the orders of February add up to?", "960 EUR"),
]


@pytest.mark.parametrize(("question", "figure"), [*RATES, *STEPS, *SHARES, *SUMS, *TABLES])
async def test_the_computed_figure_stands_in_the_answer_with_its_source(question: str, figure: str) -> None:
    world = World(EVERYTHING)
    answer = await world.ask(question, tools=(*EVERY, DOCUMENT))
    assert len(world.used(CALCULATE)) == 1
    lines = [line for line in answer.splitlines() if figure in line and line.rstrip().endswith("]")]
    assert lines, answer


@pytest.mark.parametrize(
    "question",
    [
        "What does a tent cost for three nights?",
        "Was kostet die Sauna für zwei Stunden?",
        "How much is the garden room for three horses for two nights?",
        "What do four kayaks cost?",
        "Combien coûte la location d'un parasol pour deux jours ?",
    ],
)
async def test_where_a_figure_is_missing_or_two_could_be_meant_nothing_is_computed(question: str) -> None:
    world = World(EVERYTHING)
    await world.ask(question, tools=(*EVERY, DOCUMENT))
    assert world.used(CALCULATE) == []
