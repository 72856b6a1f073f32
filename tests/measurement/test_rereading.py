"""A changed name re-reads history in the background: in one step, durably, and without a step in the trend."""

import json
from pathlib import Path
from typing import Any

import anyio.to_thread
import pytest
from sqlalchemy import text

from measurement.extraction import extract as reading
from measurement.extraction.reextract import HistoryReextractor
from measurement.planning.clock import utc_now
from measurement.publication.publish import Publisher
from storage.database import Database
from tests.in_full import both_in_full
from tests.measurement.conftest import Acme, CallTool

DAYS, A_DAY = 5, 12


class Killed(BaseException):
    """The end of the process, in the middle of its work."""


@pytest.fixture
def history(acme: Acme, tmp_path: Path) -> Acme:
    """Answers of five days, half of which name Acme by a name that nobody has recorded."""
    lines = [
        {
            "platform": "copilot",
            "prompt": f"Which shoe number {number % 6} lasts?",
            "text": ("Acme lasts.", "Apex lasts.", "Globex lasts.")[number % 3],
            "captured_at": f"2026-03-1{day}T10:00:{number:02}Z",
            "source_id": f"{day}-{number}",
        }
        for day in range(DAYS)
        for number in range(A_DAY)
    ]
    path = tmp_path / "history.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    acme.seenby.json("answers", "import", str(path), "--brand", "Acme")
    return acme


@both_in_full
async def test_a_new_alias_is_applied_to_history_even_after_a_kill(
    history: Acme, url: str, call: CallTool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def trend() -> list[float]:
        arguments: dict[str, Any] = {"brandId": "Acme", "metricName": "mentionCount", "days": 365}
        found = await anyio.to_thread.run_sync(lambda: call("get_metric_trend", **arguments))
        states.append(found["measurement"]["rereading"])
        wide = await anyio.to_thread.run_sync(lambda: call("get_competitor_rankings"))
        assert wide["measurement"]["rereading"] == states[-1]
        return [point["value"] for point in found["points"]]

    states: list[bool] = []
    monkeypatch.setattr(reading, "CHUNK", 7)  # so that few answers are many chunks
    assert await trend() == [4.0] * DAYS
    await anyio.to_thread.run_sync(lambda: history.save(aliases=["Apex"]))
    database = await Database.open(url)
    publisher = Publisher(database, [], utc_now)
    company, brand = await only_brand(database)

    def die(read: int) -> None:
        if read >= 21:
            raise Killed

    with pytest.raises(Killed):
        await publisher.bring_up_to_date(company, brand, die)
    assert await trend() == [4.0] * DAYS, "numbers changed before all of history was read"
    status = await anyio.to_thread.run_sync(lambda: history.seenby.json("replay", "--status"))
    assert [(status["rereading"], status["answersRead"], status["answers"]) for status in status] == [
        (True, 21, 60)
    ]
    rereader = HistoryReextractor(database, publisher, utc_now)
    assert (await rereader.look(), await rereader.look()) == (1, 0)
    async with database.writing() as connection:
        readings = await connection.scalar(text("SELECT count(*) FROM answer_readings"))
    await database.close()
    assert readings == 120, "what was read before the death was read again"
    assert await trend() == [8.0] * DAYS
    assert states == [False, True, False]
    mentions = await anyio.to_thread.run_sync(lambda: call("get_brand_mentions", brandId="Acme"))
    assert (mentions["total"], mentions["measurement"]["rereading"]) == (40, False)


@both_in_full
async def test_a_change_that_is_taken_back_returns_to_the_first_numbers(
    history: Acme, url: str, call: CallTool
) -> None:
    def score() -> Any:
        score = call("get_ai_visibility_score", brandId="Acme")
        return score["score"], score["intervals"], score["factors"], score["measurement"]["aliasSet"]

    database = await Database.open(url)
    rereader = HistoryReextractor(database, Publisher(database, [], utc_now), utc_now)
    seen: list[Any] = []
    for names in ([], ["Apex"], []):
        await anyio.to_thread.run_sync(lambda names=names: history.save(aliases=names))
        await rereader.look()
        seen.append(await anyio.to_thread.run_sync(score))
    await database.close()
    assert seen[0] == seen[2]
    assert seen[1][0] > seen[0][0]
    assert seen[1][3] != seen[0][3]


async def only_brand(database: Database) -> tuple[str, str]:
    """The company and the brand that the database has."""
    (company,) = await database.operators.companies.all()
    (brand,) = await database.workspace(company.id).brands.all()
    return company.id, brand.id


async def test_a_brief_database_failure_ends_no_process(history: Acme, url: str, call: CallTool) -> None:
    await anyio.to_thread.run_sync(lambda: history.save(aliases=["Apex"]))
    database = await Database.open(url)
    rereader = HistoryReextractor(database, Publisher(database, [], utc_now), utc_now)
    try:
        for table in ("brands", "brand_aliases"):  # where it looks, and what it then reads of a brand
            async with database.writing() as connection:
                await connection.execute(text(f"ALTER TABLE {table} RENAME TO away"))
            assert await rereader.look() == 0
            async with database.writing() as connection:
                await connection.execute(text(f"ALTER TABLE away RENAME TO {table}"))
        assert await rereader.look() == 1
    finally:
        await database.close()  # an open one would keep a failed test's process from ending
    mentions = await anyio.to_thread.run_sync(lambda: call("get_brand_mentions", brandId="Acme"))
    assert mentions["total"] == 40
