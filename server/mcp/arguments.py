"""Arguments as models send them: null for an absent field, and numbers, lists and objects written as text."""

import json
from collections.abc import Mapping
from typing import Any, Final, cast

from tools.calls.table import ToolTable

_PYTHON: Final[Mapping[str, tuple[type, ...]]] = {
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}


def normalized(table: ToolTable, tool: str, arguments: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Return a call's arguments as the tool declares them.

    A null where none is declared is dropped. Text that is the JSON of the declared type is read. Everything else is
    unchanged and validated strictly.
    """
    row = table.get(tool)
    if not arguments or row is None:
        return arguments or {}
    return _members(arguments, row.input_schema, row.input_schema.get("$defs", {}))


def _members(
    sent: Mapping[str, Any], schema: Mapping[str, Any], definitions: Mapping[str, Any]
) -> dict[str, Any]:
    fields = schema.get("properties", {})
    read: dict[str, Any] = {}
    for name, value in sent.items():
        field = fields.get(name)
        if field is None or (value is None and _takes_null(field)):
            read[name] = value
        elif value is not None:
            read[name] = _value(value, field, definitions)
    return read


def _value(value: Any, field: Mapping[str, Any], definitions: Mapping[str, Any]) -> Any:
    if "$ref" in field:
        field = definitions[field["$ref"].rpartition("/")[2]]
    kind = field.get("type")
    if isinstance(value, str) and kind in _PYTHON:
        value = _parsed(value, _PYTHON[kind])
    if isinstance(value, dict):
        return _members(cast(dict[str, Any], value), field, definitions)
    if isinstance(value, list):
        return [_value(item, field.get("items", {}), definitions) for item in cast(list[Any], value)]
    return value


def _parsed(text: str, kinds: tuple[type, ...]) -> Any:
    """Return the JSON value in a text when it has one of these types, else the text."""
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if type(value) in kinds else text


def _takes_null(field: Mapping[str, Any]) -> bool:
    return any(choice.get("type") == "null" for choice in field.get("anyOf", ()))
