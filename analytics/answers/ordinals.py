"""Reads a place that prose gives a name: "the second is Acme", "Platz 2 belegt Acme", "Acme ranks third"."""

import re
from typing import Final, NamedTuple

from analytics.answers.discourse_marks import is_discourse_mark
from analytics.answers.place_hints import NEAR
from analytics.answers.place_signs import NAME
from analytics.text.folding import fold

_ORDINALS = {
    1: r"top first firstly 1st erstens premierement erste[rnms]? primer[oa]? premier premiere prim[oa] primeir[oa] eerste pierwsz(?:a|e|y|ym|ego|ej) birinci(?:si|lik|ligi)? ilk 1er 1ere 1re перв[а-я]{2,3} و?الاول[يه]? ה?ראשו(?:ן|נה) पहला पहली पहले(?=\s(?:नंबर|नम्बर|स्थान|पायदान|पर))",
    2: "second secondly 2nd zweitens deuxiemement runner-?up zweite[rnms]? zweit(?:beste|meiste|hochste|gunstigste)[rnms]? segund[oa] deuxieme second[eoa]? tweede drugi(?:e|ego|ej|m)? druga ikinci(?:si|lik|ligi)? втор[а-я]{2,3} 2e 2eme و?الثاني[ه]? ה?שני(?:ה|יה)? दूसरा दूसरे दूसरी",
    3: "third thirdly 3rd drittens troisiemement dritte[rnms]? dritt(?:beste|meiste|hochste|gunstigste)[rnms]? tercer[oa]? troisieme terz[oa] terceir[oa] derde trzeci[a-z]{0,2} ucuncu(?:su|luk|lugu)? трет[а-я]{2,3} 3e 3eme و?الثالث[ه]? ה?שלישית? तीसरा तीसरे तीसरी",
    4: "fourth 4th viertens vierte[rnms]? cuart[oa] quatrieme quart[oa] vierde czwart[aey]m? dorduncu(?:su|luk)? четверт[а-я]{2,3} 4e 4eme و?الرابع[ه]? ה?רביעית? चौथा चौथे चौथी",
    5: "fifth 5th funfte[rnms]? quint[oa] cinquieme vijfde piat[aey]m? besinci(?:si|lik)? пят[а-я]{2,3} 5e 5eme و?الخامس[ه]? ה?חמישית? पांचवां पांचवें पांचवी",
    6: "sixth 6th sechste[rnms]? sext[oa] sixieme sest[oa] zesde szost[aey]m? altinci шест[а-я]{2,3} السادس[ه]?",
    7: "seventh 7th siebte[rnms]? septim[oa] septieme settim[oa] setim[oa] zevende siodm[aey]m? yedinci седьм[а-я]{2,3} السابع[ه]?",
    8: r"eighth 8th achte[nms]? achter(?=\s(?:platz|rang)) octav[oa] huitieme ottav[oa] oitav[oa] achtste osm[aey]m? sekizinci восьм[а-я]{2,3} الثامن[ه]?",
    9: "ninth 9th neunte[rnms]? noven[oa] neuvieme non[oa] negende dziewiat[aey]m? dokuzuncu девят[а-я]{2,3} التاسع[ه]?",
    10: "tenth 10th zehnte[rnms]? decim[oa] dixieme tiende dziesiat[aey]m? onuncu десят[а-я]{2,3} العاشر[ه]?",
}
_CHINESE = "一二三四五六七八九十"
WORDS: Final = "|".join(f"(?P<o{rank}>{'|'.join(words.split())})" for rank, words in _ORDINALS.items())
PLACE_NOUN: Final = (
    "up|best|mejor|meilleure?|migliore|melhor|place|spot|position|choice|pick|recommendation|suggestion|option|rank|best|one|on (?:my|the|our) list|in (?:my|the) list|overall|in line"
    "|stelle|platz|platze|rang|wahl|empfehlung|option|alternative|adresse|favorit|auf (?:meiner|der) liste|lugar|puesto|opcion|posicion|eleccion|recomendacion|sugerencia|alternativa|plaza"
    "|(?:en|de) (?:mi|la) lista|place|rang|choix|position|option|recommandation|de (?:ma|la) liste|marche(?: du podium)?|posto|posizione|scelta|opzione|consiglio"
    "|della (?:mia )?lista|in lista|gradino|battuta|istanza|suggerimento|della classe|del gruppo|classificat[oa]"
    "|lugar|posicao|opcao|escolha|recomendacao|colocad[oa]|indicacao|sugestao|dica|da (?:minha )?lista|plaats|plek|keuze|keus|voorkeur|optie|alternatief|aanrader|op (?:mijn|de) lijst"
    "|miejscu|miejsce|pozycji|pozycja|pozycje|wyborem|wybor|opcja|opcje|propozycja|sugestia|alternatywa|kolejnosci|w kolejnosci|na (?:mojej )?liscie"
    "|sirada|sira|sirayi|siraya|tercih|tercihim|onerim|onerimiz|secenek|tavsiye|tavsiyem|tavsiyemiz|secenegim|secimim|olarak"
    "|месте|место|места|строчке|строчка|строчку|строку|позиции|позиция|позицию|выбор|вариант|вариантом|альтернатива|очередь|номер|номером|рекомендация|совет|в списке|по списку|в рейтинге"
    "|المرتبه|المركز|स्थान|नंबर|नम्बर|पसंद|विकल्प|पायदान|सिफारिश|चुनाव"
)
LINK: Final = (
    "is|was|goes to|belongs to|comes|we have|would be|would go to|falls to|is taken by|is held by|lands|sits|ranks|stands|i'd put|i would put|i'd place|i'd pick|i'd choose|i'd name|i'd recommend|i have"
    "|ist|war|ware|wird|bleibt|wurde|geht an|belegt|holt sich|sichert sich|steht|kommt|kame|folgt|liegt|nimmt|landet|rangiert|findet sich|sehe ich|wurde ich|setze ich|nenne ich|bleibt"
    "|es|seria|esta|estaria|lo ocupa|para|queda|viene|vendria|iria|se situa|se coloca|se ubica|aparece|recomiendo|recomendaria|pondria|elegiria|nombraria|est|serait|revient a|est occupee par|je recommande|je mets|il y a"
    "|vient|arrive|on trouve|se trouve|e|c'e|troviamo|va a|si trova|si piazza|si colloca|arriva|spetta a|sarebbe|metto|metterei|consiglio|consiglierei|direi|fica|fica com|aparece|ficou|vem|viria|vai para|recomendo|recomendaria|escolheria|colocaria"
    "|staat|komt|wordt|gaat(?: uit)? naar|naar|eindigt|volgt|vinden we|is voor|zet ik|zou ik|noem ik|to|jest|byla|byl|bylo|zostala|zostal|bylaby|bylby|byloby|bedzie|zajmuje|znajduje sie|plasuje sie|przypada|nalezy do"
    "|polecam|polecilbym|polecilabym|postawilbym|postawilabym|stawiam|umiescilbym|umiescilabym|dalbym|dalabym|wskazalbym|wskazalabym|wybralbym|wybralabym"
    "|это|находится|идет|стоит|занимает|оказалась|оказался|у|я бы поставил|я бы поставила|я бы назвал|я бы назвала|я бы посоветовал|я бы посоветовала|стоит назвать|рекомендую|поставлю|был бы"
    "|هو|هي|فهو|فهي|تاتي|ياتي|نجد|تحتل|يحتل|من نصيب|لصالح|انصح ب|है|पर|आता|आती|से|में|मैं"
)
_ARTICLE = "the|a|an|der|die|das|el|la|los|las|le|les|l'|il|lo|i|gli|o|a|os|as|de|het|da|do|a la|al|pour|firma|company|компания|شركه"
NUMBERED: Final = (
    r"(?:number|nummer|numero|numerem|numer|номер|номером|و?رقم|नंबर|no\.|no(?= \d)|nr\.?|platz|rang|rank|place|position|puesto|posto|posicion|posizione|plaats|plek|miejsce|место|#) ?(?P<n1>\d{1,2}|one|two|three|four|five|eins|zwei|drei|vier|funf|uno|dos|tres|due|tre|un|deux|trois|een|twee|drie|um|uma|dois|duas|jeden|dwa|trzy|один|два|три|واحد|اثنين|اثنان|ثلاثه|एक|दो|तीन)(?!\w)"
    r"|(?P<n2>\d{1,2})(?:-?[eея]| ?\.)? (?:место|miejsce|miejscu|месте|sirada|sira|sirayi|siraya|platz|platze|rang|stelle|position|plaats|pozycj[aie])|(?P<n3>bir|iki|uc) numara(?:m|da|li(?: (?:onerim|tercihim|secenek|secim))?)?"
)
"""A place by its number."""
_SPACED = re.compile(
    rf"(?<!\w)(?:(?P<lead>(?:و?(?:ب|في )?(?:المرتبه|المركز|المكان|المقام|الخيار|خياري)|miejsce|место|ו?ב?ה?מקום) )?(?:{WORDS})(?P<noun>(?:[ -](?:{PLACE_NOUN})){{1,2}})?"
    rf"|{NUMBERED})"
    rf"(?P<link>,|:| -|,?(?: (?:{LINK})){{1,2}}:?)?(?: (?:{_ARTICLE})){{0,2}} ?[\"'“(\[]?\Z"
)
_GLUED = re.compile(
    rf"(?:第?(?:(?P<n1>\d{{1,2}})|(?P<han>[{_CHINESE}]))(?:位|名|위|순위|등|个|つ目|番目|推荐|推薦|选择|選擇)(?:的?(?:是|為|为)|は|が|に|：|:|，|、|는|은|로는|에는|가|의)? ?"
    r"|排名第(?P<han2>[一二三四五六七八九十])的?(?:是|为|，)? ?|(?P<ko>첫|두|세|네|다섯) ?번째(?:는|로는|로|가)? ?)[「『“\"]?\Z"
)
_AFTER = re.compile(
    r"[\"'”*]{0,3} (?:(?:was|tie|ties|tied|are tied|share|shares|shared|ranks|ranked|comes|came|takes|took|lands|sits|finishes|finished|places|placed|holds|is ranked|was ranked|is|stands|earns|claims)"
    r"(?: (?:for|joint|in|at|the|as|on|our|my|ranked|solidly|a close)){0,3} (?:#|number |no\.? ?)?(?:(?P<o1>first|1st|one|top(?= (?:spot|place|position)))|(?P<o2>second|2nd|two)|(?P<o3>third|3rd|three)"
    r"|(?P<o4>fourth|4th|four)|(?P<o5>fifth|5th|five)|(?P<o6>sixth|6th|six)|(?P<o7>seventh|7th)|(?P<o8>eighth|8th)|(?P<o9>ninth|9th)|(?P<o10>tenth|10th)|(?P<number>\d{1,2}))(?: (?:place|spot|position|overall)|[.,;)](?!\d)|$| (?:on|in|behind|with|among|and|while|but)(?= ))"
    r"|(?:rounds? out|completes?|closes) (?:the|our|my) top (?:(?P<t3>three|3)|(?P<t5>five|5))\b"
    r"|(?:belegt|erreicht|liegt auf|steht auf|landet auf|kommt auf)(?: den)? (?:platz|rang) (?P<de>\d{1,2})|(?:ocupa|occupa|occupe)(?: (?:el|la|il|le|o)){0,1} "
    r"(?:(?P<r1>primer[oa]?|prim[oa]|premiere?|primeiro)|(?P<r2>segund[oa]|second[oae]?|deuxieme)|(?P<r3>tercer[oa]?|terz[oa]|troisieme|terceiro)) (?:lugar|puesto|posto|place|posizione)"
    r"|(?:занимает|zajmuje) (?:(?P<s1>первое|pierwsze)|(?P<s2>второе|drugie)|(?P<s3>третье|trzecie)) (?:место|miejsce))"
    rf"|[则則也]?(?:は|が|在|排名|位居|位列|排在|排|居|名列|获得|获|拿下)?第(?:(?P<zhn>\d{{1,2}})|(?P<zh>[{_CHINESE}]))(?:位|名|(?=[,.;:。、)]|$))|(?:は|が)(?P<ja>\d{{1,2}})位|(?:은|는|이|가) ?(?P<kon>\d{{1,2}})위"
)
_COUNTS_ON = re.compile(
    r"[\"'”*]{0,3},? (?:(?P<o2>second|2nd|deuxieme|segund[oa]|second[oa]|zweite[rs]?|tweede)|(?P<o3>third|3rd|troisieme|tercer[oa]?|terz[oa]|dritte[rs]?|derde)|(?P<o4>fourth|4th)|(?P<o5>fifth|5th))(?=[.,;)]|$| and )"
)
_PART_ENDS = re.compile(r"[,;:]| (?:and|und|y|et|en|i|и|ve) ")
_STATES = re.compile(
    r"rank|place|finish|position|spot|overall|platz|rang|puesto|lugar|posto|место|miejsce|\d|位|名|위|등"
)
"""Says of a place behind its name that it is one, which "is second" may not."""
_JOINED = re.compile(r"[*_\"”]{0,3},? (?:(?:and|&|und|y|e|et|en|i|и) )?[*_\"“]{0,3}")
_TIE = re.compile(
    r"[*_\"”]{0,3} (?:are |both |have |finished |finish ){0,2}(?:tie|tied|share|shared|joint)\b"
)
_SPELLED = {
    "첫": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5,
    "eins": 1, "zwei": 2, "drei": 3, "vier": 4, "funf": 5, "uno": 1, "dos": 2, "tres": 3, "due": 2, "tre": 3,
    "un": 1, "deux": 2, "trois": 3, "een": 1, "twee": 2, "drie": 3, "um": 1, "uma": 1, "dois": 2, "duas": 2,
    "jeden": 1, "dwa": 2, "trzy": 3, "один": 1, "два": 2, "три": 3, "واحد": 1, "اثنين": 2, "اثنان": 2, "ثلاثه": 3,
    "एक": 1, "दो": 2, "तीन": 3, "bir": 1, "iki": 2, "uc": 3,
}  # fmt: skip


