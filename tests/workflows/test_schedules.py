"""What is due by the clock, with a clock that the test moves and as many processes as it opens."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

import pytest

from measurement.planning.schedules import next_tick
from server.cli.operations import doctor
from server.cli.output import Output
from server.cli.session import Session
from server.service import open_service
from server.settings import Settings
from storage.ids import new_id
from storage.repositories.runs.runs import RunDraft
from tests.workflows.conftest import House, OpenHouse
from workflows.configurations import NO_CONFIGURATION, stored_configuration
from workflows.credits import period_of
from workflows.scheduler import ScheduledAgents, ScheduledPromptSets, Scheduler


def scheduler(house: House, moment: datetime, missed: Literal["once", "skip"] = "once") -> Scheduler:
    """The scheduler of one process, at one moment."""
    sources = (
        ScheduledPromptSets(house.database, house.desk, missed),
        ScheduledAgents(house.database, house.desk, missed),
    )
    return Scheduler(sources, lambda: moment)


async def scheduled_set(
    house: House, name: str = "Buyers", schedule: str = "0 6 * * *", **place: str
) -> tuple[str, datetime]:
    made = await house.call(
        "create_prompt_set",
        name=name,
        brandId="Acme",
        prompts=[{"text": name}],
        platforms=["local"],
        schedule=schedule,
        **place,
    )
    return made["promptSetId"], datetime.fromisoformat(made["nextRunAt"])


async def scheduled_agent(house: House, schedule: str = "0 6 * * *") -> tuple[str, datetime]:
    made = await house.call(
        "create_reusable_agent", name="Guard", kind="fact_guard", brandIds=["Acme"], schedule=schedule
    )
    return made["agentInstanceId"], datetime.fromisoformat(made["assignments"][0]["nextRunAt"])


async def runs(house: House) -> list[tuple[str, str | None]]:
    runs = (await house.call("list_workflow_runs", limit=100))["runs"]
    return sorted((run["workflowId"], run["agentInstanceId"]) for run in runs)


async def end_all(house: House) -> None:
    for run in (await house.call("list_workflow_runs", limit=100))["runs"]:
        if run["status"] == "pending":
            await house.call("cancel_workflow_run", runId=run["runId"])


async def test_a_tick_starts_one_run_however_many_processes_look(address: str, open_house: OpenHouse) -> None:
    house, other = await open_house(address), await open_house(address)
    prompt_set, due = await scheduled_set(house)
    agent, _ = await scheduled_agent(house)
    assert await scheduler(house, due - timedelta(seconds=1)).look() == 0
    looks = [
        scheduler(house_of_scheduler, due + timedelta(seconds=3)).look()
        for house_of_scheduler in (house, other, house, other)
    ]
    assert sum(await asyncio.gather(*looks)) == 2
    assert await runs(house) == [("prompt_set", None), ("reusable_agent", agent)]
    listed = (await house.call("list_prompt_sets"))["promptSets"][0]
    assert datetime.fromisoformat(listed["nextRunAt"]) == due + timedelta(days=1)
    assigned = (await house.call("list_reusable_agents"))["agents"][0]["assignments"][0]
    assert datetime.fromisoformat(assigned["nextRunAt"]) == due + timedelta(days=1)
    assert await scheduler(other, due + timedelta(minutes=1)).look() == 0
    async with house.working():
        for run in (await house.call("list_workflow_runs"))["runs"]:
            ended = await house.ended(run["runId"])
            assert ended.status == "completed"
            assert ended.configuration["settings"] in ({"promptSetId": prompt_set}, {})
    assert await scheduler(house, due + timedelta(days=1)).look() == 2


async def test_a_clock_that_jumps_an_hour_either_way_starts_each_tick_once(house: House) -> None:
    _, due = await scheduled_set(house, schedule="0 * * * *")
    started: list[int] = []
    # Minutes after the first tick: on time, an hour back, right, an hour ahead, right, and on to the ticks that follow.
    for minutes in (-10, 1, -59, 2, 61, 3, 30, 59, 61, 62, 2, 119, 121, 61, 122):
        started.append(await scheduler(house, due + timedelta(minutes=minutes)).look())
        await end_all(house)
    assert sum(started) == 3
    assert [index for index, count in enumerate(started) if count] == [1, 4, 12]


@pytest.mark.parametrize("day", ["2026-03-28", "2026-10-24"])
async def test_schedules_are_utc_and_know_no_summer_time(day: str) -> None:
    eve = datetime.fromisoformat(f"{day}T02:30:00+00:00")
    ticks = [eve]
    for _ in range(3):
        ticks.append(next_tick("30 2 * * *", ticks[-1]))
    assert [after - before for before, after in pairwise(ticks)] == [timedelta(days=1)] * 3
    hourly = next_tick("0 * * * *", datetime.fromisoformat(f"{day}T23:59:00+00:00"))
    assert all(
        next_tick("0 * * * *", hourly + timedelta(hours=n)) == hourly + timedelta(hours=n + 1)
        for n in range(30)
    )


async def test_a_prompt_set_is_due_by_the_clock_of_its_time_zone(house: House) -> None:
    prompt_set, due = await scheduled_set(house, schedule="0 9 * * 1", timezone="Europe/Berlin")
    there = due.astimezone(ZoneInfo("Europe/Berlin"))
    assert (there.hour, there.minute, there.isoweekday()) == (9, 0, 1)
    assert await scheduler(house, due).look() == 1
    listed = (await house.call("list_prompt_sets"))["promptSets"][0]
    following = datetime.fromisoformat(listed["nextRunAt"]).astimezone(ZoneInfo("Europe/Berlin"))
    assert following.replace(tzinfo=None) - there.replace(tzinfo=None) == timedelta(days=7)
    moved = await house.call("update_prompt_set", promptSetId=prompt_set, timezone="America/New_York")
    due = datetime.fromisoformat(moved["nextRunAt"]).astimezone(ZoneInfo("America/New_York"))
    assert (due.hour, due.isoweekday()) == (9, 1)


@pytest.mark.parametrize(
    ("schedule", "after", "due"),
    [
        ("0 9 * * 1", "2026-03-23T12:00", "2026-03-30T07:00"),
        ("0 9 * * 1", "2026-03-16T12:00", "2026-03-23T08:00"),
        ("0 9 * * 1", "2026-10-19T12:00", "2026-10-26T08:00"),
        ("30 2 * * *", "2026-03-28T12:00", "2026-03-29T01:00"),
        ("30 2 * * *", "2026-10-24T12:00", "2026-10-25T00:30"),
        ("30 2 * * *", "2026-10-25T00:30", "2026-10-26T01:30"),
    ],
)
def test_a_schedule_keeps_its_hour_when_clocks_change(schedule: str, after: str, due: str) -> None:
    """Berlin sets its clocks at 01:00 UTC: forward on March 29, back on October 25, 2026."""
    found = next_tick(schedule, datetime.fromisoformat(f"{after}+00:00"), "Europe/Berlin")
    assert found == datetime.fromisoformat(f"{due}+00:00")


async def test_missed_ticks_become_one_run_or_none_as_set(house: House) -> None:
    _, due = await scheduled_set(house)
    late = due + timedelta(days=3, hours=2)
    assert await scheduler(house, late, "skip").look() == 0
    assert (await house.call("list_workflow_runs"))["total"] == 0
    following = datetime.fromisoformat((await house.call("list_prompt_sets"))["promptSets"][0]["nextRunAt"])
    assert following == due + timedelta(days=4)
    assert await scheduler(house, following + timedelta(minutes=2), "skip").look() == 1
    await end_all(house)
    assert await scheduler(house, following + timedelta(days=9), "once").look() == 1
    assert await scheduler(house, following + timedelta(days=9), "once").look() == 0


async def test_a_run_without_room_waits_and_keeps_its_tick(house: House) -> None:
    due = datetime.now(UTC)
    for name in ("a", "b", "c", "d"):
        _, due = await scheduled_set(house, name, "* * * * *")
    agent, _ = await scheduled_agent(house, "* * * * *")
    due += timedelta(minutes=2)
    assert await scheduler(house, due).look() == 3
    assert await scheduler(house, due + timedelta(minutes=5)).look() == 0
    assert [workflow for workflow, _ in await runs(house)] == ["prompt_set"] * 3
    await end_all(house)
    assert await scheduler(house, due + timedelta(minutes=5)).look() == 3
    await end_all(house)
    assert await scheduler(house, due + timedelta(minutes=5)).look() == 2
    assert ("reusable_agent", agent) in await runs(house)
    assert (await house.call("list_notifications"))["total"] == 0


async def test_a_refused_run_is_told_once_a_day_and_takes_nothing(house: House) -> None:
    agent, due = await scheduled_agent(house, "0 1-20 * * *")  # three hours that never pass midnight
    async with house.database.transaction(house.company_id) as workspace:
        brand = await workspace.brands.find("Acme")
        assert brand is not None
        dear = RunDraft(
            id=new_id(),
            brand_key=brand.key,
            workflow="content_refresh",
            priority="normal",
            context=None,
            configuration=stored_configuration(NO_CONFIGURATION),
            period=period_of(due),
            agents=(("fact_guard", 400),),
        )
        await workspace.runs.open(dear, due)
    for hour in range(3):
        assert await scheduler(house, due + timedelta(hours=hour)).look() == 0
    (notifications,) = (await house.call("list_notifications"))["notifications"]
    assert notifications["title"] == "The schedule of Guard started nothing"
    assert "credits" in notifications["message"]
    assert (await house.call("get_agent_run_summary", agentInstanceId=agent))["totalRuns"] == 0


async def test_what_is_archived_or_has_no_schedule_any_more_starts_nothing(house: House) -> None:
    prompt_set, due = await scheduled_set(house)
    agent, _ = await scheduled_agent(house)
    await house.call("update_prompt_set", promptSetId=prompt_set, archived=True)
    await house.call("update_reusable_agent", agentInstanceId=agent, schedule=None)
    assert await scheduler(house, due + timedelta(days=2)).look() == 0
    schedule_status = await house.database.operators.schedules.status(datetime.now(UTC))
    assert (schedule_status.schedules, schedule_status.due, schedule_status.first) == (0, 0, None)
    await house.call("update_prompt_set", promptSetId=prompt_set, archived=False)
    schedule_status = await house.database.operators.schedules.status(due)
    assert (schedule_status.schedules, schedule_status.due, schedule_status.first) == (1, 1, due)


async def test_an_archived_brand_is_never_due_and_catches_up_on_nothing(
    house: House,
) -> None:
    _, due = await scheduled_set(house)
    agent, _ = await scheduled_agent(house)
    await house.call("update_brand_profile", brandId="Acme", archived=True)
    week_later = due + timedelta(days=7)
    assert await scheduler(house, week_later).look() == 0
    status = await house.database.operators.schedules.status(week_later)
    assert (status.schedules, status.due, status.first) == (0, 0, None)
    [listed] = (await house.call("list_prompt_sets"))["promptSets"]
    [assigned] = (await house.call("list_reusable_agents"))["agents"][0]["assignments"]
    assert (listed["schedule"], listed["nextRunAt"], assigned["nextRunAt"]) == ("0 6 * * *", None, None)
    asked: tuple[tuple[str, dict[str, Any]], ...] = (
        ("run_prompt_set", {"promptSetId": listed["promptSetId"]}),
        ("run_reusable_agent", {"agentInstanceId": agent, "brandId": "Acme"}),
        ("run_workflow", {"workflowId": "ai_shop_checkup", "configuration": {"brandId": "Acme"}}),
    )
    for tool, arguments in asked:
        assert "Acme is archived" in (await house.call(tool, **arguments)).message
    assert await runs(house) == []
    await house.call("update_brand_profile", brandId="Acme", archived=False)
    [listed] = (await house.call("list_prompt_sets"))["promptSets"]
    following = datetime.fromisoformat(listed["nextRunAt"])
    assert following > datetime.now(UTC)
    assert await scheduler(house, following - timedelta(seconds=1)).look() == 0
    assert await scheduler(house, following).look() == 2


async def test_a_source_that_fails_does_not_stop_the_others(house: House) -> None:
    class Broken:
        async def start_due(self, now: datetime) -> int:
            raise ValueError("secret words of a driver")

    _, due = await scheduled_agent(house)
    sources = (Broken(), ScheduledAgents(house.database, house.desk))
    assert await Scheduler(sources, lambda: due).look() == 1


async def test_doctor_tells_how_many_schedules_there_are_and_which_wait(
    address: str, house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    environ = {"SEENBY_DATABASE_URL": address, "SEENBY_DATA_DIR": str(tmp_path)}

    async def told() -> dict[str, Any]:
        settings = Settings.from_environ(environ)
        async with open_service(settings) as service:
            await doctor(Session(settings, service.database, Output(True), service))
        return json.loads(capsys.readouterr().out)["schedules"]

    prompt_set, due = await scheduled_set(house)
    assert await told() == {"active": 1, "overdue": 0, "nextAt": due.isoformat().replace("+00:00", "Z")}
    long_ago = datetime.now(UTC) - timedelta(hours=1)
    async with house.database.transaction(house.company_id) as workspace:
        listed = await workspace.prompt_sets.listed(prompt_set)
        assert listed is not None
        assert await workspace.prompt_sets.claim_tick(listed.set, long_ago)
    since = long_ago.isoformat().replace("+00:00", "Z")
    assert await told() == {"active": 1, "overdue": 1, "nextAt": since}
