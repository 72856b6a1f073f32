"""Stored results that somebody altered: each number and each field is found and named."""

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from sqlalchemy import text

from measurement.publication.publish import Publisher
from measurement.publication.receipt_seal import ReceiptSigner
from measurement.verification.brand_verification import Verification, verify_brand
from measurement.verification.nightly import NightlyVerification
from server.service import utc_now
from storage.database import Database

both = pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
RESULTS = {
    "score_calculations": ("score", "calculated_at", "replay_of", "status", "receipt_id", "signature"),
    "metric_points": ("value", "samples", "low", "high", "prompts_low", "prompts_high", "channel_key", "day"),
    "daily_rollups": (
        *("valid", "named", "scored_valid", "scored_named", "ranked", "rank_sum", "measurable", "cited_own"),
        *("positive", "neutral", "negative", "day", "channel_key", "entity_key"),
    ),
    "mentions": (
        *("rank", "position", "named", "cites_own", "occurrences", "absences", "uncertain", "tone", "quote"),
        *("captured_at", "channel_key", "entity_key"),
    ),
    "answer_readings": ("measurable", "branded"),
}
DOCUMENTS = {
    "score_calculations": ("headline", "platforms", "rankings", "receipt"),
    "mentions": ("spans",),
    "answer_readings": ("domains", "named_in_prompt"),
}
NAMES = {
    "metric_points": "metric_points",
    "daily_rollups": "daily_rollups",
    "mentions": "mentions",
    "answer_readings": "answer_readings",
}


@pytest.fixture
def measured(acme: Any, tmp_path: Path) -> Any:
    """Two imports of 36 answers: named, ranked, cited, unnamed, denied."""
    texts = (
        "1. Globex\n2. Acme is a great choice for most people in this town and they love it",
        "Acme is a terrible and awful choice for most people in this town and they hate it",
        "Globex. I could not find any information about Acme.",
    )
    for batch in (1, 2):
        rows = [
            {
                "platform": ("chatgpt", "gemini")[number % 2],
                "prompt": f"Which shoes number {number % 11} should people in this town buy?",
                "text": texts[number % 3],
                "captured_at": f"2026-03-{batch:02}T12:{number:02}:00Z",
                "citations": [f"https://{('acme', 'globex')[number % 2]}.example/{number}"],
                "source_id": f"{batch}-{number}",
            }
            for number in range(36)
        ]
        path = tmp_path / f"{batch}.jsonl"
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        acme.seenby.json("answers", "import", str(path), "--brand", "Acme", "--company", "Shop")
    return acme


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all simple values in a JSON document."""
    if isinstance(value, dict):
        for name, inner in cast(dict[str, Any], value).items():
            yield from leaves(inner, (*path, name))
    elif isinstance(value, list):
        for number, inner in enumerate(cast(list[Any], value)[:2]):
            yield from leaves(inner, (*path, number))
    else:
        yield path


def altered(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    return 7 if value is None else f"{value}x"


def with_leaf(document: Any, path: tuple[Any, ...]) -> str:
    copy = json.loads(json.dumps(document))
    inner = copy
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = altered(inner[path[-1]])
    return json.dumps(copy, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


async def opened(url: str) -> tuple[Database, str, Publisher]:
    database = await Database.open(url)
    (company,) = await database.operators.companies.all()
    return database, company.id, Publisher(database, [], utc_now, ReceiptSigner((b"k" * 32,)))


async def sign_all(database: Database, publisher: Publisher, company_id: str) -> None:
    """Put the results on this test's key: read everything anew."""
    async with database.writing() as connection:
        await connection.execute(text("UPDATE analysis_revisions SET fingerprint = 'old'"))
    brand = (await database.workspace(company_id).brands.all())[0]
    await publisher.bring_up_to_date(company_id, brand.id)


async def verified(
    database: Database, publisher: Publisher, company_id: str, **how: Any
) -> list[Verification]:
    return await verify_brand(database, publisher, company_id, "Acme", utc_now, **how)


async def one_row(database: Database, table: str, revision: int) -> dict[str, Any]:
    async with database.writing() as connection:
        found = await connection.execute(
            text(f"SELECT * FROM {table} WHERE revision_key = {revision} LIMIT 1")
        )
        return dict(found.mappings().one())


