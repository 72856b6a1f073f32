"""schema.org data of one page: JSON-LD read strictly, then tolerantly, and flattened into typed nodes."""

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, TypeAlias, cast

from readiness.reading.page import Block, MarkupFault, Node
from readiness.reading.schema_org import SCHEMA, vocabulary

MAX_NODES = 500
MAX_DEPTH = 40
MAX_BLOCK = 1024 * 1024
MOST_FAULTS = 20
LINE_SHOWN = 200
"""Characters of a faulty line that are kept."""
# One left-to-right pass: strings are kept whole, so a comment sign inside a URL stays.
# What never ends is taken to the end, else it would be looked for again from every quotation mark.
STRING_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\])*+"?|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?|<!--|-->', re.S)
STRING_OR_COMMA = re.compile(r'"(?:\\.|[^"\\])*+"?|,(?=\s*+[}\]])', re.S)


class _Defect(ValueError):
    """Something strict JSON forbids, with a fixed message."""


def read_block(text: str, number: int) -> tuple[Block, list[Node]]:
    """One JSON-LD script: how sound it is, and the nodes in it. Never raises."""
    if len(text) > MAX_BLOCK:
        return Block(number, "broken", ("longer than 1 MiB",), ""), []
    pointer, shown = f"/jsonld/{number}", text.strip()[:200]
    try:
        value = _strict(text)
        return Block(number, "strict", (), shown, strange=_strange(value, pointer)), flatten(value, pointer)
    except (_Defect, ValueError, RecursionError) as error:
        defect, faulty = _words(error), _faulty_line(text, error)
    repaired = _repaired(text)
    try:
        value = json.loads(repaired, strict=False)
    except (ValueError, RecursionError):
        return Block(number, "broken", (defect,), shown, faulty), []
    written, mended = _mended_line(text, repaired)
    strange = _strange(value, pointer)
    block = Block(number, "repaired", (defect,), shown, written or faulty, mended, strange)
    return block, flatten(value, pointer)


def _strange(value: Any, pointer: str) -> tuple[MarkupFault, ...]:
    """What schema.org does not know of a block in its vocabulary; nothing of a block that is in another one."""
    contexts = [item.get("@context") for item in _objects(value)]
    if not any("schema.org" in json.dumps(context) for context in contexts):
        return ()
    own = {name for context in contexts for entry in _objects(context) for name in entry}
    faults = (
        fault
        for place, node in islice(_typed(value, pointer, 0), MAX_NODES)
        for fault in vocabulary().faults({key: item for key, item in node.items() if key not in own}, place)
    )
    return tuple(islice(faults, MOST_FAULTS))


def _objects(value: Any) -> list[dict[str, Any]]:
    listed = cast(list[Any], value) if isinstance(value, list) else [value]
    return [cast(dict[str, Any], item) for item in listed if isinstance(item, dict)]


def _faulty_line(text: str, error: Exception) -> str:
    """The line on which strict reading ended, around the column; empty for a fault that has no line."""
    if not isinstance(error, json.JSONDecodeError):
        return ""
    line = text.splitlines()[error.lineno - 1] if error.lineno <= len(text.splitlines()) else ""
    start = max(0, error.colno - LINE_SHOWN // 2)
    return line[start : start + LINE_SHOWN].strip()


def _mended_line(text: str, repaired: str) -> tuple[str, str]:
    """The first line that differs from its repaired form, and that; both empty where a strict reader takes neither."""
    try:
        _strict(repaired)
    except (_Defect, ValueError, RecursionError):
        return "", ""
    written, mended = text.splitlines(), repaired.splitlines()
    if len(written) != len(mended):
        return "", ""
    pairs = ((old, new) for old, new in zip(written, mended, strict=True) if old != new)
    old, new = next(pairs, ("", ""))
    at = next((place for place, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), len(new))
    start = max(0, at - LINE_SHOWN // 2)
    return old[start : start + LINE_SHOWN].strip(), new[start : start + LINE_SHOWN].strip()


def _strict(text: str) -> Any:
    return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_no_duplicates)


def _no_constant(_: str) -> Any:
    raise _Defect("NaN and Infinity are not JSON")


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise _Defect("a key is written twice in one object")
    return members


def _words(error: Exception) -> str:
    if isinstance(error, _Defect):
        return str(error)
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, json.JSONDecodeError):
        return f"not JSON at line {error.lineno}, column {error.colno}"
    return "not JSON"


