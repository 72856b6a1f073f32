"""Writes very many rows at once, as fast as each database takes them."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Table, func, select, text

from storage.tables.answers import (
    answer_exchanges,
    answer_readings,
    answer_texts,
    answers,
    citations,
    mentions,
)
from storage.tables.prompts import asks, run_batches, simulations
from storage.tables.results import (
    batch_seals,
    country_calculations,
    daily_rollups,
    metric_points,
    score_calculations,
)
from storage.tables.totals import channel_days

KEYED = (run_batches, simulations, asks, answers, score_calculations, country_calculations)
"""Tables with keys of their own."""
WRITTEN = (
    *KEYED,
    answer_texts,
    answer_exchanges,
    citations,
    answer_readings,
    mentions,
    metric_points,
    daily_rollups,
    batch_seals,
    channel_days,
)
UNCITED = "DELETE FROM cited_urls WHERE NOT EXISTS (SELECT 1 FROM citations WHERE url_key = cited_urls.key)"


class Bulk:
    """Collects rows by table, each a tuple in the order of the table's columns, and writes them together."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._raw: Any = connection.connection.driver_connection
        self._rows: dict[str, list[Sequence[Any]]] = {table.name: [] for table in WRITTEN}
        self._write = self._copy if connection.dialect.name == "postgresql" else self._insert
        self.keys = {table.name: newest_key(connection, table) for table in KEYED}
        """The newest key of each table, which the writer of rows counts up."""

    def rows(self, name: str) -> list[Sequence[Any]]:
        """Return the rows that wait to be written, to be added to."""
        return self._rows[name]

    def flush(self) -> None:
        """Write what was collected, in one transaction."""
        self._connection.execute(text("BEGIN"))
        for table in WRITTEN:
            rows = self._rows[table.name]
            if rows:
                self._write(table, rows)
                rows.clear()
        self._connection.execute(text("COMMIT"))

    def _insert(self, table: Table, rows: Sequence[Sequence[Any]]) -> None:
        columns = ", ".join(f'"{column.name}"' for column in table.c)
        marks = ", ".join("?" * len(table.c))
        self._raw.executemany(f"INSERT INTO {table.name} ({columns}) VALUES ({marks})", rows)

    def _copy(self, table: Table, rows: Sequence[Sequence[Any]]) -> None:
        columns = ", ".join(f'"{column.name}"' for column in table.c)
        with self._raw.cursor() as cursor, cursor.copy(f"COPY {table.name} ({columns}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)


def row_of(table: Table, values: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return stored values in the order of the table's columns. Raises KeyError for a missing one."""
    return tuple(values[column.name] for column in table.c)


def check_columns(table: Table, names: Collection[str]) -> None:
    """Raise ValueError unless these are the columns of a table, in order."""
    if list(names) != list(table.c.keys()):
        raise ValueError(f"{table.name} has other columns than are written: {', '.join(table.c.keys())}")


def newest_key(connection: Connection, table: Table) -> int:
    """Return the highest key of a table."""
    return int(connection.execute(select(func.coalesce(func.max(table.c.key), 0))).scalar_one())


REBUILT = [
    index
    for table in WRITTEN
    for index in sorted(table.indexes, key=lambda index: str(index.name))
    if not index.unique
]
"""Built again when all rows are written: sorting once costs less than keeping them in order."""


def prepare(connection: Connection) -> None:
    """Make bulk writing cheap: no durability, no checks of references, no index that can be built later."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET synchronous_commit = off"))
        connection.execute(text("SET session_replication_role = replica"))
        connection.execute(text("SET maintenance_work_mem = '512MB'"))
    else:
        connection.execute(text("PRAGMA foreign_keys = OFF"))
        connection.execute(text("PRAGMA synchronous = OFF"))
        connection.execute(text("PRAGMA cache_size = -1000000"))
    for index in REBUILT:
        index.drop(connection, checkfirst=True)


def settle(connection: Connection) -> None:
    """Build the indexes, drop pages that no answer cites, and let new keys follow those that were written."""
    for index in REBUILT:
        index.create(connection)
    connection.execute(text(UNCITED))
    connection.execute(
        text(
            "UPDATE brands SET simulations = (SELECT count(*) FROM simulations WHERE brand_key = brands.key)"
        )
    )
    if connection.dialect.name == "postgresql":
        for table in KEYED:
            sequence = func.pg_get_serial_sequence(table.name, "key")
            newest = select(func.greatest(func.max(table.c.key), 1)).scalar_subquery()
            connection.execute(select(func.setval(sequence, newest)))
