"""What the product itself says in place of an answer, in the language of the question (English where that is not known)."""

from __future__ import annotations

from typing import Final, Literal

from famulus.text.language import guess_language

Phrase = Literal["rounds", "empty", "tool_output", "budget", "price_unknown", "deadline", "found"]

_TEXTS: Final[dict[str, dict[Phrase, str]]] = {
    "en": {
        "rounds": "I reached the limit of {rounds} rounds before I had an answer.",
        "empty": "The model returned an empty answer.",
        "tool_output": "The model returned raw tool output instead of an answer.",
        "budget": "The budget of {budget} for this question is used up ({spent} after {rounds} rounds), so I stopped before an answer.",
        "price_unknown": "The price of this model is unknown, so the budget of {budget} cannot be kept; I stopped before an answer.",
        "deadline": "The time for this question ran out before I had an answer.",
        "found": "Found so far: {names}.",
    },
    "de": {
        "rounds": "Ich habe die Grenze von {rounds} Runden erreicht, bevor ich eine Antwort hatte.",
        "empty": "Das Modell hat eine leere Antwort gegeben.",
        "tool_output": "Das Modell hat statt einer Antwort eine rohe Werkzeugausgabe zurückgegeben.",
        "budget": "Das Budget von {budget} für diese Frage ist aufgebraucht ({spent} nach {rounds} Runden), deshalb habe ich vor einer Antwort aufgehört.",
        "price_unknown": "Der Preis dieses Modells ist unbekannt, das Budget von {budget} lässt sich nicht einhalten; ich habe vor einer Antwort aufgehört.",
        "deadline": "Die Zeit für diese Frage lief ab, bevor ich eine Antwort hatte.",
        "found": "Bisher gefunden: {names}.",
    },
    "fr": {
        "rounds": "J'ai atteint la limite de {rounds} tours avant d'avoir une réponse.",
        "empty": "Le modèle a renvoyé une réponse vide.",
        "tool_output": "Le modèle a renvoyé la sortie brute d'un outil au lieu d'une réponse.",
        "budget": "Le budget de {budget} pour cette question est épuisé ({spent} après {rounds} tours) ; je me suis arrêté avant une réponse.",
        "price_unknown": "Le prix de ce modèle est inconnu ; le budget de {budget} ne peut être respecté et je me suis arrêté avant une réponse.",
        "deadline": "Le temps prévu pour cette question s'est écoulé avant une réponse.",
        "found": "Trouvé jusqu'ici : {names}.",
    },
    "nl": {
        "rounds": "Ik heb de grens van {rounds} rondes bereikt voordat ik een antwoord had.",
        "empty": "Het model gaf een leeg antwoord.",
        "tool_output": "Het model gaf ruwe uitvoer van een hulpmiddel in plaats van een antwoord.",
        "budget": "Het budget van {budget} voor deze vraag is op ({spent} na {rounds} rondes); ik ben vóór een antwoord gestopt.",
        "price_unknown": "De prijs van dit model is onbekend, dus het budget van {budget} is niet te bewaken; ik ben vóór een antwoord gestopt.",
        "deadline": "De tijd voor deze vraag was om voordat ik een antwoord had.",
        "found": "Tot nu toe gevonden: {names}.",
    },
}


def say(phrase: Phrase, question: str, **values: str | int) -> str:
    """The phrase in the question's language, its places filled."""
    texts = _TEXTS.get(guess_language(question) or "en", _TEXTS["en"])
    return texts[phrase].format(**values)
