"""Splits a text into sentences and clauses around a span; all offsets are code points of the original text."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cache, lru_cache

from ahocorasick_rs import AhoCorasick, Implementation

_STOPS, _BREAKS = ".!?", "\n\r。！？"
"""Sentence ends before white space or the end of the text, and sentence ends in any position."""
_CUTTING_WORDS = "but", "however", "although", "though", "whereas", "while", "instead", "unlike", "rather"
_WORDS = rf"(?:{'|'.join(_CUTTING_WORDS)}\s+than)\b"
# A clause starts at its separator: the semicolon, or the blank before a dash or a conjunction.
_CLAUSE_START = re.compile(
    rf"[;\s](?:(?<=;)|(?<!\s\s)\s*+(?:(?={_WORDS})|[-\u2010-\u2015](?=\s)))", re.IGNORECASE
)
_GLUED_START = re.compile(rf"[^\w\s'’-](?={_WORDS})", re.IGNORECASE)
"""A conjunction without a blank before it; the clause starts after the mark."""
_CUTTERS = (";", "-", *_CUTTING_WORDS, *map(chr, range(0x2010, 0x2016)))
"""Lower-case text without any of these is a single clause."""
LONGEST_QUOTE = 300


class Sentences:
    """The sentences of one text, computed once; a sentence ends after its final mark or at a line break."""

    __slots__ = ("_cuts", "_ends", "text")

    def __init__(self, text: str):
        self.text = text
        self._ends = _ends_of_sentences(text)
        self._cuts: dict[tuple[int, int], tuple[Sequence[int], Sequence[int]]] = {}

    def around(self, start: int, end: int) -> tuple[int, int]:
        """Return `[start, end)` of the sentence around a span, or of all sentences that it touches."""
        before = bisect_right(self._ends, start)
        after = bisect_left(self._ends, end)
        return (
            self._ends[before - 1] if before else 0,
            self._ends[after] if after < len(self._ends) else len(self.text),
        )

    def clause(self, start: int, end: int) -> tuple[int, int]:
        """Return `[start, end)` of the clause around a span; separators inside the span (a name) are ignored."""
        low, high = self.around(start, end)
        starts, ends = self._cuts_between(low, high)
        before = bisect_right(ends, start) - 1
        after = bisect_left(starts, end)
        return starts[before] if before >= 0 else low, starts[after] if after < len(starts) else high

    def _cuts_between(self, low: int, high: int) -> tuple[Sequence[int], Sequence[int]]:
        """Return the start and end positions of the clause separators in a sentence."""
        cuts = self._cuts.get((low, high))
        if cuts is None:
            spans = _cuts_of_clauses(self.text, low, high)
            cuts = self._cuts[low, high] = [cut[0] for cut in spans], [cut[1] for cut in spans]
        return cuts

    def quote(self, start: int, end: int) -> str:
        """Return the sentence around a span, at most 300 characters; a longer one is cut around the span."""
        low, high = self.around(start, end)
        if high - low > LONGEST_QUOTE:
            low = max(low, min(start - (LONGEST_QUOTE - (end - start)) // 2, high - LONGEST_QUOTE))
            low = min(low, start)
            high = low + LONGEST_QUOTE
        return self.text[low:high].strip()


@lru_cache(maxsize=4)
def sentences_of(text: str) -> Sentences:
    """Return the sentences of a text, shared by several readers of one answer."""
    return Sentences(text)


def _ends_of_sentences(text: str) -> list[int]:
    """Return the sentence ends of a text. Searching for each mark is several times faster than a regular expression."""
    ends: list[int] = []
    for mark in _STOPS:
        at = text.find(mark)
        while at >= 0:
            at += 1
            if at == len(text) or text[at].isspace():
                ends.append(at)
            at = text.find(mark, at)
    for mark in _BREAKS if not text.isascii() else _BREAKS[:2]:
        at = text.find(mark)
        while at >= 0:
            ends.append(at + 1)
            at = text.find(mark, at + 1)
    ends.sort()
    return ends


def _cuts_of_clauses(text: str, low: int, high: int) -> list[tuple[int, int]]:
    """Return the clause separators between two offsets; expressions run only where a required letter occurs."""
    lower = text[low:high].lower()
    if not lower.isascii():  # letters that a case-insensitive expression equates with ASCII
        lower = lower.replace("\u0131", "i").replace("\u017f", "s").encode("utf-8", "replace").decode()
        if len(lower) != high - low:
            return _cuts_anywhere(text, low, high)
    cuts: set[tuple[int, int]] = set()
    for _, at, _ in _cutters().find_matches_as_indexes(lower, overlapping=True):
        begin = at = at + low
        while text[at] != ";" and begin > low and text[begin - 1].isspace():
            begin -= 1
        cut = _CLAUSE_START.match(text, begin, high)
        if cut is not None:
            cuts.add(cut.span())
        elif at > 0 and _GLUED_START.match(text, at - 1, high):
            cuts.add((at, at))
    return sorted(cuts)


@cache
def _cutters() -> AhoCorasick:
    return AhoCorasick(_CUTTERS, implementation=Implementation.DFA)


def _cuts_anywhere(text: str, low: int, high: int) -> list[tuple[int, int]]:
    cuts = [cut.span() for cut in _CLAUSE_START.finditer(text, low, high)]
    glued = [cut.end() for cut in _GLUED_START.finditer(text, max(low - 1, 0), high)]
    return sorted([*cuts, *((at, at) for at in glued)])


_SENTENCE_END = re.compile(
    r"(?<!\bDr)(?<!\bSt)(?<!\bMr)(?<!\bMrs)(?<!\bProf)(?<!\bNr)(?<!\bNo)(?<!\b\d)(?<!\b\d\d)"
    r"[.!?…。！？]{1,9}+[\"”»')\]]{0,9}+\s++(?=\S)|\n++"
)
"""An ordinal such as `24.` and a common abbreviation do not end a sentence."""


def split_sentences(text: str) -> list[str]:
    """Return the sentences and lines of a text with their trailing white space; joined, they are the text."""
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    return [text[start:end] for start, end in zip([0, *ends], [*ends, len(text)], strict=True) if start < end]
