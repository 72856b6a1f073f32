"""The fast lane and the SDK's lane answer every message of the corpus alike."""

import json
import re
from collections.abc import Callable, Generator
from itertools import product
from typing import Any

import httpx2
import pytest
from starlette.types import ASGIApp

from server.app import Public
from tests.server.conftest import Serve

Message = dict[str, Any]
VERSIONS = (None, "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
TOKENS = (None, "good", "reader")
IDS = (0, -1, 2**70, "", 'ü"\\\u2028')
CALLS: tuple[tuple[str, Any], ...] = (
    ("get_credits", None),
    ("get_credits", {}),
    ("get_credits", {"unknown": 1}),
    ("get_brand_profile", {"brandId": "ACME"}),
    ("get_brand_profile", {"brandId": "ACME", "limit": 5.0}),
    ("get_brand_profile", {"brandId": "ACME", "limit": 5.5}),
    ("get_brand_profile", {"brandId": 5}),
    ("get_brand_profile", {"brandId": "nobody's"}),
    ("get_brand_profile", {}),
    ("cancel_workflow_run", {"runId": "one"}),
    ("cancel_workflow_run", {"runId": "finished"}),
    ("cancel_workflow_run", {"runId": "\ud83d\ude00 \u2028 </script> \u0000"}),
    ("crash", {}),
    ("nope", {}),
    ("", {}),
)
METAS: tuple[Any, ...] = (
    {},
    {"progressToken": 1},
    {"progressToken": "p"},
    {"progressToken": True},
    {"progressToken": 1.5},
    {"other": []},
    [],
    None,
)
EXTRAS: tuple[Message, ...] = (
    {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {}},
    {"jsonrpc": "2.0", "id": 1, "method": "tools/call"},
    {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 3}},
    {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get_credits", "arguments": []}},
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "get_credits", "task": {"ttl": 1}},
    },
    {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get_credits", "more": 1}},
    {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get_credits"}, "more": 1},
    {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"cursor": "x"}},
    {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"cursor": None}},
    {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"cursor": 1}},
    {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}},
    {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"more": 1}},
    {"jsonrpc": "2.0", "id": 1, "method": "resources/list"},
    {"jsonrpc": "2.0", "id": 1, "method": "initialize"},
    {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "get_credits"}},
)


PING: tuple[str, Message] = ("ping", {})
LIST: tuple[str, Message] = ("tools/list", {})
CREDITS: tuple[str, Message] = ("tools/call", {"name": "get_credits"})
NOPE: tuple[str, Message] = ("tools/call", {"name": "nope"})


def request(method: str, params: Message, identifier: Any = 1) -> Message:
    return {"jsonrpc": "2.0", "id": identifier, "method": method, "params": params}


def corpus() -> list[Message]:
    calls = [request("tools/call", {"name": name, "arguments": given}) for name, given in CALLS]
    with_meta = [
        request(method, {**params, "_meta": meta})
        for (method, params), meta in product((PING, LIST, CREDITS), METAS)
    ]
    named = [request(*asked, identifier) for identifier, asked in product(IDS, (PING, CREDITS, NOPE))]
    return [*calls, *with_meta, *named, *EXTRAS]


@pytest.fixture(scope="module", params=[False, True], ids=["oauth off", "oauth on"])
def lanes(
    request: pytest.FixtureRequest, serve_all: Serve, app_of: Callable[..., ASGIApp]
) -> Generator[tuple[httpx2.Client, httpx2.Client]]:
    public = Public("http://seenby.test", oauth=request.param)
    fast, slow = (serve_all(app_of(public, fast_lane=lane)) for lane in (True, False))
    with httpx2.Client(base_url=fast.url) as one, httpx2.Client(base_url=slow.url) as other:
        yield one, other


def told(client: httpx2.Client, body: str, headers: dict[str, str]) -> tuple[Any, ...]:
    response = client.post("/mcp", content=body, headers=headers)
    text = re.sub(r"reference [0-9a-f]{12}", "reference", response.text)
    answered = {
        name: response.headers.get(name) for name in ("www-authenticate", "content-type", "cache-control")
    }
    return response.status_code, json.loads(text) if text else "", answered


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("token", TOKENS)
def test_both_lanes_say_the_same(
    lanes: tuple[httpx2.Client, httpx2.Client], version: str | None, token: str | None
) -> None:
    headers = {"MCP-Protocol-Version": version} if version else {}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    for message in corpus():
        body = json.dumps(message)
        fast, slow = (told(client, body, headers) for client in lanes)
        assert fast == slow, body


def test_both_lanes_say_the_same_of_a_batch(lanes: tuple[httpx2.Client, httpx2.Client]) -> None:
    messages = corpus()
    for start in range(0, len(messages), 10):
        body = json.dumps(messages[start : start + 10])
        fast, slow = (told(client, body, {"Authorization": "Bearer reader"}) for client in lanes)
        assert fast == slow, body
