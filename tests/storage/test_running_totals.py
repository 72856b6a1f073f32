"""Running totals in storage: what they are named, whose they are, and how they are read."""

import random
from datetime import UTC, date, datetime
from typing import Any

import pytest
from sqlalchemy import Float, bindparam, select, text

from analytics.cell_sums import LOWEST_RANKED, CellSums, prominence_of
from bench.scale.building import Builder, Built
from bench.scale.market import Panel, Size
from storage.database import Database
from storage.queries import Query
from storage.repositories.answers import answer_sums
from storage.repositories.answers.answer_filters import UNFILTERED, AnswerFilter
from storage.repositories.answers.answer_sums import PROMINENCES, UnrankedProminence
from storage.repositories.running_totals import answers_of, period_of, rows_of
from storage.tables.totals import SUMS
from storage.workspace import Workspace

PANELS = Size("few", 2, Panel(12, 4, 2, 1), Panel(5, 2, 2, 1), 1)


def test_the_table_has_the_sums_that_statistics_read() -> None:
    assert CellSums._fields == SUMS
    assert answer_sums.LOWEST_RANKED == LOWEST_RANKED
    ranks = [(*PROMINENCES, *[LOWEST_RANKED] * 30)[rank] for rank in range(40)]
    assert ranks == [prominence_of(rank + 1, 0.0) for rank in range(40)]


async def test_prominence_of_a_position_is_the_same_number_in_every_database(database: Database) -> None:
    chance = random.Random(3)
    positions = [0.0, *(at / 8 for at in range(8)), *(chance.random() for _ in range(300)), 1 - 2**-53]
    query: Query[int] = Query(select(UnrankedProminence(bindparam("position", type_=Float))), int)
    async with database.writing() as connection:
        for position in positions:
            compiled = query.compiled(connection.dialect)
            rows = await connection.exec_driver_sql(
                compiled.sql, tuple(compiled.arguments({"position": position}))
            )
            assert rows.scalar_one() == prominence_of(None, position), position


@pytest.fixture
async def built(database: Database) -> Built:
    """A company with two brands and their answers."""
    return await Builder(database, PANELS, 7, date(2026, 3, 31)).build()


async def revisions_of(workspace: Workspace) -> list[tuple[int, int]]:
    """The brands of a company with their current revisions."""
    found = [(brand.key, brand.revision_key) for brand in await workspace.brands.all()]
    return [(key, revision_key) for key, revision_key in found if revision_key is not None]


async def test_totals_of_another_company_are_neither_read_nor_rebuilt(
    database: Database, built: Built
) -> None:
    own = database.workspace(built.company_id)
    (brand_key, revision_key), (_, other_key) = (await revisions_of(own))[:2]

    async def read(workspace: Workspace, revision_key: int = revision_key) -> list[Any]:
        totals, place = workspace.running_totals, (brand_key, revision_key)
        return [
            await totals.of_days(revision_key, None, None, UNFILTERED, [0]),
            await totals.by_day(revision_key, date(2025, 1, 1), date(2027, 1, 1), UNFILTERED, [0]),
            await totals.of_answers(*place, UNFILTERED, [0]),
            await workspace.channel_days.of_period(revision_key, None, None),
            await workspace.totals_verification.cells(revision_key),
        ]

    before = await read(own)
    assert all(before)
    assert before != await read(own, other_key)
    async with database.operation() as operators:
        stranger = await operators.companies.create("Other", "o@other.example", "scale", datetime.now(UTC))
    assert not any(await read(database.workspace(stranger.id)))
    async with database.transaction(stranger.id) as writing:
        await writing.running_totals.rebuild(brand_key, revision_key)
    assert sorted(map(str, await read(own))) == sorted(map(str, before))


async def test_totals_are_looked_up_by_cell_entity_and_day(database: Database, built: Built) -> None:
    workspace = database.workspace(built.company_id)
    ((brand_key, revision_key), *_) = await revisions_of(workspace)
    values = {"company_id": built.company_id, "brand_key": brand_key, "revision_key": revision_key}
    values |= {"entity_keys": [0, 1], "first": 0, "last": 30_000, "platform": "one", "batch_keys": [1]}
    queries = [query(names) for query in (period_of, rows_of) for names in ((), ("platform",))]
    async with database.writing() as connection:
        explain = "EXPLAIN"
        if connection.dialect.name == "sqlite":
            explain = "EXPLAIN QUERY PLAN"
        else:
            # The planner reads so few rows at once, unless it may not.
            await connection.execute(text("SET LOCAL enable_seqscan = off"))
            await connection.execute(text("SET LOCAL enable_bitmapscan = off"))
        for query in [*queries, answers_of((), True)]:
            compiled = query.compiled(connection.dialect)
            plan = await connection.exec_driver_sql(
                f"{explain} {compiled.sql}", tuple(compiled.arguments(values))
            )
            steps = [str(row[-1]) for row in plan.all()]
            assert not [
                step
                for step in steps
                if step.startswith(("SCAN running_totals", "SCAN latest", "SCAN earlier", "SCAN answers"))
                or "Seq Scan on running_totals" in step
                or "Seq Scan on answers" in step
            ], steps


async def test_nothing_is_found_where_nothing_was_published(database: Database) -> None:
    async with database.operation() as operators:
        company = await operators.companies.create("Shop", "o@shop.example", "scale", datetime.now(UTC))
    async with database.transaction(company.id) as writing:
        await writing.running_totals.rebuild(1, 1)
        assert await writing.running_totals.of_days(1, None, None, UNFILTERED, [0]) == []
        assert await writing.running_totals.of_answers(1, 1, AnswerFilter(platform="one"), [0], [1]) == []
        assert await writing.channel_days.of_batches(1, [1]) == []
