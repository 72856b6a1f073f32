"""Dispatch: the order of its checks, each refusal's words, and what becomes of a tool's work."""

import json
import logging
import re
from dataclasses import replace
from typing import Any

import pytest

from oauth.principal import Caller, Principal, Scope
from tests.conftest import AssertError, Books, Clock
from tools.calls.dispatch import Dispatcher, Refusal, Success
from tools.calls.errors import Cause, UnknownTool
from tools.calls.rate_limits import MemoryWindows, RateLimits
from tools.calls.table import ToolTable

NEEDS_A_BRAND = "Call list_brand_profiles first to obtain brand ids."


def result(outcome: object) -> dict[str, Any]:
    assert isinstance(outcome, Success), outcome
    return json.loads(outcome.body)


async def test_a_result_is_the_models_json_in_one_object(dispatcher: Dispatcher, reader: Caller) -> None:
    outcome = await dispatcher.call(
        "get_thing", {"brandId": "00000000-0000-7000-8000-0000000000b1", "limit": 8.0}, reader
    )
    assert result(outcome) == {
        "brandId": "00000000-0000-7000-8000-0000000000b1",
        "day": "2026-03-31",
        "parts": [{"label": "Acme", "title": None}],
        "limit": 8,
        "offset": 0,
        "platform": None,
    }


@pytest.mark.requirement("EP-02")
@pytest.mark.parametrize("name", ["00000000-0000-7000-8000-0000000000b1", "Acme", "aCME", "ACME"])
async def test_a_brand_is_named_by_its_id_or_by_its_exact_name_in_any_case(
    dispatcher: Dispatcher, reader: Caller, name: str
) -> None:
    assert (
        result(await dispatcher.call("get_thing", {"brandId": name}, reader))["brandId"]
        == "00000000-0000-7000-8000-0000000000b1"
    )


@pytest.mark.requirement("ERR-03", "ERR-06")
@pytest.mark.parametrize(
    "name",
    [
        "00000000-0000-7000-8000-0000000000b2",
        "Other",
        "00000000-0000-7000-8000-0000000000b3",
        "Acm",
        "Acme ",
        "",
    ],
)
async def test_another_companys_brand_and_nobodys_are_refused_in_the_same_words(
    dispatcher: Dispatcher, reader: Caller, assert_error: AssertError, name: str
) -> None:
    outcome = await dispatcher.call("get_thing", {"brandId": name}, reader)
    assert_error(outcome, 404, "NOT_FOUND", "Tool 'get_thing' failed: brand not found", NEEDS_A_BRAND)


async def test_a_brand_that_may_be_left_out_is_looked_up_only_when_named(
    dispatcher: Dispatcher, reader: Caller
) -> None:
    assert result(await dispatcher.call("list_things", {}, reader))["brandId"] == ""
    assert (
        result(await dispatcher.call("list_things", {"brandId": "acme"}, reader))["brandId"]
        == "00000000-0000-7000-8000-0000000000b1"
    )


async def test_a_name_of_no_tool_raises(dispatcher: Dispatcher, reader: Caller) -> None:
    with pytest.raises(UnknownTool):
        await dispatcher.call("no_such_tool", {}, reader)


@pytest.mark.requirement("AUTH-10")
async def test_a_missing_credential_is_told_before_bad_arguments(
    dispatcher: Dispatcher, nobody: Caller, assert_error: AssertError
) -> None:
    outcome = await dispatcher.call("get_thing", {"brandId": 5}, nobody)
    hint = "Sign in with the scope service.read, or send an API key as a Bearer token."
    assert_error(outcome, 401, "UNAUTHORIZED", "Tool 'get_thing' failed: authentication required", hint)
    assert isinstance(outcome, Refusal)
    assert outcome.scope is Scope.READ


@pytest.mark.requirement("ERR-02", "AUTH-11")
async def test_a_read_credential_cannot_write_whatever_the_arguments(
    dispatcher: Dispatcher, reader: Caller, assert_error: AssertError
) -> None:
    outcome = await dispatcher.call("start_run", {}, reader)
    message = "Tool 'start_run' failed: the credential lacks the scope service.write"
    assert_error(outcome, 401, "UNAUTHORIZED", message, "This tool needs the scope service.write (write).")


@pytest.mark.requirement("AUTH-09")
async def test_a_credential_for_writing_can_read(dispatcher: Dispatcher, writer: Caller) -> None:
    assert (
        result(await dispatcher.call("get_thing", {"brandId": "acme"}, writer))["brandId"]
        == "00000000-0000-7000-8000-0000000000b1"
    )


@pytest.mark.requirement("AUTH-12")
async def test_a_public_tool_needs_nobody_and_never_learns_who_calls(
    dispatcher: Dispatcher, nobody: Caller, writer: Caller
) -> None:
    for caller in (nobody, writer):
        shown = result(await dispatcher.call("get_public_thing", {"url": "https://a.example/"}, caller))
        assert shown == {"url": "https://a.example/", "companyKnown": False}


