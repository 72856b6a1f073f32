"""Reads an enumeration that says that it is in order: "in this order: Acme, Bravo and Charlie", "Acme > Bravo"."""

import re
from collections.abc import Sequence

from analytics.answers.place_signs import NAME

_IN_ORDER = re.compile(
    r"(?<!no )(?:in (?:this|that|the following|descending|exactly this|exactly that) order(?! of)|in order(?= of pref"
    r"|:)|(?:from )?(?:best|strongest|top) to (?:worst|weakest|bottom)"
    r"|rank(?:ing|ed|s)?(?!(?: \w{1,16}){0,2} (?:track|tool|factor|signal|system|software|algorithm|check|criteri|page|data|method))"
    r"(?: \w{1,16}){0,4} ?:(?! (?:how|why|what|where|when|who|wie|warum|was|comment|pourquoi|como|por que|come|perche|hoe|waarom|jak|как)(?!\w))"
    r"|(?<!\w)(?:rangliste|ranglijst|classement|classifica|clasificacion|classificacao|klasyfikacja|siralama|рейтинг|реитинг)(?: \w{1,16}){0,3} ?:"
    r"|ランキング:|排名:|排行榜:|순위:|랭킹:|الترتيب:|التصنيف:|रैंकिंग:|דירוג:"
    r"|(?:the|my) (?:order|ranking) (?:would be|is|goes|:)|order of preference"
    r"|(?:el|mi) (?:orden|ranking|clasificacion)(?: (?:seria|es|queda))?:|orden de preferencia|mon (?:classement|ordre)(?: (?:serait|est))? ?:"
    r"|ordre de preference|ordine di preferenza|mi[ao] (?:classifica|ordine)(?: (?:sarebbe|e))?:|ordem de preferencia|m(?:eu|inha) (?:ranking|ordem)(?: (?:seria|e))?:"
    r"|volgorde van voorkeur|kolejnosc(?: to)?:|порядок(?: такой)?:|(?:su|bu) sira(?:yla|lamayla)|siralamam(?: soyle)?:|순서는|순입니다|순이에요"
    r"|क्रम (?:इस प्रकार|यह|होगा)|推荐(?:顺序|排序)|排序(?:为|是|:)|推薦順序|おすすめ順"
    r"|in (?:dieser|folgender) reihenfolge|rangfolge|reihenfolge:|dans (?:cet|l')ordre(?: suivant)?|(?:en"
    r"|por) este orden|por orden(?= de pref|:)"
    r"|in quest'?o? ?ordine|nell'ordine|nesta ordem|por esta ordem|in deze volgorde|w tej kolejnosci"
    r"|w kolejnosci:|в (?:таком|этом|следующем) порядке|bu siraya? gore|bu sirayla"
    r"|の順|顺序|順序|依次|순서대로|순으로|بهذا الترتيب)"
)
_ABOVE = re.compile(rf"{NAME}[^,;:>◆]{{0,24}} ?> ?[^,;:>]{{0,24}}?(?:{NAME}|>)")
"""One name stands above another: `Acme > Bravo`."""
_SEPARATOR = re.compile(
    r",? (?:and|und|y|et|e|en|i|и|ve|then|puis|dann|ثم|و|और|तथा|फिर"
    r"|(?:(?:just |narrowly )?ahead of|before|(?:knapp |klar |dicht )?vor|devant|(?:por )?delante de|davanti a|a frente d[eao]"
    r"|(?:vlak |net )?voor|przed|перед|впереди|onunde))(?= )|[,;、，،]| ?> ?"
)
_STEP_DOWN = re.compile(r" ?> ?")
_LONGEST_ITEM = 4
_CLOSING = re.compile(r"\(|\.|:|,| - ")
_FEWEST = 2


def ordered_names(sentence: str, entities: Sequence[str]) -> dict[str, int]:
    """Return the places of the names of a folded sentence that enumerates them in order; empty if it does not.

    `NAME` stands in the sentence for each of the entities. Items of the enumeration that hold no name keep their place.
    """
    if len(entities) < _FEWEST:
        return {}
    separator = _STEP_DOWN if _ABOVE.search(sentence) else _SEPARATOR if _IN_ORDER.search(sentence) else None
    if separator is None:
        return {}
    first = sentence.index(NAME)
    at = sentence.rfind(":", 0, first) + 1 or first
    left = iter(entities)
    places: dict[str, int] = {}
    for place, item in enumerate(separator.split(sentence[at:]), 1):
        shown = _CLOSING.split(item.strip(), maxsplit=1)[0]
        held = shown.count(NAME)
        if not shown or len(shown.split()) > _LONGEST_ITEM or held > 1:
            break
        of_item = [next(left) for _ in range(item.count(NAME))]
        if held:
            places.setdefault(of_item[0], place)
    return places if len(places) >= _FEWEST else {}
