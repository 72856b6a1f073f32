"""tools/call and tools/list at the endpoint: every case, in both lanes and both challenge shapes."""

import json
from collections.abc import Callable
from typing import Any

import httpx2
import pytest
from starlette.types import ASGIApp

from oauth.principal import Principal
from server.app import Public
from tests.server.conftest import Ask, Serve
from tools.calls.dispatch import Dispatcher
from tools.calls.rate_limits import MemoryWindows, RateLimits

METADATA = "http://seenby.test/.well-known/oauth-protected-resource"
SIGN_IN = "Sign in with the scope service.read, or send an API key as a Bearer token."


def failed(code: str, message: str, hint: str, challenge: str | None = None) -> dict[str, Any]:
    result: dict[str, Any] = {
        "content": [{"type": "text", "text": f"{message}\nHint: {hint}"}],
        "isError": True,
        "structuredContent": {"error": {"code": code, "message": message, "hint": hint}, "_hint": hint},
    }
    return result if challenge is None else {"_meta": {"mcp/www_authenticate": [challenge]}, **result}


async def test_a_success_carries_the_same_object_twice(call_tool: Ask) -> None:
    response = await call_tool("get_credits", Authorization="Bearer good")
    assert response.status_code == 200
    credits = {"available": 12.5, "plan": "für Könige – “pro”\n\u2028"}
    result = response.json()["result"]
    assert result.pop("content") == [
        {"type": "text", "text": json.dumps(credits, ensure_ascii=False, separators=(",", ":"))}
    ]
    assert result == {"structuredContent": credits, "isError": False}


async def test_arguments_may_be_null_or_absent(call_tool: Ask) -> None:
    nothing: dict[str, Any] = {}
    for arguments in (None, nothing):
        assert (await call_tool("get_credits", arguments, Authorization="Bearer good")).status_code == 200


@pytest.mark.parametrize("version", ["2025-06-18", "2025-11-25"])
@pytest.mark.parametrize("meta", [{}, {"_meta": {"client/trace": "1"}}])
async def test_arguments_are_read_as_models_send_them(
    http: httpx2.AsyncClient, version: str, meta: dict[str, Any]
) -> None:
    async def failure(**arguments: Any) -> str | None:
        params = {"name": "get_brand_profile", "arguments": {"brandId": "acme", **arguments}, **meta}
        headers = {"MCP-Protocol-Version": version, "Authorization": "Bearer good"}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        result = (await http.post("/mcp", json=message, headers=headers)).json()["result"]
        return result["content"][0]["text"].split("\n")[0] if result["isError"] else None

    for limit in (3, 3.0, "3", None):
        assert await failure(limit=limit) is None
    for limit in ("three", "3.5", "true", [3], ""):
        assert "limit" in (await failure(limit=limit) or "")
    assert "brandId: Field required" in (await failure(brandId=None) or "")
    assert await failure(brandId="3") is not None, "text stays text"


@pytest.mark.parametrize("version", ["2025-06-18", "2025-11-25"])
async def test_the_header_of_a_repeated_write_counts_as_over_rest(call_tool: Ask, version: str) -> None:
    async def key_of(**headers: str) -> Any:
        given = {"MCP-Protocol-Version": version, "Authorization": "Bearer good", **headers}
        return (await call_tool("start_run", **given)).json()

    sent = await key_of(**{"Idempotency-Key": "k-1"})
    assert sent["result"]["structuredContent"] == {"idempotencyKey": "k-1"}
    assert (await key_of())["result"]["structuredContent"] == {"idempotencyKey": None}
    for bad in ("", "k" * 201):
        error = (await key_of(**{"Idempotency-Key": bad}))["error"]
        assert error["message"] == "Idempotency-Key must be a string of 1 to 200 characters"


async def test_a_public_tool_needs_no_credential(call_tool: Ask) -> None:
    response = await call_tool("get_agentic_readiness_report", {"url": "https://a.example"})
    assert response.json()["result"]["structuredContent"] == {"url": "https://a.example"}


@pytest.mark.requirement("ERR-05")
@pytest.mark.parametrize(
    ("tool", "arguments", "code", "reason"),
    [
        ("get_brand_profile", {}, "INVALID_PARAMS", "brandId: Field required"),
        ("get_brand_profile", {"brandId": "nobody's"}, "NOT_FOUND", "brand not found"),
        (
            "cancel_workflow_run",
            {"runId": "finished"},
            "INVALID_PARAMS",
            "only pending or running runs can be cancelled",
        ),
        (
            "get_agentic_readiness_report",
            {"url": "a", "z": 1},
            "INVALID_PARAMS",
            "z: Extra inputs are not permitted",
        ),
    ],
)
async def test_a_tool_says_why_it_failed(
    call_tool: Ask, tool: str, arguments: dict[str, Any], code: str, reason: str
) -> None:
    response = await call_tool(tool, arguments, Authorization="Bearer good")
    assert response.status_code == 200
    result = response.json()["result"]
    assert result == failed(code, f"Tool '{tool}' failed: {reason}", result["structuredContent"]["_hint"])
    assert result["structuredContent"]["_hint"]


