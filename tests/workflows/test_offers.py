"""What list_workflows offers to a company of many brands."""

from pathlib import Path
from typing import Any

import pytest

from engines.settings import EngineSettings
from storage.queries import Query
from storage.readers import SqliteReaders
from storage.repositories.brands import BrandDraft
from tests.workflows.conftest import House, OpenHouse, Talker, now
from workflows.workflow_definitions import WORKFLOWS

PROFILE: dict[str, Any] = dict.fromkeys(("industry", "website", "voice", "target_audience")) | {
    "keywords": []
}


async def follow(house: House, name: str, prompts: int) -> None:
    """Save a brand whose own prompt set asks so many prompts, three times each."""
    async with house.database.transaction(house.company_id) as workspace:
        await workspace.brands.save(BrandDraft(name), [], PROFILE, now())
    texts = [{"text": f"{name} {number}?"} for number in range(prompts)]
    await house.call("create_prompt_set", name=f"About {name}", brandId=name, prompts=texts)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every statement that is read on SQLite while the test runs."""
    sent: list[str] = []
    fetch = SqliteReaders.fetch

    async def noted(self: SqliteReaders, query: Query[Any], values: Any) -> Any:
        sent.append(query.compiled(self.dialect).sql)
        return await fetch(self, query, values)

    monkeypatch.setattr(SqliteReaders, "fetch", noted)
    return sent


async def test_many_brands_cost_no_more_reads(
    tmp_path: Path, open_house: OpenHouse, talker: Talker, reads: list[str]
) -> None:
    house = await open_house(f"sqlite+aiosqlite:///{tmp_path / 'seenby.db'}", talker.settings)

    async def offered() -> tuple[int, int]:
        reads.clear()
        listed = (await house.call("list_workflows"))["workflows"]
        assert [one["id"] for one in listed] == list(WORKFLOWS)
        assert sum("FROM workflow_runs" in sql for sql in reads) == 1  # how long runs of all workflows took
        return next(one["creditCost"] for one in listed if one["id"] == "competitive_scan"), len(reads)

    none, before = await offered()
    for number in range(8):
        await follow(house, f"brand {number}", prompts=2)
    await follow(house, "dear", prompts=20)
    dearest, after = await offered()
    # Sixty calls, one credit for each ten begun.
    assert dearest == none + 6
    assert after == before > 0


async def test_a_prompt_with_its_own_country_is_counted_once(tmp_path: Path, open_house: OpenHouse) -> None:
    engines = EngineSettings.from_environ({"SEENBY_ENGINE_OPENAI_API_KEY": "never-asked"})
    house = await open_house(f"sqlite+aiosqlite:///{tmp_path / 'seenby.db'}", engines)
    placed = [{"text": f"Which garage number {number}?", "country": "FR"} for number in range(5)]
    await house.call(
        "create_prompt_set",
        name="Places",
        brandId="Acme",
        prompts=[*placed, {"text": "Which garage?"}],
        platforms=["chatgpt"],
        mode="readiness",
        repeats=2,
        countries=["DE", "AT", "US"],
    )
    workspace = house.database.workspace(house.company_id)
    (brand,) = await workspace.brands.all()
    # Five questions from one country and one from three, twice each: sixteen calls, a credit and one for each ten begun.
    prices = await house.desk.pricing.prices(workspace, brand, ("answer_prober",))
    assert prices == [("answer_prober", 3)]
