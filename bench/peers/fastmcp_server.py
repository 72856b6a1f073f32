# /// script
# dependencies = ["fastmcp>=2"]
# ///
"""FastMCP's smallest stateless server with the cheapest tool; `uv run --script` gives it an environment."""

import sys

from fastmcp import FastMCP

server = FastMCP("smallest")


@server.tool
async def get_credits() -> dict[str, object]:
    """Get the credit balance."""
    return {
        "available": 120,
        "reserved": 5,
        "usedThisMonth": 375,
        "monthlyLimit": 500,
        "resetDate": "2026-08-01T00:00:00Z",
    }


if __name__ == "__main__":
    server.run(
        transport="http",
        host="127.0.0.1",
        port=int(sys.argv[1]),
        path="/mcp",
        log_level="warning",
        stateless_http=True,
        json_response=True,
        show_banner=False,
    )
