"""Whatever is sent to the endpoint, it answers: no 5xx, no hang, no traceback."""

import json
from collections.abc import Callable, Generator
from http.client import HTTPConnection
from typing import Any, Protocol

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.server.conftest import Running

EVERYWHERE = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]
PATIENCE_SECONDS = 10

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=40)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
words = st.sampled_from(
    ["jsonrpc", "id", "method", "params", "name", "arguments", "_meta", "uri", "cursor", "protocolVersion", "clientInfo",
     "capabilities", "brandId", "limit", "progressToken", "task", "result", "error"]
)  # fmt: skip
METHODS = [
    "initialize", "ping", "tools/list", "tools/call", "resources/list", "resources/read", "server/discover",
    "notifications/initialized", "notifications/cancelled", "prompts/get", "completion/complete", "logging/setLevel",
]  # fmt: skip
META: dict[str, Any] = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
PARAMS: list[dict[str, Any]] = [
    {},
    {"name": "get_credits", "arguments": {}},
    {"name": "get_brand_profile", "arguments": {"brandId": "Acme", "limit": 3}},
    {"name": "cancel_workflow_run", "arguments": {"runId": "1"}, "_meta": {"progressToken": 1}},
    {"uri": "seenby://guide/tools"},
    {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}},
    {"_meta": META, "name": "get_credits"},
]


def request(identifier: int | str, method: str, params: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": identifier, "method": method, "params": params}


valid = st.builds(
    request,
    st.integers() | st.text(max_size=5),
    st.sampled_from(METHODS),
    st.sampled_from(PARAMS),
)
headers = st.fixed_dictionaries(
    {},
    optional={
        "MCP-Protocol-Version": st.sampled_from(["2025-06-18", "2025-03-26", "2026-07-28", "1999-01-01", ""]),
        "Mcp-Method": st.sampled_from(METHODS),
        "Mcp-Name": st.sampled_from(["get_credits", "get_brand_profile", "=?base64?!?="]),
        "Authorization": st.sampled_from(["Bearer good", "Bearer reader", "Bearer unknown", "Bearer", ""]),
        "Accept": st.sampled_from(["*/*", "text/event-stream", "application/json"]),
        "Content-Type": st.sampled_from(["application/json", "text/plain", "multipart/form-data"]),
    },
)


class Draw(Protocol):
    def __call__(self, strategy: st.SearchStrategy[Any]) -> Any: ...


def objects_in(value: dict[str, Any]) -> list[dict[str, Any]]:
    return [inner for inner in value.values() if isinstance(inner, dict)]


@st.composite
def mutated(draw: Draw) -> bytes:
    """A valid message, or a batch of them, with something in it replaced, added, dropped or cut."""
    message: dict[str, Any] = json.loads(json.dumps(draw(valid)))
    for _ in range(draw(st.integers(0, 3))):
        inside = message
        while draw(st.booleans()) and (deeper := objects_in(inside)):
            inside = draw(st.sampled_from(deeper))
        key = draw(st.sampled_from([*inside]) if inside and draw(st.booleans()) else words)
        if draw(st.booleans()):
            inside[key] = draw(values)
        else:
            inside.pop(key, None)
    body = json.dumps([message, 1] if draw(st.integers(0, 9)) == 0 else message).encode()
    if draw(st.integers(0, 9)) == 0:
        cut = draw(st.integers(0, len(body)))
        body = body[:cut] + draw(st.binary(max_size=3)) + body[cut + draw(st.integers(0, 3)) :]
    return body


Send = Callable[[bytes, dict[str, str]], None]


@pytest.fixture(scope="module")
def send(service: Running) -> Generator[Send]:
    connection = HTTPConnection("127.0.0.1", service.port, timeout=PATIENCE_SECONDS)

    def check(body: bytes, named: dict[str, str]) -> None:
        connection.request("POST", "/mcp", body=body, headers=named)
        response = connection.getresponse()
        text = response.read()
        assert response.status < 500, text
        assert b"Traceback" not in text
        assert b"pydantic" not in text
        if text:
            json.loads(text)
        else:
            assert response.status == 202

    yield check
    connection.close()


@settings(max_examples=4_000, deadline=None, suppress_health_check=EVERYWHERE)
@given(body=st.binary(max_size=200), named=headers)
def test_random_bytes_are_answered(send: Send, body: bytes, named: dict[str, str]) -> None:
    send(body, named)


@settings(max_examples=6_000, deadline=None, suppress_health_check=EVERYWHERE)
@given(value=values, named=headers)
def test_random_json_is_answered(send: Send, value: Any, named: dict[str, str]) -> None:
    send(json.dumps(value).encode(), named)


@settings(max_examples=10_000, deadline=None, suppress_health_check=EVERYWHERE)
@given(body=mutated(), named=headers)
def test_mutated_messages_are_answered(send: Send, body: bytes, named: dict[str, str]) -> None:
    send(body, named)
