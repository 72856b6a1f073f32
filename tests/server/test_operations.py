"""What operators see: probes, metrics, log lines, addresses behind proxies, and a stop that loses no call."""

import asyncio
import io
import json
import logging
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import anyio
import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry, generate_latest
from sqlalchemy import text
from starlette.types import ASGIApp

from server.app import Public
from server.http.operations import Metrics
from server.http.proxies import TrustedProxies
from server.logs import configure_logging, redacted
from server.service import open_service
from server.serving import schema_check
from server.settings import Settings
from storage.database import Database
from tests.server.conftest import BASE_URL, Serve
from workflows.run_events import binding

AppOf = Callable[..., ASGIApp]
KEY = "sk_live_" + "0123456789abcdef" * 2
TOKEN = "at_" + "Ab-_" * 11


async def test_probes_answer_whatever_the_host(http: httpx2.AsyncClient) -> None:
    alive: dict[str, Any] = {"status": "ok"}
    ready: dict[str, Any] = {"status": "ready", "checks": {}}
    for path, body in (("/healthz", alive), ("/readyz", ready)):
        response = await http.get(path, headers={"Host": "10.1.2.3:8000"})
        assert (response.status_code, response.json()) == (200, body)


async def test_a_failed_check_is_named_without_its_reason(serve: Serve, app_of: AppOf) -> None:
    async def answers() -> None:
        return None

    async def broken() -> None:
        raise ConnectionError("postgres://seenby:secret@db")

    service = serve(app_of(checks={"database": broken, "redis": answers}))
    async with httpx2.AsyncClient(base_url=service.url) as client:
        response = await client.get("/readyz")
        assert response.status_code == 503
        assert response.json() == {"status": "unavailable", "checks": {"database": "failed", "redis": "ok"}}
        assert (await client.get("/healthz")).status_code == 200


async def test_a_process_older_than_the_schema_is_not_ready_and_works_no_more(
    serve: Serve, app_of: AppOf, database: Database, tmp_path: Path
) -> None:
    service = serve(app_of(checks={"schema": schema_check(database)}))
    async with httpx2.AsyncClient(base_url=service.url) as client:
        assert (await client.get("/readyz")).status_code == 200
        async with database.writing() as connection:
            await connection.execute(text("UPDATE alembic_version SET version_num = '9999_later'"))
        response = await client.get("/readyz")
        assert (response.status_code, response.json()["checks"]) == (503, {"schema": "schema_newer"})
    settings = Settings.from_environ({"SEENBY_DATA_DIR": str(tmp_path)})
    async with open_service(settings, migrate=False) as opened, asyncio.timeout(60):
        await opened.background_work.execute()
        registry = CollectorRegistry()
        await opened.vitals(registry).look()
        assert registry.get_sample_value("seenby_condition", {"condition": "schema_newer"}) == 1


@pytest.mark.parametrize(("execute", "workers"), [("on", 1), ("off", 0)])
async def test_a_server_executes_runs_unless_it_is_told_not_to(
    database: Database, tmp_path: Path, execute: str, workers: int
) -> None:
    settings = Settings.from_environ({"SEENBY_DATA_DIR": str(tmp_path), "SEENBY_EXECUTE": execute})
    async with open_service(settings) as opened, opened.background_work.running():
        await anyio.wait_all_tasks_blocked()
        assert await database.presence.workers() == workers


async def test_metrics_count_calls_of_every_surface_and_stay_private(serve: Serve, app_of: AppOf) -> None:
    metrics = Metrics()
    service = serve(app_of(metrics=metrics))
    good = {"Authorization": "Bearer good"}
    async with httpx2.AsyncClient() as client:
        call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_credits"}}'
        await client.post(service.url + "/mcp", content=call, headers=good)
        await client.post(service.url + "/mcp", content=call)
        await client.post(service.url + "/api/mcp-app/rest/get_credits", content="{}", headers=good)
        await client.post(service.url + "/api/mcp-app/rest/get_credits", content="nonsense", headers=good)
        assert (await client.get(service.url + "/metrics")).status_code == 404
        text = generate_latest(metrics.registry).decode()
    assert 'seenby_tool_calls_total{outcome="success",tool="get_credits"} 2.0' in text
    assert 'seenby_tool_calls_total{outcome="authentication_required",tool="get_credits"} 1.0' in text
    assert 'seenby_tool_calls_total{outcome="invalid_arguments",tool="get_credits"} 1.0' in text
    assert 'seenby_tool_call_seconds_count{tool="get_credits"} 2.0' in text
    assert 'seenby_http_requests_total{method="POST",status="200"} 2.0' in text


