"""Traces as a collector gets them by OTLP: spans of run, agent, engine call, request and tool call under their parents."""

import threading
from collections.abc import Generator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx2
import pytest

from tests.measurement.conftest import Acme
from tests.server.application.conftest import Workspace, served

TRACE, SENDER = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
"""As the sender of a request names its own span (W3C Trace Context)."""


@dataclass(frozen=True)
class Span:
    """One span that arrived; identifiers in hexadecimal, the parent's empty for a root."""

    name: str
    trace: str
    id: str
    parent: str
    fields: dict[str, str]


@dataclass
class Collector:
    """A collector of OTLP over HTTP that keeps the spans."""

    port: int = 0
    spans: list[Span] = field(default_factory=list[Span])
    metrics: int = 0
    arrived: threading.Condition = field(default_factory=threading.Condition)

    def of(self, name: str, **fields: str) -> list[Span]:
        return [span for span in self.spans if span.name == name and fields.items() <= span.fields.items()]

    def wait_for(self, name: str, **fields: str) -> Span:
        """Return the first span of a name with these fields, as soon as it is there."""
        with self.arrived:
            assert self.arrived.wait_for(lambda: self.of(name, **fields), 60), {s.name for s in self.spans}
            return self.of(name, **fields)[0]

    def take(self, body: bytes) -> None:
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

        message = ExportTraceServiceRequest.FromString(body)
        taken = [
            Span(
                span.name,
                span.trace_id.hex(),
                span.span_id.hex(),
                span.parent_span_id.hex(),
                {
                    attribute.key: attribute.value.string_value or str(attribute.value.int_value)
                    for attribute in span.attributes
                },
            )
            for resource in message.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]
        with self.arrived:
            self.spans += taken
            self.arrived.notify_all()


@pytest.fixture
def collector() -> Generator[Collector]:
    kept = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path == "/v1/traces":
                kept.take(body)
            else:
                kept.metrics += 1
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    kept.port = server.server_address[1]
    serving = threading.Thread(target=server.serve_forever, daemon=True)
    serving.start()
    yield kept
    server.shutdown()
    server.server_close()
    serving.join()


def test_a_collector_sees_spans_under_their_parents(acme: Acme, collector: Collector) -> None:
    key = acme.seenby("keys", "create", "--json").json["key"]
    workspace = Workspace(acme.seenby.environment, acme.seenby.folder, (key,))
    exporting = {
        "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{collector.port}",
        "OTEL_BSP_SCHEDULE_DELAY": "200",
    }
    with served(workspace, **exporting) as server, httpx2.Client(base_url=server.url, timeout=60) as client:

        def call(tool: str, **arguments: object) -> dict[str, str]:
            headers = {**server.authorization, "traceparent": f"00-{TRACE}-{SENDER}-01"}
            answer = client.post(f"/api/mcp-app/rest/{tool}", json=arguments, headers=headers)
            assert answer.status_code == 200, answer.text
            return answer.json()

        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        assert client.post("/mcp", json=ping, headers=server.authorization).json()["result"] == {}
        prompts = [{"text": "Which shoes last longest?"}]
        made = call("create_prompt_set", brandId="Acme", name="Traced", prompts=prompts, platforms=["one"])
        run_id = call("run_prompt_set", promptSetId=made["promptSetId"], repeats=1)["runId"]
        run = collector.wait_for("seenby.run", **{"seenby.run_id": run_id})
        asked = collector.wait_for("seenby.engine_call", **{"seenby.platform": "one"})
    agents = {span.id: span for span in collector.of("seenby.agent", **{"seenby.run_id": run_id})}
    assert agents
    assert run.parent == ""
    assert {(agent.parent, agent.trace) for agent in agents.values()} == {(run.id, run.trace)}
    assert asked.trace == run.trace
    assert asked.parent in agents
    calls = collector.of("seenby.tool_call", **{"seenby.tool": "run_prompt_set"})
    requests = {span.id: span for span in collector.of("seenby.request")}
    (called,) = calls
    request = requests[called.parent]
    assert (request.trace, request.parent) == (TRACE, SENDER)
    assert called.trace == TRACE
    assert {span.fields["http.response.status_code"] for span in requests.values()} == {"200"}
    assert {span.fields["url.path"] for span in requests.values()} >= {
        "/mcp",
        "/api/mcp-app/rest/run_prompt_set",
    }
    assert collector.metrics > 0
