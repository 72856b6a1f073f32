"""A brand or a workspace whose deletion is planned while it works: its runs end, are refunded, and none begins."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text

from measurement.imports.access_logs.log_import import LogImporter, LogTarget
from oauth.signing import SubKey
from storage.database import Database
from storage.errors import RowGone
from storage.repositories.brands import Brand, BrandDraft
from storage.repositories.notification_choices import NotificationChoice
from storage.repositories.notifications import NotificationDraft
from storage.workspace import Workspace
from tests.workflows.conftest import PATIENCE, PROFILE, House, now
from workflows.agents.agent import Result, Work
from workflows.brand_deletion import BrandDeletions, keep_brand, plan_deletion
from workflows.company_deletion import CompanyDeletions, keep_company, plan_company_deletion
from workflows.configurations import NO_CONFIGURATION
from workflows.errors import RunRefused
from workflows.mail.scheduled_reports import ScheduledReports
from workflows.runs import SingleAgentRun
from workflows.workflow_definitions import WORKFLOWS

AGENTS = [agent for stage in WORKFLOWS["content_refresh"].stages for agent in stage]


async def delete_brand(writing: Workspace) -> None:
    brand = await writing.brands.find("Acme")
    assert brand is not None
    await plan_deletion(writing, brand, "Acme", now())


async def delete_workspace(writing: Workspace) -> None:
    await plan_company_deletion(writing, "ours", "ours", now())


@pytest.mark.parametrize("plan", [delete_brand, delete_workspace])
async def test_runs_of_what_is_to_be_deleted_end_and_cost_nothing(
    house: House, plan: Callable[[Workspace], Awaitable[None]]
) -> None:
    at_work, stopped, judged = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def work(given: Work) -> Result:
        if given.brand.name == "Other":
            await judged.wait()
            raise AssertionError
        at_work.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        raise AssertionError

    async with house.database.transaction(house.company_id) as writing:
        await writing.brands.save(BrandDraft("Other"), [], PROFILE, now())
    other = await house.call("run_workflow", workflowId="content_refresh", configuration={"brandId": "Other"})
    async with house.working(dict.fromkeys(AGENTS, work)):
        runs = [
            (
                await house.call(
                    "run_workflow", workflowId="content_refresh", configuration={"brandId": "Acme"}
                )
            )["runId"]
            for _ in range(2)
        ]
        async with asyncio.timeout(PATIENCE):
            await at_work.wait()
        async with house.database.transaction(house.company_id) as writing:
            await plan(writing)
        async with asyncio.timeout(PATIENCE):
            await stopped.wait()
        for run in runs:
            status = await house.call("get_run_status", runId=run)
            assert (status["status"], status["credits"]["charged"]) == ("cancelled", 0)
        left = (await house.call("get_run_status", runId=other["runId"]))["status"]
        assert (left == "cancelled") is (plan is delete_workspace)
        judged.set()
    refused = await house.call(
        "run_workflow", workflowId="content_refresh", configuration={"brandId": "Acme"}
    )
    assert "is archived" in refused.reason


async def waits_for_a_lock(database: Database) -> None:
    """Return when somebody waits for a row that another transaction holds."""
    query = text(
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    )
    async with asyncio.timeout(PATIENCE):
        while True:
            async with database.writing() as connection:
                if (await connection.execute(query)).scalar_one():
                    return
            await asyncio.sleep(0.01)


async def start_workflow(house: House) -> str:
    refused = await house.call(
        "run_workflow", workflowId="content_refresh", configuration={"brandId": "Acme"}
    )
    return refused.reason


async def start_agent(house: House) -> str:
    """Start one agent as a schedule does; the brand is known before the company is held."""
    try:
        async with house.database.transaction(house.company_id) as writing:
            brand = await writing.brands.find("Acme")
            assert brand is not None
            task = SingleAgentRun("repository_auditor", "content_refresh", brand, NO_CONFIGURATION)
            await house.desk.start_alone(writing, task, now())
    except RunRefused as refused:
        return str(refused)
    return "it was started"


@pytest.mark.parametrize("address", ["postgresql"], indirect=True)
@pytest.mark.parametrize("start", [start_workflow, start_agent])
async def test_a_start_that_waited_behind_the_deletion_is_refused(
    house: House, start: Callable[[House], Coroutine[Any, Any, str]]
) -> None:
    async with house.database.transaction(house.company_id) as writing:
        await writing.credits.lock()
        starting = asyncio.create_task(start(house))
        await waits_for_a_lock(house.database)
        await delete_brand(writing)
    assert "is archived" in await starting
    workspace = house.database.workspace(house.company_id)
    brand = await workspace.brands.find("Acme")
    assert brand is not None
    assert await workspace.runs.live_of_brand(brand.key) == []


async def draw_audit(house: House, brand: Brand) -> None:
    async with house.database.transaction(house.company_id) as writing:
        revision = await writing.revisions.begin(brand.key, {}, "any", 0, now())
        await writing.audits.add(brand.key, revision.key, 1, [], now())


async def take_logs(house: House, brand: Brand) -> None:
    importer = LogImporter(house.database, SubKey(b"0" * 32), now)
    target = LogTarget(house.company_id, brand, ["acme.example"], "acme.example")
    line = f'192.0.2.1 - - [{now():%d/%b/%Y:%H:%M:%S +0000}] "GET / HTTP/1.1" 200 1 "-" "GPTBot/1.2"'
    async for _ in importer.import_lines(target, [line.encode()], "endpoint"):
        pass


async def tell(house: House, brand: Brand) -> None:
    told = NotificationDraft("system_alert", "info", "Told", "Late.", dedup_key="late", brand_key=brand.key)
    async with house.database.transaction(house.company_id) as writing:
        await writing.notifications.add(told, now())


async def publish(house: House, brand: Brand) -> None:
    await house.prober.publisher.bring_up_to_date(house.company_id, brand.id)


async def erase(writing: Workspace, brand: Brand, *, company: bool) -> None:
    """Delete the brand, and the company with it, in the caller's transaction."""
    while await writing.brand_deletion.delete_some(brand.key):
        pass
    if company:
        await writing.company_deletion.delete()


