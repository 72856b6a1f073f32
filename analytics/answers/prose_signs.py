"""Finds in a sentence what speaks of places: names, ordinals, who leads, who follows, who is last."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from analytics.answers.ordinals import LINK, NUMBERED, PLACE_NOUN, WORDS, number_of

NAME: Final = "\u25c6"
"""Stands in a folded sentence for a name."""
NEXT: Final = -1
"""The place of who follows the one before; a word such as "then" or "followed by" gives it."""
LAST: Final = -2
"""The place after all others of a sentence."""

_FUNCTION_WORDS = (
    "in on at with and for because since due thanks to as by from if but or then among behind after over"
    " ahead while so where overall"
    " though although despite given especially mainly is was would"
    " und wegen weil dank fur mit vor hinter da aber sowie auf im bei ist"
    " y por porque gracias para con aunque pero ya seguid[oa] en es debido"
    " et pour grace car avec devant derriere mais a est en suivi[es]* notamment"
    " e per perche grazie con davanti ma da di seguit[oa]"
    " en vanwege omdat dankzij voor door met maar gevolgd wegens"
    " pela pelo pelos porque gracas com mas devido"
    " i ze dzieki bo za przed oraz ale"
    " и из-за благодаря за потому так но с"
    " ve ise ile"
)
_STANDS_ALONE = re.compile(
    rf"[ \"'*]{{0,4}}(?:[-,:.;()]|\Z|{NAME}|(?:{LINK}|{'|'.join(_FUNCTION_WORDS.split())})(?!\w))"
)
"""May follow an ordinal that has no noun; before another noun (`in its first year`) it gives no place."""
_FIGURES_OF_SPEECH = re.compile(
    r"(?:first|second|third)[- ](?:hand|party|class|time|rate|generation|thoughts?|glance)(?!\w)"
    r"|(?:segunda|deuxieme|seconde?|seconda|zweite[rn]?|tweede|druga|drugiej)[- ]?"
    r"(?:mano?|main|hands?|mao|reki)(?!\w)"
    r"|first and foremost|second(?:s)? (?:to none|only|to|nature|opinion)|(?:in the|at) first(?: place)?(?= )"
)
_PLACE = re.compile(
    rf"(?<!\w)(?:(?P<lead>(?:المرتبه|المركز|المكان|miejsce"
    rf"|место) )?(?:{WORDS})(?P<noun>(?: (?:{PLACE_NOUN}))+)?|{NUMBERED})(?!\w)"
)
_LEADS_TEXT = (
    r"on top|at the top|tops|topped|takes? the lead|leads(?! to)|leading|winner|wins|favou?rite|standout|leader|best"
    r"|top (?:pick|choice|spot|recommendation)"
    r"|vorne?|an der spitze|an die spitze|ganz vorn|die nase vorn|spitzenreiter|testsieger|sieger|favorit|gewinnt"
    r"|fuhrt|am besten|beste[rs]?"
    r"|en tete|l'emporte|remporte|gagnante?|vainqueur|meilleure?|domine"
    r"|a la cabeza|encabeza|lidera|gana|ganadora?|mejor|favorit[aeo]"
    r"|in testa|in cima|vince|guida|vincitore|vincitrice|migliore|preferit[ao]"
    r"|na frente|no topo|vence|vencedora?|melhor"
    r"|bovenaan|aan kop|wint|winnaar|koploper|favoriet|beste"
    r"|na czele|wygrywa|zwyciezca|zwycieza|lider|prowadzi|najleps[a-z]{1,3}"
    r"|лидирует|возглавляет|побеждает|победител[а-я]{1,2}|лидер|лучш[а-я]{2}"
    r"|zirvede|basi cekiyor|onde|kazanan"
)
_LEADS = re.compile(
    rf"(?<!\w)(?:{_LEADS_TEXT})(?!\w)"
    r"|首位|首选|首選|最推荐|最推薦|(?:最も|一番)お(?:すすめ|勧め)|トップ|榜首|领跑|領先|领先|선두|최고|가장 추천"
)
"""Says without a number who comes first; it counts where the text goes on with the second."""
_SUPERLATIVE = re.compile(
    r"(?<!\w)(?:(?:the|my|your|our) (?:most|safest|cheapest|strongest|easiest|fastest"
    r"|simplest|largest|biggest|lowest|highest)"
    r"|am [a-z]{3,20}sten|(?:die|der|das) [a-z]{3,20}ste[nr]?"
    r"|(?:le|la|les) (?:plus|mieux|moins cher[a-z]{0,2})"
    r"|(?:mas|piu|mais) (?!que|di|de|do|da)[a-z]{4,20}"
    r"|(?:het|de) [a-z]{3,20}st(?:e|en)?|naj[a-z]{3,16}|сам[а-я]{2,3}|наиболее"
    r"|en (?:iyi|ucuz|cok|guvenilir|hizli|uygun)"
    r"|ביותר|הכי|الاكثر|الافضل|الارخص|सबसे)(?!\w)|最(?!近|后|後|終|终|初|大限)|一番|가장|제일"
)
"""Says of somebody that nobody is more so; who is first, where the next sentence goes on with the second."""
_FOLLOW_VERBS = (
    r"(?:closely |immediately |narrowly )?followed(?: \w{1,12})? by|(?:dicht |knapp )?gefolgt von"
    r"|suivi[es]* (?:de|par|d')(?: pres par)?"
    r"|seguid[oa]s? (?:muy )?(?:de cerca )?(?:de|por)|seguid[oa]s? pel[oa]"
    r"|seguit[oaie] (?:a ruota )?d[aei][a-z']{0,3}|(?:op de voet )?gevolgd door"
    r"|(?:tuz )?za (?:nim|nia)|за ним(?: следует| идет)?|следом(?: за ним)?(?: следует| идет| стоит)?"
    r"|(?:ihm |ihr |darauf |es )?folgt|(?:le|lo|la) siguen?|(?:lo |la )?segue|segue-se|volgt"
    r"|و?(?:ي|ت)ليه?ا?|ו?אחרי[והםן]"
)
"""Say themselves that somebody comes after another, where "then" may only go on with the text."""
_FOLLOW_SIGNS = (
    r"其次(?:是|为|可以?考虑|可以选择|推荐)?|次いで|続いて|次に(?:は|[ぁ-ん一-龯]{1,6}の[はが])?"
    r"|그? ?다음(?:은|으로|으로는)?"
)
"""The same where words are not parted."""
_THEN = (
    r"(?:then|after (?:that|it|which)|next)(?:,? (?:comes?|is|i'd|i would|by|[a-z]{1,12})){0,4}?"
    r"|danach(?: \w{1,10})?|dann(?: \w{1,10})?|puis|ensuite|vient ensuite|despues|luego|poi|quindi|daarna|vervolgens"
    r"|depois|em seguida|a continuacion|nastepnie|potem|затем|далее|потом|ardindan|sonra|onu|ثم"
)
_FOLLOWS = re.compile(
    rf"(?<!\w)(?:{_FOLLOW_VERBS}|{_THEN})"
    rf"(?:,? (?:the|a|an|der|die|das|el|la|le|il|o|de|d'|da|di|von|by|por|par|door|przez"
    rf"|het|is|ist|est|jest|comes|kommt|vient|viene|komt|plasuje sie|znajduje sie"
    rf"|would (?:be|come)|vendria|estaria|iria|viendrait|verrebbe|viria|kame|ware)){{0,2}} ?[\"'“]?(?={NAME})"
    rf"|(?:{_FOLLOW_SIGNS}|随后(?:是|为)|接着(?:是|为)|紧随其后的(?:是|为)|이어(?:서)?|그 뒤를) ?,?(?={NAME})"
)
_FOLLOW_VERB = re.compile(rf"(?<!\w)(?:follows|{_FOLLOW_VERBS})(?!\w)|{_FOLLOW_SIGNS}")
_FOLLOWS_BEHIND = re.compile(
    rf"(?<={NAME})(?: (?:is |comes? |follows )?(?:close(?:ly)? behind|right behind|next)(?!\w)"
    rf"| follows(?= (?:at|with|in|on|just)(?!\w))| folgt(?= (?:mit|auf)(?!\w))"
    rf"| folgt(?: dicht(?:auf)?| knapp)?(?=[.,;]|\Z)|紧随其后|緊隨其後|次之)"
)
_COMES_LAST = re.compile(
    r"(?<!\w)(?:last(?! (?:year|month|week|time))|in last place|bringing up the rear|an letzter stelle"
    r"|(?:auf (?:dem|den) )?letzten? (?:platz|rang)|das schlusslicht|ferme la marche"
    r"|cierran? la (?:lista|clasificacion)|chiude la (?:lista|classifica)|fecha a lista|sluit de (?:rij|top \d)"
    r"|als letzte[rs]?|zuletzt|en dernier"
    r"|(?:en|a la) derniere (?:position|place)|all'ultimo posto|(?:en|na) (?:la )?ultima posic(?:ion|ao)"
    r"|en (?:el )?ultimo(?: (?:lugar|puesto))?"
    r"|(?:and|y|et|e|i|und) (?:finally|enfin|finalmente|schliesslich|zuletzt)|por ultimo"
    r"|per ultim[oa]|infine|por fim|em ultimo(?: lugar)?|als laatste|na koncu"
    r"|zamyka (?:stawke|ranking|podium)|stawke zamyka|замыка[а-я]{2,3}(?: тройку| пятерку| список| рейтинг)?"
    r"|op de laatste plaats|na ostatnim miejscu|на последнем месте|son sirada)(?!\w)|最后(?:是|为)?"
    r"|最後(?:は|に)?|마지막(?:은|으로는?)?"
)


class PlaceSign(NamedTuple):
    """A name of a sentence or, if `place` is set, a place.

    A place that is `explicit` has a noun or a number, one that is `weak` only says who leads.
    """

    at: int
    end: int
    entity: str = ""
    place: int = 0
    explicit: bool = False
    weak: bool = False


def names(sentence: str, entities: Sequence[str]) -> Iterator[PlaceSign]:
    """Yield the names of a folded sentence in which `NAME` stands for each of the entities."""
    at = -1
    for entity in entities:
        at = sentence.find(NAME, at + 1)
        yield PlaceSign(at, at + 1, entity)


def places(sentence: str) -> Iterator[PlaceSign]:
    """Yield the ordinals and numbered places of a folded sentence."""
    figures = {at for figure in _FIGURES_OF_SPEECH.finditer(sentence) for at in range(*figure.span())}
    for match in _PLACE.finditer(sentence):
        explicit = any(match[name] is not None for name in ("lead", "noun", "n1", "n2"))
        place = number_of(match)
        if not place or match[0] == "top" or match.start() in figures:
            continue
        if explicit or _STANDS_ALONE.match(sentence, match.end()):
            yield PlaceSign(*match.span(), place=place, explicit=explicit)


def steps(sentence: str) -> Iterator[PlaceSign]:
    """Yield who leads, who follows and who is last in a folded sentence, as places without a number."""
    for match in _LEADS.finditer(sentence):
        yield PlaceSign(*match.span(), place=1, weak=True)
    following = [PlaceSign(match.end() - 1, match.end(), place=NEXT) for match in _FOLLOWS.finditer(sentence)]
    if following:
        praised = _SUPERLATIVE.search(sentence, 0, following[0].at)
        if praised is not None:
            yield PlaceSign(*praised.span(), place=1, weak=True)
        yield from following
    for match in _FOLLOWS_BEHIND.finditer(sentence):
        yield PlaceSign(*match.span(), place=NEXT)
    for match in _COMES_LAST.finditer(sentence):
        yield PlaceSign(*match.span(), place=LAST)


def goes_on(sentence: str) -> bool:
    """Whether a folded sentence may go on with who comes after somebody: by a place, or by who follows."""
    return any(places(sentence)) or _FOLLOW_VERB.search(sentence) is not None


def praises_most(sentence: str) -> bool:
    """Whether a folded sentence says of somebody that nobody is more so."""
    return _SUPERLATIVE.search(sentence) is not None
