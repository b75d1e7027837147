"""The two sides of a comparison: `X or Y?`, `is X longer than Y?`, `as long as`, `the difference between X and Y`."""

from __future__ import annotations

import re
from typing import Final

from famulus.models.providers.extractive.asking import MONEY
from famulus.models.providers.extractive.reading import AND, OPENERS, OR, THAN
from famulus.models.providers.extractive.terms import Term, question_terms


def alternatives_of(question: str, language: str) -> tuple[str, str] | None:
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


def own_terms(alternatives: tuple[str, ...] | None, whole: list[Term]) -> tuple[tuple[Term, ...], ...]:
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
