"""JSON Schemas as the interface publishes them, made from the models that validate."""

from collections.abc import Collection
from typing import Any, cast

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from tools.calls.parameters import FORMATS, UNSAID

WIRE_REF = "#/$defs/{model}"


class _Published(GenerateJsonSchema):
    """Leaves out the titles that pydantic makes of Python names."""

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
    """A request field is a JSON number, whole or not, and has no null for being left out."""

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
    """Say that a field is needed where another one has a value of this schema."""
    return when(field, value, {"required": [needed]})


def when(field: str, value: dict[str, Any], then: dict[str, Any], otherwise: Any = True) -> dict[str, Any]:
    """Say what holds of the arguments where a field is there with a value of this schema, and where it is not."""
    rule = {"if": {"properties": {field: value}, "required": [field]}, "then": then}
    return rule if otherwise is True else {**rule, "else": otherwise}


def request_schema(model: type[BaseModel], ref_template: str = WIRE_REF) -> dict[str, Any]:
    """What a caller may send for this model."""
    schema = model.model_json_schema(schema_generator=_Request, ref_template=ref_template)
    schema.setdefault("properties", {})
    schema.pop("description", None)
    return _untitled(schema)


NOTICE: dict[str, Any] = {
    "anyOf": [{"type": "string"}, {"type": "null"}],
    "default": None,
    "description": "What must be known beside the result: what was ignored, cut or not measured.",
}
"""Dispatch may say something beside every result."""


def response_schema(model: type[BaseModel], ref_template: str = WIRE_REF) -> dict[str, Any]:
    """Return the JSON Schema of a result of this model."""
    schema = model.model_json_schema(
        schema_generator=_Published, ref_template=ref_template, mode="serialization"
    )
    schema.setdefault("properties", {}).setdefault("notice", NOTICE)
    return _untitled(schema)


ANY_OBJECT: dict[str, Any] = {"type": "object"}
"""What a list of all tools says of every result; the OpenAPI document has each field."""
NOT_LISTED = frozenset({"examples", "$defs", "multipleOf", "maxItems", "pattern", "minItems"})
"""Keywords that a list of all tools leaves out; the OpenAPI document has them."""
SHORT_TEXT = 2048
"""Bounds of texts up to this length go unlisted: no model runs into them, and an error names them."""
NATURAL_DEFAULTS = (0, False)
"""Defaults that go unlisted: what is left out skips nothing and asks for nothing more."""
NATURAL_MINIMUM = (0, 1)
"""Smallest numbers that go unlisted: no caller sends less."""
_LENGTHS = frozenset({"minLength", "maxLength"})
_BOUNDS = _LENGTHS | {"minimum", "maximum", "maxItems"}
SHORT_ENUM = 6
_OF_ITEMS = frozenset({"description", "additionalProperties"}) | _LENGTHS


def listed_schema(schema: dict[str, Any], described_elsewhere: Collection[str] = ()) -> dict[str, Any]:
    """The schema as a model reads it in a list of all tools: in one piece without references, and short.

    It rejects nothing that the whole schema accepts. What is left out stands in the OpenAPI document and, where
    it matters, in the refusal of a call: examples, bounds of short texts, minima of 0 and 1, defaults of 0 and false,
    forms of texts, rules over several fields, words on the members of a list's items.
    Fields that are described elsewhere in the list have only their type and a short enum.
    """
    properties = cast(dict[str, Any], schema["properties"])
    definitions = cast(dict[str, Any], schema.get("$defs", {}))
    listed = {name: _without_short_bounds(_inlined(field, definitions)) for name, field in properties.items()}
    for name in described_elsewhere:
        listed[name] = {key: value for key, value in listed[name].items() if _is_bare(key, value)}
    for field in listed.values():
        if field.get("default", True) in NATURAL_DEFAULTS:
            del field["default"]
    rest = {name: value for name, value in schema.items() if name not in NOT_LISTED and name != "allOf"}
    return {**rest, "properties": listed}


def _inlined(
    part: dict[str, Any], definitions: dict[str, Any], left_out: frozenset[str] = NOT_LISTED
) -> dict[str, Any]:
    """One schema with its references resolved and without the keywords that are left out."""
    reference = part.get("$ref")
    if isinstance(reference, str):
        part = {**definitions[reference.rpartition("/")[2]], **part}
    cleaned: dict[str, Any] = {}
    for name, value in part.items():
        if name in left_out or name == "$ref" or (name, value) == ("additionalProperties", True):
            continue
        if name == "format" and value in FORMATS:  # words and refusals say how it is written
            continue
        if name == "properties":
            value = {
                key: _without_lengths(_inlined(inner, definitions, left_out)) for key, inner in value.items()
            }
            if not any("description" in inner for inner in value.values()):  # their names say it all
                value = {
                    key: {k: v for k, v in inner.items() if k not in _BOUNDS} for key, inner in value.items()
                }
        elif name == "items":
            value = _inlined(value, definitions, left_out | _OF_ITEMS)
        elif name == "anyOf":
            value = [_without_lengths(_inlined(inner, definitions, left_out)) for inner in value]
        cleaned[name] = value
    return cleaned


def _is_bare(keyword: str, value: Any) -> bool:
    return keyword in ("type", "anyOf", "default") or (keyword == "enum" and len(value) <= SHORT_ENUM)


def _without_short_bounds(field: dict[str, Any]) -> dict[str, Any]:
    if field.get("minimum") in NATURAL_MINIMUM:
        field = {name: value for name, value in field.items() if name != "minimum"}
    return _without_lengths(field) if "description" in field else field


def _without_lengths(field: dict[str, Any]) -> dict[str, Any]:
    """The schema without its lengths, unless a model could run into them."""
    if field.get("maxLength", SHORT_TEXT + 1) > SHORT_TEXT:
        return field
    return {name: value for name, value in field.items() if name not in _LENGTHS}


def _untitled(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema without the titles that shared definitions get from the names of Python classes."""
    for definition in schema.get("$defs", {}).values():
        definition.pop("title", None)
    return schema
