"""Reads that are compiled once and run directly on the driver.

A read of one row takes 5 microseconds on SQLite and 170 on PostgreSQL; through SQLAlchemy's pool, greenlet
and statement cache it takes 580 and 520. Only public names of SQLAlchemy's compiler are used here.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import compress, product
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, cast

from sqlalchemy import (
    BindParameter,
    ClauseElement,
    ColumnElement,
    Float,
    Select,
    SelectBase,
    Subquery,
    bindparam,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.sql.compiler import FROM_LINTING, SQLCompiler

Row = TypeVar("Row")
Converter = Callable[[Any], Any]


class Compiled(NamedTuple):
    """A statement in one dialect: text, parameters in order, and the type conversions SQLAlchemy would apply."""

    sql: str
    names: tuple[str, ...]
    binders: Mapping[str, Converter]
    fixed: Mapping[str, Any]
    readers: tuple[tuple[int, Converter], ...]

    def arguments(self, values: Mapping[str, Any]) -> list[Any]:
        """Return the values in the order of the statement; a missing one raises KeyError."""
        arguments: list[Any] = []
        for name in self.names:
            value = values[name] if name in values else self.fixed[name]
            binder = self.binders.get(name)
            arguments.append(value if binder is None else binder(value))
        return arguments


def compile_statement(statement: ClauseElement, dialect: Dialect, chosen: frozenset[str] | None) -> Compiled:
    """Compile for the driver with the chosen optional parts, or with all of them if `chosen` is None.

    SQLAlchemy warns about an unjoined table, as its engines do for the statements they run themselves.
    """
    compiler = statement.compile(dialect=dialect, linting=FROM_LINTING, compile_kwargs={"chosen": chosen})
    assert isinstance(compiler, SQLCompiler)
    binders: dict[str, Converter] = {}
    for name, parameter in compiler.binds.items():
        binder = parameter.type.dialect_impl(dialect).bind_processor(dialect)
        if binder is not None:
            binders[name] = binder
    readers: list[tuple[int, Converter]] = []
    columns = statement.selected_columns if isinstance(statement, SelectBase) else ()
    for position, column in enumerate(columns):
        if isinstance(column.type, Float):
            continue  # both drivers return floats; the processor of asyncpg's dialect needs a type code
        reader = column.type.dialect_impl(dialect).result_processor(dialect, None)
        if reader is not None:
            readers.append((position, reader))
    fixed = {name: value for name, value in compiler.params.items() if value is not None}
    return Compiled(compiler.string, tuple(compiler.positiontup or ()), binders, fixed, tuple(readers))


class Query(Generic[Row]):
    """A SELECT with named parameters, and a function that builds a result from each row.

    `row` is called with the columns in order. `brief` means that the query reads a handful of rows by index:
    on SQLite, running it takes 4 microseconds and handing it to another thread 60, so it runs on the calling
    thread. `variants` has another statement with the same columns for a dialect that cannot run the first
    one. All optional parts of a statement (`storage.filters`) apply unless `of` chooses among them.
    """

    def __init__(
        self,
        statement: ClauseElement,
        row: Callable[..., Row],
        *,
        brief: bool = False,
        variants: Mapping[str, ClauseElement] | None = None,
        chosen: frozenset[str] | None = None,
    ) -> None:
        self.row = row
        self.brief = brief
        self._statement = statement
        self._variants = variants or {}
        self._chosen = chosen
        self._choices: dict[frozenset[str], Query[Row]] = {}
        self._compiled: dict[str, Compiled] = {}

    @property
    def parameters(self) -> frozenset[str]:
        """Names of the statement's parameters."""
        return frozenset(self._statement.compile(compile_kwargs={"chosen": self._chosen}).params or ())

    def of(self, names: Collection[str]) -> "Query[Row]":
        """Return the query with the optional parts of these names; compiled once for each set of them."""
        chosen = frozenset(names)
        query = self._choices.get(chosen)
        if query is None:
            options: Any = {"brief": self.brief, "variants": self._variants, "chosen": chosen}
            query = self._choices[chosen] = Query(self._statement, self.row, **options)
        return query

    def compiled(self, dialect: Dialect) -> Compiled:
        """Return the statement for this dialect, compiled on first use."""
        compiled = self._compiled.get(dialect.name)
        if compiled is None:
            statement = self._variants.get(dialect.name, self._statement)
            compiled = self._compiled[dialect.name] = compile_statement(statement, dialect, self._chosen)
        return compiled

    def rows(self, fetched: Sequence[Sequence[Any]], dialect: Dialect) -> list[Row]:
        """Build results from the driver's rows."""
        readers, row = self.compiled(dialect).readers, self.row
        if not readers:
            return [row(*columns) for columns in fetched]
        found: list[Row] = []
        for columns in fetched:
            values = list(columns)
            for position, reader in readers:
                if values[position] is not None:  # NULL is None in every type
                    values[position] = reader(values[position])
            found.append(row(*values))
        return found


