"""The page that gives each client what it needs to connect, filled in with this server's address."""

import json
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.responses import Response

from web.request import PageRequest

KEY = "YOUR_API_KEY"


async def show_connect(request: PageRequest) -> Response:
    """Show the page, which needs no sign-in."""
    base_url = request.services.base_url
    return request.render(
        "connect/connect.html",
        endpoint=f"{base_url}/mcp",
        texts=_client_texts(base_url),
        reachable=is_public(base_url),
        oauth=request.services.oauth,
    )


def is_public(base_url: str) -> bool:
    """Whether services on the internet can use this address: https, and not this machine alone."""
    parts = urlsplit(base_url)
    host = parts.hostname or ""
    try:
        public = ip_address(host).is_global
    except ValueError:
        public = host != "localhost" and not host.endswith((".localhost", ".local", ".internal", ".test"))
    return parts.scheme == "https" and public


def _client_texts(base_url: str) -> dict[str, str]:
    """Return what is to be copied, by client."""
    endpoint, bearer = f"{base_url}/mcp", f"Bearer {KEY}"
    rest = f"{base_url}/api/mcp-app/rest"
    remote = {"url": endpoint, "headers": {"Authorization": bearer}}
    local = {"command": "seenby", "args": ["stdio"], "env": {"SEENBY_API_KEY": KEY}}
    return {
        "claude_code": (
            f'claude mcp add --transport http seenby {endpoint} \\\n  --header "Authorization: {bearer}"'
        ),
        "claude_code_oauth": f"claude mcp add --transport http seenby {endpoint}",
        "mcp_json": _format_json({"mcpServers": {"seenby": remote}}),
        "vscode": _format_json({"servers": {"seenby": {"type": "http", **remote}}}),
        "stdio": _format_json({"mcpServers": {"seenby": local}}),
        "inspector": (
            f"npx -y @modelcontextprotocol/inspector@latest --cli {endpoint} \\\n"
            f'  --transport http --method tools/list --header "Authorization: {bearer}"'
        ),
        "curl": (
            f"curl -s {rest}/list_brand_profiles \\\n"
            f'  -H "Authorization: {bearer}" \\\n'
            '  -H "Content-Type: application/json" -d "{}"'
        ),
    }


def _format_json(value: object) -> str:
    return json.dumps(value, indent=2)
