"""Conditions that SQLAlchemy has no expression for: optional ones, membership in a bound list, distinct values.

Filters can be combined in thousands of ways. A statement declares each as optional under a name, and
`Query.of` compiles it with the requested ones.
"""

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    ColumnElement,
    FromClause,
    Join,
    Select,
    bindparam,
    cast,
    select,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql import operators
from sqlalchemy.sql.compiler import SQLCompiler

from storage.tables.columns import JsonText


class OptionalCondition(ColumnElement[bool]):
    """A condition of a WHERE that only applies if one of its names is chosen."""

    inherit_cache = False
    type = Boolean()

    def __init__(self, condition: ColumnElement[bool], *names: str) -> None:
        self.condition = condition
        self.names = frozenset(names)

    def self_group(self, against: Any = None) -> "OptionalCondition":
        """Return itself; the condition is grouped when it is compiled."""
        return self

    def get_children(self, **options: Any) -> tuple[ColumnElement[bool], ...]:
        """Return the condition, so that SQLAlchemy finds its tables."""
        return (self.condition,)


class OptionalJoin(Join):
    """A join that is only made if one of its names is chosen."""

    inherit_cache = False

    def __init__(
        self,
        left: FromClause,
        right: FromClause,
        onclause: ColumnElement[bool],
        names: Collection[str],
        *,
        outer: bool = False,
    ) -> None:
        super().__init__(left, right, onclause, outer)
        self.names = frozenset(names)


def _is_chosen(names: frozenset[str], options: Mapping[str, Any]) -> bool:
    chosen = options.get("chosen")
    return chosen is None or not names.isdisjoint(chosen)


@compiles(OptionalCondition)
def _optional_condition(element: OptionalCondition, compiler: SQLCompiler, **options: Any) -> str:
    if not _is_chosen(element.names, options):
        return ""  # SQLAlchemy omits empty conditions from AND
    return compiler.process(element.condition.self_group(against=operators.and_), **options)


@compiles(OptionalJoin)
def _optional_join(element: OptionalJoin, compiler: SQLCompiler, **options: Any) -> str:
    if not _is_chosen(element.names, options):
        return compiler.process(element.left, **options)
    untyped: Any = compiler
    return str(untyped.visit_join(element, **options))


def optional(conditions: Mapping[str, ColumnElement[bool]]) -> tuple[OptionalCondition, ...]:
    """Return conditions as optional ones, each under its name."""
    return tuple(OptionalCondition(condition, name) for name, condition in conditions.items())


class MembershipFilter(ColumnElement[bool]):
    """Whether a column has one of the values of the list bound as `name`; lists of any length compile once.

    A `computed` column has no index: PostgreSQL compares each computed value with the list. As an IN over a
    table, it would join the list to all other rows before it computes a value, and sort the product.
    """

    inherit_cache = False
    type = Boolean()

    def __init__(self, column: ColumnElement[Any], name: str, *, computed: bool = False) -> None:
        self.column = column
        self.computed = computed
        self.values = bindparam(name, type_=JsonText)

    def self_group(self, against: Any = None) -> "MembershipFilter":
        """Return itself ungrouped, because SQLite compares a grouped boolean with 1 and then uses no index."""
        return self

    def get_children(self, **options: Any) -> tuple[ColumnElement[Any], ...]:
        """Return the column and the list, so that SQLAlchemy finds the tables."""
        return self.column, self.values


@compiles(MembershipFilter)
def _in_json(element: MembershipFilter, compiler: SQLCompiler, **options: Any) -> str:
    column, values = (compiler.process(part, **options) for part in (element.column, element.values))
    return f"{column} IN (SELECT value FROM json_each({values}))"


@compiles(MembershipFilter, "postgresql")
def _in_postgresql_json(element: MembershipFilter, compiler: SQLCompiler, **options: Any) -> str:
    column, values = (compiler.process(part, **options) for part in (element.column, element.values))
    member = "CAST(value AS BIGINT)" if isinstance(element.column.type, BigInteger) else "value"
    listed = f"SELECT {member} FROM json_array_elements_text(CAST({values} AS JSON))"
    return f"{column} = ANY (ARRAY({listed}))" if element.computed else f"{column} IN ({listed})"


def distinct_values(column: ColumnElement[str], *conditions: ColumnElement[bool]) -> Select[str]:
    """Return the distinct values of a column in rows that meet all conditions, in order, without the empty text.

    It needs an index on the columns that the conditions compare for equality, followed by this one. Neither
    SQLite nor PostgreSQL skips to the next value automatically: DISTINCT reads every row.
    """
    found = select(cast("", column.type).label("value")).cte("found", recursive=True)
    following: Any = select(column).where(*conditions, column > found.c.value).order_by(column).limit(1)
    found = found.union_all(select(following.scalar_subquery()).where(found.c.value.is_not(None)))
    return select(found.c.value).where(found.c.value != "")
