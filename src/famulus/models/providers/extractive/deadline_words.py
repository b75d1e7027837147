"""What sentences and questions about days say: notice, ending, beginning, lasting, before. In English, German, Dutch and French."""

from __future__ import annotations

import re
from typing import Final

NOTICE: Final = re.compile(
    r"\b(?:notice|terminat\w*|cancel\w*|withdraw\w*|(?:ge)?kündig\w*|kündbar|kuendig\w*|\w*kündigungsfrist|opzeg\w*|opgezegd|opzegtermijn|resign\w*|résili\w*|démission\w*|préavis|dénon\w*|congé)\b|zeg\w* .{0,60}\bop\b",
    re.IGNORECASE,
)
MUST: Final = re.compile(
    r"\b(?:must|have to|has to|need to|needs to|latest|at the latest|by when|by what|by which|until when can|before (?:when|which|what)|deadline|last day to|last date|spätestens|muss|müssen|bis wann|bis zu welchem|uiterlijk|moet|moeten|voor wanneer|"
    r"tot wanneer|au plus tard|doit|doivent|devons|dois|faut-il|jusqu['’]à (?:quand|quelle)|avant quelle|date limite)\b",
    re.IGNORECASE,
)
ENDS: Final = re.compile(
    r"\b(?:ends?|ended|ending|end of|over|expires?|expired|expiry|run out|runs out|finish(?:es|ed)?|last day|until when|how long (?:is|does)|valid|lapse[sd]?|complete[sd]?|endet|enden|ende|fertig|beendet|abgeschlossen|abläuft|abgelaufen|läuft|laufen|vorbei|zu ende|bis wann|letzte[rn]? tag|"
    r"gültig|eindigt|eindigen|einde|klaar|gereed|afloopt|afgelopen|loopt|lopen|voorbij|verstrijkt|verlopen|verloopt|tot wanneer|geldig|laatste dag|prend fin|fin|finit|termine|terminent|expire|expirent|terminée?s?|finie?s?|achevée?s?|échéance|dernier jour|jusqu['’]à (?:quand|quelle)|valable|arrive à (?:son )?terme)\b",
    re.IGNORECASE,
)
START: Final = re.compile(
    r"\b(?:begins?|beginning|began|starts?|started|starting|commenc\w*|from|since|takes? effect|effective|in force|entered into|came into|opens?|opened|launched|went into|beginnt|begann|begin|start\w*|ab|seit|vom|von|tritt|eintritt|antritt|"
    r"gaat in|ingang|ingaand|begint|vanaf|sinds|van|débute|début|commence|à partir|à compter|depuis|prend effet|entre en vigueur|entrée?)\b",
    re.IGNORECASE,
)
EVENT: Final = re.compile(
    r"\b(?:deliver\w*|arriv\w*|reached|received|bought|purchased|signed|issued|handed over|invoiced?|dated|ordered|geliefert|lieferung|eingetroffen|erhalten|gekauft|unterzeichnet|übergeben|ausgestellt|bestellt|geleverd|levering|ontvangen|gekocht|"
    r"ondertekend|gesloten|besteld|livrée?s?|livraison|reçue?s?|achetée?s?|signée?|émise?|conclu|commandée?s?|remise?)\b",
    re.IGNORECASE,
)
TERM: Final = re.compile(
    r"\b(?:runs?|term|period|lasts?|duration|for|valid|warrant\w*|guarantee\w*|probation\w*|trial|läuft|laufzeit|dauer\w*|gilt|gültig|garantie|gewährleistung\w*|probezeit|befristet|abgeschlossen|geschlossen|mietdauer|loopt|looptijd|duur|duurt|duren|geldt|geldig|proeftijd|"
    r"voor|durée|dure|durent|durera|dureront|court|valable|garantie|période d['’]essai|pour|conclu)\b",
    re.IGNORECASE,
)
BEFORE: Final = re.compile(
    r"\b(?:before|prior|in advance|ahead|beforehand|earlier|vor|vorher|zuvor|im voraus|voraus|vorab|voor|vooraf|van tevoren|tevoren|eerder|avant|à l['’]avance|d['’]avance|au préalable)\b",
    re.IGNORECASE,
)
GIVES: Final = re.compile(
    r"\b(?:give notice|gives notice|given notice|hand in (?:my|her|his|our|their) notice|notice (?:is given |given )?on|terminate on|cancel on|kündige|kündigt|kündigen|gekündigt|opzeg|opzeggen|zeg\w*|opgezegd|résilie|résilions|donne|démissionne|préavis donné)\b",
    re.IGNORECASE,
)


def asks_latest(question: str) -> bool:
    """True where the last day to do something is asked for."""
    return MUST.search(question) is not None
