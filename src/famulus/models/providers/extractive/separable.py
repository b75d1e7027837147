"""German and Dutch verbs whose first part stands at the end of the clause (`Wo melde ich mich an?`), put together again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from famulus.models.providers.extractive.vocabulary import notions
from famulus.text.fold import key
from famulus.text.stopwords import GRAMMAR

_PARTICLES: Final = {
    "de": "an|ab|auf|aus|ein|mit|nach|vor|zu|zurück|weg|um|bei|frei|statt|teil|fest|weiter",
    "nl": "aan|af|op|uit|in|mee|terug|over|om|door|bij|toe|voor|plaats|deel",
}
_CLAUSE: Final = {
    language: re.compile(rf"(?P<before>[^?.!;,]+)\s(?P<particle>{particles})\s*(?=[?.!;,]|$)", re.IGNORECASE)
    for language, particles in _PARTICLES.items()
}
_VERB: Final = re.compile(r"\b[a-zäöüßéëï]{3,}\b")


def joined(text: str, language: str | None) -> str:
    """The text with each such verb whole, where the vocabulary knows it; in other languages as it is."""
    for start, end, whole in reversed(list(_found(text, language))):
        text = text[:start] + whole + text[end:]
    return text


def whole_verbs(text: str, language: str | None) -> set[str]:
    """The keys of the verbs that stand in two parts in it."""
    return {key(whole) for _, _, whole in _found(text, language)}


def _found(text: str, language: str | None) -> Iterator[tuple[int, int, str]]:
    """Where the first part of each verb stands, and the verb whole."""
    pattern = _CLAUSE.get(language or "")
    for clause in pattern.finditer(text) if pattern is not None else ():
        for verb in _VERB.finditer(clause["before"]):
            whole = clause["particle"].casefold() + verb.group()
            if key(verb.group()) not in GRAMMAR[language or ""] and notions(key(whole), language):
                start = clause.start("before") + verb.start()
                yield start, start + len(verb.group()), whole
                break
