"""The REST surface: every answer's status, words and headers."""

import json
from collections.abc import AsyncGenerator

import httpx2
import pytest

from tests.conftest import AssertError, Clock

REST = "/api/mcp-app/rest"
READ = {"Authorization": "Bearer read"}
WRITE = {"Authorization": "Bearer write"}
PRM = "https://seenby.example/.well-known/oauth-protected-resource"
DOCUMENT = "https://seenby.example/api/mcp-app/openapi.json"
SEND_OBJECT = "Send a JSON object as the body; a tool without parameters takes {}."


@pytest.mark.requirement("EP-01", "EP-07")
async def test_a_tool_answers_with_its_object_alone(client: httpx2.AsyncClient) -> None:
    answer = await client.post(f"{REST}/get_thing", json={"brandId": "acme"}, headers=READ)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == {
        "brandId": "00000000-0000-7000-8000-0000000000b1",
        "day": "2026-03-31",
        "parts": [{"label": "Acme", "title": None}],
        "limit": 50,
        "offset": 0,
        "platform": None,
    }


@pytest.mark.requirement("EP-06")
@pytest.mark.parametrize("media_type", ["application/json", "text/plain", "application/octet-stream", ""])
async def test_the_body_is_json_whatever_its_content_type_says(
    client: httpx2.AsyncClient, media_type: str
) -> None:
    headers = {**READ, "Content-Type": media_type}
    answer = await client.post(f"{REST}/list_things", content=b"{}", headers=headers)
    assert answer.status_code == 200


@pytest.mark.requirement("ERR-03")
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "OPTIONS"])
async def test_an_unknown_tool_is_not_found_by_any_method(
    client: httpx2.AsyncClient, assert_error: AssertError, method: str
) -> None:
    answer = await client.request(method, f"{REST}/nope")
    assert_error(answer, 404, "NOT_FOUND", "Unknown tool: nope", f"Every tool is described in {DOCUMENT}.")


@pytest.mark.requirement("ERR-03")
@pytest.mark.parametrize(
    "path", ["/api/", "/api/x", f"{REST}", f"{REST}/", f"{REST}/get_thing/", f"{REST}/a/b"]
)
async def test_a_path_without_a_route_is_not_found(
    client: httpx2.AsyncClient, assert_error: AssertError, path: str
) -> None:
    answer = await client.post(path, json={})
    assert_error(answer, 404, "NOT_FOUND", "No such path.", f"Every path is described in {DOCUMENT}.")


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE", "OPTIONS"])
async def test_a_tool_takes_post_alone(
    client: httpx2.AsyncClient, assert_error: AssertError, method: str
) -> None:
    answer = await client.request(method, f"{REST}/get_thing")
    assert_error(answer, 405, "METHOD_NOT_ALLOWED", "Use POST.", f"Send POST {REST}/get_thing.")
    assert answer.headers["allow"] == "POST"


@pytest.mark.requirement("ERR-02", "ERR-07", "AUTH-10")
@pytest.mark.parametrize(
    ("tool", "needs", "asks"),
    [
        ("get_thing", "service.read (read)", "service.read service.write"),
        ("start_run", "service.write (write)", "service.read service.write"),
    ],
)
async def test_a_missing_credential_is_challenged_before_the_body_is_read(
    client: httpx2.AsyncClient, assert_error: AssertError, tool: str, needs: str, asks: str
) -> None:
    answer = await client.post(f"{REST}/{tool}", content=b"not json")
    hint = f"This tool needs the scope {needs}."
    assert_error(answer, 401, "UNAUTHORIZED", "Missing Authorization header.", hint)
    assert answer.headers["www-authenticate"] == f'Bearer resource_metadata="{PRM}", scope="{asks}"'
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.requirement("ERR-02")
@pytest.mark.parametrize(
    ("credential", "message", "challenge"),
    [
        (
            "Bearer nobody's",
            "Invalid API key.",
            ', error="invalid_token", error_description="Invalid API key."',
        ),
        ("", "Invalid API key.", ', error="invalid_token", error_description="Invalid API key."'),
        ("Bearer old", "API key expired.", ', error="invalid_token", error_description="API key expired."'),
    ],
)
@pytest.mark.requirement("ERR-10", "ERR-11")
async def test_a_bad_credential_is_refused_in_the_interfaces_words(
    client: httpx2.AsyncClient, assert_error: AssertError, credential: str, message: str, challenge: str
) -> None:
    answer = await client.post(f"{REST}/get_thing", json={}, headers={"Authorization": credential})
    hint = "This tool needs the scope service.read (read)."
    assert_error(answer, 401, "UNAUTHORIZED", message, hint)
    assert answer.headers["www-authenticate"] == f'Bearer resource_metadata="{PRM}"{challenge}'
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.requirement("ERR-12")
async def test_a_credential_that_cannot_be_checked_is_kept_and_tried_again(
    client: httpx2.AsyncClient, assert_error: AssertError
) -> None:
    answer = await client.post(f"{REST}/get_thing", json={}, headers={"Authorization": "Bearer unlucky"})
    hint = "Keep the credential and try again in 5 seconds."
    assert_error(answer, 503, "UNAVAILABLE", "Failed to validate API key.", hint)
    assert answer.headers["retry-after"] == "5"
    assert "www-authenticate" not in answer.headers