def _repaired(text: str) -> str:
    without_comments = STRING_OR_COMMENT.sub(lambda m: m[0] if m[0].startswith('"') else " ", text)
    return STRING_OR_COMMA.sub(lambda m: m[0] if m[0].startswith('"') else "", without_comments)


def flatten(value: Any, pointer: str) -> list[Node]:
    """Every typed object of a JSON-LD value with its JSON pointer; `@id` references are filled in.

    Cuts at MAX_NODES nodes and MAX_DEPTH levels.
    """
    nodes = list(_typed(value, pointer, 0))[:MAX_NODES]
    by_id = {node["@id"]: node for _, node in nodes if isinstance(node.get("@id"), str)}
    return [Node(_types(node), _filled(node, by_id), place) for place, node in nodes]


def _typed(value: Any, pointer: str, depth: int) -> Iterator[tuple[str, dict[str, Any]]]:
    if depth > MAX_DEPTH:
        return
    if isinstance(value, list):
        for index, item in enumerate(cast(list[Any], value)):
            yield from _typed(item, f"{pointer}/{index}", depth + 1)
    elif isinstance(value, dict):
        node = cast(dict[str, Any], value)
        if "@type" in node:
            yield pointer, node
        for key, item in node.items():
            if isinstance(item, (dict, list)):
                yield from _typed(item, f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}", depth + 1)


def _types(node: dict[str, Any]) -> tuple[str, ...]:
    written: Any = node.get("@type")
    names = cast(list[Any], written) if isinstance(written, list) else [written]
    return tuple(SCHEMA.sub("", name) for name in names if isinstance(name, str))


def _filled(node: dict[str, Any], by_id: dict[Any, dict[str, Any]]) -> dict[str, Any]:
    """The node with schema.org prefixes off its keys and lone references replaced by what they name."""
    return {SCHEMA.sub("", key): _referred(value, by_id) for key, value in node.items()}


def _referred(value: Any, by_id: dict[Any, dict[str, Any]]) -> Any:  # JSON has no narrower type
    if isinstance(value, list):
        return [_referred(item, by_id) for item in cast(list[Any], value)]
    if isinstance(value, dict):
        node = cast(dict[str, Any], value)
        if set(node) == {"@id"} and isinstance(node["@id"], str):
            return by_id.get(node["@id"], node)
    return cast(Any, value)


def values(node: dict[str, Any], *path: str) -> list[Any]:
    """Every value at a path of property names, through single values and lists alike."""
    level: list[Any] = [node]
    for name in path:
        reached = [cast(dict[str, Any], item).get(name) for item in level if isinstance(item, dict)]
        level = [
            item
            for value in reached
            for item in (cast(list[Any], value) if isinstance(value, list) else [value])
        ]
    return [item for item in level if item is not None and item != ""]


def texts(node: dict[str, Any], *path: str) -> list[str]:
    """The texts and numbers at a path; an object counts by its `@value`, `name` or `@id`."""
    written: list[str] = []
    for value in values(node, *path):
        if isinstance(value, dict):
            inner = cast(dict[str, Any], value)
            value = inner.get("@value") or inner.get("name") or inner.get("@id")
        if isinstance(value, (str, int, float)) and not isinstance(value, bool) and str(value).strip():
            written.append(str(value).strip())
    return written


Json: TypeAlias = dict[str, object]
MOST_ITEMS = 200
"""How many entries of a list are read."""


def objects_of(value: object) -> list[Json] | None:
    """The entries of a list of objects; None where it is no such list, or an empty one."""
    if not isinstance(value, list) or not value:
        return None
    entries = cast(list[object], value)[:MOST_ITEMS]
    return cast(list[Json], entries) if all(isinstance(entry, dict) for entry in entries) else None


def object_of(value: object) -> Json:
    """A value that is an object; an empty one for anything else."""
    return cast(Json, value) if isinstance(value, dict) else {}
