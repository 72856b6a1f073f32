"""A brand is deleted by an owner who types its name, can be kept for seven days, and is gone then, with all of it."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from storage.database import Database
from tests.web.conftest import Meet, Person
from tests.web.test_roles import colleague
from tests.web.test_shared_reports import shared_link
from workflows.brand_deletion import GRACE, BrandDeletions

DATA = "/settings/data"


async def plan(person: Person, name: str = "Acme") -> Any:
    path = f"{DATA}/brands/{person.brand}/delete"
    return await person.submit(DATA, {"name": name}, path)


async def find(person: Person, database: Database) -> Any:
    company = await database.operators.companies.find(person.company)
    assert company is not None
    return await database.workspace(company.id).brands.find(person.brand)


async def test_a_deletion_needs_the_name_is_told_and_can_be_taken_back(
    measured: Person, database: Database
) -> None:
    refused = await plan(measured, "acme")
    assert (refused.status_code, "It must be Acme" in refused.text) == (422, True)
    assert (await find(measured, database)).delete_at is None
    planned = await plan(measured)
    assert planned.headers["location"].startswith(f"{DATA}?planned=1")
    brand = await find(measured, database)
    told = f"Acme is deleted on {brand.delete_at.date()}"
    assert told in await measured.text("/notifications")
    page = await measured.text(f"/brands/{measured.brand}")
    assert ("will be deleted on" in page, "Measure now" in page) == (True, False)
    archive = (await measured.http.get(f"{DATA}/everything.jsonl?brand={measured.brand}")).text
    assert ('"archived_at"' in archive, '"delete_at"' in archive) == (True, False), "it stays where it goes"
    other = next(
        other for other in re.findall(r'"(/brands/[0-9a-f-]{36})"', (await measured.http.get("/")).text)
    )
    await measured.submit(f"{other}/profile", {"archived": "1"}, f"{other}/archive")
    keep = f"{DATA}/brands/{measured.brand}/keep"
    kept = await measured.submit(DATA, {}, keep)
    assert kept.headers["location"].startswith(f"{DATA}?kept=1")
    brand = await find(measured, database)
    assert (brand.delete_at, brand.archived_at) == (None, None)
    assert "Acme is kept" in await measured.text("/notifications")
    assert await BrandDeletions(database, lambda: datetime.now(UTC)).sweep(datetime.now(UTC) + GRACE * 2) == 0


async def test_a_kept_brand_stays_archived_when_the_plan_is_full(
    measured: Person, database: Database
) -> None:
    await plan(measured)
    await measured.submit(DATA, {}, f"{DATA}/brands/{measured.brand}/keep")
    brand = await find(measured, database)
    assert (brand.delete_at, brand.archived_at is not None) == (None, True)
    assert "It stays archived" in await measured.text("/notifications")


async def test_a_planned_deletion_is_not_ended_by_bringing_the_brand_back(
    measured: Person, token_for: Callable[[Person, str], str], database: Database
) -> None:
    await plan(measured)
    path = f"/brands/{measured.brand}/archive"
    refused = await measured.http.post(path, data={"token": token_for(measured, path), "archived": "0"})
    assert (refused.status_code, "is to be deleted on" in refused.text) == (422, True)
    assert (await find(measured, database)).delete_at is not None


@pytest.mark.parametrize("role", ["member", "viewer"])
async def test_only_owners_delete_and_keep_brands(
    measured: Person, meet: Meet, token_for: Callable[[Person, str], str], database: Database, role: str
) -> None:
    other = await colleague(measured, meet, role)
    assert "Delete a brand" not in await other.text(DATA)
    for action in ("delete", "keep"):
        path = f"{DATA}/brands/{measured.brand}/{action}"
        sent = await other.http.post(path, data={"token": token_for(other, path), "name": "Acme"})
        assert sent.status_code == 403
    stranger = meet()
    await stranger.sign_up()
    path = f"{DATA}/brands/{measured.brand}/delete"
    sent = await stranger.http.post(path, data={"token": token_for(stranger, path), "name": "Acme"})
    assert sent.status_code == 404
    assert (await find(measured, database)).delete_at is None


async def test_after_the_grace_the_brand_is_gone_and_people_are_told(
    measured: Person, database: Database
) -> None:
    link = await shared_link(measured)
    await plan(measured)
    brand = await find(measured, database)
    deletions = BrandDeletions(database, lambda: datetime.now(UTC))
    await deletions.sweep(brand.delete_at)
    assert (await measured.http.get(f"/brands/{measured.brand}")).status_code == 404
    assert (await measured.http.get(link)).status_code == 404
    assert "Acme was deleted" in await measured.text("/notifications")
    late = await measured.http.get(DATA)
    assert measured.brand not in late.text
