import asyncio
import json
import logging
import socket
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

import httpx2
import pytest
import uvicorn
from pydantic import BaseModel, Field
from starlette.types import ASGIApp

from oauth.authenticate import Authenticator
from oauth.errors import EXPIRED, INVALID, CredentialRefused
from oauth.principal import Principal, Scope
from server.app import Public, create_app
from server.serving import OPTIONS
from storage.repositories.brands import Brand
from storage.workspace import Workspace
from tools.calls.call import NamedBrand, ThisCall
from tools.calls.dispatch import Dispatcher
from tools.calls.errors import ToolRefusal
from tools.calls.parameters import BrandId, Limit
from tools.calls.rate_limits import MemoryWindows, RateLimits
from tools.calls.table import ToolFamily, ToolTable

BASE_URL = "http://seenby.test"
ALL_SCOPES = frozenset(Scope)
family = ToolFamily()


class Credits(BaseModel):
    """The balance."""

    available: float
    plan: str = "für Könige – “pro”\n\u2028"


class Profile(BaseModel):
    """One brand."""

    id: str
    name: str


class Cancelled(BaseModel):
    """A run that was cancelled."""

    runId: str


class Started(BaseModel):
    """A run that was admitted."""

    idempotencyKey: str | None


class Report(BaseModel):
    """A public report."""

    url: str


@family.read("Get credits")
async def get_credits() -> Credits:
    """Get the credit balance. Nothing feeds it."""
    return Credits(available=12.5)


@family.read("Get brand profile")
async def get_brand_profile(brandId: BrandId, brand: NamedBrand, call: ThisCall, limit: Limit = 5) -> Profile:
    """Get one brand's profile. Call list_brand_profiles for ids."""
    return Profile(id=brand.id, name=brand.name)


@family.write("Cancel a run", destructive=True, idempotent=True)
async def cancel_workflow_run(runId: str) -> Cancelled:
    """Cancel a run. Call list_workflow_runs for ids."""
    if runId == "finished":
        raise ToolRefusal("only pending or running runs can be cancelled", "Call get_run_status first.")
    return Cancelled(runId=runId)


@family.write("Start a run", destructive=True, idempotent=False)
async def start_run(call: ThisCall) -> Started:
    """Start a run. It tells the key that it was called with."""
    return Started(idempotencyKey=call.idempotency_key)


@family.read("Crash")
async def crash() -> Credits:
    """Break down. For the tests."""
    raise RuntimeError("password=hunter2 in /srv/secret.py")


@family.read("Wait for a signal")
async def wait(call: ThisCall) -> Credits:
    """Wait until the test says go. For the tests."""
    STARTED.set()
    await asyncio.to_thread(GO.wait, 20)
    return Credits(available=1)


@family.public("Get report")
async def get_agentic_readiness_report(url: str = Field(min_length=1)) -> Report:
    """Get the public report of a site. Nothing feeds it."""
    return Report(url=url)


NOON = datetime(2026, 3, 31, 12, tzinfo=UTC)
STARTED = threading.Event()
GO = threading.Event()


class OneBrand:
    """The door to a company that has one brand."""

    def __init__(self) -> None:
        self.brands = self

    async def find(self, name_or_id: str) -> Brand | None:
        known = Brand(
            1, "00000000-0000-7000-8000-0000000000b1", "Acme", None, None, None, (), None, None, 0, NOON, NOON
        )
        return known if name_or_id.lower() in (known.id, "acme") else None


@asynccontextmanager
async def open_one_brand(principal: Principal, writing: bool) -> AsyncGenerator[Workspace]:
    yield cast(Workspace, OneBrand())


class KnownTokens:
    """Every kind of credential, by a telling name."""

    PRINCIPALS: Mapping[str, Principal] = {
        "good": Principal("company-1", "key:good", ALL_SCOPES, 1_000_000),
        "reader": Principal("company-1", "grant:reader", frozenset({Scope.READ}), 1_000_000),
        "twice": Principal("company-1", "key:twice", ALL_SCOPES, 2),
    }

    async def authenticate(self, authorization: str | None) -> Principal | None:
        if authorization is None:
            return None
        kind, _, token = authorization.partition(" ")
        if token == "database-down":
            raise RuntimeError("no route to 10.0.0.5")
        if token == "expired":
            raise CredentialRefused(EXPIRED)
        if kind != "Bearer" or token not in self.PRINCIPALS:
            raise CredentialRefused(INVALID)
        return self.PRINCIPALS[token]


