"""Starts the export of traces and metrics by OTLP; nothing of OpenTelemetry is loaded where no endpoint is named.

`OTEL_EXPORTER_OTLP_ENDPOINT` and its siblings are the variables of the SDK itself.
"""

from collections.abc import Mapping
from typing import Final

from measurement.errors import WorkError

ENDPOINT: Final = "OTEL_EXPORTER_OTLP_ENDPOINT"


def start_export(environ: Mapping[str, str]) -> None:
    """Export traces and metrics by OTLP where the operator names an endpoint. Raises WorkError without the SDK."""
    if not environ.get(ENDPOINT):
        return
    try:
        from opentelemetry import metrics, trace
        from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.metrics import MeterProvider
        from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ModuleNotFoundError as error:
        raise WorkError(
            f"{ENDPOINT} is set, and the SDK of OpenTelemetry is not installed",
            "Install the extra: pip install 'seenby[otel]'",
        ) from error
    from server.telemetry.tracing import EventSpans

    resource = Resource.create({"service.name": environ.get("OTEL_SERVICE_NAME") or "seenby"})
    provider = TracerProvider(resource=resource)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    metrics.set_meter_provider(
        MeterProvider(resource=resource, metric_readers=[PeriodicExportingMetricReader(OTLPMetricExporter())])
    )
    EventSpans().attach()
