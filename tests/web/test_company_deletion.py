"""A workspace is deleted by an owner who types its name, can be kept for seven days, and is gone then, with all of it."""

from collections.abc import AsyncGenerator, Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import func, select

from storage.database import Database
from storage.statements.tables import metadata
from tests.web.conftest import Meet, Person, Running
from tests.web.test_roles import colleague
from tests.web.test_shared_reports import shared_link
from workflows.brand_deletion import GRACE
from workflows.company_deletion import CompanyDeletions

DATA = "/settings/data"


@pytest.fixture
async def stored(service: Running) -> AsyncGenerator[Database]:
    opened = await Database.open(service.settings.database_url)
    yield opened
    await opened.close()


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


async def test_a_planned_deletion_needs_the_name_puts_brands_away_and_can_be_taken_back(
    measured: Person, stored: Database
) -> None:
    refused = await plan(measured, "another")
    assert (refused.status_code, f"It must be {measured.company}" in refused.text) == (422, True)
    planned = await plan(measured, measured.company)
    assert planned.headers["location"].startswith(f"{DATA}?planned=1")
    workspace = stored.workspace(await company_id(measured, stored))
    delete_at = await workspace.company_deletion.planned()
    assert delete_at is not None
    assert {brand.delete_at for brand in await workspace.brands.all()} == {delete_at}
    assert f"{measured.company} is deleted on {delete_at.date()}" in await measured.text("/notifications")
    assert (await measured.http.get(f"{DATA}/everything.jsonl")).status_code == 200
    kept = await measured.submit(DATA, {}, f"{DATA}/workspace/keep")
    assert kept.headers["location"].startswith(f"{DATA}?kept=1")
    assert await workspace.company_deletion.planned() is None
    assert {brand.delete_at for brand in await workspace.brands.all()} == {None}
    assert await CompanyDeletions(stored, lambda: datetime.now(UTC)).sweep(datetime.now(UTC) + GRACE * 2) == 0


@pytest.mark.parametrize("role", ["member", "viewer"])
async def test_only_owners_delete_and_keep_the_workspace(
    measured: Person, meet: Meet, token_for: Callable[[Person, str], str], stored: Database, role: str
) -> None:
    other = await colleague(measured, meet, role)
    assert "Delete the workspace" not in await other.text(DATA)
    for action in ("delete", "keep"):
        path = f"{DATA}/workspace/{action}"
        sent = await other.http.post(path, data={"token": token_for(other, path), "name": measured.company})
        assert sent.status_code == 403
    assert await stored.workspace(await company_id(measured, stored)).company_deletion.planned() is None


async def test_after_the_grace_nothing_of_the_company_is_left_and_others_have_all_of_theirs(
    measured: Person, meet: Meet, stored: Database
) -> None:
    neighbor = meet()
    await neighbor.sign_up()
    other = await company_id(neighbor, stored)
    theirs = rows_of(stored, other)
    link, key = await shared_link(measured), await measured.make_key()
    await plan(measured, measured.company)
    company = await company_id(measured, stored)
    delete_at = await stored.workspace(company).company_deletion.planned()
    assert delete_at is not None
    deletions = CompanyDeletions(stored, lambda: datetime.now(UTC))
    assert await deletions.sweep(datetime.now(UTC)) == 0
    assert rows_of(stored, company)["answers"] > 0
    assert await deletions.sweep(delete_at) == 1
    assert rows_of(stored, company) == {}
    assert await stored.operators.companies.find(measured.company) is None
    assert (await measured.http.get(link)).status_code == 404
    assert (await measured.http.get(f"/brands/{measured.brand}")).status_code in (303, 404)
    used = await measured.http.post(
        "/api/mcp-app/rest/list_brand_profiles", json={}, headers={"Authorization": f"Bearer {key}"}
    )
    assert used.status_code == 401
    assert rows_of(stored, other) == theirs
    assert await deletions.sweep(delete_at) == 0
