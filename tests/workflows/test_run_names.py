"""Notifications call a run by the name that people gave to what ran, never by an id."""

from tests.workflows.conftest import House
from tests.workflows.test_custom_workflows import DRAFTS, save
from tests.workflows.test_schedules import scheduled_set, scheduler
from workflows.agents.agent import Result, Work
from workflows.errors import AgentFailed


async def fails(work: Work) -> Result:
    raise AgentFailed("no_input")


async def test_a_failed_run_is_told_by_the_name_of_what_ran(house: House) -> None:
    await save(house, DRAFTS)
    agent = await house.call("create_reusable_agent", name="Spring texts", kind="content_writer")
    _, due = await scheduled_set(house, "Buyers")
    assert await scheduler(house, due).look() == 1
    [measurement] = (await house.call("list_workflow_runs"))["runs"]
    starts = (
        ("run_workflow", {"workflowId": "content_refresh"}),
        ("run_workflow", {"workflowId": "monday-drafts"}),
        ("run_reusable_agent", {"agentInstanceId": agent["agentInstanceId"]}),
    )
    ended, titles = [measurement["runId"]], list[str]()
    kinds = ("repository_auditor", "coverage_mapper", "content_writer", "answer_prober")
    async with house.working(dict.fromkeys(kinds, fails)):
        await house.ended(measurement["runId"])
        for tool, arguments in starts:
            ended.append((await house.call(tool, brandId="Acme", **arguments))["runId"])
            await house.ended(ended[-1])
    for run_id in ended:
        report = (await house.call("get_run_status", runId=run_id))["report"]
        titles.append(report.partition("\n")[0])
    told = (await house.call("list_notifications"))["notifications"]
    by_run = {one["runId"]: one["title"] for one in told}
    assert [by_run[run_id] for run_id in ended] == [
        "The measurement of “Buyers” failed",
        "Content refresh failed",
        "The workflow “Monday drafts” failed",
        "The agent “Spring texts” failed",
    ]
    names = ("Buyers", "Content refresh", "Monday drafts", "Spring texts")
    assert titles == [f"# {name}: Acme" for name in names]
