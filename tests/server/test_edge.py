"""Every answer of the endpoint, by its literal bytes."""

import json
import socket
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any

import httpx2
import pytest

from tests.server.conftest import Running

PATHS = ("/mcp", "/api/mcp-app")
GOOD = {"Authorization": "Bearer good"}
STATIC = "http://seenby.test/static"


def rpc_error(code: int, message: str, identifier: Any = None, **data: Any) -> str:
    body = {"code": code, "message": message, **data}
    return json.dumps({"jsonrpc": "2.0", "id": identifier, "error": body}, separators=(",", ":"))


@dataclass(frozen=True)
class Case:
    """A body, the headers it comes with, and the answer."""

    body: str | bytes
    status: int
    answer: str
    headers: dict[str, str] = field(default_factory=dict[str, str])


PARSE_ERROR = rpc_error(-32700, "Parse error")
INVALID_REQUEST = rpc_error(-32600, "Invalid Request")
BAD_ID = rpc_error(-32600, "id must be a string or an integer")
PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
NO_ENVELOPE = (
    "params._meta must be an object carrying the required 'io.modelcontextprotocol/protocolVersion' and "
    "'io.modelcontextprotocol/clientCapabilities' envelope keys"
)


def with_id(identifier: str) -> str:
    return f'{{"jsonrpc":"2.0","id":{identifier},"method":"ping"}}'


def pong(identifier: str) -> str:
    return f'{{"jsonrpc":"2.0","id":{identifier},"result":{{}}}}'


