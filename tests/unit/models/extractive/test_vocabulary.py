"""Other words for the same thing: places by their other names, expressions of several words, and the shape of the lists."""

from __future__ import annotations

from importlib.resources import files

import pytest

from famulus.models.providers.extractive.terms import Bag, question_terms


def credits(question: str, asked: str, text: str, said: str) -> dict[str, float]:
    """What the text, in the language `said`, holds of each term of the question, in the language `asked`."""
    bag = Bag(text, said)
    return {term.written: bag.credit(term) for term in question_terms(question, asked)}


@pytest.mark.parametrize(
    ("name", "asked", "text", "said"),
    [
        ("Lüttich", "de", "La filiale de Liège ouvre le 3 mars.", "fr"),
        ("Aken", "nl", "Le dépôt d'Aix-la-Chapelle est fermé.", "fr"),
        ("Aix", "fr", "Das Lager in Aachen ist geschlossen.", "de"),
        ("Cologne", "en", "Der Kölner Laden schliesst um 18 Uhr.", "de"),
        ("Netherlands", "en", "Les clients des Pays-Bas paient en euros.", "fr"),
        ("Parijs", "nl", "The office in Paris has moved.", "en"),
        ("Freiburg", "de", "L'atelier de Fribourg est ouvert.", "fr"),
    ],
)
def test_a_place_under_its_other_name_is_the_same_name(name: str, asked: str, text: str, said: str) -> None:
    question = {
        "en": "Who works in {}?",
        "de": "Wer arbeitet in {}?",
        "nl": "Wie werkt in {}?",
        "fr": "Qui est à {}-la-Chapelle ?",
    }
    (term,) = [term for term in question_terms(question[asked].format(name), asked) if term.written == name]
    assert (term.kind, Bag(text, said).credit(term)) == ("name", 1.0)


def test_another_place_is_not_the_one_that_is_asked_for() -> None:
    assert credits("Who works in Cologne?", "en", "In Aachen arbeitet Frau Weiss.", "de")["Cologne"] == 0.0


@pytest.mark.parametrize(
    ("question", "asked", "word", "text", "said"),
    [
        ("When is the open day?", "en", "open", "Der Tag der offenen Tür ist am 3. Mai.", "de"),
        ("Quand a lieu la journée portes ouvertes ?", "fr", "portes", "The open day is on 3 May.", "en"),
        ("Combien dure la période d'essai ?", "fr", "essai", "Die Probezeit beträgt drei Monate.", "de"),
        ("Où sont les gilets de sauvetage ?", "fr", "gilets", "Schwimmwesten liegen im Bug.", "de"),
        ("Is there a car park?", "en", "park", "Vor dem Haus liegen zwölf Parkplätze.", "de"),
    ],
)
def test_an_expression_of_several_words_is_one_notion(
    question: str, asked: str, word: str, text: str, said: str
) -> None:
    assert credits(question, asked, text, said)[word] == 0.9


def test_the_words_of_an_expression_apart_are_not_the_expression() -> None:
    assert credits("When is the open day?", "en", "Jeden Tag ist die Tür zu.", "de")["open"] == 0.0


@pytest.mark.parametrize("name", ["vocabulary.txt", "places.txt"])
def test_every_notion_has_words_in_four_languages_and_stands_once(name: str) -> None:
    text = files("famulus.models.providers.extractive").joinpath(name).read_text("utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert all(len(cells) == 4 and all(cell.split() for cell in cells) for cells in (line.split("|") for line in lines))
    assert len(lines) == len(set(lines))


@pytest.mark.parametrize(
    ("question", "asked", "content"),
    [
        ("Combien de jours de congé avons-nous ?", "fr", ["jours", "congé"]),
        ("Avez-vous un parking ?", "fr", ["parking"]),
        ("Dois-je prévenir le gardien ?", "fr", ["prévenir", "gardien"]),
        ("Hoeft mijn hond niet mee?", "nl", ["hond"]),
        ("Wann ist denn das Büro eigentlich überhaupt besetzt?", "de", ["Büro", "besetzt"]),
        ("When is the shop actually open, please?", "en", ["shop", "open"]),
    ],
)
def test_the_light_words_of_a_question_are_no_content(question: str, asked: str, content: list[str]) -> None:
    assert [term.written for term in question_terms(question, asked)] == content


@pytest.mark.parametrize(
    ("question", "asked", "word", "text", "said"),
    [
        ("How do I erase a file?", "en", "erase", "Deleted files are kept for a week.", "en"),
        ("Wann bekommen Azubis Urlaub?", "de", "Azubis", "Auszubildende haben 28 Ferientage.", "de"),
        ("Ik ben mijn pas kwijt", "nl", "kwijt", "Een verloren pas meldt u direct.", "nl"),
        ("Wie haalt de container leeg?", "nl", "leeg", "De container wordt geleegd op dinsdag.", "nl"),
        ("Faut-il signaler une panne ?", "fr", "signaler", "Toute panne est à déclarer.", "fr"),
        ("Wer hat den Wagen gemietet?", "de", "gemietet", "Le véhicule est loué par la commune.", "fr"),
    ],
)
def test_other_words_for_the_same_are_found(question: str, asked: str, word: str, text: str, said: str) -> None:
    assert credits(question, asked, text, said)[word] >= 0.9


@pytest.mark.parametrize(
    ("question", "asked", "word", "text", "said"),
    [
        ("Wie viel Reis ist im Lager?", "de", "Reis", "The trip takes two days.", "en"),
        ("Qui paie le repas ?", "fr", "repas", "De monteur herstelt de lift.", "nl"),
        ("Who clears the goods through customs?", "en", "customs", "Der Kunde zahlt.", "de"),
    ],
)
def test_words_that_only_share_a_stem_are_not_the_same(
    question: str, asked: str, word: str, text: str, said: str
) -> None:
    assert credits(question, asked, text, said)[word] == 0.0
