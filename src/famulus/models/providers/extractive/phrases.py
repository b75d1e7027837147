"""The words of this model as data: what it says itself, in four languages, and the small words by which it reads a question."""

from __future__ import annotations

import re
from typing import Final, Literal

from famulus.text.fold import key

Phrase = Literal[
    "refusal", "partly", "no_search", "no_documents", "hello", "thanks", "note", "total", "difference", "share", "rate", "periods",
    "days_between", "weeks_between", "deadline", "weekday", "more", "equal", "now", "until", "since",
    "today", "no_clock", "no_calculator", "no_result", "changed", "mean", "rows", "at_least", "at_most",
    "months_between", "years_between", "term_end", "later", "earlier", "working_days", "next_time",
]  # fmt: skip

TEXTS: Final[dict[str, dict[Phrase, str]]] = {
    "en": {
        "refusal": "The documents do not hold an answer to this question.",
        "partly": "The documents do not hold an answer to this part: “{part}”",
        "no_search": "I cannot search the documents in this run, so I cannot answer from them.",
        "no_documents": "The search gave no passage to answer from.",
        "hello": "Hello! Ask me something about your documents.",
        "thanks": "You are welcome! Ask me anything else about your documents.",
        "note": "No language model is connected: these are sentences of the documents, selected by rules. To connect one, set a provider and its model in the configuration (for instance Ollama: model = \"ollama/…\").",
        "total": "Together: {calculation} = {result}",
        "difference": "Difference: {calculation} = {result}",
        "share": "{percent} per cent of {base}: {calculation} = {result}",
        "rate": "Calculated: {calculation} = {result}",
        "periods": "Calculated per {period}: {calculation} = {result}",
        "days_between": "From {first} to {second}: {result} days",
        "weeks_between": "From {first} to {second}: {result} weeks",
        "deadline": "Counted back from {end}, {span}: {result}",
        "weekday": "{date} is a {weekday}.",
        "more": "Compared: {value} is more than {other}.",
        "equal": "Both are the same: {value}.",
        "now": "It is now {datetime} ({zone}).",
        "until": "From today, {today}, until {date}: {result} days",
        "since": "From {date} until today, {today}: {result} days",
        "today": "Today is {weekday}, {date} ({zone}).",
        "no_clock": "I cannot look at the clock in this run: the tool get_current_datetime is not offered or gave no time.",
        "no_calculator": "I cannot calculate in this run: the tool calculate is not offered or gave no result.",
        "no_result": "The tool gave no result: {error}",
        "changed": "{base} {change}: {calculation} = {result}",
        "mean": "On average: {calculation} = {result}",
        "rows": "Rows counted: {result}",
        "at_least": "Calculated: {calculation} = {result}; the least amount is {bound}.",
        "at_most": "Calculated: {calculation} = {result}; the highest amount is {bound}.",
        "months_between": "From {first} to {second}: {result} months",
        "years_between": "From {first} to {second}: {result} years",
        "term_end": "{span} from {start}: up to and including {last}; {result} is the first day after.",
        "later": "{start} plus {span}: {result}",
        "earlier": "{start} less {span}: {result}",
        "working_days": "{start}, {span} counted from Monday to Friday, holidays not left out: {result}",
        "next_time": "After {start}, {span}: {result}",
    },
    "de": {
        "refusal": "Die Dokumente enthalten keine Antwort auf diese Frage.",
        "partly": "Zu diesem Teil enthalten die Dokumente keine Antwort: «{part}»",
        "no_search": "Ich kann in diesem Durchgang nicht in den Dokumenten suchen und darum nicht aus ihnen antworten.",
        "no_documents": "Die Suche ergab keine Stelle, aus der ich antworten könnte.",
        "hello": "Guten Tag! Fragen Sie mich etwas zu Ihren Dokumenten.",
        "thanks": "Gern geschehen! Fragen Sie mich gern noch etwas zu Ihren Dokumenten.",
        "note": "Es ist kein Sprachmodell angeschlossen: Dies sind Sätze aus den Dokumenten, nach Regeln ausgewählt. Zum Anschliessen einen Anbieter und sein Modell in der Konfiguration eintragen (zum Beispiel Ollama: model = \"ollama/…\").",
        "total": "Zusammen: {calculation} = {result}",
        "difference": "Unterschied: {calculation} = {result}",
        "share": "{percent} Prozent von {base}: {calculation} = {result}",
        "rate": "Berechnet: {calculation} = {result}",
        "periods": "Berechnet pro {period}: {calculation} = {result}",
        "days_between": "Vom {first} bis zum {second}: {result} Tage",
        "weeks_between": "Vom {first} bis zum {second}: {result} Wochen",
        "deadline": "Zurückgerechnet vom {end}, {span}: {result}",
        "weekday": "Der {date} ist ein {weekday}.",
        "more": "Verglichen: {value} ist mehr als {other}.",
        "equal": "Beides ist gleich: {value}.",
        "now": "Es ist jetzt {datetime} ({zone}).",
        "until": "Von heute, {today}, bis zum {date}: {result} Tage",
        "since": "Vom {date} bis heute, {today}: {result} Tage",
        "today": "Heute ist {weekday}, {date} ({zone}).",
        "no_clock": "Ich kann in diesem Durchgang nicht auf die Uhr sehen: Das Werkzeug get_current_datetime steht nicht zur Verfügung oder gab keine Zeit an.",
        "no_calculator": "Ich kann in diesem Durchgang nicht rechnen: Das Werkzeug calculate steht nicht zur Verfügung oder gab kein Ergebnis.",
        "no_result": "Das Werkzeug gab kein Ergebnis: {error}",
        "changed": "{base} {change}: {calculation} = {result}",
        "mean": "Im Durchschnitt: {calculation} = {result}",
        "rows": "Gezählte Zeilen: {result}",
        "at_least": "Berechnet: {calculation} = {result}; der Mindestbetrag ist {bound}.",
        "at_most": "Berechnet: {calculation} = {result}; der Höchstbetrag ist {bound}.",
        "months_between": "Vom {first} bis zum {second}: {result} Monate",
        "years_between": "Vom {first} bis zum {second}: {result} Jahre",
        "term_end": "{span} ab dem {start}: bis und mit {last}; der {result} ist der erste Tag danach.",
        "later": "{start} plus {span}: {result}",
        "earlier": "{start} minus {span}: {result}",
        "working_days": "{start}, {span} gezählt von Montag bis Freitag, Feiertage nicht abgezogen: {result}",
        "next_time": "Nach {start}, {span}: {result}",
    },
    "nl": {
        "refusal": "De documenten bevatten geen antwoord op deze vraag.",
        "partly": "Op dit deel bevatten de documenten geen antwoord: “{part}”",
        "no_search": "Ik kan in deze beurt niet in de documenten zoeken en er dus niet uit antwoorden.",
        "no_documents": "De zoekopdracht gaf geen passage om uit te antwoorden.",
        "hello": "Hallo! Stel me een vraag over uw documenten.",
        "thanks": "Graag gedaan! Vraag gerust nog iets over uw documenten.",
        "note": "Er is geen taalmodel aangesloten: dit zijn zinnen uit de documenten, gekozen volgens regels. Aansluiten kan door een aanbieder en zijn model in de configuratie te zetten (bijvoorbeeld Ollama: model = \"ollama/…\").",
        "total": "Samen: {calculation} = {result}",
        "difference": "Verschil: {calculation} = {result}",
        "share": "{percent} procent van {base}: {calculation} = {result}",
        "rate": "Berekend: {calculation} = {result}",
        "periods": "Berekend per {period}: {calculation} = {result}",
        "days_between": "Van {first} tot {second}: {result} dagen",
        "weeks_between": "Van {first} tot {second}: {result} weken",
        "deadline": "Teruggerekend vanaf {end}, {span}: {result}",
        "weekday": "{date} is een {weekday}.",
        "more": "Vergeleken: {value} is meer dan {other}.",
        "equal": "Beide zijn gelijk: {value}.",
        "now": "Het is nu {datetime} ({zone}).",
        "until": "Van vandaag, {today}, tot {date}: {result} dagen",
        "since": "Van {date} tot vandaag, {today}: {result} dagen",
        "today": "Vandaag is het {weekday} {date} ({zone}).",
        "no_clock": "Ik kan in deze beurt niet op de klok kijken: het gereedschap get_current_datetime is niet beschikbaar of gaf geen tijd.",
        "no_calculator": "Ik kan in deze beurt niet rekenen: het gereedschap calculate is niet beschikbaar of gaf geen uitkomst.",
        "no_result": "Het gereedschap gaf geen uitkomst: {error}",
        "changed": "{base} {change}: {calculation} = {result}",
        "mean": "Gemiddeld: {calculation} = {result}",
        "rows": "Getelde rijen: {result}",
        "at_least": "Berekend: {calculation} = {result}; het laagste bedrag is {bound}.",
        "at_most": "Berekend: {calculation} = {result}; het hoogste bedrag is {bound}.",
        "months_between": "Van {first} tot {second}: {result} maanden",
        "years_between": "Van {first} tot {second}: {result} jaar",
        "term_end": "{span} vanaf {start}: tot en met {last}; {result} is de eerste dag daarna.",
        "later": "{start} plus {span}: {result}",
        "earlier": "{start} min {span}: {result}",
        "working_days": "{start}, {span} geteld van maandag tot en met vrijdag, feestdagen niet afgetrokken: {result}",
        "next_time": "Na {start}, {span}: {result}",
    },
    "fr": {
        "refusal": "Les documents ne contiennent pas de réponse à cette question.",
        "partly": "Les documents ne contiennent pas de réponse à cette partie : « {part} »",
        "no_search": "Je ne peux pas chercher dans les documents cette fois-ci, ni donc répondre à partir d'eux.",
        "no_documents": "La recherche n'a donné aucun passage pour répondre.",
        "hello": "Bonjour ! Posez-moi une question sur vos documents.",
        "thanks": "Avec plaisir ! Posez-moi d'autres questions sur vos documents.",
        "note": "Aucun modèle de langage n'est connecté : ce sont des phrases des documents, choisies selon des règles. Pour en connecter un, indiquez un fournisseur et son modèle dans la configuration (par exemple Ollama : model = \"ollama/…\").",
        "total": "Ensemble : {calculation} = {result}",
        "difference": "Différence : {calculation} = {result}",
        "share": "{percent} pour cent de {base} : {calculation} = {result}",
        "rate": "Calcul : {calculation} = {result}",
        "periods": "Calcul par {period} : {calculation} = {result}",
        "days_between": "Du {first} au {second} : {result} jours",
        "weeks_between": "Du {first} au {second} : {result} semaines",
        "deadline": "En remontant de {span} depuis le {end} : {result}",
        "weekday": "Le {date} est un {weekday}.",
        "more": "Comparaison : {value} est plus que {other}.",
        "equal": "Les deux sont identiques : {value}.",
        "now": "Il est maintenant {datetime} ({zone}).",
        "until": "D'aujourd'hui, {today}, au {date} : {result} jours",
        "since": "Du {date} à aujourd'hui, {today} : {result} jours",
        "today": "Nous sommes le {weekday} {date} ({zone}).",
        "no_clock": "Je ne peux pas regarder l'heure cette fois-ci : l'outil get_current_datetime n'est pas proposé ou n'a pas donné l'heure.",
        "no_calculator": "Je ne peux pas calculer cette fois-ci : l'outil calculate n'est pas proposé ou n'a pas donné de résultat.",
        "no_result": "L'outil n'a pas donné de résultat : {error}",
        "changed": "{base} {change} : {calculation} = {result}",
        "mean": "En moyenne : {calculation} = {result}",
        "rows": "Lignes comptées : {result}",
        "at_least": "Calcul : {calculation} = {result} ; le montant minimal est de {bound}.",
        "at_most": "Calcul : {calculation} = {result} ; le montant maximal est de {bound}.",
        "months_between": "Du {first} au {second} : {result} mois",
        "years_between": "Du {first} au {second} : {result} ans",
        "term_end": "{span} à partir du {start} : jusqu'au {last} inclus ; le {result} est le premier jour après.",
        "later": "{start} plus {span} : {result}",
        "earlier": "{start} moins {span} : {result}",
        "working_days": "{start}, {span} comptés du lundi au vendredi, jours fériés non déduits : {result}",
        "next_time": "Après le {start}, {span} : {result}",
    },
}  # fmt: skip

