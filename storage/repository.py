"""What every repository shares: its session, the company its statements are bound to, loading on first use."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Generic, Protocol, TypeVar, cast, get_args

from sqlalchemy import Executable, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import CursorResult
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.bulk import BulkInsert
from storage.choices import ChosenListing
from storage.queries import Listing, Query, QuerySession, Reads
from storage.tenancy import bind_rows_to_company, bind_to_company

Row = TypeVar("Row")
BoundRepository = TypeVar("BoundRepository")


class Repository:
    """Reads and writes of one company; `company_id` is given to every query and checked by a test."""

    def __init__(self, session: QuerySession, company_id: str) -> None:
        self._session = session
        self._reads = Reads(session)
        self.company_id = company_id

    async def _all(self, query: Query[Row], **values: Any) -> list[Row]:
        return await self._reads.all(query, company_id=self.company_id, **values)

    async def _first(self, query: Query[Row], **values: Any) -> Row | None:
        return await self._reads.first(query, company_id=self.company_id, **values)

    async def _page(self, listing: Listing[Row] | ChosenListing[Row], **values: Any) -> tuple[list[Row], int]:
        """Return one page and how many rows there are in all."""
        rows = await self._all(listing.page, **values)
        if rows:
            return [row for _, row in rows], rows[0][0]
        if values["limit"] > 0 and values["offset"] == 0:
            return [], 0
        return [], await self._first(listing.count, **values) or 0

    async def _write(
        self, statement: Executable, values: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None
    ) -> CursorResult[Any]:
        """Run a statement in the open transaction, bound to the company; outside of one it is a defect."""
        connection = self._writing()
        if self.company_id:
            statement = bind_to_company(statement, values, self.company_id)
        return await connection.execute(statement, values)

    async def _write_all(self, insert: BulkInsert, rows: Sequence[Mapping[str, Any]]) -> None:
        """Store rows in the open transaction; those of a table with an owner must bear the company."""
        if not rows:
            return
        connection = self._writing()
        if self.company_id:
            bind_rows_to_company(insert.table, rows, self.company_id)
        dialect = self._session.dialect
        await connection.exec_driver_sql(insert.compiled(dialect).sql, insert.arguments(rows, dialect))

    def _writing(self) -> AsyncConnection:
        connection = getattr(self._session, "connection", None)
        if not isinstance(connection, AsyncConnection):
            raise RuntimeError("writes need a transaction: use Database.transaction")
        return connection

    def _insert_or_ignore(self, table: Table) -> Executable:
        """Return an INSERT that leaves a row that exists already as it is."""
        return self._insert_into(table).on_conflict_do_nothing()

    def _insert_or_change(self, table: Table, *columns: str) -> Executable:
        """Return an INSERT that changes only these columns of a row whose primary key exists already."""
        return _insert_or_change(table, columns, self._session.dialect.name)

    def _insert_into(self, table: Table) -> postgresql.Insert | sqlite.Insert:
        return _insert_into(table, self._session.dialect.name)

    async def _insert(self, statement: Executable, values: Mapping[str, Any]) -> int:
        """Insert one row and return its internal key."""
        result = await self._write(statement, values)
        key = result.inserted_primary_key
        assert key is not None
        return int(key[0])


def _insert_into(table: Table, dialect_name: str) -> postgresql.Insert | sqlite.Insert:
    make = postgresql.insert if dialect_name == "postgresql" else sqlite.insert
    return make(table)


# Naming the new values copies every column of the table, which takes milliseconds; the statement is always the same.
@cache
def _insert_or_change(table: Table, columns: tuple[str, ...], dialect_name: str) -> Executable:
    new = _insert_into(table, dialect_name)
    changed = {name: new.excluded[name] for name in columns}
    return new.on_conflict_do_update(index_elements=list(table.primary_key), set_=changed)


class Door(Protocol):
    """What repositories are reached through: a session, and the company they are bound to ("" for none)."""

    session: QuerySession
    company_id: str


class Bound(Generic[BoundRepository]):
    """A repository, loaded and made when it is first used: `name: Bound["ClassName"] = Bound("its.module")`."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._loaded: Callable[[QuerySession, str], BoundRepository] | None = None

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name
        (declared,) = get_args(owner.__annotations__[name])
        self._class_name: str = declared.__forward_arg__

    def __get__(self, door: Door, owner: type) -> BoundRepository:
        repository = self.load()(door.session, door.company_id)
        door.__dict__[self._name] = repository  # found there before this from now on
        return repository

    def load(self) -> Callable[[QuerySession, str], BoundRepository]:
        """Return the repository's class, imported by now."""
        if self._loaded is None:
            self._loaded = getattr(import_module(self._module), self._class_name)
            assert self._loaded is not None
        return self._loaded


def load_all(*doors: type) -> None:
    """Import the repositories of these doors: a server does it before it serves, so that no call waits for it."""
    for door in doors:
        for bound in vars(door).values():
            if isinstance(bound, Bound):
                cast(Bound[Any], bound).load()