ENVELOPE = {
    "empty": Case("", 400, PARSE_ERROR),
    "malformed": Case('{"jsonrpc":', 400, PARSE_ERROR),
    "not utf-8": Case(b'{"a":"\xff"}', 400, PARSE_ERROR),
    "byte order mark": Case(b"\xef\xbb\xbf" + PING.encode(), 400, PARSE_ERROR),
    "utf-16": Case(PING.encode("utf-16"), 400, PARSE_ERROR),
    "not a number": Case('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":NaN}}', 400, PARSE_ERROR),
    "infinite": Case('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1e999}}', 400, PARSE_ERROR),
    "a name twice": Case('{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', 400, PARSE_ERROR),
    "lone surrogate": Case('{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}', 400, PARSE_ERROR),
    "201 levels": Case("[" * 201 + "]" * 201, 400, PARSE_ERROR),
    "huge integer": Case(with_id("9" * 5000), 400, PARSE_ERROR),
    "number": Case("1", 400, INVALID_REQUEST),
    "string": Case('"ping"', 400, INVALID_REQUEST),
    "null": Case("null", 400, INVALID_REQUEST),
    "empty object": Case("{}", 400, INVALID_REQUEST),
    "no version": Case('{"id":7,"method":"ping"}', 400, rpc_error(-32600, "Invalid Request", 7)),
    "version 1": Case(
        '{"jsonrpc":"1.0","id":"x","method":"ping"}', 400, rpc_error(-32600, "Invalid Request", "x")
    ),
    "method no string": Case(
        '{"jsonrpc":"2.0","id":7,"method":1}', 400, rpc_error(-32600, "Invalid Request", 7)
    ),
    "params a list": Case(
        '{"jsonrpc":"2.0","id":7,"method":"ping","params":[]}', 400, rpc_error(-32600, "Invalid Request", 7)
    ),
    "params a string": Case(
        '{"jsonrpc":"2.0","id":7,"method":"ping","params":"a"}', 400, rpc_error(-32600, "Invalid Request", 7)
    ),
    "id null": Case(with_id("null"), 400, BAD_ID),
    "id fraction": Case(with_id("1.5"), 400, BAD_ID),
    "id 1.0": Case(with_id("1.0"), 400, BAD_ID),
    "id boolean": Case(with_id("true"), 400, BAD_ID),
    "id array": Case(with_id("[]"), 400, BAD_ID),
    "id object": Case(with_id("{}"), 400, BAD_ID),
    "id empty string": Case(with_id('""'), 200, pong('""')),
    "id zero": Case(with_id("0"), 200, pong("0")),
    "id negative": Case(with_id("-3"), 200, pong("-3")),
    "id beyond 64 bit": Case(
        with_id("123456789012345678901234567890"), 200, pong("123456789012345678901234567890")
    ),
    "id text": Case(with_id('"ü\\n\\""'), 200, pong('"ü\\n\\""')),
    "notification": Case('{"jsonrpc":"2.0","method":"notifications/initialized"}', 202, ""),
    "call without id": Case('{"jsonrpc":"2.0","method":"tools/call","params":{"name":"crash"}}', 202, ""),
    "initialize without id": Case('{"jsonrpc":"2.0","method":"initialize"}', 202, ""),
    "response": Case('{"jsonrpc":"2.0","id":3,"result":{}}', 202, ""),
    "error response": Case('{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"no"}}', 202, ""),
    "invented session": Case(PING, 200, pong("1"), {"Mcp-Session-Id": "stale"}),
    "unknown version": Case(
        PING, 400, rpc_error(-32602, NO_ENVELOPE, 1), {"MCP-Protocol-Version": "1999-01-01"}
    ),
    "batch": Case(f"[{with_id('1')},{with_id('2')}]", 200, f"[{pong('1')},{pong('2')}]"),
    "batch at its version": Case(f"[{PING}]", 200, f"[{pong('1')}]", {"MCP-Protocol-Version": "2025-03-26"}),
    "batch of notifications": Case('[{"jsonrpc":"2.0","method":"notifications/initialized"}]', 202, ""),
    "empty batch": Case("[]", 400, INVALID_REQUEST),
    "batch of 51": Case("[" + ",".join([PING] * 51) + "]", 400, INVALID_REQUEST),
    "batch at another version": Case(
        f"[{PING}]",
        400,
        rpc_error(-32600, "Batches are accepted for protocol version 2025-03-26 only"),
        {"MCP-Protocol-Version": "2025-06-18"},
    ),
    "batch of oddities": Case(
        f'[1,{PING},{{"jsonrpc":"2.0","id":9,"method":"initialize"}},{with_id("true")}]',
        200,
        f"[{INVALID_REQUEST},{pong('1')},"
        + rpc_error(-32600, "initialize must not be part of a batch", 9)
        + f",{BAD_ID}]",
    ),
    "unknown method": Case(
        '{"jsonrpc":"2.0","id":1,"method":"logging/setLevel"}',
        200,
        rpc_error(-32601, "Method not found", 1, data="logging/setLevel"),
    ),
    "invented method": Case(
        '{"jsonrpc":"2.0","id":1,"method":"do/it"}',
        200,
        rpc_error(-32601, "Method not found", 1, data="do/it"),
    ),
    "listen": Case(
        '{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen"}',
        200,
        rpc_error(-32601, "Method not found", 1, data="subscriptions/listen"),
    ),
    "cursor": Case(
        '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"2"}}',
        200,
        rpc_error(-32602, "Invalid cursor", 1),
    ),
    "unknown resource": Case(
        '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"seenby://nowhere"}}',
        200,
        rpc_error(-32002, "Resource not found", 1, data={"uri": "seenby://nowhere"}),
    ),
    "unknown tool": Case(
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nope"}}',
        200,
        rpc_error(-32602, "Unknown tool: nope", 1),
    ),
    "call without name": Case(
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}',
        200,
        rpc_error(-32602, "Invalid request parameters", 1, data=""),
    ),
    "call without params": Case(
        '{"jsonrpc":"2.0","id":1,"method":"tools/call"}',
        200,
        rpc_error(-32602, "Invalid request parameters", 1, data=""),
    ),
    "arguments a list": Case(
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_credits","arguments":[]}}',
        200,
        rpc_error(-32602, "Invalid request parameters", 1, data=""),
    ),
}


@pytest.mark.requirement("EP-10", "EP-13")
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("name", ENVELOPE)
async def test_a_body_is_answered_to_the_letter(http: httpx2.AsyncClient, path: str, name: str) -> None:
    case = ENVELOPE[name]
    response = await http.post(path, content=case.body, headers=case.headers)
    assert (response.status_code, response.text) == (case.status, case.answer)
    assert response.headers.get("content-type") == ("application/json" if case.answer else None)
    assert response.headers["x-request-id"]