async def test_metrics_are_public_only_when_asked(serve: Serve, app_of: AppOf) -> None:
    foreign = {"Host": "10.1.2.3:8000"}
    settings: dict[Literal["on", "any-host"], int] = {"on": 421, "any-host": 200}
    for setting, elsewhere in settings.items():
        service = serve(app_of(Public(BASE_URL, metrics=setting), metrics=Metrics()))
        async with httpx2.AsyncClient() as client:
            assert (await client.get(service.url + "/metrics")).status_code == 200
            assert (await client.get(service.url + "/metrics", headers=foreign)).status_code == elsewhere
            assert (await client.get(service.url + "/mcp.json", headers=foreign)).status_code == 421


async def test_a_call_is_one_line_with_the_request_id_and_no_secret(serve: Serve, app_of: AppOf) -> None:
    lines = io.StringIO()
    configure_logging("json", stream=lines)
    service = serve(app_of())
    began = datetime.now(UTC)
    async with httpx2.AsyncClient(base_url=service.url) as client:
        call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s"}}'
        headers = {"Authorization": "Bearer good"}
        answers = [
            await client.post("/mcp", content=call % "get_credits", headers=headers),
            await client.post("/mcp", content=call % "crash", headers=headers),
            await client.post(
                "/mcp", content=call % "get_credits", headers={"Authorization": f"Bearer {KEY}"}
            ),
        ]
        await client.post("/mcp", content=call % "get_credits", headers={**headers, "X-Request-Id": KEY})
    written_lines = [json.loads(line) for line in lines.getvalue().splitlines()]
    assert all(isinstance(line, dict) for line in written_lines)
    calls = {line["request_id"]: line for line in written_lines if line["event"] == "tool call"}
    succeeded = calls[answers[0].headers["x-request-id"]]
    assert (succeeded["tool"], succeeded["company"], succeeded["outcome"]) == (
        "get_credits",
        "company-1",
        "success",
    )
    assert succeeded["duration_ms"] > 0
    assert began <= datetime.fromisoformat(succeeded["timestamp"]) <= datetime.now(UTC)
    assert calls["[redacted]"]["outcome"] == "success"
    assert calls[answers[1].headers["x-request-id"]]["outcome"] == "crash"
    [refused] = [line for line in written_lines if line["event"] == "request"]
    assert (refused["status"], refused["request_id"]) == (401, answers[2].headers["x-request-id"])
    assert KEY not in lines.getvalue()
    assert "12.5" not in lines.getvalue()


@pytest.mark.parametrize("log_format", ["text", "json"])
def test_secrets_are_blotted_out_of_messages_fields_and_tracebacks(
    log_format: Literal["text", "json"],
) -> None:
    lines = io.StringIO()
    configure_logging(log_format, stream=lines)
    log = logging.getLogger("somebody")
    log.warning("key %s", KEY)
    log.warning("header", extra={"authorization": f"bearer {TOKEN}x"})
    log.warning("GET /api/oauth/authorize?code_challenge=abc&state=s HTTP/1.1")
    with binding(note=TOKEN):
        try:
            raise ValueError(f"Bearer {KEY}")
        except ValueError:
            log.exception("refused")
    written = lines.getvalue()
    assert "ValueError" in written
    for secret in (KEY, TOKEN, "code_challenge", KEY[8:]):
        assert secret not in written


def test_a_line_of_text_has_its_fields_by_name_and_a_traceback_below() -> None:
    lines = io.StringIO()
    configure_logging("text", stream=lines)
    try:
        raise ValueError("no such thing")
    except ValueError:
        logging.getLogger("somebody").warning(
            "tried", exc_info=True, extra={"tool": "a b", "attempt": 2, "by": "x"}
        )
    line, *traceback = lines.getvalue().splitlines()
    time, _, rest = line.partition(" ")
    assert datetime.fromisoformat(time).tzinfo == UTC
    assert rest == "[warning  ] tried                          [somebody] attempt=2 by=x tool='a b'"
    assert (traceback[0], traceback[-1]) == (
        "Traceback (most recent call last):",
        "ValueError: no such thing",
    )


@given(st.text(max_size=20), st.text(max_size=20))
def test_redaction_keeps_the_words_around_a_secret(before: str, after: str) -> None:
    assert redacted(f"{before} {KEY} {after}") == f"{redacted(before + ' ')}[redacted]{redacted(' ' + after)}"


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("10.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "198.51.100.1, 203.0.113.9, 10.0.0.2", "203.0.113.9"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", "unknown", "10.0.0.1"),
        ("10.0.0.1", "203.0.113.9, garbage", "10.0.0.1"),
        ("10.0.0.1", "2001:db8::1", "2001:db8::1"),
        ("203.0.113.7", "198.51.100.1", "203.0.113.7"),
        ("fd00::1", "198.51.100.1", "198.51.100.1"),
    ],
)
def test_only_a_trusted_proxys_word_counts(peer: str, forwarded: str, client: str) -> None:
    assert TrustedProxies(["10.0.0.0/8", "fd00::/8"]).client_of(peer, forwarded) == client


