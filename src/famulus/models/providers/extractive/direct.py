"""Questions that a tool answers alone: a sum written out, and today's date or time. Anything more in the question, and it is not one of these."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Final, Literal

from famulus.messages.values import JsonObject
from famulus.models.providers.extractive.phrases import say
from famulus.models.providers.extractive.situation import Situation
from famulus.text.dates import show_date, weekday
from famulus.text.fold import nfc
from famulus.text.numbers import find_numbers, show_number

LONGEST: Final = 300
# More digits than a reader reads: the result is given as the tool wrote it.
MOST_DIGITS: Final = 24
Kind = Literal["calculate", "time", "date"]

_POLITE: Final = re.compile(
    r"^(?:(?:hi|hello|hey|hallo|guten tag|goedendag|bonjour|please|bitte|graag|s['’](?:il (?:te|vous) plaît)|"
    r"(?:can|could) you(?: please)?(?: tell me)?|(?:do you know|tell me)|(?:kannst du|können sie)(?: mir)?(?: bitte)?(?: sagen)?|sag(?:e|en sie)? mir(?: bitte)?|weisst du|weißt du|wissen sie|"
    r"(?:kun je|kunt u)(?: mij)?(?: zeggen)?|weet (?:je|u)|zeg me|(?:peux-tu|pouvez-vous)(?: me dire)?|(?:dis|dites)-moi|sais-tu|savez-vous)[\s,!.:]+)+",
    re.IGNORECASE,
)
_TAIL: Final = re.compile(
    r"[\s,]+(?:please|for me|now|right now|today|currently|at the moment|bitte|jetzt|gerade|aktuell|heute|im moment|alstublieft|alsjeblieft|nu|vandaag|op dit moment|"
    r"maintenant|actuellement|aujourd['’]hui|en ce moment|s['’]il (?:te|vous) plaît|stp|svp)$",
    re.IGNORECASE,
)
_COMPUTE: Final[dict[str, str]] = {
    "en": r"what(?: is|['’]s)(?: the (?:result|value|sum|product) of)?|what does|how much (?:is|are|does)|calculate|compute|work out|evaluate",
    "de": r"was (?:ist|sind|ergibt|ergeben|gibt|macht)(?: das ergebnis von)?|wie ?viel (?:ist|sind|gibt|ergibt|ergeben|macht)|berechne(?:n sie)?|rechne(?:n sie)?(?: aus)?",
    "nl": r"wat is(?: de uitkomst van)?|hoeveel is|bereken|reken(?: uit)?",
    "fr": r"combien (?:font|fait)|que (?:font|fait|vaut)|(?:calcule|calculez|calculer)|quel est le (?:résultat|produit) de|quelle est la (?:somme|valeur) de|c['’]est combien",
}
_MAKES: Final = re.compile(
    r"\s*(?:=|\b(?:equals?|make|come to|ausrechnen|berechnen|aus|uit|uitrekenen|berekenen))\s*$", re.IGNORECASE
)
_WORDS: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(pattern, re.IGNORECASE), sign)
    for pattern, sign in (
        (r"\s(?:divided by|over|geteilt durch|dividiert durch|durch|gedeeld door|divisé par|sur)\s", " / "),
        (r"\s(?:multiplied by|times|mal|multipliziert mit|maal|keer|fois|multiplié par)\s", " * "),
        (r"\s(?:plus|und|and|en|et)\s", " + "),
        (r"\s(?:minus|less|weniger|min|moins)\s", " - "),
        (r"\s(?:to the power of|hoch|tot de macht|puissance)\s", " ** "),
    )
)
_SHARE: Final = re.compile(
    r"^(?P<percent>[\d.,]+)\s*(?:%|per ?cent|prozent|procent|pour ?cent)\s*(?:of|von|van|de)\s+(?P<base>\d[\d.,'’]*)$",
    re.IGNORECASE,
)
_TOKEN: Final = re.compile(
    r"\s*(?:(?P<number>\d+(?:[.,'’]\d+)*)|(?P<sign>\*\*|//|[-+*/%×·÷−:^()]|(?<=[\d\s)])[xX](?=[\s\d(])))\s*"
)
_SIGNS: Final = {"×": "*", "·": "*", "x": "*", "X": "*", "÷": "/", ":": "/", "−": "-", "^": "**"}
_SHOWN: Final = {"*": "×", "/": "÷", "-": "−", "**": "^"}
# `2026-03-02`, `01/02/2026`, `044-123-45`: no sum unless somebody asks for it as one.
_CHAIN: Final = re.compile(r"\d+(?:[-/.:]\d+)+")
# `3 and 4` adds only where a sum is asked for.
_LIST: Final = re.compile(r"\s(?:und|and|en|et)\s", re.IGNORECASE)
_DATE_LIKE: Final = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}/\d{1,2}/\d{2,4}")

_TIME: Final = {
    "en": r"what time (?:is it|it is)|what(?:['’]s| is) the (?:current )?time|what hour is it|(?:the )?current time|how late is it",
    "de": r"wie spät (?:ist es|es ist|haben wir(?: es)?)|wie ?viel uhr (?:ist es|es ist|haben wir)|welche (?:uhr)?zeit (?:ist es|haben wir|ist)|wie lautet die (?:aktuelle )?uhrzeit|(?:die )?(?:aktuelle )?uhrzeit",
    "nl": r"hoe laat (?:is het|het is)|wat is (?:de (?:huidige )?tijd|het tijdstip)|welke tijd is het|(?:de )?huidige tijd",
    "fr": r"quelle heure (?:est-il|il est|est il|est-ce)|il est quelle heure|quelle est l['’]heure(?: actuelle)?|(?:l['’])?heure actuelle",
}
_DATE: Final = {
    "en": r"(?:what|which) (?:day|date|weekday|day of the week|day of the month|month|year)(?: is (?:it|this|today)| it is)(?: today)?|(?:what|which) (?:day|date|weekday|month|year) (?:do we have|are we in)|what(?:['’]s| is) the (?:date|day|weekday)(?: of)?|what(?:['’]s| is) (?:today|today['’]s (?:date|day))|what(?:['’]s| is) the current (?:date|day|year|month)|(?:the )?(?:current|today['’]s) date",
    "de": r"welche[nrs]? (?:tag|wochentag|datum|monat|jahr) (?:ist (?:es|heute)|haben wir|es ist|heute ist)(?: heute)?|(?:der wievielte|den wievielten) (?:ist es|ist heute|haben wir)(?: heute)?|(?:was|welches) ist (?:heute )?(?:für ein (?:tag|datum)|das (?:aktuelle |heutige )?datum)|was für (?:ein tag|ein datum|einen tag) (?:ist es|ist heute|haben wir)(?: heute)?|(?:wie lautet )?(?:das )?(?:aktuelle|heutige)s? datum",
    "nl": r"welke (?:dag|weekdag|datum|maand) (?:is (?:het|vandaag)|hebben we|het is)(?: vandaag)?|welk jaar is het|(?:wat|welke) is de (?:huidige )?(?:datum|dag)(?: van)?|de hoeveelste is het|(?:de )?huidige datum|wat voor dag is het",
    "fr": r"quel(?:le)? (?:jour|date|mois|année)(?: de la semaine)? (?:sommes-nous|est-on|est-ce|on est|nous sommes|est il|est-il)|(?:on est|nous sommes) (?:quel jour|le combien)|quel(?:le)? est (?:la date|le jour)(?: actuelle?)?(?: du jour| d['’]aujourd['’]hui)?|le combien (?:sommes-nous|est-on)|(?:la )?date (?:actuelle|du jour)|en quelle année (?:sommes-nous|est-on)",
}


@dataclass(frozen=True, slots=True)
class Direct:
    """`expression` goes to the calculator, `shown` is the same for people; both empty when the clock is asked."""

    kind: Kind
    language: str
    expression: str = ""
    shown: str = ""

    @property
    def tool(self) -> str:
        return "calculate" if self.kind == "calculate" else "get_current_datetime"

    @property
    def arguments(self) -> JsonObject:
        return {"expression": self.expression} if self.kind == "calculate" else {}


def read_direct(question: str, language: str) -> Direct | None:
    """What a tool alone answers; None for every other question. Its own words tell the language better than a guess of few words."""
    text = " ".join(nfc(question).split())
    if not text or len(text) > LONGEST:
        return None
    text = _POLITE.sub("", text.strip(" ?!.=")).strip(" ?!.=")
    bare = text
    while (shorter := _TAIL.sub("", bare).strip(" ?!.,")) != bare:
        bare = shorter
    patterns: tuple[tuple[Kind, dict[str, str]], ...] = (("time", _TIME), ("date", _DATE))
    for kind, table in patterns:
        for own, pattern in table.items():
            if any(re.fullmatch(pattern, form, re.IGNORECASE) for form in (text, bare)):
                return Direct(kind, own)
    return _sum(bare, language)


def _sum(text: str, language: str) -> Direct | None:
    found = (
        (own, match)
        for own in sorted(_COMPUTE, key=lambda own: own != language)
        if (match := re.match(rf"(?:{_COMPUTE[own]})\s*:?\s+(?=[\d(+−-])", text, re.IGNORECASE))
    )
    own, match = next(found, (language, None))
    rest = _MAKES.sub("", text[match.end() :] if match else text).strip()
    if _DATE_LIKE.fullmatch(rest) or (match is None and (_CHAIN.fullmatch(rest) or _LIST.search(rest))):
        return None
    written = _expression(rest, own)
    return Direct("calculate", own, *written) if written else None


def _expression(text: str, language: str) -> tuple[str, str] | None:
    """The sum for the calculator and for people; None when anything in it is neither a number nor a sign."""
    if share := _SHARE.match(text):
        percent, base = _number(share["percent"], language), _number(share["base"], language)
        if percent is None or base is None:
            return None
        return f"{base:f} * {percent:f} / 100", f"{_plain(base, language)} × {_plain(percent, language)} ÷ 100"
    for pattern, sign in _WORDS:
        text = pattern.sub(sign, text)
    expression: list[str] = []
    shown: list[str] = []
    at, numbers = 0, 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            return None
        at = token.end()
        if token["number"]:
            value = _number(token["number"], language)
            if value is None or (expression and expression[-1][-1].isdigit()):
                return None
            numbers += 1
            expression.append(f"{value:f}")
            shown.append(_plain(value, language))
        else:
            sign = _SIGNS.get(token["sign"], token["sign"])
            expression.append(sign)
            shown.append(_SHOWN.get(sign, sign))
    if numbers < 2:
        return None
    return _joined(expression), _joined(shown)


def _joined(parts: list[str]) -> str:
    return " ".join(parts).replace("( ", "(").replace(" )", ")")


def _number(written: str, language: str) -> Decimal | None:
    found = find_numbers(written, language)
    whole = len(found) == 1 and (found[0].start, found[0].end) == (0, len(written)) and not found[0].word
    return found[0].value if whole else None


def _plain(value: Decimal, language: str) -> str:
    """A number for a reader with all its decimals: what was typed is shown as typed."""
    if value == value.to_integral_value() and value.adjusted() < MOST_DIGITS:
        return show_number(value, language)
    return f"{value:f}".replace(".", "," if language in ("nl", "fr", "de") else ".")


def direct_answer(direct: Direct, situation: Situation) -> str | None:
    """What the tool's result says, or why there is none; None while the tool is still to be called."""
    if direct.kind == "calculate":
        if direct.expression in situation.calculated:
            return f"{direct.shown} = {_result(situation.calculated[direct.expression], direct.language)}"
    elif situation.now is not None:
        return _clock_line(direct, situation.now)
    if situation.errors:
        return say("no_result", direct.language, error=situation.errors[-1])
    if direct.tool not in situation.tools or situation.rounds:
        return say("no_calculator" if direct.kind == "calculate" else "no_clock", direct.language)
    return None


def _result(result: str, language: str) -> str:
    try:
        value = Decimal(result)
    except InvalidOperation:
        return result
    if not value.is_finite() or len(result) > MOST_DIGITS:
        return result
    return _plain(value.normalize() if value else value, language)


def _clock_line(direct: Direct, now: JsonObject) -> str:
    zone = str(now.get("timezone") or "UTC")
    try:
        moment = datetime.fromisoformat(str(now.get("datetime") or now.get("date")))
    except ValueError:
        return say("no_clock", direct.language)
    day = show_date(moment.date(), direct.language)
    if direct.kind == "time":
        return say("now", direct.language, datetime=f"{moment:%H:%M}, {day}", zone=zone)
    return say("today", direct.language, weekday=weekday(moment.date(), direct.language), date=day, zone=zone)
