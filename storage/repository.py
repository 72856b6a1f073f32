"""The base of every repository: its session, and the company that all of its statements are bound to (tenancy)."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Generic, TypeVar, cast, overload

from sqlalchemy import Column, ColumnElement, Delete, Executable, Insert, Select, Table, Update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import CursorResult
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql import visitors

from storage.queries import Listing, Query, QuerySession, fetch_all, fetch_first
from storage.tables.columns import OF_NOBODY
from storage.tables.companies import companies

OWNER = "company_id"
Row = TypeVar("Row")
Rows = Mapping[str, Any] | Sequence[Mapping[str, Any]] | None
Attribute = TypeVar("Attribute", bound="Repository")


class Repository:
    """Reads and writes of one company; `company_id` is given to every query and checked by a test."""

    def __init__(self, session: QuerySession, company_id: str) -> None:
        self._session = session
        self.company_id = company_id

    async def _all(self, query: Query[Row], **values: Any) -> list[Row]:
        return await fetch_all(self._session, query, company_id=self.company_id, **values)

    async def _first(self, query: Query[Row], **values: Any) -> Row | None:
        return await fetch_first(self._session, query, company_id=self.company_id, **values)

    async def _page(self, listing: Listing[Row], **values: Any) -> tuple[list[Row], int]:
        """Return one page and how many rows there are in all."""
        rows = await self._all(listing.page, **values)
        if rows:
            return [row for _, row in rows], rows[0][0]
        if values["limit"] > 0 and values["offset"] == 0:
            return [], 0
        return [], await self._first(listing.count, **values) or 0

    async def _write(self, statement: Executable, values: Rows = None) -> CursorResult[Any]:
        """Run a statement in the open transaction, bound to the company; outside of one it is a defect."""
        connection = getattr(self._session, "connection", None)
        if not isinstance(connection, AsyncConnection):
            raise RuntimeError("writes need a transaction: use Database.transaction")
        if self.company_id:
            statement = bind_to_company(statement, values, self.company_id)
        return await connection.execute(statement, values)

    async def _write_all(self, statement: Executable, rows: Sequence[Mapping[str, Any]]) -> None:
        """Store rows that all have the same columns; none at all is nothing to do."""
        if rows:
            await self._write(statement, rows)

    def _insert_or_ignore(self, table: Table) -> Executable:
        """Return an INSERT that leaves a row that exists already as it is."""
        return _insert_into(table, self._session.dialect.name).on_conflict_do_nothing()

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


class Session:
    """A session and the company that its repositories are bound to; "" for none."""

    def __init__(self, session: QuerySession, company_id: str = "") -> None:
        self.session = session
        self.company_id = company_id


class Attached(Generic[Attribute]):
    """A repository as an attribute of a session: made when it is first used, and kept.

    A transaction uses two or three of the seventy repositories; making all of them would take as long as a read.
    """

    def __init__(self, repository: Callable[[QuerySession, str], Attribute]) -> None:
        self._repository = repository

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, session: None, owner: type) -> "Attached[Attribute]": ...

    @overload
    def __get__(self, session: Session, owner: type) -> Attribute: ...

    def __get__(self, session: Session | None, owner: type) -> "Attached[Attribute] | Attribute":
        if session is None:
            return self
        repository = self._repository(session.session, session.company_id)
        session.__dict__[self._name] = repository  # found there first from now on
        return repository


class UnboundStatement(RuntimeError):
    """A statement that could reach another company's rows: a defect of the program, nothing was written."""


def bind_to_company(statement: Executable, rows: Rows, company_id: str) -> Executable:
    """Return the statement with the company in its condition. Raises UnboundStatement when that is impossible.

    An UPDATE or DELETE is narrowed to the company's rows; those of a table without an owner must be chosen through
    a table that has one. The rows of an INSERT are given beside it, and have the company. A SELECT, as for a lock,
    must ask for the company.
    """
    if isinstance(statement, Update | Delete):
        table = cast(Table, statement.table)
        if OWNER in table.c:
            return statement.where(table.c[OWNER] == company_id)
        if table is companies:
            return statement.where(companies.c.id == company_id)
        require(is_shared_by_companies(table) or names_company(statement.whereclause), table)
    elif isinstance(statement, Insert):
        table = cast(Table, statement.table)
        require(OWNER not in table.c or all_carry_company(rows, company_id), table)
    elif isinstance(statement, Select):
        chosen = cast("Select[Any]", statement)
        for source in chosen.get_final_froms():
            table = cast(Table, source)
            require(is_shared_by_companies(table) or names_company(chosen.whereclause), table)
    return cast(Executable, statement)


def all_carry_company(rows: Rows, company_id: str) -> bool:
    """Return whether rows that are given beside an INSERT are all of a company."""
    parameter_rows = [rows] if isinstance(rows, Mapping) else rows
    return bool(parameter_rows) and all(row.get(OWNER) == company_id for row in parameter_rows)


def is_shared_by_companies(table: Table) -> bool:
    """Return whether a table holds names that are the same for every company and say nothing of any."""
    return getattr(table, "info", None) == OF_NOBODY  # a join of tables has none


def names_company(condition: ColumnElement[Any] | None) -> bool:
    """Return whether a condition asks for rows of a company, its own or those that it refers to."""
    return condition is not None and any(
        isinstance(element, Column) and (element.name == OWNER or element is companies.c.id)
        for element in visitors.iterate(condition)
    )


def require(bound: bool, table: Table) -> None:
    """Raise UnboundStatement unless a statement is bound."""
    if not bound:
        raise UnboundStatement(f"a statement on {table} does not name the company")
