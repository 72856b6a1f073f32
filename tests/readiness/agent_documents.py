"""Documents for agents as their specifications want them, by the check that reads them."""

from typing import Any

JSON = "application/json"
SKILL = {"id": "book", "name": "Book", "description": "Books a visit", "tags": ["service"]}
AP2 = {"uri": "https://github.com/google-agentic-commerce/ap2/tree/v0.1", "params": {"roles": ["merchant"]}}
ENTRY = {
    "identifier": "urn:x:1",
    "displayName": "Acme",
    "type": "application/mcp-server-card+json",
    "url": "/m",
}


def sound_documents(host: str) -> dict[str, tuple[str, str, Any]]:
    """Path, media type and content of each kind of document, for a host."""
    card: dict[str, Any] = {
        "name": "Acme",
        "description": "Answers about repairs",
        "version": "1.0.0",
        "url": f"https://{host}/a2a",
        "capabilities": {"extensions": [AP2]},
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain"],
        "skills": [SKILL],
    }
    return {
        "exp.a2a": ("/.well-known/agent-card.json", JSON, card),
        "exp.ucp": (
            "/.well-known/ucp",
            JSON,
            {
                "ucp": {
                    "version": "2026-01-23",
                    "services": {"dev.ucp.shopping": [{"version": "2026-01-23", "transport": "rest"}]},
                    "capabilities": {"dev.ucp.shopping.checkout": [{"version": "2026-01-23"}]},
                }
            },
        ),
        "exp.agent_skills": (
            "/.well-known/agent-skills/index.json",
            JSON,
            {"skills": [{"name": "book-a-visit", "description": "How to book", "url": "/s/SKILL.md"}]},
        ),
        "exp.api_catalog": (
            "/.well-known/api-catalog",
            "application/linkset+json",
            {"linkset": [{"anchor": f"https://{host}/", "service-desc": [{"href": "/openapi.json"}]}]},
        ),
        "exp.ai_catalog": ("/.well-known/ai-catalog.json", JSON, {"specVersion": "1.0", "entries": [ENTRY]}),
        "exp.ard": ("/.well-known/ard.json", JSON, {"entries": [ENTRY]}),
        "exp.agents_json": ("/agents.json", JSON, {"info": {"title": "Acme"}, "flows": [{"id": "book"}]}),
        "exp.mcp_card": (
            "/.well-known/mcp/server-card.json",
            JSON,
            {"serverInfo": {"name": "acme", "version": "1"}},
        ),
        "exp.oauth_resource": (
            "/.well-known/oauth-protected-resource",
            JSON,
            {"resource": f"https://{host}/mcp", "authorization_servers": [f"https://{host}"]},
        ),
        "exp.oauth_server": (
            "/.well-known/oauth-authorization-server",
            JSON,
            {
                "issuer": f"https://{host}",
                "authorization_endpoint": f"https://{host}/authorize",
                "token_endpoint": f"https://{host}/token",
                "response_types_supported": ["code"],
            },
        ),
        "exp.web_bot_auth": (
            "/.well-known/http-message-signatures-directory",
            "application/http-message-signatures-directory+json",
            {"keys": [{"kty": "OKP", "crv": "Ed25519", "x": "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs"}]},
        ),
        "exp.acp": (
            "/.well-known/acp.json",
            JSON,
            {
                "protocol": {"name": "acp", "version": "2026-01-30", "supported_versions": ["2026-01-30"]},
                "api_base_url": f"https://{host}/api",
                "transports": ["rest"],
                "capabilities": {"services": ["checkout"]},
            },
        ),
        "exp.x402": ("/.well-known/x402", JSON, {"version": 1, "resources": [f"https://{host}/api/report"]}),
        "exp.openapi": (
            "/openapi.json",
            "application/vnd.oai.openapi+json",
            {"openapi": "3.1.0", "info": {"title": "Acme", "version": "1"}, "paths": {"/slots": {"get": {}}}},
        ),
        "exp.llms_full": ("/llms-full.txt", "text/plain", "# Acme\n\nAll about our repairs.\n"),
        "exp.agents_md": ("/agents.md", "text/markdown", "# For agents\n\nBook by telephone.\n"),
    }
