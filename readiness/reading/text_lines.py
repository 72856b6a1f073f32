"""The visible text of a page by blocks: what one line says belongs together, what two say may not."""

from collections.abc import Iterator
from dataclasses import dataclass

from selectolax.lexbor import LexborNode

from readiness.reading.elements import ancestors, attribute, collapsed, is_furniture
from readiness.reading.page import TextLine

BLOCKS = frozenset(
    ("h1", "h2", "h3", "h4", "h5", "h6", "li", "blockquote", "p", "div", "section", "article", "main", "body", "dt",
     "dd", "tr", "pre", "figcaption", "caption", "summary", "details", "address", "td", "th", "ul", "ol", "table")
)  # fmt: skip
ROWS = ("li", "tr")
CONTACTS = ("tel:", "geo:", "://maps.", "/maps")
MOST_LEVELS = 30
"""How far up the block of a piece of text is searched; hostile markup nests deeper."""
MOST_NODES = 20_000


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """What a piece of text is in: its block, row and address by number, and whether it is the page's own or a link."""

    block: int
    tag: str
    row: int
    is_own: bool
    has_contact: bool


def text_lines(root: LexborNode, most: int) -> Iterator[TextLine]:
    """Yield the lines of a tree without scripts, of `most` characters together."""
    known: dict[int, _Surroundings] = {}
    pieces: list[str] = []
    around: _Surroundings | None = None
    breaks = begun = 0
    has_contact = False
    for number, node in enumerate(root.traverse(include_text=True)):
        if number > MOST_NODES or most < 0:
            break
        breaks += node.tag == "br"
        if node.tag != "-text" or not (text := collapsed(node.text(deep=False))) or node.parent is None:
            continue
        here = known.get(node.parent.mem_id) or known.setdefault(
            node.parent.mem_id, _surroundings(node.parent)
        )
        if around is not None and (here.block != around.block or breaks != begun):
            yield TextLine(around.tag, tuple(pieces), around.row, around.is_own, has_contact)
            pieces, has_contact = [], False
        around, begun = here, breaks
        has_contact = has_contact or here.has_contact
        pieces.append(text)
        most -= len(text)
    if around is not None:
        yield TextLine(around.tag, tuple(pieces), around.row, around.is_own, has_contact)


def _surroundings(parent: LexborNode) -> _Surroundings:
    levels = [parent, *ancestors(parent, MOST_LEVELS)]
    block = next((level for level in levels if level.tag in BLOCKS), parent)
    row = next((level.mem_id for level in levels if level.tag in ROWS), 0)
    tag = "address" if any(_is_address(level) for level in levels[:4]) else block.tag or ""
    links = (attribute(level, "href").lower() for level in levels[:4] if level.tag == "a")
    has_contact = any(mark in href for href in links for mark in CONTACTS)
    return _Surroundings(block.mem_id, tag, row, not is_furniture(parent), has_contact)


def _is_address(level: LexborNode) -> bool:
    return level.tag == "address" or attribute(level, "itemprop") in ("address", "streetAddress")
