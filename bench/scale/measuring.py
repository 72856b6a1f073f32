"""`python -m bench scale`: two sizes of one market on one kind of database, side by side, held to what was promised."""

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from mcp.types import ListToolsResult
from sqlalchemy import Connection, text

from bench.scale.building import Builder, counted
from bench.scale.calls import AROUND, DEEP, Served, Timings, mentions_of, read_all, read_deep
from bench.scale.ingesting import Ingest, ingest
from bench.scale.market import FULL, HUNDREDTH, TENTH, TENTH_OF_TENTH, Panel, Size
from bench.scale.places import PLACES, Place
from server.service import Service, open_service
from server.settings import Settings
from storage.database import Database
from tools.calls.dispatch import Dispatcher
from tools.calls.result_size import LARGEST_RESULT

SEED = 7
CALLS = 200
INGESTED_DAYS = 2
MOST_GROWTH, MOST_DEEPER, MOST_INGEST_MS = 1.3, 1.2, 2.0
"""Times the p95 of the small size, times the median of the first page, and milliseconds of one more answer."""
SLOWEST = 3
"""Times the most that a median may be, for the p95."""
MOST_LISTED, MOST_LISTING_MS, LISTINGS = 40 * 1024, 1.0, 100
PAIRS: Mapping[str, tuple[Size, Size]] = {"full": (HUNDREDTH, FULL), "tenth": (TENTH_OF_TENTH, TENTH)}
MOST_MEDIAN = {"sqlite": 3.0, "postgresql": 5.0}
"""Milliseconds of a tool; a snapshot, which is five of them in one, may take twice as much."""
MOST_BYTES = {"sqlite": 4_500, "postgresql": 5_500}
"""Bytes on disk for each answer, with all that hangs on it."""
TABLES = ("answers", "mentions", "citations", "run_batches", "simulations", "daily_rollups", "metric_points")


def bytes_of(connection: Connection, place: Place) -> int:
    """Return the database's size on disk in bytes."""
    if place.path is not None:
        connection.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))
        return place.path.stat().st_size
    return int(connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one())


def tidy(connection: Connection) -> None:
    """Vacuum and analyze PostgreSQL, as its autovacuum would do eventually. SQLite has no equivalent."""
    if connection.dialect.name == "postgresql":
        connection.execution_options(isolation_level="AUTOCOMMIT").execute(text("VACUUM ANALYZE"))


@asynccontextmanager
async def serving(url: str, folder: str | None = None, *, remembers: bool = False) -> AsyncGenerator[Service]:
    """Open the whole service on a database, and create the schema if it is missing.

    The result cache is off unless `remembers` is set, because cached results say nothing about read performance.
    """
    with tempfile.TemporaryDirectory(prefix="seenby-bench-", dir=folder) as data:
        environ = {"SEENBY_DATA_DIR": data, "SEENBY_DATABASE_URL": url}
        if not remembers:
            environ["SEENBY_RESULT_CACHE_MEGABYTES"] = "0"
        async with open_service(Settings.from_environ(environ)) as service:
            yield service


@dataclass(frozen=True, slots=True)
class Listed:
    """The list of all tools: its size in bytes and the CPU milliseconds to serve it."""

    tools: int
    bytes: int
    milliseconds: float


def list_tools(dispatcher: Dispatcher) -> Listed:
    """Serve the list of all tools repeatedly."""
    listing = ListToolsResult(tools=[row.wire_tool() for row in dispatcher.table.values()])
    written = listing.model_dump_json(by_alias=True, exclude_none=True).encode()
    began = time.process_time()
    for _ in range(LISTINGS):
        listing.model_dump_json(by_alias=True, exclude_none=True)
    spent = (time.process_time() - began) * 1000 / LISTINGS
    return Listed(len(dispatcher.table), len(written), spent)


