"""Our tools as a model's host has them: listed and called by a client of MCP over HTTP."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, TextContent

from tests.evals.agent import Refused

PATIENCE_SECONDS = 60


class McpTools:
    """The tools of one server."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._listed: list[dict[str, Any]] | None = None

    async def listed(self) -> list[dict[str, Any]]:
        """Return tools/list, read once."""
        if self._listed is None:
            tools = (await self._client.list_tools()).tools
            self._listed = [tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in tools]
        return self._listed

    async def call(self, tool: str, arguments: dict[str, Any]) -> str:
        """Return the text of a result, the hint of a refusal with it. Raises Refused."""
        text = "\n".join(
            block.text
            for block in (await self._called(tool, arguments)).content
            if isinstance(block, TextContent)
        )
        return text

    async def result(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return a result as data. Raises Refused."""
        return (await self._called(tool, arguments)).structured_content or {}

    async def _called(self, tool: str, arguments: dict[str, Any]) -> CallToolResult:
        try:
            outcome = await self._client.call_tool(tool, arguments)
        except MCPError as error:
            raise Refused(str(error)) from error
        assert isinstance(outcome, CallToolResult)
        if outcome.is_error:
            first = outcome.content[0]
            raise Refused(
                first.text if isinstance(first, TextContent) else json.dumps(outcome.structured_content)
            )
        return outcome


@asynccontextmanager
async def connected_tools(url: str, key: str) -> AsyncGenerator[McpTools]:
    """Connect to a server's MCP endpoint with a key."""
    headers = {"Authorization": f"Bearer {key}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=PATIENCE_SECONDS) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http)) as client,
    ):
        yield McpTools(client)
