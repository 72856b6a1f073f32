"""The tools as hosts read them: each listed schema passes the published rules of the hosts that models run in."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import pytest
from starlette.types import ASGIApp

from server.app import Public
from tests.server.conftest import BASE_URL, Serve, open_one_brand
from tools.calls.dispatch import Dispatcher
from tools.calls.rate_limits import MemoryWindows, RateLimits
from tools.catalog import tool_table

LARGEST_LIST = 44 * 1024
LONGEST_DESCRIPTION = 300
LONGEST_OPENAI_DESCRIPTION = 1024
# https://platform.openai.com/docs/guides/structured-outputs: supported schemas. Converters close objects and require
# every property themselves; what they cannot convert is rejected.
STRICT_TYPES = {"string", "number", "boolean", "integer", "object", "array", "null"}
STRICT_KEYWORDS = {
    "type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "description", "pattern",
    "format", "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems",
    "minLength", "maxLength", "default",
}  # fmt: skip
# https://ai.google.dev/api/caching#Schema, with `additionalProperties` of parametersJsonSchema.
GEMINI_KEYWORDS = {
    "type", "format", "title", "description", "nullable", "enum", "maxItems", "minItems", "properties", "required",
    "minProperties", "maxProperties", "minLength", "maxLength", "pattern", "example", "anyOf", "propertyOrdering",
    "default", "items", "minimum", "maximum", "additionalProperties",
}  # fmt: skip


def subschemas(schema: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema in a schema, with its path."""
    yield path, schema
    for name, inner in schema.get("properties", {}).items():
        yield from subschemas(inner, f"{path}.{name}")
    if "items" in schema:
        yield from subschemas(schema["items"], f"{path}[]")
    for inner in schema.get("anyOf", ()):
        yield from subschemas(inner, path)


def types_of(schema: dict[str, Any]) -> set[str]:
    kind: str | list[str] = schema.get("type", [])
    return {kind} if isinstance(kind, str) else set(kind)


def faults_for_vscode(schema: dict[str, Any]) -> list[str]:
    """VS Code drops a tool with `tool parameters array type must have items`."""
    return [path for path, part in subschemas(schema) if "array" in types_of(part) and "items" not in part]


def faults_for_openai(schema: dict[str, Any]) -> list[str]:
    """Function calling answers 400 for a root that is no plain object, and for an array without items."""
    root = [] if schema.get("type") == "object" else ["the root is no object"]
    combined = schema.keys() & {"oneOf", "anyOf", "allOf", "enum", "not"}
    long = [
        path
        for path, part in subschemas(schema)
        if len(part.get("description", "")) > LONGEST_OPENAI_DESCRIPTION
    ]
    return [*root, *combined, *long, *faults_for_vscode(schema)]


def faults_for_strict_openai(schema: dict[str, Any]) -> list[str]:
    """Strict function calling knows fewer keywords, and no object with members of any name."""
    faults = faults_for_openai(schema)
    for path, part in subschemas(schema):
        faults += [f"{path}: {keyword}" for keyword in part.keys() - STRICT_KEYWORDS]
        faults += [f"{path}: type" for _ in types_of(part) - STRICT_TYPES]
        if part.get("additionalProperties", False) is not False:
            faults.append(f"{path}: additionalProperties")
        if not types_of(part) and "anyOf" not in part:
            faults.append(f"{path}: no type")
    return faults


def faults_for_gemini(schema: dict[str, Any]) -> list[str]:
    """Gemini rejects unknown keywords, most formats, enums of other than strings, and anyOf beside anything."""
    faults = faults_for_vscode(schema)
    for path, part in subschemas(schema):
        faults += [f"{path}: {keyword}" for keyword in part.keys() - GEMINI_KEYWORDS]
        if part.get("format") not in (None, "enum", "date-time"):
            faults.append(f"{path}: format")
        if "anyOf" in part and len(part) > 1:
            faults.append(f"{path}: anyOf is not alone")
        if not all(isinstance(value, str) for value in part.get("enum", ())):
            faults.append(f"{path}: enum")
        if set(part.get("required", ())) - part.get("properties", {}).keys():
            faults.append(f"{path}: required")
    return faults


