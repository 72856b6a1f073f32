"""Results of chosen answers: what publishing laid out says the same as the answers one by one, under every filter."""

import random
import sqlite3
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from analytics.metric_names import MetricName
from analytics.observation import Channel
from measurement.planning.brand_identity import identify
from measurement.publication.days import LaidOutDay, read_day
from measurement.publication.kept_results import KeptResults
from measurement.publication.readings import AlikeReading
from measurement.publication.said import ReadWords
from measurement.statistics.choices import Choice
from measurement.statistics.daily import CountedDay
from measurement.statistics.daily_metrics import WantedMetrics, load_answered_metrics, load_laid_out_metrics
from measurement.statistics.filtered_results import filtered_results
from measurement.statistics.kept_days import kept_day
from storage.database import Database
from storage.repositories.answers.answer_filters import AnswerFilter
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


async def test_a_batch_that_is_laid_out_anew_is_read_anew(workspace: Workspace, market: Path) -> None:
    (brand,) = await workspace.brands.all()
    assert brand.revision_key is not None
    now, chosen = datetime(2100, 1, 1, tzinfo=UTC), AnswerFilter(mode="readiness")
    before = await filtered_results(workspace, brand, chosen, now, "headline")
    assert before is not None
    newest, older, *_ = await workspace.batches.successful(brand.key, now, 2)
    of_newest, of_older = [
        await workspace.batch_cells.of_batch(brand.revision_key, batch.key) for batch in (newest, older)
    ]
    database = await Database.open(f"sqlite+aiosqlite:///{market}")
    try:
        for documents in (of_older, of_newest):
            async with database.transaction(workspace.company_id) as writing:
                await writing.batch_cells.replace(brand.revision_key, newest.key, documents)
            after = await filtered_results(workspace, brand, chosen, now, "headline")
            assert (after == before) is (documents is of_newest)
    finally:
        await database.close()


async def test_days_that_were_read_are_kept_up_to_some_bytes(workspace: Workspace, market: Path) -> None:
    (brand,) = await workspace.brands.all()
    assert brand.revision_key is not None
    first, last = days_in(market)
    stored = await workspace.batch_cells.of_days(brand.key, brand.revision_key, first.date(), last.date())
    room = max(read_day(of_day.day, of_day.cells).size for of_day in stored) * 3
    kept, everything = KeptResults[LaidOutDay](room), Choice(lambda prompt_id, channel: True)
    for of_day in [*stored, *stored]:
        read = kept_day(of_day, kept)
        assert kept_day(of_day, kept) is read
        cells = everything.cells(read)
        assert read.count(cells, Counter()) == read_day(of_day.day, of_day.cells).count(cells, Counter())
        assert 0 < kept.held <= room


def test_a_day_is_recomputed_only_for_new_answers_or_lost_cache() -> None:
    words = ReadWords(True, False, False, "", "", "en", True, False, ())
    readings = [
        AlikeReading((f"prompt {number}", "0" * 64), Channel("chatgpt", "visibility"), words, ())
        for number in range(4)
    ]
    first = CountedDay(date(2026, 3, 1), ((readings[0], 1), (readings[1], 2)), (), (1,))
    other = replace(first, kept=((readings[2], 1), (readings[3], 2)))
    computed: list[str] = []

    def compute(name: str) -> str:
        computed.append(name)
        return name

    kept = KeptResults[str](4)

    def result_of(basis: str, day: CountedDay, make: Callable[[], str]) -> str:
        return kept.result_of((basis, day), day.readings, make)

    assert result_of("ours", first, lambda: compute("a")) == "a"
    assert result_of("ours", replace(first), lambda: compute("never")) == "a"
    assert result_of("theirs", first, lambda: compute("b")) == "b"
    assert result_of("ours", other, lambda: compute("c")) == "c"
    assert kept.held == 4, "what was asked for longest ago has left"
    assert result_of("ours", first, lambda: compute("d")) == "d"
    large = replace(first, kept=tuple((reading, 1) for reading in readings), lost=((readings[0], 1),))
    assert result_of("ours", large, lambda: compute("e")) == "e"
    assert result_of("ours", first, lambda: compute("never")) == "d"
    assert (kept.held, computed) == (4, ["a", "b", "c", "d", "e"]), (
        "a result without room takes no other's place"
    )


async def test_days_show_the_same_as_they_were_laid_out_and_answer_by_answer(
    workspace: Workspace, market: Path
) -> None:
    (brand,) = await workspace.brands.all()
    identity = await identify(workspace, brand)
    first, last = days_in(market)
    measured = 0
    chance = random.Random(11)
    for chosen in some_filters(chance, values_in(market), first, last, FILTERS // 3):
        wanted = WantedMetrics(own=tuple(MetricName), of_competitors=chance.choice(list(MetricName)))
        laid_out = await load_laid_out_metrics(workspace, identity, chosen, wanted)
        assert laid_out == await load_answered_metrics(workspace, identity, chosen, wanted), chosen
        measured += bool(laid_out.days)
    assert measured > FILTERS / 6
