"""uvicorn's HTTP protocol with a deadline for the head of a request, against slow clients (slowloris)."""

from asyncio import TimerHandle
from dataclasses import dataclass
from typing import Any, Final, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from server.http.front_door import CONNECTION
from web.run_feed import STOPPING

HEADER_SECONDS: Final = 10.0
_TOO_SLOW: Final = (
    b"HTTP/1.1 408 Request Timeout\r\n"
    b"content-type: text/plain; charset=utf-8\r\ncontent-length: 15\r\nconnection: close\r\n\r\nRequest Timeout"
)


@dataclass(slots=True)
class ConnectionState:
    """What the application may want to know of the connection that a request came over."""

    lost: bool = False
    stopping: bool = False
    receives_body: bool = False

    def is_stopping(self) -> bool:
        """Return whether the server is shutting down: long streams end then."""
        return self.stopping


class BoundedHttpProtocol(HttpToolsProtocol):
    """Closes connections whose next request has no complete head in time; uvicorn itself has no such timeout.

    An application runs only when the head is complete, so no middleware can do this. A request that arrives whole, as
    nearly every one does, sets no timer.
    """

    header_seconds = HEADER_SECONDS

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._deadline: TimerHandle | None = None
        self._awaits_head = True
        self._state = ConnectionState()

    def connection_made(self, transport: Any) -> None:
        """Start the deadline of the first head."""
        super().connection_made(transport)
        self._start_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that the client is gone."""
        self._state.lost = True
        self._clear_deadline()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Let streams know that the server ends: it waits for requests in flight."""
        self._state.stopping = True
        super().shutdown()

    def data_received(self, data: bytes) -> None:
        """Read on; a head that these bytes leave open has to be completed in time."""
        self._awaits_head = self._awaits_head or not self._state.receives_body
        super().data_received(data)
        if self._awaits_head and self._deadline is None:
            self._start_deadline()

    def on_message_begin(self) -> None:
        """Begin a request, which may come in the same bytes as the end of the one before it."""
        self._awaits_head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Hand the request to the application."""
        self._awaits_head = False
        self._state.receives_body = True
        self._clear_deadline()
        extensions = {CONNECTION: self._state, STOPPING: self._state.is_stopping}
        cast("dict[str, Any]", self.scope)["extensions"] = extensions
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Expect the next head."""
        self._state.receives_body = False
        super().on_message_complete()

    def _start_deadline(self) -> None:
        self._deadline = self.loop.call_later(self.header_seconds, self._time_out)

    def _clear_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _time_out(self) -> None:
        self._deadline = None
        if self.transport.is_closing():
            return
        cycle = cast("RequestResponseCycle | None", self.cycle)
        if cycle is not None and not cycle.response_complete:
            self._start_deadline()  # the answer to the request before this one comes first
            return
        self.transport.write(_TOO_SLOW)
        self.transport.close()
