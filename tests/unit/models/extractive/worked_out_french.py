"""Figures and days that `builtin/extractive` works out over French documents of many trades, kind by kind."""

DOCUMENTS = {
    "tarifs-refuge.md": (
        "# Tarifs du refuge des Aulnes\n"
        "\n"
        "La nuit en dortoir coûte 24 € par personne, la nuit en chambre 38 € par personne. Les groupes de plus de douze personnes bénéficient d'une remise de 10 %. Une caution de 15 € est demandée pour chaque clé.\n"
        "La location d'un vélo revient à 12 € pour la première heure et à 5 € pour chaque heure supplémentaire. Le petit déjeuner est à 8,50 €.\n"
        "Les prix s'entendent hors TVA de 10 %. Le refuge a ouvert le 16 juin 2001.\n"
        "L'annulation est gratuite jusqu'à dix jours avant l'arrivée.\n"
    ),
    "bail-atelier.txt": (
        "Bail de l'atelier de la rue des Forges\n"
        "\n"
        "Le bail prend effet le 1er septembre 2024 pour une durée de six ans. Il est reconduit pour trois ans sauf résiliation. Le préavis est de six mois avant la fin du bail.\n"
        "Le loyer est de 1 320 € par mois et les charges de 110 € par mois. Les trois premiers mois sont exempts de loyer. Le dépôt de garantie correspond à deux mois de loyer.\n"
        "La chaudière est contrôlée tous les deux ans ; le dernier contrôle date du 14 novembre 2024. La toiture a été refaite le 5 juillet 2013.\n"
        "Le loyer augmente de 2,5 % le 1er septembre 2026.\n"
    ),
    "reglement-personnel.md": (
        "# Règlement du personnel, laiterie du Val\n"
        "\n"
        "La période d'essai est de trois mois. Le préavis est ensuite de deux mois pour la fin d'un mois.\n"
        "Les heures supplémentaires sont payées avec une majoration de 25 % sur le salaire horaire de 15 €. Le travail du dimanche donne droit à une majoration de 60 %.\n"
        "Les trajets en voiture privée sont remboursés à raison de 0,40 € par kilomètre. La prime de fin d'année est de 55 % du salaire mensuel.\n"
        "Les congés sont demandés six semaines à l'avance. Les notes de frais sont remises dans les vingt jours suivant le voyage. L'arrêt maladie est transmis dans les trois jours ouvrables.\n"
        "Le comité se réunit le troisième mardi de chaque mois.\n"
    ),
    "livraisons.csv": (
        "livraison: V-51; client: Auberge du Lac; commande: 2026-04-01; reception: 2026-04-15; caisses: 16; montant_eur: 720\n"
        "livraison: V-52; client: Traiteur Morin; commande: 2026-04-07; reception: 2026-04-28; caisses: 25; montant_eur: 1050\n"
        "livraison: V-53; client: Auberge du Lac; commande: 2026-04-22; reception: 2026-05-06; caisses: 7; montant_eur: 315\n"
        "livraison: V-54; client: Cantine Sud; commande: 2026-05-04; reception: 2026-05-11; caisses: 40; montant_eur: 1600\n"
    ),
    "rapport-theatre.txt": (
        "Rapport annuel du théâtre des Quais\n"
        "\n"
        "En 2025, le théâtre a accueilli 31 200 spectateurs, dont 9 360 abonnés. L'année précédente, ils étaient 28 900. Le nouveau plateau a coûté 145 000 € ; la région en a payé 52 000 €.\n"
        "Les travaux durent du 6 juillet 2026 au 31 août 2026. Le théâtre a été inauguré le 9 octobre 1926.\n"
        "Chaque représentation mobilise 14 techniciens. La rénovation coûte 480 000 € et est financée à 30 % par la ville.\n"
        "Un bon cadeau est valable neuf mois à partir de l'achat. Les recours sont déposés dans les trente jours après la publication.\n"
    ),
    "papeterie.md": (
        "| Article | jusqu'à 49 pièces | dès 50 pièces | dès 250 pièces |\n"
        "|---|---|---|---|\n"
        "| Carnet A5 | 3,90 € | 3,20 € | 2,60 € |\n"
        "| Stylo gravé | 2,40 € | 1,90 € | 1,50 € |\n"
        "| Agenda relié | 14,00 € | 12,50 € | 11,00 € |\n"
        "\n"
        "Le transport coûte 1,10 € par kilomètre. Les fichiers sont effacés 60 jours après la livraison. La gravure express entraîne un supplément de 15 %.\n"
    ),
    "ecole-voile.txt": (
        "École de voile des Sables\n"
        "\n"
        "Le stage débutant coûte 340 €, le stage confirmé 470 €. Le gilet se loue 5 € par jour. Le stage débutant commence le 13 juillet 2026 et dure deux semaines.\n"
        "L'inscription peut être annulée sans frais jusqu'à trois semaines avant le début du stage ; ensuite, 40 % du prix du stage sont retenus. Le dossier doit arriver au plus tard huit jours ouvrés avant le début.\n"
        "L'examen a lieu le 29 juillet 2026.\n"
    ),
    "chantier-naval.md": (
        "# Chantier naval du Pré-Salé\n"
        "\n"
        "Une sortie d'eau coûte 155 euros. Un mouillage coûte 20 euros par nuit. Le supplément du samedi est de 38 euros par sortie. L'électricité est facturée 6 euros par nuit.\n"
        "Le mécanicien facture 66 euros l'heure en semaine et 99 euros l'heure le samedi. Le forfait de déplacement est de 48 euros par visite.\n"
        "\n"
        "## Compte rendu du 4 mai 2026\n"
        "\n"
        "Décision : 48 défenses à 16 euros pièce sont commandées chez Brisset. Responsable : Nelly Asselin.\n"
        "Le jubilé a un budget de 1 750 euros.\n"
        "Le contrôle de l'assurance du 9 mai 2026 a relevé un défaut. Il doit être corrigé dans les 30 jours.\n"
        "Quatre canots de secours sont loués 215 euros par mois chacun.\n"
        "Les redevances annuelles sont de 5 300 euros pour la cale, de 1 200 euros pour la grue et de 390 euros pour le hangar.\n"
        "\n"
        "## Compte rendu du 2 juillet 2026\n"
        "\n"
        "Le jubilé a coûté 2 010 euros.\n"
    ),
    "ecole-de-musique.md": (
        "# Règles de l'école de musique\n"
        "\n"
        "Les trajets avec la voiture personnelle sont remboursés à 33 centimes le kilomètre, avec le vélo à 13 centimes.\n"
        "La période d'essai dure cinq mois ; pendant cette période, le préavis est de deux semaines. Ensuite, un préavis de trois mois s'applique.\n"
        "L'orgue sera prêt le 24 avril 2026.\n"
        "\n"
        "## Recettes\n"
        "\n"
        "| Source | 2023/24 en euros | 2024/25 en euros |\n"
        "|---|---|---|\n"
        "| Location des salles | 41 000 | 52 500 |\n"
        "| Billets | 80 300 | 78 100 |\n"
    ),
}
CASES = {
    "tarifs-refuge.md": [
        ("Nous prenons quatre clés. Quelle caution devons-nous laisser ?", "60"),
        ("Combien coûte un vélo pour quatre heures ?", "27"),
        ("Combien coûte une nuit en chambre par personne TVA comprise ?", "41,80"),
        ("Nous arrivons le 22 août 2026. Jusqu'à quand l'annulation est-elle gratuite ?", "12 août 2026"),
        ("Quel âge aura le refuge le 16 juin 2026 ?", "25"),
        ("Quel jour de la semaine le refuge a-t-il ouvert ?", "samedi"),
        ("Combien paie-t-on pour onze petits déjeuners ?", "93,50"),
    ],
    "bail-atelier.txt": [
        ("Quand le bail de l'atelier prend-il fin ?", "31 août 2030"),
        ("Jusqu'à quand court le bail de l'atelier s'il est reconduit une fois ?", "31 août 2033"),
        ("Avant quelle date faut-il résilier le bail de l'atelier pour la fin du premier terme ?", "28 février 2030"),
        ("Combien font le loyer et les charges de l'atelier ensemble par mois ?", "1\u202f430"),
        ("Quel loyer paie-t-on au total la première année pour l'atelier ?", "11\u202f880"),
        ("À combien s'élève le dépôt de garantie de l'atelier ?", "2\u202f640"),
        ("Quand a lieu le prochain contrôle de la chaudière de l'atelier ?", "14 novembre 2026"),
        ("Quel jour de la semaine la toiture a-t-elle été refaite ?", "vendredi"),
        ("À combien s'élèvent les charges de l'atelier par an ?", "1\u202f320"),
        ("Quel est le nouveau loyer mensuel de l'atelier à partir de septembre 2026 ?", "1\u202f353"),
    ],
    "reglement-personnel.md": [
        (
            "Je démissionne le 12 mars 2026 après la période d'essai. Quand mon contrat à la laiterie prend-il fin ?",
            "31 mai 2026",
        ),
        ("Combien est payée une heure supplémentaire ?", "18,75"),
        ("Combien gagne-t-on pour une heure de travail le dimanche ?", "24"),
        ("Combien me rembourse-t-on pour 85 kilomètres en voiture privée ?", "34"),
        ("Mes congés commencent le 3 août 2026. Quand dois-je les demander au plus tard ?", "22 juin 2026"),
        (
            "Mon voyage s'est terminé le 10 avril 2026. Jusqu'à quand puis-je remettre la note de frais ?",
            "30 avril 2026",
        ),
        (
            "Je tombe malade le jeudi 11 juin 2026. Quand l'arrêt maladie doit-il être transmis au plus tard ?",
            "16 juin 2026",
        ),
        (
            "Je commence à la laiterie le 1er octobre 2026. Quand ma période d'essai se termine-t-elle ?",
            "31 décembre 2026",
        ),
        ("Quand le comité se réunit-il en octobre 2026 ?", "20 octobre 2026"),
        ("Mon salaire mensuel est de 2 200 €. À combien s'élève la prime de fin d'année ?", "1\u202f210"),
    ],
    "livraisons.csv": [
        ("Quel est le montant total des livraisons à l'Auberge du Lac ?", "1\u202f035"),
        ("Combien de caisses l'Auberge du Lac a-t-elle reçues au total ?", "23"),
        ("Combien font toutes les livraisons ensemble en euros ?", "3\u202f685"),
        ("Combien de livraisons ont été reçues en mai 2026 ?", "2"),
        ("Combien de jours se sont écoulés entre la commande et la réception de V-52 ?", "21"),
        ("Combien de caisses de plus compte la livraison V-54 par rapport à V-52 ?", "15"),
    ],
    "rapport-theatre.txt": [
        (
            "De combien de spectateurs le théâtre a-t-il progressé en 2025 par rapport à l'année précédente ?",
            "2\u202f300",
        ),
        ("Quel pourcentage des spectateurs de 2025 étaient des abonnés ?", "30"),
        ("Combien reste-t-il à payer pour le plateau après la part de la région ?", "93\u202f000"),
        ("Combien de jours durent les travaux du théâtre ?", "56"),
        ("Quel âge aura le théâtre le 9 octobre 2026 ?", "100"),
        ("Combien la ville paie-t-elle pour la rénovation du théâtre ?", "144\u202f000"),
        ("La publication date du 8 mai 2026. Jusqu'à quand peut-on déposer un recours ?", "7 juin 2026"),
        ("J'ai acheté un bon cadeau le 18 mars 2026. Jusqu'à quand est-il valable ?", "18 décembre 2026"),
        ("Combien de techniciens faut-il pour cinq représentations ?", "70"),
    ],
    "papeterie.md": [
        ("Combien coûtent 90 carnets A5 ?", "288"),
        ("Quel est le prix de 300 stylos gravés ?", "450"),
        ("Combien paie-t-on pour 20 agendas reliés ?", "280"),
        ("Nos carnets ont été livrés le 2 mars 2026. Quand les fichiers seront-ils effacés ?", "1er mai 2026"),
        ("Combien coûte le transport sur 45 kilomètres ?", "49,50"),
    ],
    "ecole-voile.txt": [
        ("Combien coûtent le stage débutant et le stage confirmé ensemble ?", "810"),
        ("De combien le stage confirmé est-il plus cher que le stage débutant ?", "130"),
        ("Jusqu'à quand peut-on annuler sans frais l'inscription au stage débutant ?", "22 juin 2026"),
        ("Combien est retenu en cas d'annulation tardive du stage confirmé ?", "188"),
        ("À quelle date le dossier du stage débutant doit-il arriver au plus tard ?", "1er juillet 2026"),
        ("Quel jour de la semaine tombe l'examen de l'école de voile ?", "mercredi"),
        ("Combien coûte un gilet pour quatorze jours ?", "70"),
    ],
    "chantier-naval.md": [
        ("Combien coûte une sortie d'eau avec le supplément du samedi ?", "193"),
        ("Prix de trois heures du mécanicien un mardi, déplacement compris ?", "246"),
        ("Combien coûtent cinq nuits au mouillage avec l'électricité ?", "130"),
        ("Combien coûtent toutes les défenses ensemble ?", "768"),
        ("De combien le jubilé a-t-il dépassé son budget ?", "260"),
        ("Pour quelle date le défaut relevé par le contrôle doit-il être corrigé ?", "8 juin 2026"),
        ("Combien payons-nous par mois pour les quatre canots de secours ensemble ?", "860"),
        ("Quel est le total des redevances annuelles, toutes installations comprises ?", "390 = 6"),
    ],
    "ecole-de-musique.md": [
        ("Combien rembourse-t-on pour 200 kilomètres avec la voiture personnelle ?", "66"),
        (
            "Combien de temps dure la période d'essai, et quel est le préavis ensuite ?",
            "Ensuite, un préavis de trois mois s'applique.",
        ),
        (
            "De combien les recettes de la location des salles ont-elles augmenté en 2024/25 par rapport à l'année précédente ?",
            "11",
        ),
        ("Combien de jours après le 27 mars l'orgue sera-t-il prêt ?", "28"),
    ],
}
