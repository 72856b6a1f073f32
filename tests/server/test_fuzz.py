"""Whatever is sent to the endpoint, it answers: no 5xx, no hang, no traceback."""

import json
from collections.abc import Callable, Generator
from http.client import HTTPConnection
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from tests.server.conftest import Running

EVERYWHERE = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]
PATIENCE_SECONDS = 10
AT_ONCE = 20
"""Bodies of one source: what draws each value by itself takes ten times as long as the server."""

WORDS = [
    "jsonrpc", "id", "method", "params", "name", "arguments", "_meta", "uri", "cursor", "protocolVersion", "clientInfo",
    "capabilities", "brandId", "limit", "progressToken", "task", "result", "error",
]  # fmt: skip
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


NASTY: list[Any] = [
    None, True, False, 0, -1, 2**31, 2**63, -(2**64), 10**400, 0.5, -0.0, 1e308, float("nan"), float("inf"), "", " ", "0",
    "null", "\x00", "\ud800", "\u202e", "\U0001f600", "../..", "x" * 4_000, "2026-01-01T00:00:00Z", "\r\nX: 1",
]  # fmt: skip


def any_value(rng: Random, depth: int = 3) -> Any:
    """Something that JSON can hold: what often breaks, text of any characters, or more of it in a list or an object."""
    kind = rng.randrange(8 if depth else 5)
    if kind < 3:
        return rng.choice(NASTY)
    if kind == 3:
        return "".join(
            chr(rng.randrange(rng.choice((128, 0x3000, 0x110000)))) for _ in range(rng.randrange(40))
        )
    if kind == 4:
        return rng.choice(
            (rng.getrandbits(70) - 2**69, rng.uniform(-1e9, 1e9), rng.random() * 10 ** rng.randint(-300, 300))
        )
    inner = [any_value(rng, depth - 1) for _ in range(rng.randrange(5))]
    return inner if kind < 6 else {any_key(rng): value for value in inner}


def any_key(rng: Random) -> str:
    value = rng.choice((rng.choice(WORDS), any_value(rng, 0)))
    return value if isinstance(value, str) else str(value)


def objects_in(value: dict[str, Any]) -> list[dict[str, Any]]:
    return [inner for inner in value.values() if isinstance(inner, dict)]


def mutated(rng: Random) -> bytes:
    """A valid message, or a batch of them, with something in it replaced, added, dropped or cut."""
    identifier = rng.choice((rng.getrandbits(40), any_key(rng)[:5]))
    message: dict[str, Any] = request(
        identifier, rng.choice(METHODS), json.loads(json.dumps(rng.choice(PARAMS)))
    )
    for _ in range(rng.randrange(4)):
        inside = message
        while rng.random() < 0.5 and (deeper := objects_in(inside)):
            inside = rng.choice(deeper)
        key = rng.choice([*inside]) if inside and rng.random() < 0.5 else rng.choice(WORDS)
        if rng.random() < 0.5:
            inside[key] = any_value(rng)
        else:
            inside.pop(key, None)
    body = json.dumps([message, 1] if rng.randrange(10) == 0 else message).encode()
    if rng.randrange(10) == 0:
        cut = rng.randrange(len(body))
        body = body[:cut] + rng.randbytes(rng.randrange(4)) + body[cut + rng.randrange(4) :]
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


@settings(max_examples=300, deadline=None, suppress_health_check=EVERYWHERE)
@given(rng=st.randoms(use_true_random=True), named=headers)
def test_random_json_is_answered(send: Send, rng: Random, named: dict[str, str]) -> None:
    for _ in range(AT_ONCE):
        body = json.dumps(any_value(rng)).encode()
        note(repr(body))
        send(body, named)


@settings(max_examples=500, deadline=None, suppress_health_check=EVERYWHERE)
@given(rng=st.randoms(use_true_random=True), named=headers)
def test_mutated_messages_are_answered(send: Send, rng: Random, named: dict[str, str]) -> None:
    for _ in range(AT_ONCE):
        body = mutated(rng)
        note(repr(body))
        send(body, named)
