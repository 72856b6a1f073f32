"""Public pages of companies' sites: who has the address reads the heading and the sites, and nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, delete, insert, select, update

from storage.queries import Query
from storage.repository import Repository
from storage.tables.brands import brands
from storage.tables.reports import site_page_brands, site_pages


@dataclass(frozen=True, slots=True)
class SitePage:
    """A company's page as the company sees it."""

    slug: str
    heading: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class PublicSitePage:
    """A page as anybody sees it who has the address: its heading, and the websites of brands that are not archived."""

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
    """The pages of every company, for whoever has an address."""

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
