"""Reading microdata, as HTML's section 5 defines it."""

from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from readiness.reading.elements import ancestors, attribute, collapsed
from readiness.reading.page import Node

MICRODATA_VALUE = {
    "meta": "content",
    "a": "href",
    "link": "href",
    "img": "src",
    "time": "datetime",
    "data": "value",
}


def microdata(tree: LexborHTMLParser) -> Iterator[Node]:
    """Top-level and nested microdata items, each with its own properties (HTML, section 5)."""
    for number, item in enumerate(tree.css("[itemscope][itemtype]")[:100]):
        types = tuple(name.rpartition("/")[2] for name in attribute(item, "itemtype").split())
        properties: dict[str, object] = {}
        for node in item.css("[itemprop]")[:100]:
            if node.mem_id == item.mem_id or _owner(node) != item.mem_id:
                continue
            value: object = _item_value(node)
            for name in attribute(node, "itemprop").split():
                properties.setdefault(name, value)
        yield Node(types, dict(properties), f"/microdata/{number}")


def _owner(node: LexborNode) -> int:
    items = (ancestor.mem_id for ancestor in ancestors(node, 30) if "itemscope" in ancestor.attributes)
    return next(items, 0)


def _item_value(node: LexborNode) -> object:
    if "itemscope" in node.attributes:
        inner = {
            name: _item_value(child)
            for child in node.css("[itemprop]")[:50]
            if child.mem_id != node.mem_id and _owner(child) == node.mem_id
            for name in attribute(child, "itemprop").split()
        }
        return {"@type": attribute(node, "itemtype").rpartition("/")[2], **inner}
    written = attribute(node, MICRODATA_VALUE.get(node.tag or "", "content"))
    return collapsed(written or node.text())[:500]
