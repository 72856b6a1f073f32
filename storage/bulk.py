"""Inserts of many rows that are compiled once and handed to the driver as tuples, column by column."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Boolean, Table, bindparam
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeEngine

from storage.compilation import Compiled, OwnWriter, Processor, compile_statement


class BulkInsert:
    """An INSERT of rows of one table, all with the same columns.

    SQLAlchemy prepares every value of every row by itself, which costs more than the database does to store them.
    With `known_stay` a row that exists already is left as it is.
    """

    def __init__(self, table: Table, *columns: str, known_stay: bool = False) -> None:
        self.table = table
        self._columns = columns
        self._known_stay = known_stay
        self._compiled: dict[str, Compiled] = {}

    def compiled(self, dialect: Dialect) -> Compiled:
        """Return the statement for this dialect, compiled on first use."""
        compiled = self._compiled.get(dialect.name)
        if compiled is None:
            make = postgresql.insert if dialect.name == "postgresql" else sqlite.insert
            # A name of a parameter must not be that of a column.
            values = {name: bindparam(f"new_{name}", type_=self.table.c[name].type) for name in self._columns}
            statement = make(self.table).values(values).inline()
            if self._known_stay:
                statement = statement.on_conflict_do_nothing()
            compiled = self._compiled[dialect.name] = compile_statement(statement, dialect)
        return compiled

    def arguments(self, rows: Sequence[Mapping[str, Any]], dialect: Dialect) -> list[tuple[Any, ...]]:
        """Return the values of rows in the order of the statement; a row without one of the columns raises KeyError."""
        compiled = self.compiled(dialect)
        columns: list[list[Any]] = []
        for name in compiled.names:
            column = name.removeprefix("new_")
            values = [row[column] for row in rows]
            columns.append(written_values(self.table.c[column].type, compiled.binders.get(name), values))
        return list(zip(*columns, strict=True))


def written_values(kind: TypeEngine[Any], binder: Processor | None, values: list[Any]) -> list[Any]:
    """Return the values of a column as the driver takes them; both drivers take truth values as they are."""
    if isinstance(kind, OwnWriter):
        return kind.write_stored(values)
    if binder is None or isinstance(kind, Boolean):
        return values
    return [binder(value) for value in values]
