"""What kind of thing a question wants to know: money, a number of something, a date, a person …, by the words it asks with."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from famulus.models.providers.extractive.dimensions import units_wanted
from famulus.models.providers.extractive.reading import OPENERS
from famulus.models.providers.extractive.rises import RISES
from famulus.models.providers.extractive.signals import SIGNALS
from famulus.models.providers.extractive.terms import Term, question_terms
from famulus.text.units import MEASURE_WORDS, TIME_WORDS, UNITS_OF_SALE
from famulus.text.words import words

Wanted = Literal[
    "money", "percent", "count", "amount", "measure", "duration", "often", "date", "clock", "person", "organisation", "place",
    "reason", "yesno", "contact", "identifier", "figure", "whom", "open",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Asking:
    """`counted` is the thing that a number is asked of (`how many days`); `signals` the keys of words that only say the kind.

    `units` are those in which a measure must be given; empty when any will do.
    """

    wanted: Wanted
    counted: Term | None = None
    signals: frozenset[str] = frozenset()
    units: frozenset[str] = frozenset()


_MONEY_WORDS: Final = (
    r"costs?|cost|price[sd]?|priced|pay|paid|charged?|expensive|cheap(?:er|est)?|dearer|fee|fees|rent|salary|pounds?|euros?|francs?|dollars?|"
    r"kosten?|kostet|preise?|bezahlen?|bezahle|zahlen?|zahle|zahlt|teuer|teurer|günstiger|billiger|gebühr|geld|mietzins|miete|franken|lohn|"
    r"kost|prijs|prijzen|betalen|betaal|betaalt|duur|duurder|goedkoper|tarief|huur|vergoedt|vergoed|geld|"
    r"coûte(?:nt|r)?|coute(?:nt|r)?|prix|payer|paie|paye|payons|tarif|montant|loyer|cher|chère|facturée?s?|rembours\w+|touche|argent|indemnit\w+|frais|"
    r"vergütet|vergüten|erstattet|entschädigung|refunded|reimbursed|allowance|deposit|kaution|borg|caution|budget|boete|busse|fine|amende|pénalité|penalty|"
    r"spend|spent|ausgegeben|uitgegeven|dépens\w+|earns?|verdien\w*|gagne|salaire|gehalt|wages?|salaris|loon|traitement|rémunération|rebate|discount|rabatt|korting|remise|forfait|pauschale|vergoeding|zulage|surcharge|turnover|revenue|umsatz|omzet"
)
MONEY: Final = re.compile(rf"\b(?:{_MONEY_WORDS})\b", re.IGNORECASE)
_OTHERWISE: Final = {
    "en": frozenset({"location", "borg", "cher"}),
    "de": frozenset({"fine", "rent", "charge", "forfait"}),
    "nl": frozenset({"fine", "rent", "fee", "charge"}),
    "fr": frozenset({"fine", "rent", "charge", "charged", "rate", "paid"}),
}


def asks_money(text: str, language: str) -> bool:
    """True when a word of money stands in it that means money in this language (French `charge utile` is a load)."""
    return any(match.group().casefold() not in _OTHERWISE[language] for match in MONEY.finditer(text))


_PERCENT: Final = re.compile(
    r"\b(?:per ?cent|percentage|prozent\w*|procent|percentage|pour ?cent\w*|pourcentage|share of)\b|%", re.IGNORECASE
)
_MANY: Final = re.compile(
    r"\b(?:how many|what number of|wie ?viele[nr]?|welche anzahl|wieviele|hoeveel|combien (?:de |d['’])|quel nombre d)\s*",
    re.IGNORECASE,
)
_MUCH: Final = re.compile(r"\b(?:how much|wie ?viel|wieviel|hoeveel|combien)\b", re.IGNORECASE)
_HEIGHT: Final = re.compile(
    r"\b(?:how (?:full|loud|noisy|bright|thin|powerful|humid|high|large|big|heavy|wide|deep|fast|tall|warm|hot|cold|old|tight|strong|thick|steep)|wie (?:voll|laut|hell|dünn|feucht|hoch|gross|groß|schwer|breit|tief|weit|warm|kalt|alt|stark|dick|steil)|"
    r"hoe (?:vol|luid|dun|vochtig|hoog|groot|zwaar|breed|diep|ver|warm|koud|oud|hard|sterk|dik)|quelle (?:hauteur|taille|largeur|profondeur|température|surface|vitesse|distance|capacité|puissance|charge)|"
    r"quel (?:poids|âge|age|volume)|(?:what|which) (?:is the |are the )?(?:\w+ ){0,3}(?:height|size|weight|width|depth|temperature|speed|age|capacity|load|pressure|area|distance|length|angle|slope)|"
    r"welche[rsn]? (?:\w+ )?(?:höhe|hoehe|grösse|fläche|temperatur|geschwindigkeit|alter|länge|breite|gewicht)|welke (?:hoogte|grootte|temperatuur|snelheid|afstand|lengte|breedte|leeftijd)|"
    r"(?:à|bis zu|up to) (?:quelle|welcher|what|which) \w+)\b",
    re.IGNORECASE,
)
_SIZE: Final = re.compile(
    r"\b(?:(?:what|which|up to what|below which|above which) (?:is the |are the )?(?:\w+ ){0,3}(?:height|weight|width|depth|temperature|speed|age|pressure|area|length|angle|slope)|"
    r"(?:welche[rnms]?|welke|quelle?|quel) (?:\w+ ){0,3}(?:höhe|hoehe|temperatur|geschwindigkeit|gewicht|fläche|hoogte|temperatuur|snelheid|gewicht|oppervlakte|hauteur|température|vitesse|poids|superficie|surface|largeur|longueur))\b",
    re.IGNORECASE,
)
_DURATION: Final = re.compile(
    r"\b(?:how long|how soon|how quickly|how fast|how far in advance|for how long|within what|how much (?:time|notice)|how late|what (?:is the )?(?:\w+ ){0,3}(?:period|duration|term|notice|deadline)|wie lang(?:e)?|wie schnell|wie rasch|wie früh|innert|innerhalb welcher|"
    r"welche (?:\w+ )?\w*(?:frist|dauer)|hoe ?lang|hoe snel|hoe vroeg|binnen (?:welke|hoeveel)|welke (?:\w+ )?\w*(?:termijn|duur)|combien de temps|pendant combien|sous (?:quel|combien)|quel(?:le)? (?:est (?:la|le) )?(?:durée|délai|préavis)|"
    r"notice period|\w*frist|\w*termijn|préavis|délai|\w*dauer|combien de temps|en combien de)\b",
    re.IGNORECASE,
)
_OFTEN: Final = re.compile(
    r"\b(?:how often|how frequently|wie oft|wie häufig|hoe vaak|combien de fois|à quelle fréquence|how many times|hoeveel keer|wie viele male)\b",
    re.IGNORECASE,
)
_CLOCK: Final = re.compile(
    r"\b(?:(?:what|which) times?|at (?:what|which) hours?|between (?:what|which) hours|zu welchen (?:uhr)?zeiten|(?:op|tussen) welke (?:tijden|uren)|zwischen welchen (?:uhr)?zeiten|entre quelles heures|between (?:what|which) times|à quelles? heures?|until what time|wie viel uhr|wieviel uhr|welche uhrzeit|welcher (?:uhr)?zeit|hoe laat|welk uur|welk tijdstip|quelle heure|quelles heures|opening hours|öffnungszeiten|openingstijden|horaires?|core hours|blockzeiten?)\b",
    re.IGNORECASE,
)
# A price by the hour, no time of day.
_HOURLY: Final = re.compile(r"\b(?:tarif|taux|coût|prix|salaire|montant)s? horaires?\b", re.IGNORECASE)
_DATE: Final = re.compile(
    r"\b(?:when|wann|wanneer|quand|(?:what|which) (?:date|day|year|month)|welche[rnms]* (?:datum|tag|jahr|monat|termin)|welk[e]? (?:datum|dag|jaar|maand)|quel(?:le)? (?:date|jour|année|mois)|"
    r"by what date|until when|bis wann|ab wann|seit wann|tot wanneer|vanaf wanneer|jusqu'à quand|depuis quand|jusqu'à quelle date|am wievielten|"
    r"expiry date|date of|datum van|date de|date d'|deadline|stichtag|échéance)\b",
    re.IGNORECASE,
)
# Whom one tells may be a department as well as a person.
_TO_WHOM: Final = re.compile(
    r"\b(?:whom|wem|bei wem|an wen|à qui|auprès de qui|bij wie|aan wie|to who|who (?:should|do|can|must) (?:i|we) (?:ask|contact|call|tell|turn))\b",
    re.IGNORECASE,
)
_TIME_SPAN: Final = re.compile(r"\bcombien de temps\b|\bhow much time\b", re.IGNORECASE)
# How fast one may go; `how fast must it be done` asks for a time.
_SPEED: Final = re.compile(
    r"\b(?:how fast (?:may|can|could|are|is)\b|wie schnell (?:darf|dürfen|fährt|fahren|kann|können)\b|hoe (?:hard|snel) (?:mag|mogen|rijdt|rijden|kan|kunnen|vaart)\b|à quelle vitesse|quelle vitesse|how strong|wie stark|hoe sterk|how wet|how deep|wie tief|hoe diep)",
    re.IGNORECASE,
)
_SUM_OF: Final = re.compile(
    r"\b(?:what|which|welche[rnms]?|welke?|quel(?:le)?s?)(?: (?:is|are|ist|sind|zijn|est|sont|the|der|die|das|de|het|la|le|les))*(?: \w+)? (?:rate|surcharge|supplement|allowance|bonus|ceiling|cap|deposit|penalty|discount|"
    r"zuschlag|zulage|zuschuss|obergrenze|höchstbetrag|rabatt|toeslag|toelage|plafond|korting|indemnité|supplément|prime|remise|extra)\b",
    re.IGNORECASE,
)
_DAYS_ASKED: Final = re.compile(
    r"\b(?:(?:on |at |in )?(?:what|which) (?:days|dates|months)|(?:on|at) (?:what|which) moment|(?:an |in )?welche[nm] (?:tagen|daten|monaten)|zu welchem zeitpunkt|(?:op |in )?welke (?:dagen|data|maanden)|op welk moment|(?:quel(?:le)?s|pendant quels|durant quels|en quels) (?:jours|dates|mois)|à quel moment|"
    r"(?:what|which)(?: is|['’]s| was)? the (?:last|latest|first|earliest) (?:possible )?(?:day|date)|(?:was|welches) ist der (?:letzte|späteste|erste|früheste) (?:mögliche )?(?:tag|termin)|wat is de (?:laatste|uiterste|eerste|vroegste) (?:mogelijke )?(?:dag|datum)|"
    r"quel(?:le)? est (?:le (?:dernier|premier) jour|la (?:dernière|première) date|la date limite))\b",
    re.IGNORECASE,
)
_NUMBER_TO_CALL: Final = re.compile(
    r"\b(?:number|nummer|numéro)\b.*\b(?:ring|call|dial|phone|bel|bellen|anrufen|rufe|wähle|appelle|appeler|appelle-t-on)\b",
    re.IGNORECASE,
)
_HOW_LONG: Final = re.compile(
    r"\W*(?:how (?:long|soon|fast|quickly)|wie (?:lange?|schnell|rasch)|hoe ?(?:lang|snel)|combien de temps)\b",
    re.IGNORECASE,
)
_PLAIN_DATE: Final = re.compile(
    r"\b(?:(?:what|which) (?:day of the week|weekday|week ?day)|on (?:what|which) (?:day|date)|welche[rnm]* wochentag|welke (?:week)?dag|quel jour|when|wann|wanneer|quand|(?:what|which) (?:date|year)|welche[nrms]* (?:datum|jahr)|welk[e]? (?:datum|jaar)|quelle (?:date|année))\b",
    re.IGNORECASE,
)
_PERSON: Final = re.compile(
    r"\b(?:who|whom|whose|wer|wen|wem|wessen|qui|wiens|name of the|name of|contact person|ansprechperson|contactpersoon|interlocuteur)\b",
    re.IGNORECASE,
)
_DUTCH_WHO: Final = re.compile(
    r"^\W*(?:\w+ ){0,1}wie\b|\b(?:bij|van|door|met|aan|voor) wie\b|\ben wie\b", re.IGNORECASE
)
_ORGANISATION: Final = re.compile(
    r"\b(?:which|what|welche[rsnm]?|welke?|quelle?|quel) (?:\w+ )?(?:company|firm|agency|supplier|insurer|bank|provider|agent|partner|firma|unternehmen|versicherung|lieferant|anbieter|agentur|bedrijf|leverancier|verzekeraar|bank|bureau|entreprise|société|fournisseur|assureur|banque|agence|prestataire)\b",
    re.IGNORECASE,
)
_PLACE: Final = re.compile(
    r"\b(?:where|wo|woher|wohin|waar|waarheen|naartoe|où|in which (?:city|town|country|room|place)|in welcher (?:stadt|strasse)|dans quelle (?:ville|salle))\b",
    re.IGNORECASE,
)
_REASON: Final = re.compile(
    r"\b(?:why|what reason|for what reason|what (?:was|is) the (?:reason|cause)|warum|wieso|weshalb|aus welchem grund|was ist der grund|waarom|om welke reden|pourquoi|pour quelle raison)\b",
    re.IGNORECASE,
)
_CONTACT: Final = re.compile(
    r"\b(?:phone|telephone|number to call|extension|telefonnummer|durchwahl|telefoonnummer|toestel|numéro (?:de téléphone|appeler)|e-?mail address|quel numéro|which number|welche nummer|welk nummer|unter welcher nummer)\b",
    re.IGNORECASE,
)
_YES_NO: Final = {
    "en": r"^\W*(?:is|are|was|were|does|do|did|can|could|may|must|has|have|had|will|should|am|need)\b",
    "de": r"^\W*(?:ist|sind|war|waren|hat|haben|habe|hatte|darf|dürfen|duerfen|kann|können|koennen|muss|müssen|gibt|gilt|gelten|wird|werden|soll|sollen|bekomme|bekommt|bezahlt|zahlt|brauche|braucht|dauert|kostet|steht|liegt|gehört|bin|erhalte|erhält)\b",
    "nl": r"^\W*(?:is|zijn|was|waren|heeft|hebben|heb|mag|mogen|kan|kunnen|moet|moeten|wordt|worden|geldt|krijg|krijgt|krijgen|betaalt|kost|ben|zit|vergoedt|hoort|valt)\b",
    "fr": r"^\W*(?:est-ce|est-il|est-elle|sont-ils|peut-on|puis-je|faut-il|doit-on|dois-je|y a-t-il|ai-je|a-t-on|a-t-il|avons-nous|le|la|les|l['’]|un|une|mon|ma|mes|nos|notre)\b",
}


def read_asking(text: str, language: str) -> Asking:
    """The kind of answer that this part of a question wants; `open` when its words do not say."""
    wanted, counted = _wanted(_main_clause(text, language), language)
    signals = SIGNALS.get(wanted, frozenset[str]())
    if wanted == "amount" and asks_money(text, language):
        signals |= SIGNALS["money"]
    if wanted == "money" and RISES.search(text):
        signals |= SIGNALS["amount"]
    return Asking(wanted, counted, signals, units_wanted(text) if wanted == "measure" else frozenset())


# What comes after these says under which condition; the kind of answer is said before (`Where do we meet when the alarm goes?`).
_CONDITION: Final = {
    "en": re.compile(r"(?<!since )(?<!until )(?<!from )(?<!by )(?<!and )(?<!or )\b(?:when|if|while|once|whenever)\b.*", re.IGNORECASE),
    "de": re.compile(r"\b(?:wenn|falls|sobald|sofern|nachdem|bevor|obwohl)\b[^?.]*", re.IGNORECASE),
    "nl": re.compile(r"(?<!sinds )(?<!tot )(?<!vanaf )(?<!en )(?<!of )\b(?:wanneer|als|indien|zodra|nadat|voordat)\b[^?.]*", re.IGNORECASE),
    "fr": re.compile(r"(?<!depuis )(?<!jusqu'à )(?<!et )(?<!ou )\b(?:quand|lorsque?|si|dès que|une fois que)\b[^?.]*", re.IGNORECASE),
}  # fmt: skip


def _main_clause(text: str, language: str) -> str:
    """The text without conditions, where a question word opens it and something is left."""
    opened = re.match(rf"\W*(?:{OPENERS[language]})", text, re.IGNORECASE)
    if opened is None:
        return text
    rest = _CONDITION[language].sub("", text[opened.end() :]).strip(" ,?")
    return text[: opened.end()] + " " + rest if rest else text


def _wanted(text: str, language: str) -> tuple[Wanted, Term | None]:
    if _TIME_SPAN.search(text):
        return "duration", None
    if _SPEED.search(text):
        return "measure", None
    if _NUMBER_TO_CALL.search(text):
        return "contact", None
    if _DAYS_ASKED.search(text):
        return "date", None
    if _WEIGHS.search(text):
        return "measure", None
    if _SAVES.search(text):
        return "money", None
    if RISES.search(text):
        # By an amount, or by so many per cent of one.
        return "amount", None
    if _COMES_TO.search(text):
        return ("money" if asks_money(text, language) else "amount"), None
    if _OFTEN.search(text):
        return "often", None
    if _REASON.search(text):
        return "reason", None
    if _CLOCK.search(_HOURLY.sub("", text)):
        return "clock", None
    if (many := _MANY.search(text)) and (counted := _counted(_PART_OF.sub("", text[many.end() :]), language)):
        return _many(text, counted)
    if _IDENTIFIER.search(text) and not _MEANING.search(text) and not _PLAIN_DATE.search(text):
        return "identifier", None
    if _COSTS.match(text) or _PRICE_OF.match(text):
        return "money", None
    if _SIZE.search(text):
        return "measure", None
    if _PERCENT.search(text):
        return "percent", None
    if _HOW_LONG.match(text):
        return "duration", None
    if _PLAIN_DATE.search(text):
        return "date", None
    if _DURATION.search(text) and not (_MUCH.search(text) and asks_money(text, language)):
        return "duration", None
    if _CONTACT.search(text):
        return "contact", None
    if _MUCH.search(text) or (
        asks_money(text, language)
        and not _DATE.search(text)
        and not _yes_no(text, language)
        and not _PERSON.search(text)
    ):
        return ("money" if asks_money(text, language) else "amount"), None
    if _SUM_OF.search(text):
        return "amount", None
    if _ORGANISATION.search(text):
        return "organisation", None
    if _DATE.search(text):
        return "date", None
    if _HEIGHT.search(text):
        return ("amount" if re.search(r"\b(?:wie hoch|how high|hoe hoog)\b", text, re.IGNORECASE) else "measure"), None
    if _TO_WHOM.search(text):
        return "whom", None
    if _DUTCH_WHO.search(text) if language == "nl" else _PERSON.search(text):
        return "person", None
    if _PLACE.search(text):
        return "place", None
    if _yes_no(text, language):
        return "yesno", None
    return "open", None


# `What does it cost when …` asks no time.
_COSTS: Final = re.compile(
    r"\W*(?:(?:what|how much) (?:does|do|did|will|would|is|are)\b.{0,40}?\b(?:costs?|pay|charged?)\b|(?:was|wie ?viel) kostet\b|(?:was|wie ?viel) kosten\b|(?:wat|hoeveel) kost(?:en)?\b|(?:wat|hoeveel) (?:ben|bent|zijn) (?:ik|je|u|wij|we)\b.{0,40}?\bkwijt\b|(?:combien|que) (?:coûte(?:nt|rait|ront)?|paie|paye|doit-on payer)\b)",
    re.IGNORECASE,
)
# `How much is a litre of oil?`: one piece or one measure of something.
_PRICE_OF: Final = re.compile(
    rf"\W*how much (?:is|are|for|would) (?:an?|one|each|per) (?:{'|'.join(UNITS_OF_SALE)})\b", re.IGNORECASE
)
_WEIGHS: Final = re.compile(
    r"\b(?:how much|wie ?viel|hoeveel|combien)\b.{0,30}?\b(?:weigh\w*|wiegt|wiegen|weegt|wegen|pèse(?:nt)?)\b",
    re.IGNORECASE,
)
_SAVES: Final = re.compile(
    r"\b(?:how much|wie ?viel|hoeveel|combien)\b.{0,40}?\b(?:sav(?:e|es|ed|ing)|spar\w*|gespart|bespaar\w*|économis\w*)\b",
    re.IGNORECASE,
)
# `How many of the calls were …`: calls are counted.
_PART_OF: Final = re.compile(
    r"^\s*(?:of (?:the|our|these|all)|der|dieser|unserer|von den|van de|van deze|van onze|des|de nos|de ces)\s",
    re.IGNORECASE,
)
# A code or a password is told as such; a sentence on when it is changed is no answer.
_IDENTIFIER: Final = re.compile(
    r"\b(?:what(?:['’]s| is| are)|which is|wie (?:lautet|ist|heisst|heißt)|was ist|wat (?:is|zijn)|welke? is|quel(?:le)? est|quels sont)\b(?: \w+){0,3}?"
    r" ?(?:\b[ld]['’])?(?:[\w-]*(?:code|password|passcode|pin|passwort|kennwort|wachtwoord|kengetal))\b|\bmot de passe\b",
    re.IGNORECASE,
)
_MEANING: Final = re.compile(
    r"\b(?:mean\w*|stand for|bedeutet|heisst das|betekent|signifie|veut dire)\b", re.IGNORECASE
)
_COMES_TO: Final = re.compile(
    r"\b(?:what|how much) (?:do|does|did|would|will)\b.+\b(?:add(?:s|ed)? up to|sum up to|come[s]? to|amount[s]? to)\b",
    re.IGNORECASE,
)
# A compound that ends so is money: `Lesgeld`, `Reisekosten`, `huurprijs`.
_MONEY_ENDINGS: Final = (
    "geld",
    "kosten",
    "preis",
    "preise",
    "gebühr",
    "gebühren",
    "miete",
    "zins",
    "lohn",
    "betrag",
    "prijs",
    "tarief",
    "huur",
    "vergoeding",
    "premie",
    "loon",
)


# A compound of time is stated in its unit alone: `Urlaubstage` are `30 Arbeitstage`, `vakantiedagen` are `25 dagen`.
_TIME_ENDINGS: Final = ("tage", "tagen", "stunden", "wochen", "monate", "dagen", "uren", "weken", "maanden")


def _yes_no(text: str, language: str) -> bool:
    """True when it, or what follows a statement in it (`I lost my card, do I pay?`), opens with a verb."""
    if re.search(_YES_NO[language], text, re.IGNORECASE):
        return True
    *before, last = re.split(r"[,.;:!]\s+", text)
    asks = re.match(OPENERS[language], last, re.IGNORECASE) and re.match(_YES_NO[language], last, re.IGNORECASE)
    return bool(before and asks) and not re.search(OPENERS[language], before[0], re.IGNORECASE)


def _many(text: str, counted: Term) -> tuple[Wanted, Term | None]:
    if TIME_WORDS.get(counted.written.casefold()) or counted.written.casefold().endswith(_TIME_ENDINGS):
        return "duration", counted
    if MEASURE_WORDS.get(counted.written.casefold()):
        return "measure", None
    if MONEY.fullmatch(counted.written) or counted.written.casefold().endswith(_MONEY_ENDINGS):
        return "money", None
    return "count", counted


def _counted(rest: str, language: str) -> Term | None:
    """The noun after `how many`, its adjectives skipped: in German the first capital, else the first plural, else the first word."""
    terms = {term.key: term for term in question_terms(rest[:80], language)}
    near = list(list(words(rest[:80]))[:3])
    run: list[tuple[str, Term]] = []
    for word in near:
        if word.key not in terms:
            break
        run.append((rest[word.start : word.end], terms[word.key]))
    if not run:
        return None
    plural = _PLURAL.get(language)
    fitting = (term for written, term in run if plural is not None and plural.search(written))
    # `Hoeveel krijg ik`: a light verb is nothing that one counts.
    return next(fitting, None if run[0][1].kind == "light" else run[0][1])


_PLURAL: Final = {
    "en": re.compile(r"(?:s|people|children|men|women|staff)$"),
    "de": re.compile(r"^[A-ZÄÖÜ]"),
    "nl": re.compile(r"(?:en|s|ers|ties)$"),
}
