"""The SDK's own client, over real HTTP and over stdio, in every protocol version it speaks."""

import json
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import anyio
import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from tests.server.conftest import Running

STDIO_SERVER = Path(__file__).with_name("stdio_process.py")
MODES = ["auto", "legacy", "2026-07-28"]
VERSION_OF = {"auto": "2026-07-28", "legacy": "2025-11-25", "2026-07-28": "2026-07-28"}


@asynccontextmanager
async def connected(url: str, mode: Any, token: str | None = None) -> AsyncGenerator[Client]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=20) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode) as client,
    ):
        yield client


@pytest.mark.parametrize("path", ["/mcp", "/api/mcp-app"])
@pytest.mark.parametrize("mode", MODES)
async def test_the_sdk_client_lists_and_calls_over_http(service: Running, mode: str, path: str) -> None:
    async with connected(service.url + path, mode, "good") as client:
        assert client.protocol_version == VERSION_OF[mode]
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools][:2] == ["get_credits", "get_brand_profile"]
        result = await client.call_tool("get_brand_profile", {"brandId": "acme"})
        assert result.structured_content == {"id": "00000000-0000-7000-8000-0000000000b1", "name": "Acme"}
        failed = await client.call_tool("get_brand_profile", {"brandId": "nobody's"})
        assert failed.is_error
        resources = (await client.list_resources()).resources
        content = (await client.read_resource(str(resources[1].uri))).contents[0]
        assert "### get_brand_profile" in getattr(content, "text", "")


@pytest.mark.parametrize("mode", MODES)
async def test_a_bad_key_reaches_the_sdk_client_in_our_words(service: Running, mode: str) -> None:
    with pytest.raises((MCPError, ExceptionGroup)) as raised:
        async with connected(service.url + "/mcp", mode, "unknown") as client:
            await client.list_tools()
    assert "Invalid API key." in _innermost(raised.value)


def _innermost(error: BaseException) -> str:
    """The words of the first error in a group of groups."""
    while isinstance(error, BaseExceptionGroup):
        error = cast(BaseExceptionGroup[BaseException], error).exceptions[0]
    return str(error)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("holder", ["company", "nobody"])
async def test_the_sdk_client_lists_and_calls_over_stdio(mode: Any, holder: str) -> None:
    server = StdioServerParameters(command=sys.executable, args=[str(STDIO_SERVER), holder])
    async with Client(stdio_client(server), mode=mode) as client:
        assert client.protocol_version == VERSION_OF[mode]
        assert len((await client.list_tools()).tools) == 2
        report = await client.call_tool("get_agentic_readiness_report", {"url": "https://a.example"})
        assert report.structured_content == {"url": "https://a.example"}
        credits = await client.call_tool("get_credits", {})
        assert credits.is_error == (holder == "nobody")
        if holder == "nobody":
            assert credits.meta is None or "mcp/www_authenticate" not in credits.meta
            assert "authentication required" in str(credits.content)


@pytest.mark.parametrize(
    ("asked", "answered"),
    [("2024-11-05", "2024-11-05"), ("2025-03-26", "2025-03-26"), ("2025-06-18", "2025-06-18"),
     ("2025-11-25", "2025-11-25"), ("1999-01-01", "2025-06-18"), (None, "2025-06-18")],
)  # fmt: skip
async def test_stdio_welcomes_every_version_and_keeps_its_output_clean(
    asked: str | None, answered: str
) -> None:
    params = {} if asked is None else {"protocolVersion": asked}
    messages: list[dict[str, Any]] = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "get_credits"}},
    ]
    with anyio.fail_after(30):
        async with await anyio.open_process(
            [sys.executable, str(STDIO_SERVER), "company"], stderr=None
        ) as process:
            assert process.stdin
            assert process.stdout
            for message in messages:
                await process.stdin.send(json.dumps(message).encode() + b"\n")
            received = b""
            while received.count(b"\n") < 2:
                received += await process.stdout.receive()
            await process.stdin.aclose()
            assert await process.wait() == 0
    first, second = (json.loads(line) for line in received.splitlines())
    assert first["result"]["protocolVersion"] == answered
    assert second["result"]["structuredContent"] == {"available": 12.5}
