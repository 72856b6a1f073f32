"""Python clients of other makers, led by lines of JSON: {"call": tool} comes in, {"result"} or {"open": address} goes out.

Run as `python_clients.py fastmcp ENDPOINT` or `python_clients.py authlib BASE`, in the environment that
requirements.txt beside it describes.
"""

import asyncio
import json
import secrets
import sys
import webbrowser
from importlib import import_module
from typing import Any

CALLBACK = "http://127.0.0.1:3030/callback"
SCOPES = "service.read service.write"


def write(**line: Any) -> None:
    """Say one thing."""
    sys.stdout.write(f"{json.dumps(line)}\n")
    sys.stdout.flush()


async def read() -> dict[str, Any]:
    """Hear one thing."""
    return json.loads(await asyncio.to_thread(sys.stdin.readline))


def called(tool: str) -> dict[str, Any]:
    """Return the message that calls a tool without arguments."""
    parameters: dict[str, Any] = {"name": tool, "arguments": {}}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": parameters}


async def fastmcp(endpoint: str) -> None:
    """FastMCP's client as its makers describe it; whoever leads opens what it would show in a browser."""
    maker, auth = import_module("fastmcp"), import_module("fastmcp.client.auth")

    def opened(url: str, new: int = 0, autoraise: bool = True) -> bool:
        write(open=url)
        return True

    webbrowser.open = opened
    async with maker.Client(endpoint, auth=auth.OAuth(scopes=SCOPES)) as client:
        write(tools=[tool.name for tool in await client.list_tools()])
        while (asked := await read())["call"]:
            result = await client.call_tool(asked["call"], {})
            write(result=result.structured_content)


async def authlib(base: str) -> None:
    """Authlib's OAuth client over our metadata, registered by itself; its token opens MCP and REST."""
    httpx, maker = import_module("httpx"), import_module("authlib.integrations.httpx_client")
    async with httpx.AsyncClient(timeout=20) as http:
        found = (await http.get(f"{base}/.well-known/oauth-authorization-server")).json()
        registered = await http.post(
            found["registration_endpoint"],
            json={
                "client_name": "Authlib",
                "redirect_uris": [CALLBACK],
                "token_endpoint_auth_method": "client_secret_basic",
            },
        )
    client = registered.json()
    async with maker.AsyncOAuth2Client(
        client["client_id"],
        client["client_secret"],
        scope=SCOPES,
        redirect_uri=CALLBACK,
        code_challenge_method="S256",
        token_endpoint=found["token_endpoint"],
        timeout=20,
    ) as session:
        verifier = secrets.token_urlsafe(48)
        address, state = session.create_authorization_url(
            found["authorization_endpoint"], code_verifier=verifier, resource=f"{base}/mcp"
        )
        write(open=address)
        token = await session.fetch_token(
            authorization_response=(await read())["response"], code_verifier=verifier, state=state
        )
        write(scope=token["scope"], lifetime=token["expires_in"])
        while (asked := await read())["call"]:
            if asked.get("renew"):
                token = await session.refresh_token(found["token_endpoint"])
            answered = (await session.post(f"{base}/mcp", json=called(asked["call"]))).json()
            write(result=answered["result"]["structuredContent"], token=token["access_token"])
        for kind in ("refresh_token", "access_token"):
            revoked = await session.revoke_token(
                found["revocation_endpoint"], token=token[kind], token_type_hint=kind
            )
            assert revoked.status_code == 200, revoked.text
        write(refused=(await session.post(f"{base}/mcp", json=called("look_around"))).status_code)


asyncio.run({"fastmcp": fastmcp, "authlib": authlib}[sys.argv[1]](sys.argv[2]))
