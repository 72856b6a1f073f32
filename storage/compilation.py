"""Compiles statements for the driver itself; the one place that uses private names of SQLAlchemy's compiler."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from sqlalchemy import ClauseElement, Float
from sqlalchemy.engine import Dialect
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.types import TypeEngine

Processor = Callable[[Any], Any]
NAMED_PARAMETER = re.compile(r"%\((\w+)\)s|%%")


@runtime_checkable
class OwnReader(Protocol):
    """A column type that says how the driver's values, other than None, become its own."""

    read_stored: Processor


@runtime_checkable
class OwnWriter(Protocol):
    """A column type that says how its values, None among them, become the driver's: those of many rows at once."""

    write_stored: Callable[[Sequence[Any]], list[Any]]


@dataclass(frozen=True, slots=True)
class Compiled:
    """One statement in one dialect: text, parameter order, conversions in and out."""

    sql: str
    names: tuple[str, ...]
    binders: Mapping[str, Processor]
    fixed: Mapping[str, Any]
    readers: tuple[tuple[int, Processor], ...]


def compile_statement(statement: ClauseElement, dialect: Dialect) -> Compiled:
    """Compile for the driver: positional parameters and the type conversions SQLAlchemy would apply."""
    compiler = statement.compile(dialect=dialect)
    assert isinstance(compiler, SQLCompiler)
    return _described(compiler, dialect)


def compile_named(statement: ClauseElement, dialect: Dialect) -> Compiled:
    """Compile with parameters that stand in the text by name, for `positional` to number."""
    by_name: Any = type(dialect)
    compiler = statement.compile(dialect=by_name(paramstyle="pyformat"))
    assert isinstance(compiler, SQLCompiler)
    return _described(compiler, dialect)


def positional(sql: str, dialect: Dialect) -> tuple[str, tuple[str, ...]]:
    """Return the text of `compile_named` as the driver takes it, and its parameters in their order."""
    names: list[str] = []
    numbered = dialect.paramstyle.startswith("numeric")

    def placed(found: re.Match[str]) -> str:
        name = found[1]
        if name is None:
            return "%"
        if numbered and name in names:
            return f"${names.index(name) + 1}"
        names.append(name)
        return f"${len(names)}" if numbered else "?"

    return NAMED_PARAMETER.sub(placed, sql), tuple(names)


def _described(compiler: SQLCompiler, dialect: Dialect) -> Compiled:
    readers: list[tuple[int, Processor]] = []
    for position, column in enumerate(compiler._result_columns):  # pyright: ignore[reportPrivateUsage] # no public name
        if isinstance(column.type, Float):
            continue  # both drivers give floats as they are; asyncpg's processor wants a type code for that
        processor = _own_reader(column.type) or column.type.dialect_impl(dialect).result_processor(
            dialect, None
        )
        if processor is not None:
            readers.append((position, processor))
    return Compiled(
        sql=compiler.string,
        names=tuple(compiler.positiontup or ()),
        binders=dict(compiler._bind_processors),  # type: ignore[arg-type] # pyright: ignore[reportPrivateUsage]
        fixed={name: value for name, value in compiler.params.items() if value is not None},
        readers=tuple(readers),
    )


def _own_reader(kind: TypeEngine[Any]) -> Processor | None:
    """Return what a type of ours says to read its stored form with; through the library a value takes two calls more.

    A type that changes how another one reads says so anew, or is read through the library.
    """
    return kind.read_stored if "read_stored" in vars(type(kind)) and isinstance(kind, OwnReader) else None
