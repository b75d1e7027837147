"""The small words by which this model reads a question, in four languages: what is light, what opens a question, what joins two."""

from __future__ import annotations

import re
from typing import Final

from famulus.text.fold import key


def _keys(text: str) -> frozenset[str]:
    return frozenset(key(word) for word in text.split())


# Words that carry little of what is asked: general verbs, politeness, and what every question of an office has in it.
LIGHT: Final = _keys(
    "system systems get gets got getting take takes taken have need needs deal deals go goes come comes make do does put let give given want like "
    "apply applies set handle exactly actually currently still yet already please tell company our we us one ones thing things "
    "kind type many much long soon far old often big high low good together total overall altogether according document documents "
    "happen happens normally usually possible different someone somebody anyone nobody people whole anything end "
    "bekommen bekomme bekommt erhalten erhalte kriegen nehmen gehen geht kommen kommt machen macht geben gibt wollen brauchen brauche "
    "gelten gilt liegen liegt stehen steht aktuell derzeit eigentlich genau firma unser unsere bitte viel viele lange hoch gross "
    "oft gut zusammen insgesamt total gesamthaft laut leute lassen dabei ganz ganzen person dürfen müssen möglich betragen beträgt aufstellen "
    "krijgen krijg krijgt nemen gaan gaat komen komt maken maakt geven geeft willen hebben zit zitten passen past gelden geldt staat staan "
    "mag mogen kunnen moeten precies eigenlijk bedrijf ons onze graag alstublieft veel lang vaak hoog groot goed samen totaal totale gezamenlijk volgens mensen bedraagt "
    "obtenir avoir prendre prend aller va vient venir faire fait donner donne vouloir devoir appliquer applique "
    "exactement actuellement entreprise société svp beaucoup long longue souvent haut grand ensemble total totale selon gens lieu passer passe "
    "today now want wants heute jetzt vandaag nu sofort aujourd hui maintenant wenn falls gerade komplett komplette völlig completely helemaal complètement "
    "sure find show search explain explains describe describes finde finden zeige zeigen suche nenne zoek vind toon noem cherche trouve montre erkläre erklären erklär beschreibe beschreiben uitleggen leg beschrijf expliquer explique expliquez décrire décris "
    "another become became came coming say says said ve ll re op use used look looks something anybody every each else "
    "ab schon wohin vielen gemacht geraten wende zeit mal sonst noch jemand etwas jeder jede alle lautet dauert mitten bereits "
    "elke ervoor erop mn mijne naartoe tussen vaker daarvoor iemand iets alle maakt moment wordt duurt moeten "
    "celui celle chacun chacune chez doit doivent quelqu temps rendu cas élève reste tenir peut peuvent faut combien "
    "abzug abzüglich zuzüglich aftrek déduction add adds come comes amount "
    "back terug zurück laten least above below over under boven onder über unter unterhalb oberhalb dessus dessous afterwards danach daarna ensuite "
    "plus per pro par heel whole entire ganz existe concerne écouler écoulé écoulés touche toucher"
)

# Adjectives that texts say in many ways (`up to`, `höchstens`): never what a question is about.
QUALIFIERS: Final = _keys(
    "maximum minimum maximal minimal maximaal minimaal höchstens mindestens hoogstens minstens highest lowest largest smallest current total overall average exact usual normal new old first last next daily monthly yearly annual "
    "maximale minimale maximalen minimalen höchste niedrigste grösste kleinste aktuelle gesamte durchschnittliche genaue übliche neue erste letzte nächste "
    "hoogste laagste grootste huidige totale gemiddelde precieze gewone nieuwe eerste laatste volgende "
    "maximum minimum maximale minimale actuel actuelle total totale moyen moyenne exact nouveau nouvelle premier première dernier dernière prochain prochaine"
)

