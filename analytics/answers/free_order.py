"""Tells when an answer says that a numbered list is in no order, or stands beside the ranking."""

import re
from typing import Final

from analytics.text.folding import fold

_BEFORE: Final = 300
_AFTER: Final = 200
"""Characters before the first item of a list and behind its last in which its order is looked for."""
_FREE_ORDER = re.compile(
    r"no (?:particular|specific|special|set) order|in any order|random order|alphabetical|not (?:a ranking"
    r"|ranked|listed in order|in (?:any )?(?:ranked )?order)|unranked"
    r"|order (?:does not|doesn't) (?:matter|imply)"
    r"|(?:ohne|keine|keiner) (?:\w{1,12} )?(?:reihenfolge|rangfolge|wertung)|(?:beliebiger"
    r"|zufalliger) reihenfolge|reihenfolge (?:ist )?(?:zufallig|willkurlich)|alphabetisch"
    r"|sans (?:aucun )?(?:ordre|classement)|aucun ordre|dans le desordre|ordre (?:alphabetique|aleatoire)"
    r"|ordre n'a pas"
    r"|sin (?:ningun |un )?orden|ningun orden|orden (?:alfabetico|aleatorio)"
    r"|senza (?:un )?ordine|nessun ordine|ordine (?:sparso|alfabetico|casuale)"
    r"|sem (?:uma )?ordem|nenhuma ordem|ordem (?:alfabetica|aleatoria)"
    r"|willekeurige volgorde|geen (?:\w{1,12} )?(?:volgorde|rangorde)|alfabetisch"
    r"|kolejnosci? (?:przypadkow|alfabetyczn|losow|dowoln)|(?:przypadkowej|alfabetycznej|losowej"
    r"|dowolnej) kolejnosci|bez (?:\w{1,16} )?kolejnosci"
    r"|(?:произвольном|случайном|алфавитном) порядке|(?:belirli|ozel) bir sira|rastgele sira|alfabetik"
    r"|順不同|五十音順|アルファベット順"
    r"|不分先后|不分先後|无特定顺序|按字母|순서는? ?(?:무관|상관)|가나다순|무순|(?:بدون|دون) ترتيب|ابجدي|विशेष क्रम"
)
_STEMS_TEXT = """
order rank alpha folge wertung ordre classement orden ordine ordem volgorde rangorde kolejn поряд sıra
順 先后 先後 顺序 字母 순 ترتيب أبجد क्रम
"""
_STEMS = tuple(_STEMS_TEXT.split())
"""One of them stands in what `_FREE_ORDER` finds."""
_BESIDE_THE_RANKING = re.compile(
    r"(?:honou?rable|notable|special) mentions?|also (?:worth|good|great|consider|recommended|notable)"
    r"|other (?:\w{1,12} )?(?:options|alternatives|picks|mentions|names)"
    r"|(?:further|more) (?:options|alternatives)|runners[- ]up|worth (?:a look|mentioning|considering)|bonus"
    r"|weitere (?:empfehlungen|alternativen|anbieter|optionen)|ebenfalls|auch (?:gut|interessant"
    r"|erwahnenswert)|(?:lobende|ehrenvolle) erwahnung|erwahnenswert"
    r"|mentions? (?:honorables?|speciales?)|autres (?:options|alternatives)|a considerer aussi|menci(?:on"
    r"|ones) (?:honorificas?|especial(?:es)?|de honor)"
    r"|otras (?:opciones|alternativas)|menzion[ei] (?:onorevol[ei]|d'onore|special[ei])|altre (?:opzioni"
    r"|alternative)|menc(?:ao|oes) (?:honrosas?|especia(?:l|is))"
    r"|outras (?:opcoes|alternativas)|eervolle vermelding|andere (?:opties|alternatieven|optionen)"
    r"|wyroznieni[ae]|inne (?:opcje|alternatywy)|warto(?: tez)? rozwazyc"
    r"|другие (?:варианты|альтернативы)|mansiyon|diger (?:secenekler|alternatifler)|次点|その他"
    r"|番外|其他|기타|그 외|خيارات اخري"
)
"""Heads a list of those that come behind a ranking."""


def is_beside_the_ranking(text: str, first: int) -> bool:
    """Whether the line above the first item of a list says that it names others than those ranked before."""
    above = (
        text[max(0, first - _BEFORE) : first]
        .rstrip(" \t*_#")
        .rstrip("0123456789.)")
        .rstrip()
        .rpartition("\n")[2]
    )
    return _BESIDE_THE_RANKING.search(fold(above).text) is not None


def is_in_free_order(text: str, after: int, first: int, last: int) -> bool:
    """Whether the lines before or behind a list say that it ranks nobody.

    `after` is where the list before ends, or 0, `first` where the first item begins, `last` where the last line of the
    last item ends.
    """
    if _says_free_order(text[max(after, first - _BEFORE) : first]):
        return True
    behind = text[last : last + _AFTER]
    if not _says_free_order(behind):
        return False
    for line in behind.split("\n"):
        shown = fold(line).text.strip()
        if _FREE_ORDER.search(shown) and not shown.endswith((":", "：")):
            return True
    return False


def _says_free_order(part: str) -> bool:
    lower = part.lower()
    return any(stem in lower for stem in _STEMS) and _FREE_ORDER.search(fold(part).text) is not None
