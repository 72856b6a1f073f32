"""Reads a place that prose gives a name: "the second is Acme", "Platz 2 belegt Acme", "Acme ranks third"."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from typing import Final

from ahocorasick_rs import AhoCorasick, Implementation

from analytics.text.folding import fold

_LOOK: Final = 64
"""Characters of the text before and after a name in which its place is looked for."""

_ORDINALS = {
    1: "top first firstly 1st erstens premierement erste[rnms]? primer[oa]? premier premiere prim[oa] primeir[oa] eerste pierwsz[aey]m? birinci ilk 1er 1ere 1re перв[а-я]{2,3} و?الاول[يه]? ה?ראשו(?:ן|נה) पहला पहले पहली 첫",
    2: "second secondly 2nd zweitens deuxiemement runner-?up zweite[rnms]? segund[oa] deuxieme second[eoa]? tweede drugi(?:e|ego|ej|m)? druga ikinci втор[а-я]{2,3} 2e 2eme و?الثاني[ه]? ה?שני(?:ה|יה)? दूसरा दूसरे दूसरी 두",
    3: "third thirdly 3rd drittens troisiemement dritte[rnms]? tercer[oa]? troisieme terz[oa] terceir[oa] derde trzeci[a-z]{0,2} ucuncu трет[а-я]{2,3} 3e 3eme و?الثالث[ه]? ה?שלישית? तीसरा तीसरे तीसरी 세",
    4: "fourth 4th viertens vierte[rnms]? cuart[oa] quatrieme quart[oa] vierde czwart[aey]m? dorduncu четверт[а-я]{2,3} 4e 4eme و?الرابع[ه]? ה?רביעית? चौथा चौथे चौथी 네",
    5: "fifth 5th funfte[rnms]? quint[oa] cinquieme vijfde piat[aey]m? besinci пят[а-я]{2,3} 5e 5eme و?الخامس[ه]? ה?חמישית? पांचवां पांचवें पांचवी 다섯",
    6: "sixth 6th sechste[rnms]? sext[oa] sixieme sest[oa] zesde szost[aey]m? altinci шест[а-я]{2,3} السادس[ه]?",
    7: "seventh 7th siebte[rnms]? septim[oa] septieme settim[oa] setim[oa] zevende siodm[aey]m? yedinci седьм[а-я]{2,3} السابع[ه]?",
    8: "eighth 8th achte[rnms]? octav[oa] huitieme ottav[oa] oitav[oa] achtste osm[aey]m? sekizinci восьм[а-я]{2,3} الثامن[ه]?",
    9: "ninth 9th neunte[rnms]? noven[oa] neuvieme non[oa] negende dziewiat[aey]m? dokuzuncu девят[а-я]{2,3} التاسع[ه]?",
    10: "tenth 10th zehnte[rnms]? decim[oa] dixieme tiende dziesiat[aey]m? onuncu десят[а-я]{2,3} العاشر[ه]?",
}
_CHINESE = "一二三四五六七八九十"
WORDS: Final = "|".join(f"(?P<o{rank}>{'|'.join(words.split())})" for rank, words in _ORDINALS.items())
PLACE_NOUN: Final = (
    "up|place|spot|position|choice|pick|recommendation|option|rank|best|one|on the list|in the list|overall|stelle|platz|rang|wahl|empfehlung|lugar|puesto|opcion|posicion"
    "|place|rang|choix|posto|posizione|scelta|lugar|posicao|opcao|plaats|plek|keuze|miejscu|miejsce|pozycji|sirada|sira|sirayi|месте|место|строчке"
    "|المرتبه|المركز|स्थान|नंबर|नम्बर|번째"
)
LINK: Final = (
    "is|was|goes to|belongs to|comes|we have|would be|would go to|falls to|is taken by|is held by|lands|sits|ranks|stands|i'd put|i would put|i'd place"
    "|ist|wird|wurde|geht an|belegt|steht|kommt|folgt|liegt|nimmt|landet|rangiert|findet sich|sehe ich|es|esta|lo ocupa|para|queda|viene|se situa|se coloca|se ubica|est|revient a|est occupee par"
    "|vient|arrive|on trouve|se trouve|e|c'e|troviamo|va a|si trova|si piazza|si colloca|arriva|spetta a|fica|aparece|ficou|vem|esta|staat|komt|gaat naar|eindigt|volgt|vinden we|to|jest|zajmuje|znajduje sie|plasuje sie|przypada|nalezy do"
    "|это|находится|идет|стоит|занимает|оказалась|оказался|هو|هي|تاتي|ياتي|نجد|تحتل|يحتل|है|पर|आता|आती|से"
)
_ARTICLE = (
    "the|a|an|der|die|das|el|la|los|las|le|les|l'|il|lo|i|gli|o|a|os|as|de|het|firma|company|компания|شركه"
)
NUMBERED: Final = (
    r"(?:number|nummer|numero|no\.?|nr\.?|platz|rang|rank|place|position|puesto|posto|posicion|posizione|miejsce|место|#) ?(?P<n1>\d{1,2}|one|two|three|four|five|eins|zwei|drei|vier|funf|uno|dos|tres|due|tre|un|deux|trois|een|twee|drie|um|dois)(?!\w)"
    r"|(?P<n2>\d{1,2})(?:-?[eея]| ?\.)? (?:место|miejsce|miejscu|месте|sirada|sira)"
)
"""A place by its number."""
_SPACED = re.compile(
    rf"(?<!\w)(?:(?P<lead>(?:و?(?:ب|في )?(?:المرتبه|المركز|المكان)|miejsce|место|ו?ב?ה?מקום) )?(?:{WORDS})(?P<noun>(?: (?:{PLACE_NOUN})){{1,2}})?"
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
    rf"|[则則也]?(?:は|が|在|排名|位居|位列|排在|排|居|名列|获得|获|拿下)?第(?:(?P<zhn>\d{{1,2}})|(?P<zh>[{_CHINESE}]))(?:位|名)?|(?:は|が)(?P<ja>\d{{1,2}})位|(?:은|는|이|가) ?(?P<kon>\d{{1,2}})위"
)
_COUNTS_ON = re.compile(
    r"[\"'”*]{0,3},? (?:(?P<o2>second|2nd|deuxieme|segund[oa]|second[oa]|zweite[rs]?|tweede)|(?P<o3>third|3rd|troisieme|tercer[oa]?|terz[oa]|dritte[rs]?|derde)|(?P<o4>fourth|4th)|(?P<o5>fifth|5th))(?=[.,;)]|$| and )"
)
_JOINED = re.compile(r"[*_\"”]{0,3},? (?:(?:and|&|und|y|e|et|en|i|и) )?[*_\"“]{0,3}")
_TIE = re.compile(
    r"[*_\"”]{0,3} (?:are |both |have |finished |finish ){0,2}(?:tie|tied|share|shared|joint)\b"
)
_HINTS = (
    "top three",
    "top five",
    "top spot",
    "top place",
    "top position",
    "top choice",
    "top pick",
    "top recommendation",
    "top option",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "1st",
    "2nd",
    "3rd",
    "number",
    "rank",
    "place",
    "#",
    "no.",
    "platz",
    "rang",
    "erste",
    "zweite",
    "dritte",
    "vierte",
    "puesto",
    "lugar",
    "primer",
    "segund",
    "tercer",
    "premi",
    "deuxi",
    "troisi",
    "posto",
    "primo",
    "prima",
    "terz",
    "posiz",
    "posi",
    "plaats",
    "nummer",
    "eerste",
    "tweede",
    "derde",
    "pierwsz",
    "drugi",
    "trzeci",
    "miejsc",
    "birinci",
    "ikinci",
    "üçüncü",
    "sırada",
    "перв",
    "втор",
    "трет",
    "мест",
    "位",
    "名",
    "위",
    "번째",
    "つ目",
    "番目",
    "الأول",
    "الاول",
    "الثاني",
    "الثالث",
    "المركز",
    "पहल",
    "दूसर",
    "तीसर",
    "स्थान",
    "नंबर",
    "position",
    "4th",
    "5th",
    "fünfte",
    "cuart",
    "quart",
    "quatri",
    "quint",
    "cinqui",
    "vijfde",
    "czwart",
    "piąt",
    "dördünc",
    "beşinci",
    "runner",
    "sixth",
    "מקום",
    "首选",
    "首選",
    "榜首",
    "次に",
    "推荐",
    "推薦",
    "추천",
    "يلي",
    "(2e",
    "na czele",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "6th",
    "7th",
    "8th",
    "9th",
    "10th",
    "ilk",
    "其次",
    "紧随",
    "次いで",
    "続いて",
    "다음",
    "이어",
    "그 뒤",
    "followed",
    "gefolgt",
    "suivi",
    "seguid",
    "seguit",
    "gevolgd",
    "volgt",
    "folgt",
    "sigue",
    "segue",
    "follows",
    "reihenfolge",
    "luego",
    "por último",
    "takip ed",
    "تلي",
    "topped",
    "tuż za",
    "za nim",
    "za nią",
    "следом",
    "за ним",
    "אחרי",
    "order",
    "ordine",
    "orden",
    "ordem",
    "ordre",
    "folge",
    "volgorde",
    "kolejno",
    "порядке",
    "sırayla",
    "の順",
    "依次",
    "순으로",
    "순서",
    "to worst",
    "ranking",
    "> ",
    "bovenaan",
    "drittens",
    "четверт",
    "пят",
    "الرابع",
    "الخامس",
    "चौथ",
    "पांचव",
)
_WHOLE = frozenset(("rang", "rank", "number", "place"))
_SPELLED = {
    "첫": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5,
    "eins": 1, "zwei": 2, "drei": 3, "vier": 4, "funf": 5, "uno": 1, "dos": 2, "tres": 3, "due": 2, "tre": 3,
    "un": 1, "deux": 2, "trois": 3, "een": 1, "twee": 2, "drie": 3, "um": 1, "dois": 2,
}  # fmt: skip


@cache
def _hints() -> AhoCorasick:
    return AhoCorasick(list(_HINTS), implementation=Implementation.DFA)


def place_words(text: str) -> list[int]:
    """Where a text holds the beginning of a word for a place, in order."""
    lower = text.replace("İ", "i").lower()  # the one letter whose lower case is longer
    searchable = lower.encode("utf-8", "replace").decode()  # the automaton refuses lone surrogates
    return [
        start
        for _, start, end in _hints().find_matches_as_indexes(searchable)
        if not (
            lower[start].isascii() and (_is_letter(lower, start - 1) or _is_other_word(lower, start, end))
        )
    ]


def _is_letter(text: str, at: int) -> bool:
    return at >= 0 and text[at].isascii() and text[at].isalpha() and text[at + 1].isalpha()


def _is_other_word(text: str, start: int, end: int) -> bool:
    """Whether what begins as `Rang` or `place` goes on as `range` or `placement`."""
    return text[start:end] in _WHOLE and text[end : end + 1].isalpha()


def has_place_word(places: Sequence[int], start: int, end: int) -> bool:
    """Whether one of the words for a place stands so near to a name that it can give it its place."""
    at = bisect_left(places, start - _LOOK)
    return at < len(places) and places[at] < end + _LOOK


def place_of(text: str, start: int, end: int, last: tuple[int, int] | None = None) -> int | None:
    """Return the place that the words around the name at `[start, end)` give it, None if they give none.

    `last` is the place that was given last, and where: an ordinal that has nothing but the name after it counts on from
    it within a sentence ("first place goes to Acme, second Bravo").
    """
    low = max(text.rfind(mark, max(0, start - _LOOK), start) + 1 for mark in "\n.;!?。")
    same_sentence = last is not None and last[1] >= low
    before, after = fold(text[max(low, start - _LOOK) : start]).text, fold(text[end : end + _LOOK]).text
    spaced = _SPACED.search(before)
    loose = spaced is not None and spaced["link"] in (None, ",")
    follows = _AFTER.match(after) if spaced is not None and spaced["link"] == "," else None
    if follows is not None:  # "Acme takes the top spot, Bravo comes second"
        return number_of(follows)
    if spaced is not None and (not loose or any(spaced[group] for group in ("lead", "noun", "n1", "n2"))):
        return number_of(spaced)
    match = _GLUED.search(before) or _AFTER.match(after)
    if match is not None:
        return number_of(match)
    # A comma may as well close what was said of the name before: "Acme came first, Bravo second".
    if (
        spaced is not None
        and spaced["link"]
        and not (last and same_sentence and last[0] == number_of(spaced))
    ):
        return number_of(spaced)
    counted = spaced or _COUNTS_ON.match(after)
    place = number_of(counted) if counted is not None else None
    return place if last and same_sentence and place == last[0] + 1 else None


def are_tied(text: str, before: tuple[int, int], name: tuple[int, int]) -> bool:
    """Whether two names share a place: "Acme and Bravo tie for first"."""
    joined = _JOINED.fullmatch(text, before[1], name[0])
    return joined is not None and _TIE.match(text, name[1]) is not None


def number_of(match: re.Match[str]) -> int | None:
    """Return the place that a match of `WORDS` or `NUMBERED` gives."""
    for name, shown in match.groupdict().items():
        if not shown or name in ("link", "lead", "noun"):
            continue
        if name[0] in "orst" and name[1:].isdigit():
            return int(name[1:])
        if shown in _SPELLED:
            return _SPELLED[shown]
        return _CHINESE.index(shown) + 1 if shown in _CHINESE else int(shown)
    return None
