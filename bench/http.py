"""HTTP throughput and latency of the service that people run, beside what they would pick instead.

`python -m bench http` serves a real database with `seenby serve`, on SQLite and on PostgreSQL: keys, limits, log and
metrics are on. `--processes=4` serves with four; `--cores` leaves their placing to the system, for larger machines.
"""

import argparse
import asyncio
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from bench.deployment import DATABASES, Deployment, deployment
from bench.peers.installed import fastmcp_command, typescript_command

ROUNDS = 5
SECONDS = 3.0
WARM_UP_SECONDS = 0.5
"""Before it is measured each target is asked so long, or as long as one round when that is shorter."""
CONNECTIONS = 16
PATIENCE_SECONDS = 120.0
LIST = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
MCP, REST = "/mcp", "/api/mcp-app/rest/"


@dataclass(frozen=True)
class Target:
    """One way to ask one server; `keys` are taken in turn."""

    name: str
    server: str
    path: str
    body: str
    keys: Sequence[str] = ()


@dataclass(frozen=True)
class Promise:
    """A figure that is to be at least so many times a peer's, in the same run."""

    target: str
    peer: str
    least: float


@dataclass
class Process:
    """A server that is up."""

    port: int
    process: subprocess.Popen[bytes]
    peak_bytes: int = 0

    def memory(self) -> int:
        """Add up the resident memory of the server and its children, in bytes, and keep the highest sum."""
        parent = psutil.Process(self.process.pid)
        family = [parent, *parent.children(recursive=True)]
        resident = sum(member.memory_info().rss for member in family)
        self.peak_bytes = max(self.peak_bytes, resident)
        return resident


PROMISES: Mapping[str, Sequence[Promise]] = {
    "sqlite": (
        Promise("mcp get_credits", "sdk", 3.0),
        Promise("mcp get_ai_visibility_score", "sdk", 1.2),
    ),
    "postgresql": (
        Promise("mcp get_credits", "sdk", 1.7),
        Promise("mcp get_ai_visibility_score", "sdk", 0.6),
    ),
}


@dataclass(frozen=True)
class Results:
    """The measurements: one row per target, the promised ratios, and how the servers were placed."""

    placing: str
    rows: Mapping[str, Mapping[str, float]]
    ratios: Sequence[tuple[Promise, float]]
    """Each promise with its ratio."""

    def report(self) -> str:
        """Return a readable table with the promises below it."""
        lines = [self.placing]
        lines += [
            f"{name:44} {row['rps']:9.0f} rps   p50 {row['p50_ms']:7.2f} ms   p99 {row['p99_ms']:7.2f} ms"
            f"   {row['peak_mib']:6.1f} MiB   {row['failures']:.0f} failed"
            for name, row in self.rows.items()
        ]
        for promise, ratio in self.ratios:
            kept = "" if ratio >= promise.least else "  NOT KEPT"
            lines.append(
                f"{promise.target:44} {ratio:9.2f} of {promise.peer} (at least {promise.least}){kept}"
            )
        return "\n".join(lines)


def call(tool: str, arguments: Mapping[str, Any]) -> str:
    """Return the request body of an MCP tool call."""
    params = {"name": tool, "arguments": arguments}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})


def service_targets(kind: str, served: Deployment) -> Iterator[Target]:
    """Yield the targets of the real service, which checks the key and reads the result for each call."""
    for tool, arguments in served.calls.items():
        yield Target(f"{kind}: mcp {tool}", kind, MCP, call(tool, arguments), served.keys)
        yield Target(f"{kind}: rest {tool}", kind, REST + tool, json.dumps(arguments), served.keys)
    yield Target(f"{kind}: tools/list", kind, MCP, LIST, served.keys)


def peers(listing_bytes: int) -> tuple[dict[str, Sequence[str]], list[Target]]:
    """Return the start commands and targets of the peers to compare with. Skips peers that are not installed."""
    small = call("get_credits", {})
    python = (sys.executable, "-m", "bench.peers.servers")
    commands: dict[str, Sequence[str]] = {
        "starlette": (*python, "echo", "{descriptor}"),
        "sdk": (*python, "sdk", "{descriptor}"),
        "edge": (*python, "edge", "{descriptor}"),
    }
    targets = [
        Target("starlette", "starlette", "/echo", small),
        Target("starlette, bytes of tools/list", "starlette", f"/bytes/{listing_bytes}", LIST),
        Target("sdk", "sdk", MCP, small),
        Target("edge alone, without a database", "edge", MCP, small, [f"key-{n}" for n in range(64)]),
    ]
    for name, command in (("fastmcp", fastmcp_command()), ("typescript sdk", typescript_command())):
        if command is None:
            print(f"{name} is not here: its smallest server is left out", flush=True)
            continue
        commands[name] = command
        targets.append(Target(name, name, MCP, small))
    return commands, targets


