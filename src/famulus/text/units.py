"""Units as words of four languages, as data: time, money, and the measures that offices meet. One canonical name each."""

from __future__ import annotations

from typing import Final

TIME: Final[dict[str, str]] = {
    "second": "second seconds sekunde sekunden seconde seconden secondes sec s",
    "minute": "minute minutes minuten minuut min",
    "hour": "hour hours stunde stunden uur uren heure heures hr hrs h std arbeitsstunde arbeitsstunden betriebsstunde betriebsstunden werkuur werkuren draaiuren",
    "day": "day days tag tage tagen tages dag dagen jour jours journée night nights nacht nächte nachten nuit nuits kalendertag kalendertage",
    "workday": "workday workdays arbeitstag arbeitstage arbeitstagen werktag werktage werktagen werkdag werkdagen geschäftstag geschäftstage geschäftstagen bankarbeitstag bankarbeitstage bankarbeitstagen arbeidsdag arbeidsdagen",
    "week": "week weeks woche wochen weken kalenderwoche kalenderwochen semaine semaines",
    "month": "month months monat monate monaten monats maand maanden mois kalendermonat kalendermonate kalendermonaten kalendermaand kalendermaanden",
    "quarter": "quarter quarters quartal quartale kwartaal kwartalen trimestre trimestres",
    "year": "year years jahr jahre jahren jahres jaar jaren kalenderjahr kalenderjahre kalenderjahren vertragsjahr vertragsjahre vertragsjahren kalenderjaar contractjaar contractjaren an ans année années annum",
}
MONEY: Final[dict[str, str]] = {
    "CHF": "chf fr franken sfr francs",
    "EUR": "eur euro euros €",
    "GBP": "gbp £ pound pounds pfund pond livres sterling",
    "USD": "usd $ dollar dollars",
}
SMALL_MONEY: Final[dict[str, str]] = {
    "CHF": "rappen rp",
    "EUR": "cent cents centime centimes eurocent eurocents ct cts",
    "GBP": "pence penny",
}
MEASURES: Final[dict[str, str]] = {
    "percent": "% percent per\u00a0cent prozent procent pourcent",
    "degree": "° degree degrees grad graden graad degré degrés °c celsius",
    "kilogram": "kg kilogram kilograms kilogramm kilo kilos kilogramme kilogrammes",
    "gram": "g gram grams gramm gramme grammes",
    "knot": "knot knots knoten knopen nœud nœuds",
    "tonne": "tonne tonnes ton tons tonnen t",
    "metre": "m metre metres meter meters metern mètre mètres",
    "centimetre": "cm centimetre centimetres zentimeter centimeter centimètre centimètres",
    "millimetre": "mm millimetre millimetres millimeter millimètre millimètres",
    "inch": "inch inches zoll duim pouce pouces",
    "kilometre": "km kilometre kilometres kilometer kilometers kilometern kilomètre kilomètres",
    "mile": "mile miles meile meilen mijl mijlen",
    "litre": "l litre litres liter litern liters",
    "kilowatt": "kw kilowatt kilowatts kwh kva kilowattstunde kilowattstunden kilowattuur kilowatturen kilowattheure kilowattheures",
    "square metre": "m2 m² sqm quadratmeter quadratmetern square\u00a0metre square\u00a0metres square\u00a0meter square\u00a0meters vierkante\u00a0meter vierkante\u00a0meters mètre\u00a0carré mètres\u00a0carrés",
    "decibel": "db dba decibel decibels dezibel décibel décibels",
    "gigabyte": "gb mb tb kb gigabyte megabyte terabyte",
}
# Adjectives that say how often: `annual rent`, `monatliche Miete`, `forfait annuel`.
EVERY: Final[dict[str, str]] = {
    "hour": "hourly stündlich stündliche stundenansatz stundensatz stundenlohn stundentarif uurtarief uurloon horaire uurlijks",
    "day": "daily täglich tägliche dagelijks dagelijkse quotidien quotidienne journalier journalière tagesansatz dagtarief tagessatz",
    "week": "weekly wöchentlich wöchentliche wöchentlichen wekelijks wekelijkse hebdomadaire hebdomadaires",
    "month": "monthly monatlich monatliche monatlicher monatlichen monatliches maandelijks maandelijkse mensuel mensuelle mensuels mensuelles",
    "quarter": "quarterly vierteljährlich vierteljährliche quartalsweise driemaandelijks driemaandelijkse trimestriel trimestrielle",
    "year": "annual annually yearly jährlich jährliche jährlicher jährlichen jaarlijks jaarlijkse annuel annuelle annuels annuelles",
}
# What single things of any kind are called where their number or the price of one is given.
PIECES: Final = frozenset(
    {"piece", "pieces", "pcs", "copy", "copies", "item", "items", "unit", "units", "each", "stück", "stücke", "stücken",
    "stk", "exemplar", "exemplare", "exemplaren", "stuk", "stuks", "pièce", "pièces", "exemplaire", "exemplaires",
    "unité", "unités"}
)  # fmt: skip
# English measures and packages by which things are sold (`how much is a litre of …`).
UNITS_OF_SALE: Final = (
    "litre", "liter", "kilo", "kilogram", "tonne", "ton", "metre", "mile", "kilometre", "hour", "night", "day", "week", "month",
    "bottle", "box", "bag", "sack", "pack", "case", "crate", "pair", "set", "piece", "copy", "roll", "sheet", "ticket",
)  # fmt: skip
PER_YEAR: Final[dict[str, int]] = {"month": 12, "quarter": 4, "year": 1, "week": 52, "day": 365}


def _inverted(table: dict[str, str]) -> dict[str, str]:
    return {word: name for name, words in table.items() for word in words.split(" ")}


TIME_WORDS: Final = _inverted(TIME)
MONEY_WORDS: Final = _inverted(MONEY)
SMALL_MONEY_WORDS: Final = _inverted(SMALL_MONEY)
MEASURE_WORDS: Final = _inverted(MEASURES)
EVERY_WORDS: Final = _inverted(EVERY)