@pytest.mark.parametrize("content_type", ["application/json", "application/octet-stream", "text/plain", None])
@pytest.mark.parametrize("accept", ["application/json", "*/*", "text/html", None])
async def test_accept_and_content_type_do_not_matter(
    http: httpx2.AsyncClient, accept: str | None, content_type: str | None
) -> None:
    request = http.build_request("POST", "/mcp", content='{"jsonrpc":"2.0","id":1,"method":"resources/list"}')
    for name, value in (("accept", accept), ("content-type", content_type)):
        request.headers.pop(name, None)
        if value is not None:
            request.headers[name] = value
    response = await http.send(request)
    assert response.status_code == 200
    assert response.json()["result"]["resources"][1]["uri"] == "seenby://guide/tools"


async def test_a_path_without_a_route_is_told_in_json_to_who_asked_for_it(http: httpx2.AsyncClient) -> None:
    for accept in ("application/json", "application/problem+json, application/json;q=0.9"):
        for method in ("GET", "POST", "DELETE"):
            answer = await http.request(method, "/nowhere", headers={"Accept": accept})
            error = answer.json()["error"]
            assert (answer.status_code, error["code"], error["message"]) == (
                404,
                "NOT_FOUND",
                "No such path.",
            )
            assert error["hint"].endswith("/api/mcp-app/openapi.json.")
    for accept in ("text/html,application/xhtml+xml,application/json;q=0.1", "*/*", "text/plain"):
        plain = await http.get("/nowhere", headers={"Accept": accept})
        assert (plain.status_code, plain.text) == (404, "Not Found")
    for accept in ("*/*", ""):
        sent = await http.post("/nowhere", headers={"Accept": accept}, json={})
        assert (sent.status_code, sent.json()["error"]["code"]) == (404, "NOT_FOUND")


async def test_whitespace_around_a_header_is_no_part_of_it(service: Running) -> None:
    with socket.create_connection(("127.0.0.1", service.port), timeout=20) as connection:
        connection.sendall(
            b"POST /mcp HTTP/1.1\r\nHost:  localhost \r\nAuthorization: \tBearer good \t\r\n"
            b"MCP-Protocol-Version:  2025-06-18  \r\nConnection: close\r\n"
            b"Content-Length: 40\r\n\r\n" + PING.encode()
        )
        received = b""
        while part := connection.recv(65536):
            received += part
    assert received.startswith(b"HTTP/1.1 200 ")
    assert received.endswith(pong("1").encode())


@pytest.mark.parametrize("declared", [True, False])
async def test_a_body_over_the_limit_is_refused_declared_or_counted(
    http: httpx2.AsyncClient, declared: bool
) -> None:
    # Much larger than what the sockets hold, so that the client is still sending when it is refused.
    body = b'{"jsonrpc":"2.0","id":"%s","method":"ping"}' % (b"x" * 8_000_000)

    async def streamed() -> AsyncGenerator[bytes]:
        yield body[:500_000]
        yield body[500_000:]

    for path in (*PATHS, "/api/mcp-app/rest/get_credits"):
        response = await http.post(path, content=body if declared else streamed(), headers=GOOD)
        assert response.status_code == 413
        if path in PATHS:
            assert response.text == rpc_error(-32600, "Request body too large")


async def test_a_body_of_exactly_the_limit_is_read(http: httpx2.AsyncClient) -> None:
    frame = len(with_id('""'))
    identifier = "x" * (1_000_000 - frame)
    response = await http.post("/mcp", content=with_id(f'"{identifier}"'))
    assert response.status_code == 200


@pytest.mark.requirement("ERR-08")
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("authorization", "message", "challenge"),
    [
        (
            "Bearer unknown",
            "Invalid API key.",
            'Bearer error="invalid_token", error_description="Invalid API key."',
        ),
        (
            "Basic Z29vZDo=",
            "Invalid API key.",
            'Bearer error="invalid_token", error_description="Invalid API key."',
        ),
        ("", "Invalid API key.", 'Bearer error="invalid_token", error_description="Invalid API key."'),
        (
            "Bearer expired",
            "API key expired.",
            'Bearer error="invalid_token", error_description="API key expired."',
        ),
    ],
)
@pytest.mark.parametrize("body", [PING, "not json", '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'])
async def test_a_bad_credential_is_refused_whatever_is_asked(
    http: httpx2.AsyncClient, path: str, authorization: str, message: str, challenge: str, body: str
) -> None:
    response = await http.post(path, content=body, headers={"Authorization": authorization})
    assert (response.status_code, response.text) == (401, rpc_error(-32001, message))
    assert response.headers["www-authenticate"] == challenge
    assert response.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", PATHS)
