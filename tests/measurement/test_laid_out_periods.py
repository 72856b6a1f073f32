"""Results of whole days: made once, and anew when one of the days is laid out anew or a prompt is asked otherwise."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from analytics.metric_names import MetricName
from measurement.brand_identity import identify
from measurement.daily_metrics import WantedMetrics, load_laid_out_metrics
from measurement.period_comparison import compare_periods
from measurement.prompt_results import period_before, prompt_results
from storage.database import Database
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.batch_cells import DayDocuments
from storage.repositories.brands import Brand
from storage.statements.tables.prompts import prompts
from storage.workspace import Workspace
from tests.server.application.conftest import load_history

NOW = datetime(2100, 1, 1, tzinfo=UTC)
Make = Callable[[Workspace, Brand, AnswerFilter], Awaitable[object]]


@pytest.fixture(scope="module")
def market(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of the demo's history: 8 weeks, three engines, two countries, a change, an outage."""
    return load_history(tmp_path_factory).folder / "data" / "seenby.db"


@pytest.fixture
async def database(market: Path) -> AsyncGenerator[Database]:
    database = await Database.open(f"sqlite+aiosqlite:///{market}")
    yield database
    await database.close()


@pytest.fixture
async def workspace(database: Database) -> Workspace:
    (company,) = await database.operators.companies.all()
    return database.workspace(company.id)


async def newest_weeks(workspace: Workspace, brand: Brand) -> AnswerFilter:
    """The two weeks that end with the day of the newest batch."""
    (newest,) = await workspace.batches.successful(brand.key, NOW, 1)
    assert newest.finished_at is not None
    end = newest.finished_at.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    return AnswerFilter(since=end - timedelta(days=14), until=end)


async def compare(workspace: Workspace, brand: Brand, chosen: AnswerFilter) -> object:
    return await compare_periods(workspace, brand, period_before(chosen), chosen, None)


async def rate(workspace: Workspace, brand: Brand, chosen: AnswerFilter) -> object:
    return await prompt_results(workspace, brand, chosen, period_before(chosen))


async def measure(workspace: Workspace, brand: Brand, chosen: AnswerFilter) -> object:
    identity = await identify(workspace, brand)
    wanted = WantedMetrics(own=tuple(MetricName))
    return await load_laid_out_metrics(workspace, identity, chosen, wanted)


@pytest.mark.parametrize("make", [compare, rate, measure])
async def test_results_of_days_are_made_anew_when_one_of_them_is_laid_out_anew(
    database: Database, workspace: Workspace, make: Make
) -> None:
    (brand,) = await workspace.brands.all()
    assert brand.revision_key is not None
    chosen = await newest_weeks(workspace, brand)
    newest, older, *_ = await workspace.batches.successful(brand.key, NOW, 2)
    stood, stands = [
        await workspace.batch_cells.of_batch(brand.revision_key, batch.key) for batch in (older, newest)
    ]

    async def lay_out(revision_key: int, documents: Mapping[date, DayDocuments]) -> None:
        async with database.transaction(workspace.company_id) as writing:
            await writing.batch_cells.replace(revision_key, newest.key, documents)

    before = await make(workspace, brand, chosen)
    async with database.transaction(workspace.company_id) as writing:
        await writing.prompts.standalone("Is this one asked as well?", None, NOW)
    assert await make(workspace, brand, chosen) == before
    await lay_out(brand.revision_key, stood)
    assert await make(workspace, brand, chosen) != before
    await lay_out(brand.revision_key, stands)
    assert await make(workspace, brand, chosen) == before


@pytest.mark.parametrize("make", [compare, rate, measure])
async def test_results_of_the_prompts_with_a_tag_follow_the_tags_of_prompts(
    database: Database, workspace: Workspace, make: Make
) -> None:
    (brand,) = await workspace.brands.all()
    tags, _ = await workspace.prompts.labels()
    chosen = replace(await newest_weeks(workspace, brand), tag=sorted(tags)[0])
    before = await make(workspace, brand, chosen)
    asked = await workspace.prompt_results.asked(brand.key)
    tagged = next(prompt for prompt in asked if chosen.tag in prompt.tags)
    for tags_of_one, is_same in (([], False), (list(tagged.tags), True)):
        async with database.writing() as connection:
            await connection.execute(
                update(prompts).where(prompts.c.id == tagged.id).values(tags=tags_of_one)
            )
        assert (await make(workspace, brand, chosen) == before) is is_same
