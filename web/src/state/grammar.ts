/** Words that carry grammar, not content, in the four languages: what the server leaves out of a search is not marked either. */

export const grammar = new Set(`
aan aber about above after again against aie ainsi all alle allem allen aller alles als also altijd and ander andere anderem anderen anderer anderes
any apres are aren auch aucun aucune auf aujourd aus aussi autre autres aux avait avant avec avoir because been before bei beim being below ben
between bij bin bis bist both but can cannot cela ces cet cette ceux chaque combien comme comment could daar dabei dadurch dafur dagegen daher damit
dan danach dann dans daran darauf daraus darf darin daruber das dass dat davon dazu dein deine dem den denen denn depuis der deren des dessen deze did
didn die dies diese diesem diesen dieser dieses dit doch doing don donc dont door dort dos dosn down durch during dus each een eens ein eine einem
einen einer eines either elle elles encore entre est etaient etait ete etre etwas euch eur eux fait faut few for from fur further geen gegen geweest
gibt haar hab habe haben had has hat hatte hatten have having heb hebben heeft hem her here hers herself het hier hij him himself hin hinter his
hoveel how hui hun ich iemand iets ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres ils indem ins into isn ist its itself jede jedem jeden jeder jedes
jene jenem jenen jener jenes jetzt jusqu just kan kann kein keine keinem keinen keiner kon konnen konnte kunnen les leur leurs lors lorsque lui maar
mais man manche may meer mein meine meinem meinen meiner meme men mes met mich might mij mijn mir mit moi mon more most mot moten muss mussen must
myself naar nach nachdem nicht nichts niet niets noch nog nor nos not notre nous now nun nur oder off ohne omdat once onder only ons ont ook other our
ours out over own par parce pas pendant per peu peut peuvent plus pour pourquoi puis quand que quel quelle quelles quels qui quoi reeds same sans sehr
sein seine seinem seinen seiner seit selbst sera ses shall she should sich sie sind solche soll sollen sollte some son sondern sonst sont sous sowie
such sur tandis tegen tes than that the their theirs them themselves then there these they this those through toch toi ton too tot tous tout toute
toutes tres uber uit und under une uns unser unsere unter until upon van veel very via viel vom von voor vor vos votre vous waar waarom wahrend wann
wanneer want war waren warum was wasn wat weg weil weiter wel welche welchem welchen welcher welches welk welke wem wen wenn wer werd werde werden
were weren weshalb wessen wezen what when where whether which while who whom whose why wie wieder wiens wieso wij wil will wir wird with within
without wodurch wofur womit won worden wordt would wovon wurde wurden yet you your yours yourself zal zelf zich zij zijn zonder zou zum zur zwar
zwischen
`.trim().split(/\s+/));