async def test_a_crash_tells_a_reference_and_nothing_else(call_tool: Ask) -> None:
    response = await call_tool("crash", Authorization="Bearer good")
    assert response.status_code == 200
    error = response.json()["result"]["structuredContent"]["error"]
    assert (error["code"], error["message"]) == ("INTERNAL_ERROR", "Tool 'crash' failed: internal error")
    assert "reference" in error["hint"]
    assert not any(word in response.text for word in ("hunter2", "secret.py", "RuntimeError"))


@pytest.mark.requirement("ERR-09")
async def test_without_oauth_a_missing_credential_is_a_plain_refusal(call_tool: Ask) -> None:
    for agent in ("curl", "openai-mcp/1.0"):
        response = await call_tool("get_credits", User_Agent=agent)
        assert response.status_code == 401
        assert (
            response.text
            == '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Missing Authorization header."}}'
        )
        assert response.headers["www-authenticate"] == "Bearer"
        assert response.headers["cache-control"] == "no-store"


@pytest.mark.requirement("AUTH-17")
@pytest.mark.parametrize(
    ("agent", "status"), [("Claude-User", 401), ("OpenAI-MCP/1.0", 200), ("ChatGPT/1", 200)]
)
async def test_with_oauth_a_missing_credential_starts_a_sign_in_in_both_shapes(
    call_tool: Ask, oauth_http: httpx2.AsyncClient, agent: str, status: int
) -> None:
    response = await call_tool("get_credits", client=oauth_http, User_Agent=agent)
    assert response.status_code == status
    challenge = (
        f'Bearer resource_metadata="{METADATA}/mcp", scope="service.read service.write", '
        'error="invalid_token", error_description="Sign in to use this tool."'
    )
    message = "Tool 'get_credits' failed: authentication required"
    assert response.json() == {
        "jsonrpc": "2.0",
        "id": 1,
        "result": failed("UNAUTHORIZED", message, SIGN_IN, challenge),
    }
    assert (
        response.headers["www-authenticate"]
        == f'Bearer resource_metadata="{METADATA}/mcp", scope="service.read service.write"'
    )
    assert response.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(("agent", "status"), [("Claude-User", 403), ("openai", 200)])
async def test_an_under_scoped_token_is_asked_for_all_scopes_at_once(
    call_tool: Ask, oauth_http: httpx2.AsyncClient, agent: str, status: int
) -> None:
    response = await call_tool(
        "cancel_workflow_run",
        {"runId": "1"},
        client=oauth_http,
        User_Agent=agent,
        Authorization="Bearer reader",
    )
    assert response.status_code == status
    challenge = (
        f'Bearer resource_metadata="{METADATA}/mcp", scope="service.read service.write", '
        'error="insufficient_scope", error_description="This tool needs the scope service.write."'
    )
    assert response.headers["www-authenticate"] == challenge
    result = response.json()["result"]
    assert result["_meta"] == {"mcp/www_authenticate": [challenge]}
    message = "Tool 'cancel_workflow_run' failed: the credential lacks the scope service.write"
    assert result["structuredContent"]["error"]["message"] == message


@pytest.mark.parametrize(
    ("policy", "agent", "status"),
    [("auto", "curl", 429), ("auto", "openai", 200), ("401", "openai", 429), ("200", "curl", 200)],
)
async def test_a_limited_call_is_told_by_the_clients_rule(
    serve: Serve,
    app_of: Callable[..., ASGIApp],
    call_tool: Ask,
    policy: Any,
    agent: str,
    status: int,
) -> None:
    service = serve(app_of(Public("http://seenby.test", challenge_policy=policy)))
    async with httpx2.AsyncClient(base_url=service.url) as client:
        for _ in range(2):
            response = await call_tool("get_credits", client=client, Authorization="Bearer twice")
            assert response.status_code == 200
        response = await call_tool(
            "get_credits", client=client, User_Agent=agent, Authorization="Bearer twice"
        )
    assert response.status_code == status
    wait = response.headers["retry-after"]
    assert 1 <= int(wait) <= 60
    message = "Tool 'get_credits' failed: rate limit exceeded"
    hint = f"Wait {wait} seconds before the next call."
    assert response.json()["result"] == failed("RATE_LIMITED", message, hint)


