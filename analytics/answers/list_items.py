"""Items of ranked structures: their position in the text, the words each is about, and shared places (ties)."""

import re
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from analytics.matching.masking import BLANK, blank
from analytics.text.folding import fold

if TYPE_CHECKING:
    from markdown_it.token import Token

_LONGEST_HEAD = 8
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|\Z)")
_BOLD = re.compile(
    r"\*\*\*?(?=\S)(?P<stars>(?:\u200b*+[^*\n]){1,120})\*\*|__(?=\S)(?P<lines>[^\n_]{1,120})__"
    r"|<(?:b|strong)>(?=\S)(?P<tagged>[^<\n]{1,120})</(?:b|strong)>"
)
JOINED_BOLD: Final = re.compile(
    r"(?:(?: ?[,/&+]| (?:and|or|und|oder|y|e|o|et|ou|en|of|i|lub|ve|и|или|og"
    r"|och))? ?\*\*(?=\S)[^*\n]{1,120}\*\*){1,3}"
)
_REMARK = re.compile(r"[ \t]{0,3}[(（][^()（）\n]{1,32}[)）][ \t]{0,3}(?=\S)")
"""A remark in brackets before what an item is about: `(tie) Acme`."""
_CUT = re.compile(r" \u200b{0,8}[-–—→]\u200b{0,8} |[:(：（。]|\. ")
_POINTS = re.compile(r"[\[\]().:@/：（【¹²³⁰⁴-⁹\n\r\0]")
"""Without one of these characters nothing in a line points at a source."""

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


class ItemHead(NamedTuple):
    """The words that an item is about, `[start, end)` in the text."""

    start: int
    end: int


class RankedItem(NamedTuple):
    """The printed number of an item, its head (None if too long), and its first line or cell, `[start, end)`."""

    number: int
    head: ItemHead | None
    start: int
    end: int


class Source:
    """The text by lines as the Markdown parser counts them."""

    def __init__(self, text: str):
        self.text = text

    @cached_property
    def _starts(self) -> list[int]:
        return [line.start() for line in _LINE.finditer(self.text)]

    def line(self, number: int) -> tuple[int, int]:
        """Return where a line stands, without its break."""
        start = self._starts[number]
        end = self._starts[number + 1] if number + 1 < len(self._starts) else len(self.text)
        return start, start + len(self.text[start:end].rstrip("\r\n"))

    def content(self, token: "Token") -> tuple[int, int]:
        """Where the first line of an inline token's content stands."""
        start, end = self.line((token.map or [0])[0])
        first = token.content.split("\n", 1)[0]
        column = self.text.find(first, start, end)
        return (column, column + len(first)) if column >= 0 else (start, end)


def item_of(source: Source, number: int, start: int, end: int) -> RankedItem:
    """Return the item with this printed number whose first line is `[start, end)`."""
    return RankedItem(number, _head(source, start, end), start, end)


def _head(source: Source, start: int, end: int) -> ItemHead | None:
    """The bold run an item starts with, else its first line up to a dash, colon, bracket or full stop."""
    start = _after_remark(source, start, end)
    bold = _BOLD.match(source.text, start, end)
    if bold is not None and _POINTS.search(bold[0]) is None:
        opened, closed = bold.span(bold.lastgroup or 0)
        joined = JOINED_BOLD.match(source.text, bold.end(), end)
        return short_head(source, opened, joined.end() if joined is not None else closed)
    shown = blank(source.text[start:end])
    bold = _BOLD.match(shown)
    if bold is not None:
        group = bold.lastgroup or 0
        opened, closed = start + bold.start(group), start + bold.end(group)
        return short_head(source, _after_remark(source, opened, closed), closed)
    cut = _CUT.search(shown)
    return short_head(source, start, start + cut.start() if cut else end)


def _after_remark(source: Source, start: int, end: int) -> int:
    remark = _REMARK.match(source.text, start, end)
    return remark.end() if remark is not None else start


def short_head(source: Source, start: int, end: int) -> ItemHead | None:
    """A head of at most eight words."""
    shown = source.text[start:end]
    if _POINTS.search(shown) is not None:
        shown = blank(shown).replace(BLANK, " ")
    words = shown.split()
    short = len(words) <= _LONGEST_HEAD or sum(any(map(str.isalnum, word)) for word in words) <= _LONGEST_HEAD
    return ItemHead(start, end) if short else None


def says_shared(text: str, start: int, end: int) -> bool:
    """Whether the head at `[start, end)` of an item names two, or its line says that a place is shared."""
    return _TWO_NAMES.search(text, start, end) is not None or is_shared_line(text, start, end)


def is_shared_line(text: str, start: int, end: int) -> bool:
    """Whether the line around a part of the text says that a place is shared, or joins two bold names."""
    low, high = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    line = text[low : high if high >= 0 else len(text)]
    return _BOTH_BOLD.search(line) is not None or _SHARED.search(fold(line).text) is not None
