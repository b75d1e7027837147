"""What `builtin/extractive` promises of dates: ends of terms, last days for a notice, due days, next times and spans, over tiny documents of four languages."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from conftest import CALCULATE, DOCUMENT, EVERY, World

LEASE = (
    "lease-barn.md",
    "# Lease of the Tithe Barn\n\nThe lease begins on 1 May 2025 and runs for seven years. The tenant may end it early by giving six months' notice in writing. "
    "The landlord answers a request for repairs within 15 working days. Claims for damage are sent in within 30 days of the event.",
)
MACHINE = (
    "delivery-press.md",
    "# Printing press\n\nThe printing press was delivered on 12 February 2026. The warranty on the press is 24 months. Defects must be reported within 14 days of delivery. "
    "The oil of the press is changed every two years; the last change was on 9 October 2024.",
)
HANDBUCH = (
    "mitarbeiterheft.txt",
    "Mitarbeiterheft\n\nDie Probezeit dauert vier Monate. Die Kündigungsfrist des Arbeitsverhältnisses beträgt zwei Monate auf das Ende eines Monats. Ferien sind mindestens sechs Wochen vor dem Beginn anzumelden. "
    "Die Sitzung der Belegschaft findet am ersten Dienstag jedes Monats statt. Spesen sind innerhalb von 60 Tagen nach der Reise abzurechnen.",
)
WARTUNG = (
    "wartungsvertrag-ofen.txt",
    "Wartungsvertrag Backofen\n\nDer Vertrag beginnt am 1. März 2026 und gilt drei Jahre. Er kann mit einer Frist von vier Monaten zum Ende der Laufzeit gekündigt werden. Der Ofen wird alle zwei Jahre geprüft, das nächste Mal im Juni 2027.",
)
SCHOONMAAK = (
    "contract-tuinonderhoud.txt",
    "Contract tuinonderhoud\n\nHet contract gaat in op 15 april 2025 en loopt vier jaar. De hagen worden elke donderdag gesnoeid. Klachten over het werk worden binnen tien dagen gemeld. De opzegtermijn is drie maanden.",
)
CHAUFFAGE = (
    "contrat-chaudiere.txt",
    "Contrat d'entretien de la chaudière\n\nLe contrat prend effet le 1er juillet 2025 pour une durée de trente mois. Le contrôle de la chaudière est fait tous les quatre ans ; le dernier date du 20 mai 2023. "
    "La résiliation se fait avec un préavis de deux mois. Les réclamations sont envoyées dans les quinze jours suivant la visite.",
)
SHIPMENTS = (
    "shipments.md",
    "| shipment | sent | arrived | port | invoice due | invoice paid |\n|---|---|---|---|---|---|\n| TR-901 | 2026-01-10 | 2026-02-19 | Gdynia | 2026-03-01 | 2026-03-15 |\n| TR-902 | 2026-02-02 | 2026-03-05 | Genoa | 2026-03-20 | 2026-03-18 |",
)
NOTES = (
    "notes-2026.md",
    "# 4 May 2026\n\nThe inspection of the boiler room takes place on 18 June 2026. The rehearsal is on 2 June 2026. The archive stays open until 30 September 2026. The ferry Alma went into the yard on 3 March 2026. The ferry leaves the yard on 24 March 2026.",
)
EVERYTHING = [LEASE, MACHINE, HANDBUCH, WARTUNG, SCHOONMAAK, CHAUFFAGE, SHIPMENTS, NOTES]

TERMS = [
    ("When does the lease of the Tithe Barn end?", "30 April 2032"),
    ("Until when is the printing press under warranty?", "11 February 2028"),
    ("Wann läuft der Wartungsvertrag für den Backofen ab?", "28. Februar 2029"),
    ("Wanneer eindigt het contract voor het tuinonderhoud?", "14 april 2029"),
    ("Quand se termine le contrat d'entretien de la chaudière ?", "31 décembre 2027"),
    ("Meine Probezeit beginnt am 1. September 2026, wann endet sie?", "31. Dezember 2026"),
]
NOTICE = [
    ("By when must we give notice to leave the Tithe Barn on 30 April 2029?", "30 October 2028"),
    ("Bis wann muss der Wartungsvertrag für den Backofen gekündigt werden?", "31. Oktober 2028"),
    ("Ich kündige am 10. März 2026, wann endet das Arbeitsverhältnis?", "31. Mai 2026"),
    ("Jusqu'à quand faut-il résilier le contrat de la chaudière pour le 31 décembre 2027 ?", "31 octobre 2027"),
    ("Voor wanneer moet het contract voor tuinonderhoud worden opgezegd?", "14 januari 2029"),
]
DUE = [
    ("By when must defects of the printing press be reported?", "26 February 2026"),
    ("I asked the landlord for repairs on 2 March 2026, by when does he answer?", "23 March 2026"),
    ("The damage happened on 5 June 2026; until when can I send in the claim?", "5 July 2026"),
    ("Meine Reise endet am 20. Mai 2026, bis wann muss ich die Spesen abrechnen?", "19. Juli 2026"),
    ("Ich möchte ab dem 10. August 2026 Ferien nehmen, bis wann muss ich sie anmelden?", "29. Juni 2026"),
    ("Het werk was op 3 juni 2026 klaar, tot wanneer kan ik een klacht melden?", "13 juni 2026"),
    ("La visite a eu lieu le 8 mars 2026, jusqu'à quand peut-on envoyer une réclamation ?", "23 mars 2026"),
]
NEXT = [
    ("When is the oil of the press changed next?", "9 October 2026"),
    ("In welchem Jahr wird der Ofen nach 2027 das nächste Mal geprüft?", "2029"),
    ("Wann ist nach dem 8. Mai 2026 die nächste Sitzung der Belegschaft?", "2. Juni 2026"),
    ("Wanneer worden de hagen na 6 mei 2026 weer gesnoeid?", "7 mei 2026"),
    ("Quand doit avoir lieu le prochain contrôle de la chaudière ?", "20 mai 2027"),
]
SPANS = [
    ("How many days lie between the rehearsal and the inspection of the boiler room?", "16 days"),
    ("How long was TR-901 on its way?", "40 days"),
    ("How many days late was the invoice of TR-901 paid?", "14 days"),
    ("How many days does the ferry Alma spend in the yard?", "21 days"),
    ("How many days are there between 1 June 2026 and the inspection of the boiler room?", "17 days"),
    ("How many weeks was TR-901 on its way?", "weeks"),
]


@pytest.mark.parametrize(("question", "day"), [*TERMS, *NOTICE, *DUE, *NEXT, *SPANS])
async def test_the_computed_day_stands_in_the_answer_with_its_source(question: str, day: str) -> None:
    world = World(EVERYTHING)
    answer = await world.ask(question, tools=(*EVERY, DOCUMENT))
    assert len(world.used(CALCULATE)) == 1, answer
    assert [line for line in answer.splitlines() if day in line and line.rstrip().endswith("]")], answer


@pytest.mark.parametrize(
    "question",
    [
        "When does the archive close?",
        "When was the printing press delivered?",
        "When does the lease of the boathouse end?",
        "Bis wann muss ich die Steuererklärung einreichen?",
        "Wann beginnt der Wartungsvertrag für den Backofen?",
    ],
)
async def test_a_day_that_is_written_or_that_no_document_gives_is_not_computed(question: str) -> None:
    world = World(EVERYTHING)
    await world.ask(question, tools=(*EVERY, DOCUMENT))
    assert world.used(CALCULATE) == []
