"""What a readiness scan costs: time beyond its own pacing, memory with its parsers, and how hostile sites end."""

import contextlib
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace

import anyio
import psutil

from bench.sites import BASE_URL, HOSTILE, POLICY, Place, dealer, served
from readiness.fetching.errors import ScanFailed
from readiness.scans.scan import Network, Options, scan

AT_ONCE = 20
HOSTS = tuple(f"site{number}.example.com" for number in range(AT_ONCE))
ROUNDS = 5
OVERHEAD_CEILING, TOGETHER_CEILING, HOSTILE_CEILING = 3.0, 500, 200
BUDGET_SECONDS = 90
MB = 1_000_000
STEP = 0.02


@dataclass(frozen=True, slots=True)
class Ended:
    """How one scan ended: seconds, requests, and a score or the reason why there is none."""

    seconds: float
    requests: int
    outcome: str


def measured(place: Place, hosts: Iterable[str]) -> tuple[list[Ended], list[Ended], float]:
    """Scan in a fresh process, first one host alone and then all hosts at once. Also returns peak memory.

    Memory is in MB of 1,000,000 bytes, for the process and its workers. Shared memory counts once (proportional set
    size). A single host is only scanned alone, once.
    """
    order = json.dumps({"place": asdict(place), "hosts": list(hosts)})
    # Without the benchmark as main module, each worker holds what it holds in a server: parsers, no test sites.
    command = [sys.executable, "-c", "from bench.scans import work; work()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(order)
        process.stdin.close()
        watched, most = psutil.Process(process.pid), 0.0
        while not select.select([process.stdout], [], [], STEP)[0]:
            most = max(most, _memory(watched))
        document = json.loads(process.stdout.read())
    alone, at_once = ([Ended(**document) for document in document[part]] for part in ("alone", "together"))
    return alone, at_once, most


def _memory(root: psutil.Process) -> float:
    total = 0
    with contextlib.suppress(psutil.Error):
        for process in (root, *root.children(recursive=True)):
            with contextlib.suppress(psutil.Error):
                total += int(process.memory_full_info().pss)
    return total / MB


async def one(host: str, network: Network) -> Ended:
    """Scan a site without pacing, so that all of its time is ours."""
    began = time.perf_counter()
    policy = replace(POLICY, interval=0)
    try:
        report = await scan(f"https://{host}/", options=Options("", BASE_URL), policy=policy, network=network)
    except ScanFailed as error:
        return Ended(time.perf_counter() - began, 0, error.reason.value)
    unseen = sorted({visit.reason for visit in report.pages if visit.reason})
    score = f"score {report.overall.score}" if report.overall.score is not None else "no overall score"
    words = f"{score}; unseen: {', '.join(unseen) or 'nothing'}"
    return Ended(time.perf_counter() - began, report.budget.requests, words)


async def together(hosts: list[str], network: Network) -> list[Ended]:
    """Scan all of them at once."""
    ended: list[Ended] = []

    async def note(host: str) -> None:
        ended.append(await one(host, network))

    async with anyio.create_task_group() as group:
        for host in hosts:
            group.start_soon(note, host)
    return ended


async def ordered(place: Place, hosts: list[str]) -> dict[str, list[Ended]]:
    """Do what `measured` asked for."""
    network = place.network()
    first = await one(hosts[0], network)
    if len(hosts) == 1:
        return {"alone": [first], "together": []}
    alone = [await one(hosts[0], network) for _ in range(ROUNDS)]
    return {"alone": alone, "together": await together(hosts, network)}


def hostile(names: Iterable[str] = HOSTILE) -> Iterator[tuple[str, Ended, float]]:
    """Scan each hostile site alone; yields its name, how its scan ended, and peak memory."""
    hosts = {name: f"hostile{number}.example.com" for number, name in enumerate(names)}
    with served({host: HOSTILE[name]() for name, host in hosts.items()}) as place:
        for name, host in hosts.items():
            alone, _, most = measured(place, [host])
            yield name, alone[0], most


def main() -> None:
    """Measure and print."""
    with served({host: dealer() for host in HOSTS}) as place:
        alone, at_once, most = measured(place, HOSTS)
    slowest = max(ended.seconds for ended in at_once)
    middle = sorted(ended.seconds for ended in alone)[ROUNDS // 2]
    print(f"synthetic sites on loopback over TLS, no pacing, {os.cpu_count()} cores")
    print(
        f"  a site of 40 vehicles, median of {ROUNDS}     {middle:6.2f} s, {alone[0].requests} requests "
        f"(under {OVERHEAD_CEILING:.0f} s)"
    )
    print(f"  {AT_ONCE} sites at once                      {slowest:6.2f} s until the last ends")
    print(f"  memory of all, parsers included       {most:6.0f} MB (at most {TOGETHER_CEILING})")
    print(f"hostile sites (each within {BUDGET_SECONDS} s and {HOSTILE_CEILING} MB, parsers included)")
    for name, ended, memory in hostile():
        print(f"  {name:24} {ended.seconds:6.2f} s {memory:5.0f} MB  {ended.outcome}", flush=True)


def work() -> None:
    """Entry point of the process that scans: an order on standard input, what came of it on standard output."""
    order = json.loads(sys.stdin.read())
    ports = {int(asked): served for asked, served in order["place"]["ports"].items()}
    done = anyio.run(ordered, Place(ports, order["place"]["authority"]), order["hosts"])
    print(json.dumps({part: [asdict(ended) for ended in all_ended] for part, all_ended in done.items()}))