@pytest.mark.parametrize(("lane", "status"), [(True, 500), (False, 200)])
async def test_a_defect_of_dispatch_itself_is_told_in_fixed_words(
    serve: Serve,
    app_of: Callable[..., ASGIApp],
    call_tool: Ask,
    dispatcher: Dispatcher,
    lane: bool,
    status: int,
) -> None:
    class Broken(Dispatcher):
        async def call(self, *arguments: Any, **named: Any) -> Any:
            raise OSError("/srv/private")

    def open_nothing(principal: Principal, writing: bool) -> Any:
        raise AssertionError("no workspace is opened")

    broken = Broken(dispatcher.table, RateLimits(MemoryWindows()), open_nothing)
    service = serve(app_of(dispatcher=broken, fast_lane=lane))
    async with httpx2.AsyncClient(base_url=service.url) as client:
        response = await call_tool("get_credits", client=client, Authorization="Bearer good")
    assert response.status_code == status
    assert response.json()["error"] == {"code": -32603, "message": "Internal server error"}


def call(identifier: int, tool: str, **arguments: Any) -> dict[str, Any]:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": identifier, "method": "tools/call", "params": params}


async def test_a_batch_takes_the_highest_status_and_the_first_challenge(
    oauth_http: httpx2.AsyncClient,
) -> None:
    batch = [
        call(1, "get_credits"),
        call(2, "get_agentic_readiness_report", url="u"),
        call(3, "cancel_workflow_run", runId="1"),
    ]
    response = await oauth_http.post("/api/mcp-app", content=json.dumps(batch))
    assert response.status_code == 401
    assert [answer["id"] for answer in response.json()] == [1, 2, 3]
    assert [answer["result"]["isError"] for answer in response.json()] == [True, False, True]
    assert (
        response.headers["www-authenticate"]
        == f'Bearer resource_metadata="{METADATA}/api/mcp-app", scope="service.read service.write"'
    )
    response = await oauth_http.post(
        "/mcp", content=json.dumps(batch), headers={"Authorization": "Bearer reader", "User-Agent": "chatgpt"}
    )
    assert response.status_code == 200
    assert "insufficient_scope" in response.headers["www-authenticate"]


async def test_a_refused_element_without_oauth_is_the_refusal_with_a_null_id(
    http: httpx2.AsyncClient,
) -> None:
    response = await http.post("/mcp", content=json.dumps([call(1, "get_credits"), call(2, "get_credits")]))
    assert response.status_code == 401
    refusal = {
        "jsonrpc": "2.0",
        "id": None,
        "error": {"code": -32001, "message": "Missing Authorization header."},
    }
    assert response.json() == [refusal, refusal]


async def test_each_element_of_a_batch_is_counted(serve: Serve, app_of: Callable[..., ASGIApp]) -> None:
    service = serve(app_of())
    batch = json.dumps([call(number, "get_credits") for number in range(3)])
    async with httpx2.AsyncClient(base_url=service.url) as client:
        response = await client.post("/mcp", content=batch, headers={"Authorization": "Bearer twice"})
    assert response.status_code == 429
    assert [answer["result"]["isError"] for answer in response.json()] == [False, False, True]
    assert "retry-after" in response.headers


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
async def test_the_listing_tells_everything_to_everybody(
    oauth_http: httpx2.AsyncClient, version: str
) -> None:
    message = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
    response = await oauth_http.post("/mcp", content=message, headers={"MCP-Protocol-Version": version})
    result = response.json()["result"]
    assert "nextCursor" not in result
    tools = {tool["name"]: tool for tool in result["tools"]}
    assert list(tools) == [
        "get_credits", "get_brand_profile", "cancel_workflow_run", "start_run", "crash", "wait",
            "get_agentic_readiness_report",
    ]  # fmt: skip
    scheme = [{"type": "oauth2", "scopes": ["service.read"]}]
    assert tools["get_credits"]["securitySchemes"] == scheme
    assert tools["get_credits"]["_meta"] == {"securitySchemes": scheme}
    assert tools["cancel_workflow_run"]["securitySchemes"] == [
        {"type": "oauth2", "scopes": ["service.write"]}
    ]
    assert tools["get_agentic_readiness_report"]["securitySchemes"] == [{"type": "noauth"}]
    assert tools["cancel_workflow_run"]["annotations"] == {
        "readOnlyHint": False,
        "destructiveHint": True,
        "idempotentHint": True,
        "openWorldHint": False,
    }
    assert "outputSchema" not in tools["get_credits"]


async def test_a_call_in_the_sdks_lane_is_told_by_status_and_headers_too(
    oauth_http: httpx2.AsyncClient,
) -> None:
    odd = call(5, "get_credits") | {"params": {"name": "get_credits", "task": {"ttl": 1}}}
    response = await oauth_http.post("/mcp", content=json.dumps(odd))
    assert response.status_code == 401
    assert response.json()["result"]["_meta"]["mcp/www_authenticate"]
    assert response.headers["www-authenticate"].endswith('scope="service.read service.write"')