@dataclass(frozen=True, slots=True)
class Result:
    """Everything that was measured; `deep` is by offset, the first page first, `disk` in bytes for each answer."""

    kind: str
    small: str
    large: str
    tools: Mapping[str, Mapping[str, Timings]]
    deep: Mapping[int, Timings]
    ingested: Mapping[str, Sequence[Ingest]]
    listed: Listed
    disk: Mapping[str, float]
    remembered: Timings | None = None
    """The first page again and again, as a server tells it that keeps results until something is committed."""

    @property
    def broken(self) -> list[str]:
        """Return every promise that these figures do not keep."""
        faults: list[str] = []
        for tool, timings in self.tools.items():
            slow, before = timings[self.large].quantile(0.95), timings[self.small].quantile(0.95)
            median = timings[self.large].quantile(0.5)
            most = MOST_MEDIAN[self.kind] * (2 if tool == "get_brand_snapshot" else 1)
            if median >= most:
                faults.append(f"{tool}: p50 {median:.1f} ms, not under {most:.0f} ms")
            if slow >= SLOWEST * most:
                faults.append(f"{tool}: p95 {slow:.1f} ms, not under {SLOWEST * most:.0f} ms")
            largest = max(timed.largest for timed in timings.values())
            if largest > LARGEST_RESULT:
                faults.append(f"{tool}: an answer of {largest:,} bytes, not at most {LARGEST_RESULT:,}")
            if slow > MOST_GROWTH * before:
                faults.append(f"{tool}: p95 grew {slow / before:.2f} times, not at most {MOST_GROWTH}")
        first, deepest = (timings.quantile(0.5) for timings in self.deep.values())
        if deepest > MOST_DEEPER * first:
            faults.append(
                f"a deep page costs {deepest / first:.2f} times the first, not at most {MOST_DEEPER}"
            )
        if self.listed.bytes > MOST_LISTED:
            faults.append(f"tools/list: {self.listed.bytes:,} bytes, not at most {MOST_LISTED:,}")
        if self.listed.milliseconds >= MOST_LISTING_MS:
            faults.append(
                f"tools/list: {self.listed.milliseconds:.2f} ms, not under {MOST_LISTING_MS:.0f} ms"
            )
        for name, ingested in self.ingested.items():
            milliseconds = per_answer(ingested)
            if milliseconds >= MOST_INGEST_MS:
                faults.append(
                    f"{name}: an answer costs {milliseconds:.1f} ms, not under {MOST_INGEST_MS:.0f} ms"
                )
        if self.disk[self.large] > MOST_BYTES[self.kind]:
            faults.append(
                f"{self.disk[self.large]:,.0f} bytes for each answer, not at most {MOST_BYTES[self.kind]:,}"
            )
        return faults


def per_answer(ingested: Sequence[Ingest]) -> float:
    """Return the median cost of one answer in milliseconds."""
    return statistics.median(ingest.answer for ingest in ingested)


async def measure(
    kind: str, sizes: tuple[Size, Size], folder: str | None, calls: int, *, keep: bool = False
) -> Result:
    """Build both sizes, call every read tool on both, then ingest into both; `keep` leaves the databases."""
    async with AsyncExitStack() as stack:
        ready: list[Served] = []
        places = [
            await stack.enter_async_context(PLACES[kind](folder, size.name, keep=keep)) for size in sizes
        ]
        disk: dict[str, float] = {}
        for size, place in zip(sizes, places, strict=True):
            service = await stack.enter_async_context(serving(place.url, folder))
            built = await Builder(service.database, size, SEED, datetime.now(UTC).date()).build()
            await service.database.refresh_statistics()  # as a server does each night
            print(f"   {size.name}: built in {built.seconds:.0f} s", flush=True)
            disk[size.name] = await asyncio.to_thread(describe, service.database, place)
            ready.append(Served(size.name, service.database, service.dispatcher, built))
        result = await measured(kind, ready, calls, sizes[1].large, disk)
        keeping = await stack.enter_async_context(serving(places[-1].url, folder, remembers=True))
        told = Served("cached", keeping.database, keeping.dispatcher, ready[-1].built)
        return replace(result, remembered=(await read_deep(told, (0,), calls, SEED))[0])


async def measured(
    kind: str, ready: Sequence[Served], calls: int, panel: Panel, disk: Mapping[str, float]
) -> Result:
    """Measure databases that are built, the smaller first; a batch of `panel` is ingested into both."""
    small, large = ready
    tools = await read_all(ready, calls, SEED)
    deepest = min(DEEP, await mentions_of(large) - 2 * AROUND)
    deep = await read_deep(large, (0, deepest), calls, SEED)
    ingested = {one.name: await ingest(one.database, one.built, SEED, INGESTED_DAYS, panel) for one in ready}
    return Result(kind, small.name, large.name, tools, deep, ingested, list_tools(large.dispatcher), disk)


