"""Parses the ranked structures of an answer: lists, numbered headings and paragraphs, tables, marked lines."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from analytics.answers.list_items import (
    JOINED_BOLD,
    RankedItem,
    Source,
    is_shared_line,
    item_of,
    says_shared,
    short_head,
)
from analytics.answers.rank_marks import MOST_SHARED, PRINTED_PLACES, inline_marks, line_marks
from analytics.text.folding import fold
from analytics.text.markup import without_references

if TYPE_CHECKING:
    from markdown_it import MarkdownIt  # loading it takes a seventh of a second, which start-up cannot spare
    from markdown_it.token import Token

_FEWEST_ITEMS = 2
_RANK_HEADERS_TEXT = """
rank ranking # no nr number position pos place rang rangplatz platz puesto posicion lugar numero n° nº posizione posto
classifica posicao colocacao plaats positie miejsce pozycja lp sira siralama место № номер позиция рейтинг
top medal
順位 ランキング 順 排名 名次
序号 排行 순위 랭킹 번호 المرتبه الترتيب المركز रैंक रैंकिंग स्थान क्रम
"""
_RANK_HEADERS = frozenset(_RANK_HEADERS_TEXT.split())
_HEADER_WORD = re.compile(r"[^\W_]+|#|№")
_MOST_HEADER_WORDS = 3
_CELL_MARK = re.compile(r"[ *_]{0,6}(?:[🥇🥈🥉]|#?\d{1,2}(?:[.):](?= )|\ufe0f?\u20e3|(?<=#\d))) ?")
"""The rank at the start of the name in a table row."""

_NUMBERED_LINE = re.compile(r"\n[^\S\n]{0,12}(?:#{1,6}\s{1,4})?(?:[*_]{2,3})?\s{0,4}\d{1,9}[.)]")
_COLUMNS = re.compile(r"-[ \t]{0,12}:?[ \t]{0,12}\|[ \t]{0,12}:?[ \t]{0,12}-")
_NUMBERED_HEADING = re.compile(r"(?:\*\*\*?|__)?\s{0,4}(?P<number>\d{1,9})[.)]\s{1,4}")
_NUMBERED_PARAGRAPH = re.compile(r"(?:\*\*\*?|__)\s{0,4}(?P<number>\d{1,9})[.)]\s{1,4}")
_OPENED = re.compile(r"\*\*\*?|__")
_ITEM_END = re.compile(r"[,;]|\.(?=\s|\Z)| (?:and|und|y|et|e|en|i|ve|и) ")
_LIST_OPENED = re.compile(r"<ol(?: [^<>]{0,80})?>", re.IGNORECASE)
_LIST_CLOSED = re.compile(r"</ol>", re.IGNORECASE)
_HTML_ITEM = re.compile(r"<li(?: [^<>]{0,80})?>\s{0,8}(?:<p>\s{0,8})?", re.IGNORECASE)
_HTML_ITEM_END = re.compile(r"</?(?:li|ul|ol|p|br)\b|\n", re.IGNORECASE)
_CELL_EDGE = re.compile(r"(?<!\\)\|")


@dataclass(slots=True)
class RankedStructure:
    """Items that are numbered together."""

    items: list[RankedItem] = field(default_factory=lambda: [])
    leaves_places: bool = False
    """Whether numbers are skipped only after items whose names share a rank (1, 3)."""
    prints_places: bool = False
    """Whether the numbers are ranks although they start above 1: `#2`, `🥉`, or 4 after a structure to 3."""
    _falls: bool = True
    _only_ones: bool = True

    @property
    def numbers(self) -> list[int]:
        """The printed numbers, in order."""
        return [item.number for item in self.items]

    def add(self, item: RankedItem) -> None:
        """Add the next item."""
        self._falls = self._falls and (not self.items or item.number < self.items[-1].number)
        self._only_ones = self._only_ones and item.number == 1
        self.items.append(item)

    def continues(self, number: int, text: str) -> bool:
        """Return whether a list that starts with this number continues this structure."""
        last = self.items[-1].number
        rising = number in (last + 1, self.items[0].number + len(self.items))
        repeated = number == 1 and self._only_ones
        if rising or repeated or (number == last - 1 and self._falls):
            return True
        return last + 1 < number <= last + MOST_SHARED and is_shared_line(text, *self.items[-1][2:])

    def ranks(self) -> list[int]:
        """Return the printed numbers if they count down or contain ties (1, 1, 3 or 1, 3), else the positions in it."""
        numbers = self.numbers
        rises = self.prints_places and all(later > number for number, later in pairwise(numbers))
        if rises or self._counts_down(numbers) or self.leaves_places or _has_ties(numbers):
            return numbers
        return list(range(1, len(numbers) + 1))

    def _counts_down(self, numbers: Sequence[int]) -> bool:
        """Return whether the numbers fall to 1, or fall by one each time because a truncated answer never reached 1."""
        if not self._falls or len(numbers) < _FEWEST_ITEMS:
            return False
        return numbers[-1] == 1 or (
            len(numbers) > _FEWEST_ITEMS and numbers[0] - numbers[-1] == len(numbers) - 1
        )


def _has_ties(numbers: Sequence[int]) -> bool:
    """Return whether equal numbers mean ties: from 1 on, each is the previous number, the next one or its position."""
    if numbers[0] != 1 or len(set(numbers)) in (1, len(numbers)):
        return False
    return all(
        later in (earlier, earlier + 1, place) for place, (earlier, later) in enumerate(pairwise(numbers), 2)
    )


def ranked_structures(text: str) -> list[RankedStructure]:
    """Return the numbered structures of at least two items, in document order."""
    shown = without_references(text.replace("\0", "\ufffd"))
    runs = (*line_marks(shown), *inline_marks(shown))
    structures = _markdown_structures(shown) if _may_hold_markdown(shown) else []
    structures += _html_structures(shown)
    if not (runs or structures):
        return []
    source = Source(shown)
    for run in runs:
        structure = RankedStructure(prints_places=run[0].kind in PRINTED_PLACES)
        for mark in run:
            cut = _ITEM_END.search(shown, mark.start, mark.end) if mark.kind == "inline" else None
            structure.add(item_of(source, mark.number, mark.start, cut.start() if cut else mark.end))
        structures.append(structure)
    ranked = [structure for structure in structures if len(structure.items) >= _FEWEST_ITEMS]
    ranked.sort(key=_first_head)
    for structure in ranked:
        structure.leaves_places = _leaves_places(structure, shown)
    for before, structure in pairwise(ranked):
        structure.prints_places |= _goes_on(before, structure)
    return ranked


def _goes_on(before: RankedStructure, structure: RankedStructure) -> bool:
    """Return whether a structure follows another and continues its numbers: 🥇, 🥈, 🥉, then a list from 4 on."""
    last, first = before.items[-1], structure.items[0]
    return 1 < first.number == last.number + 1 and first.start > last.start


def _leaves_places(structure: RankedStructure, text: str) -> bool:
    """Return whether an ascending list from 1 skips numbers only after items that are described as shared."""
    steps = list(pairwise(structure.items))
    if structure.items[0].number != 1 or all(later.number == item.number + 1 for item, later in steps):
        return False
    return all(
        later.number == item.number + 1
        or (later.number > item.number and item.head is not None and says_shared(text, *item.head))
        for item, later in steps
    )


def _first_head(structure: RankedStructure) -> int:
    return next((item.head.start for item in structure.items if item.head is not None), 0)


def _may_hold_markdown(text: str) -> bool:
    if "|" in text and _COLUMNS.search(text):
        return True
    opened = "\n" + (text.replace("\r", "\n") if "\r" in text else text)
    first = _NUMBERED_LINE.search(opened)
    return first is not None and _NUMBERED_LINE.search(opened, first.end()) is not None


@cache
def _parser() -> "MarkdownIt":
    """Return a parser of block structure. Inline content is read from the source, where offsets are known."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def _html_structures(text: str) -> list[RankedStructure]:
    """Return ordered lists written in HTML: `<ol><li>Acme</li><li>Bravo</li></ol>`."""
    structures: list[RankedStructure] = []
    opened = _LIST_OPENED.search(text) if "<" in text else None
    source = Source(text)
    while opened is not None:
        closed = _LIST_CLOSED.search(text, opened.end())
        end = closed.start() if closed is not None else len(text)
        structures.append(RankedStructure())
        for number, item in enumerate(_HTML_ITEM.finditer(text, opened.end(), end), 1):
            item_end = _HTML_ITEM_END.search(text, item.end(), end)
            stop = item_end.start() if item_end is not None else end
            structures[-1].add(item_of(source, number, item.end(), stop))
        opened = _LIST_OPENED.search(text, end)
    return structures


