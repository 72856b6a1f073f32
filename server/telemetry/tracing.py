"""OpenTelemetry: a span and a measurement of each event, for whichever SDK and exporter the operator installed."""

import logging
from collections.abc import Mapping
from typing import Any, Final

from opentelemetry import metrics, trace

from server.telemetry.event_metrics import COUNTERS, EVENTS

NANOSECONDS: Final = 1_000_000_000


class EventSpans(logging.Handler):
    """Makes a span of each event that took time: it ends when its line is written."""

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
        counter = COUNTERS.get(event)
        if counter is None:
            return
        labels = {label: str(fields.get(label)) for label in counter.labels}
        self._count.add(1, {"event": event, **labels})
        duration = fields.get("duration_ms")
        if not isinstance(duration, int | float):
            return
        self._duration.record(duration, {"event": event, **labels})
        ended = round(record.created * NANOSECONDS)
        span = self._tracer.start_span(
            f"seenby.{event}",
            start_time=ended - round(duration * 1_000_000),
            attributes={f"seenby.{name}": value for name, value in attributes_of(fields).items()},
        )
        if record.levelno >= logging.WARNING:
            span.set_status(trace.StatusCode.ERROR)
        span.end(ended)

    def attach(self) -> None:
        """Begin to export the events of this process."""
        logging.getLogger(EVENTS).addHandler(self)


def attributes_of(fields: Mapping[str, Any]) -> dict[str, str | int | float | bool]:
    """Return the fields of an event's line that an attribute can hold."""
    known = vars(logging.LogRecord("", 0, "", 0, "", None, None)).keys() | {"message", "asctime", "taskName"}
    return {
        name: value
        for name, value in fields.items()
        if name not in known and isinstance(value, str | int | float | bool)
    }