@pytest.mark.requirement("ERR-01", "ERR-06")
@pytest.mark.parametrize(
    ("tool", "arguments", "reason", "hint"),
    [
        ("get_thing", {}, "brandId: Field required", f"Send brandId as a string. {NEEDS_A_BRAND}"),
        ("get_thing", {"brandId": 5}, "brandId: Input should be a valid string", None),
        ("get_thing", {"brandId": None}, "brandId: Input should be a valid string", None),
        (
            "get_thing",
            {"brandId": "acme", "limit": 101},
            "limit: Input should be less than or equal to 100",
            "Send limit as a whole number from 1 to 100 (default 50). Page size.",
        ),
        ("get_thing", {"brandId": "acme", "limit": "5"}, "limit: Input should be a valid integer", None),
        ("get_thing", {"brandId": "acme", "limit": 8.5}, "limit: Input should be a valid integer", None),
        ("get_thing", {"brandId": "acme", "limit": True}, "limit: Input should be a valid integer", None),
        (
            "get_thing",
            {"brandId": "acme", "platform": None},
            "platform: Input should be a valid string",
            None,
        ),
        (
            "start_run",
            {"workflowId": "w", "configuration": {"z": 1}},
            "configuration.z: Extra inputs are not permitted",
            "Allowed in configuration: context, priority.",
        ),
        (
            "start_run",
            {"workflowId": "w", "configuration": {"context": ""}},
            "configuration.context: String should have at least 1 character",
            "Send configuration.context as a string from 1 to 20000 characters. What it is for.",
        ),
        (
            "start_run",
            {"workflowId": "w", "configuration": {"priority": "x"}},
            "configuration.priority: Input should be 'low', 'normal' or 'high'",
            "Send configuration.priority as one of low, normal, high. How urgent it is.",
        ),
        (
            "start_run",
            {"workflowId": "w", "configuration": "{}"},
            "configuration: Input should be an object",
            None,
        ),
        (
            "get_public_thing",
            {"url": "a:b", "z": 1},
            "z: Extra inputs are not permitted",
            "Allowed: url.",
        ),
        (
            "get_public_method",
            {"z": 1},
            "z: Extra inputs are not permitted",
            "This tool takes no arguments: send {}.",
        ),
    ],
)
async def test_the_first_wrong_argument_is_reported_with_its_bounds(
    dispatcher: Dispatcher,
    writer: Caller,
    assert_error: AssertError,
    tool: str,
    arguments: dict[str, Any],
    reason: str,
    hint: str | None,
) -> None:
    outcome = await dispatcher.call(tool, arguments, writer)
    assert_error(outcome, 400, "INVALID_PARAMS", f"Tool '{tool}' failed: {reason}", hint)


@pytest.mark.parametrize(
    "url", ["0", "www.acme.example", "https://a.example/ b", "https://a.example/%zz", "http ://a.example/"]
)
async def test_an_address_has_to_be_a_uri(
    dispatcher: Dispatcher, nobody: Caller, assert_error: AssertError, url: str
) -> None:
    outcome = await dispatcher.call("get_public_thing", {"url": url}, nobody)
    message = "Tool 'get_public_thing' failed: url: Input should be a URI, such as https://www.example.com/"
    assert_error(outcome, 400, "INVALID_PARAMS", message)


@pytest.mark.parametrize(
    "url",
    ["https://a.example/%7Eb?c=d#e", "http://[2001:db8::1]:80/", "HTTPS://A.EXAMPLE", "https://ä.example/"],
)
async def test_an_address_is_handed_on_as_it_was_sent(
    dispatcher: Dispatcher, nobody: Caller, url: str
) -> None:
    assert result(await dispatcher.call("get_public_thing", {"url": url}, nobody))["url"] == url


async def test_a_tool_with_a_credential_ignores_arguments_that_it_does_not_know(
    dispatcher: Dispatcher, reader: Caller
) -> None:
    assert (
        result(await dispatcher.call("get_thing", {"brandId": "acme", "z": 1}, reader))["brandId"]
        == "00000000-0000-7000-8000-0000000000b1"
    )


async def test_an_injected_parameter_cannot_be_sent(dispatcher: Dispatcher, reader: Caller) -> None:
    forged = {
        "brandId": "acme",
        "brand": {"id": "00000000-0000-7000-8000-0000000000b2", "name": "Other"},
        "call": {"principal": None},
    }
    assert (
        result(await dispatcher.call("get_thing", forged, reader))["brandId"]
        == "00000000-0000-7000-8000-0000000000b1"
    )


async def test_a_refusal_by_the_tool_is_told_in_its_words_and_undone(
    dispatcher: Dispatcher, writer: Caller, assert_error: AssertError, books: Books
) -> None:
    outcome = await dispatcher.call("stop_run", {"runId": "done"}, writer)
    message = "Tool 'stop_run' failed: only pending or running runs can be cancelled"
    assert_error(outcome, 400, "INVALID_PARAMS", message, "Call get_run_status first.")
    assert books.ended == ["write rolled back"]


