"""Handlers of a service that opens after its client was greeted."""

from typing import Any

import anyio
from mcp import MCPError
from mcp.types import (
    INTERNAL_ERROR,
    CallToolRequestParams,
    CallToolResult,
    CompleteRequestParams,
    CompleteResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
)

from server.mcp.server import Context, Handlers


class LateHandlers:
    """Stands for handlers that are still being made; a request that needs them waits.

    Loading the service takes longer than the SDK's whole start, and a desktop client gives a
    server little time to answer `initialize`, which needs nothing of it.
    """

    def __init__(self) -> None:
        self.wanted = anyio.Event()
        """Set when the service should open."""
        self.settled = anyio.Event()
        """Set when it has opened, or cannot."""
        self._handlers: Handlers | None = None
        self._failure = ""

    def open(self, handlers: Handlers) -> None:
        """Let the waiting requests through to these handlers."""
        self._handlers = handlers
        self.settled.set()

    def fail(self, failure: str) -> None:
        """Answer every request from now on with the reason why there is no service."""
        self._handlers = None
        self._failure = failure
        self.settled.set()

    async def _opened(self) -> Handlers:
        self.wanted.set()
        await self.settled.wait()
        if self._handlers is None:
            raise MCPError(INTERNAL_ERROR, f"seenby cannot serve: {self._failure}")
        return self._handlers

    def input_schema(self, tool: str) -> dict[str, Any] | None:
        """Return the JSON Schema of a tool's arguments, once it is known."""
        return None if self._handlers is None else self._handlers.input_schema(tool)

    async def list_tools(self, ctx: Context, params: PaginatedRequestParams | None) -> ListToolsResult:
        """Answer tools/list."""
        return await (await self._opened()).list_tools(ctx, params)

    async def call_tool(self, ctx: Context, params: CallToolRequestParams) -> CallToolResult:
        """Answer tools/call."""
        return await (await self._opened()).call_tool(ctx, params)

    async def list_resources(
        self, ctx: Context, params: PaginatedRequestParams | None
    ) -> ListResourcesResult:
        """Answer resources/list."""
        return await (await self._opened()).list_resources(ctx, params)

    async def list_resource_templates(
        self, ctx: Context, params: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        """Answer resources/templates/list."""
        return await (await self._opened()).list_resource_templates(ctx, params)

    async def list_prompts(self, ctx: Context, params: PaginatedRequestParams | None) -> ListPromptsResult:
        """Answer prompts/list."""
        return await (await self._opened()).list_prompts(ctx, params)

    async def get_prompt(self, ctx: Context, params: GetPromptRequestParams) -> GetPromptResult:
        """Answer prompts/get."""
        return await (await self._opened()).get_prompt(ctx, params)

    async def complete(self, ctx: Context, params: CompleteRequestParams) -> CompleteResult:
        """Answer completion/complete."""
        return await (await self._opened()).complete(ctx, params)

    async def read_resource(self, ctx: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        """Answer resources/read."""
        return await (await self._opened()).read_resource(ctx, params)
