"""Figures and days that `builtin/extractive` works out over German documents of many trades, kind by kind."""

DOCUMENTS = {
    "imkerei-preise.md": (
        "# Preisliste der Imkerei Tannwald\n"
        "\n"
        "Ein Glas Blütenhonig kostet 7,80 Euro, ein Glas Waldhonig 9,20 Euro. Ab 24 Gläsern gewähren wir einen Rabatt von 10 Prozent. Für jedes Glas wird ein Pfand von 0,50 Euro erhoben.\n"
        "Die Führung durch das Bienenhaus kostet 45 Euro für die ersten zwei Stunden und 15 Euro für jede weitere Stunde. Kerzen werden zu 3,40 Euro das Stück verkauft.\n"
        "Die Preise verstehen sich zuzüglich 7 Prozent Mehrwertsteuer. Die Imkerei besteht seit dem 12. April 1998.\n"
        "Der Versand kostet 5,90 Euro, ab einem Warenwert von 80 Euro ist er frei.\n"
    ),
    "mietvertrag-werkstatt.txt": (
        "Mietvertrag über die Werkstatt am Kanal\n"
        "\n"
        "Das Mietverhältnis beginnt am 1. Juli 2024 und ist auf vier Jahre fest abgeschlossen. Es verlängert sich um jeweils zwei Jahre, wenn es nicht sechs Monate vor Ablauf gekündigt wird.\n"
        "Die Miete beträgt 1'450 Franken pro Monat, die Nebenkosten 180 Franken pro Monat. In den ersten zwei Monaten ist keine Miete geschuldet.\n"
        "Die Kaution beträgt drei Monatsmieten. Bei verspäteter Zahlung wird eine Mahngebühr von 25 Franken je Mahnung erhoben.\n"
        "Das Dach wurde am 9. September 2011 erneuert. Der Lift wird alle neun Monate gewartet, zuletzt am 20. Januar 2026.\n"
    ),
    "betriebsordnung.md": (
        "# Betriebsordnung der Gärtnerei Amsel\n"
        "\n"
        "Die Probezeit beträgt zwei Monate. Die Kündigungsfrist beträgt danach sechs Wochen zum Quartalsende, in der Probezeit sieben Tage.\n"
        "Für Überstunden wird ein Zuschlag von 30 Prozent auf den Stundenlohn von 18 Euro gezahlt. Sonntagsarbeit wird mit einem Zuschlag von 50 Prozent vergütet.\n"
        "Für Fahrten mit dem eigenen Auto werden 32 Cent je Kilometer erstattet. Das Weihnachtsgeld beträgt 60 Prozent eines Monatslohns.\n"
        "Urlaub ist drei Wochen vor Beginn zu beantragen. Reisekosten sind innerhalb von 45 Tagen nach der Rückkehr abzurechnen. Krankmeldungen sind binnen drei Arbeitstagen vorzulegen.\n"
        "Der Betriebsrat trifft sich am letzten Donnerstag jedes Monats.\n"
    ),
    "lieferungen.csv": (
        "Lieferung: L-301; Kunde: Hotel Seeblick; Bestellt: 2026-03-02; Geliefert: 2026-03-11; Kisten: 12; Betrag EUR: 540\n"
        "Lieferung: L-302; Kunde: Gasthof Rössli; Bestellt: 2026-03-05; Geliefert: 2026-03-27; Kisten: 30; Betrag EUR: 1290\n"
        "Lieferung: L-303; Kunde: Hotel Seeblick; Bestellt: 2026-03-19; Geliefert: 2026-04-02; Kisten: 8; Betrag EUR: 372\n"
        "Lieferung: L-304; Kunde: Mensa Nord; Bestellt: 2026-04-01; Geliefert: 2026-04-09; Kisten: 45; Betrag EUR: 1800\n"
    ),
    "jahresbericht-bad.txt": (
        "Jahresbericht des Freibads Lindach\n"
        "\n"
        "Im Jahr 2025 zählte das Bad 64'500 Eintritte, davon 25'800 von Kindern. Im Vorjahr waren es 59'200. Die neue Rutsche kostete 132'000 Franken; die Stiftung übernahm 48'000 Franken.\n"
        "Die Saison dauert vom 9. Mai bis zum 13. September 2026. Das Bad wurde am 2. Juni 1956 eröffnet.\n"
        "Pro Stunde fliessen 180 Kubikmeter Wasser durch den Filter. Die Sanierung kostet CHF 720'000 und wird zu 35 Prozent vom Kanton bezahlt.\n"
        "Saisonkarten sind ab dem Kauf vier Monate gültig. Einsprachen gegen die Sanierung sind innert 20 Tagen seit der Auflage einzureichen.\n"
    ),
    "druckerei.md": (
        "| Artikel | bis 49 Stück | ab 50 Stück | ab 200 Stück |\n"
        "|---|---|---|---|\n"
        "| Plakat A3 | 3,20 € | 2,60 € | 1,90 € |\n"
        "| Broschüre 16 Seiten | 4,50 € | 3,80 € | 3,10 € |\n"
        "| Visitenkarten, Paket | 22,00 € | 19,00 € | 16,00 € |\n"
        "\n"
        "Expressaufträge kosten 20 Prozent Aufschlag. Druckdaten werden sechs Monate nach der Lieferung gelöscht. Die Einrichtung eines neuen Auftrags kostet einmalig 18 Euro.\n"
    ),
    "kurs-segeln.txt": (
        "Segelschule Nordlicht, Kursbedingungen\n"
        "\n"
        "Der Grundkurs kostet 480 Euro, der Aufbaukurs 620 Euro. Schwimmwesten werden für 6 Euro pro Tag vermietet. Für jede Weste ist eine Kaution von 40 Euro zu hinterlegen.\n"
        "Bis 30 Tage vor Kursbeginn ist die Abmeldung kostenlos, danach werden 50 Prozent der Kursgebühr berechnet. Wer beide Kurse zusammen bucht, erhält 8 Prozent Nachlass.\n"
        "Der Grundkurs beginnt am 6. Juli 2026 und dauert drei Wochen. Die Prüfung findet zwei Wochen nach Kursende statt, am 10. August 2026.\n"
        "Die Anmeldung ist spätestens zehn Arbeitstage vor Kursbeginn abzuschicken.\n"
    ),
    "bootswerft.md": (
        "# Bootswerft Salzwiese\n"
        "\n"
        "Ein Hub aus dem Wasser kostet 160 Euro. Ein Liegeplatz kostet 21 Euro pro Nacht. Der Samstagszuschlag beträgt 45 Euro pro Hub. Strom wird mit 5 Euro pro Nacht berechnet.\n"
        "Der Mechaniker berechnet an Werktagen 68 Euro pro Stunde und samstags 102 Euro pro Stunde. Die Anfahrt kostet 50 Euro je Einsatz.\n"
        "\n"
        "## Protokoll vom 4. Mai 2026\n"
        "\n"
        "Beschluss: 48 Fender zu je 19 Euro werden bei Brandis bestellt. Zuständig: Nele Aschoff.\n"
        "Beschluss: Der Steg wird von Oberkamp gestrichen, Preis 3.100 Euro. Zuständig: Piet Lundt. Das Angebot von Stellbrink lag bei 3.650 Euro, enthielt aber das Schleifen.\n"
        "Das Jubiläum hat ein Budget von 1.900 Euro.\n"
        "Die Prüfung der Versicherung am 9. Mai 2026 ergab einen Mangel. Er muss innerhalb von 30 Tagen behoben werden.\n"
        "Vier Rettungsboote sind für je 230 Euro im Monat geleast.\n"
        "Die Jahresgebühren betragen 5.600 Euro für die Slipanlage, 1.350 Euro für den Kran und 420 Euro für das Lager.\n"
        "\n"
        "## Protokoll vom 2. Juli 2026\n"
        "\n"
        "Das Jubiläum hat 2.185 Euro gekostet.\n"
    ),
    "musikschule.md": (
        "# Regeln der Musikschule\n"
        "\n"
        "Für Fahrten mit dem eigenen Wagen werden 30 Cent pro Kilometer erstattet, mit dem Fahrrad 10 Cent.\n"
        "Die Probezeit dauert fünf Monate; in dieser Zeit beträgt die Kündigungsfrist zwei Wochen. Danach gilt eine Frist von drei Monaten.\n"
        "Karten können gegen eine Gebühr von 4 Euro je Karte auf einen anderen Abend umgetauscht werden.\n"
        "Die Orgel ist am 24. April 2026 fertig.\n"
        "\n"
        "## Einnahmen\n"
        "\n"
        "| Quelle | 2023/24 in Euro | 2024/25 in Euro |\n"
        "|---|---|---|\n"
        "| Vermietung der Räume | 41.000 | 52.500 |\n"
        "| Karten | 80.300 | 78.100 |\n"
    ),
}
CASES = {
    "imkerei-preise.md": [
        ("Was kosten 15 Gläser Waldhonig ohne Mehrwertsteuer?", "138"),
        ("Wie viel Pfand zahle ich für 18 Gläser?", "9"),
        ("Was kostet eine Führung von fünf Stunden?", "90"),
        ("Was kosten 30 Gläser Blütenhonig mit dem Rabatt, ohne Mehrwertsteuer?", "210,60"),
        ("Wie viel zahlt man für zwölf Kerzen?", "40,80"),
        ("Wie viele Jahre besteht die Imkerei am 12. April 2026?", "28"),
        ("Wie teuer ist ein Glas Waldhonig inklusive Mehrwertsteuer?", "9,84"),
    ],
    "mietvertrag-werkstatt.txt": [
        ("Wann endet die feste Mietdauer der Werkstatt am Kanal?", "30. Juni 2028"),
        ("Bis wann läuft der Mietvertrag der Werkstatt, wenn er einmal verlängert wird?", "30. Juni 2030"),
        ("Bis wann muss die Werkstatt auf den ersten Ablauf gekündigt werden?", "31. Dezember 2027"),
        ("Wie hoch sind Miete und Nebenkosten der Werkstatt zusammen im Monat?", "1'630"),
        ("Wie viel Miete fällt im ersten Jahr für die Werkstatt an?", "14'500"),
        ("Wie viele Franken beträgt die Kaution für die Werkstatt?", "4'350"),
        ("Wann ist die nächste Wartung des Lifts in der Werkstatt?", "20. Oktober 2026"),
        ("An welchem Wochentag wurde das Dach der Werkstatt erneuert?", "Freitag"),
        ("Wie hoch sind die Nebenkosten der Werkstatt im Jahr?", "2'160"),
    ],
    "betriebsordnung.md": [
        (
            "Ich kündige am 4. Mai 2026 nach der Probezeit. Wann endet mein Arbeitsverhältnis in der Gärtnerei?",
            "30. Juni 2026",
        ),
        ("Wie viel bekommt man für eine Überstunde?", "23,40"),
        ("Was wird mir für 150 Kilometer mit dem eigenen Auto erstattet?", "48"),
        ("Mein Urlaub beginnt am 17. August 2026. Bis wann muss ich ihn beantragen?", "27. Juli 2026"),
        ("Ich bin am 8. April 2026 von der Reise zurückgekehrt. Bis wann muss ich abrechnen?", "23. Mai 2026"),
        ("Am Mittwoch, 15. Juli 2026, werde ich krank. Bis wann muss die Krankmeldung da sein?", "20. Juli 2026"),
        ("Ich fange am 15. Februar 2026 in der Gärtnerei an. Wann ist die Probezeit vorbei?", "14. April 2026"),
        ("Wann trifft sich der Betriebsrat im Juni 2026?", "25. Juni 2026"),
        ("Mein Monatslohn beträgt 2.600 Euro. Wie hoch ist das Weihnachtsgeld?", "1.560"),
    ],
    "lieferungen.csv": [
        ("Wie hoch ist der Gesamtbetrag der Lieferungen an das Hotel Seeblick?", "912"),
        ("Wie viele Kisten gingen insgesamt an das Hotel Seeblick?", "20"),
        ("Welchen Betrag ergeben alle Lieferungen zusammen?", "4.002"),
        ("Wie viele Lieferungen wurden im April 2026 geliefert?", "2"),
        ("Wie viele Tage lagen zwischen Bestellung und Lieferung bei L-302?", "22"),
        ("Um wie viele Kisten ist die Lieferung L-304 grösser als L-302?", "15"),
    ],
    "jahresbericht-bad.txt": [
        ("Um wie viele Eintritte lag 2025 über dem Vorjahr?", "5'300"),
        ("Wie viel Prozent der Eintritte von 2025 entfielen auf Kinder?", "40"),
        ("Wie viel der Kosten der Rutsche blieb nach dem Beitrag der Stiftung übrig?", "84'000"),
        ("Wie viele Tage dauert die Saison 2026 im Freibad?", "127"),
        ("Wie viele Kubikmeter Wasser fliessen in acht Stunden durch den Filter?", "1'440"),
        ("Wie viel zahlt der Kanton an die Sanierung?", "252'000"),
        ("Ich kaufe am 20. Mai 2026 eine Saisonkarte. Bis wann gilt sie?", "19. September 2026"),
        ("Die Auflage war am 3. Februar 2026. Bis wann kann man Einsprache einreichen?", "23. Februar 2026"),
        ("Welcher Wochentag war die Eröffnung des Freibads?", "Samstag"),
    ],
    "druckerei.md": [
        ("Was kosten 80 Plakate im Format A3?", "208"),
        ("Wie viel kosten 250 Broschüren?", "775"),
        ("Was zahlen wir für 10 Pakete Visitenkarten?", "220"),
        (
            "Unsere Broschüren wurden am 14. Januar 2026 geliefert. Wann werden die Druckdaten gelöscht?",
            "14. Juli 2026",
        ),
    ],
    "kurs-segeln.txt": [
        ("Was kosten Grundkurs und Aufbaukurs zusammen ohne Nachlass?", "1.100"),
        ("Bis wann kann man sich vom Grundkurs kostenlos abmelden?", "6. Juni 2026"),
        ("Was kostet eine Schwimmweste für neun Tage?", "54"),
        ("Wir mieten fünf Westen. Wie hoch ist die Kaution insgesamt?", "200"),
        ("Um wie viel Euro ist der Aufbaukurs teurer als der Grundkurs?", "140"),
        ("Wie viel wird bei einer späten Abmeldung vom Aufbaukurs berechnet?", "310"),
        ("Auf welchen Wochentag fällt die Prüfung der Segelschule?", "Montag"),
        ("Wann muss die Anmeldung zum Grundkurs spätestens abgeschickt werden?", "22. Juni 2026"),
    ],
    "bootswerft.md": [
        ("Was kostet ein Hub aus dem Wasser mit dem Samstagszuschlag?", "205"),
        ("Was kosten drei Stunden des Mechanikers an einem Dienstag, Anfahrt inbegriffen?", "254"),
        ("Was kosten fünf Nächte am Liegeplatz mit Strom?", "130"),
        ("Was kosten alle Fender zusammen?", "912"),
        ("Um wie viel hat das Jubiläum sein Budget überschritten?", "285"),
        ("Bis wann muss der Mangel behoben sein, den die Prüfung ergab?", "8. Juni 2026"),
        ("Wie viel zahlen wir im Monat für alle vier Rettungsboote zusammen?", "920"),
        ("Wie hoch sind die Jahresgebühren insgesamt für alle Anlagen?", "7.370"),
    ],
    "musikschule.md": [
        ("Was wird für 150 Kilometer mit dem eigenen Wagen erstattet?", "45"),
        (
            "Wie lange dauert die Probezeit, und welche Kündigungsfrist gilt danach?",
            "Danach gilt eine Frist von drei Monaten.",
        ),
        ("Was kostet es, sechs Karten auf einen anderen Abend umzutauschen?", "24"),
        (
            "Um wie viel sind die Einnahmen aus der Vermietung der Räume 2024/25 gegenüber dem Vorjahr gestiegen?",
            "11.500",
        ),
        ("Wie viele Tage nach dem 27. März ist die Orgel fertig?", "28"),
    ],
}
