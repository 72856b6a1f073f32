"""Copies batches that the pipeline published to later days, in the database itself: with new keys, ids and times."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    Insert,
    LargeBinary,
    Table,
    Text,
    bindparam,
    func,
    insert,
    select,
    text,
    type_coerce,
    update,
)
from sqlalchemy.types import TypeEngine

from storage.encoding import packed, unpacked
from storage.tables.answers import (
    answer_exchanges,
    answer_readings,
    answer_texts,
    answers,
    citations,
    mentions,
)
from storage.tables.brands import brands
from storage.tables.columns import MICROSECOND, PackedJson, UtcTime
from storage.tables.prompts import asks, run_batches, simulations
from storage.tables.results import batch_cells, daily_rollups, metric_points, score_calculations

KEYED = (run_batches, simulations, asks, answers, score_calculations)
REFERENCES = {
    "batch_key": run_batches,
    "simulation_key": simulations,
    "ask_key": asks,
    "answer_key": answers,
}
OF_ANSWERS = (answer_texts, answer_exchanges, citations, answer_readings, mentions)
ID_PREFIX = 13
"""A public id begins with its time: twelve hexadecimal digits and a dash."""
DIGEST_PREFIX = 8


@dataclass(frozen=True, slots=True)
class Source:
    """Batches of one day, as the first and last key of each table, and the revisions they were read by."""

    day: date
    keys: Mapping[str, tuple[int, int]]
    revisions: tuple[int, int]


def newest_keys(connection: Connection) -> dict[str, int]:
    """Return the highest key of each table that has keys of its own."""
    return {
        table.name: connection.execute(select(func.coalesce(func.max(table.c.key), 0))).scalar_one()
        for table in KEYED
    }


class Copier:
    """Repeats sources on other days; what it writes is what the pipeline wrote, moved in time.

    The figures of a copied calculation are those of its source. Its receipt keeps the hash of the source's
    answers, so only batches that were really published can be verified.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._next = newest_keys(connection)
        keyed = (table for table in KEYED if table is not score_calculations)
        self._statements = [*map(copied, keyed), *map(copied_of_answers, OF_ANSWERS), *copied_results()]

    def copy(self, source: Source, day: date) -> None:
        """Write the source's batches as if they had run on this day."""
        shifts = {name: self._next[name] + 1 - first for name, (first, _) in source.keys.items()}
        values: dict[str, Any] = {
            "moved": (day - source.day) // MICROSECOND,
            "source_day": source.day,
            "day": day,
            "source_day_text": source.day.isoformat(),
            "day_text": day.isoformat(),
            "first_revision": source.revisions[0],
            "last_revision": source.revisions[1],
            "id_prefix": time_prefix(day),
            "digest_prefix": f"{day.toordinal():0{DIGEST_PREFIX}x}",
        }
        for name, (first, last) in source.keys.items():
            values |= {f"{name}_shift": shifts[name], f"{name}_first": first, f"{name}_last": last}
            self._next[name] += last - first + 1
        for statement in self._statements:
            self._connection.execute(statement, values)
        rows = self._connection.execute(CALCULATIONS, values).mappings()
        self._connection.execute(NEW_CALCULATIONS, [calculation(row, values) for row in rows])


def time_prefix(day: date) -> str:
    """Return how public ids of this day begin."""
    milliseconds = (day - date(1970, 1, 1)) // timedelta(milliseconds=1)
    return f"{milliseconds >> 16:08x}-{milliseconds & 0xFFFF:04x}"


def moved(column: ColumnElement[Any], table: Table) -> ColumnElement[Any]:
    """Move a key of this table to the copy's."""
    return column + bindparam(f"{table.name}_shift", type_=BigInteger)


def between(column: ColumnElement[Any], table: Table) -> ColumnElement[bool]:
    """Choose the rows of the source."""
    first, last = (bindparam(f"{table.name}_{end}", type_=BigInteger) for end in ("first", "last"))
    return column.between(first, last)


def fields(table: Table) -> dict[str, ColumnElement[Any]]:
    """Return every column of a copy: keys, ids, digests and times are the copy's own."""
    columns: dict[str, ColumnElement[Any]] = {}
    for column in table.c:
        referred = table if column.name == "key" else REFERENCES.get(column.name)
        if column.name == "ask_key" and table is asks:
            referred = None
        if referred is not None:
            columns[column.name] = moved(column, referred)
        elif column.name == "id":
            columns[column.name] = bindparam("id_prefix", type_=Text) + func.substr(column, ID_PREFIX + 1)
        elif column.name in ("ask_key", "plan_sha256"):
            columns[column.name] = bindparam("digest_prefix", type_=Text) + func.substr(
                column, DIGEST_PREFIX + 1
            )
        elif isinstance(column.type, UtcTime):
            columns[column.name] = type_coerce(column, BigInteger) + bindparam("moved", type_=BigInteger)
        elif column.name == "day":
            columns[column.name] = bindparam("day", type_=column.type)
        else:
            columns[column.name] = column
    return columns