async def test_a_credential_that_cannot_be_checked_is_kept_and_tried_again(
    http: httpx2.AsyncClient, path: str
) -> None:
    response = await http.post(path, content=PING, headers={"Authorization": "Bearer database-down"})
    assert (response.status_code, response.text) == (503, rpc_error(-32001, "Failed to validate API key."))
    assert response.headers["retry-after"] == "5"
    assert "www-authenticate" not in response.headers


async def test_two_credentials_are_none(http: httpx2.AsyncClient) -> None:
    headers = [("Authorization", "Bearer good"), ("Authorization", "Bearer reader")]
    response = await http.post("/mcp", content=PING, headers=headers)
    assert (response.status_code, response.text) == (401, rpc_error(-32001, "Invalid API key."))


@pytest.mark.parametrize("path", PATHS)
async def test_a_bad_credential_names_the_endpoints_own_metadata(
    oauth_http: httpx2.AsyncClient, path: str
) -> None:
    response = await oauth_http.post(path, content=PING, headers={"Authorization": "Bearer expired"})
    assert response.headers["www-authenticate"] == (
        f'Bearer resource_metadata="http://seenby.test/.well-known/oauth-protected-resource{path}", '
        'error="invalid_token", error_description="API key expired."'
    )


VERSIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]


@pytest.mark.requirement("EP-17", "VER-05")
@pytest.mark.parametrize(
    ("params", "version"),
    [
        *(({"protocolVersion": version}, version) for version in VERSIONS),
        ({"protocolVersion": "2026-07-28"}, "2025-06-18"),
        ({"protocolVersion": "1999-01-01"}, "2025-06-18"),
        ({"protocolVersion": 7}, "2025-06-18"),
        ({}, "2025-06-18"),
        (None, "2025-06-18"),
        (
            {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "c", "version": "1"},
            },
            "2025-06-18",
        ),
    ],
)
@pytest.mark.parametrize("header", [None, "2025-06-18", "2026-07-28", "nonsense"])
async def test_initialize_welcomes_every_client(
    http: httpx2.AsyncClient, params: dict[str, Any] | None, version: str, header: str | None
) -> None:
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": "i", "method": "initialize"}
    if params is not None:
        message["params"] = params
    headers = {} if header is None else {"MCP-Protocol-Version": header}
    response = await http.post("/mcp", content=json.dumps(message), headers=headers)
    assert response.status_code == 200
    result = response.json()["result"]
    assert result.pop("instructions")
    assert result == {
        "protocolVersion": version,
        "capabilities": {
            "completions": {},
            "extensions": {"io.modelcontextprotocol/ui": {}},
            "prompts": {"listChanged": False},
            "resources": {"listChanged": False, "subscribe": False},
            "tools": {"listChanged": False},
        },
        "serverInfo": {
            "name": "seenby",
            "title": "seenby",
            "version": "1.1.0",
            "websiteUrl": "http://seenby.test",
            "icons": [
                {"src": f"{STATIC}/mark.png", "mimeType": "image/png", "sizes": ["512x512"]},
                {"src": f"{STATIC}/mark.svg", "mimeType": "image/svg+xml", "sizes": ["any"]},
            ],
        },
    }
    assert "mcp-session-id" not in response.headers


async def test_initialize_with_a_wrong_type_is_refused(http: httpx2.AsyncClient) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": 3}}
    response = await http.post("/mcp", content=json.dumps(message))
    assert response.text == rpc_error(-32602, "Invalid request parameters", 1, data="")