def describe(database: Database, place: Place) -> float:
    """Print how many rows there are; return how many bytes one answer takes on disk with all that hangs on it."""
    with database.synchronous_engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        tidy(connection)
        rows = counted(connection, *TABLES)
        size = bytes_of(connection, place)
    print("   " + ", ".join(f"{count:,} {name}" for name, count in rows.items()))
    bytes_each = size / rows["answers"]
    print(f"   {size / 1e9:.2f} GB, {bytes_each:,.0f} bytes for each answer", flush=True)
    return bytes_each


def report(result: Result) -> str:
    """Write the figures as a table for people."""
    small, large = result.small, result.large
    lines = [
        f"{result.kind}, {os.cpu_count()} cores, server time in ms of one caller at a time",
        f"{'':28} {small + ' p50':>15} {'p95':>7} {large + ' p50':>15} {'p95':>7} {'ratio':>6}"
        f" {'cpu p50':>8} {'p95':>8} {'bytes':>8} {'bytes':>8} {'largest':>8}",
    ]
    for tool, timings in result.tools.items():
        before, after = timings[small], timings[large]
        ratio = after.quantile(0.95) / before.quantile(0.95)
        lines.append(
            f"{tool:28} {before.quantile(0.5):15.2f} {before.quantile(0.95):7.2f}"
            f" {after.quantile(0.5):15.2f} {after.quantile(0.95):7.2f} {ratio:6.2f}"
            f" {after.processor_quantile(0.5):8.2f} {after.processor_quantile(0.95):8.2f}"
            f" {before.bytes:8,.0f} {after.bytes:8,.0f}"
            f" {max(before.largest, after.largest):8,}"
        )
    for offset, timings in result.deep.items():
        lines.append(
            f"get_brand_mentions at offset {offset:>9,}: p50 {timings.quantile(0.5):.2f} ms,"
            f" p95 {timings.quantile(0.95):.2f} ms, of the processor {timings.processor_quantile(0.5):.2f} ms"
        )
    if result.remembered is not None:
        again = result.remembered.quantile(0.5)
        lines.append(f"the first page from the cache while nothing is committed: p50 {again:.2f} ms")
    for name, ingested in result.ingested.items():
        calculation = statistics.median(ingest.calculation for ingest in ingested)
        lines.append(
            f"one more answer, {name}: {per_answer(ingested):.2f} ms to extract, store and roll up;"
            f" {calculation:.2f} ms of its batch's calculation"
        )
    largest = max(
        (timed.largest for timings in result.tools.values() for timed in timings.values()), default=0
    )
    lines.append(f"the largest result of {len(result.tools)} tools: {largest:,} bytes of {LARGEST_RESULT:,}")
    listed = result.listed
    lines.append(
        f"tools/list: {listed.tools} tools, {listed.bytes:,} bytes of {MOST_LISTED:,}, {listed.milliseconds:.4f} ms"
    )
    lines += [f"NOT KEPT: {fault}" for fault in result.broken] or ["every promise is kept"]
    return "\n".join(lines)


def run(
    pair: str, kinds: Sequence[str], folder: str | None = None, calls: int = CALLS, *, keep: bool = False
) -> bool:
    """Measure and print; True when every promise is kept on every kind of database."""
    kept = True
    for kind in kinds:
        print(f"   {kind}: building {' and '.join(size.name for size in PAIRS[pair])}", flush=True)
        result = asyncio.run(measure(kind, PAIRS[pair], folder, calls, keep=keep))
        print(report(result), flush=True)
        kept = kept and not result.broken
    return kept


def main() -> None:
    """Entry point of `python -m bench scale`: a tenth, on SQLite."""
    run("tenth", ("sqlite",), calls=100)


def main_of_all() -> int:
    """Entry point of `python -m bench scale`: the whole size, on both kinds; 1 when a promise is not kept."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--size", choices=PAIRS, default="full")
    arguments.add_argument("--on", choices=PLACES, action="append", help="one kind only; may be repeated")
    arguments.add_argument("--folder", help="where SQLite files are written; 20 GB for the full size")
    arguments.add_argument("--calls", type=int, default=CALLS)
    arguments.add_argument("--keep", action="store_true", help="leave the databases for a second look")
    options = arguments.parse_args()
    kinds = options.on or list(PLACES)
    return 0 if run(options.size, kinds, options.folder, options.calls, keep=options.keep) else 1


if __name__ == "__main__":
    sys.exit(main_of_all())