SMALL_TALK: Final = re.compile(
    r"^\W*(?:(?P<hello>hi|hello|hey|good (?:morning|afternoon|evening)|hallo|guten (?:tag|morgen|abend)|grüezi|servus|moin|goede(?:morgen|middag|navond|n\s?dag)|"
    r"hoi|dag|bonjour|bonsoir|salut|coucou)|(?P<thanks>(?:many )?thanks?(?: you)?(?: very much| a lot| so much)?|great|perfect|ok(?:ay)?|got it|bye|goodbye|"
    r"(?:vielen |herzlichen |besten )?dank(?:e|eschön)?(?: schön| sehr| vielmals)?|super|prima|alles klar|tschüss|merci(?: beaucoup| bien)?|parfait|"
    r"d'accord|au revoir|bedankt|dank (?:je|u)(?: wel)?|dankjewel|top|tot ziens|perfekt|genial|klasse))"
    r"(?:\W+(?:there|all|you|famulus|merci|danke|thanks|thank you|very much|beaucoup|zusammen|allemaal|à tous|that helps|that helped|das hilft|for your help|pour votre aide|voor je hulp|für die hilfe))*\W*$",
    re.IGNORECASE,
)

# Verbs of two words whose sense is in neither, with one word that says the same.
PHRASAL: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(pattern, re.IGNORECASE), word)
    for pattern, word in (
        (r"\b(?:runs?|ran|running) out\b", "expire"), (r"\bput(?:s|ting)? off\b", "postponed"), (r"\bcall(?:s|ed|ing)? off\b", "cancel"),
        (r"\bhand(?:s|ed|ing)? in\b", "submit"), (r"\bpick(?:s|ed|ing)? up\b", "collect"), (r"\bgive(?:s|n)? back\b|\bhand(?:s|ed)? back\b", "return"),
        (r"\bthrow(?:n|s)? (?:away|out)\b", "discard"), (r"\bsign(?:s|ed)? up\b", "register"), (r"\bgo(?:es)? up\b", "rise"), (r"\bgo(?:es)? down\b", "fall"),
        (r"\bbring(?:s|ing)? back\b|\bget(?:s)? (?:it |them )?back\b", "return"), (r"\bmov(?:e|es|ing) out\b", "moveout"), (r"\blook(?:s|ed|ing)? after\b", "maintain"), (r"\bcarr(?:y|ied|ies) over\b", "transfer"),
        (r"\b(?:läuft|laufen|lief)\b(?=.*\b(?:aus|ab)\b\s*[?,.]?)", "abläuft"), (r"\b(?:hört|hören)\b(?=.*\bauf\b\s*[?,.]?)", "endet"),
        (r"\b(?:hat|haben)\b(?=.*\bauf\b\s*[?.]?\s*$)", "geöffnet"),
        (r"\b(?:fängt|fangen)\b(?=.*\ban\b\s*[?,.]?)", "beginnt"), (r"\b(?:loopt|lopen|liep)\b(?=.*\b(?:af|ten einde)\b\s*[?,.]?)", "eindigt"),
        (r"\b(?:gaat|gaan)\b(?=.*\bin\b\s*[?.]?\s*$)", "ingaat"), (r"\bprend(?:re)? fin\b|\bprennent fin\b", "termine"),
        (r"\bprend(?:re)? effet\b|\bentr(?:e|er|ent|é|ée) en vigueur\b", "vigueur"), (r"\bà la maison\b|\bde chez (?:soi|moi)\b|\bchez soi\b", "télétravail"),
        (r"\btoo (?:many|much)\b", "extra"), (r"\bzu viele?\b", "zusätzlich"), (r"\bte veel\b", "extra"), (r"\b(?:de|en) trop\b", "supplémentaires"),
        (r"\bfrom home\b|\bat home\b", "home"), (r"\bvon zu ?hause\b|\bzu ?hause\b", "homeoffice"),
    )
)  # fmt: skip

_IRREGULAR_VERBS: Final = (
    "make made, pay paid, keep kept, hold held, send sent, buy bought, sell sold, leave left, lose lost, build built, begin began begun, break broke broken, "
    "write wrote written, take took taken, give gave given, go went gone, come came, run ran, drive drove driven, eat ate eaten, choose chose chosen, fall fell fallen, "
    "fly flew flown, grow grew grown, know knew known, lead led, meet met, rise rose risen, see saw seen, speak spoke spoken, spend spent, stand stood, teach taught, "
    "tell told, think thought, throw threw thrown, wear wore worn, win won, bring brought, catch caught, cost costs, find found, hide hid hidden, lend lent, shut shuts, steal stole stolen"
)
IRREGULAR: Final = {form: verb.split()[0] for verb in _IRREGULAR_VERBS.split(", ") for form in verb.split()[1:]}