async def test_a_write_is_committed_once_and_a_read_is_opened_for_reading(
    dispatcher: Dispatcher, writer: Caller, books: Books
) -> None:
    await dispatcher.call("start_run", {"workflowId": "w"}, writer)
    await dispatcher.call("get_thing", {"brandId": "acme"}, writer)
    assert books.ended == ["write committed", "read committed"]


@pytest.mark.parametrize("how", ["crash", "model", "type"])
async def test_a_crash_has_fixed_words_and_a_reference_in_the_log(
    dispatcher: Dispatcher,
    reader: Caller,
    assert_error: AssertError,
    books: Books,
    caplog: pytest.LogCaptureFixture,
    how: str,
) -> None:
    outcome = await dispatcher.call("break_thing", {"how": how}, reader)
    assert_error(outcome, 500, "INTERNAL_ERROR", "Tool 'break_thing' failed: internal error")
    assert isinstance(outcome, Refusal)
    match = re.search(r"reference ([0-9a-f]{12})\.$", outcome.hint)
    assert match is not None
    assert match.group(1) in caplog.text
    assert caplog.records[0].exc_info is not None
    assert books.ended == ["read rolled back"]


async def test_the_idempotency_key_reaches_the_tool(dispatcher: Dispatcher, writer: Caller) -> None:
    outcome = await dispatcher.call("start_run", {"workflowId": "w"}, writer, idempotency_key="k-1")
    assert result(outcome)["idempotencyKey"] == "k-1"


@pytest.mark.requirement("ERR-04", "LIM-01", "LIM-04")
async def test_the_sixty_first_call_of_a_minute_is_rejected_with_retry_after(
    dispatcher: Dispatcher, reader: Caller, assert_error: AssertError, clock: Clock
) -> None:
    for second in range(60):
        clock.seconds = 1000.0 + second / 2
        assert isinstance(await dispatcher.call("get_thing", {"brandId": "acme"}, reader), Success)
    clock.seconds = 1047.5
    outcome = await dispatcher.call("get_thing", {"brandId": "acme"}, reader)
    message = "Tool 'get_thing' failed: rate limit exceeded"
    assert_error(outcome, 429, "RATE_LIMITED", message, "Wait 13 seconds before the next call.")
    assert isinstance(outcome, Refusal)
    assert outcome.retry_after == 13
    clock.seconds = 1060.0
    assert isinstance(await dispatcher.call("get_thing", {"brandId": "acme"}, reader), Success)


async def test_bad_arguments_count_and_scope_errors_do_not(dispatcher: Dispatcher, reader: Caller) -> None:
    for _ in range(5):
        await dispatcher.call("start_run", {}, reader)
    for _ in range(60):
        outcome = await dispatcher.call("get_thing", {}, reader)
        assert isinstance(outcome, Refusal)
        assert outcome.cause is Cause.INVALID_ARGUMENTS
    outcome = await dispatcher.call("get_thing", {}, reader)
    assert isinstance(outcome, Refusal)
    assert outcome.cause is Cause.RATE_LIMITED


class BrokenWindows(MemoryWindows):
    async def hit(self, windows: object) -> Any:
        raise ConnectionError("secret words of a driver")


async def test_a_limiter_that_breaks_is_our_crash_and_runs_no_tool(
    dispatcher: Dispatcher, writer: Caller, assert_error: AssertError, books: Books, table: ToolTable
) -> None:
    broken = Dispatcher(table, RateLimits(BrokenWindows()), books.open)
    outcome = await broken.call("start_run", {"workflowId": "w"}, writer)
    assert_error(outcome, 500, "INTERNAL_ERROR", "Tool 'start_run' failed: internal error")
    assert books.ended == []


async def test_the_log_names_tool_company_outcome_and_time_and_never_an_argument(
    dispatcher: Dispatcher, reader: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "tools.calls.dispatch")
    await dispatcher.call("get_thing", {"brandId": "acme", "platform": "words of the caller"}, reader)
    await dispatcher.call("get_thing", {"brandId": "words of the caller"}, reader)
    records = [vars(record) for record in caplog.records]
    assert [(line["tool"], line["company"], line["outcome"]) for line in records] == [
        ("get_thing", "00000000-0000-7000-8000-0000000000c1", "success"),
        ("get_thing", "00000000-0000-7000-8000-0000000000c1", "not_found"),
    ]
    assert all(line["duration_ms"] >= 0 for line in records)
    assert "words of the caller" not in repr(records)


async def test_two_credentials_of_one_company_are_counted_apart(
    dispatcher: Dispatcher, reader: Caller
) -> None:
    principal = reader.principal
    assert principal is not None
    other: Principal = replace(principal, subject="key:other")
    for _ in range(60):
        await dispatcher.call("get_thing", {"brandId": "acme"}, reader)
    outcome = await dispatcher.call("get_thing", {"brandId": "acme"}, Caller(other, reader.address))
    assert isinstance(outcome, Success)
