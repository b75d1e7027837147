"""What kind of answer the questions of `builtin/extractive` ask for, in four languages."""

from __future__ import annotations

import pytest

from famulus.models.providers.extractive.asking import read_asking
from famulus.models.providers.extractive.terms import question_terms


@pytest.mark.parametrize(
    ("question", "language", "wanted"),
    [
        ("What does the gardener earn?", "en", "money"),
        ("Hoeveel verdient de tuinman?", "nl", "money"),
        ("On which days is the pool cleaned?", "en", "date"),
        ("Entre quelles dates la piscine est-elle fermée ?", "fr", "date"),
        ("Op welk moment wordt het alarm getest?", "nl", "date"),
        ("Wie schnell darf man auf dem Hof fahren?", "de", "measure"),
        ("Hoe hard mag je op het erf rijden?", "nl", "measure"),
        ("How fast must a claim be handed in?", "en", "duration"),
        ("le lift est bloqué, en combien de temps vient le technicien ?", "fr", "duration"),
        ("An wie vielen Tagen ist das Bad zu?", "de", "duration"),
        ("my key is gone, what number do I ring?", "en", "contact"),
        ("An wen wende ich mich bei Lärm?", "de", "whom"),
        ("Who should I ask about the keys?", "en", "whom"),
        ("Where do we wait when the lift is stuck?", "en", "place"),
        ("Qui appelle-t-on quand la pompe s'arrête ?", "fr", "person"),
        ("Until when can I cancel if it rains?", "en", "date"),
        ("How loud may the pump be?", "en", "measure"),
        ("I broke a cup in the canteen, do I have to pay for it?", "en", "yesno"),
        ("Quel est le plafond pour un hôtel ?", "fr", "amount"),
        ("Quel est le tarif horaire du dépannage ?", "fr", "money"),
        ("Quel est le salaire horaire d'un apprenti ?", "fr", "money"),
        ("Quel est l'horaire de la piscine ?", "fr", "clock"),
    ],
)
def test_the_kind_of_answer_is_read_off_the_words_of_the_question(question: str, language: str, wanted: str) -> None:
    assert read_asking(question, language).wanted == wanted


def test_a_month_with_its_year_is_no_code_that_must_be_found() -> None:
    terms = question_terms("Does the lease end in April 2030 for unit B-12?", "en")
    assert [term.written for term in terms if term.kind == "code"] == ["B-12"]