# What opens a question of its own after a comma or an `and`.
OPENERS: Final[dict[str, str]] = {
    "en": r"(?:until |between |by |since |from |for |at |in |on |to |up to |under |with |below |above |over |after |before |within |about |of )?(?:what|which|who|whom|whose|when|where|why|how)\b|(?:is|are|was|were|does|do|did|can|may|must|has|have|will|should)\s+(?:it|the|there|i|we|they|you|he|she|this|that|my|our|a|an)\b",
    "de": r"(?:bis |bis zu |zwischen |ab |seit |zu |auf |in |an |für |mit |um |von |bei |nach |unter |über |vor |gegen |innert )?(?:was|wer|wen|wem|wessen|wann|wo|woher|wohin|warum|wieso|weshalb|wie|welche[rsnm]?|wieviel)\b|(?:ist|sind|war|hat|haben|darf|dürfen|kann|können|muss|müssen|gibt|gilt|wird|werden|soll)\s+(?:es|er|sie|ich|wir|man|der|die|das|ein|eine|den|dem)\b",
    "nl": r"(?:tot |tussen |vanaf |sinds |per |op |in |aan |voor |met |om |van |bij |binnen |onder |boven |na |over )?(?:wat|wie|wanneer|waar|waarheen|waarom|hoe|hoeveel|hoelang|welke?|wiens)\b|(?:is|zijn|was|heeft|hebben|mag|mogen|kan|kunnen|moet|moeten|wordt|worden|geldt)\s+(?:het|de|er|ik|we|wij|je|u|men|ze|hij|een|dat|die)\b",
    "fr": r"(?:jusqu'(?:à |en |au )?|à |à partir de |depuis |de |en |pour |entre |dans |sous |avec |pendant |par |sur |d'ici )?(?:qui|que|quoi|quand|où|pourquoi|comment|combien|quels?|quelles?|lequel|laquelle|qu'est-ce)\b|est-ce\b|(?:peut-on|faut-il|doit-on|y a-t-il|ai-je|puis-je|est-il|est-elle|sont-ils|sont-elles)\b",
}
AND: Final[dict[str, str]] = {"en": "and", "de": "und", "nl": "en", "fr": "et"}
OR: Final[dict[str, str]] = {"en": "or", "de": "oder", "nl": "of", "fr": "ou"}
THAN: Final[dict[str, str]] = {"en": "than", "de": "als", "nl": "dan", "fr": "qu[e']"}
PRONOUNS: Final[dict[str, frozenset[str]]] = {
    "en": frozenset(
        [
            "it",
            "its",
            "they",
            "them",
            "their",
            "he",
            "she",
            "his",
            "her",
            "this",
            "that",
            "there",
            "these",
            "those",
            "one",
        ]
    ),
    "de": frozenset(
        [
            "er",
            "sie",
            "es",
            "ihn",
            "ihm",
            "ihr",
            "dessen",
            "deren",
            "diese",
            "dieser",
            "dieses",
            "davon",
            "dabei",
            "dafür",
            "dort",
            "darin",
            "daran",
            "darüber",
        ]
    ),
    "nl": frozenset(
        [
            "het",
            "hij",
            "zij",
            "ze",
            "hem",
            "haar",
            "hun",
            "deze",
            "dit",
            "die",
            "dat",
            "daar",
            "ervan",
            "daarvan",
            "daarvoor",
            "daarbij",
            "er",
        ]
    ),
    "fr": frozenset(
        [
            "il",
            "elle",
            "ils",
            "elles",
            "lui",
            "leur",
            "y",
            "en",
            "celui-ci",
            "celle-ci",
            "cela",
            "ça",
            "ce",
            "t-il",
            "t-elle",
        ]
    ),
}

FOLLOW_UP: Final = re.compile(
    r"^\W*(?:and|und|en|et|what about|how about|was ist mit|wie ist es|wie sieht es|hoe zit het|hoe is het|qu'en est-il|and what|also|ook|auch|aussi)\b",
    re.IGNORECASE,
)
