"""Patterns that were found in a text: whether their edges are free, and what their case makes of them."""

import re
from typing import NamedTuple

from analytics.folding import FoldedText, written
from analytics.patterns import Name, Pattern
from analytics.scripts import left_edge_is_free, right_edge_is_free

_CYRILLIC_SUFFIX = re.compile("(?:ой|ей|ом|ем|ов|[ауыиеюя])")


class Hit(NamedTuple):
    """A pattern found with free edges; `start` and `end` in the folded text, `span` in the original."""

    start: int
    end: int
    pattern: Pattern
    names: tuple[Name, ...]
    inflected: bool
    span: tuple[int, int]


class Judged(NamedTuple):
    """A hit of an entity after the rules about case. `ambiguous`: it still needs its context."""

    hit: Hit
    inflected: bool
    fails_case: bool
    ambiguous: bool


def at_free_edges(pattern: Pattern, folded: FoldedText, start: int, end: int, text: str) -> Hit | None:
    """The hit if no letter binds it to its neighbours, or only an ending that its names may take."""
    letters = folded.text
    if start and not left_edge_is_free(letters[start - 1], letters[start]):
        return None
    free = end == len(letters) or right_edge_is_free(letters[end - 1], letters[end])
    span = folded.span(start, end)
    if span is None:
        return None
    names = pattern.names if free else _inflecting(pattern.names, letters, end, text[span[0]])
    if not free and not names:
        return None
    return Hit(start, end, pattern, names, not free, span)


def _inflecting(names: tuple[Name, ...], folded: str, end: int, first: str) -> tuple[Name, ...]:
    """The names that allow the ending at `end`: Latin `s` after a capital, or a Cyrillic case ending."""
    if folded[end] == "s" and _ends_at(folded, end + 1):
        return tuple(name for name in names if name.takes_s) if first.isupper() else ()
    suffix = _CYRILLIC_SUFFIX.match(folded, end)
    while suffix is not None:
        if _ends_at(folded, suffix.end()):
            return tuple(name for name in names if name.takes_cyrillic and not name.inflected)
        suffix = _CYRILLIC_SUFFIX.match(folded, end, suffix.end() - 1)
    return ()


def _ends_at(folded: str, end: int) -> bool:
    return end == len(folded) or right_edge_is_free(folded[end - 1], folded[end])


def judge(hit: Hit, text: str) -> Judged | None:
    """The best that the hit's names make of its case; None if only exact names are left, not as written."""
    best: Judged | None = None
    shown: str | None = None
    for name in hit.names:
        passes = True
        if name.as_written is not None:
            shown = written(text[slice(*hit.span)]) if shown is None else shown
            passes = shown == name.as_written or (name.capitals and shown == shown.upper())
        if not passes and name.exact:
            continue
        judged = Judged(hit, hit.inflected or name.inflected, not passes, name.ambiguous)
        if best is None or (judged.fails_case, judged.ambiguous) < (best.fails_case, best.ambiguous):
            best = judged
    return best
