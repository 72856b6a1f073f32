"""People are warned when the credits of a month run low: once, however often the balance crosses the line."""

from datetime import UTC, datetime

import pytest

from storage.ids import new_id
from storage.repositories.runs.runs import RunDraft
from tests.workflows.conftest import House
from workflows.configurations import NO_CONFIGURATION, stored_configuration
from workflows.credits import period_of, reset_after
from workflows.runs import cancel


async def spend(house: House, credits: int, now: datetime) -> None:
    """Open a run of this price and settle it whole."""
    async with house.database.transaction(house.company_id) as workspace:
        brand, run_id = (await workspace.brands.all())[0], new_id()
        agents = (("fact_guard", credits),)
        draft = RunDraft(
            run_id,
            brand.key,
            "content_refresh",
            "normal",
            None,
            stored_configuration(NO_CONFIGURATION),
            period_of(now),
            agents,
        )
        await workspace.runs.open(draft, now)
        await workspace.runs.begin(run_id, now)
        run = await workspace.runs.find(run_id)
        assert run is not None
        await workspace.run_agents.end(run.key, "fact_guard", "completed", now)
        await workspace.runs.close(run_id, "completed", now, charged=True)


async def start(house: House, now: datetime) -> str:
    """Start a run of six credits at this time."""
    async with house.database.transaction(house.company_id) as writing:
        return (await house.desk.start(writing, "content_refresh", None, now=now)).run_id


async def warnings(house: House) -> list[str]:
    notifications = (await house.call("list_notifications"))["notifications"]
    assert {notification["kind"] for notification in notifications} <= {"system_alert"}
    return [notification["title"] for notification in reversed(notifications)]


@pytest.mark.parametrize("address", ["sqlite"], indirect=True)
async def test_low_credits_are_told_once_a_month_from_under_a_tenth(
    house: House,
) -> None:
    today = datetime.now(UTC)
    await spend(house, 354, today)
    first = await start(house, today)
    # Forty of four hundred are a tenth, and not under it.
    assert await warnings(house) == []
    second = await start(house, today)
    assert await warnings(house) == ["34 of 400 credits are left this month"]
    await start(house, today)
    assert len(await warnings(house)) == 1
    async with house.database.transaction(house.company_id) as writing:
        for run_id in (first, second):
            await cancel(writing, run_id, today)
    assert (await house.call("get_credits"))["available"] == 40
    await start(house, today)
    assert len(await warnings(house)) == 1

    later = reset_after(today)
    await spend(house, 350, later)
    assert len(await warnings(house)) == 1
    await spend(house, 9, later)
    await start(house, later)
    assert (await warnings(house))[1:] == ["35 of 400 credits are left this month"]
