"""Follow-ups: what they leave out comes from the question before, and the thing they name takes the place of the old one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from conftest import World

LEASE = (
    "lease.md",
    "# Lease of the shop in Brook Street\n\nThe rent of the shop is GBP 2,400 a month.\n\nThe deposit is GBP 7,200.\n\n"
    "The lease ends on 30 June 2031.\n\nThe notice period is six months.",
)
KENNEL = (
    "kennel.md",
    "# Prices\n\nA cat costs EUR 18 a night.\n\nA dog costs EUR 27 a night.\n\nA rabbit costs EUR 9 a night.",
)
HALLE = (
    "halle.md",
    "# Mietvertrag der Lagerhalle\n\nDer Mietzins beträgt CHF 5'200 im Monat.\n\nDie Kaution beträgt CHF 15'600.\n\n"
    "Der Vertrag endet am 31. März 2030.",
)
ONDERHOUD = (
    "onderhoud.md",
    "# Onderhoudscontract liften\n\nDe monteur komt vier keer per jaar.\n\nDe opzegtermijn is drie maanden.\n\nHet uurtarief is 92 euro.",
)
ENTRETIEN = (
    "entretien.md",
    "# Contrat d'entretien de la chaudière\n\nLe préavis est de deux mois.\n\nLe contrat dure trois ans.\n\nLe tarif horaire est de 78 euros.",
)


@pytest.mark.parametrize(
    ("document", "before", "asked", "said", "not_said"),
    [
        (LEASE, "How much rent do we pay for the shop?", "And the deposit?", "GBP 7,200", "GBP 2,400"),
        (LEASE, "How much rent do we pay for the shop?", "And when does the lease end?", "30 June 2031", "GBP 7,200"),
        (LEASE, "What is the deposit for the shop?", "What about the notice period?", "six months", "GBP 7,200"),
        (KENNEL, "How much does a cat cost per night?", "And a dog?", "EUR 27", "EUR 18"),
        (HALLE, "Wie hoch ist der Mietzins der Lagerhalle?", "Und die Kaution?", "15'600", "5'200"),
        (HALLE, "Wie hoch ist der Mietzins der Lagerhalle?", "Und wann endet der Vertrag?", "31. März 2030", "5'200"),
        (ONDERHOUD, "Hoe vaak komt de monteur?", "En de opzegtermijn?", "drie maanden", "vier keer"),
        (ENTRETIEN, "Quel est le préavis du contrat d'entretien ?", "Et la durée ?", "trois ans", "deux mois"),
        (ENTRETIEN, "Quel est le préavis du contrat d'entretien ?", "Et le tarif horaire ?", "78 euros", "deux mois"),
    ],
)  # fmt: skip
async def test_a_follow_up_is_answered_and_not_the_question_before_it(
    document: tuple[str, str], before: str, asked: str, said: str, not_said: str
) -> None:
    answer = await World([document]).ask(asked, earlier=(before,))
    assert said in answer
    assert not_said not in answer


async def test_follow_ups_can_follow_each_other() -> None:
    earlier = ("How much does a cat cost per night?", "And a dog?")
    assert "EUR 9" in await World([KENNEL]).ask("And a rabbit?", earlier=earlier)


async def test_a_whole_question_takes_nothing_from_the_one_before() -> None:
    answer = await World([LEASE, KENNEL]).ask(
        "And how much does a dog cost at the kennel per night?", earlier=("How much rent do we pay for the shop?",)
    )
    assert "EUR 27" in answer
    assert "GBP" not in answer
