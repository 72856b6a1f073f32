"""Membership in a list that is bound as one parameter, so that a query of any length is compiled once."""

from typing import Any

from sqlalchemy import BigInteger, Boolean, ColumnElement, bindparam
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler

from storage.statements.tables.columns import JsonText


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