async def overwrite(database: Database, table: str, row: dict[str, Any], column: str, value: Any) -> None:
    keys = {
        "score_calculations": ("key",),
        "metric_points": ("revision_key", "metric", "channel_key", "day", "batch_key"),
        "daily_rollups": ("revision_key", "entity_key", "day", "channel_key"),
        "mentions": ("revision_key", "answer_key", "entity_key"),
        "answer_readings": ("revision_key", "answer_key"),
    }[table]
    where = " AND ".join(f"{key} = :k_{key}" for key in keys)
    given = {f"k_{key}": row[key] for key in keys}
    async with database.writing() as connection:
        changed = await connection.execute(
            text(f'UPDATE {table} SET "{column}" = :value WHERE {where}'), {**given, "value": value}
        )
        assert changed.rowcount == 1, (table, column)


def another(column: str, value: Any) -> Any:
    if column == "day":
        return "2020-01-01" if isinstance(value, str) else value.replace(year=2020)
    if column == "status":
        return "insufficient_data"
    if isinstance(value, bool):
        return not value
    if column.endswith("_key"):
        return value + 1000
    if isinstance(value, (int, float)):
        return 0 if value == 1 and column in BOOLEANS else value + 1
    return 7 if value is None and column not in ("tone", "quote") else f"{value}x"


BOOLEANS = frozenset({"named", "cites_own", "measurable", "branded"})


@pytest.mark.timeout(600)
def test_each_altered_number_and_field_of_a_result_is_found_and_named(measured: Any, url: str) -> None:
    async def walk() -> None:
        database, company_id, publisher = await opened(url)
        await sign_all(database, publisher, company_id)
        brand = (await database.workspace(company_id).brands.all())[0]
        assert brand.revision_key is not None
        assert [one.wrong for one in await verified(database, publisher, company_id)] == [(), ()]
        missed: list[str] = []
        for table, names in RESULTS.items():
            row = await one_row(database, table, brand.revision_key)
            for column in names:
                value = another(column, row[column])
                await overwrite(database, table, row, column, value)
                quick = table not in ("mentions", "answer_readings")
                verifications = await verified(database, publisher, company_id, quick=quick)
                found = {name for one in verifications for name in one.wrong}
                if not found or (table in NAMES and not any(NAMES[table] in name for name in found)):
                    missed.append(f"{table}.{column}: {sorted(found)[:3]}")
                await overwrite(database, table, {**row, column: value}, column, row[column])
        for table, names in DOCUMENTS.items():
            row = await one_row(database, table, brand.revision_key)
            for column in names:
                document = json.loads(row[column])
                for path in leaves(document):
                    await overwrite(database, table, row, column, with_leaf(document, path))
                    found = await verified(database, publisher, company_id, quick=True)
                    if all(one.holds for one in found):
                        missed.append(f"{table}.{column}.{path}")
                await overwrite(database, table, row, column, row[column])
        assert missed == []
        assert all(one.holds for one in await verified(database, publisher, company_id))
        await database.close()

    asyncio.run(walk())


@both
def test_a_removed_or_exchanged_result_breaks_the_chain(measured: Any, url: str) -> None:
    async def run() -> None:
        database, company_id, publisher = await opened(url)
        await sign_all(database, publisher, company_id)
        stranger = Publisher(database, [], utc_now, ReceiptSigner((b"x" * 32,)))
        foreign = await verified(database, stranger, company_id, quick=True)
        assert {one.wrong for one in foreign} == {("signature",)}
        brand = (await database.workspace(company_id).brands.all())[0]
        async with database.writing() as connection:
            await connection.execute(
                text(
                    "DELETE FROM score_calculations WHERE key = (SELECT min(key) FROM score_calculations"
                    f" WHERE revision_key = {brand.revision_key})"
                )
            )
        [left] = await verified(database, publisher, company_id, quick=True)
        assert "receipt.previous" in left.wrong
        assert any(name.startswith("score_calculations of batch") for name in left.wrong)
        await database.close()

    asyncio.run(run())


def test_the_nightly_check_tells_the_company_once(measured: Any, url: str, call: Callable[..., Any]) -> None:
    async def night(change: str | None) -> int:
        database, company_id, publisher = await opened(url)
        if change is None:
            await sign_all(database, publisher, company_id)
        else:
            async with database.writing() as connection:
                await connection.execute(text(change))
        failed = await NightlyVerification(database, publisher, utc_now).verify_all()
        await database.close()
        return failed

    def alarms() -> list[str]:
        told = call("list_notifications")["notifications"]
        return [one["title"] for one in told if "do not hold" in one["title"]]

    assert asyncio.run(night(None)) == 0
    assert alarms() == []
    change = "UPDATE daily_rollups SET named = named + 1"
    assert [asyncio.run(night(change)), asyncio.run(night("SELECT 1"))] == [1, 1]
    assert alarms() == ["Stored results of Acme do not hold"]
