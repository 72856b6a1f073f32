"""Reading what one HTML page says as Markdown: headings, paragraphs and lists, without navigation and footer."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode

from readiness.reading.documents import decode
from readiness.reading.elements import ancestors, collapsed, strip_furniture
from readiness.reading.page_reader import INVISIBLE
from readiness.reading.text_lines import BLOCKS, MOST_LEVELS

LONGEST_TEXT = 100_000
LONGEST_TITLE = 200
CONTROLS = ["form", "button", "select", "textarea", "dialog"]
PREFIXES = {
    "h1": "# ",
    "h2": "## ",
    "h3": "### ",
    "h4": "#### ",
    "h5": "##### ",
    "h6": "###### ",
    "li": "- ",
    "blockquote": "> ",
}
MARKUP = re.compile(r"^(#{1,6} |[-+*>] )")


@dataclass(frozen=True, slots=True)
class PageText:
    """The words of a page: its title in one line, and its own text as Markdown of at most `LONGEST_TEXT` characters."""

    title: str
    markdown: str


def read_page_text(body: bytes, content_type: str) -> PageText:
    """Return what a page says; goes over strangers' text and runs in a worker."""
    tree = LexborHTMLParser(decode(body, content_type))
    titles = [tree.css_first("h1"), tree.css_first("head > title")]
    title = next((words for node in titles if node is not None and (words := _line(node.text()))), "")
    tree.strip_tags([*INVISIBLE, *CONTROLS], recursive=True)
    strip_furniture(tree)
    for node in tree.css("[hidden]"):
        node.decompose()
    root = tree.css_first("main") or tree.body
    blocks = _blocks(root) if root is not None else iter(())
    return PageText(title, _joined(blocks))


def _line(text: str) -> str:
    """Return a text in one line of printable characters, cut where it is too long for a title."""
    return "".join(letter for letter in collapsed(text) if letter.isprintable())[:LONGEST_TITLE].strip()


def _blocks(root: LexborNode) -> Iterator[str]:
    """Yield the text of one block after another; text of alternating blocks starts a new one each time."""
    pieces: list[str] = []
    block: LexborNode | None = None
    for node in root.traverse(include_text=True):
        if node.tag != "-text":
            continue
        nearest = next((parent for parent in ancestors(node, MOST_LEVELS) if parent.tag in BLOCKS), None)
        if pieces and (nearest is None or block is None or nearest.mem_id != block.mem_id):
            yield _written(pieces, block)
            pieces = []
        block = nearest
        pieces.append(node.text(deep=False))
    yield _written(pieces, block)


def _written(pieces: list[str], block: LexborNode | None) -> str:
    text = collapsed("".join(pieces))
    if not text:
        return ""
    return PREFIXES.get((block.tag or "") if block is not None else "", "") + MARKUP.sub(r"\\\1", text)


def _joined(blocks: Iterator[str]) -> str:
    """Join blocks as Markdown: list entries without blank lines, all else with them."""
    written = ""
    for block in blocks:
        if not block:
            continue
        is_entry = block.startswith("- ") and written.rpartition("\n")[2].startswith("- ")
        written += ("\n" if is_entry else "\n\n" if written else "") + block
        if len(written) >= LONGEST_TEXT:
            break
    return written[:LONGEST_TEXT]
