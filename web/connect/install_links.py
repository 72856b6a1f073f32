"""What installs the server in each client: links that open the client, commands, and entries of configuration files.

Clients sign in with OAuth where the server offers it. Otherwise they take the key from the environment or ask for it:
no link, command or entry contains a key, because project files are shared.
"""

import json
from base64 import b64encode
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from oauth.product import KEY_VARIABLE, NAME


@dataclass(frozen=True, slots=True)
class InstallTexts:
    """Links, commands and configuration entries for one server."""

    cursor_link: str
    vscode_link: str
    claude_code: str
    codex: str
    gemini: str
    mcp_json: str
    vscode: str
    stdio: str
    inspector: str
    curl: str


def install_texts(base_url: str, *, oauth: bool) -> InstallTexts:
    """Return what installs the server at an address."""
    endpoint = f"{base_url}/mcp"
    cursor = _remote(endpoint, None if oauth else f"${{env:{KEY_VARIABLE}}}")
    asked: dict[str, Any] = {"inputs": []} if oauth else {"inputs": [_KEY_INPUT]}
    vscode = {"type": "http", **_remote(endpoint, None if oauth else f"${{input:{_KEY_INPUT['id']}}}")}
    header = "" if oauth else f' \\\n  --header "Authorization: Bearer ${KEY_VARIABLE}"'
    bearer = f'-H "Authorization: Bearer ${KEY_VARIABLE}"'
    return InstallTexts(
        cursor_link="cursor://anysphere.cursor-deeplink/mcp/install?"
        + urlencode({"name": NAME, "config": b64encode(json.dumps(cursor).encode()).decode()}),
        vscode_link="vscode:mcp/install?" + quote(json.dumps({"name": NAME, **vscode, **asked}), safe=""),
        claude_code=f"claude mcp add --transport http {NAME} {endpoint}{header}",
        codex=f"codex mcp add {NAME} --url {endpoint}"
        + ("" if oauth else f" --bearer-token-env-var {KEY_VARIABLE}"),
        gemini=f"gemini mcp add --transport http --scope user {NAME} {endpoint}{header}",
        mcp_json=_format_json({"mcpServers": {NAME: cursor}}),
        vscode=_format_json({**({} if oauth else asked), "servers": {NAME: vscode}}),
        stdio=_format_json({"mcpServers": {NAME: {"command": NAME, "args": ["stdio"]}}}),
        inspector=(
            f"npx -y @modelcontextprotocol/inspector@latest --cli {endpoint} \\\n"
            f'  --transport http --method tools/list --header "Authorization: Bearer ${KEY_VARIABLE}"'
        ),
        curl=(
            f"curl -s {base_url}/api/mcp-app/rest/list_brand_profiles \\\n"
            f'  {bearer} \\\n  -H "Content-Type: application/json" -d "{{}}"'
        ),
    )


_KEY_INPUT = {
    "type": "promptString",
    "id": f"{NAME}-key",
    "description": f"{NAME} API key",
    "password": True,
}


def _remote(endpoint: str, key: str | None) -> dict[str, Any]:
    headers = {} if key is None else {"headers": {"Authorization": f"Bearer {key}"}}
    return {"url": endpoint, **headers}


def _format_json(value: object) -> str:
    return json.dumps(value, indent=2)