@pytest.mark.requirement("ERR-02")
async def test_an_under_scoped_credential_is_told_the_scope(
    client: httpx2.AsyncClient, assert_error: AssertError
) -> None:
    answer = await client.post(f"{REST}/start_run", json={}, headers=READ)
    hint = "This tool needs the scope service.write (write)."
    assert_error(answer, 401, "UNAUTHORIZED", "The credential lacks the scope service.write.", hint)
    assert 'error="insufficient_scope"' in answer.headers["www-authenticate"]


@pytest.mark.parametrize("oauth", [False])
@pytest.mark.parametrize(
    ("headers", "challenge"),
    [
        ({}, "Bearer"),
        ({"Authorization": "x"}, 'Bearer error="invalid_token", error_description="Invalid API key."'),
    ],
)
async def test_without_oauth_a_challenge_points_at_nothing(
    client: httpx2.AsyncClient, headers: dict[str, str], challenge: str
) -> None:
    answer = await client.post(f"{REST}/get_thing", json={}, headers=headers)
    assert answer.headers["www-authenticate"] == challenge


@pytest.mark.requirement("EP-09", "AUTH-12")
@pytest.mark.parametrize(
    "headers", [{}, READ, {"Authorization": "Bearer nobody's"}, {"Authorization": "Bearer crash"}]
)
async def test_a_public_tool_looks_at_no_credential(
    client: httpx2.AsyncClient, headers: dict[str, str]
) -> None:
    answer = await client.post(
        f"{REST}/get_public_thing", json={"url": "https://a.example/"}, headers=headers
    )
    assert answer.status_code == 200


@pytest.mark.requirement("EP-06", "ERR-01")
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xef\xbb\xbf{}",
        '{"brandId":"acme"}'.encode("utf-16"),
        b'{"brandId":"\xff"}',
        b'{"brandId":"\\ud800"}',
        b'{"brandId":"acme","brandId":"acme"}',
        b'{"brandId":"acme","limit":NaN}',
        b'{"brandId":"acme","limit":1e999}',
        b'{"brandId":"acme"} {}',
        b'{"brandId":' + b"[" * 200 + b"]" * 200 + b"}",
        b"[" * 100_000,
    ],
)
async def test_a_body_that_is_not_strict_json_is_refused(
    client: httpx2.AsyncClient, assert_error: AssertError, body: bytes
) -> None:
    answer = await client.post(f"{REST}/get_thing", content=body, headers=READ)
    message = "Tool 'get_thing' failed: the body is not valid JSON"
    assert_error(answer, 400, "INVALID_PARAMS", message, SEND_OBJECT)


@pytest.mark.requirement("EP-06")
@pytest.mark.parametrize("body", [b"[]", b"null", b"1", b'"{}"', b"true"])
async def test_a_body_that_is_no_object_is_refused(
    client: httpx2.AsyncClient, assert_error: AssertError, body: bytes
) -> None:
    answer = await client.post(f"{REST}/get_thing", content=body, headers=READ)
    message = "Tool 'get_thing' failed: the body is not a JSON object"
    assert_error(answer, 400, "INVALID_PARAMS", message, SEND_OBJECT)


@pytest.mark.requirement("EP-05")
async def test_nothing_is_converted_between_json_types(
    client: httpx2.AsyncClient, assert_error: AssertError
) -> None:
    good = await client.post(f"{REST}/get_thing", content=b'{"brandId":"acme","limit":8.0}', headers=READ)
    assert good.json()["limit"] == 8
    bad = await client.post(f"{REST}/get_thing", content=b'{"brandId":"acme","limit":"8"}', headers=READ)
    message = "Tool 'get_thing' failed: limit: Input should be a valid integer"
    assert_error(bad, 400, "INVALID_PARAMS", message)


@pytest.mark.requirement("EP-08")
async def test_a_public_tool_refuses_members_that_it_does_not_know(
    client: httpx2.AsyncClient, assert_error: AssertError
) -> None:
    answer = await client.post(f"{REST}/get_public_thing", json={"url": "a:b", "z": 1})
    message = "Tool 'get_public_thing' failed: z: Extra inputs are not permitted"
    assert_error(answer, 400, "INVALID_PARAMS", message, "Allowed: url.")


async def test_a_body_over_the_limit_is_refused_as_declared_and_as_counted(
    client: httpx2.AsyncClient, assert_error: AssertError
) -> None:
    async def pieces() -> AsyncGenerator[bytes]:
        for _ in range(11):
            yield b" " * 100_000

    for content in (b" " * 1_000_001, pieces()):
        answer = await client.post(f"{REST}/get_thing", content=content, headers=READ)
        hint = "Send at most 1000000 bytes."
        assert_error(answer, 413, "PAYLOAD_TOO_LARGE", "Request body too large", hint)


