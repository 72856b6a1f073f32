"""Peers on loopback that play a provider: one speaks HTTP as told, one breaks it on the level of bytes."""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request as WebRequest
from starlette.responses import Response
from starlette.routing import Route

from engines.compatible import ADAPTER
from engines.engine import Credential, Mode, Question
from engines.transport.connection import Timeouts, Transport
from engines.transport.http import Adapter, HttpConfig, HttpEngine
from engines.transport.retries import Timing

START = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)
CANARY = "sk-canary/0123456789abcdef+ABCDEF=="


@dataclass(frozen=True)
class Reply:
    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"content-type": "application/json"})


@dataclass(frozen=True)
class Asked:
    path: str
    headers: Mapping[str, str]
    body: bytes
    query: str = ""

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Peer:
    """Answers each request with the next reply of `replies`, the last one over and over."""

    def __init__(self) -> None:
        self.base_url = ""
        self.replies: list[Reply] = []
        self.asked: list[Asked] = []
        self.open = 0
        self.peak = 0
        self.gate: Callable[[], Awaitable[object]] | None = None
        """Awaited before each reply, with the request counted as open."""

    def reply(self, body: Mapping[str, Any] | bytes, status: int = 200, **headers: str) -> None:
        raw = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.replies.append(Reply(raw, status, {"content-type": "application/json"} | named))

    async def handle(self, request: WebRequest) -> Response:
        self.open += 1
        self.peak = max(self.peak, self.open)
        try:
            self.asked.append(
                Asked(request.url.path, dict(request.headers), await request.body(), request.url.query)
            )
            reply = self.replies[min(len(self.asked), len(self.replies)) - 1]
            if self.gate is not None:
                await self.gate()
            return Response(reply.body, reply.status, dict(reply.headers))
        finally:
            self.open -= 1


class Loopback(uvicorn.Server):
    """A server that says when it listens and leaves the process's signals alone."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listening = asyncio.Event()

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        self.listening.set()


@pytest.fixture
async def peer() -> AsyncGenerator[Peer]:
    peer = Peer()
    app = Starlette(routes=[Route("/{path:path}", peer.handle, methods=["GET", "POST"])])
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None, lifespan="off")
    server = Loopback(config)
    task = asyncio.create_task(server._serve())  # pyright: ignore[reportPrivateUsage]  # serve() would take over the signals
    await server.listening.wait()
    peer.base_url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    yield peer
    server.should_exit = server.force_exit = True
    await task


Script = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class RawPeer:
    """Reads each request whole, then lets `script` do with the connection what it likes."""

    def __init__(self) -> None:
        self.base_url = ""
        self.script: Script | None = None
        self.requests = 0
        self.connections: list[asyncio.StreamWriter] = []

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections.append(writer)
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(
                int(line.split(b":")[1])
                for line in head.split(b"\r\n")
                if line.lower().startswith(b"content-length")
            )
            await reader.readexactly(length)
            self.requests += 1
            assert self.script is not None
            await self.script(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the engine hung up, which some tests want
        finally:
            writer.close()


@pytest.fixture
async def raw_peer() -> AsyncGenerator[RawPeer]:
    peer = RawPeer()
    server = await asyncio.start_server(peer.handle, "127.0.0.1", 0)
    peer.base_url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    yield peer
    server.close()
    for connection in peer.connections:
        connection.close()
    await server.wait_closed()


class Clock:
    """Time that passes only while somebody sleeps; remembers the sleeps and draws the widest backoff."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    @property
    def timing(self) -> Timing:
        return Timing(
            now=lambda: START + timedelta(seconds=sum(self.slept)),
            monotonic=lambda: sum(self.slept),
            sleep=self._sleep,
            uniform=lambda low, high: high,
        )

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(0)


@pytest.fixture
def clock() -> Clock:
    return Clock()


Build = Callable[..., HttpEngine]


@pytest.fixture
async def engine(clock: Clock) -> AsyncGenerator[Build]:
    """Builds engines that are closed after the test; without an adapter, a compatible endpoint that searches."""
    transport = Transport()

    def build(base_url: str, adapter: Adapter = ADAPTER, **options: Any) -> HttpEngine:
        defaults: dict[str, Any] = {
            "platform": "tested",
            "model": "some-model",
            "modes": frozenset(Mode),
            "timeouts": Timeouts(),
            "search_tool": {"type": "web_search"},
        }
        timing = options.pop("timing", clock.timing)
        config = HttpConfig(base_url=base_url, **(defaults | options))
        return HttpEngine(config, adapter, transport, timing)

    yield build
    await transport.aclose()


@pytest.fixture
def credential() -> Credential:
    return Credential(CANARY)


@pytest.fixture
def question() -> Question:
    return Question("Welches Auto hält am längsten? 🚗", Mode.VISIBILITY, "00c0ffee")


@pytest.fixture
def searching() -> Question:
    return Question("Welches Auto hält am längsten? 🚗", Mode.READINESS, "00c0ffee", country="DE")