@given(st.text(max_size=60))
def test_no_forwarded_header_breaks_the_rule(forwarded: str) -> None:
    assert TrustedProxies(["10.0.0.0/8"]).client_of("10.0.0.1", forwarded)


async def test_public_calls_are_limited_by_the_address_the_proxy_tells(serve: Serve, app_of: AppOf) -> None:
    trusting = serve(app_of(Public("http://seenby.test", trusted_proxies=["127.0.0.1"])))
    call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_agentic_readiness_report","arguments":{"url":"u"}}}'
    async with httpx2.AsyncClient(base_url=trusting.url) as client:
        for surface, body in (
            ("/mcp", call),
            ("/api/mcp-app/rest/get_agentic_readiness_report", '{"url":"u"}'),
        ):
            for number in range(31):
                headers = {"X-Forwarded-For": f"192.0.2.{number}"}
                assert (await client.post(surface, content=body, headers=headers)).status_code == 200
        crowd = [
            (await client.post("/mcp", content=call, headers={"X-Forwarded-For": "198.51.100.9"})).status_code
            for _ in range(31)
        ]
    assert crowd == [200] * 30 + [429]


async def test_a_stop_finishes_the_call_in_flight(
    serve: Serve, app_of: AppOf, signals: tuple[threading.Event, threading.Event]
) -> None:
    started, go = signals
    service = serve(app_of())
    call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait"}}'
    with anyio.fail_after(30):
        async with httpx2.AsyncClient(base_url=service.url, timeout=20) as client:
            headers = {"Authorization": "Bearer good"}
            waiting = asyncio.create_task(client.post("/mcp", content=call, headers=headers))
            await asyncio.to_thread(started.wait)
            stopping = asyncio.create_task(asyncio.to_thread(service.stop))
            while service.server.servers and service.server.servers[0].is_serving():
                await asyncio.sleep(0)
            go.set()
            response = await waiting
            await stopping
    assert response.json()["result"]["structuredContent"]["available"] == 1


async def test_the_lifespan_given_is_entered_and_left(serve: Serve, app_of: AppOf) -> None:
    seen: list[str] = []

    @asynccontextmanager
    async def lifespan() -> AsyncGenerator[None]:
        seen.append("entered")
        yield
        seen.append("left")

    service = serve(app_of(lifespan=lifespan))
    assert seen == ["entered"]
    service.stop()
    assert seen == ["entered", "left"]


async def test_every_answer_names_its_request(http: httpx2.AsyncClient) -> None:
    for method, path in (
        ("GET", "/mcp"),
        ("GET", "/nowhere"),
        ("POST", "/api/nowhere"),
        ("PUT", "/mcp"),
        ("GET", "/healthz"),
    ):
        first, second = [(await http.request(method, path)).headers["x-request-id"] for _ in range(2)]
        assert first != second
    refused = await http.get("/mcp", headers={"Host": "evil.example"})
    assert refused.headers["x-request-id"]


async def test_lines_of_calls_are_batched_and_no_other_line_overtakes_them() -> None:
    lines = io.StringIO()
    configure_logging("json", stream=lines, batched=True)
    calls, others = logging.getLogger("tools.calls.dispatch"), logging.getLogger("somebody")
    for _ in range(2):
        calls.info("tool call")
    assert lines.getvalue() == ""
    others.info("between")
    calls.info("tool call")
    logging.getLogger().handlers[0].flush()  # as at the end of the process
    events = [json.loads(line)["event"] for line in lines.getvalue().splitlines()]
    assert events == ["tool call", "tool call", "between", "tool call"]


def test_without_an_event_loop_a_log_line_is_written_at_once() -> None:
    lines = io.StringIO()
    configure_logging("json", stream=lines, batched=True)
    logging.getLogger("tools.calls.dispatch").info("tool call")
    assert json.loads(lines.getvalue())["event"] == "tool call"


def test_what_is_no_text_does_not_keep_a_line_from_being_written() -> None:
    lines = io.StringIO()
    configure_logging("json", stream=lines)
    logging.getLogger("somebody").warning("half \ud800 a pair", extra={"sent": b"\xff", "kind": object})
    assert json.loads(lines.getvalue())["event"] == "half \ud800 a pair"
