"""Counts changes of each company's rows, and of credentials, in the transaction that makes them."""

import random
import re
from collections.abc import Callable
from enum import Flag
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Engine,
    Executable,
    Integer,
    ScalarSelect,
    Table,
    Text,
    bindparam,
    event,
    func,
    literal,
    or_,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.queries import Query
from storage.tables.changes import change_counts
from storage.tables.columns import IN_NO_RESULT, OF_CREDENTIALS, TELLS_NOTHING, metadata
from storage.tables.companies import companies

EVERYBODY = ""
"""Represents all companies: changes made through the operator's connection may affect any of them."""
CREDENTIALS = "credentials"
"""Represents the credentials of all companies: who may send requests, for which company, and in which role."""
CHANGED = "seenby_changed"
"""Key in a connection's `info` for the changes of its transaction."""
SLOTS = {"postgresql": 8, "sqlite": 1}
"""Rows per company that transactions choose from, so that two concurrent commits rarely wait for each other."""
READS = ("SELECT", "PRAGMA", "BEGIN ")
"""How statements start that change nothing."""
COUNTED = re.compile(r'(?:INSERT INTO|UPDATE|DELETE FROM)\s+"?(\w+)', re.IGNORECASE)
"""How statements start that change only the named table, and whose driver reports the number of changed rows."""


class Changed(Flag):
    """The kinds of data that a statement may have changed."""

    NOTHING = 0
    RESULTS = 1
    CREDENTIALS = 2
    ALL = RESULTS | CREDENTIALS


class ChangeCounts(NamedTuple):
    """How often rows of all companies and rows of one company were changed."""

    of_everybody: int
    of_company: int


def count_of(company_id: ColumnElement[str]) -> ScalarSelect[int]:
    """Return a company's changes, summed over its slots; the cast undoes PostgreSQL's conversion to a decimal."""
    added = func.coalesce(func.sum(change_counts.c.changes).cast(BigInteger), 0)
    return select(added).where(change_counts.c.company_id == company_id).scalar_subquery()


CHANGES = Query(
    select(count_of(literal(EVERYBODY)), count_of(bindparam("company_id"))), ChangeCounts, brief=True
)
"""How often rows of all companies and of one were changed; two equal results mean no change between them.

The numbers are not added up, because the count of a deleted company restarts while that of all companies
continues.
"""


def raising(make: Callable[[Table], Any]) -> Executable:
    """Return the statement that increments a company's count, creating it if needed, unless the company was deleted."""
    counted = bindparam("company_id", type_=Text)
    exists = or_(
        counted.in_([EVERYBODY, CREDENTIALS]),
        select(companies.c.id).where(companies.c.id == counted).exists(),
    )
    row = select(counted, bindparam("slot", type_=Integer), literal(1, BigInteger)).where(exists)
    return (
        make(change_counts)
        .from_select(["company_id", "slot", "changes"], row)
        .on_conflict_do_update(
            index_elements=list(change_counts.primary_key), set_={"changes": change_counts.c.changes + 1}
        )
    )


RAISE = {"postgresql": raising(postgresql.insert), "sqlite": raising(sqlite.insert)}


def watch_changes(engine: Engine) -> None:
    """Record on each connection of an engine what its transaction has changed."""

    @event.listens_for(engine, "after_cursor_execute")
    def executed(  # pyright: ignore[reportUnusedFunction] # called by the event
        connection: Any, cursor: Any, statement: str, _parameters: object, context: Any, _many: object
    ) -> None:
        before = connection.info.get(CHANGED, Changed.NOTHING)
        if before is not Changed.ALL:
            connection.info[CHANGED] = before | changed_by(cursor, statement, context)


def changed_by(cursor: Any, statement: str, context: Any) -> Changed:
    """Return what an executed statement may have changed."""
    statement = statement.lstrip()
    if statement[:6].upper() in READS:
        return Changed.NOTHING
    counted = COUNTED.match(statement)
    if counted is None:
        return Changed.ALL  # a statement that starts with WITH may change several tables
    if cursor.rowcount == 0 or context.execution_options.keys() >= TELLS_NOTHING.keys():
        return Changed.NOTHING
    table = metadata.tables.get(counted[1])
    if table is None:
        return Changed.ALL
    results = Changed.NOTHING if table.info.items() >= IN_NO_RESULT.items() else Changed.RESULTS
    credentials = Changed.CREDENTIALS if table.info.items() >= OF_CREDENTIALS.items() else Changed.NOTHING
    return results | credentials


def forget_changes(connection: AsyncConnection) -> None:
    """Start a transaction without any recorded change."""
    connection.info.pop(CHANGED, None)


async def count_changes(connection: AsyncConnection, company_id: str) -> None:
    """Count the changes of the open transaction. This is its last step, since other transactions may wait.

    A company's count is updated before that of credentials, so that no two transactions deadlock.
    """
    changed = connection.info.get(CHANGED, Changed.NOTHING)
    for kind, counted in ((Changed.RESULTS, company_id), (Changed.CREDENTIALS, CREDENTIALS)):
        if kind in changed:
            name = connection.dialect.name
            row = {"company_id": counted, "slot": random.randrange(SLOTS[name])}
            await connection.execute(RAISE[name], row)
