"""Parses the ranked structures of an answer: lists, numbered headings and paragraphs, tables, marked lines."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from analytics.answers.plain_lists import plain_lists
from analytics.answers.rank_marks import inline_marks, line_marks
from analytics.matching.masking import BLANK, blank
from analytics.text.folding import fold

if TYPE_CHECKING:
    from markdown_it import MarkdownIt  # loading it takes a seventh of a second, which start-up cannot spare
    from markdown_it.token import Token

_LONGEST_HEAD = 8
_FEWEST_ITEMS = 2
_RANK_HEADERS_TEXT = """
rank ranking # no nr number position pos place rang rangplatz platz puesto posicion lugar numero n° nº posizione posto
classifica posicao colocacao plaats positie miejsce pozycja lp sira siralama место № номер позиция рейтинг
順位 ランキング 順 排名 名次
序号 排行 순위 랭킹 번호 المرتبه الترتيب المركز रैंक रैंकिंग स्थान क्रम
"""
_RANK_HEADERS = frozenset(_RANK_HEADERS_TEXT.split())

_NUMBERED_LINE = re.compile(r"\n[^\S\n]{0,12}(?:#{1,6}\s{1,4})?(?:[*_]{2,3})?\s{0,4}\d{1,9}[.)]")
_COLUMNS = re.compile(r"-[ \t]{0,12}:?[ \t]{0,12}\|[ \t]{0,12}:?[ \t]{0,12}-")
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|\Z)")
_NUMBERED_HEADING = re.compile(r"(?:\*\*\*?|__)?\s{0,4}(?P<number>\d{1,9})[.)]\s{1,4}")
_NUMBERED_PARAGRAPH = re.compile(r"(?:\*\*\*?|__)\s{0,4}(?P<number>\d{1,9})[.)]\s{1,4}")
_OPENED = re.compile(r"\*\*\*?|__")
_BOLD = re.compile(r"\*\*\*?(?=\S)(?P<stars>[^*\n]{1,120})\*\*|__(?=\S)(?P<lines>[^\n_]{1,120})__")
_JOINED_BOLD = re.compile(
    r"(?:(?: ?[,/&+]| (?:and|or|und|oder|y|e|o|et|ou|en|of|i|lub|ve|и|или|og|och))? ?\*\*(?=\S)[^*\n]{1,120}\*\*){1,3}"
)
_REMARK = re.compile(r"[ \t]{0,3}[(（][^()（）\n]{1,32}[)）][ \t]{0,3}(?=\S)")
"""A remark in brackets before what an item is about: `(tie) Acme`."""
_CUT = re.compile(r" [-–—] |[:(：（。]|\. ")
_ITEM_END = re.compile(r"[,;]|\.(?=\s|\Z)| (?:and|und|y|et|e|en|i|ve|и) ")
_POINTS = re.compile(r"[\[\]().:@/：（【¹²³⁰⁴-⁹\n\r\0]")
"""Without one of these characters nothing in a line points at a source."""
_SHARED = re.compile(
    r"(?<!\w)(?:tie|tied|joint|jointly|shared|equal|gleichauf|geteilt|punktgleich|ex[ -]?a?e?quo|empate"
    r"|empatad[oa]s|egalite|a pari merito|gelijk|remis|berabere)(?!\w)|並列|同率|同着|并列|공동"
)
"""Says that an item's names share its place; searched in folded text."""
_CELL_EDGE = re.compile(r"(?<!\\)\|")


class ItemHead(NamedTuple):
    """The words that an item is about, `[start, end)` in the text."""

    start: int
    end: int


@dataclass(slots=True)
class RankedStructure:
    """Items that were numbered together; the head of an item that ranks nobody is None."""

    numbers: list[int] = field(default_factory=lambda: [])
    heads: list[ItemHead | None] = field(default_factory=lambda: [])
    leaves_places: bool = False
    """Whether numbers are left out only after items whose names share a place (1, 3)."""
    _falls: bool = True
    _only_ones: bool = True

    def add(self, number: int, head: ItemHead | None) -> None:
        """Take in the next item with its printed number."""
        self._falls = self._falls and (not self.numbers or number < self.numbers[-1])
        self._only_ones = self._only_ones and number == 1
        self.numbers.append(number)
        self.heads.append(head)

    def continues(self, number: int) -> bool:
        """Whether a list that starts with this number goes on from this one."""
        last = self.numbers[-1]
        rising = number in (last + 1, self.numbers[0] + len(self.numbers))
        repeated = number == 1 and self._only_ones
        return rising or repeated or (number == last - 1 and self._falls)

    def ranks(self) -> list[int]:
        """The printed numbers if they fall strictly down to 1 or hold ties (1, 1, 3 or 1, 3), else the places in it."""
        if len(self.numbers) > 1 and self.numbers[-1] == 1 and self._falls:
            return self.numbers
        if self._has_ties() or self.leaves_places:
            return self.numbers
        return list(range(1, len(self.numbers) + 1))

    def _has_ties(self) -> bool:
        """Whether equal numbers stand for equal places: from 1 on, each the last, the next, or its own place."""
        if self.numbers[0] != 1 or len(set(self.numbers)) in (1, len(self.numbers)):
            return False
        return all(
            later in (earlier, earlier + 1, place)
            for place, (earlier, later) in enumerate(pairwise(self.numbers), 2)
        )


