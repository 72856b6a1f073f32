"""Reads the place of an entity off a ranked list, numbered headings or a ranking table in an answer."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from analytics.blanking import BLANK, blank
from analytics.folding import fold
from analytics.mentions import Mention

if TYPE_CHECKING:
    from markdown_it import MarkdownIt  # loading it takes a seventh of a second, which start-up cannot spare
    from markdown_it.token import Token

VERSION = "rank/1"

_LONGEST_HEAD = 8
_FEWEST_ITEMS = 2
_RANK_HEADERS = frozenset(("rank", "#", "no", "position", "place", "rang", "platz", "puesto"))

_NUMBERED_LINE = re.compile(r"^\s*(?:#{1,6}\s+)?(?:[*_]{2,3})?\s*\d{1,9}[.)]", re.MULTILINE)
_COLUMNS = re.compile(r"-[ \t]*:?[ \t]*\|[ \t]*:?[ \t]*-")
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|\Z)")
_NUMBERED_HEADING = re.compile(r"(?:\*\*\*?|__)?\s*(?P<number>\d{1,9})[.)]\s+")
_NUMBERED_PARAGRAPH = re.compile(r"(?:\*\*\*?|__)\s*(?P<number>\d{1,9})[.)]\s+")
_OPENED = re.compile(r"\*\*\*?|__")
_BOLD = re.compile(r"\*\*\*?(?=\S)(?P<stars>.+?)\*\*|__(?=\S)(?P<lines>.+?)__")
_CUT = re.compile(r" [-–—] |[:(：（。]|\. ")
_CELL_EDGE = re.compile(r"(?<!\\)\|")


class _Head(NamedTuple):
    """The words that an item is about, `[start, end)` in the text."""

    start: int
    end: int


@dataclass(slots=True)
class _Structure:
    """Items that were numbered together; the head of an item that ranks nobody is None."""

    numbers: list[int] = field(default_factory=lambda: [])
    heads: list[_Head | None] = field(default_factory=lambda: [])

    def add(self, number: int, head: _Head | None) -> None:
        self.numbers.append(number)
        self.heads.append(head)

    def continues(self, number: int) -> bool:
        last = self.numbers[-1]
        rising = number in (last + 1, self.numbers[0] + len(self.numbers))
        return rising or (number == last - 1 and self._falls())

    def ranks(self) -> list[int]:
        """The printed numbers if they fall strictly down to 1, else the places in the structure."""
        if len(self.numbers) > 1 and self.numbers[-1] == 1 and self._falls():
            return self.numbers
        return list(range(1, len(self.numbers) + 1))

    def _falls(self) -> bool:
        return all(later < earlier for earlier, later in pairwise(self.numbers))


def list_ranks(text: str, mentions: Sequence[Mention]) -> dict[str, int]:
    """The rank, from 1, of each entity that the answer ranks; an entity that it does not rank is left out.

    Ranked structures are top-level ordered lists, numbered headings, paragraphs that open with a bold number,
    and tables whose first column is headed as a rank (CommonMark with tables). The first that ranks an entity
    wins.
    """
    counted = [(span.start, span.end, mention.entity_id) for mention in mentions for span in mention.counted]
    if not counted or not may_rank(text):
        return {}
    counted.sort()
    found: dict[str, int] = {}
    for structure in _ranked_structures(text):
        for rank, head in zip(structure.ranks(), structure.heads, strict=True):
            for entity_id in _named_within(head, counted) if head else ():
                found.setdefault(entity_id, rank)
    return found


def ranked_heads(text: str) -> list[tuple[int, int]]:
    """Where the items of all ranked structures say what they are about, `[start, end)` in the text, in order."""
    if not may_rank(text):
        return []
    return [
        (head.start, head.end)
        for structure in _ranked_structures(text)
        for head in structure.heads
        if head is not None
    ]


def _ranked_structures(text: str) -> Iterator[_Structure]:
    for structure in _structures(text.replace("\0", "\ufffd")):
        if len(structure.heads) >= _FEWEST_ITEMS:
            yield structure


def _named_within(head: _Head, counted: Sequence[tuple[int, int, str]]) -> Iterator[str]:
    at = bisect_left(counted, head.start, key=_start)
    while at < len(counted) and counted[at][0] < head.end:
        if counted[at][1] <= head.end:
            yield counted[at][2]
        at += 1


def _start(span: tuple[int, int, str]) -> int:
    return span[0]


def may_rank(text: str) -> bool:
    """Whether the text can hold a ranked structure; never False for one that does."""
    if "|" in text and _COLUMNS.search(text):
        return True
    lines = _NUMBERED_LINE.finditer(text.replace("\r", "\n") if "\r" in text else text)
    return next(lines, None) is not None and next(lines, None) is not None


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
        self._starts = [line.start() for line in _LINE.finditer(text)]

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


def _structures(text: str) -> list[_Structure]:
    source = _Source(text)
    tokens = _parser().parse(text)
    found: list[_Structure] = []
    newest: dict[str, _Structure] = {}
    for at, token in enumerate(tokens):
        if token.level:
            continue
        if token.type == "ordered_list_open":
            _add_all(found, newest, "list", _list_items(tokens, at, source))
        elif token.type == "heading_open":
            _add_all(found, newest, token.tag, _numbered(tokens[at + 1], source, _NUMBERED_HEADING))
        elif token.type == "paragraph_open":
            _add_all(found, newest, "bold", _numbered(tokens[at + 1], source, _NUMBERED_PARAGRAPH))
        elif token.type == "table_open":
            found.append(_table(tokens, at, source))
    return found


def _add_all(
    found: list[_Structure],
    newest: dict[str, _Structure],
    kind: str,
    items: Sequence[tuple[int, _Head | None]],
) -> None:
    """Join items to the newest structure of their kind if their first number continues it."""
    if not items:
        return
    last = newest.get(kind)
    if last is None or not last.continues(items[0][0]):
        last = newest[kind] = _Structure()
        found.append(last)
    for number, head in items:
        last.add(number, head)


def _list_items(tokens: "Sequence[Token]", at: int, source: _Source) -> list[tuple[int, _Head | None]]:
    items: list[tuple[int, _Head | None]] = []
    while tokens[at].type != "ordered_list_close" or tokens[at].level:
        token = tokens[at]
        if token.type == "list_item_open" and token.level == 1:
            inside = tokens[at + 1].type in ("paragraph_open", "heading_open")
            head = _head(source, *source.content(tokens[at + 2])) if inside else None
            items.append((int(token.info), head))
        at += 1
    return items


def _numbered(inline: "Token", source: _Source, form: re.Pattern[str]) -> list[tuple[int, _Head | None]]:
    start, end = source.content(inline)
    number = form.match(source.text, start, end)
    if number is None:
        return []
    opened = _OPENED.match(source.text, start, end)
    if opened is None:
        return [(int(number["number"]), _head(source, number.end(), end))]
    closed = source.text.find(opened[0][:2], number.end(), end)
    return [(int(number["number"]), _short(source, number.end(), closed if closed >= 0 else end))]


def _table(tokens: "Sequence[Token]", at: int, source: _Source) -> _Structure:
    structure = _Structure()
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


def _head(source: _Source, start: int, end: int) -> _Head | None:
    """The bold run an item starts with, else its first line up to a dash, colon, bracket or full stop."""
    shown = blank(source.text[start:end])
    bold = _BOLD.match(shown)
    if bold is not None:
        group = "stars" if bold["stars"] is not None else "lines"
        return _short(source, start + bold.start(group), start + bold.end(group))
    cut = _CUT.search(shown)
    return _short(source, start, start + cut.start() if cut else end)


def _short(source: _Source, start: int, end: int) -> _Head | None:
    """A head of at most eight words."""
    shown = blank(source.text[start:end]).replace(BLANK, " ")
    words = sum(any(char.isalnum() for char in word) for word in shown.split())
    return _Head(start, end) if words <= _LONGEST_HEAD else None
