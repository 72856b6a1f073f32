"""What is wrong with a call's arguments, in words that let the caller send the right ones."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from pydantic import ValidationError

from tools.calls.parameters import NEXT_CALL
from tools.calls.wire import harmless

MOST_IGNORED = 5
LONGEST_NAME = 40

Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: `reason` says where and what, `hint` names the field, its bounds, the next call."""

    reason: str
    hint: str


def first_fault(error: ValidationError, schema: Schema) -> Fault:
    """Tell the first fault of a validation against this request schema; never quotes what was sent."""
    details = error.errors(include_url=False, include_input=False, include_context=False)[0]
    path = [str(part) for part in details["loc"]]
    said = (
        "is not written as it has to be" if details["type"] == "string_pattern_mismatch" else details["msg"]
    )
    reason = ": ".join(filter(None, [".".join(path), said]))
    if details["type"] == "extra_forbidden":
        return Fault(reason, _allowed(path[:-1], schema))
    return Fault(reason, _expected(path, schema))


def ignored_parameters(arguments: Mapping[str, Any], schema: Schema) -> list[str]:
    """Say of each argument that the schema does not know that it was ignored, with the nearest one that it knows.

    Tools with a credential ignore what they do not know; the caller must hear of it, for a misspelt filter would
    otherwise widen a result in silence.
    """
    known = cast(Mapping[str, Any], schema["properties"])
    if arguments.keys() <= known.keys():
        return []
    said: list[str] = []
    for name in [name for name in arguments if name not in known][:MOST_IGNORED]:
        nearest = difflib.get_close_matches(name, known, n=1)
        advice = f"; did you mean {nearest[0]}?" if nearest else "."
        said.append(f"{harmless(name, LONGEST_NAME)} is not a parameter and was ignored{advice}")
    return said


def _allowed(path: list[str], schema: Schema) -> str:
    names = list(_at(path, schema).get("properties", {}))
    where = f" in {'.'.join(path)}" if path else ""
    return f"Allowed{where}: {', '.join(names)}." if names else "This tool takes no arguments: send {}."


def _expected(path: list[str], schema: Schema) -> str:
    field = _at(path, schema)
    sentence = f"Send {'.'.join(path) or 'the arguments'} as {_described(field)}."
    advice = NEXT_CALL.get(path[-1] if path else "") or field.get("description", "")
    return f"{sentence} {advice}".rstrip()


def _at(path: list[str], schema: Schema) -> Schema:
    """The subschema at a path of property names and array positions; empty where the schema says nothing."""
    subschema = schema
    for part in path:
        subschema = _resolved(subschema, schema)
        inner = (
            subschema.get("items")
            if part.isdigit() and "items" in subschema
            else subschema.get("properties", {}).get(part)
        )
        subschema = cast(Schema, inner or {})
    return _resolved(subschema, schema)


def _resolved(subschema: Schema, schema: Schema) -> Schema:
    reference = subschema.get("$ref")
    if not isinstance(reference, str):
        return subschema
    target = cast(Schema, schema.get("$defs", {}).get(reference.rsplit("/", 1)[-1], {}))
    return {**target, **{key: value for key, value in subschema.items() if key != "$ref"}}


def _described(field: Schema) -> str:
    if "enum" in field:
        return f"one of {', '.join(map(str, field['enum']))}"
    words = [
        "a whole number"
        if field.get("multipleOf") == 1
        else _KINDS.get(field.get("type", ""), "a JSON value")
    ]
    bounds = _range(field, "minimum", "maximum", "") or _range(field, "minLength", "maxLength", " characters")
    bounds = bounds or _range(field, "minItems", "maxItems", " items")
    if bounds:
        words.append(bounds)
    if "pattern" in field and "examples" in field:
        words.append(f"such as {field['examples'][0]}")
    if "default" in field:
        words.append(f"(default {field['default']})")
    return " ".join(words)


_KINDS: Mapping[str, str] = {
    "string": "a string",
    "number": "a number",
    "boolean": "a boolean",
    "array": "an array",
    "object": "an object",
}


def _range(field: Schema, low: str, high: str, unit: str) -> str:
    if low in field and high in field:
        return f"from {field[low]} to {field[high]}{unit}"
    if low in field:
        return f"of at least {field[low]}{unit}"
    return f"of at most {field[high]}{unit}" if high in field else ""
