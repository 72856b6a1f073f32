"""Clients that send half a request or hang up: closed in time, counted for what they are, and no burden to others."""

import asyncio
import io
import json
import socket
import threading
from collections.abc import Callable, Generator
from contextlib import ExitStack
from typing import Any

import httpx2
import pytest
import uvicorn
from starlette.types import ASGIApp

from server.http.bounded_protocol import HEADER_SECONDS, BoundedHttpProtocol
from server.http.front_door import BODY_SECONDS
from server.http.operations import Metrics
from server.logs import configure_logging
from server.serving import OPTIONS
from tests.server.conftest import Running, Serve

AppOf = Callable[..., ASGIApp]
PATIENCE = 30
HALF_A_HEADER = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
HALF_A_BODY = (
    b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer good\r\n"
    b'Content-Type: application/json\r\nContent-Length: 400\r\n\r\n{"jsonrpc"'
)
HALF_REQUESTS = {
    "nothing": b"",
    "an empty line": b"\r\n",
    "half a header": HALF_A_HEADER,
    "half a body": HALF_A_BODY,
}
WAIT = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait"}}'


IMPATIENT_BODY_SECONDS = 1.0


class Impatient(BoundedHttpProtocol):
    """The served protocol with deadlines that a test can wait for."""

    header_seconds = 0.5


@pytest.fixture
def serve_impatiently() -> Generator[Serve]:
    with ExitStack() as stack:

        def serve(app: ASGIApp) -> Running:
            listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
            options: dict[str, Any] = {**OPTIONS, "http": Impatient}
            server = uvicorn.Server(uvicorn.Config(app, **options))
            thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
            thread.start()
            while not server.started:
                thread.join(0.01)
            port = listener.getsockname()[1]
            running = Running(f"http://127.0.0.1:{port}", port, server, thread)
            stack.callback(running.stop)
            return running

        yield serve


async def sent(service: Running, data: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", service.port)
    writer.write(data)
    await writer.drain()
    return reader, writer


def requests_counted(metrics: Metrics, status: int) -> float:
    labels = {"method": "POST", "status": str(status)}
    return metrics.registry.get_sample_value("seenby_http_requests_total", labels) or 0


def test_the_served_deadlines_are_ten_and_thirty_seconds() -> None:
    assert OPTIONS["http"] is BoundedHttpProtocol
    assert (HEADER_SECONDS, BODY_SECONDS) == (10, 30)


def test_clients_and_proxies_close_idle_connections_before_the_server() -> None:
    config = uvicorn.Config("server.serving:application", **OPTIONS)
    client, caddy = httpx2.Limits().keepalive_expiry, 120
    assert client is not None
    assert config.timeout_keep_alive > max(client, caddy)


def test_a_worker_that_starts_slowly_is_not_ended_by_its_supervisor() -> None:
    """Importing the service alone takes longer than uvicorn's five seconds on a busy machine."""
    config = uvicorn.Config("server.serving:application", **OPTIONS)
    assert config.timeout_worker_healthcheck >= 120


@pytest.mark.parametrize("half", HALF_REQUESTS)
async def test_half_a_request_is_answered_408_and_closed(
    half: str, serve_impatiently: Serve, app_of: AppOf
) -> None:
    service = serve_impatiently(app_of(body_seconds=IMPATIENT_BODY_SECONDS))
    reader, writer = await sent(service, HALF_REQUESTS[half])
    answer = await asyncio.wait_for(reader.read(), PATIENCE)
    assert answer.startswith(b"HTTP/1.1 408 ")
    writer.close()


async def test_half_a_pipelined_request_times_out_with_408(serve_impatiently: Serve, app_of: AppOf) -> None:
    service = serve_impatiently(app_of(body_seconds=IMPATIENT_BODY_SECONDS))
    whole = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    reader, writer = await sent(service, whole + HALF_A_HEADER)
    answers = await asyncio.wait_for(reader.read(), PATIENCE)
    assert answers.startswith(b"HTTP/1.1 200 ")
    assert answers.count(b"HTTP/1.1 408 ") == 1
    writer.close()


async def test_two_hundred_half_open_connections_keep_nobody_from_an_answer(
    serve_impatiently: Serve, app_of: AppOf
) -> None:
    service = serve_impatiently(app_of(body_seconds=IMPATIENT_BODY_SECONDS))
    halves = list(HALF_REQUESTS.values())
    async with httpx2.AsyncClient(base_url=service.url, timeout=PATIENCE) as client:
        half_open = [await sent(service, halves[number % len(halves)]) for number in range(200)]
        for _ in range(40):
            answer = await client.post("/api/mcp-app/rest/get_credits", content="{}", headers=GOOD)
            assert answer.status_code == 200
        for reader, writer in half_open:
            await asyncio.wait_for(reader.read(), PATIENCE)
            writer.close()
        assert (await client.get("/healthz")).status_code == 200
    assert not service.server.server_state.connections or len(service.server.server_state.connections) <= 1


GOOD = {"Authorization": "Bearer good"}


async def test_a_connection_is_used_again_and_slow_answers_are_waited_for(
    serve_impatiently: Serve,
    app_of: AppOf,
    signals: tuple[threading.Event, threading.Event],
) -> None:
    _, go = signals
    service = serve_impatiently(app_of(body_seconds=IMPATIENT_BODY_SECONDS))
    timer = threading.Timer(3 * IMPATIENT_BODY_SECONDS, go.set)
    timer.start()
    async with httpx2.AsyncClient(base_url=service.url, timeout=PATIENCE) as client:
        for content in (WAIT, WAIT):
            response = await client.post("/mcp", content=content, headers=GOOD)
            assert response.json()["result"]["structuredContent"]["available"] == 1
    timer.join()


async def test_a_caller_that_hangs_up_is_counted_and_logged_as_499(
    serve_impatiently: Serve,
    app_of: AppOf,
    signals: tuple[threading.Event, threading.Event],
) -> None:
    started, go = signals
    metrics, lines = Metrics(), io.StringIO()
    service = serve_impatiently(app_of(metrics=metrics, body_seconds=IMPATIENT_BODY_SECONDS))
    configure_logging("json", stream=lines)
    head = (
        b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer good\r\nContent-Length: %d\r\n\r\n"
    )
    _, waiting = await sent(service, head % len(WAIT) + WAIT)
    await asyncio.to_thread(started.wait, PATIENCE)
    _, half = await sent(service, HALF_A_BODY)
    for writer in (waiting, half):
        writer.close()
        await writer.wait_closed()
    async with httpx2.AsyncClient(base_url=service.url, timeout=PATIENCE) as client:
        await client.get("/healthz")  # the server has seen both ends
    go.set()
    await asyncio.to_thread(service.stop)
    assert (requests_counted(metrics, 499), requests_counted(metrics, 500)) == (2, 0)
    statuses = [json.loads(line).get("status") for line in lines.getvalue().splitlines()]
    assert statuses.count(499) == 2


async def test_a_body_that_is_too_slow_is_counted_as_408(serve_impatiently: Serve, app_of: AppOf) -> None:
    metrics = Metrics()
    service = serve_impatiently(app_of(metrics=metrics, body_seconds=IMPATIENT_BODY_SECONDS))
    reader, writer = await sent(service, HALF_A_BODY)
    await asyncio.wait_for(reader.read(), PATIENCE)
    writer.close()
    await asyncio.to_thread(service.stop)
    assert requests_counted(metrics, 408) == 1
