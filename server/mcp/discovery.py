"""Self-description of the service for discovery clients: the descriptor and mcp.json."""

from typing import Any, Final

from oauth.challenges import METADATA_PATH
from oauth.principal import Scope
from oauth.product import DESCRIPTION, NAME
from server.mcp.versions import ADDITIONAL_VERSIONS, SERVICE_VERSION, SPECIFIED_VERSIONS
from tools.calls.table import ToolTable

METHODS: Final = (
    "initialize",
    "notifications/initialized",
    "ping",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/read",
)
_CREDENTIALED_METHODS: Final = ("tools/call",)


def descriptor(table: ToolTable, base_url: str, endpoint: str, *, oauth: bool) -> dict[str, Any]:
    """Describe the service as seen from one endpoint, naming that endpoint's protected-resource document."""
    names = {access: table.names(access) for access in ("read", "write", "public")}
    return {
        "name": NAME,
        "title": NAME,
        "version": SERVICE_VERSION,
        "description": DESCRIPTION,
        "transport": "streamable-http",
        "endpoints": {
            "mcp": f"{base_url}/mcp",
            "mcpApp": f"{base_url}/api/mcp-app",
            "rest": f"{base_url}/api/mcp-app/rest/{{tool_name}}",
            "openapi": f"{base_url}/api/mcp-app/openapi.json",
            "discovery": f"{base_url}/mcp.json",
        },
        "protocolVersions": list(SPECIFIED_VERSIONS),
        "additionalProtocolVersions": list(ADDITIONAL_VERSIONS),
        "methods": list(METHODS),
        "authentication": _authentication(base_url, endpoint, oauth=oauth),
        "tools": {
            "total": len(table),
            "credentialed": len(names["read"]) + len(names["write"]),
            "public": len(names["public"]),
            "names": names,
        },
    }


def mcp_json(table: ToolTable, base_url: str, *, oauth: bool) -> dict[str, Any]:
    """Return the descriptor as a document that MCP clients also accept as configuration.

    It has no headers and no environment: a client would send an unset variable as a literal
    credential, or reject the file.
    """
    servers = {
        NAME: {"type": "http", "url": f"{base_url}/mcp"},
        f"{NAME}-stdio": {"type": "stdio", "command": NAME, "args": ["stdio"]},
    }
    return {"mcpServers": servers, **descriptor(table, base_url, "/mcp", oauth=oauth)}


def _authentication(base_url: str, endpoint: str, *, oauth: bool) -> dict[str, Any]:
    described: dict[str, Any] = {
        "schemes": ["apiKey", "oauth2"] if oauth else ["apiKey"],
        "apiKey": {"header": "Authorization", "format": "Bearer sk_live_..."},
    }
    if oauth:
        described["oauth2"] = {
            "protectedResourceMetadata": f"{base_url}{METADATA_PATH}{endpoint}",
            "authorizationServerMetadata": f"{base_url}/.well-known/oauth-authorization-server",
            "scopes": [str(scope) for scope in Scope],
        }
    described["withoutCredential"] = [method for method in METHODS if method not in _CREDENTIALED_METHODS]
    return described
