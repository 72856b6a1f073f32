"""Which columns a row class is read from."""

import dataclasses
from typing import Any

from sqlalchemy import ColumnElement, FromClause


def row_columns(row: Any, table: FromClause, **others: ColumnElement[Any]) -> tuple[ColumnElement[Any], ...]:
    """Return a column for each field of a row class, in order: the one of that name, or the one given for it."""
    names = getattr(row, "_fields", None) or tuple(field.name for field in dataclasses.fields(row))
    return tuple(others[name] if name in others else table.c[name] for name in names)
