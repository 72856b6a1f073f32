"""What the scale measurement draws is varied, repeatable, and what the pipeline would have stored."""

import hashlib
import json
import shutil
import sqlite3
from collections import Counter
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Row, select, text

from analytics.observation import Channel
from bench.scale.building import Builder, Built, start_of
from bench.scale.calls import Served, Timings, measured_tools, read_all, read_deep, timed
from bench.scale.ingesting import BATCH
from bench.scale.market import Panel, Size
from bench.scale.measuring import Listed, Result, list_tools, measured, report, serving
from bench.scale.places import sqlite as file_of
from measurement.extraction.extract import read_answers
from measurement.extraction.observations import observe
from measurement.planning.brand_identity import identify
from measurement.publication.channel_days import ChannelDayCollector
from storage.database import Database
from storage.repositories.answers.answer_filters import UNFILTERED
from storage.repositories.answers.readings import mention_row, reading_row
from storage.tables import metadata
from storage.tables.totals import channel_days
from storage.workspace import Workspace
from tests.in_full import in_full
from tests.measurement.counted_answers import differing, keyed, seen_answers, sums_of

TODAY = date(2026, 11, 21)
SIZE = Size("trial", 4, Panel(12, 7, 4, 2), Panel(12, 3, 3, 3), 2, varied=True)
PART_DAYS = (1, 2, 1, 1)
"""Batches of each brand on one of its days."""
DAYS = (4, 3, 3, 1)
SEED = 50
"""A market in which some channels are degraded on a day that is written."""


@asynccontextmanager
async def built(url: str, seed: int = SEED) -> AsyncGenerator[Served]:
    async with serving(url) as service:
        market = await Builder(service.database, SIZE, seed, TODAY, days=8).build()
        yield Served("generated", service.database, service.dispatcher, market)


@dataclass
class FirstMarket:
    """What was built into the first SQLite database, for the tests after that: building takes some seconds."""

    path: Path
    market: Built | None = None


@pytest.fixture(scope="module")
def first_market(tmp_path_factory: pytest.TempPathFactory) -> FirstMarket:
    return FirstMarket(tmp_path_factory.mktemp("market") / "built.db")


@pytest.fixture
async def generated(url: str, first_market: FirstMarket) -> AsyncGenerator[Served]:
    if not url.startswith("sqlite"):
        async with built(url) as served:
            yield served
        return
    if first_market.market is None:
        async with built(f"sqlite+aiosqlite:///{first_market.path}") as served:
            first_market.market = served.built
    shutil.copy(first_market.path, url.partition(":///")[2])
    async with serving(url) as service:
        yield Served("generated", service.database, service.dispatcher, first_market.market)


async def said(service: Served, tool: str, number: int, **arguments: Any) -> Any:
    asked = {"brandId": service.built.brands[number].name, **arguments}
    _, outcome = await timed(service, tool, asked)
    return json.loads(outcome.body)


async def rows_of(database: Database, statement: Any) -> Sequence[Row[Any]]:
    async with database.writing() as connection:
        return (await connection.execute(statement)).all()


async def columns_of(database: Database, statement: Any) -> list[dict[str, Any]]:
    async with database.writing() as connection:
        return [dict(row) for row in (await connection.execute(statement)).mappings()]


def digests(path: Path) -> dict[str, str]:
    """Digest the rows of every table."""
    with sqlite3.connect(path) as connection:
        return {
            name: hashlib.sha256(
                repr(connection.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall()).encode()
            ).hexdigest()
            for name in metadata.tables
        }


async def test_the_same_seed_builds_the_same_rows(
    generated: Served, first_market: FirstMarket, tmp_path: Path
) -> None:
    async with built(f"sqlite+aiosqlite:///{tmp_path}/again.db"):
        pass
    first, again = (digests(path) for path in (first_market.path, tmp_path / "again.db"))
    assert first == again


FACETS: Mapping[str, str] = {
    "positions": "SELECT position FROM mentions {} ORDER BY 1",
    "ranks": "SELECT rank, count(*) FROM mentions {} GROUP BY 1 ORDER BY 1",
    "entities": "SELECT entity_key, count(*) FROM mentions {} GROUP BY 1 ORDER BY 1",
    "sources": "SELECT url_key, count(*) FROM citations {} GROUP BY 1 ORDER BY 1",
    "lengths": "SELECT length(text) FROM answer_texts {} ORDER BY 1",
    "domains": "SELECT domains FROM answer_readings {} ORDER BY 1",
}
OF_BATCH = "WHERE answer_key IN (SELECT key FROM answers WHERE batch_key = {})"
BY_PROMPT = (
    "SELECT prompt_key, count(*) FROM answers JOIN mentions ON answer_key = answers.key"
    " WHERE batch_key = {} AND entity_key = 0 GROUP BY 1 ORDER BY 1"
)