@pytest.fixture
async def listing(serve: Serve, app_of: Callable[..., ASGIApp]) -> httpx2.Response:
    """The answer to tools/list of the real tools, with OAuth, as it is on the wire."""
    return await listed(serve, app_of, oauth=True)


async def listed(serve: Serve, app_of: Callable[..., ASGIApp], *, oauth: bool) -> httpx2.Response:
    """Serve the real tools and list them."""
    dispatcher = Dispatcher(tool_table(), RateLimits(MemoryWindows()), open_one_brand)
    running = serve(app_of(Public(BASE_URL, oauth=oauth), dispatcher=dispatcher))
    async with httpx2.AsyncClient(base_url=running.url, timeout=20, verify=False) as client:
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        return await client.post("/mcp", json=message, headers={"MCP-Protocol-Version": "2025-11-25"})


@pytest.mark.parametrize(
    "faults", [faults_for_vscode, faults_for_openai, faults_for_strict_openai, faults_for_gemini]
)
async def test_every_host_accepts_every_listed_schema(
    listing: httpx2.Response, faults: Callable[[dict[str, Any]], list[str]]
) -> None:
    tools = listing.json()["result"]["tools"]
    assert len(tools) >= 42
    assert {tool["name"]: found for tool in tools if (found := faults(tool["inputSchema"]))} == {}
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", tool["name"]) for tool in tools)


async def test_the_list_fits_a_model_and_says_when_to_use_each_tool(listing: httpx2.Response) -> None:
    assert len(listing.content) <= LARGEST_LIST
    names = set(tool_table())
    for tool in listing.json()["result"]["tools"]:
        said = tool["description"]
        assert len(said) <= LONGEST_DESCRIPTION
        assert names & set(re.findall(r"[a-z]+(?:_[a-z]+)+", said)), f"{tool['name']} names no other tool"
        assert "?" not in said.replace("?'", ""), "it says what it does and asks nothing"


async def test_a_field_that_a_model_would_guess_is_described(listing: httpx2.Response) -> None:
    fields = [
        (name, field)
        for tool in listing.json()["result"]["tools"]
        for name, field in tool["inputSchema"]["properties"].items()
    ]
    bare = {name for name, field in fields if "description" not in field}
    assert bare <= {"limit", "offset", "tag", "intent", "promptId", "promptSetId"}
    for name, field in fields:
        if name == "mode":
            assert {"memory", "search"} <= set(re.findall("[a-z]+", field["description"]))
        if name == "metricName":
            assert {"visibilityScore", "shareOfVoice", "sentiment"} <= set(
                re.findall("[A-Za-z]+", field["description"])
            )
    page_sizes = {(field["maximum"]) for name, field in fields if name == "limit" and "maximum" in field}
    assert page_sizes == {100}
    unbounded = [field for name, field in fields if name == "limit" and "maximum" not in field]
    assert all("100" in field["description"] for field in unbounded)


async def test_only_what_reaches_engines_or_sites_hints_at_an_open_world(listing: httpx2.Response) -> None:
    hints = {tool["name"]: tool["annotations"] for tool in listing.json()["result"]["tools"]}
    assert {name for name, each in hints.items() if each["openWorldHint"]} == {
        "create_brand_profile",
        "update_brand_profile",
        "run_workflow",
        "run_prompt_set",
        "run_reusable_agent",
    }
    assert not any(each["openWorldHint"] for each in hints.values() if each["readOnlyHint"])


async def test_without_oauth_no_tool_offers_it(serve: Serve, app_of: Callable[..., ASGIApp]) -> None:
    assert "oauth2" not in (await listed(serve, app_of, oauth=False)).text
