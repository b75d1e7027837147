"""Whether a message needs knowledge at all. Only what is plainly small talk does not; a short or odd question is searched for."""

from __future__ import annotations

import re
from typing import Final

_WORD: Final = re.compile(r"[^\W\d_]+")
_LONGEST: Final = 8
# Every other word makes a message one that is searched for.
_LINES: Final = (
    "thanks thank you thx ty cheers hello hi hey good morning afternoon evening night bye goodbye see later ok okay fine great",
    "nice cool perfect super awesome wonderful lovely yes no yep nope sure very much so many a lot for your the help that was it is",
    "well done got understood welcome please danke dankeschön vielen dank schön herzlichen hallo guten morgen tag abend nacht tschüss",
    "tschüs ade grüezi servus ja nein gut prima toll klasse alles klar verstanden bitte sehr merci viel mals für die hilfe das war",
    "wiedersehen auf beaucoup bonjour bonsoir salut au revoir oui non parfait bien très d accord pour votre aide ton bedankt dank je",
    "u wel hartelijk hoi dag goedemorgen goedemiddag goedenavond tot ziens nee mooi oké voor de hulp grazie mille ciao buongiorno",
    "buonasera prego sì va bene",
)
_WORDS: Final = frozenset(word for line in _LINES for word in line.split())


def needs_knowledge(message: str) -> bool:
    """False for "thanks!", "ok, great", an emoji; True for everything else."""
    words = _WORD.findall(message.casefold())
    if not words:
        return any(character.isalnum() for character in message)
    return len(words) > _LONGEST or not all(word in _WORDS for word in words)