def _markdown_structures(text: str) -> list[RankedStructure]:
    source = Source(text)
    tokens = _parser().parse(text)
    structures: list[RankedStructure] = []
    newest: dict[str, RankedStructure] = {}
    for at, token in enumerate(tokens):
        if token.level:
            continue
        if token.type == "ordered_list_open":
            _add_all(structures, newest, "list", _list_items(tokens, at, source), text)
        elif token.type == "heading_open":
            _add_all(
                structures, newest, token.tag, _numbered(tokens[at + 1], source, _NUMBERED_HEADING), text
            )
        elif token.type == "paragraph_open":
            _add_all(structures, newest, "bold", _numbered(tokens[at + 1], source, _NUMBERED_PARAGRAPH), text)
        elif token.type == "table_open":
            structures.append(_table(tokens, at, source))
    return structures


def _add_all(
    structures: list[RankedStructure],
    newest: dict[str, RankedStructure],
    kind: str,
    items: Sequence[RankedItem],
    text: str,
) -> None:
    """Add items to the newest structure of their kind if their first number continues it."""
    if not items:
        return
    last = newest.get(kind)
    if last is None or not last.continues(items[0].number, text):
        last = newest[kind] = RankedStructure()
        structures.append(last)
    for item in items:
        last.add(item)


