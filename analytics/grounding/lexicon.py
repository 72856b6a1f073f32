"""Words of six languages that turn a sentence into a claim: units, opening times, boasts, law, medicine, gifts."""

import re
from collections.abc import Mapping

MONTHS = (
    "january januar janvier enero gennaio januari", "february februar fevrier febrero febbraio februari",
    "march marz mars marzo maart", "april avril abril aprile", "may mai mayo maggio mei", "june juni juin junio giugno",
    "july juli juillet julio luglio", "august aout agosto augustus", "september septembre septiembre settembre",
    "october oktober octobre octubre ottobre", "november novembre noviembre", "december dezember decembre diciembre "
    "dicembre",
)  # fmt: skip
MONTH_OF = {name: number for number, names in enumerate(MONTHS, 1) for name in names.split()}

CURRENCIES: Mapping[str, str] = {
    "EUR": r"€|eur|euros?|euro's", "USD": r"us\$|\$|usd|dollars?|dolares|dollari", "GBP": r"£|gbp|pounds?|pfund",
    "CHF": r"chf|franken|sfr", "JPY": r"¥|yen", "PCT": r"%|percent|per ?cent|prozent|pour ?cent|por ?ciento|per cento"
    r"|procent",
}  # fmt: skip
UNIT_WORD = re.compile(r"[^\W\d_]+(?:'s)?|[€$£¥%]|us\$")
STRUCTURE = re.compile(
    r"steps?|tips?|things?|questions?|reasons?|ways?|points?|schritten?|tipps?|dingen?|fragen?|grunden?"
    r"|punkten?"
    r"|etapes?|conseils?|choses?|raisons?|questions?|pasos?|consejos?|cosas?|razones|preguntas?|passi"
    r"|consigli|cose"
    r"|motivi|domande|stappen|tips|dingen|redenen|vragen"
)
"""What a text counts of itself: three steps are no fact about a company."""

