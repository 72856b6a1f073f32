"""Results of chosen answers: what publishing laid out says the same as the answers one by one, under every filter."""

import random
import sqlite3
from collections.abc import AsyncGenerator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from storage.database import Database
from storage.workspace import Workspace
from tests.measurement.two_ways import in_two_ways, some_filters
from tests.server.application.conftest import load_history

FILTERS = 60
VALUES = {
    "platform": "SELECT DISTINCT platform FROM channels",
    "country": "SELECT DISTINCT country FROM channels WHERE country <> ''",
    "mode": "SELECT DISTINCT mode FROM channels WHERE mode <> ''",
    "prompt_set_id": "SELECT id FROM prompt_sets",
    "prompt_id": "SELECT id FROM prompts WHERE prompt_set_key IS NOT NULL",
    "tag": "SELECT DISTINCT value FROM prompts, json_each(prompts.tags)",
    "intent": "SELECT DISTINCT intent FROM prompts WHERE intent IS NOT NULL",
}
"""Where the values of each filter stand."""


@pytest.fixture(scope="module")
def market(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of the demo's history: 8 weeks, three engines, two countries, a change, an outage."""
    return load_history(tmp_path_factory).folder / "data" / "seenby.db"


@pytest.fixture
async def workspace(market: Path) -> AsyncGenerator[Workspace]:
    database = await Database.open(f"sqlite+aiosqlite:///{market}")
    (company,) = await database.operators.companies.all()
    yield database.workspace(company.id)
    await database.close()


def values_in(market: Path) -> dict[str, list[Any]]:
    with sqlite3.connect(market) as connection:
        found = {name: [row[0] for row in connection.execute(sql)] for name, sql in VALUES.items()}
    assert all(found.values())
    return found


def days_in(market: Path) -> tuple[datetime, datetime]:
    """The first midnight of the history and the last one."""
    with sqlite3.connect(market) as connection:
        first, last = connection.execute("SELECT min(day), max(day) FROM daily_rollups").fetchone()
    return (
        datetime.fromisoformat(first).replace(tzinfo=UTC),
        datetime.fromisoformat(last).replace(tzinfo=UTC),
    )


async def test_what_publishing_laid_out_says_the_same_as_the_answers_one_by_one(
    workspace: Workspace, market: Path
) -> None:
    (brand,) = await workspace.brands.all()
    first, last = days_in(market)
    measured = 0
    for chosen in some_filters(random.Random(7), values_in(market), first, last, FILTERS):
        laid_out, read = await in_two_ways(workspace, brand, chosen, datetime(2100, 1, 1, tzinfo=UTC))
        assert laid_out == read, chosen
        measured += laid_out is not None
    assert measured > FILTERS / 2
