"""Reading RDFa Lite: typed elements with `typeof` and what their `property` elements say."""

from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from readiness.reading.elements import ancestors, attribute, collapsed
from readiness.reading.page import Node

DEPTH = 30
WRITTEN_IN = ("content", "href", "src", "resource", "datetime")


def rdfa(tree: LexborHTMLParser) -> Iterator[Node]:
    """Elements that a page types with schema.org's vocabulary, each with its own properties (RDFa Lite 1.1)."""
    for number, item in enumerate(tree.css("[typeof]")[:100]):
        types = _types(item)
        if types and _is_schema(item):
            yield Node(types, _properties(item, 100), f"/rdfa/{number}")


def _types(item: LexborNode) -> tuple[str, ...]:
    return tuple(_term(name) for name in attribute(item, "typeof").split())


def _term(name: str) -> str:
    """A type or property without its prefix or vocabulary: `schema:Car` and `https://schema.org/Car` are `Car`."""
    return name.rpartition("/")[2].rpartition(":")[2]


def _is_schema(item: LexborNode) -> bool:
    written = attribute(item, "typeof").lower()
    if "schema:" in written or "schema.org/" in written:
        return True
    stated = (attribute(node, "vocab") for node in (item, *ancestors(item, DEPTH)))
    return "schema.org" in next((vocabulary for vocabulary in stated if vocabulary), "")


def _owner(node: LexborNode) -> int:
    items = (ancestor.mem_id for ancestor in ancestors(node, DEPTH) if "typeof" in ancestor.attributes)
    return next(items, 0)


def _properties(item: LexborNode, most: int) -> dict[str, object]:
    properties: dict[str, object] = {}
    for node in item.css("[property]")[:most]:
        if node.mem_id == item.mem_id or _owner(node) != item.mem_id:
            continue
        value = _value(node)
        for name in attribute(node, "property").split():
            properties.setdefault(_term(name), value)
    return properties


def _value(node: LexborNode) -> object:
    if "typeof" in node.attributes:
        return {"@type": next(iter(_types(node)), ""), **_properties(node, 50)}
    written = next((value for name in WRITTEN_IN if (value := attribute(node, name))), "")
    return collapsed(written or node.text())[:500]