def copied(table: Table) -> Insert:
    """Copy a table whose rows have keys of their own."""
    chosen = fields(table)
    rows = select(*chosen.values()).where(between(table.c.key, table)).order_by(table.c.key)
    return insert(table).from_select(list(chosen), rows)


def stored_type(column: Column[Any]) -> TypeEngine[Any]:
    """Return the type of what the database holds for a column of a calculation."""
    if isinstance(column.type, PackedJson):
        return LargeBinary()
    return BigInteger() if isinstance(column.type, UtcTime) else column.type


CALCULATIONS = (
    select(
        *(
            type_coerce(column, stored_type(score_calculations.c[name])).label(name)
            for name, column in fields(score_calculations).items()
        ),
        run_batches.c.id.label("batch_id"),
    )
    .join(run_batches, run_batches.c.key == score_calculations.c.batch_key)
    .where(between(score_calculations.c.key, score_calculations))
    .order_by(score_calculations.c.key)
)
NEW_CALCULATIONS = insert(score_calculations).values(
    {
        column.name: bindparam(f"new_{column.name}", type_=stored_type(column))
        for column in score_calculations.c
    }
)


def calculation(row: Mapping[Any, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the copy of a calculation; its documents, which are packed, name the copy's batch and day."""
    batch_id = values["id_prefix"] + row["batch_id"][ID_PREFIX:]
    copied_row: dict[str, Any] = {}
    for column in score_calculations.c:
        value = row[column.name]
        if isinstance(column.type, PackedJson):
            text = unpacked(value).replace(row["batch_id"], batch_id)
            value = packed(text.replace(values["source_day_text"], values["day_text"]))
        copied_row[f"new_{column.name}"] = value
    return copied_row


def copied_of_answers(table: Table) -> Insert:
    """Copy a table whose rows hang on answers."""
    chosen = fields(table)
    rows = select(*chosen.values()).where(between(table.c.answer_key, answers)).order_by(table.c.answer_key)
    return insert(table).from_select(list(chosen), rows)


def copied_results() -> list[Insert]:
    """Copy the trend points, the counts and the cells of the source's day."""
    of_revisions = (
        bindparam("first_revision", type_=BigInteger),
        bindparam("last_revision", type_=BigInteger),
    )
    statements: list[Insert] = []
    for table in (metric_points, daily_rollups, batch_cells):
        chosen = fields(table)
        of_day = (
            table.c.revision_key.between(*of_revisions),
            table.c.day == bindparam("source_day", type_=table.c.day.type),
        )
        rows = select(*chosen.values()).where(*of_day)
        if table is not daily_rollups:
            rows = rows.where(between(table.c.batch_key, run_batches))
        statements.append(insert(table).from_select(list(chosen), rows))
    return statements


REBUILT = [
    index
    for table in (*KEYED, *OF_ANSWERS, metric_points, daily_rollups, batch_cells)
    for index in sorted(table.indexes, key=lambda index: str(index.name))
    if not index.unique
]
"""Made again when all is copied: sorting once costs less than keeping them in order."""


def prepare(connection: Connection) -> None:
    """Make bulk writing cheap: no durability, no checks of references, no index that can be made later."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET synchronous_commit = off"))
        connection.execute(text("SET session_replication_role = replica"))
    else:
        connection.execute(text("PRAGMA foreign_keys = OFF"))
        connection.execute(text("PRAGMA synchronous = OFF"))
        connection.execute(text("PRAGMA cache_size = -1000000"))
    for index in REBUILT:
        index.drop(connection, checkfirst=True)


def settle(connection: Connection) -> None:
    """Make the indices again, count what batches count when they are planned, let new keys follow the copies'."""
    for index in REBUILT:
        index.create(connection)
    asked = select(func.count()).where(simulations.c.brand_key == brands.c.key).scalar_subquery()
    connection.execute(update(brands).values(simulations=asked))
    if connection.dialect.name == "postgresql":
        for table in KEYED:
            sequence = func.pg_get_serial_sequence(table.name, "key")
            connection.execute(select(func.setval(sequence, select(func.max(table.c.key)).scalar_subquery())))
