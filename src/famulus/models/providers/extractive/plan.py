"""A question taken apart: its parts, what each asks for, what is compared, and what to search. Pure; the same question gives the same plan."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final, Literal

from famulus.models.providers.extractive.asking import MONEY, Asking, read_asking
from famulus.models.providers.extractive.phrases import AND, OPENERS, OR, PRONOUNS, THAN
from famulus.models.providers.extractive.summands import sides_of, summands
from famulus.models.providers.extractive.terms import Term, question_terms
from famulus.models.providers.extractive.vocabulary import LANGUAGES, said_in
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
    guessed = guess_language(question)
    language = guessed if guessed in LANGUAGES else _by_openers(question) or "en"
    whole = question_terms(question, language)
    quantities = tuple(find_quantities(question, language))
    if events := _events(question, language):
        return Plan(question, language, _parts([question], language), events=events, quantities=quantities)
    operation, texts = _operation(question, language)
    sides = sides_of(texts, whole) if texts and operation == "sum" else _own_terms(texts, whole)
    if not sides:
        return Plan(question, language, _parts(split_question(question, language), language), quantities=quantities)
    parts = tuple(_comparing_figures(part, operation) for part in _parts([question], language))
    return Plan(question, language, parts, operation, sides, quantities=quantities)


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
    if len(split_question(question, language)) == 1 and (summed := summands(question, language)):
        return "sum", summed
    alternatives = _alternatives(question, language)
    if alternatives is None:
        return "none", None
    return ("difference" if re.search(_DIFFERENCE[language], question, re.IGNORECASE) else "compare"), alternatives


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
    found = [Part(text, Asking("date"), tuple(question_terms(text, language))) for text in texts]
    if len(found) != 2 or not all(part.terms for part in found):
        return ()
    first, second = found
    keys = ({term.key for term in first.terms}, {term.key for term in second.terms})
    return (
        replace(first, given=tuple(term for term in second.terms if term.key not in keys[0])),
        replace(second, given=tuple(term for term in first.terms if term.key not in keys[1])),
    )


def _by_openers(question: str) -> str | None:
    return next(
        (language for language in LANGUAGES if re.match(rf"\W*(?:{OPENERS[language]})", question, re.IGNORECASE)), None
    )


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


_TAIL: Final = re.compile(
    r"[,;?.!]|\s(?:if|when|wenn|als|quand|si|indien|for|pour|für|voor|according|laut|volgens|selon)\s", re.IGNORECASE
)


def _alternatives(question: str, language: str) -> tuple[str, str] | None:
    """The two sides of `X or Y?` and of `is X longer than Y?`, as text."""
    joined = re.search(rf"(?P<left>.+?),?\s+(?:{OR[language]})\s+(?P<right>[^,?]+)\??\s*$", question, re.IGNORECASE)
    comparing = re.search(_COMPARING[language], question, re.IGNORECASE)
    if joined and comparing and not re.match(OPENERS[language], joined["right"], re.IGNORECASE):
        left = re.split(r"[:,]\s|\b(?:between|zwischen|tussen|entre)\b", joined["left"])[-1]
        return left, joined["right"]
    than = re.search(
        rf"(?P<left>.+?)\b(?:{_MORE[language]})\b(?P<middle>.*?)\b(?:{THAN[language]})\s*(?P<right>[^?]+)",
        question,
        re.IGNORECASE,
    )
    if (
        than
        and comparing
        and not _CLAUSE[language].match(than["right"])
        and not _CONDITION[language].search(than["left"])
    ):
        return _left_side(than["left"], than["middle"], than["right"], language), than["right"]
    same = re.search(_SAME[language], question, re.IGNORECASE)
    if same:
        return question[: same.start()], question[same.end() :]
    between = re.search(
        rf"\b(?:difference|unterschied|verschil|différence)\b.*?\b(?:between|zwischen|tussen|entre)\s+(?P<left>.+?)\s+(?:{AND[language]})\s+(?P<right>[^?]+)",
        question,
        re.IGNORECASE,
    )
    if between:
        return between["left"], between["right"]
    return None


# `less than we promised`, `if it takes more than ten days`: nothing that is compared with another thing.
_CLAUSE: Final = {
    "en": re.compile(r"(?:i|we|you|they|he|she|it|what|\d+)\b", re.IGNORECASE),
    "de": re.compile(r"(?:ich|wir|man|sie|er|es|was|\d+)\b", re.IGNORECASE),
    "nl": re.compile(r"(?:ik|we|wij|je|jij|u|ze|zij|hij|het is|wat|\d+)\b", re.IGNORECASE),
    "fr": re.compile(r"\s*(?:je|nous|vous|on|il|elle|ils|elles|ce que|prévu|\d+)\b", re.IGNORECASE),
}
_CONDITION: Final = {
    "en": re.compile(r"\b(?:if|when|in case)\b(?!.*\b(?:is|are|does|do)\s*$)", re.IGNORECASE),
    "de": re.compile(r"\b(?:wenn|falls|sobald|sofern)\b", re.IGNORECASE),
    "nl": re.compile(r"\b(?:als|indien|zodra|wanneer)\b", re.IGNORECASE),
    "fr": re.compile(r"\b(?:si|lorsque|quand|en cas)\b", re.IGNORECASE),
}


def _left_side(left: str, middle: str, right: str, language: str) -> str:
    """What stands before `more`, or after it where the right side is built like that (`more in the office than in the workshop`)."""
    opening = right.split()[0].casefold() if right.split() else ""
    built_alike = opening in _BUILDING and opening in middle.casefold().split()
    bare = all(term.kind == "light" for term in question_terms(left, language))
    return middle if built_alike or bare else left


_BUILDING: Final = frozenset(
    [
        "in",
        "at",
        "on",
        "for",
        "from",
        "with",
        "per",
        "dans",
        "à",
        "pour",
        "en",
        "chez",
        "sur",
        "für",
        "bei",
        "mit",
        "von",
        "auf",
        "im",
        "am",
        "voor",
        "op",
        "met",
        "bij",
        "van",
    ]
)
_COMPARING: Final = {
    "en": r"\b(?:more|less|fewer|longer|shorter|higher|lower|cheaper|dearer|better|worse|earlier|later|bigger|larger|smaller|heavier|lighter|faster|slower|older|newer|sooner|stricter|wider|\w{3,}er than|which|most expensive|first)\b",
    "de": r"\b(?:mehr|weniger|länger|kürzer|höher|tiefer|niedriger|billiger|günstiger|teurer|besser|schlechter|früher|später|grösser|größer|kleiner|schwerer|leichter|schneller|langsamer|älter|strenger|eher|zuerst|welche[rs]?|\w{3,}er als)\b",
    "nl": r"\b(?:meer|minder|langer|korter|hoger|lager|goedkoper|duurder|beter|slechter|vroeger|eerder|later|groter|kleiner|zwaarder|lichter|sneller|harder|langzamer|ouder|strenger|welke?|\w{3,}er dan)\b",
    "fr": r"\b(?:plus|moins|mieux|meilleure?|davantage|lequel|laquelle|quel|quelle|aussi|autant|le même|la même)\b",
}


def is_comparative(word: str, language: str) -> bool:
    """`longer`, `teurer`, `mieux`: says in what two things are compared."""
    return re.fullmatch(_COMPARING[language], word, re.IGNORECASE) is not None


_MORE: Final = {
    "en": r"more|less|fewer|better|worse|\w{3,}er",
    "de": r"mehr|weniger|besser|schlechter|eher|\w{3,}er(?:e[nrsm]?)?",
    "nl": r"meer|minder|beter|slechter|eerder|\w{3,}er",
    "fr": r"plus|moins|mieux|meilleure?|davantage",
}
_SAME: Final = {
    "en": r"\bas (?:long|high|much|many|often|expensive|cheap|fast|big|heavy|old|early|late|good|soon) as\b|\bthe same (?:\w+ )?as\b",
    "de": r"\b(?:gleich|genauso|ebenso|so) (?:lange?|hoch|viel|viele|oft|teuer|schnell|gross|schwer|alt|früh|gut) wie\b|\b(?:der|die|das) ?gleiche \w+ wie\b|\bdieselbe \w+ wie\b",
    "nl": r"\b(?:even|net zo|evenveel|even veel|zo) (?:lang|hoog|veel|vaak|duur|snel|groot|zwaar|oud|vroeg|goed)\s?(?:als)\b|\bdezelfde \w+ als\b|\bhetzelfde \w* ?als\b",
    "fr": r"\b(?:aussi|autant) (?:\w+ )?que\b|\b(?:le|la) même \w+ que\b",
}


def _own_terms(alternatives: tuple[str, ...] | None, whole: list[Term]) -> tuple[tuple[Term, ...], ...]:
    """What only one side has. The side of `or` that stands nearer to it begins after the words that both share."""
    if alternatives is None:
        return ()
    language = whole[0].language if whole else None
    left, right = ({term.key for term in question_terms(text, language)} for text in alternatives)
    sides = [
        [term for term in whole if term.key in own and term.key not in other]
        for own, other in ((left, right), (right, left))
    ]
    if not sides[0] or not sides[1]:
        return ()
    # The left side also holds the question itself. What is compared is of the same kind as the right side: a name with a name, a
    # number with a number; else of `X or Y` the words nearest to the `or`, and of `X than Y` all.
    kinds = {term.kind for term in sides[1]} & {"name", "number", "code"}
    alike = [term for term in sides[0] if term.kind in kinds]
    strong = [
        term for term in sides[0] if term.kind != "light" and not is_comparative(term.written, language or "en")
    ] or sides[0]
    strong = [term for term in strong if not MONEY.fullmatch(term.written)] or strong
    length = max(1, min(3, len(sides[1])))
    right = sides[1]
    if len(strong) <= 2 and len(right) > len(strong):
        # `Does the gateway or the notifier allow more …`: what follows the second name belongs to both.
        right = right[: len(strong)]
    return (tuple(alike or strong[-length:]), tuple(right))


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
