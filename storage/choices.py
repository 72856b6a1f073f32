"""Statements with parts that a caller chooses: compiled once with all of them, then cut to what is asked for.

Filters can be combined in thousands of ways. Compiling each way costs more than most of them take to run.
"""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar, cast

from sqlalchemy import Boolean, ClauseElement, ColumnElement, Join, Select
from sqlalchemy.engine import Dialect
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql import operators
from sqlalchemy.sql.compiler import SQLCompiler

from storage.compilation import Compiled, compile_named, positional
from storage.queries import Query

Row = TypeVar("Row")

BEGIN, NAMED, END = "\x02", "\x03", "\x04"
MARKED = re.compile(f"( AND )?{BEGIN}([\\w,]*){NAMED}|{END}")


class OptionalCondition(ColumnElement[bool]):
    """A condition of a WHERE that only holds where one of its names is asked for, behind one that always does."""

    inherit_cache = False
    type = Boolean()

    def __init__(self, condition: ColumnElement[bool], *names: str) -> None:
        self.condition = condition
        self.names = frozenset(names)

    def self_group(self, against: Any = None) -> "OptionalCondition":
        """Stand among other conditions as it is: what is inside of it is grouped."""
        return self

    def get_children(self, **options: Any) -> tuple[ColumnElement[bool], ...]:
        """Return the condition, so that whoever looks for the tables of a statement finds this one's."""
        return (self.condition,)


class OptionalJoin(Join):
    """A join that is only made where one of some parts is asked for."""

    inherit_cache = False

    def __init__(self, left: Any, right: Any, onclause: Any, names: Collection[str], *, outer: bool = False):
        super().__init__(left, right, onclause, outer)
        self.names = frozenset(names)


@compiles(OptionalCondition)
def _optional_condition(element: OptionalCondition, compiler: SQLCompiler, **options: Any) -> str:
    condition = element.condition.self_group(against=operators.and_)
    return marked(element.names, compiler.process(condition, **options))


@compiles(OptionalJoin)
def _optional_join(element: OptionalJoin, compiler: SQLCompiler, **options: Any) -> str:
    left = compiler.process(element.left, **options)
    whole = cast(Any, compiler).visit_join(element, **options)
    return left + marked(element.names, whole.removeprefix(left))


def marked(names: Collection[str], text: str) -> str:
    """Return a text between the marks of a piece."""
    return f"{BEGIN}{','.join(sorted(names))}{NAMED}{text}{END}"


def optional(conditions: Mapping[str, ColumnElement[bool]]) -> tuple[OptionalCondition, ...]:
    """Return conditions as parts, each under its name."""
    return tuple(OptionalCondition(condition, name) for name, condition in conditions.items())


@dataclass(frozen=True, slots=True)
class Cut:
    """A piece of a statement: `names` are the parts any of which keeps it, and it holds texts and further pieces."""

    names: frozenset[str]
    inner: "tuple[str | Cut, ...]"

    def text(self, asked: Collection[str]) -> str:
        """Return what is left of the statement where these parts are asked for."""
        return "".join(
            piece if isinstance(piece, str) else piece.text(asked)
            for piece in self.inner
            if isinstance(piece, str) or not piece.names.isdisjoint(asked)
        )


def pieces_of(statement: str) -> Cut:
    """Return a statement taken apart at its marks."""
    open_pieces: list[tuple[frozenset[str], list[str | Cut]]] = [(frozenset(), [])]
    place = 0
    for mark in MARKED.finditer(statement):
        open_pieces[-1][1].append(statement[place : mark.start()])
        place = mark.end()
        if mark[2] is None:
            names, inner = open_pieces.pop()
            open_pieces[-1][1].append(Cut(names, tuple(inner)))
        else:
            open_pieces.append((frozenset(mark[2].split(",")), [mark[1] or ""]))
    open_pieces[-1][1].append(statement[place:])
    ((names, inner),) = open_pieces
    return Cut(names, tuple(inner))


class Choices(Generic[Row]):
    """A SELECT with named parameters and parts, and what one row of it becomes; see `Query`.

    `whole` is the statement with all of its parts.
    """

    def __init__(
        self,
        statement: ClauseElement,
        row: Callable[..., Row],
        *,
        variants: Mapping[str, ClauseElement] | None = None,
    ) -> None:
        self.whole: Query[Row] = Query(statement, row, variants=variants)
        self._compiled: dict[str, tuple[Compiled, Cut]] = {}
        self._chosen: dict[frozenset[str], Query[Row]] = {}

    def of(self, names: Collection[str]) -> Query[Row]:
        """Return the query in which these parts hold."""
        asked = frozenset(names)
        chosen = self._chosen.get(asked)
        if chosen is None:
            chosen = self._chosen[asked] = ChosenQuery(self, asked)
        return chosen

    def cut(self, asked: frozenset[str], dialect: Dialect) -> Compiled:
        """Return the statement for this dialect with some of its parts."""
        if dialect.name not in self._compiled:
            compiled = compile_named(self.whole.statement(dialect), dialect)
            self._compiled[dialect.name] = (compiled, pieces_of(compiled.sql))
        compiled, pieces = self._compiled[dialect.name]
        sql, names = positional(pieces.text(asked), dialect)
        return replace(compiled, sql=sql, names=names)


class ChosenQuery(Query[Row]):
    """One choice of parts of a statement."""

    def __init__(self, choices: Choices[Row], asked: frozenset[str]) -> None:
        self.row = choices.whole.row
        self.brief = choices.whole.brief
        self._choices = choices
        self._asked = asked
        self._compiled: dict[str, Compiled] = {}

    @property
    def parameters(self) -> frozenset[str]:
        """Names that the statement takes."""
        return frozenset(self.compiled(DefaultDialect()).names)

    def compiled(self, dialect: Dialect) -> Compiled:
        """Return the statement for this dialect, put together on first use."""
        compiled = self._compiled.get(dialect.name)
        if compiled is None:
            compiled = self._compiled[dialect.name] = self._choices.cut(self._asked, dialect)
        return compiled


@dataclass(frozen=True, slots=True)
class ChosenListing(Generic[Row]):
    """One page of rows and how many there are in all, for one choice of parts; see `Listing`."""

    page: Query[tuple[int, Row]]
    count: Query[int]


class ListingChoices(Generic[Row]):
    """A page of rows and how many there are in all, as parts choose them; see `Listing`."""

    def __init__(
        self, statement: Select[*tuple[Any, ...]], count: Select[int], row: Callable[..., Row]
    ) -> None:
        self._row = row
        self.page: Choices[tuple[int, Row]] = Choices(
            statement.add_columns(count.scalar_subquery()), self._numbered
        )
        self.count: Choices[int] = Choices(count, int)

    def of(self, names: Collection[str]) -> ChosenListing[Row]:
        """Return the page in which these parts hold."""
        return ChosenListing(self.page.of(names), self.count.of(names))

    def _numbered(self, *columns: Any) -> tuple[int, Row]:
        return columns[-1], self._row(*columns[:-1])
