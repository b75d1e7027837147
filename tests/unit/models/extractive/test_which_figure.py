"""Which of several figures is meant, and what is worked out from it: one document each, whose other figures are none of the question."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from conftest import CALCULATE, DOCUMENT, EVERY, World

NURSERY = "Der Elternbeitrag beträgt für einen Platz von 35 Stunden 290 Euro im Monat, für einen Platz von 45 Stunden 370 Euro. Das Mittagessen kostet 3,80 Euro am Tag. Der Beitrag ist bis zum 5. eines Monats fällig."
CHARGES = "Les charges s'élèvent à 185 euros par trimestre pour un studio, à 260 euros pour un deux-pièces et à 340 euros pour un trois-pièces."
MACHINE = "De huur van een koffiemachine bedraagt 65 euro per maand. Een kilo bonen kost 14,50 euro."
BIKES = "| Bicycle | Half day | Day | Week |\n|---|---|---|---|\n| City bike | GBP 12 | GBP 18 | GBP 85 |\n| Tandem | GBP 22 | GBP 34 | GBP 160 |\n| E-bike | GBP 25 | GBP 39 | GBP 190 |"
ON_CALL = "On-call duty is paid with EUR 320 a week. Each call-out at night is paid with EUR 60 more and gives two hours off on the next day."
CLUB = "De contributie bedraagt voor senioren 245 euro, voor junioren 165 euro en voor donateurs 40 euro per seizoen. Bij inschrijving komen er eenmalig 15 euro administratiekosten bij."
FACADE = "Le ravalement de la façade, estimé à 84 000 euros, sera soumis au vote. Il est réparti entre 42 lots."
STOCK = "article: Drill hammer; unit: piece; price GBP: 189; from 10 pieces GBP: 172; stock: 14\narticle: Safety shoes; unit: pair; price GBP: 79; from 10 pieces GBP: 71; stock: 52"
POWER = "Der Arbeitspreis beträgt 21,4 Cent je Kilowattstunde. Der Grundpreis liegt bei 145 Euro im Monat."
ORDER = "order: PO-506; supplier: Sitwell Ltd; article: standing desks; quantity: 4; total EUR: 2196\norder: PO-507; supplier: Verhoeven; article: envelopes; quantity: 40; total EUR: 132"
DUTY = "Wer die Gemeinschaftsarbeit nicht leistet, zahlt je fehlende Stunde 20 Euro; Pflicht sind acht Stunden im Jahr."


@pytest.mark.parametrize(
    ("document", "question", "expected"),
    [
        (NURSERY, "Was kostet ein Platz mit 45 Stunden im Jahr?", "370 × 12 = 4.440 EUR"),
        (NURSERY, "Wie viel kosten 18 Mittagessen?", "3,80 × 18 = 68,40 EUR"),
        (NURSERY, "Wann muss der Elternbeitrag bezahlt sein?", "bis zum 5. eines Monats"),
        (CHARGES, "À combien reviennent les charges annuelles d'un deux-pièces ?", "260 × 4"),
        (CHARGES, "À combien reviennent les charges annuelles d'un trois-pièces ?", "340 × 4"),
        (MACHINE, "Hoeveel huur betalen we per jaar voor twee koffiemachines?", "2 × 65 × 12"),
        (BIKES, "What do two tandems cost for a week?", "160 × 2 = 320 GBP"),
        (BIKES, "Which is cheaper for a day, the e-bike or the tandem?", "Day GBP 39 (E-bike) is more than Day GBP 34"),
        (
            ON_CALL,
            "What does somebody earn for an on-call week with three call-outs at night?",
            "320 + 3 × 60 = 500 EUR",
        ),
        (CLUB, "Wat betaalt een senior met de administratiekosten?", "245 + 15 = 260 EUR"),
        (FACADE, "Combien paiera chaque lot pour le ravalement de la façade ?", "/ 42 ="),
        (STOCK, "What do twelve drill hammers cost?", "172 × 12 = 2,064 GBP"),
        (STOCK, "What do four drill hammers cost?", "189 × 4 = 756 GBP"),
        (STOCK, "How much do three pairs of safety shoes cost?", "79 × 3 = 237 GBP"),
        (POWER, "Was kosten 10.000 Kilowattstunden ohne Grundpreis?", "= 2.140 EUR"),
        (
            "Die Grundmiete beträgt 663 Euro, die Vorauszahlung für Betriebskosten 195 Euro im Monat.",
            "Wie hoch ist die Miete mit Nebenkosten im Monat?",
            "663 + 195 = 858 EUR",
        ),
        (
            "Membership costs GBP 6 a month; students pay half.",
            "What does a student pay for a year of membership?",
            "= 36 GBP",
        ),
        (
            "Die Pauschale beträgt CHF 3'480 im Jahr und wird in zwei gleichen Teilen im Januar und im Juli bezahlt.",
            "Wie viel von der Pauschale ist im Januar zu bezahlen?",
            "= 1'740 CHF",
        ),
        (
            "The large studio costs GBP 48 an hour, the small one GBP 29 an hour.",
            "What does the small studio cost for three hours?",
            "29 × 3 = 87 GBP",
        ),
        (
            "Der Anfängerkurs hat zwölf Stunden und kostet 156 Euro, der Aufbaukurs acht Stunden und 112 Euro.",
            "Was kostet eine Stunde im Anfängerkurs?",
            "156 / 12 = 13 EUR",
        ),
        (ORDER, "What did one standing desk cost?", "2,196 / 4 = 549 EUR"),
    ],
)
async def test_the_figure_is_that_of_the_thing_asked_for(document: str, question: str, expected: str) -> None:
    assert expected in await World([("document.md", document)]).ask(question, tools=(*EVERY, DOCUMENT))


@pytest.mark.parametrize(
    ("document", "question", "expected"),
    [
        ("Parking costs EUR 3 for each started hour.", "What does parking for 130 minutes cost?", "3 × 3 = 9"),
        ("Late return costs £5 per half hour.", "What does a return that is 75 minutes late cost?", "5 × 3 = 15"),
        (
            "Wird ein Kind zu spät abgeholt, werden je angefangene Viertelstunde 10 Euro fällig.",
            "Was kostet es, wenn ein Kind 40 Minuten zu spät abgeholt wird?",
            "10 × 3 = 30",
        ),
        ("Wie te laat komt, betaalt 4 euro per begonnen kwartier.", "Wat betaalt wie 50 minuten te laat komt?", "4 × 4 = 16"),
        ("Le stationnement coûte 2 euros par heure entamée.", "Combien coûte le stationnement pour 100 minutes ?", "2 × 2 = 4"),
    ],
)  # fmt: skip
async def test_a_block_of_time_that_is_begun_counts_whole(document: str, question: str, expected: str) -> None:
    assert expected in await World([("prices.md", document)]).ask(question)


@pytest.mark.parametrize(
    ("document", "question", "expected"),
    [
        ("In 2025 income was GBP 41,200 and expenses GBP 38,750.", "What was the surplus in 2025?", "= 2,450 GBP"),
        ("Die Einnahmen betrugen 8.400 Euro, die Ausgaben 9.150 Euro.", "Wie hoch war der Fehlbetrag?", "= 750 EUR"),
        (
            "Voor het leesfeest is een budget van 4.600 euro vastgesteld. Leesfeest: 1.260 bezoekers, kosten 4.385 euro.",
            "Hoeveel geld bleef er van het budget voor het leesfeest over?",
            "= 215 EUR",
        ),
        ("De inkomsten bedroegen 8.400 euro en de uitgaven 9.150 euro.", "Hoe groot was het tekort?", "= 750 EUR"),
        ("Les recettes s'élèvent à 12 300 euros, les dépenses à 11 800 euros.", "Quel est l'excédent ?", "= 500 EUR"),
    ],
)
async def test_what_is_over_is_what_came_in_less_what_went_out(document: str, question: str, expected: str) -> None:
    assert expected in await World([("report.md", document)]).ask(question)


async def test_no_figure_is_made_up_where_the_number_is_not_said() -> None:
    """How many hours are missing is not said: nothing is multiplied with the five that were done."""
    question = "Was zahlt, wer nur fünf der acht Stunden Gemeinschaftsarbeit leistet?"
    world = World([("rules.md", DUTY)])
    assert "je fehlende Stunde 20 Euro" in await world.ask(question)
    assert not [call for call in world.calls if call.tool == CALCULATE]


@pytest.mark.parametrize(
    ("document", "question", "expected"),
    [
        ("A day costs EUR 22, the card for ten days EUR 190.", "How much does one save with the card for ten days?", "10 × 22 - 190 = 30"),
        ("Der Eintritt kostet 8 Euro, die 10er-Karte 72 Euro.", "Wie viel spart man mit der 10er-Karte?", "10 × 8 - 72 = 8"),
        ("Een rit kost 4 euro, de kaart voor tien ritten 34 euro.", "Hoeveel bespaar je met een kaart voor tien ritten?", "10 × 4 - 34 = 6"),
        ("La journée coûte 22 euros, le carnet de dix journées 190 euros.", "Combien économise-t-on avec un carnet de dix journées ?", "10 × 22 - 190 = 30"),
    ],
)  # fmt: skip
async def test_a_pack_saves_what_its_number_costs_singly(document: str, question: str, expected: str) -> None:
    assert expected in await World([("prices.md", document)]).ask(question)


async def test_a_rise_is_not_worked_out_from_another_amount() -> None:
    lease = "Het voorschot voor de servicekosten is 410 euro per maand. De huur wordt elk jaar met 2,5 procent verhoogd. De eerste twee maanden zijn huurvrij."
    assert "410 ×" not in await World([("lease.md", lease)]).ask("Met hoeveel euro stijgt de huur na het eerste jaar?")


async def test_the_end_of_a_dutch_term_is_its_start_and_length() -> None:
    lease = "# Huurovereenkomst Havenkade\n\nDe huur gaat in op 1 mei 2025 en duurt vijf jaar.\n\nBij het einde van de huur wordt de ruimte bezemschoon opgeleverd."
    assert "2030" in await World([("lease.md", lease)]).ask("Wanneer eindigt de huur van de Havenkade?")


WARRANTY = "Die Garantie gilt 36 Monate ab Kaufdatum, für die Lampe zwölf Monate oder 1.000 Stunden."
POOL = "| Kaartje | Volwassenen | Kinderen |\n|---|---|---|\n| Los kaartje | 6,50 euro | 4,00 euro |\n| Jaarabonnement | 310 euro | 190 euro |"


@pytest.mark.parametrize(
    ("document", "question", "expected"),
    [
        # The twelve of the day of the question is not the twelve of the lamp.
        (WARRANTY, "Der Projektor wurde am 12. Mai 2026 gekauft. Bis wann gilt die Garantie?", "2029"),
        ("Reminders go out 10 and 24 days after the due date.", "An invoice is due on 10 August 2026. On which day does the first reminder go out?", "20 August 2026"),
        ("Reminders go out 10 and 24 days after the due date.", "An invoice is due on 10 August 2026. On which day does the second reminder go out?", "3 September 2026"),
        ("Les travaux de l'abri ont commencé le 1er juin 2026 et dureront quatre semaines.", "Quand les travaux de l'abri seront-ils terminés ?", "juin 2026"),
        ("De offerte van 3 maart is er. De offerte is geldig tot 13 maart.", "Tot wanneer geldt de offerte?", "13 maart"),
    ],
)  # fmt: skip
async def test_the_day_is_counted_from_the_span_that_is_meant(document: str, question: str, expected: str) -> None:
    assert expected in await World([("document.md", document)]).ask(question)


@pytest.mark.parametrize(
    ("document", "question", "expected"),
    [
        (POOL, "Wat betalen twee volwassenen en drie kinderen voor een los kaartje?", "2 × 6,50 + 3 × 4 = 25 EUR"),
        ("Voor elke doos die niet terugkomt, rekenen wij 2,75 euro.", "Wat moeten we betalen als er 15 dozen niet terugkomen?", "= 41,25 EUR"),
        ("Staff receive 20 per cent off articles of the shop.", "What do I pay for an article of GBP 45 in the shop?", "= 36 GBP"),
        ("38,000 of 52,000 contracts have been moved so far.", "How many contracts still have to be moved?", "= 14,000"),
        ("Die Grundmiete beträgt 663 Euro, die Vorauszahlung 195 Euro im Monat. Die Kaution beträgt zwei Grundmieten.", "Wie viel Kaution müssen die Mieter zahlen?", "= 1.326 EUR"),
    ],
)  # fmt: skip
async def test_what_is_worked_out_is_of_the_row_and_the_number_asked_for(
    document: str, question: str, expected: str
) -> None:
    assert expected in await World([("document.md", document)]).ask(question, tools=(*EVERY, DOCUMENT))


CAMPING = "# Tarifs par nuit\n\n| Prestation | Basse saison | Haute saison |\n|---|---|---|\n| Emplacement avec deux personnes | 19 € | 31 € |\n| Chien | 2 € | 3 € |"
LOADS = "delivery: D-101; pallets: 12; weight kg: 8640\ndelivery: D-105; pallets: 8; weight kg: 6800\ndelivery: D-106; pallets: 15; weight kg: 10800"


@pytest.mark.parametrize(
    ("document", "question", "expected"),
    [
        (CAMPING, "Combien coûtent cinq nuits sur un emplacement avec deux personnes en haute saison ?", "31 × 5 = 155 EUR"),
        (LOADS, "Which delivery was the heaviest?", "D-106"),
        ("Zusätzliche Arbeiten kosten CHF 128 je Stunde, an Sonntagen CHF 192.", "Was kostet eine Stunde Arbeit am Sonntag mehr als sonst?", "= 64 CHF"),
        ("Bicycles are hired at EUR 14 a day or EUR 70 a week.", "How much does one save with the price of a week for a bicycle?", "7 × 14 - 70 = 28 EUR"),
        ("# Wartung mit fester Laufzeit\n\nDer Vertrag beginnt am 1. Juli 2026 und ist fest auf vier Jahre geschlossen.", "Wann endet die feste Laufzeit des Vertrags?", "2030"),
        ("Für die Gemeinde: Hauswart Beat Fässler.", "Wer ist Hauswart?", "Beat Fässler"),
    ],
)  # fmt: skip
async def test_heads_and_titles_say_what_a_figure_is(document: str, question: str, expected: str) -> None:
    assert expected in await World([("document.md", document)]).ask(question, tools=(*EVERY, DOCUMENT))


NOTES = "# Release notes of Folio\n\n## 6.1.2 (27 April 2026)\n\nFixed:\n\n- Messages to members with an apostrophe are sent again.\n\n## 6.1 (9 March 2026)\n\nChanged:\n\n- The installation needs 6 GB of free disk space."
SERVERS = "| Name | Task | Processor cores | Memory |\n|---|---|---|---|\n| wren | main database | 24 | 192 GB |\n| wagtail | standby copy | 20 | 192 GB |"


@pytest.mark.parametrize(
    ("document", "question", "expected"),
    [
        (NOTES, "What was fixed in Folio 6.1.2?", "apostrophe"),
        (NOTES, "How much disk space does Folio 6.1 need?", "6 GB"),
        (SERVERS, "How many processor cores do wren and wagtail have together?", "24 + 20 = 44"),
        ("In 2025 there were 151 calls, of which 62 were false alarms.", "How many of the calls in 2025 were not false alarms?", "151 - 62 = 89"),
        ("# Miete der Räume\n\nBirkenzimmer: halber Tag 35 Euro, ganzer Tag 55 Euro", "Wie viel Miete zahlt man für das Birkenzimmer an vier ganzen Tagen?", "55 × 4 = 220"),
    ],
)  # fmt: skip
async def test_the_version_the_column_and_the_span_that_are_named_are_meant(
    document: str, question: str, expected: str
) -> None:
    assert expected in await World([("document.md", document)]).ask(question, tools=(*EVERY, DOCUMENT))


@pytest.mark.parametrize(
    ("document", "question"),
    [
        ("Das Zimmer kostet 98 Euro, mit Frühstück 112 Euro.", "Was kostet das Zimmer mit Frühstück?"),
        ("The room costs GBP 98, with breakfast GBP 112.", "What does the room cost with breakfast?"),
    ],
)
async def test_a_price_with_something_is_not_added_to_the_one_without(document: str, question: str) -> None:
    world = World([("prices.md", document)])
    assert "112" in await world.ask(question)
    assert not [call for call in world.calls if call.tool == CALCULATE]


async def test_a_walk_is_a_distance() -> None:
    way = "# Anfahrt zum Hotel\n\nVom Bahnhof sind es zehn Minuten zu Fuss."
    assert "zehn Minuten" in await World([("hotel.md", way)]).ask("Wie weit ist es vom Bahnhof?")
