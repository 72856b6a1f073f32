"""Finds which names the items of a ranked structure are about: those that open them, or those behind a label."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from analytics.answers.list_items import RankedItem
from analytics.answers.unranked_lists import is_step
from analytics.text.folding import fold
from analytics.text.scripts import Script, script_of

CountedSpan: TypeAlias = tuple[int, int, str]
"""`[start, end)` of a counted span and the entity that it names."""

_WORD = re.compile(r"[^\W_]+")
_TAG = re.compile(r"</?[a-zA-Z]{1,8}>")
_LEADING_TEXT = """
the a an der die das ein eine el la los las un una le les il lo gli i o a os as um uma de het een best top new our my
company dealer hotel restaurant شركه متجر مطعم فندق компания магазин фирма firma firmy sklep
"""
_LEADING = frozenset(_LEADING_TEXT.split())
_CHOICE_NOUN = (
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
"""Nouns that an award or a place is labeled with: `Best choice`, `2. Wahl`, `推荐`."""
_LABEL = re.compile(
    rf"(?:(?:my|our|the) )?(?:#?\d{{1,2}} )?(?:(?:{_CHOICE_NOUN})(?!\w)"
    r"|best|top|winner|runner|overall|budget|premium|editor|pick|choice"
    r"|most|cheapest"
    rf"|beste|bester|bestes|testsieger|sieger|gunstigste"
    r"|mejor|meilleur|migliore|melhor|najleps|en iyi|лучш|first|second|third|no\.? ?\d|great|gold|silver|bronze)"
)
_LABEL_END = re.compile(
    r"[*_]{0,3}[ ]?(?:[:：](?=[*_ ]|[^\x00-\x7f])"
    r"|(?<= )[-–—→](?= ))[*_]{0,3}[ ]{0,2}[^\w\s]{0,4}[ ]{0,2}[*_\[“\"‘'(「]{0,6}"
)
"""Parts a label from what it leads to: `Best overall: Acme`, `Si vous débutez → Acme`."""
_MAKER = re.compile(r"[*_]{0,3} [(（][*_]{0,3}")
"""Opens the maker of a product behind it: `Galaxy S25 (Samsung)`."""
_PHRASE_END = re.compile(
    r"[*_]{2}| [-–—→|](?= )|[:(（\[\],，;。、!\n“”\"」]|[.](?=\s|\Z)|['’]s?(?= )"
    r"| (?=(?:if|for|because|with|when|since|as|at|from|thanks|on|in|fur|für|wenn|weil|mit|ab|dank|pour|si"
    r"|avec|car|dès|grâce"
    r"|para|porque|con|desde|por|per|se|da|com|voor|als|met|dla|bo|z|für)\b)"
)
_JOINERS_TEXT = "& + / and or und oder y o et ou e en of i ve и или de la le the for du des del von van 和 と"
_JOINERS = frozenset(_JOINERS_TEXT.split())
_DASHED_LABEL = re.compile(r"\s[-–—→][ *_\"“(\[]{0,6}\Z")
"""Ends a label before a name in one head: `Best overall — Acme`."""
_BY = re.compile(r"(?<=\w) (?:by|von|vom|van|par|de|di|od|от)[ *_\[]{1,4}\Z")
"""Stands between a product and its maker: `Galaxy S25 by Samsung`."""
_SAYS_OF_IT = re.compile(
    r"(?:['’]s)?[*_\"”’)\]]{0,4}(?:,|(?: [\w&+.-]{1,20}){0,2}? (?:is|are|was|has|have|offers?|provides?|lets"
    r"|gives|focus(?:es)?|remains|stands|comes|combines|makes|works"
    r"|ist|hat|bietet|est|a|offre|propose|es|tiene|ofrece|è|ha|é|tem|oferece|heeft|biedt|jest|ma|oferuje)\b)"
)
"""What follows a name of which the whole of a long item speaks."""
_LONGEST_LEAD, _LONGEST_LABEL, _LONGEST_PHRASE = 3, 6, 6
_LONGEST_FREE_LABEL = 14
_CHARACTERS_OF_LABEL = 120
_FEWEST = 2


class _Labeled:
    """What the label of an item leads to: a name or a phrase like one. `entities` are those that it names first."""

    __slots__ = ("entities", "is_known_label")

    def __init__(self, entities: list[str], *, is_known_label: bool):
        self.entities = entities
        self.is_known_label = is_known_label


def names_of_items(items: Sequence[RankedItem], text: str, counted: Sequence[CountedSpan]) -> list[list[str]]:
    """Return for each item the entities that it is about, of all counted spans in order.

    An item is about the names in its head if it opens with the first, and a long one about the name that it opens with
    and speaks of. Where no head holds a name, and the items lead from a label to a name each, it is about that.
    """
    named: list[list[str]] = []
    unnamed: list[int] = []
    for at, item in enumerate(items):
        in_head = _within(item.head.start, item.head.end, counted) if item.head is not None else ()
        if in_head:
            first = in_head[0]
            opens = item.head is not None and _opens_with(text[item.head.start : first[0]], text, first)
            named.append([entity for _, _, entity in in_head] if opens else [])
            continue
        named.append(_opening_long(item, text, counted) if item.head is None else [])
        if not named[-1]:
            unnamed.append(at)
    if any(_within(items[at].start, items[at].end, counted) for at in unnamed):
        least = max(_FEWEST, len(items) / 2) - (len(items) - len(unnamed))
        for at, entities in _labeled_names([items[at] for at in unnamed], text, counted, least):
            named[unnamed[at]] = entities
    return named


def _labeled_names(
    items: Sequence[RankedItem], text: str, counted: Sequence[CountedSpan], least: float
) -> Iterator[tuple[int, list[str]]]:
    """Yield the names that labels lead to, by item: of known labels, and of all if there are at `least` so many."""
    forms = [_labeled(item, text, counted) for item in items]
    is_list = _is_list_of_labels([form for form in forms if form is not None], least)
    for at, form in enumerate(forms):
        if form is not None and (is_list or form.is_known_label):
            yield at, form.entities


def _is_list_of_labels(labeled: Sequence[_Labeled], least: float) -> bool:
    """Whether enough items lead from a label to a name, none to one that another leads to."""
    entities = [entity for form in labeled for entity in form.entities]
    return len(labeled) >= least and len(set(entities)) == len(entities)


def _labeled(item: RankedItem, text: str, counted: Sequence[CountedSpan]) -> _Labeled | None:
    """What the label at the beginning of an item leads to; None if it has none, or it leads to no name."""
    parting = _LABEL_END.search(text, item.start, min(item.end, item.start + _CHARACTERS_OF_LABEL))
    maker = _MAKER.search(text, item.start, parting.start() if parting else item.end)
    if maker is not None:
        makers = [span for span in _within(maker.end(), item.end, counted) if span[0] == maker.end()]
        closed = makers and text[makers[0][1] : makers[0][1] + 4].lstrip("*_ ")[:1] in (")", "）")
        return _Labeled([makers[0][2]], is_known_label=True) if closed else None
    if parting is None:
        return None
    label = text[item.start : parting.start()]
    words = fold(label).text.strip(" *_").split()
    if len(words) > _LONGEST_FREE_LABEL or not any(map(str.isalpha, label)) or is_step(label):
        return None
    first = _within(parting.end(), item.end, counted)
    opened = first[0][1] if first and not _WORD.search(text, parting.end(), first[0][0]) else parting.end()
    end = _PHRASE_END.search(text, opened, item.end)
    low, high = parting.end(), end.start() if end is not None else item.end
    spans = _within(low, high, counted)
    if not _is_like_name(text[low:high], low, spans):
        return None
    known = len(words) <= _LONGEST_LABEL and _LABEL.match(" ".join(words)) is not None
    opens = spans and not [w for w in _WORD.findall(text[low : spans[0][0]]) if fold(w).text not in _LEADING]
    return _Labeled([entity for _, _, entity in spans] if opens else [], is_known_label=known)


def _is_like_name(phrase: str, at: int, spans: Sequence[CountedSpan]) -> bool:
    """Whether a phrase at this place in the text is a name with what it is called by, and no sentence."""
    words = list(re.finditer(r"\S+", phrase))
    if not words or len(words) > _LONGEST_PHRASE:
        return False
    for word in words:
        first = word[0].lstrip("*_\"“'(")[:1]
        covered = any(start <= at + word.start() < end for start, end, _ in spans)
        if first.islower() and not covered and word[0] not in _JOINERS:
            return False
    return True


def _opening_long(item: RankedItem, text: str, counted: Sequence[CountedSpan]) -> list[str]:
    """The name that opens an item too long to be about one, if it speaks of it."""
    named = _within(item.start, item.end, counted)
    if not named or _WORD.search(text, item.start, named[0][0]) or not _SAYS_OF_IT.match(text, named[0][1]):
        return []
    return [named[0][2]]


def _opens_with(lead: str, text: str, span: CountedSpan) -> bool:
    """Whether a head that begins with these characters before a name is about the name."""
    lead = _TAG.sub("", lead) if "<" in lead else lead
    words = _WORD.findall(lead)
    if not words:
        return True
    if lead.rstrip(" *_").endswith((":", "：")) or _DASHED_LABEL.search(lead):
        return not is_step(lead) and len(words) <= _LONGEST_LABEL
    by = _BY.search(lead)
    if by is not None:
        words = _WORD.findall(lead[: by.start()])
    if is_step(lead + text[span[0] : span[1]]) or len(words) > _LONGEST_LEAD:
        return False
    return all(
        fold(word).text in _LEADING
        or word[0].isdigit()
        or ((word[0].isupper() or word[1:2].isupper()) and script_of(word[0]) is Script.SPACED)
        for word in words
    )


def _within(start: int, end: int, counted: Sequence[CountedSpan]) -> Sequence[CountedSpan]:
    """The counted spans in a part of the text."""
    at = bisect_left(counted, (start,))
    if at == len(counted) or counted[at][0] >= end:
        return ()
    last = bisect_left(counted, (end,), at)
    return [span for span in counted[at:last] if span[1] <= end]
