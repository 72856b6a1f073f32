"""Reads that are compiled once and run on the driver itself; the ordinary path costs six times as much."""

from collections.abc import Callable, Mapping, Sequence
from itertools import compress, product
from typing import Any, Generic, Protocol, TypeVar

from sqlalchemy import ClauseElement, ColumnElement, Select, Subquery, bindparam
from sqlalchemy.engine import Dialect

from storage.compilation import Compiled, Processor, compile_statement

Row = TypeVar("Row")


class Query(Generic[Row]):
    """A SELECT with named parameters, and what one row of it becomes.

    `row` is called with the columns in order. `brief` says that it touches a handful of rows by index, so that
    on SQLite running it costs less than handing it to another thread (4 against 60 microseconds); it then runs
    where it is called. `variants` gives another statement for a dialect that
    cannot run the first one; its columns must be the same.
    """

    def __init__(
        self,
        statement: ClauseElement,
        row: Callable[..., Row],
        *,
        brief: bool = False,
        variants: Mapping[str, ClauseElement] | None = None,
    ) -> None:
        self.row = row
        self.brief = brief
        self._statement = statement
        self._variants = variants or {}
        self._compiled: dict[str, Compiled] = {}

    @property
    def parameters(self) -> frozenset[str]:
        """Names that the statement takes."""
        return frozenset(self._statement.compile().params or ())

    def statement(self, dialect: Dialect) -> ClauseElement:
        """Return the statement for this dialect."""
        return self._variants.get(dialect.name, self._statement)

    def compiled(self, dialect: Dialect) -> Compiled:
        """Return the statement for this dialect, compiled on first use."""
        compiled = self._compiled.get(dialect.name)
        if compiled is None:
            compiled = self._compiled[dialect.name] = compile_statement(self.statement(dialect), dialect)
        return compiled


class Listing(Generic[Row]):
    """One page of rows and how many there are in all, in a single statement.

    `count` is a SELECT of one number; the database works it out once. Only a page that is empty asks for it again.
    """

    def __init__(
        self,
        statement: Select[*tuple[Any, ...]],
        count: Select[int],
        row: Callable[..., Row],
        *,
        brief: bool = False,
    ) -> None:
        self._row = row
        self.page: Query[tuple[int, Row]] = Query(
            statement.add_columns(count.scalar_subquery()), self._numbered, brief=brief
        )
        self.count = Query(count, int, brief=brief)

    def _numbered(self, *columns: Any) -> tuple[int, Row]:
        return columns[-1], self._row(*columns[:-1])


def listings(
    chosen: Select[*tuple[Any, ...]],
    shown: Callable[[Subquery], Select[*tuple[Any, ...]]],
    count: Select[int],
    row: Callable[..., Row],
    *conditions: ColumnElement[bool],
) -> Mapping[tuple[bool, ...], Listing[Row]]:
    """Return a page for every choice of conditions, by whether each of them is asked for.

    `chosen` names the rows in their order, and `shown` looks up what a page of them shows: rows that are skipped, or
    a history that rows are looked up in, must not make the database join all with all.
    """
    choices = product((False, True), repeat=len(conditions))
    asked = {choice: tuple(compress(conditions, choice)) for choice in choices}
    return {
        choice: Listing(
            shown(
                chosen.where(*conditions)
                .limit(bindparam("limit"))
                .offset(bindparam("offset"))
                .subquery("page")
            ),
            count.where(*conditions),
            row,
        )
        for choice, conditions in asked.items()
    }


class QuerySession(Protocol):
    """Where reads run: a reader of the pool, or the connection of an open transaction."""

    async def fetch(self, query: Query[Any], values: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
        """Return the rows as the driver gives them."""
        ...

    @property
    def dialect(self) -> Dialect:
        """The database's dialect."""
        ...


class Reads:
    """Runs queries of one session and builds their values."""

    def __init__(self, session: QuerySession) -> None:
        self._session = session

    async def all(self, query: Query[Row], **values: Any) -> list[Row]:
        """Return every row."""
        rows = await self._session.fetch(query, values)
        readers, row = query.compiled(self._session.dialect).readers, query.row
        if not readers:
            return [row(*row_values) for row_values in rows]
        return [row(*converted(row_values, readers)) for row_values in rows]

    async def first(self, query: Query[Row], **values: Any) -> Row | None:
        """Return the first row, or None."""
        rows = await self.all(query, **values)
        return rows[0] if rows else None


def arguments_of(compiled: Compiled, values: Mapping[str, Any]) -> list[Any]:
    """Return the values in the order of the statement; a missing one raises KeyError."""
    fixed, binders = compiled.fixed, compiled.binders
    arguments: list[Any] = []
    for name in compiled.names:
        value = values[name] if name in values else fixed[name]
        binder = binders.get(name)
        arguments.append(value if binder is None else binder(value))
    return arguments


def converted(row: Sequence[Any], readers: tuple[tuple[int, Processor], ...]) -> list[Any]:
    """Return the row with its stored forms turned into Python values."""
    values = list(row)
    for position, processor in readers:
        stored = values[position]
        if stored is not None:  # NULL is None in every type
            values[position] = processor(stored)
    return values


def one_value(value: Any) -> Any:
    """Keep the value of a row's only column as it is, NULL too."""
    return value


def plain(*columns: Any) -> Any:
    """Keep a row as the tuple that it is."""
    return columns