def ranked_structures(text: str) -> list[RankedStructure]:
    """Return the structures of at least two items that number what they list, in order of the document."""
    shown = text.replace("\0", "\ufffd")
    runs = (*line_marks(shown), *inline_marks(shown))
    structures = _markdown_structures(shown) if _may_hold_markdown(text) else []
    if not (runs or structures):
        return []
    source = _Source(shown)
    for run in runs:
        structure = RankedStructure()
        for mark in run:
            cut = _ITEM_END.search(shown, mark.start, mark.end) if mark.kind == "inline" else None
            structure.add(mark.number, _head(source, mark.start, cut.start() if cut else mark.end))
        structures.append(structure)
    ranked = [structure for structure in structures if len(structure.heads) >= _FEWEST_ITEMS]
    for structure in ranked:
        structure.leaves_places = _leaves_places(structure, shown)
    return sorted(ranked, key=_first_head)


def _leaves_places(structure: RankedStructure, text: str) -> bool:
    """Tell whether an ascending list from 1 leaves numbers out, each time after an item that says it is shared."""
    steps = list(zip(pairwise(structure.numbers), structure.heads, strict=False))
    if structure.numbers[0] != 1 or all(later == number + 1 for (number, later), _ in steps):
        return False
    return all(
        later == number + 1 or (later > number and head is not None and _is_shared(text, head))
        for (number, later), head in steps
    )


def _is_shared(text: str, head: ItemHead) -> bool:
    start, end = text.rfind("\n", 0, head.start) + 1, text.find("\n", head.end)
    return _SHARED.search(fold(text[start : end if end >= 0 else len(text)]).text) is not None


def _first_head(structure: RankedStructure) -> int:
    return next((head.start for head in structure.heads if head is not None), 0)


def _may_hold_markdown(text: str) -> bool:
    if "|" in text and _COLUMNS.search(text):
        return True
    opened = "\n" + (text.replace("\r", "\n") if "\r" in text else text)
    first = _NUMBERED_LINE.search(opened)
    return first is not None and _NUMBERED_LINE.search(opened, first.end()) is not None


@cache
def _parser() -> "MarkdownIt":
    """Block structure only; what is inside a line is read from the original, where offsets are known."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


class _Source:
    """The text by lines as the Markdown parser counts them."""

    def __init__(self, text: str):
        self.text = text

    @cached_property
    def _starts(self) -> list[int]:
        return [line.start() for line in _LINE.finditer(self.text)]

    def line(self, number: int) -> tuple[int, int]:
        start = self._starts[number]
        end = self._starts[number + 1] if number + 1 < len(self._starts) else len(self.text)
        return start, start + len(self.text[start:end].rstrip("\r\n"))

    def content(self, token: "Token") -> tuple[int, int]:
        """Where the first line of an inline token's content stands."""
        start, end = self.line((token.map or [0])[0])
        first = token.content.split("\n", 1)[0]
        column = self.text.find(first, start, end)
        return (column, column + len(first)) if column >= 0 else (start, end)


def _markdown_structures(text: str) -> list[RankedStructure]:
    lists = plain_lists(text)
    if lists is None:
        return _parsed_structures(text)
    source = _Source(text)
    structures: list[RankedStructure] = []
    newest: dict[str, RankedStructure] = {}
    for items in lists:
        _add_all(
            structures, newest, "list", [(item.number, _head(source, item.start, item.end)) for item in items]
        )
    return structures


def _parsed_structures(text: str) -> list[RankedStructure]:
    source = _Source(text)
    tokens = _parser().parse(text)
    structures: list[RankedStructure] = []
    newest: dict[str, RankedStructure] = {}
    for at, token in enumerate(tokens):
        if token.level:
            continue
        if token.type == "ordered_list_open":
            _add_all(structures, newest, "list", _list_items(tokens, at, source))
        elif token.type == "heading_open":
            _add_all(structures, newest, token.tag, _numbered(tokens[at + 1], source, _NUMBERED_HEADING))
        elif token.type == "paragraph_open":
            _add_all(structures, newest, "bold", _numbered(tokens[at + 1], source, _NUMBERED_PARAGRAPH))
        elif token.type == "table_open":
            structures.append(_table(tokens, at, source))
    return structures


