"""Every tool of the real application, called over HTTP on both paths, over stdio and over REST."""

import json
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import jsonschema
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from tests.conftest import AssertError
from tests.server.application.conftest import TEXTS, ServeProcess, Server, Workspace
from tools.catalog import tool_table

TABLE = tool_table()
SEENBY = Path(sys.executable).with_name("seenby")
ARGUMENTS: Mapping[str, Any] = {
    "brandId": "toyota",
    "query": "hybrid",
    "metricName": "visibilityScore",
}
"""What required parameters are filled with, by their name; a tool with another one is named by the test."""


def arguments_of(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {name: ARGUMENTS[name] for name in schema.get("required", ())}


def callable_with_these(name: str) -> bool:
    """Whether a call with these arguments changes nothing and needs no id that only another call can give."""
    row = TABLE[name]
    return row.access == "read" and set(row.input_schema.get("required", ())) <= set(ARGUMENTS)


READS = [name for name in TABLE if callable_with_these(name)]


@asynccontextmanager
async def over_http(application: Server, path: str) -> AsyncGenerator[Client]:
    async with (
        httpx2.AsyncClient(headers=application.authorization, timeout=30) as http,
        Client(streamable_http_client(application.url + path, http_client=http)) as client,
    ):
        yield client


@asynccontextmanager
async def over_stdio(application: Server, path: str) -> AsyncGenerator[Client]:
    environ = {**application.workspace.environ, "SEENBY_API_KEY": application.workspace.key}
    server = StdioServerParameters(command=str(SEENBY), args=["stdio"], env=environ)
    async with Client(stdio_client(server)) as client:
        yield client


@pytest.mark.parametrize(
    ("connect", "path"), [(over_http, "/mcp"), (over_http, "/api/mcp-app"), (over_stdio, "")]
)  # fmt: skip
async def test_the_sdk_client_lists_every_tool_and_every_reading_one_answers(
    application: Server, connect: Any, path: str
) -> None:
    async with connect(application, path) as client:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == list(TABLE)
        for tool in tools:
            if tool.name in READS:
                result = await client.call_tool(tool.name, arguments_of(tool.input_schema))
                assert not result.is_error, (tool.name, result.content)
                jsonschema.validate(result.structured_content, TABLE[tool.name].output_schema)


async def test_rest_answers_what_mcp_answers(application: Server) -> None:
    async with (
        over_http(application, "/mcp") as client,
        httpx2.AsyncClient(base_url=application.url, headers=application.authorization) as rest,
    ):
        for name in READS:
            arguments = arguments_of(TABLE[name].input_schema)
            content = (await client.call_tool(name, arguments)).structured_content
            response = await rest.post(f"/api/mcp-app/rest/{name}", json=arguments)
            assert response.status_code == 200, (name, response.text)
            assert response.json() == content, name


async def test_the_imported_answers_have_become_numbers(application: Server) -> None:
    async with httpx2.AsyncClient(base_url=application.url, headers=application.authorization) as rest:

        async def ask(tool: str, **arguments: Any) -> Any:
            return (await rest.post(f"/api/mcp-app/rest/{tool}", json=arguments)).json()

        score = await ask("get_ai_visibility_score", brandId="Toyota")
        mentions = await ask("get_brand_mentions", brandId="Toyota", limit=100)
    # Two of the three texts name Toyota: first in a list, and later in prose, which counts less the later it is.
    place = TEXTS[1].index("Toyota") / len(TEXTS[1])
    prominence = (1 + 0.25 * (1 - place / 2) + 0) / 3
    parts = {factor["part"]: factor["value"] for factor in score["factors"]}
    assert (score["answers"], score["prompts"]) == (36, 12)
    assert parts["presence"] == pytest.approx(2 / 3)
    assert parts["prominence"] == pytest.approx(prominence)
    assert parts["citation"] == pytest.approx(1 / 3)
    weighed = 0.5 * 2 / 3 + 0.25 * prominence + 0.25 / 3
    assert score["score"] == pytest.approx(100 * weighed, abs=0.05)
    assert score["headline"].startswith("Named in 67% of answers (95% CI ")
    assert mentions["total"] == 24
    assert {mention["tone"] for mention in mentions["mentions"]} == {"not_judged"}


async def test_every_guarded_tool_refuses_who_brings_no_credential(
    application: Server, assert_error: AssertError
) -> None:
    async with httpx2.AsyncClient(base_url=application.url) as nobody:
        for name, row in TABLE.items():
            if row.scope is not None:
                response = await nobody.post(f"/api/mcp-app/rest/{name}", json={})
                assert_error(response, 401, "UNAUTHORIZED", "Missing Authorization header.")


async def test_a_key_that_was_revoked_by_command_is_refused_at_once(
    workspace: Workspace, serve: ServeProcess, assert_error: AssertError
) -> None:
    made = json.loads(workspace.seenby("keys", "create", "--json").stdout)
    headers = {"Authorization": f"Bearer {made['key']}"}
    with serve(workspace) as server:
        call = f"{server.url}/api/mcp-app/rest/list_brand_profiles"
        assert httpx2.post(call, json={}, headers=headers).status_code == 200
        assert workspace.seenby("keys", "revoke", made["id"]).returncode == 0
        assert_error(httpx2.post(call, json={}, headers=headers), 401, "UNAUTHORIZED", "Invalid API key.")
