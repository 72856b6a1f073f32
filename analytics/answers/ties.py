"""Reads who shares a place: "Acme and Bravo tie for first", an item `**Acme** and **Bravo** (tie)`."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from analytics.answers.place_hints import NEAR
from analytics.answers.place_signs import NAME
from analytics.answers.prose_signs import places
from analytics.text.folding import fold

_STATES = (
    r"tie|tied|joint|jointly|shared|equal|gleichauf|geteilte?[rnsm]?|gemeinsam|punktgleich|ex[ -]?a?e?quo"
    r"|empate|empatad[oa]s|compartid[oa]|egalite|partagee?|pari merito|condivis[oa]|gelijk|gedeelde?|remis|berabere"
)
_GLUED = "並列|同率|同着|并列|공동"
_SHARED = re.compile(rf"(?<!\w)(?:{_STATES})(?!\w)|{_GLUED}")
"""Says that an item's names share its place; searched in folded text."""
_TWO_NAMES = re.compile(r" (?:and|und|y|et|e|en|i|и|ve|&|/) |\w[/&、]\w")
"""A head that joins two names."""
_BOTH_BOLD = re.compile(r"\*\* (?:and|und|y|et|e|en|i|и|ve|&|/) \*\*")
_TIE = re.compile(
    rf"(?<!\w)(?:{_STATES}|ties|tying|shares?|sharing|dead heat|neck and neck|teilen|partagent"
    r"|empatan|empatam|comparten|dividem|partilham|compartilham|partilhad[oa]"
    r"|condividono|si dividono|delen|dziela|remisuja|wspolnie"
    r"|делят|разделили|разделяют|поровну|наравне|вничью|paylas[a-z]{1,10}|ortak"
    r"|(?:ي|ت)تقاسم[انو]{0,3}|(?:ي|ت)تشارك[انو]{0,3}|مناصفه|متعادل[انتهي]{0,4}|بالتساوي"
    r"|संयुक्त|बराबर|बराबरी|साझा|חולק(?:ות|ים)|בתיקו)(?!\w)"
    rf"|{_GLUED}|分け合|平分|共享|나란히|동률"
)
"""Says of names in a sentence that they share a place; searched in folded text. A verb alone says it of no item."""
_AND = (
    r"(?:,? (?:and|&|und|sowie|y|e|et|en|i|oraz|и|ve|ile|plus|और|तथा|ו) ?|, ?|、| ?[/&] ?"
    r"| ?(?:和|与|跟|と|및|와|과|그리고) ?| و ?)"
)
_TOGETHER = re.compile(rf"{NAME}(?:{_AND}{NAME}){{1,4}}")
_CLAUSE_END = re.compile(r"[,;.،؛。]")


class TiedNames(NamedTuple):
    """A folded sentence in which one sign stands for names that share a place, and whom the signs stand for.

    `partners` are those who share the place of one of the `entities`.
    """

    sentence: str
    entities: list[str]
    partners: dict[str, list[str]]


def says_shared(text: str, start: int, end: int) -> bool:
    """Whether the head at `[start, end)` of an item names two, or its line says that a place is shared."""
    return _TWO_NAMES.search(text, start, end) is not None or is_shared_line(text, start, end)


def is_shared_line(text: str, start: int, end: int) -> bool:
    """Whether the line around a part of the text says that a place is shared, or joins two bold names."""
    low, high = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    line = text[low : high if high >= 0 else len(text)]
    return _BOTH_BOLD.search(line) is not None or _SHARED.search(fold(line).text) is not None


def says_tie(sentence: str) -> bool:
    """Whether a folded sentence says that somebody shares something."""
    return _TIE.search(sentence) is not None


def tied_names(sentence: str, entities: Sequence[str]) -> TiedNames:
    """Let one sign stand for the names that a clause with a place joins and says to share it."""
    partners: dict[str, list[str]] = {}
    if not says_tie(sentence):
        return TiedNames(sentence, list(entities), partners)
    kept: list[str] = []
    pieces: list[str] = []
    at = taken = 0
    for group in _TOGETHER.finditer(sentence):
        first = taken + sentence.count(NAME, at, group.start())
        after = first + group[0].count(NAME)
        kept += entities[taken : first + 1]
        pieces.append(sentence[at : group.start()])
        if _shares_place(sentence, group.start(), group.end()):
            partners.setdefault(entities[first], []).extend(entities[first + 1 : after])
            pieces.append(NAME)
        else:
            kept += entities[first + 1 : after]
            pieces.append(group[0])
        at, taken = group.end(), after
    return TiedNames("".join((*pieces, sentence[at:])), [*kept, *entities[taken:]], partners)


def _shares_place(sentence: str, start: int, end: int) -> bool:
    """Whether the clause around joined names says that they share a place."""
    before = _CLAUSE_END.split(sentence[max(0, start - NEAR) : start])[-1]
    behind = _CLAUSE_END.split(sentence[end : end + NEAR], maxsplit=1)[0]
    clause = f"{before}{NAME}{behind}"
    return says_tie(clause) and any(places(clause))