async def run(
    kinds: Sequence[str] = tuple(DATABASES),
    *,
    rounds: int = ROUNDS,
    seconds: float = SECONDS,
    processes: int = 1,
    pinned: bool = True,
    brands: int = 50,
) -> dict[str, Results]:
    """Measure the service on each kind of database beside its peers.

    Each target is asked in turn, `rounds` times over, so that a slow minute of the machine hits all alike. The servers
    share one core and the generator has another, unless there are several processes or one core alone.
    """
    measured: dict[str, Results] = {}
    for kind in kinds:
        async with deployment(kind, processes, brands) as served:
            measured[kind] = await asyncio.to_thread(
                compare, kind, served, rounds, seconds, processes, pinned
            )
    return measured


def compare(
    kind: str, served: Deployment, rounds: int, seconds: float, processes: int, pinned: bool
) -> Results:
    """Measure one deployment beside its peers."""
    apart = pinned and processes == 1 and len(cores()) > 1
    with ExitStack() as stack:
        service = stack.enter_context(served_by(served.command, apart))
        commands, targets = peers(_listing_bytes(service, served))
        up = {name: stack.enter_context(served_by(command, apart)) for name, command in commands.items()}
        up[kind] = service
        targets += service_targets(kind, served)
        for target in targets:
            load(target, up[target.server], min(WARM_UP_SECONDS, seconds), apart)
        samples: dict[str, list[dict[str, Any]]] = {target.name: [] for target in targets}
        for _ in range(rounds):
            for target in targets:
                samples[target.name].append(load(target, up[target.server], seconds, apart))
        rows = {
            target.name: _summary(samples[target.name], up[target.server].peak_bytes) for target in targets
        }
    placing = f"{len(cores())} cores; {processes} process(es)" + (
        "; servers on one core, load generator on another" if apart else "; placed by the system"
    )
    ratios = [
        (promise, rows[f"{kind}: {promise.target}"]["rps"] / rows[promise.peer]["rps"])
        for promise in PROMISES[kind]
    ]
    return Results(f"{placing}; {CONNECTIONS} connections", rows, ratios)


def _listing_bytes(service: Process, served: Deployment) -> int:
    target = Target("tools/list", "", MCP, LIST, served.keys[:1])
    return int(load(target, service, 0.2, False)["bytes"])


def _summary(samples: Sequence[dict[str, Any]], peak_bytes: int) -> dict[str, float]:
    middle = {
        name: statistics.median(sample[name] for sample in samples) for name in ("rps", "p50_ms", "p99_ms")
    }
    failures = sum(sample["failures"] for sample in samples)
    return {**middle, "peak_mib": peak_bytes / 2**20, "failures": failures}


def load(target: Target, process: Process, seconds: float, apart: bool) -> dict[str, Any]:
    """Ask a server one thing for so many seconds, from a process of its own; `apart` puts it on another core."""
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
        command,
        input=json.dumps(asked),
        text=True,
        capture_output=True,
        check=True,
        preexec_fn=_on_core(1) if apart else None,
    )
    process.memory()
    return json.loads(done.stdout)


@contextmanager
def served_by(command: Sequence[str], apart: bool) -> Generator[Process]:
    """Lend a server that is up, on a core of its own where it stands `apart`."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port, descriptor = listener.getsockname()[1], listener.fileno()
        inherits = any("{descriptor}" in part for part in command)
        filled = [
            part.replace("{descriptor}", str(descriptor)).replace("{port}", str(port)) for part in command
        ]
        if not inherits:
            listener.close()
        with subprocess.Popen(
            filled,
            pass_fds=[descriptor] if inherits else [],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=_on_core(0) if apart else None,
        ) as process:
            try:
                _wait_until_up(port, process)
                yield Process(port, process)
            finally:
                process.send_signal(signal.SIGTERM)


def _wait_until_up(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
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


def cores() -> list[int]:
    """Return the cores that this process may use."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def _on_core(number: int) -> Any:
    core = cores()[number]
    return lambda: os.sched_setaffinity(0, {core})


def main() -> None:
    """Entry point of `python -m bench http`."""
    parser = argparse.ArgumentParser(prog=f"{Path(sys.argv[0]).name} http")
    parser.add_argument("--on", choices=tuple(DATABASES), help="one kind of database; both without it")
    parser.add_argument(
        "--processes", type=int, default=1, help="processes that serve; PostgreSQL and Redis alone"
    )
    parser.add_argument("--cores", action="store_true", help="let the system place the processes")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    options = parser.parse_args()
    kinds = [options.on] if options.on else ["postgresql"] if options.processes > 1 else list(DATABASES)
    results = asyncio.run(
        run(
            kinds,
            rounds=options.rounds,
            seconds=options.seconds,
            processes=options.processes,
            pinned=not options.cores,
        )
    )
    for kind, figures in results.items():
        print(f"-- {kind}\n{figures.report()}", flush=True)


if __name__ == "__main__":
    main()