class Listing(Generic[Row]):
    """One page of rows with the total number of rows, in a single statement (pagination).

    `count` is a SELECT of one number that the database computes once. It only runs separately for an empty
    page.
    """

    def __init__(
        self,
        statement: "Select[*tuple[Any, ...]]",
        count: "Select[int]",
        row: Callable[..., Row],
        *,
        brief: bool = False,
    ) -> None:
        def numbered(*columns: Any) -> tuple[int, Row]:
            return columns[-1], row(*columns[:-1])

        counted = statement.add_columns(count.scalar_subquery())
        self.page: Query[tuple[int, Row]] = Query(counted, numbered, brief=brief)
        self.count: Query[int] = Query(count, int, brief=brief)

    def of(self, names: Collection[str]) -> "Listing[Row]":
        """Return the page and count with the optional parts of these names."""
        chosen = cast("Listing[Row]", Listing.__new__(Listing))
        chosen.page, chosen.count = self.page.of(names), self.count.of(names)
        return chosen


def listings(
    chosen: "Select[*tuple[Any, ...]]",
    shown: "Callable[[Subquery], Select[*tuple[Any, ...]]]",
    count: "Select[int]",
    row: Callable[..., Row],
    *conditions: ColumnElement[bool],
) -> Mapping[tuple[bool, ...], Listing[Row]]:
    """Return a listing for every combination of conditions, keyed by which of them apply.

    `chosen` has the rows in their order, and `shown` joins the columns that a page displays. Skipped rows, or
    a history that rows are found in, must not make the database join every row.
    """
    limit: BindParameter[int] = bindparam("limit")
    offset: BindParameter[int] = bindparam("offset")
    found: dict[tuple[bool, ...], Listing[Row]] = {}
    for choice in product((False, True), repeat=len(conditions)):
        holding = tuple(compress(conditions, choice))
        page = chosen.where(*holding).limit(limit).offset(offset).subquery("page")
        found[choice] = Listing(shown(page), count.where(*holding), row)
    return found


class QuerySession(Protocol):
    """Runs reads: a pool of readers, or the connection of an open transaction."""

    async def fetch(self, query: Query[Any], values: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
        """Return the rows as the driver returns them."""
        ...

    @property
    def dialect(self) -> Dialect:
        """The database's dialect."""
        ...


async def fetch_all(session: QuerySession, query: Query[Row], **values: Any) -> list[Row]:
    """Return every row."""
    return query.rows(await session.fetch(query, values), session.dialect)


async def fetch_first(session: QuerySession, query: Query[Row], **values: Any) -> Row | None:
    """Return the first row, or None."""
    rows = query.rows(await session.fetch(query, values), session.dialect)
    return rows[0] if rows else None


def one_value(value: Any) -> Any:
    """Return the value of a row's only column unchanged, including NULL."""
    return value


def plain(*columns: Any) -> Any:
    """Return a row as a tuple."""
    return columns
