"""Several companies measure at once through one service: every run completes, and no connection runs out.

SEENBY_LOAD_COMPANIES makes it larger, SEENBY_LOAD_WORKERS lets so many worker processes execute; `make stress` does.
"""

import asyncio
import json
import os
import sys
import time
from collections import Counter
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from storage.database import Database
from storage.repositories.brands import BrandDraft
from storage.repositories.prompt_sets import PromptSetDraft
from storage.repositories.prompts import PromptDraft
from tests.in_full import in_full
from tests.workflows.conftest import House, OpenHouse, Talker
from tests.zygote import fork_worker
from workflows.agents.catalog import AGENTS

NOW = datetime.now(UTC)
COMPANIES, RUNS = int(os.environ.get("SEENBY_LOAD_COMPANIES", "4")), 6
WORKERS = int(os.environ.get("SEENBY_LOAD_WORKERS", "0"))
MOST_SECONDS = 50 * COMPANIES
ENGINE_SECONDS = 0.25
MOST_WAITED = 0.2
"""Seconds, for a read beside the runs, at the 99th percentile."""
PROFILE: dict[str, Any] = {
    "industry": None,
    "website": None,
    "voice": None,
    "keywords": [],
    "target_audience": None,
}


async def found_companies(database: Database, count: int) -> list[str]:
    """Make companies on the scale plan, each with a brand, a competitor and one prompt."""
    companies: list[str] = []
    for number in range(count):
        async with database.operation() as operators:
            email = f"load-{number}@example.com"
            company = await operators.companies.create(f"load-{number}", email, "scale", NOW)
        async with database.transaction(company.id) as workspace:
            brand = await workspace.brands.save(BrandDraft("Acme"), [BrandDraft("Globex")], PROFILE, NOW)
            prompts = PromptSetDraft("Buyers", (PromptDraft("Which shop is worth its price?"),))
            await workspace.prompt_sets.save(brand.key, prompts, NOW)
        companies.append(company.id)
    return companies


async def start_runs(house: House, companies: list[str]) -> dict[str, str]:
    """Start every company's runs; return their companies by run."""
    owners: dict[str, str] = {}
    for company in companies:
        for _ in range(RUNS):
            async with house.database.transaction(company) as writing:
                started = await house.desk.start(writing, "competitive_scan", None, now=datetime.now(UTC))
            owners[started.run_id] = company
    return owners


async def agent_endings(database: Database, owners: Mapping[str, str]) -> Counter[tuple[str, str | None]]:
    """Wait until every run has ended; count its agents' endings except those that have no site to read."""
    endings: Counter[tuple[str, str | None]] = Counter()
    for run_id, company in owners.items():
        workspace = database.workspace(company)
        run = await workspace.runs.find(run_id)
        while run is not None and run.live:
            await asyncio.sleep(0.1)
            run = await workspace.runs.find(run_id)
        assert run is not None
        agents = await workspace.run_agents.all(run.key)
        endings.update(
            (agent.status, agent.error_code) for agent in agents if agent.agent != "competitor_site_scanner"
        )
    return endings


@asynccontextmanager
async def executing(house: House, address: str, talker: Talker, folder: Path) -> AsyncGenerator[None]:
    """Execute runs in this process, or in workers of their own; a SQLite file has one process that does."""
    if not WORKERS or address.startswith("sqlite"):
        async with house.working(AGENTS):
            yield
        return
    environ = {
        **os.environ,
        "SEENBY_DATABASE_URL": address,
        "SEENBY_DATA_DIR": str(folder),
        "SEENBY_ENGINE_COMPATIBLE": json.dumps([talker.entry]),
    }
    workers = [fork_worker(environ, folder) for _ in range(WORKERS)]
    try:
        yield
    finally:
        for worker in workers:
            worker.terminate()
        await asyncio.gather(*(worker.wait() for worker in workers))


async def read(servers: list[House], waits: list[float]) -> None:
    """Read through each server again and again, as callers do while others measure."""
    while True:
        for server in servers:
            started = time.perf_counter()
            assert (await server.call("get_credits"))["plan"] == "growth"
            waits.append(time.perf_counter() - started)
        await asyncio.sleep(0.02)


@pytest.mark.parametrize("address", ["sqlite", pytest.param("postgresql", marks=in_full)], indirect=True)
@pytest.mark.timeout(MOST_SECONDS + 40)
async def test_companies_with_six_runs_each_complete_together(
    address: str,
    open_house: OpenHouse,
    talker: Talker,
    tmp_path: Path,
    pytestconfig: pytest.Config,
) -> None:
    talker.script = lambda asked: "1. Globex is known for that."
    talker.seconds = ENGINE_SECONDS
    house = await open_house(address, talker.settings)
    other = await open_house(address, talker.settings)
    owners = await start_runs(house, await found_companies(house.database, COMPANIES))
    waits: list[float] = []
    async with executing(house, address, talker, tmp_path), asyncio.timeout(MOST_SECONDS):
        reading = asyncio.create_task(read([house, other], waits))
        endings = await agent_endings(house.database, owners)
        assert not reading.done(), reading.exception()
        reading.cancel()
    waits.sort()
    # Not by capsys, whose streams the durable engine's log would keep when they are closed.
    capture: Any = pytestconfig.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        sys.stdout.write(
            f"\n{address.split(':')[0]}: {len(owners)} runs of {COMPANIES} companies, {WORKERS} workers: "
            f"p99 of {len(waits)} reads {waits[len(waits) * 99 // 100] * 1000:.0f} ms\n"
        )
    assert endings == {("completed", None): 5 * len(owners)}
    assert len(talker.asked) == 3 * len(owners)
    if WORKERS:  # beside other tests the machine is not the service's own
        assert waits[len(waits) * 99 // 100] < MOST_WAITED
