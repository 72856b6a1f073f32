"""Mixed load for a while on each database: no error, and neither memory nor descriptors grow.

SEENBY_SOAK_SECONDS makes it longer; `make stress` does.
"""

import asyncio
import os
import sys
from collections import Counter
from pathlib import Path

import psutil
import pytest

from storage.database import Database
from tests.in_full import in_full
from tests.workflows.conftest import Talker
from tests.workflows.storm import Storm, all_runs, hold_to_their_books, now, storming, write_or_judge

SECONDS = float(os.environ.get("SEENBY_SOAK_SECONDS", "20"))
WARM_SECONDS = min(60.0, SECONDS / 2)
LOOK_SECONDS = 1.0
ENDS_WITHIN = 90
MOST_GROWTH = 1.15 if SECONDS > 100 else 1.4
"""Memory at the end beside that after warming up; a short soak ends while caches still fill."""
MOST_MORE_DESCRIPTORS = 12
MOST_LOG = 20_000_000
"""Bytes of SQLite's write-ahead log, which starts anew at a thousand pages (4 MB) unless a reader holds it up."""


def sizes(storm: Storm) -> dict[str, tuple[int, int]]:
    """Return resident bytes and descriptors of each process of the service."""
    known = {name: psutil.Process(process.pid) for name, process in storm.processes.items()}
    return {name: (process.memory_info().rss, process.num_fds()) for name, process in known.items()}


@pytest.mark.parametrize("address", ["sqlite", pytest.param("postgresql", marks=in_full)], indirect=True)
@pytest.mark.timeout(900)
async def test_under_mixed_load_nothing_fails_and_nothing_grows(
    address: str, talker: Talker, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    talker.script = write_or_judge
    talker.seconds = 0.1
    begun = now()
    roles = ("serve",) if address.startswith("sqlite") else ("serve", "worker")
    async with storming(address, talker, tmp_path, SECONDS, roles) as storm:
        callers = [
            asyncio.create_task(work(company))
            for company in storm.keys
            for work in (storm.start_runs, storm.read)
        ]
        await asyncio.sleep(WARM_SECONDS)
        warm = sizes(storm)
        seen: list[dict[str, tuple[int, int]]] = []
        while (now() - begun).total_seconds() < SECONDS or len(seen) < 5:
            await asyncio.sleep(LOOK_SECONDS)
            seen.append(sizes(storm))
        written = tmp_path / "seenby.db-wal"  # only SQLite has one, and takes it away when it is closed
        log_bytes = written.stat().st_size if address.startswith("sqlite") else 0
        storm.over.set()
        await asyncio.gather(*callers)
        database = await Database.open(address)
        try:
            async with asyncio.timeout(ENDS_WITHIN):
                while any(run.live for _, run in (await all_runs(database, list(storm.keys))).values()):
                    await asyncio.sleep(0.5)
            runs = await all_runs(database, list(storm.keys))
            await hold_to_their_books(database, runs, begun)
        finally:
            await database.close()
    waits = sorted(storm.waits)
    told = {
        name: f"{warm[name][0] / 1e6:.0f} to {last[0] / 1e6:.0f} MB, {warm[name][1]} to {last[1]} descriptors"
        for name, last in seen[-1].items()
    }
    with capsys.disabled():
        sys.stdout.write(
            f"\n{address.split(':')[0]}: {len(runs)} runs {dict(Counter(run.status for _, run in runs.values()))}, "
            f"answers {dict(storm.told)}, p99 of {len(waits)} reads {waits[len(waits) * 99 // 100] * 1000:.0f} ms; {told}; log of {log_bytes / 1e6:.1f} MB\n"
        )
    assert log_bytes < MOST_LOG
    assert set(storm.told) <= {200, 429}
    assert {run.status for _, run in runs.values()} == {"completed"}
    tail = seen[-5:]
    for name, (memory, descriptors) in warm.items():
        assert min(one[name][0] for one in tail) < memory * MOST_GROWTH, name
        assert min(one[name][1] for one in tail) <= descriptors + MOST_MORE_DESCRIPTORS, name
