"""Anything but POST at the endpoint, and what a browser on another page may do."""

import httpx2
import pytest

from rest_bridge.openapi import openapi_document
from server.mcp.discovery import descriptor, mcp_json
from tools.calls.dispatch import Dispatcher

PATHS = ("/mcp", "/api/mcp-app")


@pytest.mark.requirement("EP-11")
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("accept", ["*/*", "application/json", "text/html,application/xhtml+xml", None])
async def test_get_describes_the_service(
    http: httpx2.AsyncClient, dispatcher: Dispatcher, path: str, accept: str | None
) -> None:
    request = http.build_request("GET", path, headers={"Authorization": "Bearer unknown"})
    request.headers.pop("accept")
    if accept:
        request.headers["accept"] = accept
    response = await http.send(request)
    assert response.status_code == 200
    assert response.json() == descriptor(dispatcher.table, "http://seenby.test", path, oauth=False)
    assert response.headers["vary"] == "Accept, Origin"
    assert response.headers["cache-control"] == "public, max-age=300"
    head = await http.head(path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == response.headers["content-length"]


@pytest.mark.parametrize("path", PATHS)
async def test_get_offers_no_stream(http: httpx2.AsyncClient, path: str) -> None:
    response = await http.get(path, headers={"Accept": "application/json, Text/Event-Stream"})
    assert response.status_code == 405
    assert response.text == (
        '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,'
        '"message":"Method Not Allowed: this server offers no event stream"}}'
    )
    assert response.headers["allow"] == "POST"
    assert "Accept" in response.headers["vary"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("method", ["DELETE", "PUT", "PATCH", "TRACE"])
async def test_other_methods_are_not_allowed(http: httpx2.AsyncClient, path: str, method: str) -> None:
    response = await http.request(method, path)
    assert response.status_code == 405
    assert (
        response.text == '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Method Not Allowed"}}'
    )
    assert response.headers["allow"] == "GET, HEAD, POST, OPTIONS"


async def test_a_trailing_slash_makes_no_difference(http: httpx2.AsyncClient) -> None:
    message = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
    for path in PATHS:
        plain, slashed = [await http.post(path + end, content=message) for end in ("", "/")]
        assert (slashed.status_code, slashed.content) == (200, plain.content)
        told, slashed_told = [
            await http.post(path + end, content="{}", headers={"Authorization": "Bearer unknown"})
            for end in ("", "/")
        ]
        assert told.headers.get("www-authenticate") == slashed_told.headers.get("www-authenticate")
        assert (await http.get(path + "/")).json() == (await http.get(path)).json()


@pytest.mark.requirement("EP-11")
async def test_discovery_documents(http: httpx2.AsyncClient, dispatcher: Dispatcher) -> None:
    response = await http.get("/mcp.json", headers={"Origin": "https://anywhere.example"})
    assert response.json() == mcp_json(dispatcher.table, "http://seenby.test", oauth=False)
    assert response.headers["access-control-allow-origin"] == "*"
    assert next(iter(response.json())) == "mcpServers"
    response = await http.get("/api/mcp-app/openapi.json")
    assert response.json() == openapi_document(dispatcher.table, "http://seenby.test", oauth=False)


@pytest.mark.parametrize(
    "host",
    [
        "seenby.test",
        "SEENBY.test",
        "seenby.test:80",
        "127.0.0.1",
        "127.0.0.1:9",
        "LOCALHOST:8000",
        "localhost",
        "[::1]",
        "[::1]:1",
    ],
)
async def test_hosts_that_are_ours(http: httpx2.AsyncClient, host: str) -> None:
    assert (await http.get("/mcp", headers={"Host": host})).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "seenby.test:81", "localhost:x", "127.0.0.1.evil.example", "seenby.test.", ""]
)
@pytest.mark.parametrize("path", ["/mcp", "/api/mcp-app/rest/get_credits", "/mcp.json"])
@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS"])
async def test_other_hosts_are_misdirected(
    http: httpx2.AsyncClient, host: str, path: str, method: str
) -> None:
    response = await http.request(method, path, headers={"Host": host})
    assert (response.status_code, response.text) == (421, "Invalid Host header")


@pytest.mark.parametrize(
    "origin",
    [
        "http://seenby.test",
        "http://127.0.0.1:6274",
        "http://localhost:6274",
        "https://claude.ai",
        "https://claude.com",
        "https://chatgpt.com",
    ],
)
async def test_pages_that_may_call(http: httpx2.AsyncClient, origin: str) -> None:
    response = await http.post(
        "/mcp", content='{"jsonrpc":"2.0","id":1,"method":"ping"}', headers={"Origin": origin}
    )
    assert response.status_code == 200
    assert response.headers["access-control-allow-origin"] == origin
    exposed = "WWW-Authenticate, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset"
    assert response.headers["access-control-expose-headers"] == exposed
    assert "access-control-allow-credentials" not in response.headers
    asked = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization, content-type, mcp-protocol-version, mcp-method, mcp-name",
    }
    response = await http.options("/mcp", headers=asked)
    assert (response.status_code, response.text) == (200, "OK")
    assert response.headers["access-control-max-age"] == "600"


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "null",
        "http://localhost.evil.example",
        "https://seenby.test",
        "http://127.0.0.1:x",
    ],
)
@pytest.mark.parametrize("path", ["/mcp", "/api/mcp-app", "/api/mcp-app/rest/get_credits"])
async def test_other_pages_may_not(http: httpx2.AsyncClient, origin: str, path: str) -> None:
    for method in ("GET", "POST", "DELETE"):
        response = await http.request(method, path, headers={"Origin": origin})
        assert (response.status_code, response.text) == (403, "Invalid Origin header")
    asked = {"Origin": origin, "Access-Control-Request-Method": "POST"}
    response = await http.options(path, headers=asked)
    assert (response.status_code, response.text) == (400, "Disallowed CORS origin")