async def test_days_of_the_market_differ_in_everything_that_is_read_from_answers(generated: Served) -> None:
    database, large = generated.database, generated.built.brands[0]
    batches = await rows_of(
        database, text(f"SELECT key FROM run_batches WHERE brand_key = {large.key} ORDER BY key")
    )
    assert len(batches) == DAYS[0]
    facets = {name: statement.format(OF_BATCH) for name, statement in FACETS.items()}
    for name, statement in {**facets, "prompts": BY_PROMPT}.items():
        days = [str(await rows_of(database, text(statement.format(key)))) for (key,) in batches]
        assert len(set(days)) == len(days), name


async def test_answers_of_the_market_vary_as_real_ones_do(generated: Served) -> None:
    database = generated.database
    lengths = [len(row.text) for row in await rows_of(database, select(metadata.tables["answer_texts"]))]
    assert max(lengths) > 3 * min(lengths)
    answers = await rows_of(database, select(metadata.tables["answers"]))
    assert {row.status for row in answers} >= {"answered", "refused"}
    assert any(row.truncated for row in answers)
    assert any(row.latency_ms > 0 for row in answers)
    readings = await rows_of(database, select(metadata.tables["answer_readings"]))
    assert any(row.branded for row in readings)
    assert any(row.named_in_prompt and not row.branded for row in readings)
    assert {row.measurable for row in readings} == {True, False}
    assert {row.state for row in await rows_of(database, select(metadata.tables["asks"]))} == {
        "stored",
        "failed",
    }
    assert any(row.degraded for row in await rows_of(database, select(channel_days)))
    channels = await rows_of(database, select(metadata.tables["channels"]))
    assert {row.country for row in channels} == {"DE", "US"}
    cited = Counter(row.url_key for row in await rows_of(database, select(metadata.tables["citations"])))
    assert len(cited) > 1000, "there are thousands of pages"
    assert cited.most_common(1)[0][1] > 10, "and a few that many answers cite"


@pytest.mark.parametrize("url", ["sqlite", pytest.param("postgresql", marks=in_full)], indirect=True)
async def test_written_rows_are_what_the_reader_of_the_product_reads(generated: Served) -> None:
    database, market = generated.database, generated.built
    workspace = database.workspace(market.company_id)
    for number, brand in enumerate(market.brands):
        found = await workspace.brands.find(brand.id)
        assert found is not None
        assert found.revision_key is not None
        identity, revision_key = await identify(workspace, found), found.revision_key
        chunk = await workspace.answers.texts(brand.key, 0, 0, 2_000)
        assert len(chunk) > 20 * DAYS[number]
        cited = await workspace.citations.between(brand.key, chunk[0].key, chunk[-1].key, 0)
        extracted = read_answers(identity, chunk, cited)
        for name, fresh in (
            ("answer_readings", [reading_row(revision_key, reading) for reading in extracted]),
            (
                "mentions",
                [
                    mention_row(revision_key, reading, mention)
                    for reading in extracted
                    for mention in reading.mentions
                ],
            ),
        ):
            table = metadata.tables[name]
            mine = select(table).where(table.c.revision_key == revision_key).order_by(*table.primary_key)
            stored = await columns_of(database, mine)
            fresh = [row | {"spans": list(row["spans"])} if "spans" in row else row for row in fresh]
            assert stored == fresh, (brand.name, name)
        days = {count.day for count in await workspace.listed_mentions.days(revision_key)}
        assert len(days) == DAYS[number]
        batches = await workspace.batches.successful(brand.key, start_of(TODAY), 100)
        assert len(batches) == DAYS[number] * PART_DAYS[number]
        for day in days:
            counted = await rollups(database, revision_key, day)
            assert counted == await counts(workspace, brand.key, revision_key, day)


@pytest.mark.parametrize("url", ["sqlite", pytest.param("postgresql", marks=in_full)], indirect=True)
async def test_totals_of_written_days_are_the_sums_of_their_answers(generated: Served) -> None:
    workspace = generated.database.workspace(generated.built.company_id)
    for brand in generated.built.brands:
        found = await workspace.brands.find(brand.id)
        assert found is not None
        assert found.revision_key is not None
        identity = await identify(workspace, found)
        entities = [entity.key for entity in identity.named]
        totals = await workspace.running_totals.of_days(found.revision_key, None, None, UNFILTERED, entities)
        assert differing(keyed(totals), sums_of(await seen_answers(workspace, found), entities)) == []
        keys = {
            Channel(platform, mode, source, country): key
            for (platform, mode, source, country), key in (await workspace.channels.keys()).items()
        }
        for batch in await workspace.batches.successful(found.key, start_of(TODAY), 100):
            collector = ChannelDayCollector()
            seen = await observe(workspace, identity, found.revision_key, batch, collector.add)
            drafts = [asdict(draft) for draft in collector.drafts(seen.batch.asked, keys)]
            stored = select(channel_days).where(channel_days.c.batch_key == batch.key)
            rows = await columns_of(generated.database, stored)
            in_order = sorted(rows, key=lambda row: row["channel_key"])
            epoch = date(1970, 1, 1)
            assert [
                {name: row[name] for name in draft} | {"day": epoch + timedelta(days=row["day"])}
                for row, draft in zip(
                    in_order, sorted(drafts, key=lambda row: row["channel_key"]), strict=True
                )
            ] == sorted(drafts, key=lambda row: row["channel_key"])


