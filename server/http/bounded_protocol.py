"""uvicorn's HTTP protocol with deadlines for each request, and a way to write a whole answer at once."""

from asyncio import TimerHandle
from typing import Any, Final, cast

from starlette.types import Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from server.http.front_door import CUT_SHORT, IN_ONE_PIECE
from web.measurements.run_feed import STOPPING

LARGEST_COPIED: Final = 8_192
"""Bytes of a body that is put behind its head; a longer one is written by itself."""
HEADER_SECONDS: Final = 10.0
BODY_SECONDS: Final = 30.0
_TOO_SLOW: Final = (
    b"HTTP/1.1 408 Request Timeout\r\n"
    b"content-type: text/plain; charset=utf-8\r\ncontent-length: 15\r\nconnection: close\r\n\r\nRequest Timeout"
)


class BoundedHttpProtocol(HttpToolsProtocol):
    """uvicorn's protocol with deadlines; it has one only for connections that are idle between requests.

    The header's deadline runs from the opening of the connection, and for each further request from its first
    byte; the body's from the end of the header. What a tool takes to answer is not counted. A request whose bytes
    come all at once, as nearly every one does, is whole before a timer is made.
    """

    header_seconds = HEADER_SECONDS
    body_seconds = BODY_SECONDS

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._deadline: TimerHandle | None = None
        self._awaited: float | None = None
        self._awaits_the_same = True
        self._receiving_body = False
        self._too_slow = False
        self._stopping = False
        # The same for all requests. What belongs to one of them would hold it in a circle, which only the collector
        # of cycles breaks, and each request would be read into memory that no earlier one has warmed.
        self._extensions: dict[str, object] = {
            CUT_SHORT: self._cut_short,
            STOPPING: self._is_stopping,
            IN_ONE_PIECE: self._answer_in_one_piece,
        }

    def connection_made(self, transport: Any) -> None:
        """Start the first header's deadline."""
        super().connection_made(transport)
        self._await_within(self.header_seconds)
        self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the deadline."""
        self._clear_timeout()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Let streams know that the server ends: it waits for what is under way."""
        self._stopping = True
        super().shutdown()

    def data_received(self, data: bytes) -> None:
        """Read on; bytes that begin another request start its header's deadline."""
        if self._awaited is None:
            self._await_within(self.header_seconds)
        super().data_received(data)
        if not self._awaits_the_same:
            self._start_timer()

    def on_message_begin(self) -> None:
        """Begin a request, which may come in the same bytes as the end of the one before it."""
        if self._awaited is None:
            self._await_within(self.header_seconds)
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Let the request begin, and expect its body."""
        self._receiving_body = True
        self._await_within(self.body_seconds)
        cast("dict[str, Any]", self.scope)["extensions"] = self._extensions
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Expect nothing more: all of the request is here."""
        self._receiving_body = False
        self._await_within(None)
        super().on_message_complete()

    def _answer_in_one_piece(self, send: Send, head: bytes, body: bytes) -> bool:
        """Write all of an answer that is 200, whose `head` is what stands between the date and the empty line.

        The server's own sending takes two messages, and searches every field for what no field of ours has. False
        says that nothing was written: something changes what is sent, or the answer has to wait or close.
        """
        cycle = getattr(send, "__self__", None)
        if (
            not isinstance(cycle, RequestResponseCycle)
            or cycle.response_started
            or cycle.disconnected
            or cycle.access_log
            or not cycle.keep_alive
            or self.flow.write_paused
            or cycle.scope["method"] == "HEAD"
        ):
            return False
        cycle.response_started = cycle.response_complete = True
        cycle.waiting_for_100_continue = False
        always = b"".join([b"%b: %b\r\n" % field for field in cycle.default_headers])
        first = b"HTTP/1.1 200 OK\r\n%b%bcontent-length: %d\r\n\r\n" % (always, head, len(body))
        if len(body) < LARGEST_COPIED:
            self.transport.write(first + body)
        else:
            self.transport.write(first)
            self.transport.write(body)
        cycle.message_event.set()
        cycle.on_response()
        return True

    def _cut_short(self) -> int | None:
        if self._too_slow:
            return 408
        return 499 if self.transport.is_closing() else None

    def _is_stopping(self) -> bool:
        return self._stopping

    def _await_within(self, seconds: float | None) -> None:
        """Note what is awaited now; its timer is made when the bytes at hand are read."""
        self._awaited = seconds
        self._awaits_the_same = False

    def _start_timer(self) -> None:
        self._clear_timeout()
        self._awaits_the_same = True
        if self._awaited is not None:
            self._deadline = self.loop.call_later(self._awaited, self._time_out)

    def _clear_timeout(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _time_out(self) -> None:
        self._deadline = None
        if self.transport.is_closing():
            return
        cycle = cast("RequestResponseCycle | None", self.cycle)
        answering = cycle is not None and not cycle.response_complete
        if answering and not self._receiving_body:
            self._await_within(self.header_seconds)  # the answer to the request before this one comes first
            self._start_timer()
            return
        self._too_slow = True
        if cycle is None or not (self._receiving_body and cycle.response_started):
            self.transport.write(_TOO_SLOW)
        self.transport.close()
