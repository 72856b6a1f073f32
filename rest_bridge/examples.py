"""Example values made from a JSON Schema, so that no example has to be written twice."""

from collections.abc import Mapping
from typing import Any, cast

Schema = Mapping[str, Any]

_TEXTS = {
    "date": "2026-03-31",
    "date-time": "2026-03-31T09:00:00Z",
    "uri": "https://www.acme-motors.example/",
    "uuid": "01920f4e-5b7a-7c31-9d52-6a0f3f1e8b20",
}


def example_request(schema: Schema, definitions: Mapping[str, Schema]) -> dict[str, Any]:
    """The required fields and those with a default; where nothing is required, the first that has an example, too.

    Every optional field at once would be a request that hardly anything fits.
    """
    named = cast(Mapping[str, Schema], schema.get("properties", {}))
    exemplary = [name for name, field in named.items() if "examples" in field]
    needed = schema.get("required") or exemplary[:1]
    shown = {name: field for name, field in named.items() if name in needed or "default" in field}
    return {name: example(field, definitions) for name, field in shown.items()}


def example(schema: Schema, definitions: Mapping[str, Schema], above: tuple[str, ...] = ()) -> Any:
    """A value that the schema accepts; `above` are the definitions already inside of which it stands."""
    if "examples" in schema:
        return schema["examples"][0]
    if "default" in schema:
        return schema["default"]
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    if "$ref" in schema:
        name = str(schema["$ref"]).rsplit("/", 1)[-1]
        return example(definitions[name], definitions, (*above, name))
    if "anyOf" in schema:
        return example(_first_finite(schema["anyOf"], above), definitions, above)
    return _of_type(schema, definitions, above)


def _first_finite(choices: list[Schema], above: tuple[str, ...]) -> Schema:
    """The first choice that says something and does not lead into itself again."""
    telling = [choice for choice in choices if choice.get("type") != "null"]
    ends = [choice for choice in telling if str(choice.get("$ref", "")).rsplit("/", 1)[-1] not in above]
    return (ends or choices)[0] if ends else choices[-1]


def _of_type(schema: Schema, definitions: Mapping[str, Schema], above: tuple[str, ...]) -> Any:
    match schema.get("type"):
        case "object":
            fields = cast(Mapping[str, Schema], schema.get("properties", {}))
            return {name: example(field, definitions, above) for name, field in fields.items()}
        case "array":
            return _list(schema, definitions, above)
        case "string":
            return _TEXTS.get(schema.get("format", ""), "text".ljust(schema.get("minLength", 0), "."))
        case "number" | "integer":
            return schema.get("minimum", 1)
        case "boolean":
            return True
        case "null":
            return None
        case _:
            return {}


def _list(schema: Schema, definitions: Mapping[str, Schema], above: tuple[str, ...]) -> list[Any]:
    items = cast(Schema, schema.get("items", {}))
    if str(items.get("$ref", "")).rsplit("/", 1)[-1] in above:
        return []
    return [example(items, definitions, above)] * max(1, schema.get("minItems", 1))