class StatedPlace(NamedTuple):
    """A place from 1; only a noun or a number states one, and an ordinal alone may count something else."""

    number: int
    stated: bool


def place_of(
    text: str, start: int, end: int, last: tuple[int, int] | None = None, previous: int = 0
) -> StatedPlace | None:
    """Return the place that the words around the name at `[start, end)` give it, None if they give none.

    `last` is the place that was given last, and where: an ordinal that has nothing but the name after it counts on from
    it within a sentence ("first place goes to Acme, second Bravo"). `previous` is where the name before ends: a place
    behind it in its part of the sentence is its own ("Acme at number one, Bravo").
    """
    low = max(text.rfind(mark, max(0, start - NEAR), start) + 1 for mark in "\n.;!?。।")
    same_sentence = last is not None and last[1] >= low
    before, after = fold(text[max(low, start - NEAR) : start]).text, fold(text[end : end + NEAR]).text
    spaced = _SPACED.search(before)
    if spaced is not None and is_discourse_mark(f"{before}{NAME}{after}", spaced.start(), _end(spaced)):
        return None
    if spaced is not None and spaced["link"] == "," and previous > low and NAME not in before:
        own = fold(text[previous:start]).text
        if not _PART_ENDS.search(own, 0, max(0, len(own) - (len(before) - spaced.start()))):
            spaced = None
    loose = spaced is not None and spaced["link"] in (None, ",")
    follows = _AFTER.match(after) if spaced is not None and spaced["link"] == "," else None
    if follows is not None:  # "Acme takes the top spot, Bravo comes second"
        return _place(follows)
    if spaced is not None and (not loose or _is_stated(spaced)):
        return _place(spaced)
    match = _GLUED.search(before) or _AFTER.match(after)
    if match is not None:
        return _place(match)
    # A comma may as well close what was said of the name before: "Acme came first, Bravo second".
    if (
        spaced is not None
        and spaced["link"]
        and not (last and same_sentence and last[0] == number_of(spaced))
    ):
        return _place(spaced)
    counted = spaced or _COUNTS_ON.match(after)
    place = _place(counted) if counted is not None else None
    return place if place and last and same_sentence and place.number == last[0] + 1 else None