def _add_all(
    structures: list[RankedStructure],
    newest: dict[str, RankedStructure],
    kind: str,
    items: Sequence[tuple[int, ItemHead | None]],
) -> None:
    """Join items to the newest structure of their kind if their first number continues it."""
    if not items:
        return
    last = newest.get(kind)
    if last is None or not last.continues(items[0][0]):
        last = newest[kind] = RankedStructure()
        structures.append(last)
    for number, head in items:
        last.add(number, head)


def _list_items(tokens: "Sequence[Token]", at: int, source: _Source) -> list[tuple[int, ItemHead | None]]:
    items: list[tuple[int, ItemHead | None]] = []
    while tokens[at].type != "ordered_list_close" or tokens[at].level:
        token = tokens[at]
        if token.type == "list_item_open" and token.level == 1:
            inside = tokens[at + 1].type in ("paragraph_open", "heading_open")
            head = _head(source, *source.content(tokens[at + 2])) if inside else None
            items.append((int(token.info), head))
        at += 1
    return items


def _numbered(inline: "Token", source: _Source, form: re.Pattern[str]) -> list[tuple[int, ItemHead | None]]:
    start, end = source.content(inline)
    number = form.match(source.text, start, end)
    if number is None:
        return []
    opened = _OPENED.match(source.text, start, end)
    if opened is None:
        return [(int(number["number"]), _head(source, number.end(), end))]
    closed = source.text.find(opened[0][:2], number.end(), end)
    return [(int(number["number"]), _short(source, number.end(), closed if closed >= 0 else end))]


def _table(tokens: "Sequence[Token]", at: int, source: _Source) -> RankedStructure:
    structure = RankedStructure()
    header = fold(tokens[at + 4].content).text.strip(" .")
    if header not in _RANK_HEADERS:
        return structure
    rows: Iterator[Token] = (token for token in _until(tokens, at, "table_close") if token.type == "tr_open")
    next(rows)
    for row in rows:
        cells = _cells(source, *source.line((row.map or [0])[0]))
        digits = re.sub(r"\D", "", source.text[slice(*cells[0])])
        head = _short(source, *cells[1]) if len(cells) > 1 else None
        structure.add(int(digits[:9]) if digits else 0, head)
    return structure


def _until(tokens: "Sequence[Token]", at: int, closing: str) -> Iterator["Token"]:
    while tokens[at].type != closing:
        yield tokens[at]
        at += 1


def _cells(source: _Source, start: int, end: int) -> list[tuple[int, int]]:
    """The cells of a table row; the pipes at its ends are optional."""
    line = source.text[start:end]
    first = start + len(line) - len(line.lstrip())
    first += source.text.startswith("|", first)
    last = start + len(line.rstrip())
    last -= last > first and _CELL_EDGE.match(source.text, last - 1) is not None
    edges = [first - 1, *(edge.start() for edge in _CELL_EDGE.finditer(source.text, first, last)), last]
    return [(low + 1, high) for low, high in pairwise(edges)]


def _head(source: _Source, start: int, end: int) -> ItemHead | None:
    """The bold run an item starts with, else its first line up to a dash, colon, bracket or full stop."""
    start = _after_remark(source, start, end)
    bold = _BOLD.match(source.text, start, end)
    if bold is not None and _POINTS.search(bold[0]) is None:
        opened, closed = bold.span("stars" if bold["stars"] is not None else "lines")
        joined = _JOINED_BOLD.match(source.text, bold.end(), end)
        return _short(source, opened, joined.end() if joined is not None else closed)
    shown = blank(source.text[start:end])
    bold = _BOLD.match(shown)
    if bold is not None:
        group = "stars" if bold["stars"] is not None else "lines"
        opened, closed = start + bold.start(group), start + bold.end(group)
        return _short(source, _after_remark(source, opened, closed), closed)
    cut = _CUT.search(shown)
    return _short(source, start, start + cut.start() if cut else end)


def _after_remark(source: _Source, start: int, end: int) -> int:
    remark = _REMARK.match(source.text, start, end)
    return remark.end() if remark is not None else start


def _short(source: _Source, start: int, end: int) -> ItemHead | None:
    """A head of at most eight words."""
    shown = source.text[start:end]
    if _POINTS.search(shown) is not None:
        shown = blank(shown).replace(BLANK, " ")
    words = shown.split()
    short = len(words) <= _LONGEST_HEAD or sum(any(map(str.isalnum, word)) for word in words) <= _LONGEST_HEAD
    return ItemHead(start, end) if short else None