def modern(method: str, **params: Any) -> str:
    meta: dict[str, Any] = {
        "io.modelcontextprotocol/protocolVersion": params.pop("version", "2026-07-28"),
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": {"_meta": meta, **params}})


def modern_headers(method: str, name: str | None = None, version: str = "2026-07-28") -> dict[str, str]:
    named = {} if name is None else {"Mcp-Name": name}
    return {"MCP-Protocol-Version": version, "Mcp-Method": method, **named}


@pytest.mark.parametrize(
    ("method", "status", "code"),
    [
        ("ping", 404, -32601),
        ("initialize", 404, -32601),
        ("logging/setLevel", 404, -32601),
        ("subscriptions/listen", 404, -32601),
    ],
)
async def test_methods_the_modern_era_lacks(
    http: httpx2.AsyncClient, method: str, status: int, code: int
) -> None:
    response = await http.post("/mcp", content=modern(method), headers=modern_headers(method))
    assert (response.status_code, response.json()["error"]["code"]) == (status, code)


async def test_modern_discovery(http: httpx2.AsyncClient) -> None:
    response = await http.post(
        "/mcp", content=modern("server/discover"), headers=modern_headers("server/discover")
    )
    assert response.status_code == 200
    assert response.json()["result"]["supportedVersions"] == ["2026-07-28"]


async def test_modern_version_rules(http: httpx2.AsyncClient) -> None:
    unknown = modern("tools/list", version="2027-01-01")
    response = await http.post(
        "/mcp", content=unknown, headers=modern_headers("tools/list", version="2027-01-01")
    )
    assert response.status_code == 400
    assert response.json()["error"] == {
        "code": -32022,
        "message": "Unsupported protocol version",
        "data": {"supported": ["2026-07-28"], "requested": "2027-01-01"},
    }
    response = await http.post("/mcp", content=modern("tools/list"), headers=modern_headers("tools/call"))
    assert (response.status_code, response.json()["error"]["code"]) == (400, -32020)


async def test_modern_calls_succeed_and_fail_like_legacy_ones(http: httpx2.AsyncClient) -> None:
    call = modern("tools/call", name="get_credits", arguments={})
    response = await http.post(
        "/mcp", content=call, headers={**modern_headers("tools/call", "get_credits"), **GOOD}
    )
    assert response.status_code == 200
    result = response.json()["result"]
    assert result["resultType"] == "complete"
    assert result["content"][0]["text"] == 'available 12.5, plan "für Könige – “pro”\\n\\u2028"'
    assert result["structuredContent"]["available"] == 12.5
    response = await http.post("/mcp", content=call, headers=modern_headers("tools/call", "get_credits"))
    assert (response.status_code, response.text) == (401, rpc_error(-32001, "Missing Authorization header."))
    unknown = modern("tools/call", name="nope")
    response = await http.post(
        "/mcp", content=unknown, headers={**modern_headers("tools/call", "nope"), **GOOD}
    )
    assert (response.status_code, response.json()["error"]["message"]) == (400, "Unknown tool: nope")


@pytest.mark.requirement("EP-14", "EP-16", "AUTH-18")
async def test_every_method_but_a_protected_call_is_served_without_a_credential(
    http: httpx2.AsyncClient,
) -> None:
    asked: list[tuple[str, dict[str, Any]]] = [
        ("initialize", {}),
        ("ping", {}),
        ("tools/list", {}),
        ("resources/list", {}),
        ("resources/read", {"uri": "seenby://guide/tools"}),
        ("tools/call", {"name": "get_agentic_readiness_report", "arguments": {"url": "u"}}),
    ]
    for method, params in asked:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        response = await http.post("/mcp", content=json.dumps(message))
        assert (response.status_code, "result" in response.json()) == (200, True), method
    initialized = '{"jsonrpc":"2.0","method":"notifications/initialized"}'
    assert (await http.post("/mcp", content=initialized)).status_code == 202


@pytest.mark.requirement("EP-15")
async def test_a_call_takes_the_same_object_as_rest_and_returns_it_wrapped(http: httpx2.AsyncClient) -> None:
    arguments = {"brandId": "Acme", "limit": 3}
    params = {"name": "get_brand_profile", "arguments": arguments}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    called = await http.post("/mcp", content=json.dumps(message), headers=GOOD)
    rest = "/api/mcp-app/rest/get_brand_profile"
    plain = await http.post(rest, content=json.dumps(arguments), headers=GOOD)
    assert called.json()["result"]["structuredContent"] == plain.json()
    assert plain.json() == {"id": "00000000-0000-7000-8000-0000000000b1", "name": "Acme"}
