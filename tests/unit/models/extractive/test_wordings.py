"""Questions in other words than the text: units by another name, verbs inside nouns, comparatives that compare nothing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from famulus.models.providers.extractive.plan import make_plan
from famulus.models.providers.extractive.terms import Bag, question_terms

sys.path.insert(0, str(Path(__file__).parent))
from conftest import World


def test_a_unit_is_found_under_its_other_names() -> None:
    (kilo,) = question_terms("kilos", "en")
    assert Bag("1 kg: 30", "en").credit(kilo) == 1.0


def test_a_german_verb_is_found_inside_a_noun() -> None:
    (fails,) = question_terms("ausfällt", "de")
    assert Bag("Bei einem Totalausfall kommt der Techniker.", "de").credit(fails) >= 0.6


@pytest.mark.parametrize(
    "question",
    [
        "What happens if we order less flour than we promised?",
        "Was gilt, wenn wir weniger bestellen als wir versprochen haben?",
    ],
)
def test_a_condition_is_no_comparison(question: str) -> None:
    assert make_plan(question).operation == "none"


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Quelle est la charge utile du camion ?", "open"),
        ("Quel est le prix du camion ?", "money"),
        ("Hoeveel krijg ik voor 40 kilometer met de fiets?", "amount"),
    ],
)
def test_words_that_mean_money_elsewhere_are_read_in_their_own_language(question: str, wanted: str) -> None:
    assert make_plan(question).parts[0].asking.wanted == wanted


async def test_the_price_of_a_kilo_is_found_in_the_column_of_one_kg() -> None:
    table = (
        "prices.md",
        "| Product | 250 g | 1 kg |\n|---|---|---|\n| Rye flour | 2.10 | 6.40 |\n| Spelt | 3.10 | 8.90 |",
    )
    assert "6.40" in await World([table]).ask("How much is a kilo of rye flour?")


async def test_two_events_of_one_sentence_have_its_two_dates() -> None:
    text = "The fire drill takes place on 9 June 2026; the rehearsal is on 21 May."
    answer = await World([("notes.md", text)]).ask("How many days lie between the rehearsal and the fire drill?")
    assert "19 days" in answer


async def test_a_yearly_cost_comes_from_the_quarterly_fee_and_not_from_an_hourly_rate() -> None:
    text = (
        "The flat fee for the maintenance is EUR 300 per quarter. Work outside the maintenance costs EUR 84 per hour."
    )
    assert "1,200" in await World([("contract.md", text)]).ask("How much do we pay for the maintenance per year?")


LEASE = (
    "mietvertrag.md",
    "# Mietvertrag\n\n## Miete\n\nDie Grundmiete beträgt monatlich 1.140 Euro. Auf die Heizkosten wird eine Vorauszahlung von 90 Euro geleistet.\n\n"
    "## Kaution\n\nDie Mieter leisten eine Kaution in Höhe von drei Grundmieten, das sind 3.420 Euro.",
)
MACHINE = (
    "manual.txt",
    "Error codes\nE03: the water tank is empty or the inlet valve is closed. E11: the grinder is blocked. E27:\nthe boiler is too hot; let the machine cool for one hour.",
)
NOTES = ("notes.md", "# Büroumzug\n\nDe verhuizing is op 27 februari 2026. Het internet wordt op 5 maart aangesloten.")


async def test_what_a_sentence_is_about_comes_before_what_only_mentions_it() -> None:
    answer = await World([LEASE]).ask("Wie hoch ist die Grundmiete?")
    assert answer.startswith(("Die Grundmiete beträgt", "- Die Grundmiete beträgt"))


async def test_a_label_at_the_end_of_a_line_keeps_what_follows_it() -> None:
    assert "the boiler is too hot" in await World([MACHINE]).ask("What does E27 mean?")


async def test_a_short_question_is_answered_in_its_own_language() -> None:
    assert "De verhuizing is op 27 februari 2026. [1]" in await World([NOTES]).ask("Wanneer is de verhuizing?")
    assert "Deze vraag" in (answer := await World([NOTES]).ask("Waar is de sleutel?")) or "deze vraag" in answer
