"""Renders the structured answers of data providers as Markdown, and separates cards and source chips from them.

SerpApi's `text_blocks` and Bright Data's `texts` are trees of the same kind of block. Sources: SerpApi
documentation, AI Overview results and AI Mode; Bright Data documentation, SERP API.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast
from urllib.parse import urlsplit

from engines.engine import Card, CardKind
from engines.transport import body
from engines.transport.body import JsonObject

INNER = ("list", "items", "text_blocks", "texts")
"""Fields with the nested blocks of a block."""
CARD_FIELDS: Mapping[str, CardKind] = {
    "products": "product",
    "inline_products": "product",
    "shopping_results": "product",
    "shopping": "product",
    "local_results": "place",
    "places": "place",
    "ads": "ad",
    "sponsored": "ad",
}
"""Fields with cards, of an answer or of one of its blocks."""
CARD_TYPES: Mapping[str, CardKind] = {
    "product": "product",
    "shopping": "product",
    "place": "place",
    "ad": "ad",
    "sponsored": "ad",
}
"""Types of a block that is itself a card, in the singular."""
LINK_FIELDS = ("snippet_links", "inline_links", "inline_link", "links")
ADDRESS_FIELDS = ("link", "url", "href")
CHIP_FIELDS = ("source", "title", "label", "domain", "website_name")


def texts(blocks: Iterable[object]) -> list[str]:
    """Return the Markdown of blocks, in page order; a block may be a plain string."""
    return [text for block in blocks if (text := _text(block))]


def _text(block: object) -> str:
    if isinstance(block, str):
        return body.storable(block).strip()
    if not isinstance(block, dict):
        raise body.malformed("a block is neither an object nor a string")
    block = cast(JsonObject, block)
    if _card_kind(block) is not None:
        return ""
    kind = body.string(block, "type") or ""
    words = next((text for name in ("snippet", "text", "code") if (text := body.string(block, name))), "")
    pieces = [
        titled(body.string(block, "title"), words, ": " if words and not block.get("text_blocks") else "\n")
    ]
    for name in INNER:
        inner = texts(body.items(block, name))
        if name == "list" or (name == "items" and "list" in kind):
            is_numbered = "ordered" in kind and "unordered" not in kind
            pieces.append(listed(inner, is_numbered or block.get("ordered") is True))
        else:
            pieces += inner
    pieces.append(_table(block))
    pieces.append(_comparison(block))
    # A paragraph and its nested list belong together; blank lines would end an item's list.
    return "\n".join(filter(None, pieces))


def titled(title: str | None, words: str, between: str = ": ") -> str:
    """Return the title and the words of an element; words that open with the title stand alone."""
    title = (title or "").strip()
    if not title or _plain(words).startswith(_plain(title)):
        return words
    if not words:
        return title
    return f"{title} {words}" if title.endswith(":") and between == ": " else title + between + words


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def listed(items: Sequence[str], is_numbered: bool) -> str:
    """Return a Markdown list; further lines of an item are indented."""
    marks = (f"{number}. " if is_numbered else "- " for number in range(1, len(items) + 1))
    return "\n".join(
        mark + item.replace("\n", "\n" + " " * len(mark)) for mark, item in zip(marks, items, strict=True)
    )


def table(header: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table; without a header, its first row is the header."""
    lines = [[_cell(cell) for cell in row] for row in (*([header] if header else []), *rows)]
    if not any(any(line) for line in lines):
        return ""
    width = max(map(len, lines))
    lines.insert(1, ["---"] * width)
    return "\n".join("| " + " | ".join(line + [""] * (width - len(line))) + " |" for line in lines)


def _cell(value: object) -> str:
    """Return the words of a cell: a string, a number, or an object with its words."""
    if isinstance(value, dict):
        cell = cast(JsonObject, value)
        value = next((cell[name] for name in ("snippet", "text", "title", "value") if cell.get(name)), None)
    return "" if value is None else " ".join(body.storable(str(value)).replace("|", "\\|").split())


def _table(block: JsonObject) -> str:
    """Return a block's table: rows, or an object with a header and rows."""
    held = block.get("table")
    owner = cast(JsonObject, held) if isinstance(held, dict) else block
    header = _first_list(owner, ("headers", "header", "table_header"))
    rows = _first_list(owner, ("table", "rows", "table_content", "formatted"))
    if rows and all(isinstance(row, dict) for row in rows):
        keyed = cast("list[JsonObject]", rows)
        names = list(dict.fromkeys(name for row in keyed for name in row))
        return table(header or names, [[row.get(name) for name in names] for row in keyed])
    return table(header, (cast("list[object]", row) for row in rows if isinstance(row, list)))


