"""MCP on standard input and output, for one desktop client."""

import anyio

from server.mcp.server import build_server
from server.mcp.stdio import serve_stdio


def stdio() -> None:
    """Serve MCP on standard input and output, for desktop clients."""
    anyio.run(serve_client)


async def serve_client() -> None:
    """Open the service and serve until the client closes standard input. Raises what opening it raises."""
    from server.local import open_local  # loads the whole service

    async with open_local() as handlers:
        await serve_stdio(build_server(handlers))
