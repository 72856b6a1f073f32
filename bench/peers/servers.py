"""The servers that `bench.http` compares, each in its own process.

Run as `python -m bench.peers.servers <name> <descriptor of a listening socket>`.
"""

import contextlib
import socket
import sys
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager

import uvicorn
from mcp.server.mcpserver import MCPServer
from pydantic import BaseModel
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from oauth.errors import INVALID, CredentialRefused
from oauth.principal import Principal, Scope
from server.app import Public, create_app
from server.http.operations import Metrics
from server.logs import configure_logging
from server.serving import OPTIONS
from storage.workspace import Workspace
from tools.calls.dispatch import Dispatcher
from tools.calls.rate_limits import MemoryWindows, RateLimits
from tools.calls.table import ToolFamily, ToolTable

KEYS = 64
SCOPES = frozenset(Scope)


class Balance(BaseModel):
    """A result of the size of the cheapest read."""

    available: float
    reserved: float
    usedThisMonth: float
    monthlyLimit: float
    resetDate: str


BALANCE = Balance(
    available=120, reserved=5, usedThisMonth=375, monthlyLimit=500, resetDate="2026-08-01T00:00:00Z"
)


def echo() -> ASGIApp:
    """The least that Starlette does: read a body, send it back, or send as many bytes as are asked for."""

    async def answer(request: Request) -> Response:
        return Response(await request.body(), media_type="application/json")

    async def send(request: Request) -> Response:
        await request.body()
        return Response(b" " * int(request.path_params["length"]), media_type="application/json")

    return Starlette(
        routes=[
            Route("/echo", answer, methods=["POST"]),
            Route("/bytes/{length:int}", send, methods=["POST"]),
        ]
    )


def sdk() -> ASGIApp:
    """The SDK's smallest stateless JSON server with the same tool."""
    server = MCPServer("smallest", log_level="WARNING")

    async def get_credits() -> Balance:
        """Get the credit balance."""
        return BALANCE

    server.tool()(get_credits)
    return server.streamable_http_app(json_response=True, stateless_http=True, host="127.0.0.1")


def edge() -> ASGIApp:
    """Our service around one tool, with credential, limit, log and metrics, without a database."""
    configure_logging("json")
    family = ToolFamily()

    async def get_credits() -> Balance:
        """Get the credit balance. Nothing feeds it."""
        return BALANCE

    family.read("Get credits")(get_credits)
    dispatcher = Dispatcher(ToolTable([family]), RateLimits(MemoryWindows()), _no_workspace)
    return create_app(
        Public("http://127.0.0.1"), dispatcher=dispatcher, authenticator=_Numbered(), metrics=Metrics()
    )


class _Numbered:
    async def authenticate(self, authorization: str | None) -> Principal | None:
        if authorization is None:
            return None
        number = authorization.removeprefix("Bearer key-")
        if not number.isdecimal():
            raise CredentialRefused(INVALID)
        # Lifted, so that the limit is counted and never reached.
        return Principal("company", f"key:{number}", SCOPES, 1_000_000_000)


@asynccontextmanager
async def _no_workspace(principal: Principal, writing: bool) -> AsyncGenerator[Workspace]:
    raise AssertionError("these tools look nothing up")
    yield


SERVERS: Mapping[str, Callable[[], ASGIApp]] = {"echo": echo, "sdk": sdk, "edge": edge}


def main() -> None:
    """Serve until interrupted."""
    listener = socket.socket(fileno=int(sys.argv[2]))
    config = uvicorn.Config(SERVERS[sys.argv[1]](), **OPTIONS)
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
