"""Pages that a link opens to everyone who has it: shared reports and public site pages."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, func, insert, select, update

from storage.ids import new_id
from storage.queries import Query, plain
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.brands import brands
from storage.tables.reports import shared_reports, site_page_brands, site_pages


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
    select(*row_columns(SharedReport, shared_reports, brand_id=brands.c.id, brand_name=brands.c.name))
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


@dataclass(frozen=True, slots=True)
class SitePage:
    """A company's page as the company sees it."""

    slug: str
    heading: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class PublicSitePage:
    """A page as everyone with the address sees it: its heading, and the websites of brands that are not archived."""

    heading: str
    websites: tuple[str, ...]


BY_SLUG = Query(select(site_pages.c.heading).where(site_pages.c.slug == bindparam("slug")), str, brief=True)
WEBSITES = Query(
    select(brands.c.website)
    .select_from(site_pages.join(site_page_brands, site_page_brands.c.company_id == site_pages.c.company_id))
    .join(brands, brands.c.key == site_page_brands.c.brand_key)
    .where(
        site_pages.c.slug == bindparam("slug"), brands.c.website.is_not(None), brands.c.archived_at.is_(None)
    )
    .order_by(brands.c.name_folded),
    str,
)
OWN = Query(
    select(site_pages.c.slug, site_pages.c.heading, site_pages.c.created_at).where(
        site_pages.c.company_id == bindparam("company_id")
    ),
    SitePage,
    brief=True,
)
CHOSEN = Query(
    select(site_page_brands.c.brand_key).where(site_page_brands.c.company_id == bindparam("company_id")), int
)


class SitePageRepository(Repository):
    """The pages of every company, for everyone who has an address."""

    async def by_slug(self, slug: str) -> PublicSitePage | None:
        """Return the page at an address; None where there is none, or none any more."""
        heading = await self._first(BY_SLUG, slug=slug)
        if heading is None:
            return None
        return PublicSitePage(heading, tuple(await self._all(WEBSITES, slug=slug)))


class CompanySitePageRepository(Repository):
    """The page of one company."""

    async def own(self) -> SitePage | None:
        """Return the company's page, if it published one."""
        return await self._first(OWN)

    async def chosen(self) -> frozenset[int]:
        """Return the keys of the brands whose sites the page shows."""
        return frozenset(await self._all(CHOSEN))

    async def publish(self, slug: str, heading: str, brand_keys: Sequence[int], now: datetime) -> None:
        """Put the page up with the sites of these brands; one that is up keeps the address that it has."""
        if await self.own() is None:
            await self._write(
                insert(site_pages),
                {"slug": slug, "company_id": self.company_id, "heading": heading, "created_at": now},
            )
        await self._write(
            update(site_pages).where(site_pages.c.company_id == self.company_id).values(heading=heading)
        )
        await self._write(delete(site_page_brands).where(site_page_brands.c.company_id == self.company_id))
        rows = [{"brand_key": key, "company_id": self.company_id} for key in brand_keys]
        await self._write(insert(site_page_brands), rows)

    async def take_down(self) -> bool:
        """End the page and its address for good; False when there is none."""
        await self._write(delete(site_page_brands).where(site_page_brands.c.company_id == self.company_id))
        taken = await self._write(delete(site_pages).where(site_pages.c.company_id == self.company_id))
        return taken.rowcount == 1
