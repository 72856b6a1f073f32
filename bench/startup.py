"""Measure the time to print help, the time to a desktop client's first answer, and the memory of an idle server.

The last two are compared with the smallest equivalent server of the SDK, which imports no seenby code.
"""

import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import psutil

RUNS = 7
SEENBY = str(Path(sys.executable).with_name("seenby"))
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1"},
    },
}
SMALLEST = """
import anyio
from mcp.server import Server
from mcp.server.stdio import stdio_server

async def main():
    server = Server("smallest")
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())

anyio.run(main)
"""
SMALLEST_HTTP = """
import sys
import uvicorn
from mcp.server.mcpserver import MCPServer

server = MCPServer("smallest", log_level="WARNING")

async def ping() -> str:
    "Answer."
    return "pong"

server.tool()(ping)
app = server.streamable_http_app(json_response=True, stateless_http=True, host="127.0.0.1")
uvicorn.run(app, port=int(sys.argv[1]), log_level="warning")
"""
HELP_CEILING, STDIO_CEILING, MEMORY_CEILING = 0.15, 1.0, 120.0
REST_SECONDS = 15.0
"""Seconds after which a server has started all of its background work."""


def help_seconds(environ: Mapping[str, str]) -> float:
    """Time of one `seenby --help`."""
    started = time.perf_counter()
    subprocess.run([SEENBY, "--help"], env=environ, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def answer_seconds(command: list[str], environ: Mapping[str, str]) -> float:
    """Time from starting a stdio server to its answer to initialize. Raises RuntimeError without one."""
    started = time.perf_counter()
    with subprocess.Popen(
        command, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
        process.stdin.flush()
        line = process.stdout.readline()
        spent = time.perf_counter() - started
        process.stdin.close()
        process.wait(30)
    if b'"result"' not in line:
        raise RuntimeError(f"{command[0]} did not answer initialize")
    return spent


def idle_megabytes(command: list[str], environ: Mapping[str, str]) -> float:
    """Resident memory of an idle server that only got a connection test; `{port}` in its command is filled in."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    filled = [part.replace("{port}", str(port)) for part in command]
    with subprocess.Popen(
        filled, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        while process.poll() is None:
            with socket.socket() as asking:
                if asking.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        time.sleep(REST_SECONDS)
        resident = psutil.Process(process.pid).memory_info().rss
        process.terminate()
    return resident / 2**20


def measure_memory() -> dict[str, float]:
    """Megabytes of `seenby serve` over an empty SQLite file, and of the SDK's smallest HTTP server."""
    with tempfile.TemporaryDirectory() as folder:
        environ = {**os.environ, "SEENBY_DATA_DIR": folder}
        subprocess.run([SEENBY, "migrate"], env=environ, check=True, capture_output=True)
        commands = {
            "seenby serve": [SEENBY, "serve", "--port", "{port}"],
            "smallest": [sys.executable, "-c", SMALLEST_HTTP, "{port}"],
        }
        return {name: idle_megabytes(command, environ) for name, command in commands.items()}


def measure(runs: int = RUNS) -> dict[str, float]:
    """Medians in seconds, in turn, so that a busy moment of the machine hits all of them."""
    with tempfile.TemporaryDirectory() as folder:
        environ = {**os.environ, "SEENBY_DATA_DIR": folder}
        subprocess.run([SEENBY, "migrate"], env=environ, check=True, capture_output=True)
        measured: dict[str, Callable[[], float]] = {
            "seenby --help": lambda: help_seconds(environ),
            "seenby stdio": lambda: answer_seconds([SEENBY, "stdio"], environ),
            "smallest": lambda: answer_seconds([sys.executable, "-c", SMALLEST], environ),
        }
        seconds_by_name: dict[str, list[float]] = {name: [] for name in measured}
        for _ in range(runs):
            for name, once in measured.items():
                seconds_by_name[name].append(once())
    return {name: statistics.median(times) for name, times in seconds_by_name.items()}


def main() -> None:
    """Measure and print."""
    measurements = measure()
    print(f"medians of {RUNS} runs, {os.cpu_count()} cores")
    print(
        f"  seenby --help                      {measurements['seenby --help']:6.3f} s (at most {HELP_CEILING})"
    )
    print(
        f"  seenby stdio, to initialize        {measurements['seenby stdio']:6.3f} s (at most {STDIO_CEILING})"
    )
    print(f"  SDK's smallest stdio server        {measurements['smallest']:6.3f} s")
    megabytes = measure_memory()
    print(
        f"  seenby serve, at rest              {megabytes['seenby serve']:6.1f} MB (at most {MEMORY_CEILING:.0f})"
    )
    print(f"  SDK's smallest HTTP server         {megabytes['smallest']:6.1f} MB")


if __name__ == "__main__":
    main()
