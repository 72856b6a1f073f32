"""The MCP server on standard input and output, for one local client."""

from collections.abc import Sequence
from dataclasses import replace
from types import TracebackType
from typing import Any, Self

from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared._stream_protocols import ReadStream
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCRequest

from oauth.challenges import Challenges
from oauth.principal import Caller
from server.library import library
from server.mcp import ToolListing, build_server
from server.resources import ResourceProvider
from server.versions import carries_envelope, lenient_initialize
from tools.dispatch import Dispatcher

Frame = SessionMessage | Exception


def create_stdio_server(
    dispatcher: Dispatcher, caller: Caller, resources: Sequence[ResourceProvider] = ()
) -> Server[Any]:
    """Build the same server for one local client, in whose name every call is made."""
    return build_server(
        dispatcher=dispatcher,
        listing=ToolListing(dispatcher),
        library=library(dispatcher.table, resources),
        challenges=Challenges("", oauth=False),
        local_caller=caller,
    )


async def serve_stdio(server: Server[Any]) -> None:
    """Serve until the client closes standard input."""
    async with stdio_server() as (read, write):
        await server.run(_Lenient(read), write, server.create_initialization_options())


def lenient(frame: Frame) -> Frame:
    """Welcome a client that opens with a version nobody knows, or without saying who it is."""
    if isinstance(frame, Exception) or not isinstance(frame.message, JSONRPCRequest):
        return frame
    request = frame.message
    params = request.params or {}
    if request.method != "initialize" or carries_envelope(params):
        return frame
    return replace(frame, message=request.model_copy(update={"params": lenient_initialize(params)}))


class _Lenient:
    """The SDK's stream of frames with each one passed through `lenient`."""

    def __init__(self, frames: ReadStream[Frame]) -> None:
        self._frames = frames

    async def receive(self) -> Frame:
        return lenient(await self._frames.receive())

    async def aclose(self) -> None:
        await self._frames.aclose()

    def __aiter__(self) -> ReadStream[Frame]:
        return self

    async def __anext__(self) -> Frame:
        return lenient(await self._frames.__anext__())

    async def __aenter__(self) -> Self:
        await self._frames.__aenter__()
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> bool | None:
        return await self._frames.__aexit__(exc_type, exc_val, exc_tb)
