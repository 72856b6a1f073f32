"""The MCP server on standard input and output, for one local client."""

from dataclasses import replace
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

import anyio
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.message import SessionMessage
from mcp.types import (
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
)

from server.mcp.versions import carries_envelope, lenient_initialize

Frame = SessionMessage | Exception
Stream = TypeVar("Stream", ReadStream[SessionMessage | Exception], WriteStream[SessionMessage])
LAST_ANSWERS_SECONDS = 10.0
"""How long requests are still answered after a client closes its input, as a pipe of requests does."""


async def serve_stdio(server: Server[Any]) -> None:
    """Serve until the client closes standard input."""
    async with stdio_server() as (read, write):
        waiting = _OpenRequests()
        await server.run(
            _Requests(read, waiting), _Answers(write, waiting), server.create_initialization_options()
        )


def lenient(frame: Frame) -> Frame:
    """Accept a client that opens with an unknown version, or without client information."""
    if isinstance(frame, Exception) or not isinstance(frame.message, JSONRPCRequest):
        return frame
    request = frame.message
    params = request.params or {}
    if request.method != "initialize" or carries_envelope(params):
        return frame
    return replace(frame, message=request.model_copy(update={"params": lenient_initialize(params)}))


class _OpenRequests:
    """Tracks the requests that have no answer yet."""

    def __init__(self) -> None:
        self._open: set[RequestId] = set()
        self._none_open = anyio.Event()

    def note_received(self, message: JSONRPCMessage) -> None:
        """Record a message from the client."""
        if isinstance(message, JSONRPCRequest):
            self._open.add(message.id)
        elif isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled":
            self._close((message.params or {}).get("requestId"))

    def note_sent(self, message: JSONRPCMessage) -> None:
        """Record a message that was written to the client."""
        if isinstance(message, JSONRPCResponse | JSONRPCError):
            self._close(message.id)

    def _close(self, identifier: RequestId | None) -> None:
        if identifier is not None:
            self._open.discard(identifier)
        if not self._open:
            self._none_open.set()

    async def until_answered(self) -> None:
        """Wait for the last answers, since the SDK drops pending requests when its input ends."""
        if self._open:
            self._none_open = anyio.Event()
            with anyio.move_on_after(LAST_ANSWERS_SECONDS):
                await self._none_open.wait()


class _WatchedStream(Generic[Stream]):
    """Base of a wrapper around one of the SDK's frame streams; closing it closes the stream."""

    def __init__(self, frames: Stream, waiting: _OpenRequests) -> None:
        self._frames = frames
        self._open_requests = waiting

    async def aclose(self) -> None:
        await self._frames.aclose()

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


class _Requests(_WatchedStream[ReadStream[Frame]]):
    """The SDK's input stream. Passes each frame through `lenient` and ends once all requests are answered."""

    async def receive(self) -> Frame:
        return self._counted(await self._frames.receive())

    def _counted(self, frame: Frame) -> Frame:
        if not isinstance(frame, Exception):
            self._open_requests.note_received(frame.message)
        return lenient(frame)

    def __aiter__(self) -> ReadStream[Frame]:
        return self

    async def __anext__(self) -> Frame:
        try:
            return self._counted(await self._frames.__anext__())
        except StopAsyncIteration:
            await self._open_requests.until_answered()
            raise


class _Answers(_WatchedStream[WriteStream[SessionMessage]]):
    """The SDK's output stream, which records when an answer has been written."""

    async def send(self, item: SessionMessage, /) -> None:
        await self._frames.send(item)
        self._open_requests.note_sent(item.message)
