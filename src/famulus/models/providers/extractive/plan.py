"""A question taken apart: its parts, what each asks for, what is compared, and what to search. Pure; the same question gives the same plan."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final, Literal

from famulus.models.providers.extractive.asking import Asking, read_asking
from famulus.models.providers.extractive.reading import AND, OPENERS, PRONOUNS
from famulus.models.providers.extractive.sides import alternatives_of, own_terms
from famulus.models.providers.extractive.summands import sides_of, summands
from famulus.models.providers.extractive.terms import Term, question_terms
from famulus.models.providers.extractive.vocabulary import LANGUAGES, said_in
from famulus.text.dates import find_dates
from famulus.text.fold import nfc
from famulus.text.language import guess_language
from famulus.text.quantities import Quantity, find_quantities

Operation = Literal["none", "compare", "sum", "difference"]
LONGEST: Final = 2_000
MOST_PARTS: Final = 4
_QUESTIONS: Final = re.compile(r"[?;]\s+|\n+")


@dataclass(frozen=True, slots=True)
class Part:
    """One thing asked. `given` are terms of the other parts that tell what it is about (`and when does it end`)."""

    text: str
    asking: Asking
    terms: tuple[Term, ...]
    given: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """`alternatives` are the two sides of a comparison or sum, each as the terms that only it has; `events` the two ends of a span of time."""

    question: str
    language: str
    parts: tuple[Part, ...]
    operation: Operation = "none"
    alternatives: tuple[tuple[Term, ...], ...] = ()
    events: tuple[Part, ...] = ()
    quantities: tuple[Quantity, ...] = ()

    @property
    def terms(self) -> tuple[Term, ...]:
        return tuple({term.key: term for part in self.parts for term in part.terms}.values())


def make_plan(question: str) -> Plan:
    question = nfc(question.strip())[:LONGEST]
    language = question_language(question)
    whole = question_terms(question, language)
    quantities = tuple(find_quantities(question, language))
    if events := _events(question, language):
        return Plan(question, language, _parts([question], language), events=events, quantities=quantities)
    operation, texts = _operation(question, language)
    sides = sides_of(texts, whole) if texts and operation == "sum" else own_terms(texts, whole)
    if not sides:
        return Plan(question, language, _parts(split_question(question, language), language), quantities=quantities)
    parts = tuple(_comparing_figures(part, operation) for part in _parts([question], language))
    return Plan(question, language, parts, operation, sides, quantities=quantities)


def question_language(question: str) -> str:
    """One of the four languages: by the word that opens the question, else as any text; English where that cannot be told."""
    opened = [language for language in LANGUAGES if re.match(rf"\W*(?:{OPENERS[language]})", question, re.IGNORECASE)]
    if len(opened) == 1:
        return opened[0]
    guessed = guess_language(question)
    return guessed if guessed in LANGUAGES else next(iter(opened), "en")


def _comparing_figures(part: Part, operation: Operation) -> Part:
    """A comparison without a kind of its own compares figures."""
    if operation in ("compare", "difference") and part.asking.wanted in (
        "open",
        "yesno",
        "place",
        "organisation",
        "person",
        "whom",
    ):
        return replace(part, asking=replace(part.asking, wanted="figure"))
    return part


def _operation(question: str, language: str) -> tuple[Operation, tuple[str, ...] | None]:
    """What is to be done with two things (of a sum, also more) that the question names, and these as text."""
    if len(split_question(question, language)) == 1 and (summed := summands(_LEFT_OUT.sub("", question), language)):
        return "sum", summed
    alternatives = alternatives_of(question, language)
    if alternatives is None:
        return "none", None
    return ("difference" if re.search(_DIFFERENCE[language], question, re.IGNORECASE) else "compare"), alternatives


# `without discount and tax` names nothing that is added.
_LEFT_OUT: Final = re.compile(
    r",?\s\b(?:without|excluding|not counting|ohne|exklusive|nicht gerechnet|zonder|exclusief|sans|hors|non compris)\b[^,?.]*",
    re.IGNORECASE,
)
_DIFFERENCE: Final = {
    "en": r"\bdifference\b|\bhow (?:much|many) (?:\w+ ){0,2}(?:more|less|fewer|longer|shorter|higher|lower|cheaper|dearer|heavier|lighter|\w{3,}er)\b|\bby how much\b",
    "de": r"\bunterschied\b|\b(?:wie ?viel|wie ?viele|um wie ?viel) (?:\w+ ){0,2}(?:mehr|weniger|länger|kürzer|höher|tiefer|teurer|billiger|günstiger|schwerer|leichter|\w{3,}er)\b",
    "nl": r"\bverschil\b|\b(?:hoeveel) (?:\w+ ){0,2}(?:meer|minder|langer|korter|hoger|lager|duurder|goedkoper|zwaarder|lichter|\w{3,}er)\b",
    "fr": r"\bdifférence\b|\bcombien (?:de |d')?(?:\w+ ){0,2}(?:de )?(?:plus|moins)\b|\bde combien\b",
}
_SPANS: Final = {
    "en": r"\bbetween\s+(?P<a>.+?)\s+and\s+(?P<b>.+)|\bfrom\s+(?P<c>.+?)\s+(?:to|until)\s+(?P<d>.+)|\b(?P<kind>after|before)\s+(?P<e>.+?)\s+(?:does|do|did|is|was|will|are|were)\s+(?P<f>.+)",
    "de": r"\bzwischen\s+(?P<a>.+?)\s+und\s+(?P<b>.+)|\bv[oe][nm]\w*\s+(?P<c>.+?)\s+bis\s+(?:zum|zur|zu)?\s*(?P<d>.+)|\b(?P<kind>nach|vor)\s+(?P<e>.+?)\s+(?:ist|war|wird|beginnt|endet|findet|kommt|läuft|wurde)\s+(?P<f>.+)",
    "nl": r"\btussen\s+(?P<a>.+?)\s+en\s+(?P<b>.+)|\bvan\s+(?P<c>.+?)\s+tot\s+(?P<d>.+)|\b(?P<kind>na|voor)\s+(?P<e>.+?)\s+(?:is|was|wordt|begint|eindigt|gaat|vindt|komt|werd)\s+(?P<f>.+)",
    "fr": r"\bentre\s+(?P<a>.+?)\s+et\s+(?P<b>.+)|\b(?:de|du)\s+(?P<c>.+?)\s+(?:jusqu'(?:à|au)|au)\s+(?P<d>.+)|\b(?P<kind>après|avant)\s+(?P<e>.+?)\s+(?P<f>(?:le|la|l')\s?.+)",
}
_HOW_MANY_DAYS: Final = re.compile(
    r"\b(?:how many (?:calendar )?(?:days|weeks)|how long (?:is it|is there|was it|passes|passed|between)|wie ?viele (?:tage|wochen|kalendertage)|wie lange? (?:dauert es|liegt|vergeht|ist es)|"
    r"hoeveel (?:dagen|weken|kalenderdagen)|hoe lang (?:zit|duurt het|is het)|combien de (?:jours|semaines)|combien de temps (?:s'écoule|se passe|y a-t-il|entre))",
    re.IGNORECASE,
)


def _events(question: str, language: str) -> tuple[Part, ...]:
    """The two events of `how many days between … and …`, each as a question for a date."""
    if not _HOW_MANY_DAYS.search(question):
        return ()
    match = re.search(_SPANS[language], question.strip(" ?"), re.IGNORECASE)
    if match is None:
        return ()
    texts = [text for text in match.groups() if text and text != match["kind"]]
    if any(_is_day(text) for text in texts):
        # A day of the question itself is no event to look for.
        return ()
    found = [Part(text, Asking("date"), tuple(question_terms(text, language))) for text in texts]
    if len(found) != 2 or not all(part.terms for part in found):
        return ()
    first, second = found
    keys = ({term.key for term in first.terms}, {term.key for term in second.terms})
    return (
        replace(first, given=tuple(term for term in second.terms if term.key not in keys[0])),
        replace(second, given=tuple(term for term in first.terms if term.key not in keys[1])),
    )


def _is_day(text: str) -> bool:
    """True for a day and nothing that it is of (`27 March`, but not `the mail of 14 April`)."""
    mentions = [mention for mention in find_dates(text) if mention.day is not None]
    rest = "".join(character for at, character in enumerate(text) if not any(m.start <= at < m.end for m in mentions))
    return bool(mentions) and not any(len(word) > 3 for word in re.findall(r"[^\W\d_]+", rest))


def split_question(question: str, language: str) -> list[str]:
    """The questions that stand in one: after `?` and `;`, and after an `and` that a question word follows."""
    joint = re.compile(
        rf"(?:,\s*|\s+)(?:{AND[language]}|sowie|alsook|ainsi que|as well as)\s+(?={OPENERS[language]})|,\s+(?={OPENERS[language]})",
        re.IGNORECASE,
    )
    pieces: list[str] = []
    for piece in _QUESTIONS.split(question):
        start = 0
        for match in joint.finditer(piece):
            if _asks(piece[start : match.start()], language) and not _subordinate(piece, match, language):
                pieces.append(piece[start : match.start()])
                start = match.end()
        pieces.append(piece[start:])
    kept = [piece.strip(" ?.,") for piece in pieces if len(piece.split()) >= 2]
    return kept[:MOST_PARTS] or [question]


def _asks(text: str, language: str) -> bool:
    return bool(re.search(OPENERS[language], text, re.IGNORECASE)) and len(question_terms(text, language)) >= 1


def _subordinate(piece: str, match: re.Match[str], language: str) -> bool:
    """A comma before `who`, `which`, `wo`, `was` … may open a relative clause; only a real `and` splits there."""
    if re.search(rf"\b(?:{AND[language]}|sowie|alsook|ainsi que|as well as)\b", match.group(), re.IGNORECASE):
        return False
    return (
        re.match(
            r"(?:which|who|where|whom|whose|when|welche|wer|wo|was|wie|wenn|die|dat|wat|waar|wie|wanneer|qui|que|où|quand|dont)\b",
            piece[match.end() :],
            re.IGNORECASE,
        )
        is not None
    )


def _parts(texts: list[str], language: str) -> tuple[Part, ...]:
    found = [Part(text, read_asking(text, language), tuple(question_terms(text, language))) for text in texts]
    parts: list[Part] = []
    for index, part in enumerate(found):
        own = {term.key for term in part.terms}
        others = [
            term
            for other in found[:index]
            for term in other.terms
            if term.key not in own and term.kind not in ("light", "number")
        ]
        parts.append(replace(part, given=tuple(others)))
    return tuple(part for part in parts if part.terms) or tuple(parts[:1])


def refers_back(part: Part, language: str) -> bool:
    """True for a part that cannot stand alone: a pronoun in it, or too little content."""
    words = set(re.findall(r"[^\W\d_]+", part.text.casefold()))
    content = [term for term in part.terms if term.kind != "light" and term.key not in part.asking.signals]
    return bool(words & PRONOUNS[language]) or len(content) <= 1


def first_queries(plan: Plan) -> list[str]:
    """What to search at the start: each part, a part that refers back with what it refers to; each side of a comparison."""
    queries: list[str] = []
    for part in plan.parts:
        text = part.text
        if part.given and refers_back(part, plan.language):
            text += " " + " ".join(term.written for term in part.given)
        queries.append(text)
    for index, event in enumerate(plan.events):
        other = plan.events[1 - index]
        queries.append(" ".join([event.text, *(term.written for term in other.terms[-2:] if term not in event.terms)]))
    if plan.alternatives:
        sided = {term.key for side in plan.alternatives for term in side}
        shared = [term for term in plan.terms if term.key not in sided and term.kind != "light"]
        for side in plan.alternatives:
            queries.append(" ".join(term.written for term in (*side, *shared)))
    elif len(plan.parts) > 1:
        queries.append(plan.question)
    return list(dict.fromkeys(query for query in queries if query))[:6]


def wider_queries(plan: Plan, missing: list[Term], found: list[str]) -> list[str]:
    """Further searches when the evidence is weak: synonyms, the other languages, and words of what was found (`found`)."""
    content = [term for term in plan.terms if term.kind in ("word", "name", "code")]
    queries: list[str] = []
    for language in LANGUAGES:
        words: list[str] = []
        for term in content:
            said = said_in(term.key, plan.language, language)
            if term.kind == "word" and said:
                words += said[:3]
            elif term.kind != "word" or language == plan.language:
                words.append(term.written)
        if words:
            queries.append(" ".join(dict.fromkeys(words)))
    if found and missing:
        queries.append(" ".join([*(term.written for term in missing), *found]))
    return list(dict.fromkeys(queries))[:5]
