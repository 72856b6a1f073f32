"""Reads ordered lists that are written in HTML: `<ol><li>Acme</li><li>Bravo</li></ol>`."""

import re

_OPENED = re.compile(r"<ol(?: [^<>]{0,80})?>", re.IGNORECASE)
_CLOSED = re.compile(r"</ol>", re.IGNORECASE)
_ITEM = re.compile(r"<li(?: [^<>]{0,80})?>\s{0,8}(?:<p>\s{0,8})?", re.IGNORECASE)
_ITEM_END = re.compile(r"</?(?:li|ul|ol|p|br)\b|\n", re.IGNORECASE)


def html_lists(text: str) -> list[list[tuple[int, int]]]:
    """Return where the first lines of the items of ordered lists stand, `[start, end)` each, by list."""
    lists: list[list[tuple[int, int]]] = []
    opened = _OPENED.search(text) if "<" in text else None
    while opened is not None:
        closed = _CLOSED.search(text, opened.end())
        end = closed.start() if closed is not None else len(text)
        lists.append([_first_line(text, item.end(), end) for item in _ITEM.finditer(text, opened.end(), end)])
        opened = _OPENED.search(text, end)
    return lists


def _first_line(text: str, start: int, end: int) -> tuple[int, int]:
    closing = _ITEM_END.search(text, start, end)
    return start, closing.start() if closing is not None else end
