"""Prometheus counters that are made of the events' lines, so that a line and its metric never disagree."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram

EVENTS: Final = "seenby.events"
"""The logger of structured events; the message of a line is the event's name, its fields are the record's own."""


@dataclass(frozen=True, slots=True)
class EventCounter:
    """How lines of one event are counted: under which name, by which of their fields."""

    name: str
    meaning: str
    labels: tuple[str, ...]


COUNTERS: Final[Mapping[str, EventCounter]] = {
    "run": EventCounter("seenby_runs_ended", "Runs that ended.", ("workflow", "status")),
    "agent": EventCounter("seenby_agents_ended", "Agents of runs that ended.", ("agent", "status")),
    "measurement": EventCounter("seenby_measurements", "Measurements that were published.", ("source",)),
    "engine_call": EventCounter(
        "seenby_engine_calls", "Questions put to engines, by what came of them.", ("platform", "outcome")
    ),
    "schedule": EventCounter("seenby_schedule_looks", "Checks for due schedules.", ("source", "outcome")),
    "import": EventCounter("seenby_imports", "Files that were taken in.", ("what",)),
    "slow_read": EventCounter("seenby_slow_reads", "Reads that held up the event loop for over 2 ms.", ()),
    "monitor": EventCounter("seenby_monitor_looks", "Checks by monitors.", ("script", "status")),
    "scan": EventCounter("seenby_scans", "Readiness scans that ended.", ("outcome",)),
    "notification": EventCounter(
        "seenby_notifications", "Notifications that were raised.", ("kind", "severity")
    ),
    "webhook": EventCounter("seenby_webhooks", "Attempts to deliver to a webhook.", ("state", "outcome")),
    "webhook_disabled": EventCounter(
        "seenby_webhooks_disabled", "Webhooks that were switched off, by the last outcome.", ("outcome",)
    ),
    "mail": EventCounter("seenby_mails", "Attempts to deliver a mail.", ("mail_kind", "state", "outcome")),
}
SECONDS: Final = (0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800)


class EventMetrics(logging.Handler):
    """Counts each event as its line is written; lines of other loggers never come here."""

    def __init__(self, registry: CollectorRegistry) -> None:
        super().__init__(logging.DEBUG)
        self._counters = {
            event: Counter(counter.name, counter.meaning, counter.labels, registry=registry)
            for event, counter in COUNTERS.items()
        }
        self._seconds = Histogram(
            "seenby_event_seconds", "How long it took.", ["event"], buckets=SECONDS, registry=registry
        )
        self._tokens = Counter(
            "seenby_engine_tokens",
            "Tokens that engines reported.",
            ["platform", "direction"],
            registry=registry,
        )
        self._cost = Counter(
            "seenby_engine_cost",
            "What answers cost, where a price is known.",
            ["platform", "currency"],
            registry=registry,
        )

    def emit(self, record: logging.LogRecord) -> None:
        """Count one event; one that is not in the table is a line only."""
        event, fields = record.getMessage(), record.__dict__
        counter = COUNTERS.get(event)
        if counter is None:
            return
        counted = self._counters[event]
        if counter.labels:
            counted = counted.labels(*(str(fields.get(label)) for label in counter.labels))
        counted.inc()
        if "duration_ms" in fields:
            self._seconds.labels(event).observe(fields["duration_ms"] / 1000)
        if event == "engine_call":
            self._count_usage(fields)

    def _count_usage(self, fields: Mapping[str, object]) -> None:
        platform = str(fields["platform"])
        for direction in ("input", "output"):
            tokens = fields.get(f"{direction}_tokens")
            if isinstance(tokens, int):
                self._tokens.labels(platform, direction).inc(tokens)
        cost = fields.get("cost")
        if isinstance(cost, float):
            self._cost.labels(platform, str(fields["currency"])).inc(cost)

    def attach(self) -> None:
        """Begin to count the events of this process, those that are written when debugging only too."""
        events = logging.getLogger(EVENTS)
        for handler in list(events.handlers):
            if isinstance(handler, EventMetrics):
                events.removeHandler(handler)  # of a service that this process had before
        events.setLevel(logging.DEBUG)
        events.addHandler(self)
