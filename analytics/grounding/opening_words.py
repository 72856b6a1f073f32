"""Words of six languages for days and hours, and for what is open or closed."""

import re
from collections.abc import Mapping

DAY_NAMES = (
    "monday|mon|montags?|mo|lundis?|lun|lunes|lunedi|maandag(?:s|en)?|ma",
    "tuesday|tues?|dienstags?|di|mardis?|mar|martes|martedi|dinsdag(?:s|en)?",
    "wednesday|wed|mittwochs?|mi|mercredis?|mer|miercoles|mie|mercoledi|woensdag(?:s|en)?|wo",
    "thursday|thurs?|thu|donnerstags?|do|jeudis?|jeu|jueves|jue|giovedi|gio|donderdag(?:s|en)?",
    "friday|fri|freitags?|fr|vendredis?|ven|viernes|vie|venerdi|vrijdag(?:s|en)?|vr",
    "saturday|sat|samstags?|sonnabends?|sa|samedis?|sam|sabados?|sab|sabato|zaterdag(?:s|en)?|za",
    "sunday|sun|sonntags?|so|dimanches?|dim|domingos?|dom|domenica|zondag(?:s|en)?|zo",
)
LONGEST_SHORT_DAY = 3
DAY = "|".join(f"(?P<d{at}>(?:{names})(?!')s?)" for at, names in enumerate(DAY_NAMES))
DAYS = re.compile(rf"(?<![\w'])(?:{DAY})(?!\w)")
SHORT_DAY = frozenset(
    name
    for names in DAY_NAMES
    for name in names.split("|")
    if name.isalpha() and len(name) <= LONGEST_SHORT_DAY
)
"""Abbreviations that are other words as well; they name a day only beside an hour or another day."""
RANGE = re.compile(
    r"\.?\s{0,8}"
    r"(?:-|to|through|thru|until|till|bis(?: einschließlich)?|a|au|al|hasta(?: el)?|fino a|tot(?: en met)?|t/m)"
    r"(?: (?:le|el|il|la))?\s{0,8}\Z"
)
EVERY_DAY = re.compile(
    r"\b(?:every (?:day|morning|afternoon|evening|night)|daily|seven days|7 days|taglich|jeden (?:tag|morgen|abend"
    r"|nachmittag)"
    r"|tous les (?:jours|matins|soirs|apres-midi)|chaque (?:jour|matin|soir)|todos los dias|todas las (?:mananas"
    r"|tardes|noches)"
    r"|cada (?:dia|manana|tarde|noche)|a diario|tutti i (?:giorni|pomeriggi)|tutte le (?:mattine|sere)"
    r"|ogni (?:giorno|mattina|pomeriggio|sera|notte)|dagelijks|(?:elke|iedere) (?:dag|ochtend|middag|avond|nacht))\b"
)
WEEKDAYS = re.compile(
    r"\b(?:weekdays|(?:on|every|all) (?:workdays?|working days?)|during the week|werktags|wochentags|unter der woche"
    r"|an (?:werktagen|wochentagen)|en semaine|(?:les|aux|des|nos) jours ouvr(?:es|ables)|entre semana|(?:los"
    r"|en) dias laborables"
    r"|(?:i|nei) giorni (?:feriali|lavorativi)|in settimana|durante la settimana|doordeweeks|door de week|(?:op"
    r"|de) werkdagen)\b"
)
WEEKENDS = re.compile(r"\b(?:weekends?|wochenendes?|fin(?:es)? de semana|fine settimana|week-ends?)\b")
ALWAYS_OPEN = re.compile(
    r"24/7|\b(?:at any hour|(?:at )?any (?:hour|time) of (?:the )?(?:day|night)|at all hours|(?:zu "
    r"|rund um )?jeder (?:tages- (?:und|oder) nachtzeit"
    r"|tageszeit|uhrzeit)|a (?:toute heure|n'importe quelle heure)|a cualquier hora|a (?:qualsiasi"
    r"|ogni) ora|a tutte le ore"
    r"|op (?:elk|ieder|welk) (?:uur|tijdstip)|around the clock|round the clock|rund um die uhr"
    r"|24 hours a day|24 stunden (?:geoffnet|am tag)"
    r"|24h/24|24 heures sur 24|las 24 horas|24 ore su 24|24 uur per dag|dag en nacht|day and night"
    r"|tag und nacht"
    r"|jour et nuit|giorno e notte|dia y noche)\b"
)
OPENING = re.compile(
    r"\b(?:open(?:s|ed|ing)?|hours|close[sd]?|closing|(?:ge)?offnen|offnet|geoffnet|offnungszeiten"
    r"|geschlossen|ouvert\w*"
    r"|ouvr\w+|horaires|ferme[es]?|abre[ns]?|abiert[oa]s?|abrimos|cerrad[oa]s?|cierra\w*|horario|apert[oia]"
    r"|apriamo"
    r"|apre|orari[o]?|chius[oia]|geopend|gesloten|opening\w*|openingstijden|accueill\w+|atend\w+|atiende\w*"
    r"|schlie(?:ßt|ßen)|sluit\w*"
    r"|bij ons terecht)\b"
)
CLOSED = re.compile(
    r"\b(?:closed?|closes|closing day|days? off|shut|locked|(?:not|n't|never) (?:be )?open|geschlossen|ruhetage?"
    r"|schließtage?"
    r"|(?:bleibt|bleiben|ist|sind|haben|hat|machen|macht)\b[^.!?;,]{0,40}\bzu(?=[.!;,]|\s?\Z)|(?:nicht"
    r"|kein\w*) (?:\w+ )?geoffnet"
    r"|fermee?s?|fermons|fermeture|n'(?:ouvrons|est|sommes|ouvre) pas (?:ouvert\w*)?|cerrad[oa]s?|cerramos|no abr\w+"
    r"|descansamos"
    r"|cierran?|ferment|schließ(?:t|en)|sluit(?:en)?|chiud(?:e|ono)|chius[oiae]|chiudiamo|non apr\w+"
    r"|riposo|gesloten|dicht|sluitingsdag|rustdag|(?:niet|geen) (?:\w+ )?open)\b"
)
EXCEPT = re.compile(
    r"\b(?:except(?: for)?|apart from|other than|but not|außer|bis auf|ausgenommen|nicht aber|sauf|hormis|excepte"
    r"|excepto|salvo"
    r"|menos|tranne|eccetto|meno|salvo|escluso|behalve|uitgezonderd|maar niet)\b"
)
"""What stands before days on which something is not so."""
_MORNING = (
    r"in the morning|morgens|am morgen|vormittags|am vormittag|du matin|de la manana|del mattino|di mattina"
    r"|'s (?:ochtends|morgens)"
)
_LATER = (
    r"in the (?:afternoon|evening)|at night|nachmittags|am nachmittag|abends|am abend|mittags|du soir|de l'apres-midi"
    r"|de la (?:tarde|noche)|del pomeriggio|(?:di|della) sera|'s (?:middags|avonds)"
)
IN_MORNING = re.compile(rf"(?:\s(?:o'clock|uhr|heures?|horas?|uur))?\s(?:{_MORNING})\b")
IN_LATER_HALF = re.compile(rf"(?:\s(?:o'clock|uhr|heures?|horas?|uur))?\s(?:{_LATER})\b")
"""What stands behind an hour and tells which half of the day it is of."""
HOUR_WORD = re.compile(
    rf"{IN_MORNING.pattern}|{IN_LATER_HALF.pattern}|\s(?:o'clock|uhr|heures?|horas?|uur)\b(?! de (?:la|l'))"
)
"""What makes a time of a number in words."""
PAST = {
    30: re.compile(r"\b(?:half past)\s\Z"),
    15: re.compile(r"\b(?:(?:a )?quarter past|viertel nach|kwart over)\s\Z"),
    -15: re.compile(r"\b(?:(?:a )?quarter to|viertel vor|kwart voor)\s\Z"),
    10: re.compile(r"\b(?:ten past|zehn nach|tien over)\s\Z"),
    -10: re.compile(r"\b(?:zehn vor|tien voor|(?:(?<=at )|(?<=by )|(?<=until )|(?<=before ))ten to)\s\Z"),
    20: re.compile(r"\b(?:twenty past|zwanzig nach)\s\Z"),
    -20: re.compile(r"\b(?:zwanzig vor|(?:(?<=at )|(?<=by )|(?<=until )|(?<=before ))twenty to)\s\Z"),
}
"""What stands before an hour and moves it by minutes."""
AND_MINUTES = {
    30: re.compile(r"(?:\sheures?)?\s(?:et demie?|y media|e mezz[oa])\b"),
    15: re.compile(r"(?:\sheures?)?\s(?:et quart|y cuarto|e un quarto)\b"),
    -15: re.compile(r"(?:\sheures?)?\s(?:moins le quart|menos cuarto|meno un quarto)\b"),
}
"""The same behind it."""
NOON = re.compile(r"\b(?:noon|midday|mittag|midi|mediodia|mezzogiorno)\b")
TIME_CUE = re.compile(
    r"\b(?:at|um|ab|gegen|a|les|las|la|le|alle|dalle|delle|om|vanaf|from|to|until|till|between|before|after|von|bis"
    r"|zwischen"
    r"|van|tot|tussen|des|de|entre|voor|rond|tegen|vers|avant|apres|hasta|desde|prima|dopo|verso|entro|na|en)\s*\Z"
)
AT_TIME: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(r"\b(?:at|until|till|before|from|by)\s\Z"),
    "de": re.compile(r"\b(?:um|bis|ab|gegen|von)\s\Z"),
    "fr": re.compile(r"(?:\b(?:a|des|avant|vers|a partir de)|jusqu'a)\s\Z"),
    "es": re.compile(r"\blas?\s\Z"),
    "it": re.compile(r"\b(?:(?:alle|dalle|delle|le)\s|(?:al|dal)?l')\Z"),
    "nl": re.compile(r"\b(?:om|tot|vanaf|voor|tegen|rond)\s\Z"),
}
"""What makes an hour of a number in words that counts nothing; French needs the word for hours behind it."""
BETWEEN_TIMES = re.compile(
    r"\s?(?:-|to|until|till|and|bis|und|a|et|jusqu'a|y|hasta|e|alle|fino alle|tot|en)\s(?:las? |le |halb |half "
    r"|half past |kwart over "
    r"|kwart voor |(?:a )?quarter (?:past|to) |viertel (?:nach|vor) )?\Z"
)
FROM_TIME = re.compile(
    r"\b(?:from|between|von|zwischen|de|entre|desde|dalle|tra|fra|van|tussen) (?:las |la |le )?\Z"
)
"""What stands before the first of two times, and between the two."""

_DAYS_OR_HOURS = "uhr|uur|" + "|".join(DAY_NAMES)
DAY_OR_HOUR = re.compile(rf"(?:{_DAYS_OR_HOURS})s?")
