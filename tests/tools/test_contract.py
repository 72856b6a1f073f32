"""What every tool of a table is held to, without a test of its own; the table comes from the fixture."""

import inspect
import json
import re
from collections.abc import Iterator
from typing import Any, cast

import jsonschema
import pytest
from mcp.server.mcpserver.tools import Tool as SdkTool
from mcp_types import Tool as WireTool
from pydantic import BaseModel, ValidationError

from oauth.principal import Scope
from tools.calls.parameters import UNSAID
from tools.calls.table import ToolFamily, ToolRow, ToolTable
from tools.catalog import tool_table

KEYWORDS = {
    "$defs", "$ref", "additionalProperties", "anyOf", "const", "default", "description", "enum", "examples",
    "exclusiveMaximum", "exclusiveMinimum", "format", "items", "maxItems", "maxLength", "maximum", "minItems",
    "minLength", "minimum", "multipleOf", "pattern", "properties", "required", "type", "uniqueItems",
}  # fmt: skip


class ToolResult(BaseModel):
    """Nothing."""


@pytest.fixture(params=["small", "real"])
def rows(request: pytest.FixtureRequest, table: ToolTable) -> list[ToolRow]:
    return list((table if request.param == "small" else tool_table()).values())


def nested(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The schema and every schema inside it."""
    yield schema
    for key in ("properties", "$defs"):
        for inner in cast(dict[str, Any], schema.get(key, {})).values():
            yield from nested(inner)
    for inner in [schema["items"]] if "items" in schema else schema.get("anyOf", []):
        yield from nested(inner)


@pytest.mark.requirement("EP-01")
def test_names_are_short_snake_case_and_titles_differ(rows: list[ToolRow]) -> None:
    assert all(re.fullmatch(r"[a-z][a-z0-9_]{2,63}", row.name) for row in rows)
    assert len({row.title for row in rows}) == len(rows)


def test_the_sdk_reads_every_tool_as_we_do(rows: list[ToolRow]) -> None:
    """What dispatch fills is left out, as the SDK leaves out what it resolves itself."""
    for row in rows:
        kind = inspect.Parameter.KEYWORD_ONLY
        sent = [each.replace(kind=kind) for name, each in row.signature.items() if name not in row.injected]

        async def plain(**arguments: Any) -> None: ...

        plain.__name__ = row.name
        plain.__dict__["__signature__"] = inspect.Signature(sent)
        plain.__annotations__ = {each.name: each.annotation for each in sent}
        read = SdkTool.from_function(plain, row.name, row.title, row.description, annotations=row.annotations)
        theirs, ours = read.parameters, row.arguments_model.model_json_schema()
        for schema in (theirs, ours):
            schema.pop("description", None)
            schema.pop("additionalProperties", None)
        assert theirs == ours


@pytest.mark.requirement("EP-18")
def test_every_tool_has_a_title_and_the_hints_that_fit_its_access(rows: list[ToolRow]) -> None:
    for row in rows:
        wire = json.loads(row.wire_tool().model_dump_json(by_alias=True, exclude_none=True))
        assert wire["title"] == row.title
        hints = wire["annotations"]
        assert hints["readOnlyHint"] is (row.access != "write")
        assert {type(hints[hint]) for hint in ("destructiveHint", "openWorldHint")} == {bool}
        assert ("idempotentHint" in hints) is (row.access == "write")
        assert row.access == "write" or not hints["destructiveHint"]


def test_a_description_is_a_sentence_or_two_on_one_line(rows: list[ToolRow]) -> None:
    for row in rows:
        assert row.description.endswith("."), row.name
        assert "\n" not in row.description
        assert 20 <= len(row.description) <= 300


@pytest.mark.requirement("EP-03", "EP-04", "AUTH-08")
def test_scope_and_security_scheme_follow_from_the_access(rows: list[ToolRow]) -> None:
    scopes = {"read": Scope.READ, "write": Scope.WRITE, "public": None}
    for row in rows:
        assert row.scope is scopes[row.access]
        expected = [{"type": "oauth2", "scopes": [str(row.scope)]}] if row.scope else [{"type": "noauth"}]
        wire = json.loads(row.wire_tool().model_dump_json(by_alias=True, exclude_none=True))
        assert wire["_meta"]["securitySchemes"] == expected


def test_without_oauth_a_protected_tool_names_no_scheme(rows: list[ToolRow]) -> None:
    for row in rows:
        wire: WireTool = row.wire_tool(oauth=False)
        assert (wire.meta is None) is (row.access != "public")


def test_schemas_are_valid_objects_without_made_up_titles_or_unknown_words(rows: list[ToolRow]) -> None:
    for row in rows:
        for schema in (row.input_schema, row.output_schema):
            jsonschema.Draft202012Validator.check_schema(schema)
            assert schema["type"] == "object"
            assert "properties" in schema
            # Rules over several fields are for the OpenAPI document, and no list of tools holds them.
            fields = {name: value for name, value in schema.items() if name != "allOf"}
            assert "allOf" not in row.wire_tool().input_schema
            for inner in nested(fields):
                assert inner.keys() <= KEYWORDS, (row.name, inner.keys() - KEYWORDS)


@pytest.mark.requirement("EP-05")
def test_every_parameter_says_what_it_means(rows: list[ToolRow]) -> None:
    for row in rows:
        for name, field in row.input_schema["properties"].items():
            definition = row.input_schema.get("$defs", {}).get(field.get("$ref", "").rsplit("/", 1)[-1], {})
            assert {**definition, **field}.get("description", "").endswith("."), (row.name, name)


@pytest.mark.requirement("EP-08")
def test_only_public_tools_and_a_configuration_refuse_unknown_members(rows: list[ToolRow]) -> None:
    for row in rows:
        assert (row.input_schema.get("additionalProperties") is False) is (row.access == "public")


def test_optional_fields_accept_null_only_to_clear_a_value(
    rows: list[ToolRow],
) -> None:
    for row in rows:
        defaults = {
            field.alias or name: field.default for name, field in row.arguments_model.model_fields.items()
        }
        for name, field in row.input_schema["properties"].items():
            if name not in row.input_schema.get("required", []):
                clears = defaults[name] is UNSAID
                assert field.get("default", ...) is not None, (row.name, name)
                assert ({"type": "null"} in field.get("anyOf", [])) is clears, (row.name, name)


@pytest.mark.requirement("EP-05")
def test_a_number_takes_json_numbers_alone_and_a_count_no_fractions(rows: list[ToolRow]) -> None:
    for row in rows:
        for name, field in row.input_schema["properties"].items():
            if field.get("type") != "number":
                continue
            low = field.get("minimum", 1)
            assert name not in faults(row, {name: low})
            assert name not in faults(row, {name: float(low)})
            assert {name} <= faults(row, {name: str(low)})
            assert {name} <= faults(row, {name: True})
            assert field.get("multipleOf") == 1
            assert {name} <= faults(row, {name: low + 0.5})
            if "minimum" in field:
                assert {name} <= faults(row, {name: low - 1})
            if "maximum" in field:
                assert {name} <= faults(row, {name: field["maximum"] + 1})
                assert name not in faults(row, {name: field["maximum"]})


def faults(row: ToolRow, arguments: dict[str, object]) -> set[str]:
    """The top-level fields that validation finds fault with."""
    try:
        row.arguments_model.__pydantic_validator__.validate_json(json.dumps(arguments), strict=True)
    except ValidationError as error:
        return {str(fault["loc"][0]) for fault in error.errors()}
    return set()


def test_a_default_stands_within_its_own_bounds(rows: list[ToolRow]) -> None:
    for row in rows:
        for field in row.input_schema["properties"].values():
            if "default" in field:
                jsonschema.validate(field["default"], field, jsonschema.Draft202012Validator)


def test_two_tools_of_one_name_are_refused() -> None:
    first, second = ToolFamily(), ToolFamily()
    for family in (first, second):

        @family.read("Same")
        async def same() -> ToolResult:  # pyright: ignore[reportUnusedFunction] - declared for its name
            """Say nothing at all, twice."""
            return ToolResult()

    with pytest.raises(ValueError, match="two tools are named same"):
        ToolTable([first, second])