PERIODS: Final[dict[str, dict[str, str]]] = {
    "en": {"day": "day", "week": "week", "month": "month", "quarter": "quarter", "year": "year", "hour": "hour"},
    "de": {"day": "Tag", "week": "Woche", "month": "Monat", "quarter": "Quartal", "year": "Jahr", "hour": "Stunde"},
    "nl": {"day": "dag", "week": "week", "month": "maand", "quarter": "kwartaal", "year": "jaar", "hour": "uur"},
    "fr": {"day": "jour", "week": "semaine", "month": "mois", "quarter": "trimestre", "year": "an", "hour": "heure"},
}


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
    "plus per pro par heel whole entire ganz existe concerne écouler écoulé écoulés touche toucher"
)

# Adjectives that texts say in many ways (`up to`, `höchstens`): never what a question is about.
QUALIFIERS: Final = _keys(
    "maximum minimum maximal minimal highest lowest largest smallest current total overall average exact usual normal new old first last next daily monthly yearly annual "
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
    "en": r"(?:until |by |since |from |for |at |in |on |to |up to |under |with |below |above |over |after |before |within |about |of )?(?:what|which|who|whom|whose|when|where|why|how)\b|(?:is|are|was|were|does|do|did|can|may|must|has|have|will|should)\s+(?:it|the|there|i|we|they|you|he|she|this|that|my|our|a|an)\b",
    "de": r"(?:bis |bis zu |ab |seit |zu |auf |in |an |für |mit |um |von |bei |nach |unter |über |vor |gegen |innert )?(?:was|wer|wen|wem|wessen|wann|wo|woher|wohin|warum|wieso|weshalb|wie|welche[rsnm]?|wieviel)\b|(?:ist|sind|war|hat|haben|darf|dürfen|kann|können|muss|müssen|gibt|gilt|wird|werden|soll)\s+(?:es|er|sie|ich|wir|man|der|die|das|ein|eine|den|dem)\b",
    "nl": r"(?:tot |vanaf |sinds |per |op |in |aan |voor |met |om |van |bij |binnen |onder |boven |na |over )?(?:wat|wie|wanneer|waar|waarheen|waarom|hoe|hoeveel|hoelang|welke?|wiens)\b|(?:is|zijn|was|heeft|hebben|mag|mogen|kan|kunnen|moet|moeten|wordt|worden|geldt)\s+(?:het|de|er|ik|we|wij|je|u|men|ze|hij|een|dat|die)\b",
    "fr": r"(?:jusqu'(?:à |en |au )?|à |à partir de |depuis |de |en |pour |dans |sous |avec |pendant |par |sur |d'ici )?(?:qui|que|quoi|quand|où|pourquoi|comment|combien|quels?|quelles?|lequel|laquelle|qu'est-ce)\b|est-ce\b|(?:peut-on|faut-il|doit-on|y a-t-il|ai-je|puis-je|est-il|est-elle|sont-ils|sont-elles)\b",
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


def say(phrase: Phrase, language: str, **values: str) -> str:
    """The phrase in this language, English where it has none, its places filled."""
    return TEXTS.get(language, TEXTS["en"])[phrase].format(**values)


def is_refusal(answer: str) -> bool:
    """True for an answer that begins by saying that the documents hold none."""
    return any(
        answer.startswith((texts["refusal"], texts["no_documents"], texts["no_search"])) for texts in TEXTS.values()
    )
