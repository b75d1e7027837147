"""Words that carry grammar, not content, in four languages; and words that ask rather than name ("find", "erkläre").

Keys as in `fold.key`. A question made only of such words is searched with them all the same.
"""

from __future__ import annotations

from famulus.text.fold import key


def _keys(text: str) -> frozenset[str]:
    return frozenset(key(word) for word in text.split())


GRAMMAR: dict[str, frozenset[str]] = {
    "en": _keys(
        "a about above after again against all am an and any are aren as at be because been before being below between both "
        "but by can cannot could did didn do does doesn doing don down during each either few for from further had has have "
        "having he her here hers herself him himself his how i if in into is isn it its itself just ll may me might more most "
        "must my myself no nor not now of off on once only or other our ours out over own per same shall she should so some "
        "such t s than that the their theirs them themselves then there these they this those through to too under until up "
        "upon us very via was wasn we were weren what when where whether which while who whom whose why will with within "
        "without won would yet you your yours yourself "
        "actually also else ever hadn hasn haven let lets needn ought please quite rather really shan shouldn couldn since though although wouldn"
    ),
    "de": _keys(
        "aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes auch auf aus bei beim "
        "bin bis bist da dabei dadurch dafür dagegen daher damit danach dann daran darauf daraus darf darin darüber das dass "
        "davon dazu dein deine dem den denen denn der deren des dessen die dies diese diesem diesen dieser dieses doch dort "
        "du durch ein eine einem einen einer eines er es etwas euch euer für gegen gibt hab habe haben hat hatte hatten hier "
        "hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im in indem ins ist ja jede jedem jeden jeder jedes "
        "jene jenem jenen jener jenes jetzt kann kein keine keinem keinen keiner können könnte man manche mein meine meinem "
        "meinen meiner mich mir mit muss müssen nach nachdem nicht nichts noch nun nur ob oder ohne sehr sein seine seinem "
        "seinen seiner seit selbst sich sie sind so solche soll sollen sollte sondern sonst sowie über um und uns unser "
        "unsere unter viel vom von vor während war waren warum was weg weil weiter welche welchem welchen welcher welches "
        "wenn wer werde werden weshalb wie wieder wieso will wir wird wo wodurch wofür womit wovon wurde wurden würde würden "
        "zu zum zur zwar zwischen wem wen wessen wann "
        "ab beide beiden beides bereits bevor bitte bloss dabei daher darfst demnach denn dich dir drauf dran drin durfte durften dürfen dürft "
        "eben eigentlich einige einigen einiger einmal etwa eure eurem euren eurer falls gerade gern gerne halt hast hattest hätte hätten her "
        "herein heraus hinaus hinein irgendein irgendeine irgendwann irgendwo je jemand jemandem jemanden jemals jeweils kannst konnte konnten könnt könnten "
        "lassen lässt mag magst mal manch mancher manches mehrere mögen möchte möchten musst musste mussten müsst nämlich niemand nochmal nochmals ob "
        "obwohl raus schon sei seid seien seine sobald sofern sollst sollt überhaupt vielleicht wart warst weder wäre wären werdet wirst wohin woher wohl wollen "
        "wollt wollte wollten woran worauf woraus worin worüber worum wovor wozu worden geworden gewesen"
    ),
    "nl": _keys(
        "aan af al alle als altijd andere ben bij daar dan dat de der deze die dit doch doen door dus een eens en er ge geen "
        "geweest haar had heb hebben heeft hem het hier hij hoe hun iemand iets ik in is ja je kan kon kunnen maar me meer men "
        "met mij mijn moet moeten na naar niet niets nog nu of om omdat onder ons ook op over reeds te tegen toch toen tot u "
        "uit uw van veel voor want waren was wat we wel welk welke werd wezen wie wij wil worden wordt zal ze zelf zich zij "
        "zijn zo zonder zou waar wanneer waarom hoeveel wiens "
        "allebei alsjeblieft alstublieft beide bent daaraan daarbij daarin daarmee daarna daarom daarop daarover daaruit daarvan daarvoor dergelijke eigenlijk "
        "elk elke enige enkele eraan erbij erin ermee ernaar erop erover eruit ervan ervoor eventueel even gehad geworden gewoon graag hadden hebt heen hierbij "
        "hiermee hiervan hiervoor hoef hoeft hoeven ieder iedere iedereen indien jezelf jij jou jouw jullie konden kunt mag mee mezelf mocht mochten moest "
        "moesten mogen naartoe nooit ooit onze sinds soms sommige steeds svp terwijl tijdens toe totdat vanaf vanuit waaraan waarbij waarheen waarin waarmee "
        "waarna waarop waarover waartoe waaruit waarvan waarvoor wel wilde wilden willen wilt zal zichzelf zodat zodra zouden zulke zullen zult"
    ),
    "fr": _keys(
        "à ai aie ainsi après as au aucun aucune aujourd aussi autre autres aux avait avant avec avoir c ce cela ces cet cette "
        "ceux chaque ci comme comment d dans de depuis des donc dont du elle elles en encore entre es est et étaient était été "
        "être eu eux fait faut hui il ils j je jusqu l la là le les leur leurs lors lorsque lui m ma mais me même mes moi mon n "
        "ne ni nos notre nous on ont ou où par parce pas pendant peu peut peuvent plus pour pourquoi puis qu quand que quel "
        "quelle quelles quels qui quoi s sa sans se sera ses si son sont sous sur t ta tandis te tes toi ton tous tout toute "
        "toutes très tu un une vos votre vous y combien "
        "afin aient ait alors aura aurai aurait auraient auras aurez aurons auront avais avez aviez avions avons ayant ayons ça celle celles celui chacun "
        "chacune chez dès déjà devez devons devra devrait devraient devrons devront dois doit doivent es étais étant êtes étiez étions fais faites faudra faudrait "
        "fallait fera ferait feront font fus fut furent ici jamais lorsqu oui parmi peux pourra pourrait pourraient pourrez pourrions pourrons pouvait pouvez "
        "pouvons puisque puisqu quelqu quelque quelques serai serais serait seraient seras serez seriez serons seront sois soit soient soyez sommes svp tant telle telles "
        "tellement tels toujours vais vas veulent veut veux vers voudrais voudrait voulez voulons vont"
    ),
}

ASKING: frozenset[str] = _keys(
    "find show tell give explain describe list name say says said mean means make made get got go use used using want need "
    "know please thanks hello question answer thing things much many sure according called "
    "finde zeige zeig sag sage nenne nenn erkläre erklär erklären beschreibe liste bedeutet heisst heißt macht machen gibt "
    "bitte danke frage antwort viele wieviel genannt laut gemäss gemäß "
    "vind toon zeg noem beschrijf geef leg betekent maken maakt gebruik vraag antwoord alsjeblieft volgens "
    "trouve montre dis donne explique décris liste nomme signifie faire fait question réponse merci selon appelle nombre"
)

ALL_GRAMMAR: frozenset[str] = frozenset[str]().union(*GRAMMAR.values())
