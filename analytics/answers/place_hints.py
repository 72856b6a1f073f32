"""Tells where a text may speak of places, so that the others need not be read for it: the letters of place words."""

from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from typing import Final

from ahocorasick_rs import AhoCorasick, Implementation, MatchKind

NEAR: Final = 64
"""Characters of the text before and after a name in which its place is looked for."""

_HINTS_TEXT = """
top three, top five, top spot, top place, top position, top choice, top pick, top recommendation, top option, first,
second, third, fourth, fifth, 1st, 2nd, 3rd, number, rank, place, #, no., platz, rang, erste, zweite, dritte, vierte,
puesto, lugar, primer, segund, tercer, premi, deuxi, troisi, posto, primo, prima, terz, posiz, posi, plaats, nummer,
eerste, tweede, derde, pierwsz, drugi, trzeci, miejsc, birinci, ikinci, üçüncü, sırada, перв, втор, трет, мест, 位, 名,
위, 번째, つ目, 番目, الأول, الاول, الثاني, الثالث, المركز, पहल, दूसर, तीसर, स्थान, नंबर, position, 4th, 5th, fünfte, cuart,
quart, quatri, quint, cinqui, vijfde, czwart, piąt, dördünc, beşinci, runner, sixth, מקום, 首选, 首選, 榜首, 次に, 推荐, 推薦,
추천, يلي, (2e, na czele, seventh, eighth, ninth, tenth, 6th, 7th, 8th, 9th, 10th, ilk, 其次, 紧随, 次いで, 続いて, 다음, 이어, 그 뒤,
followed, gefolgt, suivi, seguid, seguit, gevolgd, volgt, folgt, sigue, segue, follows, reihenfolge, luego,
por último, takip ed, تلي, topped, tuż za, za nim, za nią, следом, за ним, אחרי, order, ordine, orden, ordem, ordre,
folge, volgorde, kolejno, порядке, sırayla, の順, 依次, 순으로, 순서, to worst, ranking, > , bovenaan, drittens, четверт, пят,
الرابع, الخامس, चौथ, पांचव, top of, at the top, tops, क्रम, preferen, voorkeur, sıralama, would top, auf die eins, auf der zwei, dopo, começaria, arkasından, the order, первенство, goud, zilver, macht das rennen, plätzen folgen, enfin, chiude, начал, 排序, 最前面, 首先, أفضل, المقدمة, after that, after it, no.1, no.2, mentioned next, second in line, innanzitutto, vertice, vértice, en lo alto, ben olsam, önce, vlak daarna, 再者, next best, behind it, zweitmeist, tavsiye, いちばん, 番目, تلت, zwycięż, next on, next comes, next in, next up, next is, comes next, then comes, right behind,
just behind, close behind, comes after, silver, op één, op twee, op 1, op 2, daarna, daarachter, keus, keuze, auf eins, auf zwei,
dahinter, danach, als nächst, als zweit, ganz oben, schlusslicht, numéro, ensuite, derrière, talonn, número, detrás, después,
a continuación, numero, subito dopo, subito dietro, poi viene, depois, a seguir, em seguida, logo atr, numer, następn, potem, tuż,
ardından, sonra, tercih, öner, numara, zirve, номер, затем, далее, следующ, строчк, замыка, сразу за, первенств, 第, まず, その次,
次点, 番手, 最も, もっとも, イチオシ, 一押し, 次が, 続く, 首推, 次选, 次選, 再次, 接下来, 接着, 随后, 순위, 첫째, 둘째, 뒤를, ثم, بعد, الخيار,
خياري, المرتبة, المقام, رقم, أخير, رأس, صدارة, يتصدر, تتصدر, सबसे, के बाद, फिर, 番は, 番が, 番に, 番人気, 1등, 2등, 一番, 希望, 第一に, 최우선, 차선, 가장, 次之, 亚军, 亞軍, 第二, başında, izliyor, favori, go-to, crown, bronze, silber, серебро,
сначала, zuerst, d'abord, najpierw, eerst, dann, à seguir, a seguire, seconda, zum schluss, вторы, الصدارة, ثاني, en tête, puis, dernier, argento, plata, prata, zilver, srebro, vice, önce, rangliste, classement, top drie, step behind, zweitbest, es folgen, 备选, أول, prima, primero, primeiro, tweede wordt,
argent, gümüş, bronz, braz, brąz, 银牌, 銀牌, 銀メダル, 은메달, الفضية, रजत, כסף, рейтинг, rangliste, ranglijst, classifica, clasificaci, klasyfikacj,
ランキング, 排名, 排行榜, 랭킹, الترتيب, التصنيف, रैंकिंग, דירוג
"""
"""Letters of the words for places, in lower case, parted by a comma and a blank or a line break."""
_WHOLE = frozenset(("rang", "rank", "number", "place"))


@cache
def _hints() -> AhoCorasick:
    hints = _HINTS_TEXT.strip("\n").replace("\n", " ").split(", ")
    return AhoCorasick(hints, matchkind=MatchKind.LeftmostLongest, implementation=Implementation.DFA)


def place_words(text: str) -> list[int]:
    """Where a text holds the beginning of a word for a place, in order."""
    lower = text.replace("İ", "i").lower()  # the one letter whose lower case is longer
    try:
        found = _hints().find_matches_as_indexes(lower)
    except UnicodeEncodeError:  # it refuses lone surrogates
        found = _hints().find_matches_as_indexes(lower.encode("utf-8", "replace").decode())
    return [
        start
        for _, start, end in found
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
    at = bisect_left(places, start - NEAR)
    return at < len(places) and places[at] < end + NEAR