def _list_items(tokens: "Sequence[Token]", at: int, source: Source) -> list[RankedItem]:
    items: list[RankedItem] = []
    while tokens[at].type != "ordered_list_close" or tokens[at].level:
        token = tokens[at]
        if token.type == "list_item_open" and token.level == 1:
            number = int(token.info)
            if tokens[at + 1].type in ("paragraph_open", "heading_open"):
                items.append(item_of(source, number, *source.content(tokens[at + 2])))
            else:
                items.append(RankedItem(number, None, *source.line((token.map or [0])[0])))
        at += 1
    return items


def _numbered(inline: "Token", source: Source, form: re.Pattern[str]) -> list[RankedItem]:
    start, end = source.content(inline)
    number = form.match(source.text, start, end)
    if number is None:
        return []
    opened = _OPENED.match(source.text, start, end)
    if opened is None:
        return [item_of(source, int(number["number"]), number.end(), end)]
    closed = source.text.find(opened[0][:2], number.end(), end)
    joined = JOINED_BOLD.match(source.text, closed + len(opened[0][:2]), end) if closed >= 0 else None
    closed = joined.end() if joined is not None else closed
    head = short_head(source, number.end(), closed if closed >= 0 else end)
    return [RankedItem(int(number["number"]), head, number.end(), end)]


def _table(tokens: "Sequence[Token]", at: int, source: Source) -> RankedStructure:
    structure = RankedStructure()
    header = _header(tokens[at + 4].content)
    rows: Iterator[Token] = (token for token in _until(tokens, at, "table_close") if token.type == "tr_open")
    next(rows)
    for row in rows:
        line = source.line((row.map or [0])[0])
        structure.add(_row_item(source, line, _cells(source, *line), in_name=header is None))
    return structure if header or _counts_from_one(structure.numbers) else RankedStructure()


def _row_item(
    source: Source, line: tuple[int, int], cells: Sequence[tuple[int, int]], *, in_name: bool
) -> RankedItem:
    """Return a row whose first cell is its rank or, with `in_name`, starts with it: `| 🥇 Acme | ...`."""
    if in_name:
        mark = _CELL_MARK.match(source.text, *cells[0])
        if mark is None:
            return RankedItem(0, None, *line)
        return RankedItem(
            _cell_number(mark[0]), short_head(source, mark.end(), cells[0][1]), mark.end(), cells[0][1]
        )
    number = _cell_number(source.text[slice(*cells[0])])
    if len(cells) > 1:
        return RankedItem(number, short_head(source, *cells[1]), *cells[1])
    return RankedItem(number, None, *line)


def _header(cell: str) -> bool | None:
    """Return whether a column header denotes a rank: False if its cells must decide, None if it does not."""
    shown = fold(cell).text.strip(" .")
    if shown in _RANK_HEADERS:
        return True
    words = _HEADER_WORD.findall(shown)
    return (
        False
        if len(words) <= _MOST_HEADER_WORDS and (not words or _RANK_HEADERS.intersection(words))
        else None
    )


def _cell_number(cell: str) -> int:
    """Return the rank printed in a cell, or 0."""
    digits = re.sub(r"\D", "", cell)[:9]
    if digits:
        return int(digits)
    return next((place for place, medal in enumerate("🥇🥈🥉", 1) if medal in cell), 0)


def _counts_from_one(numbers: Sequence[int]) -> bool:
    return numbers[:1] == [1] and all(0 <= later - number <= 1 for number, later in pairwise(numbers))


def _until(tokens: "Sequence[Token]", at: int, closing: str) -> Iterator["Token"]:
    while tokens[at].type != closing:
        yield tokens[at]
        at += 1


def _cells(source: Source, start: int, end: int) -> list[tuple[int, int]]:
    """Return the cells of a table row; leading and trailing pipes are optional."""
    line = source.text[start:end]
    first = start + len(line) - len(line.lstrip())
    first += source.text.startswith("|", first)
    last = start + len(line.rstrip())
    last -= last > first and _CELL_EDGE.match(source.text, last - 1) is not None
    edges = [first - 1, *(edge.start() for edge in _CELL_EDGE.finditer(source.text, first, last)), last]
    return [(low + 1, high) for low, high in pairwise(edges)]
