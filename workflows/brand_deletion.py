"""Brand deletion: scheduled by an owner, announced, reversible for seven days, then carried out in small steps."""

import logging
from contextlib import suppress
from datetime import datetime, timedelta

import anyio

from measurement.errors import ChangeRefused
from measurement.planning.clock import Clock
from storage.database import Database
from storage.errors import RowGone
from storage.plans import PLANS
from storage.repositories.brands import Brand, MeasuredBrand
from storage.repositories.notifications import NotificationDraft
from storage.workspace import Workspace
from workflows.runs import cancel_runs_of

log = logging.getLogger(__name__)

GRACE = timedelta(days=7)
SETTINGS = "/settings/data"


async def plan_deletion(writing: Workspace, brand: Brand, typed_name: str, now: datetime) -> datetime:
    """Archive a brand, cancel what is asked about it and have it deleted after the grace; return when.

    Raises ChangeRefused for another name.
    """
    if typed_name.strip() != brand.name:
        raise ChangeRefused(f"name: it must be {brand.name}, as it is written here", "Type the brand's name.")
    if brand.delete_at is not None:
        return brand.delete_at
    delete_at = now + GRACE
    await cancel_runs_of(writing, brand, now)
    await writing.batches.lock(brand.key)
    await writing.batches.abandon_probes(brand.key, now)
    await writing.brands.plan_deletion(brand.key, delete_at, brand.archived_at or now)
    await writing.monitors.unschedule(brand.key)
    notification = NotificationDraft(
        kind="system_alert",
        severity="warning",
        title=f"{brand.name} is deleted on {delete_at.date()}",
        message="Its questions, answers, numbers, texts and reports go then. It is not measured any more. "
        "Runs under way were cancelled. Until that day an owner can keep it, and export it: Settings, Data.",
        dedup_key=f"system_alert:deletion:{brand.id}:{delete_at.isoformat()}",
        brand_key=brand.key,
        path=SETTINGS,
    )
    await writing.notifications.add(notification, now)
    return delete_at


async def keep_brand(writing: Workspace, brand: Brand, now: datetime) -> bool:
    """Take a planned deletion back; False when its time has come.

    The brand is restored, unless the plan's brand limit is reached: then it stays archived. Raises RowGone for one
    that is gone.
    """
    plan = PLANS[await writing.credits.lock()]
    brand = await held_brand(writing, brand)
    if brand.delete_at is None:
        return True
    if brand.delete_at <= now:
        return False
    was_archived = brand.archived_at != brand.delete_at - GRACE
    has_room = await writing.brands.count() < plan.brands
    archived_at = brand.archived_at if was_archived or not has_room else None
    await writing.brands.plan_deletion(brand.key, None, archived_at)
    state = "It is measured again" if archived_at is None else "It stays archived"
    notification = NotificationDraft(
        kind="system_alert",
        severity="info",
        title=f"{brand.name} is kept",
        message=f"The scheduled deletion was cancelled. {state}.",
        dedup_key=f"system_alert:kept:{brand.id}:{now.isoformat()}",
        brand_key=brand.key,
        path=f"/brands/{brand.id}",
    )
    await writing.notifications.add(notification, now)
    return True


async def held_brand(writing: Workspace, brand: Brand) -> Brand:
    """Keep others from planning, keeping and deleting a brand until the transaction ends; return it as it is now.

    Raises RowGone for one that is gone.
    """
    await writing.batches.lock(brand.key)
    known = await writing.brands.find(brand.id)
    if known is None:
        raise RowGone
    return known


class BrandDeletions:
    """Deletes brands whose grace is over; an interrupted deletion goes on with the next sweep."""

    def __init__(self, database: Database, now: Clock) -> None:
        self._database = database
        self._now = now

    async def sweep(self, now: datetime) -> int:
        """Delete them, one process at a time; return how many brands went."""
        due = await self._database.operators.brands.to_delete(now)
        deleted = 0
        if due:
            async with self._database.presence.alone("deletion of brands"):
                for brand in due:
                    if await self._begin(brand, now):
                        deleted += await self.delete(brand)
        return deleted

    async def _begin(self, due: MeasuredBrand, now: datetime) -> bool:
        """Make the deletion irreversible from here on; False when it was just cancelled."""
        with suppress(RowGone):
            async with self._database.transaction(due.company_id) as writing:
                brand = await writing.brands.find(due.id)
                if brand is None:
                    return False
                brand = await held_brand(writing, brand)
                if brand.delete_at is None or brand.delete_at > now:
                    return False
                await writing.brands.plan_deletion(
                    brand.key, begun(brand.delete_at, now), brand.archived_at or now
                )
                return True
        return False

    async def delete(self, due: MeasuredBrand) -> bool:
        """Delete one brand piece by piece; False while a run of it works, and for one that is gone."""
        workspace = self._database.workspace(due.company_id)
        brand = await workspace.brands.find(due.id)
        if brand is None or await workspace.brand_deletion.has_live_runs(brand.key):
            return False
        is_left = True
        while is_left:
            async with self._database.transaction(due.company_id) as writing:
                is_left = await writing.brand_deletion.delete_some(brand.key)
                if not is_left:
                    await writing.notifications.add(deleted_notification(brand), self._now())
            await anyio.sleep(0)
        log.info("deleted brand %s of company %s", due.id, due.company_id)
        return True


def begun(delete_at: datetime, now: datetime) -> datetime:
    """Return the instant of a deletion that has begun: so long ago that it has come by every process's clock."""
    return min(delete_at, now - GRACE)


def deleted_notification(brand: Brand) -> NotificationDraft:
    """Notify users that a brand was deleted."""
    return NotificationDraft(
        kind="system_alert",
        severity="info",
        title=f"{brand.name} was deleted",
        message="Its questions, answers, numbers, texts and reports are gone. What its runs cost stays in the "
        "statement of credits.",
        dedup_key=f"system_alert:deleted:{brand.id}",
        path=SETTINGS,
    )
