"""A workspace is deleted by an owner who types its name, can be kept for seven days, and is gone then, with all of it."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import func, select

from storage.database import Database
from storage.tables import metadata
from tests.web.conftest import Meet, Person
from tests.web.test_roles import colleague
from tests.web.test_shared_reports import shared_link
from workflows.brand_deletion import GRACE
from workflows.company_deletion import CompanyDeletions

DATA = "/settings/data"


async def plan(person: Person, name: str) -> Any:
    return await person.submit(DATA, {"name": name}, f"{DATA}/workspace/delete")


async def company_id(person: Person, database: Database) -> str:
    company = await database.operators.companies.find(person.company)
    assert company is not None
    return company.id


def rows_of(database: Database, company: str) -> dict[str, int]:
    """How many rows each table has of a company."""
    owned = [table for table in metadata.sorted_tables if "company_id" in table.c]
    with database.synchronous_engine.connect() as connection:
        counts = {
            table.name: connection.execute(
                select(func.count()).select_from(table).where(table.c.company_id == company)
            ).scalar_one()
            for table in owned
        }
    return {name: count for name, count in counts.items() if count}


async def test_a_deletion_needs_the_name_archives_brands_and_can_be_undone(
    measured: Person, database: Database
) -> None:
    refused = await plan(measured, "another")
    assert (refused.status_code, f"It must be {measured.company}" in refused.text) == (422, True)
    planned = await plan(measured, measured.company)
    assert planned.headers["location"].startswith(f"{DATA}?planned=1")
    workspace = database.workspace(await company_id(measured, database))
    delete_at = await workspace.company_deletion.planned()
    assert delete_at is not None
    assert {brand.delete_at for brand in await workspace.brands.all()} == {delete_at}
    assert f"{measured.company} is deleted on {delete_at.date()}" in await measured.text("/notifications")
    assert (await measured.http.get(f"{DATA}/everything.jsonl")).status_code == 200
    kept = await measured.submit(DATA, {}, f"{DATA}/workspace/keep")
    assert kept.headers["location"].startswith(f"{DATA}?kept=1")
    assert await workspace.company_deletion.planned() is None
    assert {brand.delete_at for brand in await workspace.brands.all()} == {None}
    assert (
        await CompanyDeletions(database, lambda: datetime.now(UTC)).sweep(datetime.now(UTC) + GRACE * 2) == 0
    )


@pytest.mark.parametrize("role", ["member", "viewer"])
async def test_only_owners_delete_and_keep_the_workspace(
    measured: Person, meet: Meet, token_for: Callable[[Person, str], str], database: Database, role: str
) -> None:
    other = await colleague(measured, meet, role)
    assert "Delete the workspace" not in await other.text(DATA)
    for action in ("delete", "keep"):
        path = f"{DATA}/workspace/{action}"
        sent = await other.http.post(path, data={"token": token_for(other, path), "name": measured.company})
        assert sent.status_code == 403
    assert await database.workspace(await company_id(measured, database)).company_deletion.planned() is None


async def test_after_the_grace_period_only_that_company_is_deleted(
    measured: Person, meet: Meet, database: Database
) -> None:
    neighbor = meet()
    await neighbor.sign_up()
    other = await company_id(neighbor, database)
    theirs = rows_of(database, other)
    link, key = await shared_link(measured), await measured.make_key()
    own = {"id": "own-check", "name": "Own", "add": "site_profiler", "do": "save"}
    await measured.submit("/automation/workflows/new", own, "/automation/workflows")
    assert rows_of(database, await company_id(measured, database))["custom_workflow_versions"] == 1
    await plan(measured, measured.company)
    company = await company_id(measured, database)
    delete_at = await database.workspace(company).company_deletion.planned()
    assert delete_at is not None
    deletions = CompanyDeletions(database, lambda: datetime.now(UTC))
    assert await deletions.sweep(datetime.now(UTC)) == 0
    assert rows_of(database, company)["answers"] > 0
    assert await deletions.sweep(delete_at) == 1
    assert rows_of(database, company) == {}
    assert await database.operators.companies.find(measured.company) is None
    assert (await measured.http.get(link)).status_code == 404
    assert (await measured.http.get(f"/brands/{measured.brand}")).status_code in (303, 404)
    used = await measured.http.post(
        "/api/mcp-app/rest/list_brand_profiles", json={}, headers={"Authorization": f"Bearer {key}"}
    )
    assert used.status_code == 401
    assert rows_of(database, other) == theirs
    assert await deletions.sweep(delete_at) == 0


async def test_no_schedule_runs_for_a_company_awaiting_deletion(measured: Person, database: Database) -> None:
    company, later = await company_id(measured, database), datetime.now(UTC) + GRACE
    key = await measured.make_key()

    async def call(tool: str, **arguments: object) -> dict[str, Any]:
        answer = await measured.http.post(
            f"/api/mcp-app/rest/{tool}", json=arguments, headers={"Authorization": f"Bearer {key}"}
        )
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def due() -> tuple[int, int, int]:
        operators = database.operators
        sets = [due for due in await operators.schedules.prompt_sets(later) if due.company_id == company]
        looks = [due for due in await operators.monitors.due(later, 100) if due.company_id == company]
        fresh = await operators.monitors.unscheduled("content_gap_monitor", 100)
        return len(sets), len(looks), len([brand for brand in fresh if brand.company_id == company])

    await plan(measured, measured.company)
    made = (await call("create_brand_profile", name="Newcomer"))["profile"]["id"]
    asked = {"name": "Later", "brandId": made, "prompts": [{"text": "Which van lasts?"}]}
    await call("create_prompt_set", schedule="0 6 * * *", **asked)
    async with database.transaction(company) as writing:
        brand = await writing.brands.find(made)
        assert brand is not None
        await writing.monitors.schedule(
            brand.key, "crawler_access_monitor", datetime.now(UTC), datetime.now(UTC)
        )
    assert await due() == (0, 0, 0)
    await measured.submit(DATA, {}, f"{DATA}/workspace/keep")
    sets, looks, fresh = await due()
    assert (sets, looks > 0, fresh > 0) == (1, True, True)
