"""Operator endpoints: liveness, readiness and metrics."""

import logging
import os
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, TypeAlias

import anyio
from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

log = logging.getLogger(__name__)

Check: TypeAlias = Callable[[], Awaitable[object]]
"""Checks one dependency of the service. Raises when it does not answer."""


class NotReady(Exception):
    """A dependency answers but reports that it is not ready. Logged without a traceback."""

    def __init__(self, reason: str, outcome: str = "failed") -> None:
        """`outcome` is what `/readyz` shows for the check."""
        super().__init__(reason)
        self.outcome = outcome


CHECK_SECONDS = 2.0
MULTIPROCESS_FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The variable of prometheus_client that names where processes share their counters."""
_LATENCIES = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


def probe_routes(checks: Mapping[str, Check], spared: Mapping[str, Check] | None = None) -> list[Route]:
    """Return the probe routes: `/healthz` for the process, `/readyz` for its dependencies, each within two seconds.

    The service keeps running, degraded, without the `spared` dependencies. For example, calls are then counted in each
    process alone.
    """
    every = {**checks, **(spared or {})}

    async def healthz(request: Request) -> Response:
        return JSONResponse({"status": "ok"}, headers=_NOT_KEPT)

    async def readyz(request: Request) -> Response:
        outcomes = await _run(every)
        failed = {name for name, outcome in outcomes.items() if outcome != "ok"}
        ready = not failed & checks.keys()
        status = "unavailable" if not ready else "degraded" if failed else "ready"
        body = {"status": status, "checks": outcomes}
        return JSONResponse(body, status_code=200 if ready else 503, headers=_NOT_KEPT)

    return [Route("/healthz", healthz), Route("/readyz", readyz)]


async def _run(checks: Mapping[str, Check]) -> dict[str, str]:
    outcomes = dict.fromkeys(checks, "failed")

    async def run_check(name: str, check: Check) -> None:
        try:
            with anyio.fail_after(CHECK_SECONDS):
                await check()
            outcomes[name] = "ok"
        except NotReady as reason:
            outcomes[name] = reason.outcome
            log.warning("readiness check %s failed: %s", name, reason)
        except Exception:
            log.warning("readiness check %s failed", name, exc_info=True)

    async with anyio.create_task_group() as group:
        for name, check in checks.items():
            group.start_soon(run_check, name, check)
    return outcomes


_NOT_KEPT = {"Cache-Control": "no-store"}


class Metrics:
    """Counters and latencies of one process in their own registry."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "seenby_http_requests", "HTTP requests answered.", ["method", "status"], registry=self.registry
        )
        self._calls = Counter(
            "seenby_tool_calls", "Tool calls on every surface.", ["tool", "outcome"], registry=self.registry
        )
        self._seconds = Histogram(
            "seenby_tool_call_seconds",
            "Time in dispatch of the calls that were let in.",
            ["tool"],
            buckets=_LATENCIES,
            registry=self.registry,
        )
        # Looking up labels takes a lock and hashes, so the children are cached.
        self._request_children: dict[tuple[str, int], Counter] = {}
        self._call_children: dict[tuple[str, str], Counter] = {}
        self._latency_children: dict[str, Histogram] = {}

    def request(self, method: str, status: int, seconds: float) -> None:
        """Count one HTTP response."""
        method = method if method in _METHODS else "other"
        child = self._request_children.get((method, status))
        if child is None:
            child = self._request_children[method, status] = self._requests.labels(method, str(status))
        child.inc()

    def call(self, tool: str, outcome: str, seconds: float | None) -> None:
        """Count one tool call. `seconds` is None for a call that was not admitted."""
        child = self._call_children.get((tool, outcome))
        if child is None:
            child = self._call_children[tool, outcome] = self._calls.labels(tool, outcome)
        child.inc()
        if seconds is None:
            return
        latency = self._latency_children.get(tool)
        if latency is None:
            latency = self._latency_children[tool] = self._seconds.labels(tool)
        latency.observe(seconds)

    def text(self) -> bytes:
        """Return all metrics in the Prometheus text format: those of all processes that serve one port."""
        if MULTIPROCESS_FOLDER not in os.environ:
            return generate_latest(self.registry)
        registry = CollectorRegistry()
        MultiProcessCollector(registry)
        return generate_latest(registry)

    def route(self) -> Route:
        """Return the route of `/metrics`."""

        async def metrics(request: Request) -> Response:
            return Response(self.text(), headers={"Content-Type": CONTENT_TYPE_LATEST})

        return Route("/metrics", metrics)


_METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS", "DELETE", "PUT", "PATCH"})
