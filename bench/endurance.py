"""Two minutes at full speed: no call fails, memory stays where it is, and the slowest calls are near the usual ones."""

import argparse
import asyncio
import sys
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.deployment import DATABASES, Deployment, deployment
from bench.http import MCP, Process, Target, call, cores, load, served_by

SECONDS = 120.0
TOOLS = ("get_credits", "get_ai_visibility_score")
SETTLED = 1 / 6
"""From which share of the time on memory may not grow: caches fill before."""
MOST_GROWTH, SLOWEST = 1.05, 5.0
"""Times the memory of a server that has settled, and times the median call, for the 99th percentile."""
LOOK_SECONDS = 0.5


@dataclass(frozen=True)
class Endured:
    """What came of asking one tool over MCP for so long; memory in bytes, once settled and at most after that."""

    tool: str
    rps: float
    p50_ms: float
    p99_ms: float
    failures: int
    settled: int
    highest: int

    @property
    def broken(self) -> list[str]:
        """Return every promise that these figures do not keep."""
        faults: list[str] = []
        if self.failures:
            faults.append(f"{self.failures:,} calls failed")
        if self.highest > MOST_GROWTH * self.settled:
            faults.append(f"memory grew {self.highest / self.settled:.2f} times, not at most {MOST_GROWTH}")
        if self.p99_ms >= SLOWEST * self.p50_ms:
            faults.append(f"p99 is {self.p99_ms / self.p50_ms:.1f} times p50, not under {SLOWEST:.0f}")
        return faults

    def report(self) -> str:
        """Write the figures and what they do not keep."""
        figures = (
            f"{self.tool:28} {self.rps:7.0f} rps   p50 {self.p50_ms:6.2f} ms   p99 {self.p99_ms:6.2f} ms"
            f"   {self.settled / 2**20:6.1f} MiB settled, {self.highest / 2**20:6.1f} at most"
            f"   {self.failures} failed"
        )
        return "\n".join([figures, *(f"   NOT KEPT: {fault}" for fault in self.broken)])


@contextmanager
def watched(process: Process) -> Generator[list[int]]:
    """Look at the memory of a server again and again until the block ends."""
    seen: list[int] = []
    ended = threading.Event()

    def look() -> None:
        while not ended.wait(LOOK_SECONDS):
            seen.append(process.memory())

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        yield seen
    finally:
        ended.set()
        watcher.join()
        seen.append(process.memory())


def endure(served: Deployment, tools: Sequence[str], seconds: float) -> list[Endured]:
    """Ask the real service each tool for so long, one after the other."""
    endured: list[Endured] = []
    apart = len(cores()) > 1
    with served_by(served.command, apart) as process:
        for tool in tools:
            target = Target(tool, "", MCP, call(tool, served.calls[tool]), served.keys)
            with watched(process) as memory:
                figures = load(target, process, seconds, apart)
            settled, *later = memory[int(len(memory) * SETTLED) :]
            endured.append(
                Endured(
                    tool,
                    figures["rps"],
                    figures["p50_ms"],
                    figures["p99_ms"],
                    figures["failures"],
                    settled,
                    max([settled, *later]),
                )
            )
    return endured


async def run(
    kind: str, tools: Sequence[str] = TOOLS, *, seconds: float = SECONDS, brands: int = 50
) -> list[Endured]:
    """Serve one kind of database and ask it for so long."""
    async with deployment(kind, 1, brands) as served:
        return await asyncio.to_thread(endure, served, tools, seconds)


def main() -> None:
    """Entry point of `python -m bench endurance`."""
    parser = argparse.ArgumentParser(prog=f"{Path(sys.argv[0]).name} endurance")
    parser.add_argument("--on", choices=tuple(DATABASES), help="one kind of database; both without it")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    options = parser.parse_args()
    for kind in [options.on] if options.on else list(DATABASES):
        print(f"-- {kind}, {options.seconds:.0f} s each", flush=True)
        for endured in asyncio.run(run(kind, seconds=options.seconds)):
            print(endured.report(), flush=True)


if __name__ == "__main__":
    main()
