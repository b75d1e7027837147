"""How words of a question and lines of a text are read: months between two others, e-bikes, hours, lines that lead in a list."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from famulus.models.providers.extractive.plan import make_plan
from famulus.models.providers.extractive.situation import Seen
from famulus.models.providers.extractive.terms import Bag, question_terms
from famulus.models.providers.extractive.units import units_of

sys.path.insert(0, str(Path(__file__).parent))
from conftest import World


@pytest.mark.parametrize(
    ("text", "month", "held"),
    [
        ("From November to February the shop is closed on Mondays.", "January", True),
        ("From November to February the shop is closed on Mondays.", "March", False),
        ("Das Bad ist vom 15. Mai bis 14. September geöffnet.", "Juli", True),
        ("Het zwembad is van april tot en met september open.", "juni", True),
        ("La piscine est ouverte d'avril à septembre.", "octobre", False),
    ],
)
def test_a_month_between_two_others_is_named_with_them(text: str, month: str, held: bool) -> None:
    language = {"January": "en", "March": "en", "Juli": "de", "juni": "nl", "octobre": "fr"}[month]
    term = next(term for term in question_terms(f"… in {month}", language) if term.written == month)
    assert (Bag(text, language).credit(term) == 1.0) is held


def test_a_word_with_a_letter_before_it_is_another_word() -> None:
    (bike,) = question_terms("e-bike", "en")
    assert Bag("E-bike: GBP 39", "en").credit(bike) == 1.0
    assert Bag("City bike: GBP 18", "en").credit(bike) < 0.6


def test_a_noun_before_an_amount_of_time_is_no_code() -> None:
    kinds = {term.written: term.kind for term in question_terms("wenn ein Gast 40 Minuten zu spät kommt", "de")}
    assert kinds["Gast"] == "word"
    assert any(term.kind == "code" for term in question_terms("Wo liegt Raum 40?", "de"))


@pytest.mark.parametrize("question", ["Wie lange hat die Kita am Freitag auf?", "Wie lange ist die Kita geöffnet?"])
async def test_how_long_something_is_open_is_answered_with_its_hours(question: str) -> None:
    document = "Die Kita ist montags bis freitags von 7:00 bis 16:00 Uhr geöffnet. Nach Fieber bleibt ein Kind 24 Stunden zu Hause."
    assert "16:00" in await World([("kita.md", document)]).ask(question)


def test_hours_of_work_are_hours() -> None:
    assert [q.unit for q in make_plan("Komt de monteur binnen acht werkuren?").quantities] == ["hour"]


async def test_the_day_a_password_changes_is_no_password() -> None:
    rules = "Wifi. Le mot de passe change le premier lundi de chaque mois."
    assert "premier lundi" in await World([("rules.txt", rules)]).ask("Quel jour le mot de passe du wifi change-t-il ?")


@pytest.mark.parametrize("text", ["Fixed:\n\nThe door is repaired.", "Fixed:\n- The door is repaired.", "Fixed:"])
def test_a_line_that_leads_in_a_list_is_no_sentence_of_its_own(text: str) -> None:
    units = units_of(Seen("c", 1, "d", "notes.md", (), text, whole=True))
    assert [unit.text for unit in units].count("Fixed:") == (0 if "-" in text else 1)
