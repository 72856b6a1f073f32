"""HTTP throughput and latency of the service, beside bare Starlette and the SDK's smallest server."""

import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import psutil

from bench.servers import KEYS

ROUNDS = 5
SECONDS = 3.0
CONNECTIONS = 16
CALL = json.dumps(
    {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get_credits", "arguments": {}}}
)
LIST = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
TOOLS_CALL_FLOOR = 2.0
REST_FLOOR = 0.35


@dataclass(frozen=True)
class Target:
    """One way to ask one server; `keys` are taken in turn."""

    name: str
    server: str
    path: str
    body: str
    keys: Sequence[str] = ()


@dataclass(frozen=True)
class Service:
    """The server under test: a command that serves on `{port}`, or on an inherited `{descriptor}`."""

    command: Sequence[str]
    keys: Sequence[str]
    tool: str = "get_credits"


FIXTURE = Service(
    command=(sys.executable, "-m", "bench.servers", "seenby", "{descriptor}"),
    keys=tuple(f"key-{number}" for number in range(KEYS)),
)


@dataclass
class Process:
    """A server that is up."""

    port: int
    process: subprocess.Popen[bytes]
    peak_bytes: int = 0

    def note_memory(self) -> None:
        """Add up the resident memory of the server and its children, and keep the highest."""
        parent = psutil.Process(self.process.pid)
        family = [parent, *parent.children(recursive=True)]
        self.peak_bytes = max(self.peak_bytes, sum(family.memory_info().rss for family in family))


def run(
    service: Service = FIXTURE, *, rounds: int = ROUNDS, seconds: float = SECONDS
) -> dict[str, dict[str, Any]]:
    """Ask all four in turn, `rounds` times over, so that a slow minute of the machine hits all alike.

    Returns for each target the median rps, p50 and p99 in milliseconds, peak memory in MiB and the
    failures, and under `ratios` tools/call to the SDK's server and REST to bare Starlette. The
    servers share one core, the generator has another; with one core alone nothing is pinned.
    """
    arguments = json.dumps(
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": service.tool, "arguments": {}}}
    )
    targets = [
        Target("starlette echo", "echo", "/echo", CALL),
        Target("sdk tools/call", "sdk", "/mcp", CALL),
        Target("seenby tools/call", "seenby", "/mcp", arguments, service.keys),
        Target("seenby rest", "seenby", f"/api/mcp-app/rest/{service.tool}", "{}", service.keys),
        Target("seenby tools/list", "seenby", "/mcp", LIST, service.keys),
    ]
    commands = {
        name: (sys.executable, "-m", "bench.servers", name, "{descriptor}") for name in ("echo", "sdk")
    } | {"seenby": tuple(service.command)}
    with ExitStack() as stack:
        up = {name: stack.enter_context(_served(command)) for name, command in commands.items()}
        for target in targets:
            _load(target, up[target.server], 0.5)
        samples: dict[str, list[dict[str, Any]]] = {target.name: [] for target in targets}
        for _ in range(rounds):
            for target in targets:
                samples[target.name].append(_load(target, up[target.server], seconds))
        results = {
            target.name: _summary(samples[target.name], up[target.server].peak_bytes) for target in targets
        }
    results["ratios"] = {
        "tools/call to sdk": results["seenby tools/call"]["rps"] / results["sdk tools/call"]["rps"],
        "rest to starlette": results["seenby rest"]["rps"] / results["starlette echo"]["rps"],
    }
    return results


def _summary(samples: Sequence[dict[str, Any]], peak_bytes: int) -> dict[str, Any]:
    middle = {
        name: statistics.median(sample[name] for sample in samples) for name in ("rps", "p50_ms", "p99_ms")
    }
    failures = sum(sample["failures"] for sample in samples)
    return {**middle, "peak_mib": peak_bytes / 2**20, "failures": failures}


def _load(target: Target, process: Process, seconds: float) -> dict[str, Any]:
    asked = {
        "port": process.port,
        "path": target.path,
        "body": target.body,
        "keys": list(target.keys),
        "connections": CONNECTIONS,
        "seconds": seconds,
    }
    command = [sys.executable, "-m", "bench.load"]
    done = subprocess.run(
        command, input=json.dumps(asked), text=True, capture_output=True, check=True, preexec_fn=_on_core(1)
    )
    process.note_memory()
    return json.loads(done.stdout)


@contextmanager
def _served(command: Sequence[str]) -> Generator[Process]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port, descriptor = listener.getsockname()[1], listener.fileno()
        inherits = any("{descriptor}" in part for part in command)
        filled = [part.format(descriptor=descriptor, port=port) for part in command]
        if not inherits:
            listener.close()
        with subprocess.Popen(
            filled,
            pass_fds=[descriptor] if inherits else [],
            stderr=subprocess.DEVNULL,
            preexec_fn=_on_core(0),
        ) as process:
            _wait_until_up(port, process)
            yield Process(port, process)
            process.send_signal(signal.SIGINT)


def _wait_until_up(port: int, process: subprocess.Popen[bytes], patience_seconds: float = 60) -> None:
    deadline = time.monotonic() + patience_seconds
    request = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
                connection.sendall(request)
                if connection.recv(1):
                    return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"the server on port {port} did not come up")


def _on_core(number: int) -> Any:
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    if len(cores) < 2:
        return None
    return lambda: os.sched_setaffinity(0, {cores[number]})


def report(results: dict[str, dict[str, Any]]) -> str:
    """Write the results as a table for people, with the core count they were measured on."""
    lines = [f"{os.cpu_count()} cores; server on one, load generator on another; {CONNECTIONS} connections"]
    for name, row in results.items():
        if name != "ratios":
            lines.append(
                f"{name:20} {row['rps']:9.0f} rps   p50 {row['p50_ms']:7.2f} ms   p99 {row['p99_ms']:7.2f} ms"
                f"   {row['peak_mib']:6.1f} MiB   {row['failures']} failed"
            )
    floors = {"tools/call to sdk": TOOLS_CALL_FLOOR, "rest to starlette": REST_FLOOR}
    lines += [
        f"{name:20} {ratio:9.2f} (at least {floors[name]})" for name, ratio in results["ratios"].items()
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    print(report(run()))
