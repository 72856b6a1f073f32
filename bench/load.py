"""A load generator: one process, keep-alive connections, one request body, latencies out.

Run as `python -m bench.load` with a JSON object on standard input, as written by `bench.http`.
"""

import asyncio
import json
import sys
import time
from typing import Any

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def drive(asked: dict[str, Any]) -> dict[str, Any]:
    """Send the request over `connections` connections for `seconds`; keys are taken in turn."""
    connections, seconds = int(asked["connections"]), float(asked["seconds"])
    latencies: list[float] = []
    failures = 0
    bytes_received = 0
    keys: list[str] = asked["keys"] or [""]
    requests = [_head(asked, key) + asked["body"].encode() for key in keys]
    opened = [await asyncio.open_connection("127.0.0.1", asked["port"]) for _ in range(connections)]
    until = time.perf_counter() + seconds

    async def ask(number: int, streams: Streams) -> None:
        nonlocal failures, bytes_received
        turn = number
        while (started := time.perf_counter()) < until:
            succeeded, bytes_received = await _exchange(streams, requests[turn % len(requests)])
            latencies.append(time.perf_counter() - started)
            failures += not succeeded
            turn += connections

    began = time.perf_counter()
    await asyncio.gather(*(ask(number, streams) for number, streams in enumerate(opened)))
    took = time.perf_counter() - began
    for _, writer in opened:
        writer.close()
    latencies.sort()
    return {
        "rps": len(latencies) / took,
        "p50_ms": 1000 * latencies[len(latencies) // 2],
        "p99_ms": 1000 * latencies[int(len(latencies) * 0.99)],
        "requests": len(latencies),
        "failures": failures,
        "bytes": bytes_received,
    }


def _head(asked: dict[str, Any], key: str) -> bytes:
    lines = [
        f"POST {asked['path']} HTTP/1.1",
        f"Host: 127.0.0.1:{asked['port']}",
        "Accept: application/json, text/event-stream",
        "Content-Type: application/json",
        "MCP-Protocol-Version: 2025-06-18",
        f"Content-Length: {len(asked['body'].encode())}",
    ]
    if key:
        lines.append(f"Authorization: Bearer {key}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


async def _exchange(streams: Streams, request: bytes) -> tuple[bool, int]:
    """Send a request; return whether it succeeded, and the length of the body that came back."""
    reader, writer = streams
    writer.write(request)
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = int(head.partition(b"content-length:")[2].split(b"\r\n", 1)[0])
    body = await reader.readexactly(length)
    return head.startswith(b"http/1.1 200") and b'"isError":true' not in body, length


def main() -> None:
    """Read what to do, do it, write what came of it."""
    asked = json.load(sys.stdin)
    try:
        import uvloop
    except ImportError:
        figures = asyncio.run(drive(asked))
    else:
        figures = uvloop.run(drive(asked))
    json.dump(figures, sys.stdout)


if __name__ == "__main__":
    main()
