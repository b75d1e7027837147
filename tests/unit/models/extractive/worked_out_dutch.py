"""Figures and days that `builtin/extractive` works out over Dutch documents of many trades, kind by kind."""

DOCUMENTS = {
    "fietsverhuur.md": (
        "# Fietsverhuur De Zwaan\n"
        "\n"
        "Een stadsfiets kost € 9,50 per dag, een elektrische fiets € 26 per dag. Voor elke fiets betaalt u een borg van € 50. Een helm huurt u voor € 2 per dag.\n"
        "Groepen vanaf tien personen krijgen 15 procent korting. De eerste vijf dagen van een bakfiets kosten € 30 per dag, elke volgende dag kost € 20.\n"
        "Alle prijzen zijn exclusief 21 procent btw. De winkel is geopend op 3 april 2004.\n"
        "Reserveringen kunnen tot zeven dagen voor de huurdag kosteloos worden geannuleerd.\n"
    ),
    "huur-loods.txt": (
        "Huurovereenkomst loods Havenkade\n"
        "\n"
        "De huur gaat in op 1 februari 2025 en heeft een looptijd van drie jaar. De overeenkomst wordt telkens met één jaar verlengd. De opzegtermijn is vier maanden voor het einde van de looptijd.\n"
        "De huurprijs bedraagt € 1.275 per maand, de servicekosten € 95 per maand. De eerste twee maanden is geen huur verschuldigd. De waarborgsom is drie maanden huur.\n"
        "De cv-ketel wordt om de twee jaar gekeurd; de laatste keuring was op 6 maart 2025. De loods is opgeleverd op 17 oktober 2012.\n"
        "De huur stijgt per 1 februari 2027 met 3 procent.\n"
    ),
    "personeelsgids.md": (
        "# Personeelsgids drukkerij De Reiger\n"
        "\n"
        "De proeftijd is twee maanden. De opzegtermijn is daarna één maand tegen het einde van de maand.\n"
        "Voor overwerk geldt een toeslag van 25 procent op het uurloon van € 16. Werk op zondag krijgt een toeslag van 75 procent.\n"
        "De kilometervergoeding is € 0,23 per kilometer. Het vakantiegeld is 8 procent van het jaarloon.\n"
        "Verlof wordt vier weken van tevoren aangevraagd. Declaraties worden binnen dertig dagen na de reis ingediend. Een ziekmelding wordt binnen twee werkdagen bevestigd.\n"
        "De ondernemingsraad vergadert op de eerste maandag van elke maand.\n"
    ),
    "zendingen.csv": (
        "zending: Z-71; klant: Bakkerij Vonk; besteld: 2026-02-02; geleverd: 2026-02-10; dozen: 14; bedrag_eur: 364\n"
        "zending: Z-72; klant: Slagerij Maas; besteld: 2026-02-09; geleverd: 2026-02-28; dozen: 22; bedrag_eur: 594\n"
        "zending: Z-73; klant: Bakkerij Vonk; besteld: 2026-02-20; geleverd: 2026-03-04; dozen: 9; bedrag_eur: 243\n"
        "zending: Z-74; klant: Café Noord; besteld: 2026-03-06; geleverd: 2026-03-12; dozen: 31; bedrag_eur: 775\n"
    ),
    "jaarverslag-museum.txt": (
        "Jaarverslag van het Turfmuseum\n"
        "\n"
        "In 2025 kwamen er 18.400 bezoekers, van wie 4.600 scholieren. Een jaar eerder waren het er 16.750. De nieuwe zaal kostte € 94.000; de provincie betaalde daarvan € 36.500.\n"
        "De verbouwing duurt van 12 januari 2026 tot 27 februari 2026. Het museum werd op 8 mei 1974 geopend.\n"
        "Een rondleiding duurt 75 minuten. Elke kachel verbruikt 14 kilo turf per week. De restauratie kost € 260.000 en wordt voor 45 procent door het fonds betaald.\n"
        "Een jaarkaart is twaalf maanden geldig vanaf de aankoop. Bezwaar kan binnen zes weken na publicatie worden ingediend.\n"
    ),
    "kaasmakerij.md": (
        "| Product | tot 19 stuks | vanaf 20 stuks | vanaf 100 stuks |\n"
        "|---|---|---|---|\n"
        "| Boerenkaas, per stuk | € 14,50 | € 12,80 | € 11,20 |\n"
        "| Geitenkaas, per stuk | € 9,00 | € 8,10 | € 7,40 |\n"
        "| Cadeaudoos | € 28,00 | € 25,00 | € 22,00 |\n"
        "\n"
        "Bezorging kost € 0,45 per kilometer. Facturen worden binnen 21 dagen na ontvangst betaald. Bij betaling binnen acht dagen geldt 2 procent korting.\n"
    ),
    "zeilschool.txt": (
        "Zeilschool Meerzicht\n"
        "\n"
        "De beginnerscursus kost € 295, de gevorderdencursus € 410. Een zwemvest huurt u voor € 4 per dag. De beginnerscursus begint op 4 mei 2026 en duurt zes weken.\n"
        "Afmelden is kosteloos tot twee weken voor het begin van de cursus; daarna betaalt u 60 procent van het cursusgeld. Inschrijven moet uiterlijk vijf werkdagen voor het begin.\n"
        "Het examen is op 25 juni 2026.\n"
    ),
    "scheepswerf.md": (
        "# Scheepswerf Zoutmeer\n"
        "\n"
        "Een keer uit het water tillen kost 150 euro. Een ligplaats kost 19 euro per nacht. De zaterdagtoeslag is 40 euro per keer. Stroom kost 4 euro per nacht.\n"
        "De monteur rekent op werkdagen 64 euro per uur en op zaterdag 96 euro per uur. De voorrijkosten zijn 45 euro per bezoek.\n"
        "\n"
        "## Notulen van 4 mei 2026\n"
        "\n"
        "Besluit: 48 stootwillen à 18 euro per stuk worden besteld bij Brandsma. Verantwoordelijk: Nel Asscher.\n"
        "Het jubileum heeft een budget van 1.850 euro.\n"
        "De keuring van de verzekering op 9 mei 2026 vond één gebrek. Het moet binnen 30 dagen verholpen zijn.\n"
        "Vier reddingsboten worden geleaset voor 220 euro per maand per stuk.\n"
        "De jaarlijkse bijdragen zijn 5.500 euro voor de helling, 1.300 euro voor de kraan en 400 euro voor de loods.\n"
        "\n"
        "## Notulen van 2 juli 2026\n"
        "\n"
        "Het jubileum heeft 2.130 euro gekost.\n"
    ),
    "muziekschool.md": (
        "# Regels van de muziekschool\n"
        "\n"
        "Voor ritten met de eigen auto wordt 31 cent per kilometer vergoed, met de fiets 11 cent.\n"
        "De proeftijd duurt vijf maanden; in die tijd is de opzegtermijn twee weken. Daarna geldt een termijn van drie maanden.\n"
        "Meld een les uiterlijk om 9.00 uur op dezelfde dag af.\n"
        "Het orgel is op 24 april 2026 klaar.\n"
        "\n"
        "## Inkomsten\n"
        "\n"
        "| Bron | 2023/24 in euro | 2024/25 in euro |\n"
        "|---|---|---|\n"
        "| Verhuur van zalen | 41.000 | 52.500 |\n"
        "| Kaarten | 80.300 | 78.100 |\n"
        "\n"
        "| Lesvorm | Bedrag per jaar |\n"
        "|---|---|\n"
        "| Individuele les 30 minuten | 828 euro |\n"
        "| Samenspel en orkest | 180 euro |\n"
    ),
}
CASES = {
    "fietsverhuur.md": [
        ("Wat kost een elektrische fiets voor zes dagen zonder btw?", "156"),
        ("Wij huren vier fietsen. Hoeveel borg betalen we?", "200"),
        ("Wat kost een bakfiets voor acht dagen?", "210"),
        ("Wat kost een elektrische fiets per dag inclusief btw?", "31,46"),
        ("Onze huurdag is 18 juli 2026. Tot wanneer kunnen we kosteloos annuleren?", "11 juli 2026"),
        ("Hoe oud is de winkel op 3 april 2026?", "22"),
        ("Op welke dag van de week is de winkel geopend in 2004?", "zaterdag"),
    ],
    "huur-loods.txt": [
        ("Wanneer eindigt de huurovereenkomst van de loods?", "31 januari 2028"),
        ("Tot wanneer loopt de huur van de loods als zij één keer wordt verlengd?", "31 januari 2029"),
        ("Voor welke dag moet de huur van de loods uiterlijk worden opgezegd?", "30 september 2027"),
        ("Hoeveel huur betaalt men in het eerste jaar voor de loods?", "12.750"),
        ("Hoe hoog is de waarborgsom voor de loods?", "3.825"),
        ("Wanneer moet de cv-ketel weer gekeurd worden?", "6 maart 2027"),
        ("Op welke weekdag werd de loods opgeleverd?", "woensdag"),
        ("Hoeveel servicekosten betaalt de loods per jaar?", "1.140"),
        ("Wat is de nieuwe huurprijs van de loods per maand vanaf 2027?", "1.313,25"),
    ],
    "personeelsgids.md": [
        ("Ik zeg op 11 maart 2026 mijn baan bij de drukkerij op. Wanneer eindigt mijn contract?", "30 april 2026"),
        ("Hoeveel krijg ik per uur voor overwerk?", "20"),
        ("Wat verdien ik voor een uur werk op zondag?", "28"),
        ("Hoeveel krijg ik terug voor 240 kilometer?", "55,20"),
        ("Mijn reis eindigde op 5 juni 2026. Tot wanneer kan ik declareren?", "5 juli 2026"),
        (
            "Ik meld mij ziek op donderdag 9 april 2026. Wanneer moet de ziekmelding uiterlijk bevestigd zijn?",
            "13 april 2026",
        ),
        ("Ik begin op 1 september 2026 bij de drukkerij. Wanneer is mijn proeftijd afgelopen?", "31 oktober 2026"),
        ("Wanneer vergadert de ondernemingsraad in juli 2026?", "6 juli 2026"),
        ("Mijn jaarloon is € 31.500. Hoeveel vakantiegeld krijg ik?", "2.520"),
    ],
    "zendingen.csv": [
        ("Wat is het totale bedrag van de zendingen aan Bakkerij Vonk?", "607"),
        ("Hoeveel dozen kreeg Bakkerij Vonk in totaal?", "23"),
        ("Hoeveel bedragen alle zendingen samen?", "1.976"),
        ("Hoeveel zendingen werden in maart 2026 geleverd?", "2"),
        ("Hoeveel dagen zaten er tussen bestelling en levering van Z-72?", "19"),
        ("Hoeveel dozen meer telt zending Z-74 dan zending Z-72?", "9"),
    ],
    "jaarverslag-museum.txt": [
        ("Met hoeveel bezoekers is het museum in 2025 gegroeid ten opzichte van een jaar eerder?", "1.650"),
        ("Welk percentage van de bezoekers in 2025 was scholier?", "25"),
        ("Hoeveel van de kosten van de zaal bleef over na de bijdrage van de provincie?", "57.500"),
        ("Hoeveel dagen duurt de verbouwing van het museum?", "46"),
        ("Hoe oud wordt het museum op 8 mei 2026?", "52"),
        ("Hoeveel kilo turf verbruikt een kachel in 20 weken?", "280"),
        ("Hoeveel betaalt het fonds aan de restauratie?", "117.000"),
        ("De publicatie was op 2 maart 2026. Tot wanneer kan men bezwaar indienen?", "13 april 2026"),
        ("Ik koop op 10 april 2026 een jaarkaart. Tot wanneer is die geldig?", "10 april 2027"),
    ],
    "kaasmakerij.md": [
        ("Wat kosten 30 boerenkazen?", "384"),
        ("Hoeveel kosten 120 geitenkazen?", "888"),
        ("Wat betalen we voor 15 cadeaudozen?", "420"),
        ("Wij ontvingen de factuur op 4 mei 2026. Uiterlijk wanneer moet die betaald zijn?", "25 mei 2026"),
        ("Wat kost de bezorging over 60 kilometer?", "27"),
        ("De factuur is € 850. Hoeveel betaal ik als ik binnen acht dagen betaal?", "833"),
    ],
    "zeilschool.txt": [
        ("Wat kosten de beginnerscursus en de gevorderdencursus samen?", "705"),
        ("Hoeveel duurder is de gevorderdencursus dan de beginnerscursus?", "115"),
        ("Tot wanneer kan men zich kosteloos afmelden voor de beginnerscursus?", "20 april 2026"),
        ("Hoeveel betaal ik bij een late afmelding voor de gevorderdencursus?", "246"),
        ("Wanneer moet men zich uiterlijk inschrijven voor de beginnerscursus?", "27 april 2026"),
        ("Op welke weekdag valt het examen van de zeilschool?", "donderdag"),
        ("Wat kost een zwemvest voor twaalf dagen?", "48"),
    ],
    "scheepswerf.md": [
        ("Wat kost één keer uit het water tillen met de zaterdagtoeslag?", "190"),
        ("Wat kosten drie uur van de monteur op een dinsdag, voorrijkosten inbegrepen?", "237"),
        ("Wat kosten vijf nachten op een ligplaats met stroom?", "115"),
        ("Wat kosten alle stootwillen samen?", "864"),
        ("Met hoeveel heeft het jubileum zijn budget overschreden?", "280"),
        ("Voor wanneer moet het gebrek van de keuring verholpen zijn?", "8 juni 2026"),
        ("Hoeveel betalen we per maand voor alle vier de reddingsboten samen?", "880"),
        ("Wat zijn de jaarlijkse bijdragen in totaal voor alle installaties?", "7.200"),
    ],
    "muziekschool.md": [
        ("Wat wordt er vergoed voor 200 kilometer met de eigen auto?", "62"),
        (
            "Hoe lang duurt de proeftijd, en welke opzegtermijn geldt daarna?",
            "Daarna geldt een termijn van drie maanden.",
        ),
        (
            "Met hoeveel zijn de inkomsten uit de verhuur van zalen in 2024/25 gestegen ten opzichte van een jaar eerder?",
            "11.500",
        ),
        ("Hoeveel dagen na 27 maart is het orgel klaar?", "28"),
        ("Hoe laat moet ik mijn zoon uiterlijk afmelden voor zijn les?", "9.00 uur"),
        ("Wat ben ik per jaar kwijt aan een individuele les van 30 minuten en het orkest samen?", "1.008"),
    ],
}
