"""Words of a question that only say what kind of answer it wants; an answer of that kind stands for them."""

from __future__ import annotations

from typing import Final

from famulus.text.fold import key


def _keys(text: str) -> frozenset[str]:
    return frozenset(key(word) for word in text.split())


SIGNALS: Final[dict[str, frozenset[str]]] = {
    "money": _keys(
        "save saves saved saving spare sparen spart gespart bespaar bespaart besparen bespaard économise économiser économisons "
        "amount bedrag betaal betalen betrag bezahlen charge cher combien cost costs coûte coûtent "
        "coûter duur euro euros expensive fee franken geld hoch höhe kost kosten kostet money montant "
        "much paie pay payer pounds preis preise price prices prijs prix rate tarief tarif teuer zahle "
        "zahlen pays paid charges charged fees earn earns betaalt zahlt bezahlt paye payons verdient "
        "gagne gebühr extra worth kwijt spend spent spending ausgegeben uitgegeven dépensé dépensons dépenser"
    ),
    "amount": _keys(
        "amount betrag bedrag montant high hoch höhe hoog hoogte much viel veel élève élevé rise rises rose increase increases goes up more steigt stieg steigen erhöht mehr stijgt steeg stijgen omhoog gaat meer augmente augmenté hausse plus"
    ),
    "percent": _keys("cent high hoch hoog much percent percentage pourcentage procent prozent"),
    "duration": _keys(
        "ans dagen dauer days durée duur fast jaar jahre jours lang lange long maanden mois monate "
        "months quickly schnell semaines snel soon tage temps time weeks weken wochen years minutes "
        "hours stunden minuten uur uren minuten heures minutes jour much viel notice"
    ),
    "date": _keys(
        "année dag date datum day jaar jahr jour maand mois monat month tag termin time when year days "
        "dates tagen tage dagen jours jahren moment zeitpunkt tijdstip datums years wievielten"
    ),
    "clock": _keys(
        "heure heures hour hours laat tijdstip tijden time times uhr uhrzeit uhrzeiten uur zeiten evening evenings morning mornings afternoon noon "
        "abend abends morgens nachmittags mittags nachts avond avonds ochtends middags nachts soir matin midi"
    ),
    "often": _keys("fois frequently fréquence häufig keer oft often times vaak many viele hoeveel"),
    "measure": _keys(
        "weit far ver loin leeftijd âge alter age alt big breit capacity deep fast geschwindigkeit gewicht groot gross hauteur heavy height "
        "high hoch hoog hoogte höhe large level much old poids schwer size snelheid speed taille "
        "temperatur temperature temperatuur température tief vitesse weight wide zwaar wet strong steep "
        "loud stark steil laut nass sterk hard fort forte vite schnell snel"
    ),
    "person": _keys("naam name nom person qui wer who wie someone jemand iemand quelqu"),
    "organisation": _keys("agency bedrijf company entreprise firm firma société unternehmen"),
    "place": _keys("endroit lieu naartoe ort où plaats place waar where wo"),
    "reason": _keys("grund pourquoi raison reason reden waarom warum why"),
    "contact": _keys(
        "extension number nummer numéro phone telefon telefonnummer telefoonnummer telephone téléphone "
        "ring call dial anrufen wählen bellen appeler joindre"
    ),
}
