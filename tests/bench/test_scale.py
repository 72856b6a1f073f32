"""What the scale measurement generates is what the pipeline would have stored, and it can be called and added to."""

import json
from collections import defaultdict
from collections.abc import AsyncGenerator, Mapping, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import pytest

from bench.scale.building import Builder, Built, start_of
from bench.scale.calls import Served, Timings, read_all, read_deep, timed
from bench.scale.ingesting import BATCH, ingest
from bench.scale.market import Panel, Size, market, write
from bench.scale.measuring import Listed, Result, list_tools, report, serving
from bench.scale.places import sqlite
from measurement.imports.captured_answers import Importer, exported
from measurement.planning.brand_files import BrandFile, save_brands
from measurement.planning.clock import utc_now
from measurement.publication.publish import Publisher
from server.service import Service
from storage.database import Database
from storage.tables import metadata
from storage.workspace import Workspace
from tests.in_full import in_full

TODAY = date(2026, 11, 21)
SIZE = Size("trial", 3, Panel(10, 3, 4, 2), Panel(10, 3, 2, 3), 1)
BATCHES = (4, 2, 1)
METRICS = (
    "visibilityScore",
    "mentionCount",
    "shareOfVoice",
    "averagePosition",
    "citationRate",
    "sentiment",
)


@pytest.fixture
async def generated(url: str) -> AsyncGenerator[Served]:
    async with serving(url) as service:
        built = await Builder(service.database, SIZE, 3, TODAY, days=8).build()
        yield Served("generated", service.database, service.dispatcher, built)


async def import_anew(
    service: Service, lines: Mapping[int, Sequence[dict[str, Any]]], folder: Path
) -> Served:
    """Take the same answers through the pipeline, a batch a day, into a database of its own."""
    database = service.database
    async with database.operation() as operators:
        company = await operators.companies.create("Shop", "shop@example.com", "scale", start_of(TODAY))
    watched = tuple(market(3, SIZE.brands))
    files = [BrandFile.model_validate(watched_brand.file()) for watched_brand in watched]
    brands = await save_brands(database, company.id, files, "synthetic", start_of(TODAY))
    for number, of_brand in lines.items():
        days: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for line in of_brand:
            days[line["captured_at"][:10]].append(line)
        for day, batch in sorted(days.items()):
            end = start_of(date.fromisoformat(day)) + timedelta(days=1, seconds=-1)

            def clock(end: datetime = end) -> datetime:
                return end

            importer = Importer(database, Publisher(database, [], clock), clock)
            await importer.import_file(company.id, brands[number], write(batch, folder / f"{number}-{day}"))
    return Served(
        "anew", database, service.dispatcher, Built(company.id, tuple(brands), 2, watched, TODAY, 0.0)
    )


async def said(service: Served, tool: str, number: int, **arguments: Any) -> Any:
    asked = {"brandId": service.built.brands[number].name, **arguments}
    _, outcome = await timed(service, tool, asked)
    return json.loads(outcome.body)


ASKED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("get_ai_visibility_score", {}),
    ("get_platform_metrics", {}),
    ("get_competitor_rankings", {}),
    ("list_simulations", {"limit": 100}),
    ("get_brand_mentions", {"limit": 100, "offset": 20}),
    ("get_brand_mentions", {"limit": 30, "offset": 30, "platform": "chatgpt"}),
    *(("get_metric_trend", {"metricName": name, "days": 3650}) for name in METRICS),
)
MAY_DIFFER = {
    "receipt",
    "change",
    "tiedWithAbove",
    "previousRank",
    "rankChange",
    "direction",
    "aliasSet",
    "batchIds",
}
"""A receipt names its answers and batches, and a copied batch is compared with what its source was compared with."""


def figures(answer: Any) -> Any:
    """Leave out what must differ, public ids among it."""
    if isinstance(answer, dict):
        fields = cast("dict[str, Any]", answer)
        kept = [name for name in fields if name not in MAY_DIFFER and not name.lower().endswith("id")]
        return {name: figures(fields[name]) for name in kept}
    return [figures(one) for one in cast("list[Any]", answer)] if isinstance(answer, list) else answer


async def test_a_generated_database_equals_one_made_by_the_pipeline(
    generated: Served, tmp_path: Path
) -> None:
    built = generated.built
    workspace = generated.database.workspace(built.company_id)
    lines = {
        number: [line async for line in exported(workspace, brand, utc_now)]
        for number, brand in enumerate(built.brands)
    }
    assert [len(brand_lines) for brand_lines in lines.values()] == [30 * batches for batches in BATCHES]
    plain = {
        number: [{name: value for name, value in line.items() if name != "record"} for line in brand_lines]
        for number, brand_lines in lines.items()
    }
    async with serving(f"sqlite+aiosqlite:///{tmp_path}/anew.db") as service:
        anew = await import_anew(service, plain, tmp_path)
        for number in lines:
            for tool, arguments in ASKED:
                results = [
                    figures(await said(service, tool, number, **arguments)) for service in (generated, anew)
                ]
                assert results[0] == results[1], (tool, arguments)
            trend = await said(generated, "get_metric_trend", number, metricName="mentionCount", days=3650)
            assert len(trend["points"]) == BATCHES[number]


