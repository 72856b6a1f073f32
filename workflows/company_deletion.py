"""Deletes companies: planned by an owner with all their brands, taken back for seven days, then done."""

import logging
from contextlib import suppress
from datetime import datetime

from measurement.errors import ChangeRefused
from measurement.planning.clock import Clock
from storage.database import Database
from storage.errors import RowGone
from storage.repositories.brands import MeasuredBrand
from storage.repositories.notifications import NotificationDraft
from storage.workspace import Workspace
from workflows.brand_deletion import GRACE, SETTINGS, BrandDeletions, begun, keep_brand, plan_deletion

log = logging.getLogger(__name__)


async def plan_company_deletion(writing: Workspace, name: str, typed_name: str, now: datetime) -> datetime:
    """Have a company deleted after the grace with its brands; return when. Raises ChangeRefused for another name."""
    if typed_name.strip() != name:
        raise ChangeRefused(
            f"name: it must be {name}, as it is written here", "Type the name of the workspace."
        )
    planned = await writing.company_deletion.planned()
    if planned is not None:
        return planned
    for brand in await writing.brands.all():
        await plan_deletion(writing, brand, brand.name, now)
    await writing.company_deletion.plan(delete_at := now + GRACE)
    notification = NotificationDraft(
        kind="system_alert",
        severity="critical",
        title=f"The workspace {name} is deleted on {delete_at.date()}",
        message="Everything in it goes then: brands, numbers, people, keys and statements. Nothing is measured any "
        "more. Until that day an owner can keep it, and export it: Settings, Data.",
        dedup_key=f"system_alert:deletion:company:{delete_at.isoformat()}",
        path=SETTINGS,
    )
    await writing.notifications.add(notification, now)
    return delete_at


async def keep_company(writing: Workspace, name: str, now: datetime) -> bool:
    """Take a planned deletion back, with that of the brands that it planned; False when its time has come.

    Raises RowGone for a company that is gone.
    """
    await writing.credits.lock()
    planned = await writing.company_deletion.planned()
    if planned is None:
        return True
    if planned <= now:
        return False
    await writing.company_deletion.plan(None)
    for brand in await writing.brands.all():
        if brand.delete_at == planned:
            await keep_brand(writing, brand, now)
    notification = NotificationDraft(
        kind="system_alert",
        severity="info",
        title=f"The workspace {name} is kept",
        message="The scheduled deletion was cancelled, including that of its brands.",
        dedup_key=f"system_alert:kept:company:{now.isoformat()}",
        path=SETTINGS,
    )
    await writing.notifications.add(notification, now)
    return True


class CompanyDeletions:
    """Deletes companies whose grace is over; an interrupted deletion goes on with the next sweep."""

    def __init__(self, database: Database, now: Clock) -> None:
        self._database = database
        self._brands = BrandDeletions(database, now)

    async def sweep(self, now: datetime) -> int:
        """Delete them, one process at a time; return how many companies went."""
        due = await self._database.operators.companies.to_delete(now)
        deleted = 0
        if due:
            async with self._database.presence.alone("deletion of companies"):
                for company in due:
                    if await self._begin(company.id, now):
                        deleted += await self._delete(company.id)
        return deleted

    async def _begin(self, company_id: str, now: datetime) -> bool:
        """Make the deletion irreversible from here on; False when it was just cancelled."""
        with suppress(RowGone):
            async with self._database.transaction(company_id) as writing:
                await writing.credits.lock()
                planned = await writing.company_deletion.planned()
                if planned is None or planned > now:
                    return False
                await writing.company_deletion.plan(begun(planned, now))
                return True
        return False

    async def _delete(self, company_id: str) -> bool:
        workspace = self._database.workspace(company_id)
        for brand in await workspace.brands.all():
            if not await self._brands.delete(MeasuredBrand(company_id, brand.id)):
                return False
        async with self._database.transaction(company_id) as writing:
            await writing.company_deletion.delete()
        log.info("deleted company %s", company_id)
        return True
