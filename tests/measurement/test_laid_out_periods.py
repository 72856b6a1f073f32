"""Results of whole days: made once, and anew when one of the days is laid out anew or a prompt is asked otherwise."""

import random
import sqlite3
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from analytics.metric_names import MetricName
from measurement.planning.brand_identity import identify
from measurement.statistics.asking_changes import find_model_changes, load_model_changes
from measurement.statistics.cited_sources import cited_sources
from measurement.statistics.daily_metrics import WantedMetrics, load_laid_out_metrics
from measurement.statistics.matching_answers import count_matching
from measurement.statistics.period_comparison import compare_periods
from measurement.statistics.prompt_results import period_before, prompt_results
from storage.database import Database
from storage.repositories.answers.answer_filters import OUTCOMES, AnswerDetail, AnswerFilter
from storage.repositories.answers.answer_pages import SELECTIVE
from storage.repositories.batch_cells import DayDocuments
from storage.repositories.brands import Brand
from storage.tables.prompts import prompts, run_batches
from storage.workspace import Workspace
from tests.measurement.two_ways import some_filters
from tests.server.application.conftest import load_history

VALUES = {
    "platform": "SELECT DISTINCT platform FROM channels WHERE platform <> ''",
    "country": "SELECT DISTINCT country FROM channels WHERE country <> ''",
    "mode": "SELECT DISTINCT mode FROM channels WHERE mode <> ''",
    "prompt_set_id": "SELECT id FROM prompt_sets",
    "prompt_id": "SELECT id FROM prompts WHERE prompt_set_key IS NOT NULL",
}
"""Where the values of each filter stand."""
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


def filters_in(market: Path, how_many: int) -> list[AnswerFilter]:
    """Filters of which most name whole days of the history, and none a tag or an intent."""
    with sqlite3.connect(market) as connection:
        values = {name: [row[0] for row in connection.execute(sql)] for name, sql in VALUES.items()}
        first, last = connection.execute("SELECT min(day), max(day) FROM daily_rollups").fetchone()
    days = [datetime.fromisoformat(day).replace(tzinfo=UTC) for day in (first, last)]
    return some_filters(random.Random(11), values, days[0], days[1], how_many)


@pytest.mark.parametrize("status", ["success", "cancelled"])
async def test_answers_of_published_days_are_counted_once_and_the_rest_each_time(
    database: Database, workspace: Workspace, market: Path, status: str
) -> None:
    (brand,) = await workspace.brands.all()
    assert brand.revision_key is not None
    newest, *_ = await workspace.batches.successful(brand.key, NOW, 1)
    entities = await workspace.brands.entities(brand)
    details = [AnswerDetail(), AnswerDetail(counted=True), AnswerDetail(entity_key=entities[-1].key)]
    outcomes = [None, *sorted(OUTCOMES.keys() - SELECTIVE)]
    chance = random.Random(5)
    async with database.writing() as connection:
        await connection.execute(
            update(run_batches).where(run_batches.c.id == newest.id).values(status=status)
        )
    try:
        filters = [chosen for chosen in filters_in(market, 40) if chosen.prompt_id is None]
        for chosen in filters * 2:
            outcome, detail = chance.choice(outcomes), chance.choice(details)
            counted = await count_matching(workspace, brand, outcome, detail, chosen)
            page = await workspace.answer_pages.page(
                brand.key, brand.revision_key, outcome, chosen, 3, 0, detail
            )
            known = await workspace.answer_pages.page(
                brand.key, brand.revision_key, outcome, chosen, 3, 0, detail, page.total
            )
            assert (counted, known) == (page.total, page), (outcome, detail, chosen)
    finally:
        async with database.writing() as connection:
            same = run_batches.c.id == newest.id
            await connection.execute(update(run_batches).where(same).values(status="success"))


async def test_models_and_sources_of_published_days_are_what_all_their_answers_say(
    workspace: Workspace, market: Path
) -> None:
    (brand,) = await workspace.brands.all()
    assert brand.revision_key is not None
    place = brand.key, brand.revision_key
    changes = 0
    for chosen in filters_in(market, 20) * 2:
        models = await workspace.period_readings.served_models(*place, chosen)
        told = await load_model_changes(workspace, brand, chosen)
        assert told == find_model_changes(models)
        changes += len(told)
        for when in (None, "rival_named_instead"):
            cited = await cited_sources(workspace, brand, chosen, "domain", when, None, None)
            assert cited.measurable == await workspace.source_counts.measurable(*place, chosen, when)
            counts = await workspace.source_counts.domains(*place, chosen, when)
            assert [(source.source, source.answers) for source in cited.sources] == [
                (count.domain, count.answers) for count in counts
            ]
    assert changes


async def test_tags_of_prompts_decide_by_what_they_are_now(workspace: Workspace) -> None:
    (brand,) = await workspace.brands.all()
    assert brand.revision_key is not None
    tags, _ = await workspace.prompts.labels()
    chosen = replace(await newest_weeks(workspace, brand), tag=sorted(tags)[0])
    assert await count_matching(workspace, brand, None, AnswerDetail(), chosen) is None
