"""Several companies measure at once through one service: every run completes, and no connection runs out."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from storage.database import Database
from storage.repositories.brands import BrandDraft
from storage.repositories.prompt_sets import PromptDraft, PromptSetDraft
from tests.workflows.conftest import House, OpenHouse, Talker
from workflows.agents import AGENTS

NOW = datetime.now(UTC)
COMPANIES, RUNS = 4, 6
ENGINE_SECONDS = 0.25
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


@pytest.mark.timeout(240)
async def test_four_companies_with_six_runs_each_complete_together(
    address: str, open_house: OpenHouse, talker: Talker
) -> None:
    talker.script = lambda asked: "1. Globex is known for that."
    talker.seconds = ENGINE_SECONDS
    house = await open_house(address, talker.settings)
    owners = await start_runs(house, await found_companies(house.database, COMPANIES))
    async with house.working(AGENTS), asyncio.timeout(200):
        endings = await agent_endings(house.database, owners)
    assert endings == {("completed", None): 5 * len(owners)}
    assert len(talker.asked) == 3 * len(owners)