def _place(match: re.Match[str]) -> StatedPlace | None:
    number = number_of(match)
    return StatedPlace(number, _is_stated(match) or _STATES.search(match[0]) is not None) if number else None


def _is_stated(match: re.Match[str]) -> bool:
    """Whether a noun or a number makes the ordinal a place."""
    groups = match.groupdict()
    return any(groups.get(name) for name in ("lead", "noun", "n1", "n2", "n3"))


def _end(spaced: re.Match[str]) -> int:
    """Where an ordinal with its noun ends, before what links it to the name."""
    return spaced.start("link") if spaced["link"] else spaced.end()


def are_tied(text: str, before: tuple[int, int], name: tuple[int, int]) -> bool:
    """Whether two names share a place: "Acme and Bravo tie for first"."""
    joined = _JOINED.fullmatch(text, before[1], name[0])
    return joined is not None and _TIE.match(text, name[1]) is not None


def number_of(match: re.Match[str]) -> int | None:
    """Return the place that a match of `WORDS` or `NUMBERED` gives."""
    for name, shown in match.groupdict().items():
        if not shown or name in ("link", "lead", "noun", "full", "verb"):
            continue
        if name[0] in "orst" and name[1:].isdigit():
            return int(name[1:])
        if shown in _SPELLED:
            return _SPELLED[shown]
        return _CHINESE.index(shown) + 1 if shown in _CHINESE else int(shown)
    return None
