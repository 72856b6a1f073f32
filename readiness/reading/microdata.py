"""Microdata (HTML, section 5) and RDFa Lite 1.1: typed elements of a page with their properties.

extruct reads both, but brings rdflib, mf2py and four more packages, and cannot report a faulty line of JSON-LD.
"""

from collections.abc import Callable, Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from readiness.reading.elements import ancestors, attribute, collapsed
from readiness.reading.page import Node

DEPTH = 30
MOST_ITEMS, MOST_PROPERTIES, MOST_INNER = 100, 100, 50
MICRODATA_VALUE = {
    "meta": "content",
    "a": "href",
    "link": "href",
    "img": "src",
    "time": "datetime",
    "data": "value",
}
RDFA_VALUE = ("content", "href", "src", "resource", "datetime")


def microdata(tree: LexborHTMLParser) -> Iterator[Node]:
    """Yield top-level and nested microdata items, each with its own properties."""
    for number, item in enumerate(tree.css("[itemscope][itemtype]")[:MOST_ITEMS]):
        types = tuple(name.rpartition("/")[2] for name in attribute(item, "itemtype").split())
        properties = _properties(item, "itemprop", "itemscope", MOST_PROPERTIES, _microdata_value)
        yield Node(types, properties, f"/microdata/{number}")


def rdfa(tree: LexborHTMLParser) -> Iterator[Node]:
    """Yield the elements that a page types with schema.org's vocabulary, each with its own properties."""
    for number, item in enumerate(tree.css("[typeof]")[:MOST_ITEMS]):
        types = _rdfa_types(item)
        if types and _is_schema(item):
            properties = _properties(item, "property", "typeof", MOST_PROPERTIES, _rdfa_value)
            yield Node(types, properties, f"/rdfa/{number}")


def _properties(
    item: LexborNode, name: str, scope: str, most: int, value_of: Callable[[LexborNode], object]
) -> dict[str, object]:
    """The properties of an item that belong to no item inside it; the first value of each counts."""
    properties: dict[str, object] = {}
    for node in item.css(f"[{name}]")[:most]:
        owners = (above.mem_id for above in ancestors(node, DEPTH) if scope in above.attributes)
        if node.mem_id == item.mem_id or next(owners, 0) != item.mem_id:
            continue
        value = value_of(node)
        for written in attribute(node, name).split():
            properties.setdefault(_term(written) if name == "property" else written, value)
    return properties


def _microdata_value(node: LexborNode) -> object:
    if "itemscope" in node.attributes:
        inner = _properties(node, "itemprop", "itemscope", MOST_INNER, _microdata_value)
        return {"@type": attribute(node, "itemtype").rpartition("/")[2], **inner}
    written = attribute(node, MICRODATA_VALUE.get(node.tag or "", "content"))
    return collapsed(written or node.text())[:500]


def _rdfa_value(node: LexborNode) -> object:
    if "typeof" in node.attributes:
        inner = _properties(node, "property", "typeof", MOST_INNER, _rdfa_value)
        return {"@type": next(iter(_rdfa_types(node)), ""), **inner}
    written = next((value for name in RDFA_VALUE if (value := attribute(node, name))), "")
    return collapsed(written or node.text())[:500]


def _rdfa_types(item: LexborNode) -> tuple[str, ...]:
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