@pytest.mark.parametrize("address", ["postgresql"], indirect=True)
@pytest.mark.parametrize("company", [False, True], ids=["brand", "workspace"])
@pytest.mark.parametrize("work", [draw_audit, take_logs, tell, publish])
async def test_work_that_waited_for_a_deletion_stores_nothing(
    house: House, work: Callable[[House, Brand], Coroutine[Any, Any, None]], company: bool
) -> None:
    brand = await house.database.workspace(house.company_id).brands.find("Acme")
    assert brand is not None
    async with house.database.transaction(house.company_id) as writing:
        await erase(writing, brand, company=company)
        working = asyncio.create_task(work(house, brand))
        await waits_for_a_lock(house.database)
    with pytest.raises(RowGone):
        await working


@pytest.mark.parametrize("address", ["postgresql"], indirect=True)
@pytest.mark.parametrize("company", [False, True], ids=["brand", "workspace"])
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        (
            "create_prompt_set",
            {"name": "Late", "brandId": "Acme", "prompts": [{"text": "Which van lasts?"}]},
        ),
        ("update_brand_profile", {"brandId": "Acme", "keywords": ["vans"]}),
        (
            "create_reusable_agent",
            {"name": "Late", "kind": "repository_auditor", "configuration": {}, "brandIds": ["Acme"]},
        ),
        ("run_workflow", {"workflowId": "content_refresh", "configuration": {"brandId": "Acme"}}),
    ],
)
async def test_a_call_that_waited_behind_the_end_of_a_deletion_is_refused(
    house: House, tool: str, arguments: dict[str, Any], company: bool
) -> None:
    brand = await house.database.workspace(house.company_id).brands.find("Acme")
    assert brand is not None
    async with house.database.transaction(house.company_id) as writing:
        await erase(writing, brand, company=company)
        calling = asyncio.create_task(house.call(tool, **arguments))
        await waits_for_a_lock(house.database)
    refused = await calling
    assert (refused.cause, refused.reason) == ("not_found", "what this belongs to was deleted meanwhile")


@pytest.mark.parametrize("address", ["postgresql"], indirect=True)
async def test_reports_of_other_companies_survive_a_deletion(house: House) -> None:
    database, monday = house.database, datetime(2026, 3, 30, 8, tzinfo=UTC)
    async with database.operation() as operators:
        other = await operators.companies.create("others", "others@example.com", "growth", now())
    for company in (house.company_id, other.id):
        workspace = database.workspace(company)
        [person] = await workspace.colleagues.all()
        async with database.transaction(company) as writing:
            await writing.notification_choices.set_of_user(
                person.id, [NotificationChoice("weekly_report", "email")]
            )
    async with database.transaction(house.company_id) as writing:
        await writing.company_deletion.delete()
        queueing = asyncio.create_task(ScheduledReports(database).start_due(monday))
        await waits_for_a_lock(database)
    await queueing
    queued = await database.operators.mail_queue.due(monday, 10, 10)
    assert [mail.recipient for mail in queued] == ["others@example.com"]


async def keep_one(writing: Workspace, at: datetime) -> bool:
    brand = await writing.brands.find("Acme")
    assert brand is not None
    return await keep_brand(writing, brand, at)


async def keep_all(writing: Workspace, at: datetime) -> bool:
    return await keep_company(writing, "ours", at)


@pytest.mark.parametrize("address", ["postgresql"], indirect=True)
@pytest.mark.parametrize(
    ("plan", "keep", "sweeper"),
    [(delete_brand, keep_one, BrandDeletions), (delete_workspace, keep_all, CompanyDeletions)],
    ids=["brand", "workspace"],
)
async def test_what_somebody_keeps_at_the_last_moment_is_not_deleted(
    house: House,
    plan: Callable[[Workspace], Awaitable[None]],
    keep: Callable[[Workspace, datetime], Awaitable[bool]],
    sweeper: type[BrandDeletions | CompanyDeletions],
) -> None:
    workspace = house.database.workspace(house.company_id)
    async with house.database.transaction(house.company_id) as writing:
        await plan(writing)
    brand = await workspace.brands.find("Acme")
    assert brand is not None
    assert brand.delete_at is not None
    deletions = sweeper(house.database, now)
    async with house.database.transaction(house.company_id) as writing:
        assert await keep(writing, brand.delete_at - timedelta(seconds=1))
        sweeping = asyncio.create_task(deletions.sweep(brand.delete_at))
        await waits_for_a_lock(house.database)
    assert await sweeping == 0
    kept = await workspace.brands.find("Acme")
    assert kept is not None
    assert kept.delete_at is None
