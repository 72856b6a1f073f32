"""JSON Schemas as the interface publishes them, generated from the validating models."""

from typing import Any, cast

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from tools.calls.parameters import UNSAID

WIRE_REF = "#/$defs/{model}"


class _Published(GenerateJsonSchema):
    """Omits the titles that pydantic derives from Python names."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        published = super().model_schema(schema)
        if published.get("title") == schema["cls"].__name__:
            del published["title"]
        return published

    def enum_schema(self, schema: core_schema.EnumSchema) -> JsonSchemaValue:
        published = super().enum_schema(schema)
        published.pop("title", None)
        return published


class _Request(_Published):
    """Publishes request fields: numbers are JSON numbers, whole or not, and optional fields are not nullable."""

    def int_schema(self, schema: core_schema.IntSchema) -> JsonSchemaValue:
        return {**super().int_schema(schema), "type": "number", "multipleOf": 1}

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        if schema.get("default") is UNSAID:
            return self.generate_inner(schema["schema"])
        published = super().default_schema(schema)
        if published.get("default", ...) is None:
            del published["default"]
        return published


def required_with(needed: str, *, field: str, value: dict[str, Any]) -> dict[str, Any]:
    """Return a rule: a field is required when another one has a value of this schema."""
    return when(field, value, {"required": [needed]})


def when(field: str, value: dict[str, Any], then: dict[str, Any], otherwise: Any = True) -> dict[str, Any]:
    """Return a rule for the arguments when a field has a value of this schema, and otherwise."""
    rule = {"if": {"properties": {field: value}, "required": [field]}, "then": then}
    return rule if otherwise is True else {**rule, "else": otherwise}


def request_schema(model: type[BaseModel], ref_template: str = WIRE_REF) -> dict[str, Any]:
    """Return the JSON Schema of what a caller may send for this model."""
    schema = model.model_json_schema(schema_generator=_Request, ref_template=ref_template)
    schema.setdefault("properties", {})
    schema.pop("description", None)
    return _untitled(schema)


NOTICE: dict[str, Any] = {
    "anyOf": [{"type": "string"}, {"type": "null"}],
    "default": None,
    "description": "What must be known beside the result: what was ignored, cut or not measured.",
}
"""Dispatch may add a notice to every result."""


def response_schema(model: type[BaseModel], ref_template: str = WIRE_REF) -> dict[str, Any]:
    """Return the JSON Schema of a result of this model."""
    schema = model.model_json_schema(
        schema_generator=_Published, ref_template=ref_template, mode="serialization"
    )
    schema.setdefault("properties", {}).setdefault("notice", NOTICE)
    return _untitled(schema)


NOT_LISTED = frozenset({"examples", "$defs", "multipleOf", "maxItems", "pattern", "minItems", "format"})
"""Keywords omitted from a list of all tools. The OpenAPI document has them. Gemini rejects most formats."""
SHORT_TEXT = 2048
"""Bounds of texts up to this length are not listed: no model reaches them, and an error names them."""
SELF_EXPLANATORY = frozenset({"limit", "offset", "tag", "intent", "promptId", "promptSetId"})
"""Fields whose descriptions are not listed, since their names say as much. Most tools have them."""
NATURAL_DEFAULTS = (0, False)
"""Defaults that are not listed. Omitting such a field skips nothing and requests nothing extra."""
NATURAL_MINIMUM = (0, 1)
"""Minimum values that are not listed: no caller sends less."""
_LENGTHS = frozenset({"minLength", "maxLength"})
_BOUNDS = _LENGTHS | {"minimum", "maximum", "maxItems"}
_OF_ITEMS = frozenset({"description", "additionalProperties"}) | _LENGTHS


def listed_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema for a list of all tools: one short piece without references.

    It rejects nothing that the full schema accepts, and uses only keywords that every host accepts. It omits examples,
    bounds of short texts, minima of 0 and 1, defaults of 0 and false, formats, rules over several fields, and
    descriptions of list items and of what a name explains. The OpenAPI document has these, and an error names them
    where they matter.
    """
    properties = cast(dict[str, Any], schema["properties"])
    definitions = cast(dict[str, Any], schema.get("$defs", {}))
    listed = {name: _without_short_bounds(_inlined(field, definitions)) for name, field in properties.items()}
    for name, field in listed.items():
        if field.get("default", True) in NATURAL_DEFAULTS:
            del field["default"]
        if name in SELF_EXPLANATORY and (name != "limit" or "maximum" in field):
            field.pop("description", None)
    rest = {name: value for name, value in schema.items() if name not in NOT_LISTED and name != "allOf"}
    return {**rest, "properties": listed}


def _inlined(
    part: dict[str, Any], definitions: dict[str, Any], left_out: frozenset[str] = NOT_LISTED
) -> dict[str, Any]:
    """Return a schema with its references resolved and without the omitted keywords."""
    reference = part.get("$ref")
    if isinstance(reference, str):
        part = {**definitions[reference.rpartition("/")[2]], **part}
    cleaned: dict[str, Any] = {}
    for name, value in part.items():
        if name in left_out or name == "$ref" or (name, value) == ("additionalProperties", True):
            continue
        if name == "properties":
            value = {
                key: _without_lengths(_inlined(inner, definitions, left_out)) for key, inner in value.items()
            }
            if not any("description" in inner for inner in value.values()):  # the names are self-explanatory
                value = {
                    key: {k: v for k, v in inner.items() if k not in _BOUNDS} for key, inner in value.items()
                }
        elif name == "items":
            value = _inlined(value, definitions, left_out | _OF_ITEMS)
        elif name == "anyOf":  # null or one type: Gemini rejects anyOf beside a description
            name, value = "type", [inner["type"] for inner in value]
        cleaned[name] = value
    return cleaned


def _without_short_bounds(field: dict[str, Any]) -> dict[str, Any]:
    if field.get("minimum") in NATURAL_MINIMUM:
        field = {name: value for name, value in field.items() if name != "minimum"}
    return _without_lengths(field) if "description" in field else field


def _without_lengths(field: dict[str, Any]) -> dict[str, Any]:
    """Return the schema without its lengths, unless a model could reach them."""
    if field.get("maxLength", SHORT_TEXT + 1) > SHORT_TEXT:
        return field
    return {name: value for name, value in field.items() if name not in _LENGTHS}


def _untitled(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema without the titles that shared definitions get from Python class names."""
    for definition in schema.get("$defs", {}).values():
        definition.pop("title", None)
    return schema
