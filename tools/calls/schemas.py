"""JSON Schemas as the interface publishes them, made from the models that validate."""

from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from tools.calls.parameters import UNSAID

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


def request_schema(model: type[BaseModel], ref_template: str = WIRE_REF) -> dict[str, Any]:
    """What a caller may send for this model."""
    schema = model.model_json_schema(schema_generator=_Request, ref_template=ref_template)
    schema.setdefault("properties", {})
    schema.pop("description", None)
    return _untitled(schema)


def response_schema(model: type[BaseModel], ref_template: str = WIRE_REF) -> dict[str, Any]:
    """What a result of this model looks like on the wire."""
    schema = model.model_json_schema(
        schema_generator=_Published, ref_template=ref_template, mode="serialization"
    )
    return _untitled(schema)


def _untitled(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema without the titles that shared definitions get from the names of Python classes."""
    for definition in schema.get("$defs", {}).values():
        definition.pop("title", None)
    return schema
