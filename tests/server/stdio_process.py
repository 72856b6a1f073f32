"""A stdio server of two tools, started by the tests; one of them prints where it should not."""

import atexit
import gc
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import anyio
from pydantic import BaseModel

from oauth.principal import Caller, Principal, Scope
from server.mcp.handlers import local_handlers
from server.mcp.server import build_server
from server.mcp.stdio import serve_stdio
from storage.workspace import Workspace
from tools.calls.dispatch import Dispatcher
from tools.calls.rate_limits import MemoryWindows, RateLimits
from tools.calls.table import ToolFamily, ToolTable

family = ToolFamily()


class Credits(BaseModel):
    """The balance."""

    available: float


class Report(BaseModel):
    """A public report."""

    url: str


@family.read("Get credits")
async def get_credits() -> Credits:
    """Get the credit balance. Nothing feeds it."""
    sys.stdout.write("this must not reach the client\n")
    sys.stdout.flush()
    return Credits(available=12.5)


@family.public("Get report")
async def get_agentic_readiness_report(url: str) -> Report:
    """Get the public report of a site. Nothing feeds it."""
    return Report(url=url)


@asynccontextmanager
async def open_nothing(principal: Principal, writing: bool) -> AsyncGenerator[Workspace]:
    raise AssertionError("these tools look nothing up")
    yield


def main() -> None:
    atexit.register(gc.freeze)  # as server.cli ends
    dispatcher = Dispatcher(ToolTable([family]), RateLimits(MemoryWindows()), open_nothing)
    principal = Principal("company-1", "local", frozenset(Scope)) if sys.argv[1] == "company" else None
    anyio.run(serve_stdio, build_server(local_handlers(dispatcher, Caller(principal, "local"))))


if __name__ == "__main__":
    main()
