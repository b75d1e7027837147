"""A short follow-up (`and for Zurich?`, `and the deposit?`) made whole with what it leaves out, from the question before it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from famulus.models.providers.extractive.asking import read_asking
from famulus.models.providers.extractive.plan import question_language
from famulus.models.providers.extractive.reading import FOLLOW_UP, OPENERS, SMALL_TALK
from famulus.models.providers.extractive.terms import Term, question_terms

_LONGEST_WORDS: Final = 8
_MOST_TERMS: Final = 3
# What begins so says a further circumstance of the same question.
_CIRCUMSTANCE: Final = {
    "en": r"(?:for|in|at|on|of|from|to|with|without|by|after|before|during|if|when|per)\b",
    "de": r"(?:für|in|im|am|an|auf|bei|beim|mit|ohne|von|vom|zu|zum|zur|nach|vor|während|wenn|falls|pro)\b",
    "nl": r"(?:voor|in|op|bij|met|zonder|van|na|tijdens|als|naar|per)\b",
    "fr": r"(?:pour|dans|en|à|au|aux|de|du|des|avec|sans|après|avant|pendant|si|chez|sur|par)\b",
}
_WHAT_IS: Final = {"en": "what is", "de": "wie ist", "nl": "wat is", "fr": "quel est"}


def complete(question: str, earlier: Sequence[str]) -> str:
    """The question as it would stand alone. `earlier` are the questions before it, oldest first."""
    before = [text for text in earlier if text.strip() and not SMALL_TALK.match(text)]
    if not before or not FOLLOW_UP.match(question) or len(question.split()) > _LONGEST_WORDS:
        return question
    base = complete(before[-1], before[:-1])
    language = question_language(base)
    new = question_terms(question, language)
    if not new or len(new) > _MOST_TERMS:
        return question
    rest = FOLLOW_UP.sub("", question).strip(" ?")
    if re.match(OPENERS[language], rest, re.IGNORECASE):
        return _of_the_same(rest, base, language, keep=not any(term.noun for term in new))
    if re.match(_CIRCUMSTANCE[language], rest, re.IGNORECASE) or any(
        term.kind not in ("word", "light") for term in new
    ):
        return _under_another(rest, base, language, new)
    if read_asking(rest, language).wanted == "open":
        return _in_its_place(rest, base, language)
    return _of_the_same(f"{_WHAT_IS[language]} {rest}", base, language)


def _of_the_same(asked: str, base: str, language: str, *, keep: bool = False) -> str:
    """Another thing asked of the same matter (`and the deposit?`); `keep` where it names none itself (`and when does it end?`)."""
    focus = None if keep else _focus(base, language)
    signals = read_asking(base, language).signals
    matter = [
        term.written
        for term in question_terms(base, language)
        if term != focus and term.kind != "light" and term.key not in signals
    ]
    return " ".join([asked, *matter]) + "?"


def _in_its_place(rest: str, base: str, language: str) -> str:
    """The same asked of another thing (`and a dog?`): it takes the place of the first thing."""
    focus = _focus(base, language)
    if focus is None:
        return f"{base.strip(' ?')} {rest}?"
    bare = re.sub(rf"^(?:{_ARTICLES})\s+", "", rest, flags=re.IGNORECASE)
    return re.sub(rf"\b{re.escape(focus.written)}\b", lambda _: bare, base, count=1)


_ARTICLES: Final = "the|an?|der|die|das|den|dem|ein|eine|einen|einem|einer|de|het|een|le|la|les|l['’]|un|une|des"


def _under_another(rest: str, base: str, language: str, new: Sequence[Term]) -> str:
    """The same question under another circumstance: a new name takes the place of the old names, a new word stands beside the old ones."""
    replaced = {"name", "number", "code"} & {term.kind for term in new}
    for term in question_terms(base, language):
        if term.kind in replaced:
            base = re.sub(
                rf"\b(?:in|for|für|in der|voor|pour|à|at|of)?\s*\b{re.escape(term.written)}\b",
                "",
                base,
                count=1,
                flags=re.IGNORECASE,
            )
    return f"{base.strip(' ?')} {rest}?"


def _focus(base: str, language: str) -> Term | None:
    """The first thing of a question that does not only say what kind of answer it wants."""
    signals = read_asking(base, language).signals
    things = [term for term in question_terms(base, language) if term.kind == "word" and term.key not in signals]
    return next((term for term in things if term.noun), next(iter(things), None))