MANY = re.compile(
    r"\b(?:(?P<thousands>thousands|tausende\w?|milliers|miles de|migliaia|duizenden)"
    r"|(?P<hundreds>hundreds|hunderte\w?|centaines|cientos|centinaia|honderden)"
    r"|(?P<dozens>dozens|dutzende\w?|dizaines|docenas|decine|tientallen)"
    r"|(?P<millions>millions of|millionen von|des millions|millones de|milioni di|miljoenen)|countless"
    r"|unzahlige)\b"
)
_NUMBER = (
    r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|hundred|eine?[rmn]?|zwei|drei|vier|funf|sechs"
    r"|sieben|acht|neun|zehn"
    r"|hundert|une?|deux|trois|quatre|cinq|sept|huit|neuf|dix|cent|uno?|una|dos|tres|cuatro|cinco|seis"
    r"|siete|ocho|nueve|diez|cien"
    r"|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|cento|een|twee|drie|vijf|zes|zeven|negen|tien|honderd)"
)
_CUSTOMERS = (
    r"(?:guests|customers|clients|patients|pupils|students|visitors|members|gaste[n]?|kunden|kundinnen|patienten|schuler"
    r"|besucher|mitglieder|clientes|pacientes|alumnos|huespedes|socios|clienti|ospiti|pazienti|allievi|eleves|visiteurs"
    r"|klanten|gasten|leerlingen|bezoekers)"
)
SHARE = re.compile(
    rf"\b(?:{_NUMBER} out of (?:every )?{_NUMBER}|one in {_NUMBER}"
    r"|every (?:second|third|fourth|other) (?!(?:day|week|month|year|time)s?\b)\w+"
    rf"|jede[rsmn]? (?:zweite|dritte|vierte|funfte|zehnte)\w?|{_NUMBER} von {_NUMBER}(?= (?:kund|gast"
    rf"|patient|fahrer))"
    rf"|un[e]? [^\W\d_]+ sur {_NUMBER}|{_NUMBER} sur {_NUMBER}|un[oa] de cada {_NUMBER}"
    rf"|{_NUMBER} de cada {_NUMBER}"
    rf"|un[oa]? (?:[^\W\d_]+ )?su {_NUMBER}|{_NUMBER} su {_NUMBER}|(?:een|{_NUMBER}) op de {_NUMBER}"
    rf"|(?:most|many|few|some|nearly all) of our {_CUSTOMERS}|(?:die meisten|viele|einige) (?:unserer )?{_CUSTOMERS}"
    rf"|(?:la plupart|beaucoup|certains) de nos {_CUSTOMERS}|(?:la mayoria|much[oa]s) de nuestr[oa]s {_CUSTOMERS}"
    rf"|(?:la maggior parte|molt[ie]) de[il]l?e? nostr[ie] {_CUSTOMERS}|(?:de meeste|veel)(?: van onze)? {_CUSTOMERS}"
    r"|half of (?:our|the|all)|(?:die )?halfte (?:der|unserer|aller)|la moitie des|la mitad de"
    r"|la meta de|de helft van)\b"
)
SPOKEN_SPANS: Mapping[tuple[int, str], str] = {
    (
        90,
        "minutes",
    ): r"(?:an|one) hour and a half|one and a half hours|anderthalb stunden|eineinhalb stunden|une heure et demie"
    r"|(?:una )?hora y media|un'ora e mezza|anderhalf uur",
    (
        45,
        "minutes",
    ): r"three[- ]quarters of an hour|dreiviertelstunde|drei viertelstunden|trois quarts d'heure"
    r"|tres cuartos de hora|tre quarti d'ora|drie kwartier",
    (
        15,
        "minutes",
    ): r"(?:a )?quarter of an hour|viertelstunde|quart d'heure|cuarto de hora|quarto d'ora|kwartier",
    (
        30,
        "minutes",
    ): r"half an hour|half[- ]hour|halbe stunde|halben stunde|demi-heure|media hora|mezz'ora|mezzora|half uur|halfuur",
    (60, "minutes"): r"an hour|eine stunde|einer stunde|une heure|una hora|un'ora|een uur",
    (
        720,
        "minutes",
    ): r"half a day|(?:ein(?:en)? )?halbe[rn]? tag|(?:la |une )?demi-journee|medio dia|mezza giornata|een halve dag",
    (
        1440,
        "minutes",
    ): r"(?:the|a|one) day (?:before|ahead|earlier|prior|in advance)|am (?:vortag|tag (?:davor|zuvor|vorher|vor))"
    r"|(?:bis )?zum vortag|am vorabend|zum vorabend|(?:ein(?:en)?|1) tag (?:vorher|zuvor|davor|vor)|tags zuvor"
    r"|la veille|(?:le|un) jour (?:avant|d'avant)"
    r"|(?:el|al|del) dia (?:antes|anterior)|la vispera|un dia antes|(?:il|un|al|del) giorno (?:prima|precedente)"
    r"|(?:la|alla) vigilia"
    r"|de (?:dag|avond) (?:ervoor|tevoren|vooraf|voor)|daags (?:ervoor|tevoren)|een (?:dag|avond) (?:van )?(?:tevoren"
    r"|vooraf|eerder|voor)"
    r"|(?:the|an?) evening before|la sera prima|la noche anterior",
    (
        2880,
        "minutes",
    ): r"(?:a|one|the) (?:whole )?weekend\b|ein(?:em|es)? (?:ganzes )?wochenende|un week-end"
    r"|un fin de semana|un fine settimana|een weekend",
    (6, "months"): r"half a year|halbes jahr|halben jahr|medio ano|mezz'anno|half jaar",
    (20160, "minutes"): r"fortnight",
    (
        500,
        "gram",
    ): r"half a kilo|half[- ]kilo|(?:ein )?halbe[sn]? kilo|demi-kilo|medio kilo|mezzo chilo|halve kilo",
}
"""Minutes or months of spans that are said without a number."""
BOUNDS: Mapping[str, re.Pattern[str]] = {
    "under": re.compile(
        r"\b(?:under|less than|fewer than|below|(?:light|short|small|young|low|cheap)er than"
        r"|(?<!no )(?<!not )later than|(?<!nicht )spater als|plus tard que|mas tarde (?:de|que)|piu tardi di|later dan"
        r"|(?:en|au)[- ]dessous de|por debajo de|(?:al di )?sotto(?: i| gli| le| dei| di)?"
        r"|weniger als|unter|junger als|moins de|menos de|menor(?:es)? de|meno di|minor[ie] di|minder dan|jonger dan"
        r"|onder(?: de| het)?|unter (?:den|der|dem))\s(?:[€$£]\s?)?\Z"
    ),
    "over": re.compile(
        r"\b(?:over|(?<!no )(?<!not )(?<!never )more than|above|exceeding|(?:heavi|long|larg|bigg|old|tall"
        r"|high)er than"
        r"|(?:schwer|lang|groß|alt|hoh)er als|plus (?:lourd|long|grand|age)\w* que|mas (?:pesad|larg|grand"
        r"|viej)\w* (?:que|de)"
        r"|piu (?:pesant|lung|grand|vecch)\w* (?:di|che)|(?:zwaard|lang|grot|oud|hog)er dan"
        r"|(?<!nicht )(?<!nie )(?<!niemals )mehr als|(?<!verfugt )(?<!verfugen )uber|(?<!pas )(?<!jamais )plus de"
        r"|au-dela de|au-dessus de|por encima de|mayor(?:es)? de|maggior[ie] di|sopra(?: i| gli)?|oltre i"
        r"|(?<!no )(?<!nunca )mas de|oltre|(?<!non )(?<!mai )piu di|(?<!niet )(?<!nooit )meer dan|boven(?: de| het)?"
        r"|ruim)\s(?:[€$£]\s?)?\Z"
    ),
    "most": re.compile(
        r"\b(?:at (?:the )?most|no later than|(?:never|not|no) more than|(?:nie|niemals|nicht) mehr als|(?:jamais"
        r"|pas) plus de"
        r"|(?:nunca|no) mas de|(?:mai|non) piu di|(?:nooit|niet) meer dan|hochstens|maximal|au maximum|au plus"
        r"|tout au plus|como (?:maximo|mucho)"
        r"|spatestens|allerspatestens|au plus tard|a mas tardar|al piu tardi|uiterlijk|as many as|as much as"
        r"|not later than"
        r"|bis hochstens|al maximo"
        r"|al massimo|hooguit|hoogstens|maximaal|up to|bis zu|jusqu'a|hasta|fino a|tot)\s(?:[€$£]\s?)?\Z"
    ),
    "least": re.compile(
        r"\b(?:at least|a minimum of|not less than|no less than|mindestens|wenigstens|fruhestens|au moins|au minimum"
        r"|al menos"
        r"|como minimo|por lo menos|almeno|come minimo|minstens|ten minste|minimaal|op zijn minst)\s(?:[€$£]\s?)?\Z"
    ),
}
"""What stands before a number that is not the number itself."""
FROM = re.compile(r"\b(?:from|ab|a partir de|des|desde|da|dai|dalle|a partire da|vanaf)\s(?:[€$£]\s?)?\Z")
OR_MORE = re.compile(
    r"\s(?:or (?:more|above|over)|and (?:more|above|over|up)|upwards|oder mehr|und mehr|aufwarts|ou plus|et plus"
    r"|o mas"
    r"|o piu|of meer|en meer)\b"
)
"""The same as `from`, behind a number."""
PER = re.compile(
    r"\s?(?:/|l'|all'|(?:per|an?|each|every|je|pro|im|am|par|la|le|al|alla|a la|por|de|het|ogni|cada"
    r"|jede\w|fur (?:den|die|einen?)|por|voor een|pour une?|for (?:an?|the))\b)\s?"
    r"((?:half a|(?:half|halbe[nr]?|demi|medi[oa]|mezza|halve)[ -])?\s?[^\W\d_]+)"
)
PER_UNITS: Mapping[str, str] = {
    "person": r"person\w*|people|head|guest|kopf|tete|cabeza|testa|hoofd|gast|personne|persona|huesped|persoon",
    "half-day": r"half[ -]day|half a day|halbe[nr]? tag|demi-journee|medi[oa] (?:dia|jornada)|mezza giornata|halve dag",
    "night": r"nights?|nacht|nuit|noche|notte",
    "day": r"days?|tag(?:es)?|jour(?:nee)?|dia|giorno|dag",
    "week": r"weeks?|woche|semaine|semana|settimana|week",
    "month": r"months?|monat|mois|mes|mese|maand",
    "year": r"years?|jahr|an|annee|ano|anno|jaar",
    "hour": r"hours?|stunde|heure|hora|ora|uur",
    "kilo": r"kilos?|kg|kilogra\w*|chilo|kilogramm",
    "piece": r"pieces?|item|stuck|unite|piece|unidad|pieza|pezzo|stuk",
    "user": r"users?|seat|nutzer|benutzer|utilisateur|usuario|utente|gebruiker",
    "room": r"rooms?|zimmer|chambre|habitacion|camera|kamer",
    "litre": r"lit(?:re|er)s?|liter|litre|litro",
    "km": r"km|kilomet\w+|chilometro",
}
"""What an amount is counted for."""
INCLUDED = re.compile(
    r"\b(?:included|inclusive|part of the price|(?:is|are) provided|(?:wird|werden) gestellt|fournie?s?|fornit[oaie]"
    r"|(?:wordt|worden) verstrekt|inbegriffen|inklusive|inkl|enthalten|eingeschlossen|im preis"
    r"|compris(?:es?)?|inclus(?:es?)?|incluid[oa]s?|compres[oaie]|inclus[oaie]|inbegrepen|inclusief|ingesloten)\b"
)
"""What is said of a thing that is paid for with another one."""
INCLUDES = re.compile(
    r"\b(?:with|includ\w+|inclus\w+|contains?|mit(?=\s\w)|enthalt\w*|umfass\w*|inklusive|inbegriffen|avec|compr\w+"
    r"|inclu\w*"
    r"|con|con\w* incluid\w*|comprend\w*|compres\w*|met|bevat\w*|inbegrepen|inclusief|omvat\w*)\b"
)
"""How a fact may say it."""
REFUND = re.compile(
    r"\b(?:money[- ]back|(?:get|gets?|have) (?:your|their) money back|refund\w*|geld zuruck|erstatte\w*|rembours\w+"
    r"|reembols\w+|devol(?:vemos|ucion)\w* (?:del? )?dinero|rimbors\w+|geld terug)\b"
)
FREE = re.compile(
    rf"{REFUND.pattern}"
    r"|(?<!feel )(?<!-)\bfree\b(?! (?:to|of (?:charge )?(?:additives|stress))\b)|\b(?:complimentary"
    r"|no charge|costs? (?:you )?nothing|(?:n't|not) cost (?:you )?(?:a penny|a cent|anything)"
    r"|gratis|kostenlos\w*|kostenfrei\w*|gratuit\w*|gratuito|gratuita|frei haus|umsonst|offerte?s?\b(?! d(?:e |u |'))"
    r"|kosteloos"
    r"|kost (?:u |je )?niets|kostet (?:sie |dich )?nichts|sans frais|ne (?:vous |te )?coute rien|sin coste|sin cargo"
    r"|no pagan|no (?:le |les |te )?cuestan? nada|non (?:le |ti |vi )?costa(?:no)? (?:nulla|niente)"
    r"|(?:zahl\w+|bezahl\w+) (?:\w+ )?(?:nichts|keinen cent)|pays? nothing|paie\w* rien|paye\w* rien|no pagan? nada"
    r"|no pagas?(?! (?:con|en|mas))|you (?:don't|do not) pay(?! (?:by|with|more))"
    r"|(?:pay|pays|zahl\w+|paie\w*|payez|paga\w*|betaal\w*) (?:sie |du |u )?"
    r"(?:less|weniger|moins|menos|meno|minder)"
    r"|(?:less|weniger|moins|menos|meno|minder) (?:\w+ )?(?:you pay|zahl\w+|paie\w*|(?:si )?paga\w?|betaal\w*)"
    r"|(?:more|bigger|mehr|plus de|mas|piu|meer) (?:discount|rabatt|remise|descuento|sconto|korting)"
    r"|pays? no\b|(?:be)?zahl\w+ (?:\w+ )?keine?[nr]?\b|ne pa(?:ie|y)\w* (?:pas|aucune?)\b|non paga\w*"
    r"|betaa?l\w* (?:\w+ )?geen\b|sin cobrar\w* nada|non paga\w* (?:nulla|niente)|betaal\w* (?:\w+ )?niets"
    r"|at no (?:extra |additional )?cost|without (?:extra )?charge|zum nulltarif|without (?:paying|spending)"
    r"|for nothing|on the house|is on us"
    r"|ohne (?:\w+ ){0,2}zu (?:be)?zahlen|ohne einen cent|aufs haus|geht auf uns|sans (?:rien )?(?:payer|debourser)"
    r"|pour rien"
    r"|sin (?:tener que )?pagar|invita la casa|corre de nuestra cuenta|senza (?:dover )?pagare|offre la casa|omaggio"
    r"|zonder (?:\w+ ){0,2}te betalen|voor niets|van het huis|sans supplement|sin suplemento|senza supplemento"
    r"|ohne aufpreis"
    r"|zonder (?:meerprijs|toeslag))\b"
)
LIFETIME = re.compile(
    r"\b(?:all year(?:[- ]round)?|year[- ]round|(?:das )?ganze jahr|ganzjahrig\w*|toute l'annee|todo el ano"
    r"|tutto l'anno"
    r"|het hele jaar"
    r"|all (?:day|night|evening|week)(?: long)?|den ganzen (?:tag|abend)|toute la (?:journee|soiree|nuit|semaine)"
    r"|todo el dia|toda la (?:noche|tarde|semana)|tutto il giorno|tutta la (?:sera|notte|settimana)"
    r"|de hele (?:dag|avond|nacht|week)"
    r"|all (?:spring|summer|autumn|winter|season)(?: long)?|den ganzen (?:fruhling|sommer|herbst|winter)"
    r"|die ganze saison"
    r"|tout l'(?:ete|automne|hiver)|toute la saison|todo el (?:verano|otono|invierno)|toda la temporada"
    r"|tutt[oa] l'(?:estate|autunno|inverno)|tutta la stagione|de hele (?:zomer|winter|herfst|lente)|het hele seizoen"
    r"|(?:at|until|till|to) the (?:very )?last (?:minute|moment|second)|last-minute|at short notice"
    r"|up to the (?:very )?(?:day|moment|hour|minute)|bis zur letzten (?:minute|sekunde)|kurzfristig|bis zum schluss"
    r"|(?:jusqu'a|a) la derniere minute|jusqu'au dernier moment|hasta el ultimo (?:momento|minuto)"
    r"|fino all'ultimo|all'ultimo minuto|tot (?:op )?het laatste moment|op het laatste moment"
    r"|(?:on )?(?:the |that )?(?:very )?same day|(?:noch )?am (?:selben|gleichen) tag|noch (?:heute|am tag selbst)"
    r"|le jour meme"
    r"|(?:dans|en) la journee|el mismo dia|(?:lo stesso giorno|in giornata)|(?:de|op de) ?zelfde dag|dezelfde dag"
    r"|immediately|instantly|on the spot|sofort|immediatement|instantanement|inmediatamente|al instante"
    r"|immediatamente"
    r"|istantaneamente|onmiddellijk|ogenblikkelijk"
    r"|lifetime|for life|lebenslang\w*|a vie|de por vida|vitalici\w+|a vita|levenslang\w*"
    r"|(?:within|in) (?:a few |just a few |just |only )?(?:seconds|minutes|hours|days)"
    r"|(?:innerhalb|binnen|in) (?:von )?(?:weniger |wenigen |kurzester |nur wenigen )?(?:sekunden|minuten"
    r"|stunden|tagen|zeit)"
    r"|en (?:quelques|peu de) (?:secondes|minutes|heures|jours)|en (?:pocos|pocas|unos|unas) (?:segundos"
    r"|minutos|horas|dias)"
    r"|in poch[ie] (?:secondi|minuti|ore|giorni)|binnen (?:enkele |een paar )?(?:seconden|minuten|uren|dagen)"
    r"|(?:many|several|countless|long) years|years of|for (?:decades|generations|centuries|ages)|(?:vielen"
    r"|langen|etlichen) jahren"
    r"|seit (?:jahren|jahrzehnten|generationen)|langjahrig\w*|(?:de )?longue date|depuis (?:longtemps"
    r"|des (?:annees|decennies|generations))"
    r"|desde hace (?:muchos |varios )?(?:anos|decadas|generaciones)|muchos anos|toda la vida|da (?:molti "
    r"|tanti )?anni|da (?:decenni|generazioni|sempre)"
    r"|(?:al|sinds) (?:jaren|jarenlang|vele jaren|generaties)|jarenlang\w*)\b(?! \d)"
)
"""Spans of time without a number: for life, within minutes, for generations."""
SUPERLATIVE = re.compile(
    r"(?<!at )(?<!our )(?<!your )(?<!do )(?<!at our )\bbest\b(?! (?:regards|wishes|before|suited|to"
    r"|for|when|time|way|moment"
    r"|results?|practice|if)\b)"
    r"|\b(?:leading|top-rated|highest-rated|award-winning|unbeatable|unrivall?ed|unmatched|world-class"
    r"|second to none"
    r"|unparalleled|cheapest|largest|biggest|fastest|finest|greatest|oldest|longest-established|lowest prices?"
    r"|number one|no\. ?1|#1"
    r"|most (?:trusted|popular|experienced|reliable|affordable|respected|loved|modern|advanced)"
    r"|(?:was|were|is|are|be|been|became) (?:among )?the (?:very )?first\b(?! (?:time|step|thing|to know))"
    r"|the only (?!way\b|thing\b|question\b)|like no other|no other [^.!?]{1,60}?\b(?:is|are|has|can|offers?"
    r"|comes?)\b"
    r"|(?:better|cheaper|faster|safer) than (?:any|all|every|our|the competition|other|others|anyone)\w*)"
    r"|(?<!am )(?<!aufs )\b(?:beste[rnms]?|beliebteste\w?|gunstigste\w?|großte\w?|schnellste\w?|modernste\w?"
    r"|alteste\w?|erfahrenste\w?"
    r"|(?:(?:war|waren|ist|sind) (?:\w+ )?(?:die|der|das) (?:aller)?erste[nrs]?|als (?:aller)?erste[rns]?)"
    r"|fuhrend\w*|marktfuhrer\w*|einzige\w?|unschlagbar\w*|unubertroffen\w*|weltklasse|nummer eins|nr\. ?1"
    r"|kein ander\w+ [^.!?]{1,60})\b(?! (?:grußen?|wunschen?|zeit(?:punkt)?)\b)"
    r"|\b(?:(?:le|la|les|nos?|votre|vos) meilleure?s?|numero un|leader|incontournable|imbattable|inegalee?s?"
    r"|(?:du|au|aux) meilleure?s?"
    r"|(?:le|la|les|nos|notre) (?:\w+ )?plus (?!tard|tot|vite|simple|souvent|proche)\w+ (?:de|du|des|d'|en)"
    r"|(?:le|la|les) plus (?:grande?s?|fiables?|rapides?|modernes?|populaires?|anciens?\w*)|(?:le|la) seule?"
    r"|(?:est|sommes|sont|etait|etions|etaient|fut|fumes|ete) (?:parmi )?l(?:es?|a) (?:tou(?:te"
    r"|t)s? )?premi(?:er|ere)s?"
    r"|aucun autre)\b(?! (?:moment|facon|moyen|maniere)\b)"
    r"|\b(?:(?:el|la|los|las) (?:mejor(?:es)?|unic[oa])|lider(?:es)?|numero uno"
    r"|(?:el|la|los|las) (?:\w+ )?mas (?:grande|antigu\w|barat\w|rapid\w|popular|fiable|modern\w)\w*"
    r"|(?:el|la|los|las) (?:\w+ )?mas (?!tarde|pronto|cercan\w|sencill\w)\w+ (?:de|del|en)|al mejor"
    r"|(?:fue|fuimos|fueron|es|somos|son|sido|era|eramos) (?:el|la|los|las) primer[oa]?s?"
    r"|ningun otr\w|insuperable"
    r"|inigualable)\b(?! (?:momento|manera|forma)\b)"
    r"|\b(?:(?:il|la|i|le) miglior[ei]?|(?:il|la) (?:\w+ )?piu (?:grande|antic\w|economic\w|rapid\w|affidabil\w"
    r"|modern\w)\w*"
    r"|(?:il|la|lo|i|gli|le) (?:\w+ )?piu (?!tardi|presto|vicin\w|semplice)\w+ (?:del|della|dello|di|d'|in)"
    r"|(?:e|siamo|sono|fu|fummo|furono|stat[oaie]|era) (?:tra )?(?:il|la|i|le) prim[oaie]"
    r"|l'unic[oa]|imbattibil\w|leader|nessun'? ?altr\w)\b(?! (?:momento|modo)\b)"
    r"|\b(?:de beste|het beste|toonaangevend\w*|grootste|oudste|goedkoopste|snelste|onovertroffen|marktleider"
    r"|(?:was|waren|is|zijn) (?:\w+ )?(?:de|het) (?:aller)?eerste|als (?:aller)?eerste|nummer een"
    r"|geen ander\w* [^.!?]{1,60})\b(?! (?:tijd|moment|manier)\b)"
)
LEGAL = re.compile(
    r"\b(?:convict\w+|guilty|fraud\w*|scams?|lawsuits?|sued|illegal\w*|criminal\w*|crimes?|indict\w+"
    r"|bankrupt\w*|insolven\w+"
    r"|swindl\w+|theft|thie(?:f|ves)|stole[n]?|embezzl\w+|brib\w+|verurteilt\w*|betrug\w*"
    r"|betrug(?:er|erisch)\w*|schuldig\w*"
    r"|verklagt|strafbar\w*|straftat\w*|pleite|condamn\w+|fraude\w*|escroqu\w+|coupables?|illega\w+"
    r"|faillite|condenad\w+"
    r"|estaf\w+|culpables?|quiebra|ilegal\w*|condannat\w+|frod[ei]|truff\w+|colpevol\w+|fallit\w+"
    r"|fallimento|veroordeeld\w*"
    r"|oplicht\w+|schuldig|failliet|compl(?:y|ies|iant)(?: with)?|gdpr|dsgvo|rgpd|avg-conform|gesetzeskonform"
    r"|by law|legally|statutory|gesetzlich(?! versichert)\w*|la loi|legalement|por ley|legalmente|per legge"
    r"|wettelijk\w*"
    r"|court ruling|gericht(?:lich|surteil)\w*|tribunal|tribunale|rechtbank)\b"
)
CERTIFIED = re.compile(
    r"\b(?:\w+-)?(?:certified|certification|certificates?|accredited|licensed|approved by|patented"
    r"|authori[sz]ed (?:dealer|"
    r"partner|workshop)|official (?:dealer|partner)|endorsed|zertifizier\w+|akkreditier\w+|lizenzier\w+"
    r"|patentiert\w*"
    r"|vertragshandler|vertragswerkstatt|gepruft von|certifiee?s?|agreee?s?|brevete\w*|certificad\w+"
    r"|acreditad\w+"
    r"|homologad\w+|patentad\w+|concesionario oficial|certificat[oiae]|accreditat\w+|brevettat\w+|autorizzat\w+"
    r"|gecertificeerd\w*|erkend\w*|geaccrediteerd\w*|gepatenteerd\w*|iso \d+|tuv|dekra|fda"
    r"|stiftung warentest)\b"
)
AWARD = re.compile(
    r"\b(?:awards?|awarded|prizes?|medals?|winners?|auszeichnung\w*|(?:wurde[n]?"
    r"|mehrfach)[^.!?]{0,60} ausgezeichnet"
    r"|testsieger\w*|preistrager\w*|\w+preis(?:es)? ausgezeichnet|prime(?:s|e|es) par|medailles?"
    r"|laureats?|premios?|galardon\w*"
    r"|premiad\w+|premi[o]?|premiat\w+|vinto|prijs gewonnen|bekroond\w*|onderscheid\w+)\b"
)
MEDICAL = re.compile(
    r"\b(?:recover(?:s|y|ed)?|pain(?:s|-free|less)?|schmerz(?:en|frei|los)?|douleurs?|dolor(?:es)?|dolori"
    r"|pijn(?:vrij|loos)?|lives? longer|(?:keeps?|stays?) (?:you |him |her |them )?(?:healthy|young|fit)|(?:halt"
    r"|bleibt) (?:\w+ )?(?:gesund|jung|fit)"
    r"|lebt langer|vi[tv]\w* plus longtemps|vive\w* mas|vive\w* piu a lungo|leeft langer|blijft (?:\w+ )?gezond"
    r"|cures?|cured|curing|heals?|healed|healing|clinically|medically|doctors? recommend\w*"
    r"|recommended by doctors"
    r"|prevents? (?:cancer|disease|illness|infections?|heart)|treats? (?:cancer|disease|pain|illness"
    r"|arthritis|depression|"
    r"diabetes|anxiety)|relieves? (?:pain|stress|symptoms)|side effects?|heilt|heilen|heilung|heilend\w*"
    r"|geheilt"
    r"|arzte empfehlen|arztlich empfohlen|klinisch|lindert|beschwerden|allergien|guerit|guerir|guerison"
    r"|cliniquement"
    r"|medecins recommandent|soulage|cura[n]? (?:el|la|los|las|il|lo|i|gli|le|l')|curar|clinicamente"
    r"|medicos recomiendan"
    r"|alivia[n]?|guarisc\w+|guarire|guarigione|medici consigliano|allevia|geneest|genezen|genezing"
    r"|artsen raden"
    r"|klinisch bewezen|verlicht pijn|rugpijn|back pain)\b"
)
AHEAD = re.compile(
    r"'?s?\s(?:or more )?(?:before|ahead|earlier|prior|in advance|beforehand|notice|vor|vorher|zuvor|im voraus|davor"
    r"|avant|a l'avance"
    r"|d'avance|plus tot|antes|de antelacion|de anticipacion|antes de|prima|di anticipo|in anticipo|di preavviso"
    r"|van tevoren"
    r"|vooraf|voor|van te voren|eerder|op voorhand)\b"
)
"""What stands behind a span of time that is counted back from something."""
AHEAD_IN = re.compile(
    r"\b(?:before|ahead|earlier|prior|advance|vor\w*|davor|zuvor|veille|avant|antes|anterior|vispera|prima|precedente"
    r"|vigilia|ervoor"
    r"|tevoren|vooraf|voor)\b"
)
EXTRA = re.compile(
    r"\b(?:(?:costs?|is|are|charged?|paid|billed|payable) (?:extra|separately|on top)|(?:not|isn't|aren't) included"
    r"|(?:kostet|kosten|zahlen sie|wird|werden) (?:\w+ )?(?:extra|separat|gesondert|zusatzlich)"
    r"|nicht (?:im preis )?(?:enthalten|inbegriffen)"
    r"|(?:se paie\w*|payable\w*|facture\w*|est|sont) (?:\w+ )?(?:en plus|a part|en sus|en supplement)|(?:non"
    r"|pas) (?:compris\w*|inclus\w*)"
    r"|(?:se paga\w*|se cobra\w*|va\w*) (?:aparte|por separado)|no (?:esta\w* |va\w* )?incluid\w+|(?:si paga\w*|e"
    r"|sono) a parte"
    r"|non (?:e|sono) (?:compres\w|inclus\w)|(?:betaalt u|kost|wordt|komt) (?:\w+ )?(?:apart|extra|los|erbij|bovenop)"
    r"|niet (?:bij de prijs )?inbegrepen"
    r"|at your (?:own )?(?:expense|cost)|auf (?:ihre|eigene) kosten|zu ihren lasten|(?:a la|a votre) charge|a (?:su"
    r"|cuenta y) cargo"
    r"|corre\w* a cargo|a (?:vostro|suo) carico|a carico|voor (?:uw|eigen) rekening)\b"
)
"""What is said of a thing that is paid for besides another."""
BRING = re.compile(
    r"\bbring (?:your|a|an|the|along)\b|\bbringen sie\b[^.!?;]{0,60}?\bmit\b|\b(?:mitbringen|mitzubringen|apportez"
    r"|vous apportez|traiga"
    r"|traer|portate|dovete portare)\b|\bneemt?(?: u)?\b[^.!?;]{0,40}?\bmee\b|\b(?:pone|trae|porta|compra) usted\b"
)
"""What the reader is asked to bring."""
WITHIN = re.compile(
    r"\b(?:within|in a radius of|up to|until|im umkreis von|innerhalb von|bis(?: zu)?|dans un rayon de|jusqu'a"
    r"|en un radio de|hasta"
    r"|nel raggio di|sopra(?: i| gli)?|oltre(?: i)?|au-dessus de|au-dela de|por encima de|mas de|plus de|piu di"
    r"|meer dan|boven|entro|fino a(?:i|gli)?|binnen(?: een straal van)?|tot(?: en met)?|over|above|ab|dai|desde"
    r"|a partir de|vanaf|from)"
    r"\s(?:[€$£]\s?)?\Z"
)
"""What stands before a number that limits what else is said."""
