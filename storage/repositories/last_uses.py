"""The statement that notes when many credentials were last used, in one go."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import Table, Update, bindparam, or_, update

from storage.tables.columns import TELLS_NOTHING


def moved_forward(table: Table) -> Update:
    """Return the statement that moves `last_used_at` of a row forward, never back; its values are `uses_in_order`."""
    used = table.c.last_used_at
    later = or_(used.is_(None), used < bindparam("moment"))
    return (
        update(table)
        .where(table.c.id == bindparam("used_id"), later)
        .values(last_used_at=bindparam("moment"))
        .execution_options(**TELLS_NOTHING)
    )


def uses_in_order(moments: Mapping[str, datetime]) -> list[dict[str, object]]:
    """Return the values of each use; in one order everywhere, so that two processes never wait for each other."""
    return [{"used_id": row_id, "moment": moments[row_id]} for row_id in sorted(moments)]
