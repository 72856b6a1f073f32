"""Counts, in the transaction that makes it, each change of a company's rows."""

import random
from collections.abc import Callable
from typing import Any, NamedTuple, cast

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

from storage.statements.queries import Query
from storage.statements.tables.changes import change_counts
from storage.statements.tables.columns import IN_NO_RESULT
from storage.statements.tables.companies import companies

EVERYBODY = ""
"""Stands for all companies: what was changed through the operator's door may be anybody's."""
CHANGED = "seenby_changed"
"""Stands in the `info` of a connection whose transaction has changed what results may tell."""
SLOTS = {"postgresql": 8, "sqlite": 1}
"""Rows of a company among which transactions choose: two that end together seldom wait for each other."""
READS = ("SELECT", "PRAGMA", "BEGIN ")
"""How statements begin that change nothing."""
COUNTED = ("INSERT", "UPDATE", "DELETE")
"""How statements begin whose driver tells how many rows they changed, and which change no other table."""

C = change_counts.c


class ChangeCounts(NamedTuple):
    """How often rows of all companies were changed, and of one."""

    of_everybody: int
    of_company: int


def count_of(company_id: ColumnElement[str]) -> ScalarSelect[int]:
    """Return the changes of a company, added up over its slots; PostgreSQL adds whole numbers up to a decimal one."""
    added = func.coalesce(func.sum(C.changes).cast(BigInteger), 0)
    return select(added).where(C.company_id == company_id).scalar_subquery()


CHANGES = Query(
    select(count_of(literal(EVERYBODY)), count_of(bindparam("company_id"))), ChangeCounts, brief=True
)
"""How often rows of all companies and of one were changed: of two reads the same numbers say never between.

They are no sum, since those of a deleted company begin anew while everybody's go on.
"""


def raising(make: Callable[[Table], Any]) -> Executable:
    """Return the statement that raises one of a company's counts, which may not be there yet; none of a deleted one."""
    counted = bindparam("company_id", type_=Text)
    exists = or_(counted == EVERYBODY, select(companies.c.id).where(companies.c.id == counted).exists())
    row = select(counted, bindparam("slot", type_=Integer), literal(1, BigInteger)).where(exists)
    return (
        make(change_counts)
        .from_select(["company_id", "slot", "changes"], row)
        .on_conflict_do_update(
            index_elements=list(change_counts.primary_key), set_={"changes": C.changes + 1}
        )
    )


RAISE = {"postgresql": raising(postgresql.insert), "sqlite": raising(sqlite.insert)}


def watch_changes(engine: Engine) -> None:
    """Note on each connection of an engine whether its transaction has changed what results may tell."""

    @event.listens_for(engine, "after_cursor_execute")
    def executed(  # pyright: ignore[reportUnusedFunction] # called by the event
        connection: Any, cursor: Any, statement: str, _parameters: object, context: Any, _many: object
    ) -> None:
        if CHANGED not in connection.info and has_changed(cursor, statement, context):
            connection.info[CHANGED] = True


def has_changed(cursor: Any, statement: str, context: Any) -> bool:
    """Tell whether a statement that has run may have changed a row of a table that results tell of."""
    word = statement.lstrip()[:6].upper()
    if word not in COUNTED:
        return word not in READS  # what begins with WITH may change several tables
    if cursor.rowcount == 0:
        return False
    if not (context.isinsert or context.isupdate or context.isdelete):
        return True  # words alone do not say which table
    return cast(Table, context.compiled.statement.table).info != IN_NO_RESULT


def forget_changes(connection: AsyncConnection) -> None:
    """Begin a transaction in which nothing was changed."""
    connection.info.pop(CHANGED, None)


async def count_changes(connection: AsyncConnection, company_id: str) -> None:
    """Count the changes of the open transaction, if it made any; the last thing that it does, since others may wait."""
    if CHANGED in connection.info:
        name = connection.dialect.name
        row = {"company_id": company_id, "slot": random.randrange(SLOTS[name])}
        await connection.execute(RAISE[name], row)
