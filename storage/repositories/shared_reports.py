"""Reports that a link shows to whoever has it; only the digest of its token is kept."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, func, insert, select

from storage.ids import new_id
from storage.queries import Query, plain
from storage.repository import Repository
from storage.tables.brands import brands
from storage.tables.reports import shared_reports


@dataclass(frozen=True, slots=True)
class SharedReport:
    """One shared report in a list."""

    id: str
    brand_id: str
    brand_name: str
    expires_at: datetime
    created_at: datetime


@dataclass(frozen=True, slots=True)
class OpenedReport:
    """One shared report with what it shows."""

    report: dict[str, Any]
    expires_at: datetime
    created_at: datetime


BY_DIGEST = Query(
    select(shared_reports.c.report, shared_reports.c.expires_at, shared_reports.c.created_at).where(
        shared_reports.c.digest.in_([bindparam("now_digest"), bindparam("former")])
    ),
    OpenedReport,
)
OF_COMPANY = Query(
    select(
        shared_reports.c.id,
        brands.c.id,
        brands.c.name,
        shared_reports.c.expires_at,
        shared_reports.c.created_at,
    )
    .join(brands, brands.c.key == shared_reports.c.brand_key)
    .where(shared_reports.c.company_id == bindparam("company_id"))
    .order_by(shared_reports.c.created_at.desc(), shared_reports.c.id),
    SharedReport,
)
OPEN = Query(
    select(func.count()).where(
        shared_reports.c.company_id == bindparam("company_id"),
        shared_reports.c.expires_at > bindparam("now", type_=shared_reports.c.expires_at.type),
    ),
    plain,
)


class SharedReportRepository(Repository):
    """The shared reports of every company, for the one who is handed a link."""

    async def by_digests(self, digests: tuple[str, str]) -> OpenedReport | None:
        """Return the report whose token is stored under one of the digests, however old."""
        return await self._first(BY_DIGEST, now_digest=digests[0], former=digests[1])


class CompanySharedReportRepository(Repository):
    """The shared reports of one company."""

    async def all(self) -> list[SharedReport]:
        """Return them, newest first."""
        return await self._all(OF_COMPANY)

    async def count(self, now: datetime) -> int:
        """Return how many have not expired."""
        counted = await self._first(OPEN, now=now)
        return int(counted[0]) if counted else 0

    async def add(
        self,
        brand_key: int,
        digest: str,
        report: dict[str, Any],
        *,
        shared_by: str,
        expires_at: datetime,
        now: datetime,
    ) -> None:
        """Store a report under the digest of its link's token, and forget those that have expired."""
        await self._write(
            delete(shared_reports).where(
                shared_reports.c.company_id == self.company_id, shared_reports.c.expires_at <= now
            )
        )
        await self._write(
            insert(shared_reports),
            {
                "id": new_id(),
                "company_id": self.company_id,
                "brand_key": brand_key,
                "digest": digest,
                "report": report,
                "shared_by": shared_by,
                "expires_at": expires_at,
                "created_at": now,
            },
        )

    async def revoke(self, report_id: str) -> bool:
        """Take a shared report away; False when it is not there."""
        condition = (shared_reports.c.id == report_id) & (shared_reports.c.company_id == self.company_id)
        return (await self._write(delete(shared_reports).where(condition))).rowcount == 1
