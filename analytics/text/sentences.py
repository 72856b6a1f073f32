"""Cuts a text into sentences and clauses around a span; all offsets are code points of the original text."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import lru_cache

_STOPS, _BREAKS = ".!?", "\n\r。！？"
"""What ends a sentence before white space or the text's end, and what ends one wherever it stands."""
_CUTTING_WORDS = "but", "however", "although", "though", "whereas", "while", "instead", "unlike", "rather"
_WORDS = rf"(?:{'|'.join(_CUTTING_WORDS)}\s+than)\b"
# A clause starts with what cuts it off: the semicolon, or the blank before a dash or a conjunction.
_CLAUSE_START = re.compile(
    rf"[;\s](?:(?<=;)|(?<!\s\s)\s*+(?:(?={_WORDS})|[-\u2010-\u2015](?=\s)))", re.IGNORECASE
)
_GLUED_START = re.compile(rf"[^\w\s'’-](?={_WORDS})", re.IGNORECASE)
"""A conjunction that no blank is before; the clause starts behind the mark."""
_CUTTERS = (";", "-", *_CUTTING_WORDS, *map(chr, range(0x2010, 0x2016)))
"""What holds none of these, in lower case, is one clause."""
LONGEST_QUOTE = 300


def _start(span: tuple[int, int]) -> int:
    return span[0]


def _end(span: tuple[int, int]) -> int:
    return span[1]


class Sentences:
    """The sentences of one text, found once; a sentence ends after its full stop or at a line break."""

    __slots__ = ("_cuts", "_ends", "text")

    def __init__(self, text: str):
        self.text = text
        self._ends = _ends_of_sentences(text)
        self._cuts: dict[tuple[int, int], list[tuple[int, int]]] = {}

    def around(self, start: int, end: int) -> tuple[int, int]:
        """`[start, end)` of the sentence around a span, or of the sentences that it touches."""
        before = bisect_right(self._ends, start)
        after = bisect_left(self._ends, end)
        return (
            self._ends[before - 1] if before else 0,
            self._ends[after] if after < len(self._ends) else len(self.text),
        )

    def clause(self, start: int, end: int) -> tuple[int, int]:
        """`[start, end)` of the clause around a span; a cut inside the span (a name) does not count."""
        low, high = self.around(start, end)
        cuts = self._cuts.get((low, high))
        if cuts is None:
            cuts = self._cuts[low, high] = _cuts_of_clauses(self.text, low, high)
        before = bisect_right(cuts, start, key=_end) - 1
        after = bisect_left(cuts, end, key=_start)
        return cuts[before][0] if before >= 0 else low, cuts[after][0] if after < len(cuts) else high

    def clauses_after(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield `[start, end)` of the clauses of the sentence around a span that begin behind it, in order."""
        low, high = self.around(start, end)
        self.clause(start, end)
        cuts = self._cuts[low, high]
        for at in range(bisect_left(cuts, end, key=_start), len(cuts)):
            yield cuts[at][0], cuts[at + 1][0] if at + 1 < len(cuts) else high

    def quote(self, start: int, end: int) -> str:
        """The sentence around a span, at most 300 characters; of a longer one the part around the span."""
        low, high = self.around(start, end)
        if high - low > LONGEST_QUOTE:
            low = max(low, min(start - (LONGEST_QUOTE - (end - start)) // 2, high - LONGEST_QUOTE))
            low = min(low, start)
            high = low + LONGEST_QUOTE
        return self.text[low:high].strip()


@lru_cache(maxsize=4)
def sentences_of(text: str) -> Sentences:
    """Return the sentences of a text, which several readers of one answer share."""
    return Sentences(text)


def _ends_of_sentences(text: str) -> list[int]:
    """Where the sentences of a text end. Looking for each mark alone is several times faster than an expression."""
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
    """What cuts off the clauses between two offsets; looked for only where one of its letters stands."""
    lower = text[low:high].lower()
    if not lower.isascii():  # letters that an expression which ignores case takes for those of ASCII
        lower = lower.replace("\u0131", "i").replace("i\u0307", "i").replace("\u017f", "s")
    if not any(cutter in lower for cutter in _CUTTERS):
        return []
    cuts = [cut.span() for cut in _CLAUSE_START.finditer(text, low, high)]
    glued = [cut.end() for cut in _GLUED_START.finditer(text, max(low - 1, 0), high)]
    return sorted([*cuts, *((at, at) for at in glued)]) if glued else cuts