def _first_list(owner: JsonObject, names: Iterable[str]) -> list[object]:
    return next((body.items(owner, name) for name in names if owner.get(name)), list[object]())


def _comparison(block: JsonObject) -> str:
    """Return the table of a comparison: one column for each compared name, one row for each feature."""
    labels = body.items(block, "product_labels")
    rows = [[row.get("feature"), *body.items(row, "values")] for row in body.children(block, "comparison")]
    return table(["", *labels] if labels else [], rows) if rows else ", ".join(map(_cell, labels))


def blocks_in(blocks: Iterable[object]) -> Iterator[JsonObject]:
    """Yield blocks and their nested blocks."""
    for block in _objects(blocks):
        yield block
        for name in INNER:
            yield from blocks_in(body.items(block, name))


def links_of(blocks: Iterable[JsonObject]) -> list[JsonObject]:
    """Return the links inside the words of blocks, with their URL in `url`."""
    held = (block.get(name) for block in blocks for name in LINK_FIELDS)
    links = (
        link
        for value in held
        for link in (cast("list[object]", value) if isinstance(value, list) else [value])
    )
    return [found for link in links if (found := _link(link)) is not None]


def _link(link: object) -> JsonObject | None:
    if isinstance(link, str):
        return {"url": link}
    if not isinstance(link, dict):
        return None
    found = cast(JsonObject, link)
    address = next((found[name] for name in ADDRESS_FIELDS if isinstance(found.get(name), str)), None)
    title = found.get("title") or found.get("text")
    return None if address is None else {"url": address, "title": title if isinstance(title, str) else None}


def cards_of(answer: JsonObject, blocks: Iterable[JsonObject]) -> tuple[Card, ...]:
    """Return the cards of an answer and its blocks, in page order."""
    found: list[tuple[CardKind, JsonObject]] = []
    for owner in (*blocks, answer):
        kind = _card_kind(owner)
        if kind is not None and owner.get("title"):
            found.append((kind, owner))
        for name in CARD_FIELDS:
            found.extend((CARD_FIELDS[name], entry) for entry in _objects(body.items(owner, name)))
    return tuple(_card(kind, entry, position) for position, (kind, entry) in enumerate(found, start=1))


def _objects(values: Iterable[object]) -> Iterator[JsonObject]:
    return (cast(JsonObject, value) for value in values if isinstance(value, dict))


def _card_kind(block: JsonObject) -> CardKind | None:
    kind = block.get("type")
    return CARD_TYPES.get(kind.removeprefix("inline_").removesuffix("s")) if isinstance(kind, str) else None


def _card(kind: CardKind, entry: JsonObject, position: int) -> Card:
    first = {name: value for name, value in entry.items() if isinstance(value, (str, int, float))}
    price = first.get("price", first.get("extracted_price"))
    seller = next((first[name] for name in ("seller", "source", "store", "merchant") if name in first), None)
    return Card(
        kind,
        str(first.get("title") or first.get("name") or ""),
        position,
        brand=str(first["brand"]) if "brand" in first else None,
        seller=None if seller is None else str(seller),
        price=None if price is None else str(price),
        currency=str(first["currency"]) if "currency" in first else None,
        url=next((str(first[name]) for name in ("product_link", *ADDRESS_FIELDS) if name in first), None),
    )


def without_chips(text: str, references: Iterable[JsonObject]) -> str:
    """Return the text without source chips such as `Example +2`, which name one of the references and count more.

    A chip ends a line, follows a sentence or has a line of its own. Names come from the references, because
    a plus and a number also follow other words.
    """
    if "+" not in text:
        return text
    names = {name.strip() for reference in references for name in _names(reference) if name.strip()}
    if not names:
        return text
    either = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    chip = rf"(?:{either})\s?\+\s?\d{{1,3}}"
    space = r"[ \t]{0,8}"
    at_end = rf"{space}(?<!\w){chip}{space}$"
    after_sentence = rf"(?<=[.!?:;)\]”»。]){space}{chip}(?=\s)"
    at_start = rf"^{space}{chip}[ \t]{{1,8}}"
    return re.sub(
        rf"{at_end}|{after_sentence}|{at_start}", "", text, flags=re.MULTILINE | re.IGNORECASE
    ).strip()


def _names(reference: JsonObject) -> Iterator[str]:
    for name in CHIP_FIELDS:
        if isinstance(value := reference.get(name), str):
            yield value
    for name in ADDRESS_FIELDS:
        if isinstance(address := reference.get(name), str):
            try:
                host = urlsplit(address).hostname or ""
            except ValueError:
                continue
            yield from (host, host.removeprefix("www."))
