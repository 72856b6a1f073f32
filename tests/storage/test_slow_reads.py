"""A read that is meant to be brief and holds up the event loop is named in the log and counted."""

import logging
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import CollectorRegistry
from sqlalchemy import bindparam, create_engine, select, text

from server.telemetry.event_metrics import EventMetrics
from storage.database import Database
from storage.filters import MembershipFilter
from storage.queries import Query, fetch_first
from storage.repositories.answers.answers import UNREAD, UNREAD_OF_BATCH
from storage.repositories.answers.listed_mentions import CHANNELS_PAGE, PAGE
from storage.repositories.prompt_results import newest_of
from storage.repositories.simulations import COUNTRIES, FILTERED, PLATFORMS
from storage.tables import metadata
from storage.tables.answers import cited_urls

# Counts so many numbers one by one, which takes SQLite a few hundred nanoseconds each.
COUNTING = text(
    "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :most)"
    " SELECT count(*) FROM numbers"
).bindparams(bindparam("most"))


async def test_a_slow_brief_read_is_logged_without_its_values_and_counted(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    registry = CollectorRegistry()
    EventMetrics(registry).attach()
    database = await Database.open(f"sqlite+aiosqlite:///{tmp_path}/seenby.db")
    try:
        readers = database._readers  # pyright: ignore[reportPrivateUsage] # no statement of ours is slow
        brief, on_a_thread = Query(COUNTING, int, brief=True), Query(COUNTING, int)
        with caplog.at_level(logging.WARNING, "seenby.events"):
            await fetch_first(readers, on_a_thread, most=300_000)
            for _ in range(3):
                assert "slow_read" not in caplog.text
                assert await fetch_first(readers, brief, most=300_000) == 300_000
    finally:
        await database.close()
    [line] = [record for record in caplog.records if record.getMessage() == "slow_read"]
    assert vars(line)["statement"].startswith("WITH RECURSIVE numbers")
    assert "300000" not in vars(line)["statement"]
    assert vars(line)["duration_ms"] > 2
    assert registry.get_sample_value("seenby_slow_reads_total") == 1


def test_a_list_of_keys_is_found_by_index_not_by_a_table_scan() -> None:
    engine = create_engine("sqlite://")
    query = Query(select(cited_urls.c.key).where(MembershipFilter(cited_urls.c.digest, "digests")), int)
    compiled = query.compiled(engine.dialect)
    with engine.connect() as connection:
        cited_urls.create(connection)
        arguments = tuple(compiled.arguments({"digests": ["a", "b"]}))
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {compiled.sql}", arguments).all()
    assert plan[0].detail.startswith("SEARCH cited_urls")


def test_filtered_sessions_are_counted_in_an_index_alone() -> None:
    engine = create_engine("sqlite://")
    counted = FILTERED.of(("platform", "country", "mode", "since")).count.compiled(engine.dialect)
    values = {"company_id": "ours", "platform": "chatgpt", "country": "DE", "mode": "readiness"}
    arguments = tuple(counted.arguments({**values, "since": datetime(2026, 3, 1, tzinfo=UTC)}))
    with engine.connect() as connection:
        metadata.create_all(connection)
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {counted.sql}", arguments).all()
    assert ["COVERING INDEX" in step.detail for step in plan] == [True]


@pytest.mark.parametrize("unread", [UNREAD, UNREAD_OF_BATCH])
def test_next_unread_answers_are_found_without_sorting(unread: Query[Any]) -> None:
    engine = create_engine("sqlite://")
    compiled = unread.compiled(engine.dialect)
    values = {"company_id": "ours", "brand_key": 1, "batch_key": 1, "revision_key": 1, "parsing": 0}
    arguments = tuple(compiled.arguments({**values, "after": 0, "limit": 500}))
    with engine.connect() as connection:
        metadata.create_all(connection)
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {compiled.sql}", arguments).all()
    assert [step.detail for step in plan if "TEMP B-TREE" in step.detail] == []


@pytest.mark.parametrize(
    ("query", "index"),
    [
        (PAGE, "ix_mentions_page (revision_key=? AND captured_at>? AND captured_at<?)"),
        (
            CHANNELS_PAGE,
            "ix_mentions_channel (revision_key=? AND channel_key=? AND captured_at>? AND captured_at<?)",
        ),
    ],
)
def test_mentions_of_the_brand_are_listed_from_a_partial_index(query: Query[Any], index: str) -> None:
    engine = create_engine("sqlite://")
    compiled = query.compiled(engine.dialect)
    since, before = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC)
    values = {
        "company_id": "ours",
        "revision_key": 1,
        "since": since,
        "before": before,
        "limit": 9,
        "offset": 0,
    }
    values |= {"platform": "chatgpt", "country": None, "mode": None}
    with engine.connect() as connection:
        metadata.create_all(connection)
        plan = connection.exec_driver_sql(
            f"EXPLAIN QUERY PLAN {compiled.sql}", tuple(compiled.arguments(values))
        ).all()
    details = [step.detail for step in plan]
    assert f"SEARCH mentions USING COVERING INDEX {index}" in details, details


@pytest.mark.parametrize("query", [PLATFORMS, COUNTRIES])
def test_platforms_and_countries_are_found_in_an_index_alone(
    query: Query[str],
) -> None:
    engine = create_engine("sqlite://")
    compiled = query.compiled(engine.dialect)
    arguments = tuple(compiled.arguments({"company_id": "ours"}))
    with engine.connect() as connection:
        metadata.create_all(connection)
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {compiled.sql}", arguments).all()
    (look,) = [step.detail for step in plan if "simulations" in step.detail]
    assert look.startswith("SEARCH simulations USING COVERING INDEX")
    assert ">?)" in look, "it skips to the next value"


def test_the_newest_answers_of_a_prompt_are_read_in_index_order() -> None:
    engine = create_engine("sqlite://")
    compiled = newest_of(("platform", "since", "until")).compiled(engine.dialect)
    since, until = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC)
    values = {"company_id": "ours", "brand_key": 1, "revision_key": 1, "platform": "chatgpt", "most": 3}
    values |= {"since": since, "until": until, "prompt_ids": ["a", "b"]}
    with engine.connect() as connection:
        metadata.create_all(connection)
        plan = connection.exec_driver_sql(
            f"EXPLAIN QUERY PLAN {compiled.sql}", tuple(compiled.arguments(values))
        ).all()
    details = [step.detail for step in plan]
    (walk,) = [detail for detail in details if "SEARCH answers " in detail]
    assert walk.endswith("ix_answers_prompt (prompt_key=? AND captured_at>? AND captured_at<?)")
