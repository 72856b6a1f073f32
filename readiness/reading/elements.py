"""Elements of a parsed page: their text, position and accessible name."""

from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

FURNITURE = ("nav", "header", "footer", "aside")
CONTENT = ("main", "article")
MOST_FURNITURE = 2_000
SILENT = frozenset(("hidden", "image", "submit", "reset"))


def attribute(node: LexborNode | None, name: str) -> str:
    """Return an attribute's value, empty where there is none."""
    return (node.attributes.get(name) if node is not None else None) or ""


PIECE = 65_536
"""Characters, and what is left of a word."""


def collapsed(text: str) -> str:
    """Return text with each run of white space as one space.

    Piece by piece: the words of a large page, all in one list, take many times the memory of its text.
    """
    pieces: list[str] = []
    start = 0
    while start < len(text):
        blank = text.find(" ", start + PIECE)
        end = blank if blank >= 0 else len(text)
        pieces.append(" ".join(text[start:end].split()))
        start = end
    return " ".join(filter(None, pieces))


def ancestors(node: LexborNode, most: int) -> Iterator[LexborNode]:
    """Yield the ancestors of an element, nearest first; hostile markup nests deeper than `most`."""
    ancestor = node.parent
    for _ in range(most):
        if ancestor is None:
            return
        yield ancestor
        ancestor = ancestor.parent


def within(node: LexborNode, tags: tuple[str, ...]) -> bool:
    """Whether an element is inside one of these."""
    return any(ancestor.tag in tags for ancestor in ancestors(node, 30))


def is_furniture(node: LexborNode) -> bool:
    """Whether an element is part of a navigation, or of a header, footer or aside outside the page's content."""
    for level in (node, *ancestors(node, 30)):
        if level.tag == "nav":
            return True
        if level.tag in FURNITURE and not within(level, CONTENT):
            return True
    return False


def strip_furniture(tree: LexborHTMLParser) -> None:
    """Remove the frame of a page; what belongs to its content stays, such as the price in an aside of an article."""
    framing = [node for node in tree.css(",".join(FURNITURE))[:MOST_FURNITURE] if is_furniture(node)]
    for node in framing:
        node.decompose()


def place(node: LexborNode, number: int) -> str:
    """Return how a report names an element: by its id, its name, or the how-many-eth it is."""
    identity, name = node.id, attribute(node, "name")
    if identity:
        return f"{node.tag}#{identity}"[:100]
    return f'{node.tag}[name="{name}"]'[:100] if name else f"{node.tag} no. {number}"


def accessible_name(node: LexborNode, kind: str, labels: dict[str, str]) -> str:
    """Name by the steps of HTML-AAM 1.0, section 4.1, that static HTML can answer."""
    label = labels.get(node.id or "", "") if node.id else ""
    named = [attribute(node, "aria-label"), attribute(node, "aria-labelledby"), label]
    if node.tag == "button" or kind in SILENT:
        icons = node.css("img[alt]")
        named += [node.text(), attribute(node, "value"), attribute(node, "alt")]
        named += [*(attribute(icon, "alt") for icon in icons), attribute(node, "title")]
        named.append("Submit" if kind == "submit" and node.tag == "input" else "")
    else:
        around = (above.text() for above in ancestors(node, 6) if above.tag == "label")
        named += [next(around, ""), attribute(node, "title"), attribute(node, "placeholder")]
    return next((name for text in named if (name := collapsed(text)[:200])), "")