def new_dispatcher() -> Dispatcher:
    return Dispatcher(ToolTable([family]), RateLimits(MemoryWindows()), open_one_brand)


@pytest.fixture
def dispatcher() -> Dispatcher:
    return new_dispatcher()


@pytest.fixture(scope="session")
def authenticator() -> Authenticator:
    return KnownTokens()


@dataclass
class Running:
    """A service on a real socket, and the uvicorn server that serves it."""

    url: str
    port: int
    server: uvicorn.Server
    thread: threading.Thread

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(timeout=30)
        assert not self.thread.is_alive(), "the server did not stop"


Serve = Callable[[ASGIApp], Running]


def start(app: ASGIApp, listener: socket.socket) -> Running:
    port = listener.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(app, **OPTIONS))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        thread.join(0.01)
    return Running(f"http://127.0.0.1:{port}", port, server, thread)


@contextmanager
def serving() -> Generator[Serve]:
    running: list[Running] = []

    def serve(app: ASGIApp) -> Running:
        listener = socket.create_server(("127.0.0.1", 0))
        running.append(start(app, listener))
        return running[-1]

    yield serve
    for each in running:
        each.stop()


@pytest.fixture
def serve() -> Generator[Serve]:
    with serving() as start_one:
        yield start_one


@pytest.fixture(scope="module")
def serve_all() -> Generator[Serve]:
    """The same for the length of a module."""
    with serving() as start_one:
        yield start_one


@pytest.fixture(scope="session")
def service(authenticator: Authenticator) -> Generator[Running]:
    """The service with OAuth off, as the tests of the wire see it."""
    with serving() as start_one:
        yield start_one(
            create_app(Public(BASE_URL), dispatcher=new_dispatcher(), authenticator=authenticator)
        )


@pytest.fixture(scope="session")
def oauth_service(authenticator: Authenticator) -> Generator[Running]:
    """The same with OAuth on."""
    app = create_app(Public(BASE_URL, oauth=True), dispatcher=new_dispatcher(), authenticator=authenticator)
    with serving() as start_one:
        yield start_one(app)


# No client of the tests of plain HTTP checks certificates: it would load the machine's authorities, for 20 ms each.
@pytest.fixture
async def http(service: Running) -> AsyncGenerator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(base_url=service.url, timeout=20, verify=False) as client:
        yield client


@pytest.fixture
async def oauth_http(oauth_service: Running) -> AsyncGenerator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(base_url=oauth_service.url, timeout=20, verify=False) as client:
        yield client


@pytest.fixture(scope="session")
def app_of(authenticator: Authenticator) -> Callable[..., ASGIApp]:
    """Build another service around fresh limits; arguments as of create_app."""

    def build(public: Public | None = None, **arguments: Any) -> ASGIApp:
        parts: dict[str, Any] = {"dispatcher": new_dispatcher(), "authenticator": authenticator, **arguments}
        return create_app(public or Public(BASE_URL), **parts)

    return build


Ask = Callable[..., Awaitable[httpx2.Response]]


@pytest.fixture
def call_tool(http: httpx2.AsyncClient) -> Ask:
    """Call a tool; keyword arguments are headers."""

    async def call(
        name: str, arguments: Any = None, *, client: httpx2.AsyncClient = http, **headers: str
    ) -> httpx2.Response:
        params = {"name": name} if arguments is None else {"name": name, "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        named = {key.replace("_", "-"): value for key, value in headers.items()}
        return await client.post("/mcp", content=json.dumps(message), headers=named)

    return call


@pytest.fixture
def signals() -> Generator[tuple[threading.Event, threading.Event]]:
    """`started` and `go` of the tool that waits."""
    STARTED.clear()
    GO.clear()
    yield STARTED, GO
    GO.set()


@pytest.fixture(autouse=True)
def quiet_root() -> Generator[None]:
    """Leave the root logger as it was."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
