"""A server and a worker on PostgreSQL while connections, processes and the clock fail: afterwards every book is true.

SEENBY_STORM_SECONDS makes it longer; `make stress` does.
"""

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path

import pytest

from storage.database import Database
from storage.repositories.brands import BrandDraft
from storage.repositories.repository_items import ItemDraft
from tests.workflows.conftest import Talker
from tests.workflows.storm import (
    ANSWERS,
    COMPANIES,
    PROFILE,
    all_runs,
    hold_to_their_books,
    now,
    storming,
    why_runs_failed,
    write_or_judge,
)

SECONDS = float(os.environ.get("SEENBY_STORM_SECONDS", "20"))
ENDS_WITHIN = 150
REASONS = frozenset(
    {"timeout", "provider_unavailable", "provider_error", "invalid_response", "database_busy", "run_timeout"}
)
"""What a run may fail of here: an engine that is cut off or stalls, a database that is away for more than a minute, and
a process that was started while the clock was an hour ahead, to which all runs are old."""


@pytest.mark.timeout(900)
@pytest.mark.parametrize("address", ["postgresql"], indirect=True)
async def test_a_storm_loses_doubles_and_charges_nothing_twice(
    address: str, talker: Talker, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    talker.script = write_or_judge
    talker.seconds = 0.1
    begun = now()
    async with storming(address, talker, tmp_path, SECONDS) as storm:
        callers = [
            asyncio.create_task(work(company))
            for company in storm.keys
            for work in (storm.start_runs, storm.read)
        ]
        await storm.harm()
        storm.over.set()
        await asyncio.gather(*callers)
        database = await Database.open(address)
        try:
            async with asyncio.timeout(ENDS_WITHIN):
                while any(run.live for _, run in (await all_runs(database, list(storm.keys))).values()):
                    await asyncio.sleep(0.5)
            runs = await all_runs(database, list(storm.keys))
            await hold_to_their_books(database, runs, begun)
            reasons = await why_runs_failed(database, runs)
        finally:
            await database.close()
    asks = Counter(talker.asked)
    with capsys.disabled():
        sys.stdout.write(
            f"\n{sum(storm.faults.values())} faults {dict(storm.faults)}; {len(runs)} runs "
            f"{dict(Counter(run.status for _, run in runs.values()))}, failures {dict(reasons)}; "
            f"answers {dict(storm.told)}, {storm.full} starts beyond the plan's runs; "
            f"{len(talker.asked)} asks of {len(asks)} questions\n"
        )
    assert set(storm.told) <= ANSWERS, storm.told
    assert set(reasons) <= REASONS, reasons
    # A repeated start is the start it repeats; the last one of each company may have been given up by its caller.
    assert len(set(storm.started.values())) == len(storm.started) > 0
    assert set(storm.started.values()) <= set(runs)
    assert len(runs) <= len(storm.started) + COMPANIES


@pytest.fixture
def small_disk(tmp_path: Path) -> Generator[Path]:
    """A file system of 12 MB."""
    folder = tmp_path / "small"
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", str(folder)], capture_output=True
    )
    if made.returncode != 0:
        pytest.skip("a small file system can only be mounted by root")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


async def test_a_full_disk_refuses_writes_and_harms_nothing(furnished_file: Path, small_disk: Path) -> None:
    shutil.copy(furnished_file, small_disk / "seenby.db")
    database = await Database.open(f"sqlite+aiosqlite:///{small_disk / 'seenby.db'}")
    async with database.operation() as operators:
        company = (await operators.companies.create("ours", "ours@example.com", "growth", now())).id
    async with database.transaction(company) as workspace:
        brand = await workspace.brands.save(BrandDraft("Zentrix"), [], PROFILE, now())
    filler = small_disk / "filler"
    with filler.open("wb", buffering=0) as written, suppress(OSError):
        while written.write(bytes(4096)):
            pass

    async def write(number: int) -> None:
        async with database.transaction(company) as workspace:
            draft = ItemDraft(f"Item {number}", "word " * 4000, "faq")
            await workspace.repository_items.save(brand.key, [draft], now())

    failures = await asyncio.gather(*(write(number) for number in range(8)), return_exceptions=True)
    assert all(type(one).__name__ in FULL for one in failures if one is not None), failures
    assert any(failures)
    # What can be read stays readable, and writing goes on as soon as there is room.
    assert len(await database.workspace(company).brands.all()) == 1
    filler.unlink()
    await write(100)
    items, total = await database.workspace(company).repository_items.page(brand.key, None, 20, 0)
    assert total == 1 + sum(one is None for one in failures)
    assert all(one.body == "word " * 4000 for one in items)
    await database.close()
    with sqlite3.connect(small_disk / "seenby.db") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


FULL = frozenset({"DatabaseUnavailable", "DatabaseBusy"})
"""Failures that a caller is told as `unavailable, repeat`."""
