"""What tools/list says of all tools: in one piece, and true to the whole schemas."""

import json
from collections.abc import Iterator
from typing import Any, cast

import jsonschema
import pytest

from tools.catalog import tool_table

TABLE = tool_table()


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
