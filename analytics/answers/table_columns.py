"""Reads what a table says below a name that heads one of its columns."""

import re
from bisect import bisect_right
from functools import cached_property
from typing import Final, NamedTuple

_RULE = re.compile(
    r"\n[ \t>]{0,12}\|?(?:[ \t]{0,12}:?-{1,80}:?[ \t]{0,12}\|){1,40}"
    r"(?:[ \t]{0,12}:?-{1,80}:?[ \t]{0,12})?(?=\n)"
)
"""The line under the head of a table."""
_EDGE = re.compile(r"(?<!\\)\|")
_MOST_ROWS: Final = 40
_LONGEST_HEAD: Final = 2000


class _TableHead(NamedTuple):
    """The head of a table, `[start, end)`, where its cells part, and where the rows begin."""

    start: int
    end: int
    edges: list[int]
    rows: int


class TableColumns:
    """The columns of the tables of one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._columns: dict[tuple[int, int], str] = {}

    @cached_property
    def _heads(self) -> list[_TableHead]:
        heads: list[_TableHead] = []
        for rule in _RULE.finditer(self._text) if "|" in self._text else ():
            low = self._text.rfind("\n", max(0, rule.start() - _LONGEST_HEAD), rule.start()) + 1
            edges = [edge.start() for edge in _EDGE.finditer(self._text, low, rule.start())]
            if edges:
                edges = edges[1:] if not self._text[low : edges[0]].strip(" \t>") else edges
                heads.append(_TableHead(low, rule.start(), edges, rule.end() + 1))
        return heads

    def below(self, start: int) -> str | None:
        """Return the cells below a name at `start` that heads a column but the first, as sentences; None elsewhere."""
        at = bisect_right(self._heads, start, key=_start) - 1 if self._heads else -1
        if at < 0 or start >= self._heads[at].end:
            return None
        place = bisect_right(self._heads[at].edges, start)
        if place < 1:
            return None
        if (at, place) not in self._columns:
            self._columns[at, place] = ". ".join(self._cells(self._heads[at].rows, place))
        return self._columns[at, place]

    def _cells(self, at: int, place: int) -> list[str]:
        cells: list[str] = []
        for _ in range(_MOST_ROWS):
            end = self._text.find("\n", at)
            row = self._text[at : end if end >= 0 else len(self._text)]
            if "|" not in row:
                break
            of_row = _EDGE.split(row.strip(" \t>").removeprefix("|"))
            cells.append(of_row[place].strip() if place < len(of_row) else "")
            at += len(row) + 1
        return [cell for cell in cells if cell]


def _start(head: _TableHead) -> int:
    return head.start
