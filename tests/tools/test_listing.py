"""What tools/list says of all tools: short enough for a model, in one piece, and true to the whole schemas."""

import json
from collections.abc import Iterator
from typing import Any, cast

import jsonschema
import pytest
from mcp.types import ListToolsResult

from tools.catalog import tool_table

TABLE = tool_table()
LARGEST_LIST = 40 * 1024


def nodes(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in a JSON value."""
    if isinstance(value, dict):
        members = cast(dict[str, Any], value)
        yield members
        for member in members.values():
            yield from nodes(member)
    elif isinstance(value, list):
        for item in cast(list[Any], value):
            yield from nodes(item)


def test_the_list_of_all_tools_fits_a_model() -> None:
    listed = ListToolsResult(tools=[row.wire_tool() for row in TABLE.values()])
    assert len(listed.model_dump_json(by_alias=True, exclude_none=True).encode()) <= LARGEST_LIST


@pytest.mark.parametrize("name", TABLE)
def test_a_listed_schema_stands_alone_and_has_the_fields_of_the_whole_one(name: str) -> None:
    row = TABLE[name]
    listed = json.loads(row.wire_tool().model_dump_json(by_alias=True, exclude_none=True))["inputSchema"]
    jsonschema.Draft202012Validator.check_schema(listed)
    assert not any("$ref" in node for node in nodes(listed))
    whole = row.input_schema
    assert list(listed["properties"]) == list(whole["properties"])
    assert listed.get("required") == whole.get("required")
    assert listed.get("additionalProperties") == whole.get("additionalProperties")
    for field, schema in whole["properties"].items():
        for example in schema.get("examples", ()):
            jsonschema.validate(example, listed["properties"][field], jsonschema.Draft202012Validator)


@pytest.mark.parametrize("name", TABLE)
def test_every_listed_field_is_described_here_or_at_a_tool_that_is_named(name: str) -> None:
    row = TABLE[name]
    listed = json.loads(row.wire_tool().model_dump_json(by_alias=True, exclude_none=True))["inputSchema"]
    bare = {field for field, schema in listed["properties"].items() if "description" not in schema}
    whole = row.input_schema["properties"]
    givers = {field: whole[field].get("description", "")[len("Id from ") : -1] for field in bare}
    fed = {field for field, tool in givers.items() if tool in TABLE and tool in row.description}
    assert bare == (set(row.described_elsewhere) if row.described_in else set()) | row.fed_fields
    assert row.fed_fields <= fed, "the description names the tool that gives the id"
    bare -= row.fed_fields
    if row.described_in:
        others = TABLE[row.described_in].input_schema["properties"].keys() | {"days", "brandId", "detail"}
        said = {field for field in bare if f"{field} " in row.description}
        assert bare - said - {"archived", "brandId", "kind", "state"} <= others


@pytest.mark.parametrize("name", TABLE)
def test_a_description_says_what_it_answers_and_what_feeds_it_in_two_sentences(name: str) -> None:
    sentences = TABLE[name].description.replace("? ", ". ").rstrip(".?").split(". ")
    assert len(sentences) == 2, sentences
