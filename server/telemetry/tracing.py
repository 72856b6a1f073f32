"""OpenTelemetry: a span and a measurement of each event, for whichever SDK and exporter the operator installed.

An event's line is written when it ends, and its children's were written before. Spans therefore bear identifiers that
follow from the identifiers of run, agent and measurement: a child names a parent that is still to come, also one that
another process will write.
"""

import hashlib
import logging
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final

from opentelemetry import metrics, trace
from opentelemetry.context import Context
from opentelemetry.propagate import extract
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.telemetry.event_metrics import COUNTERS, EVENTS
from tools.calls.dispatch import TOOL_CALL
from workflows.run_events import bound_fields

NANOSECONDS: Final = 1_000_000_000
CALLS: Final = "tools.calls.dispatch"
"""The logger of tool calls, whose lines are spans inside those of requests."""
CHOSEN: ContextVar["SpanIds | None"] = ContextVar("chosen span identifiers", default=None)
"""The identifiers of the span that is being made, for an SDK that asks; None for random ones."""


@dataclass(frozen=True, slots=True)
class SpanIds:
    """What a span is called: 128 and 64 bits, never zero."""

    trace: int
    span: int

    def context(self) -> Context:
        """Return a context in which this span is the parent."""
        flags = trace.TraceFlags(trace.TraceFlags.SAMPLED)
        parent = trace.SpanContext(self.trace, self.span, is_remote=True, trace_flags=flags)
        return trace.set_span_in_context(trace.NonRecordingSpan(parent), Context())


def derived_number(size: int, *parts: object) -> int:
    """Return the number of so many bytes that these words always give, never zero."""
    digest = hashlib.sha256("|".join(str(part) for part in parts).encode()).digest()
    return int.from_bytes(digest[:size]) or 1


def run_ids(run_id: object) -> SpanIds:
    """Return what the span of a run is called."""
    return SpanIds(derived_number(16, "run", run_id), derived_number(8, "run", run_id))


def agent_ids(run_id: object, agent: object) -> SpanIds:
    """Return what the span of an agent of a run is called."""
    return SpanIds(run_ids(run_id).trace, derived_number(8, "agent", run_id, agent))


def place(event: str, fields: Mapping[str, Any]) -> tuple[SpanIds | None, SpanIds | None]:
    """Return what the span of an event is called, None for any name, and its parent, None for none or today's."""
    bound = bound_fields()
    run_id = fields.get("run_id") or bound.get("run_id")
    within = agent_ids(run_id, bound["agent"]) if "agent" in bound else None
    if event == "run":
        return run_ids(run_id), None
    if event == "agent":
        return agent_ids(run_id, fields["agent"]), run_ids(run_id)
    batch_id = fields.get("batch_id")
    if batch_id is None:
        return None, within
    root = SpanIds(derived_number(16, "batch", batch_id), derived_number(8, "batch", batch_id))
    if event == "measurement":
        return (SpanIds(within.trace, root.span) if within else root), within
    return None, within or root


class EventSpans(logging.Handler):
    """Makes a span of each event that took time, and of each tool call: it ends when its line is written."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self._tracer = trace.get_tracer("seenby")
        meter = metrics.get_meter("seenby")
        self._count = meter.create_counter("seenby.events", description="Events by name and outcome.")
        self._duration = meter.create_histogram(
            "seenby.event.duration", unit="ms", description="How long an event took."
        )

    def emit(self, record: logging.LogRecord) -> None:
        """Export one event."""
        event, fields = record.getMessage(), record.__dict__
        if event == TOOL_CALL:
            self._export(record, event, fields)
            return
        counter = COUNTERS.get(event)
        if counter is None:
            return
        labels = {label: str(fields.get(label)) for label in counter.labels}
        self._count.add(1, {"event": event, **labels})
        if isinstance(fields.get("duration_ms"), int | float):
            self._duration.record(fields["duration_ms"], {"event": event, **labels})
            self._export(record, event, fields)

    def _export(self, record: logging.LogRecord, event: str, fields: Mapping[str, Any]) -> None:
        """Make the span of a line, with the time that it took."""
        ended = round(record.created * NANOSECONDS)
        own, parent = place(event, fields)
        root = Context() if own is not None else None
        token = CHOSEN.set(own)
        try:
            span = self._tracer.start_span(
                f"seenby.{event.replace(' ', '_')}",
                context=parent.context() if parent else root,
                start_time=ended - round(fields["duration_ms"] * 1_000_000),
                attributes={f"seenby.{name}": value for name, value in attributes_of(fields).items()},
            )
        finally:
            CHOSEN.reset(token)
        if record.levelno >= logging.WARNING:
            span.set_status(trace.StatusCode.ERROR)
        span.end(ended)

    def attach(self) -> None:
        """Begin to export the events and the tool calls of this process."""
        for name in (EVENTS, CALLS):
            logging.getLogger(name).addHandler(self)


class RequestSpans:
    """Makes a span of each HTTP request, inside the span that its sender names (W3C Trace Context)."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._tracer = trace.get_tracer("seenby")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request; other traffic passes through."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        carrier = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        attributes = {"http.request.method": scope["method"], "url.path": scope["path"]}
        with self._tracer.start_as_current_span(
            "seenby.request", extract(carrier), trace.SpanKind.SERVER, attributes
        ) as span:

            async def noting_status(message: Message) -> None:
                if message["type"] == "http.response.start":
                    span.set_attribute("http.response.status_code", message["status"])
                await send(message)

            await self._app(scope, receive, noting_status)


def attributes_of(fields: Mapping[str, Any]) -> dict[str, str | int | float | bool]:
    """Return the fields of an event's line that an attribute can hold."""
    known = vars(logging.LogRecord("", 0, "", 0, "", None, None)).keys() | {"message", "asctime", "taskName"}
    return {
        name: value
        for name, value in fields.items()
        if name not in known and isinstance(value, str | int | float | bool)
    }
