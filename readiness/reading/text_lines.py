"""The visible text of a page by blocks: what one line says belongs together, what two say may not."""

from collections.abc import Iterator
from typing import NamedTuple

from selectolax.lexbor import LexborNode

from readiness.reading.elements import CONTENT, FURNITURE, collapsed
from readiness.reading.page import TextLine

BLOCKS = frozenset(
    ("h1", "h2", "h3", "h4", "h5", "h6", "li", "blockquote", "p", "div", "section", "article", "main", "body", "dt",
     "dd", "tr", "pre", "figcaption", "caption", "summary", "details", "address", "td", "th", "ul", "ol", "table")
)  # fmt: skip
ROWS = ("li", "tr")
CONTACTS = 'a[href^="tel:" i],a[href^="geo:" i],a[href*="//maps." i],a[href*="/maps" i]'
ADDRESSES = "address,[itemprop=address],[itemprop=streetAddress]"
MOST_LEVELS = 30
"""How far up the block of a piece of text is searched; hostile markup nests deeper."""
DEEPEST, MOST_NODES, LONG = 500, 20_000, 2_000


class _Surroundings(NamedTuple):
    """What is around a piece of text: its block and row by number, and whether it is the page's own or a link."""

    block: int = 0
    tag: str = ""
    row: int = 0
    in_address: bool = False
    in_content: bool = False
    is_own: bool = True
    has_contact: bool = False

    def inside(self, tag: str, number: int) -> "_Surroundings":
        """What is around the text of an element in these."""
        if tag in BLOCKS:
            row = number if tag in ROWS else self.row
            here = self._replace(block=number, tag=tag, row=row, in_content=self.in_content or tag in CONTENT)
        elif tag in FURNITURE:
            here = self._replace(is_own=self.is_own and tag != "nav" and self.in_content)
        else:
            here = self
        return here


def text_lines(root: LexborNode, most: int) -> Iterator[TextLine]:
    """Yield the lines of a tree without scripts, of `most` characters together."""
    pieces: list[str] = []
    last, last_break, breaks, number, has_contact = _Surroundings(), 0, 0, 0, False
    contacts, addresses = ({node.mem_id for node in root.css(kind)} for kind in (CONTACTS, ADDRESSES))
    levels = [(root.iter(include_text=True), _Surroundings().inside(root.tag or "", 0))]
    while levels and number < MOST_NODES and most > 0:
        node = next(levels[-1][0], None)
        here = levels[-1][1]
        if node is None:
            levels.pop()
            continue
        number += 1
        tag = node.tag or ""
        if tag == "br":
            breaks += 1
        elif tag != "-text" and len(levels) < DEEPEST:
            around = here.inside(tag, number)
            if node.mem_id in contacts:
                around = around._replace(has_contact=True)
            if node.mem_id in addresses:
                around = around._replace(in_address=True)
            levels.append((node.iter(include_text=True), around))
        if tag != "-text":
            continue
        written = node.text(deep=False)
        text = collapsed(written) if len(written) > LONG else " ".join(written.split())
        if not text:
            continue
        if pieces and (here.block != last.block or breaks != last_break):
            yield _line(last, pieces, has_contact)
            pieces, has_contact = [], False
        last, last_break, has_contact = here, breaks, has_contact or here.has_contact
        pieces.append(text)
        most -= len(text)
    if pieces:
        yield _line(last, pieces, has_contact)


def _line(around: _Surroundings, pieces: list[str], has_contact: bool) -> TextLine:
    tag = "address" if around.in_address else around.tag
    return TextLine(tag, tuple(pieces), around.row, around.is_own, has_contact)
