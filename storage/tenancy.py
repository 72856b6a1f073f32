"""Binds every write behind a company's door to that company, whatever the statement itself says."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from sqlalchemy import Column, ColumnElement, Delete, Executable, Insert, Select, Table, Update
from sqlalchemy.sql import visitors

from storage.tables.columns import OF_NOBODY
from storage.tables.companies import companies

OWNER = "company_id"

Rows = Mapping[str, Any] | Sequence[Mapping[str, Any]] | None


class UnboundStatement(RuntimeError):
    """A statement that could reach another company's rows: a defect of the program, nothing was written."""


def bind_to_company(statement: Executable, rows: Rows, company_id: str) -> Executable:
    """Return the statement with the company in its condition. Raises UnboundStatement when that is impossible.

    An UPDATE or DELETE is narrowed to the company's rows; those of a table without an owner must be chosen through
    a table that has one. The rows of an INSERT are given beside it, and bear the company. A SELECT, as for a lock,
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
        bind_rows_to_company(cast(Table, statement.table), rows, company_id)
    elif isinstance(statement, Select):
        require_company(cast("Select[Any]", statement))
    return cast(Executable, statement)


def bind_rows_to_company(table: Table, rows: Rows, company_id: str) -> None:
    """Raise UnboundStatement when rows for a table that has an owner do not all bear the company."""
    if OWNER in table.c:
        require(all_carry_company(rows, company_id), table)


def require_company(select: "Select[Any]") -> None:
    """Raise UnboundStatement when a SELECT reads a table of companies' rows without asking for the company."""
    for source in select.get_final_froms():
        table = cast(Table, source)
        require(is_shared_by_companies(table) or names_company(select.whereclause), table)


def all_carry_company(rows: Rows, company_id: str) -> bool:
    """Tell whether rows that are given beside an INSERT are all of a company."""
    parameter_rows = [rows] if isinstance(rows, Mapping) else rows
    return bool(parameter_rows) and all(row.get(OWNER) == company_id for row in parameter_rows)


def is_shared_by_companies(table: Table) -> bool:
    """Tell whether a table holds names that are the same for everybody and say nothing of anybody."""
    return getattr(table, "info", None) == OF_NOBODY  # a join of tables has none


def names_company(condition: ColumnElement[Any] | None) -> bool:
    """Tell whether a condition asks for rows of a company, its own or those that it refers to."""
    return condition is not None and any(
        isinstance(element, Column) and (element.name == OWNER or element is companies.c.id)
        for element in visitors.iterate(condition)
    )


def require(bound: bool, table: Table) -> None:
    """Raise UnboundStatement unless a statement is bound."""
    if not bound:
        raise UnboundStatement(f"a statement on {table} does not name the company")
