"""Rows of one company are out of reach for every other one."""

import inspect
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from types import FunctionType
from typing import Any, cast

import pytest
from sqlalchemy import CursorResult, Executable, delete, func, insert, select, update
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import Dialect

from storage.database import Database, Transaction
from storage.errors import WriteRefused
from storage.queries import Listing, Query, QuerySession
from storage.repositories.brands import BrandDraft
from storage.repositories.notifications import NotificationDraft
from storage.repositories.prompt_sets import PromptSetDraft
from storage.repositories.prompts import PromptDraft
from storage.repository import Repository, UnboundStatement
from storage.tables import metadata
from storage.workspace import CompanyRole, Workspace

NOON = datetime(2026, 3, 31, 12, tzinfo=UTC)
PROFILE: dict[str, Any] = {
    "industry": None,
    "website": None,
    "voice": None,
    "keywords": [],
    "target_audience": None,
}

SHARED = {
    ("storage.repositories.simulations", "KEY"): "names of channels, the same for everybody",
    ("storage.repositories.simulations", "KEYS"): "names of channels, the same for everybody",
    ("storage.repositories.answers.citations", "URL_KEYS"): "addresses, each stored once for everybody",
    ("storage.repositories.brand_deletion", "FREE_PAGES"): "addresses that answers of the company cited",
    ("storage.repositories.archive", "CHANNELS"): "names of channels, the same for everybody",
}


class NoSession:
    """A session that is never asked."""

    @property
    def dialect(self) -> Dialect:
        return sqlite.dialect()


def repositories() -> list[Repository]:
    """Every repository that stands behind a company's door."""
    door = Workspace(cast(QuerySession, NoSession()), "a company")
    bound = [getattr(door, name) for name in vars(Workspace) if not name.startswith("_")]
    return [repository for repository in bound if isinstance(repository, Repository)]


def queries_in(value: object) -> Iterator[Query[Any]]:
    """The queries that a module's name stands for: one, a page and its count, or several by key.

    Of a statement with optional parts it is the one without any: what it asks for, each choice asks for.
    """
    if isinstance(value, Query):
        yield cast("Query[Any]", value).of(())
    elif isinstance(value, Listing):
        listing = cast("Listing[Any]", value).of(())
        yield from (listing.page, listing.count)
    elif isinstance(value, Mapping):
        for inner in cast("Mapping[object, object]", value).values():
            yield from queries_in(inner)


def used_by(repository: Repository) -> Iterator[tuple[tuple[str, str], Query[Any]]]:
    """Every query that a method of the repository names, with its module and name."""
    for method in (one for _, one in inspect.getmembers(type(repository)) if isinstance(one, FunctionType)):
        module = sys.modules[method.__module__]
        for name in method.__code__.co_names:
            for query in queries_in(vars(module).get(name)):
                yield (method.__module__, name), query


def test_every_query_of_a_workspace_asks_for_the_company() -> None:
    used = [found for repository in repositories() for found in used_by(repository)]
    assert {place for place, query in used if "company_id" not in query.parameters} == SHARED.keys()
    assert len({place for place, _ in used}) > 60


class OpenRepository(Repository):
    """A repository whose statements a test chooses."""

    async def run(self, statement: Executable, rows: Mapping[str, Any] | None = None) -> CursorResult[Any]:
        return await self._write(statement, rows)


OWNED = [table for table in metadata.sorted_tables if "company_id" in table.c]
OWNERLESS = [
    *("answer_texts", "citations", "daily_rollups", "metric_points"),
    *("mentions", "reparsed_answers", "running_totals"),
]


async def furnish(database: Database, name: str) -> str:
    """Make a company with a row in several tables; return its identifier."""
    async with database.operation() as operators:
        company = await operators.companies.create(name, f"{name}@example.com", "scale", NOON)
    async with database.transaction(company.id) as workspace:
        brand = await workspace.brands.save(BrandDraft("Acme"), [BrandDraft("Globex")], PROFILE, NOON)
        await workspace.prompt_sets.save(brand.key, PromptSetDraft("Buyers", (PromptDraft("Which?"),)), NOON)
        for wanted in ("one", "two"):
            notification = NotificationDraft("system_alert", "info", "Title", "Message.", wanted, brand.key)
            await workspace.notifications.add(notification, NOON)
    return company.id


async def rows_of(database: Database, company_id: str) -> dict[str, int]:
    """Count the rows that a company owns, by table."""
    async with database.writing() as connection:
        counts = {
            table.name: await connection.scalar(
                select(func.count()).select_from(table).where(table.c.company_id == company_id)
            )
            for table in OWNED
        }
    return {name: count for name, count in counts.items() if count}


async def test_no_write_reaches_rows_of_another_company(database: Database) -> None:
    ours, theirs = await furnish(database, "ours"), await furnish(database, "theirs")
    before = await rows_of(database, ours)
    assert len(before) >= 5
    for table in reversed(OWNED):
        async with database.writing() as connection:
            repository = OpenRepository(Transaction(connection), theirs)
            await repository.run(update(table).values(company_id=table.c.company_id))
            await repository.run(delete(table))
    assert await rows_of(database, ours) == before
    assert await rows_of(database, theirs) == {}


async def test_a_viewer_reads_and_never_writes(database: Database) -> None:
    ours = await furnish(database, "ours")
    before = await rows_of(database, ours)
    viewer = database.acting_as(CompanyRole.VIEWER)
    with pytest.raises(WriteRefused):
        async with viewer.transaction(ours) as workspace:
            await workspace.notifications.mark_read(None, NOON)
    assert await rows_of(viewer, ours) == before
    assert await viewer.workspace(ours).brands.find("Acme") is not None


@pytest.mark.parametrize("role", [CompanyRole.OWNER, CompanyRole.MEMBER])
async def test_owners_members_and_the_service_itself_write(database: Database, role: CompanyRole) -> None:
    ours = await furnish(database, "ours")
    async with database.acting_as(role).transaction(ours) as workspace:
        await workspace.brands.save(BrandDraft("Zentrix"), [], PROFILE, NOON)
    async with database.transaction(ours) as workspace:
        await workspace.brands.save(BrandDraft("Velora"), [], PROFILE, NOON)
    reading = database.workspace(ours)
    assert [await reading.brands.find(name) is not None for name in ("Zentrix", "Velora")] == [True, True]


async def test_a_new_row_of_another_company_is_refused(database: Database) -> None:
    ours, theirs = await furnish(database, "ours"), await furnish(database, "theirs")
    row = {"company_id": ours, "plan": "scale"}
    for table in OWNED:
        for statement, rows in ((insert(table), row), (insert(table).values(company_id=theirs), None)):
            async with database.writing() as connection:
                repository = OpenRepository(Transaction(connection), theirs)
                with pytest.raises(UnboundStatement):
                    await repository.run(statement, rows)


@pytest.mark.parametrize("name", OWNERLESS)
async def test_rows_without_an_owner_are_chosen_through_one(database: Database, name: str) -> None:
    table = metadata.tables[name]
    for statement in (delete(table), update(table).values({next(iter(table.c)): 1}), select(table)):
        async with database.writing() as connection:
            with pytest.raises(UnboundStatement):
                await OpenRepository(Transaction(connection), "a company").run(statement)


async def test_another_companys_row_is_not_locked(database: Database) -> None:
    brand = select(metadata.tables["brands"].c.key).with_for_update()
    async with database.writing() as connection:
        with pytest.raises(UnboundStatement):
            await OpenRepository(Transaction(connection), "a company").run(brand)
