"""Reads numbered lists off a text whose block structure shows in its lines, which spares it the Markdown parser."""

import re
from typing import NamedTuple

_LETTER = r"(?:[^\W\d_]|[“\"‘]{1,2}[^\W\d_]|[*_]{2}[^\W\d_])"
_ITEM = re.compile(rf"(?P<number>\d{{1,9}})(?P<mark>[.)]) {{1,4}}(?={_LETTER})")
_BULLET = re.compile(rf"[-*+] {{1,3}}(?={_LETTER})")
_TEXT = re.compile(_LETTER)
_HEADING = re.compile(r"#{1,6} {1,3}(?=[^\W\d_])")
_NESTED = re.compile(rf" {{2,12}}(?:[-*+•] {{1,3}})?(?={_LETTER})")
_UNPLAIN = re.compile(r"[\t\r|<\x0b\x0c\x1c-\x1e\x85\u2028\u2029]|```|~~~|\]:")


class PlainItem(NamedTuple):
    """An item's number, and where its first line stands without the mark, `[start, end)` in the text."""

    number: int
    start: int
    end: int


def plain_lists(text: str) -> list[list[PlainItem]] | None:
    """Return the numbered lists of a text that holds nothing but these, bullets, headings and paragraphs.

    None when a line is anything else or could be, or when its meaning hangs on more than the lines around it.
    """
    if _UNPLAIN.search(text):
        return None
    lists: list[list[PlainItem]] = []
    mark, column = "", 0  # of the open list; no mark: none is open
    paragraph, fresh = (
        False,
        True,
    )  # whether the last line belongs to a paragraph outside of lists; or to nothing
    at = 0
    for line in text.split("\n"):
        end = at + len(line)
        if not line or line.isspace():
            paragraph, fresh = False, True
            at = end + 1
            continue
        item = _ITEM.match(line)
        if item is not None:
            if line[-1] == " " or (paragraph and item["number"] != "1"):
                return None
            if item["mark"] != mark:
                mark = item["mark"]
                lists.append([])
            column = item.end()
            paragraph = False
            lists[-1].append(PlainItem(int(item["number"]), at + column, end))
        elif line[0] == " ":
            if not mark or not _NESTED.match(line) or len(line) - len(line.lstrip(" ")) < column:
                return None
        elif _TEXT.match(line):
            if fresh:
                mark, paragraph = "", True
        elif _BULLET.match(line) or _HEADING.match(line):
            mark, paragraph = "", False
        else:
            return None
        fresh = line[0] == "#"
        at = end + 1
    return lists
