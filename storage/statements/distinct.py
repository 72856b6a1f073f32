"""Different values of an indexed column, each found from the one before it however many rows have the same."""

from typing import Any

from sqlalchemy import ColumnElement, Select, cast, select


def distinct_values(column: ColumnElement[str], *conditions: ColumnElement[bool]) -> Select[str]:
    """Return the different values of a column in rows of which all conditions hold, in order, without the empty text.

    It takes an index whose columns are those that the conditions compare for equality, and then this one. Neither
    SQLite nor PostgreSQL skips to the next value by itself: DISTINCT reads every row.
    """
    found = select(cast("", column.type).label("value")).cte("found", recursive=True)
    following: Any = select(column).where(*conditions, column > found.c.value).order_by(column).limit(1)
    found = found.union_all(select(following.scalar_subquery()).where(found.c.value.is_not(None)))
    return select(found.c.value).where(found.c.value != "")