@pytest.mark.parametrize("url", ["sqlite", pytest.param("postgresql", marks=in_full)], indirect=True)
async def test_generated_day_counts_equal_a_recount_at_any_depth(
    generated: Served,
) -> None:
    database, built = generated.database, generated.built
    for number, brand in enumerate(built.brands):
        found = await database.workspace(built.company_id).brands.find(brand.id)
        assert found is not None
        assert found.revision_key is not None
        workspace = database.workspace(built.company_id)
        days = {count.day for count in await workspace.listed_mentions.days(found.revision_key)}
        assert len(days) == BATCHES[number]
        for day in days:
            stored = await rollups(database, found.revision_key, day)
            assert stored == await counts(workspace, found.key, found.revision_key, day)
    timings = await read_all([generated], 2, 7)
    assert {"get_brand_snapshot", "get_brand_mentions", "get_dashboard_overview"} <= timings.keys()
    items = timings["get_repository_items"]["generated"]
    assert 12 * 2000 < items.largest <= 60_000  # every item is long, and each is cut in a list
    cited = timings["get_citations"]["generated"]
    assert cited.largest > 20_000, "a hundred domains are cited"
    listed = list_tools(generated.dispatcher)
    assert (listed.tools, listed.bytes < 40_961) == (len(generated.dispatcher.table), True)
    deep = await read_deep(generated, (0,), 1, 7)
    assert min(deep[0].sizes) > 1000
    before = (await said(generated, "list_simulations", 0))["total"]
    (spent,) = await ingest(database, built, 7, 1)
    assert spent.answer > 0
    assert (await said(generated, "list_simulations", 0))["total"] == before + BATCH.channels


async def rollups(database: Database, revision_key: int, day: date) -> list[dict[str, Any]]:
    table = metadata.tables["daily_rollups"]
    of_day = (table.c.revision_key == revision_key) & (table.c.day == day)
    async with database.writing() as connection:
        rows = await connection.execute(table.select().where(of_day).order_by(*table.primary_key))
        return [dict(row) for row in rows.mappings()]


async def counts(workspace: Workspace, brand_key: int, revision_key: int, day: date) -> list[dict[str, Any]]:
    counts = await workspace.daily_counts.of_day(brand_key, revision_key, day)
    return sorted(counts, key=lambda row: (row["entity_key"], row["channel_key"]))


def test_a_promise_that_is_not_kept_is_named() -> None:
    quick, slow, wide = Timings([1.0], [10]), Timings([160.0], [10]), Timings([1.0], [10, 60_001])
    tools = {
        "get_credits": {"a": quick, "b": slow},
        "get_brand_snapshot": {"a": slow, "b": slow},
        "list_answers": {"a": quick, "b": wide},
    }
    wide_asked = Timings([1.0], [10], [60_002])
    tools["get_answer"] = {"a": quick, "b": wide_asked}
    result = Result(
        "sqlite",
        "a",
        "b",
        tools,
        {0: quick, 1_000_000: slow},
        {},
        Listed(42, 40_961, 1.5),
        {"a": 4_000.0, "b": 4_501.0},
    )
    assert [fault.split(":")[0] for fault in result.broken] == [
        "get_credits",
        "get_credits",
        "get_credits",
        "get_brand_snapshot",
        "get_brand_snapshot",
        "list_answers",
        "get_answer",
        "a deep page costs 160.00 times the first, not at most 1.2",
        "tools/list",
        "tools/list",
        "4,501 bytes for each answer, not at most 4,500",
    ]
    shown = report(result)
    assert "NOT KEPT: get_credits: p50 160.0 ms, not under 3 ms" in shown
    assert "NOT KEPT: get_answer: an answer of 60,002 bytes, not at most 60,000" in shown
    assert "NOT KEPT: get_brand_snapshot: p95 160.0 ms, not under 18 ms" in shown


async def test_a_database_that_is_kept_is_there_for_a_second_look(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for keep in (False, True):
        async with sqlite(str(tmp_path), "few", keep=keep) as place:
            assert place.path is not None
            place.path.write_bytes(b"rows")
        assert place.path.exists() is keep
    assert f"few is left in {place.path}" in capsys.readouterr().out
