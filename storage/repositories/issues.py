"""Issues: how many findings are open."""

from sqlalchemy import bindparam, func, select

from storage.queries import Query, plain
from storage.repositories.repository import Repository
from storage.tables.issues import issues

COUNTS = Query(
    select(issues.c.severity, func.count())
    .where(
        issues.c.company_id == bindparam("company_id"),
        issues.c.brand_key == bindparam("brand_key"),
        issues.c.state == "open",
    )
    .group_by(issues.c.severity),
    plain,
    brief=True,
)

COMPANY_COUNTS = Query(
    select(issues.c.severity, func.count())
    .where(issues.c.company_id == bindparam("company_id"), issues.c.state == "open")
    .group_by(issues.c.severity),
    plain,
    brief=True,
)


class Issues(Repository):
    """The findings of one company."""

    async def open_counts(self, brand_key: int | None = None) -> dict[str, int]:
        """Return the number of open issues of a brand, or of all, by severity; one without any is left out."""
        if brand_key is None:
            return dict(await self._all(COMPANY_COUNTS))
        return dict(await self._all(COUNTS, brand_key=brand_key))
