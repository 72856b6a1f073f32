"""Conditions and reads that SQLAlchemy has no expression for: membership in one bound list, distinct indexed values."""

from typing import Any

from sqlalchemy import BigInteger, Boolean, ColumnElement, Select, bindparam, cast, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler

from storage.tables.columns import JsonText


class MembershipFilter(ColumnElement[bool]):
    """Whether a column is one of the values of the list that is given as `name`.

    A `computed` column has no index that leads to it: PostgreSQL compares it with each value where it is computed.
    Taken for one of a table it joins the list to all other rows before it computes a value, and sorts the product.
    """

    inherit_cache = False
    type = Boolean()

    def __init__(self, column: ColumnElement[Any], name: str, *, computed: bool = False) -> None:
        self.column = column
        self.computed = computed
        self.values = bindparam(name, type_=JsonText)

    def self_group(self, against: Any = None) -> "MembershipFilter":
        """Stand in a condition as it is: SQLite compares a boolean with 1 otherwise, and then uses no index."""
        return self

    def get_children(self, **options: Any) -> tuple[ColumnElement[Any], ...]:
        """Return the column and the list, so that whoever looks for the tables of a condition finds this one's."""
        return self.column, self.values

    @property
    def numbers(self) -> bool:
        """Whether the list holds numbers."""
        return isinstance(self.column.type, BigInteger)


@compiles(MembershipFilter)
def _in_json(element: MembershipFilter, compiler: SQLCompiler, **options: Any) -> str:
    column, values = (compiler.process(part, **options) for part in (element.column, element.values))
    return f"{column} IN (SELECT value FROM json_each({values}))"


@compiles(MembershipFilter, "postgresql")
def _in_postgresql_json(element: MembershipFilter, compiler: SQLCompiler, **options: Any) -> str:
    column, values = (compiler.process(part, **options) for part in (element.column, element.values))
    member = "CAST(value AS BIGINT)" if element.numbers else "value"
    listed = f"SELECT {member} FROM json_array_elements_text(CAST({values} AS JSON))"
    return f"{column} = ANY (ARRAY({listed}))" if element.computed else f"{column} IN ({listed})"


def distinct_values(column: ColumnElement[str], *conditions: ColumnElement[bool]) -> Select[str]:
    """Return the different values of a column in rows of which all conditions hold, in order, without the empty text.

    It takes an index whose columns are those that the conditions compare for equality, and then this one. Neither
    SQLite nor PostgreSQL skips to the next value by itself: DISTINCT reads every row.
    """
    found = select(cast("", column.type).label("value")).cte("found", recursive=True)
    following: Any = select(column).where(*conditions, column > found.c.value).order_by(column).limit(1)
    found = found.union_all(select(following.scalar_subquery()).where(found.c.value.is_not(None)))
    return select(found.c.value).where(found.c.value != "")