async def rollups(database: Database, revision_key: int, day: date) -> list[dict[str, Any]]:
    table = metadata.tables["daily_rollups"]
    of_day = (table.c.revision_key == revision_key) & (table.c.day == day)
    return await columns_of(database, table.select().where(of_day).order_by(*table.primary_key))


async def counts(workspace: Workspace, brand_key: int, revision_key: int, day: date) -> list[dict[str, Any]]:
    counts = await workspace.daily_counts.of_day(brand_key, revision_key, day)
    return sorted(counts, key=lambda row: (row["entity_key"], row["channel_key"]))


@pytest.mark.parametrize("url", ["sqlite", pytest.param("postgresql", marks=in_full)], indirect=True)
async def test_measuring_calls_every_read_tool_and_adds_answers(generated: Served) -> None:
    result = await measured("sqlite", [generated], 3, BATCH, {"generated": 4_000.0})
    shown = report(result)
    for row in measured_tools(generated.dispatcher):
        assert f"\n{row.name} " in shown
        timings = result.tools[row.name]["generated"]
        assert len(timings.milliseconds) + len(timings.others.milliseconds) == 3
    items = result.tools["get_repository_items"]["generated"]
    assert 12 * 2000 < items.largest <= 60_000  # every item is long, and each is cut in a list
    assert result.tools["get_citations"]["generated"].largest > 20_000, "a hundred domains are cited"
    assert min(result.deep[0].sizes) > 1000
    assert all(spent.answer > 0 for spent in result.ingested["generated"])
    before = SIZE.panel(0).channels * DAYS[0]
    after = (await said(generated, "list_simulations", 0))["total"]
    assert after == before + 2 * BATCH.channels
    listed = list_tools(generated.dispatcher)
    assert (listed.tools, listed.bytes <= 44 * 1024) == (len(generated.dispatcher.table), True)
    again = await read_all([generated], 1, 7)
    assert again.keys() == result.tools.keys()
    assert (await read_deep(generated, (0,), 1, 7))[0].milliseconds


def test_a_promise_that_is_not_kept_is_named() -> None:
    quick, wide = Timings([6.0], [10]), Timings([6.0], [10, 60_001])
    slow = Timings([160.0], [10])
    slow.others.milliseconds.append(401.0)
    tools = {
        "get_credits": {"a": quick, "b": slow},
        "list_answers": {"a": quick, "b": wide},
        "get_answer": {"a": quick, "b": Timings([6.0], [10], [60_002])},
        "get_competitors": {"a": Timings([0.1], [10]), "b": Timings([4.0], [10])},
    }
    result = Result(
        "sqlite",
        "a",
        "b",
        tools,
        {0: quick, 1_000_000: slow},
        {},
        Listed(42, 45_057, 1.5),
        {"a": 4_000.0, "b": 4_301.0},
    )
    assert result.broken == [
        "get_credits: p50 160.0 ms, not at most 20 ms",
        "get_credits: p95 160.0 ms, not at most 90 ms",
        "get_credits: p95 401.0 ms of other filters, not at most 400 ms",
        "get_credits: p95 grew 26.67 times, not at most 1.5",
        "list_answers: an answer of 60,001 bytes, not at most 60,000",
        "get_answer: an answer of 60,002 bytes, not at most 60,000",
        "a deep page costs 26.67 times the first, not at most 1.2",
        "tools/list: 45,057 bytes, not at most 45,056",
        "tools/list: 1.50 ms, not under 1 ms",
        "4,301 bytes for each answer, not at most 4,300",
    ]
    assert "NOT KEPT: get_credits: p50 160.0 ms, not at most 20 ms" in report(result)


async def test_a_database_that_is_kept_is_there_for_a_second_look(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for keep in (False, True):
        async with file_of(str(tmp_path), "few", keep=keep) as place:
            assert place.path is not None
            place.path.write_bytes(b"rows")
        assert place.path.exists() is keep
    assert f"few is left in {place.path}" in capsys.readouterr().out
