"""A brand whose grace is over goes piece by piece with every row of its own, and with no row of another."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, FromClause, Table, func, insert, select

from bench.scale.building import Builder, Built
from bench.scale.market import Panel, Size
from storage.database import Database
from storage.ids import new_id
from storage.repositories.answers.citations import CitedPage
from storage.repositories.brand_deletion import AT_ONCE
from storage.repositories.prompt_sets import PromptDraft, PromptSetDraft
from storage.tables import metadata
from storage.tables.answers import answers, citations, cited_urls
from storage.tables.brands import analysis_revisions
from storage.tables.prompts import prompt_sets, prompts
from storage.tables.runs import workflow_runs
from storage.tables.totals import cells, channel_days, running_totals
from tests.sqlite_copies import copied, file_of
from workflows.brand_deletion import BrandDeletions, plan_deletion
from workflows.company_deletion import CompanyDeletions, plan_company_deletion

NOW = datetime(2026, 3, 31, 12, tzinfo=UTC)
PANELS = Size("few", 2, Panel(37, 7, 2, 1), Panel(5, 2, 2, 1), 1)
"""Two brands; the first one has more answers than go in one step."""
SET: dict[str, Any] = {"description": None, "schedule": None, "next_run_at": None}


def rows_of(engine: Engine, brand_key: int) -> dict[str, int]:
    """How many rows each table has that name the brand, or a revision of its names."""
    with engine.connect() as connection:

        def count(table: Table, column: str, keys: Any) -> int:
            rows = select(func.count()).select_from(table).where(table.c[column].in_(keys))
            return connection.execute(rows).scalar_one()

        revisions = select(analysis_revisions.c.key).where(analysis_revisions.c.brand_key == brand_key)
        known = connection.execute(revisions).scalars().all()
        own = {
            table: ("brand_key", [brand_key]) for table in metadata.sorted_tables if "brand_key" in table.c
        }
        read = {
            table: ("revision_key", known)
            for table in metadata.sorted_tables
            if "revision_key" in table.c and table not in own
        }
        counted = {table.name: count(table, *chosen) for table, chosen in {**own, **read}.items()}
        of_revisions = select(cells.c.key).where(cells.c.revision_key.in_(known))
        of_cells = connection.execute(of_revisions).scalars().all()
        return {**counted, "running_totals": count(running_totals, "cell_key", of_cells)}


def count_all(engine: Engine, *tables: FromClause) -> list[int]:
    with engine.connect() as connection:
        return [connection.execute(select(func.count()).select_from(table)).scalar_one() for table in tables]


def uncited_pages(engine: Engine) -> list[str]:
    """Addresses that stand in the database though no answer cites them."""
    with engine.connect() as connection:
        cited = select(citations.c.url_key)
        return list(
            connection.execute(select(cited_urls.c.url).where(cited_urls.c.key.not_in(cited))).scalars()
        )


def test_what_refers_to_a_question_is_found_by_an_index() -> None:
    for table in metadata.sorted_tables:
        for column in table.c:
            if any(key.column is prompts.c.key for key in column.foreign_keys):
                firsts = [next(iter(index.columns)) for index in table.indexes]
                firsts.append(next(iter(table.primary_key)))
                assert column in firsts, f"deleting a question reads all of {table.name}"


@dataclass
class FirstMarket:
    """What was built into the first SQLite database, for the tests after that: building takes five seconds."""

    file: Path
    built: Built | None = None


@pytest.fixture(scope="module")
def first_market(tmp_path_factory: pytest.TempPathFactory) -> FirstMarket:
    return FirstMarket(tmp_path_factory.mktemp("market") / "built.db")


@pytest.fixture
async def built(database: Database, url: str, first_market: FirstMarket) -> Built:
    """A company with two brands and their answers."""
    file = file_of(url)
    if file is not None and first_market.built is not None:
        copied(first_market.file, file)
        return first_market.built
    built = await Builder(database, PANELS, 7, date(2026, 3, 31)).build()
    if file is not None:
        copied(file, first_market.file)
        first_market.built = built
    return built


async def test_a_brand_goes_in_bounded_steps_with_all_that_is_its_own(
    database: Database, built: Built
) -> None:
    engine, (large, small) = database.synchronous_engine, built.brands[:2]
    async with database.transaction(built.company_id) as writing:
        await writing.prompt_sets.create(
            large.key, PromptSetDraft("Own", (PromptDraft("Which?"), PromptDraft("Why?"))), SET, NOW
        )
        await writing.prompt_sets.create(small.key, PromptSetDraft("Other", (PromptDraft("Who?"),)), SET, NOW)
        run: dict[str, Any] = {
            **{"id": new_id(), "company_id": built.company_id, "brand_key": large.key},
            **{"workflow": "content_refresh", "status": "completed", "priority": "low"},
            **{"configuration": {}, "cost": 5, "period": "2026-03", "created_at": NOW},
        }
        run_key = await writing.runs._insert(insert(workflow_runs), run)  # pyright: ignore[reportPrivateUsage] # as agents leave it
        await writing.credits.enter("2026-03", run_key, "reserve", 5, NOW)
        await plan_deletion(writing, large, large.name, NOW)
    workspace = database.workspace(built.company_id)
    neighbor, account = rows_of(engine, small.key), await workspace.credits.account("2026-03")
    async with database.transaction(built.company_id) as writing:
        assert await writing.brand_deletion.delete_some(large.key)
    before = PANELS.large.answers * PANELS.large.batches
    assert rows_of(engine, large.key)["answers"] == before - AT_ONCE, "a step is bounded"
    deletions = BrandDeletions(database, lambda: NOW)
    assert await deletions.sweep(NOW + timedelta(days=6)) == 0
    assert rows_of(engine, large.key)["mentions"] > 0
    assert await deletions.sweep(NOW + timedelta(days=7)) == 1
    assert {name: rows for name, rows in rows_of(engine, large.key).items() if rows} == {}
    assert rows_of(engine, small.key) == neighbor
    assert await workspace.credits.account("2026-03") == account
    [left_questions, left_sets] = count_all(engine, prompts, prompt_sets)
    assert left_sets == neighbor["prompt_sets"]
    assert left_questions == len(built.watched[1].prompts) + 1, "in its sets, and as they were imported"
    assert count_all(engine, answers) == [neighbor["answers"]]
    of_periods = (cells, running_totals, channel_days)
    assert count_all(engine, *of_periods) == [neighbor[table.name] for table in of_periods]
    assert neighbor["running_totals"] > neighbor["cells"] > 0
    assert uncited_pages(engine) == [], "what only the brand's answers cited went with them"
    assert count_all(engine, cited_urls) != [0], "what another brand cites stays"
    newest, _ = await workspace.notifications.page(False, 1, 0)
    assert [told.title for told in newest] == [f"{large.name} was deleted"]
    assert await deletions.sweep(NOW + timedelta(days=8)) == 0


async def test_a_company_goes_with_its_brands_when_its_time_has_come(
    database: Database, built: Built
) -> None:
    async with database.transaction(built.company_id) as writing:
        company = await database.operators.companies.find(built.company_id)
        assert company is not None
        await plan_company_deletion(writing, company.name, company.name, NOW)
    deletions = CompanyDeletions(database, lambda: NOW)
    assert await deletions.sweep(NOW + timedelta(days=6)) == 0
    assert await deletions.sweep(NOW + timedelta(days=7)) == 1
    owned = [table for table in metadata.sorted_tables if "company_id" in table.c]
    of_company = [select(table).where(table.c.company_id == built.company_id).subquery() for table in owned]
    assert count_all(database.synchronous_engine, *of_company) == [0] * len(owned)
    assert count_all(database.synchronous_engine, cited_urls) == [0], "addresses and titles too"


async def test_a_page_about_to_be_cited_survives_a_brand_deletion(
    database: Database,
) -> None:
    if database.synchronous_url.startswith("sqlite"):
        pytest.skip("SQLite lets one write at a time")
    built = await Builder(database, PANELS, 7, date(2026, 3, 31)).build()
    large = built.brands[0]
    with database.synchronous_engine.connect() as connection:
        cited = select(cited_urls.c.url, cited_urls.c.title, cited_urls.c.key)
        of_large = select(citations.c.url_key).join(answers, answers.c.key == citations.c.answer_key)
        of_large = of_large.where(answers.c.brand_key == large.key)
        url, title, key = connection.execute(cited.where(cited_urls.c.key.in_(of_large)).limit(1)).one()
    page = CitedPage(url, title)
    async with database.transaction(built.company_id) as citing:
        assert await citing.citations.page_keys([page]) == {page: key}
        async with database.transaction(built.company_id) as deleting:
            while await deleting.brand_deletion.delete_some(large.key):
                pass
    async with database.transaction(built.company_id) as citing:
        assert await citing.citations.page_keys([page]) == {page: key}