async def test_a_body_of_exactly_the_limit_is_read(client: httpx2.AsyncClient) -> None:
    body = json.dumps({"brandId": "acme"}).encode().ljust(1_000_000)
    answer = await client.post(f"{REST}/get_thing", content=body, headers=READ)
    assert answer.status_code == 200


@pytest.mark.requirement("ERR-04", "LIM-04")
async def test_a_caller_sees_its_standing_and_is_told_when_to_come_back(
    client: httpx2.AsyncClient, assert_error: AssertError, clock: Clock
) -> None:
    first = await client.post(f"{REST}/start_run", json={"workflowId": "w"}, headers=WRITE)
    rate_limit_headers = {
        name: value for name, value in first.headers.items() if name.startswith("ratelimit")
    }
    assert rate_limit_headers == {
        "ratelimit-limit": "10",
        "ratelimit-remaining": "9",
        "ratelimit-reset": "60",
    }
    assert "retry-after" not in first.headers
    for _ in range(9):
        await client.post(f"{REST}/start_run", content=b"", headers=WRITE)
    clock.seconds += 47.2
    answer = await client.post(f"{REST}/start_run", json={"workflowId": "w"}, headers=WRITE)
    message = "Tool 'start_run' failed: rate limit exceeded"
    assert_error(answer, 429, "RATE_LIMITED", message, "Wait 13 seconds (Retry-After).")
    assert answer.headers["retry-after"] == "13"
    assert answer.headers["ratelimit-remaining"] == "0"


@pytest.mark.parametrize(
    ("tool", "arguments", "status", "code", "message"),
    [
        (
            "get_thing",
            {"brandId": "00000000-0000-7000-8000-0000000000b2"},
            404,
            "NOT_FOUND",
            "brand not found",
        ),
        (
            "stop_run",
            {"runId": "done"},
            400,
            "INVALID_PARAMS",
            "only pending or running runs can be cancelled",
        ),
        ("stop_run", {"runId": "x"}, 404, "NOT_FOUND", "run not found"),
        ("break_thing", {}, 500, "INTERNAL_ERROR", "internal error"),
    ],
)
@pytest.mark.requirement("ERR-06")
async def test_a_tools_failure_has_its_status(
    client: httpx2.AsyncClient,
    assert_error: AssertError,
    tool: str,
    arguments: dict[str, str],
    status: int,
    code: str,
    message: str,
) -> None:
    answer = await client.post(f"{REST}/{tool}", json=arguments, headers=WRITE)
    assert_error(answer, status, code, f"Tool '{tool}' failed: {message}")
    assert "secret words" not in answer.text


async def test_a_busy_database_asks_for_the_call_again(
    client: httpx2.AsyncClient, assert_error: AssertError
) -> None:
    answer = await client.post(f"{REST}/break_thing", json={"how": "busy"}, headers=WRITE)
    hint = "Nothing was changed. Repeat the call in a few seconds."
    assert_error(answer, 503, "UNAVAILABLE", "Tool 'break_thing' failed: the database is busy", hint)
    assert answer.headers["retry-after"] == "5"


async def test_a_crash_outside_of_the_tool_keeps_the_shape_and_the_silence(
    client: httpx2.AsyncClient, assert_error: AssertError, caplog: pytest.LogCaptureFixture
) -> None:
    answer = await client.post(f"{REST}/get_thing", json={}, headers={"Authorization": "Bearer crash"})
    assert_error(answer, 500, "INTERNAL_ERROR", "Tool 'get_thing' failed: internal error")
    reference = answer.json()["error"]["hint"].split()[-1].rstrip(".")
    assert reference in caplog.text


async def test_every_answer_bears_a_request_id_and_a_safe_one_is_kept(client: httpx2.AsyncClient) -> None:
    paths = [
        f"{REST}/get_thing",
        f"{REST}/nope",
        "/api/x",
        "/docs",
        "/api/mcp-app/openapi.json",
        "/elsewhere",
    ]
    answers = [await client.get(path) for path in paths]
    ids = [answer.headers["x-request-id"] for answer in answers]
    assert len(set(ids)) == len(paths)
    kept = await client.get("/docs", headers={"X-Request-Id": "trace-1.a_B"})
    assert kept.headers["x-request-id"] == "trace-1.a_B"
    made = await client.get("/docs", headers={"X-Request-Id": "a b\tc"})
    assert made.headers["x-request-id"] not in ("a b\tc", "")


async def test_the_idempotency_key_reaches_the_tool_if_its_length_is_right(
    client: httpx2.AsyncClient, assert_error: AssertError
) -> None:
    answer = await client.post(
        f"{REST}/start_run", json={"workflowId": "w"}, headers={**WRITE, "Idempotency-Key": "k" * 200}
    )
    assert answer.json()["idempotencyKey"] == "k" * 200
    for key in ("", "k" * 201):
        answer = await client.post(
            f"{REST}/start_run", json={"workflowId": "w"}, headers={**WRITE, "Idempotency-Key": key}
        )
        message = "Tool 'start_run' failed: Idempotency-Key: the header must have 1 to 200 characters"
        assert_error(answer, 400, "INVALID_PARAMS", message)
