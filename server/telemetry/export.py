"""Starts the export of traces and metrics by OTLP; nothing of OpenTelemetry is loaded where no endpoint is named.

`OTEL_EXPORTER_OTLP_ENDPOINT` and its siblings are the variables of the SDK itself.
"""

from collections.abc import Mapping
from typing import Final

from measurement.errors import WorkError

ENDPOINT: Final = "OTEL_EXPORTER_OTLP_ENDPOINT"


def start_export(environ: Mapping[str, str]) -> bool:
    """Export traces and metrics by OTLP where the operator names an endpoint; tell whether one is named.

    Raises WorkError without the SDK.
    """
    if not environ.get(ENDPOINT):
        return False
    try:
        from opentelemetry import metrics, trace
        from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.metrics import MeterProvider
        from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
        from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
    except ModuleNotFoundError as error:
        raise WorkError(
            f"{ENDPOINT} is set, and the SDK of OpenTelemetry is not installed",
            "Install the extra: pip install 'seenby[otel]'",
        ) from error
    from server.telemetry.tracing import CHOSEN, EventSpans

    class EventIds(RandomIdGenerator):
        """Gives a span the identifiers that were chosen for it, and random ones to any other."""

        def generate_span_id(self) -> int:
            chosen = CHOSEN.get()
            return chosen.span if chosen else super().generate_span_id()

        def generate_trace_id(self) -> int:
            chosen = CHOSEN.get()
            return chosen.trace if chosen else super().generate_trace_id()

    resource = Resource.create({"service.name": environ.get("OTEL_SERVICE_NAME") or "seenby"})
    provider = TracerProvider(resource=resource, id_generator=EventIds())
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    metrics.set_meter_provider(
        MeterProvider(resource=resource, metric_readers=[PeriodicExportingMetricReader(OTLPMetricExporter())])
    )
    EventSpans().attach()
    return True


def stop_export() -> None:
    """Send what waits and export nothing more; it blocks, for long where the collector does not answer."""
    from opentelemetry import metrics, trace

    for provider in (trace.get_tracer_provider(), metrics.get_meter_provider()):
        shutdown = getattr(provider, "shutdown", None)
        if shutdown is not None:  # of the SDK; without it there is nothing to stop
            shutdown()
