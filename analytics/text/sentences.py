"""Cuts a text into sentences and clauses around a span; all offsets are code points of the original text."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

_SENTENCE_END = re.compile(r"[.!?\n\r。！？](?:(?<![.!?])|(?=\s|\Z))")
# A clause starts with what cuts it off: the semicolon, or the blank before a dash or a conjunction.
_CLAUSE_START = re.compile(
    r";|(?:(?<!\s)\s++|(?<=[^\w\s'’-]))(?=(?:but|however|although|though|whereas|while|instead|unlike"
    r"|rather\s+than)\b)|(?<!\s)\s++[-\u2010-\u2015](?=\s)",
    re.IGNORECASE,
)
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
        self._ends = [match.end() for match in _SENTENCE_END.finditer(text)]
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
            cuts = [cut.span() for cut in _CLAUSE_START.finditer(self.text, low, high)]
            self._cuts[low, high] = cuts
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
