"""Runs monitors: claims what is due, checks, and stores result, issues and notifications in one step."""

import hashlib
import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta

from measurement.alerts import issues
from measurement.alerts.issues import BOT_ACCESS_MONITOR, CONTENT_GAP_MONITOR, CRAWLER_CHECK, KINDS
from measurement.planning.clock import Clock
from readiness.fetching.errors import FetchFailed, Reason, ScanFailed, UrlRefused
from storage.database import Database
from storage.repositories.brands import Brand
from storage.repositories.monitors import DueMonitor, MonitorResult
from storage.workspace import Workspace
from workflows.brand_sites import Sites, is_own_domain, own_site
from workflows.engine.run_engine import RunEngine
from workflows.monitors import content_gap
from workflows.monitors.figures import (
    BotAccessFigures,
    CrawlFigures,
    Figures,
    GapFigures,
    MonitorCheck,
    Skipped,
)
from workflows.run_events import milliseconds
from workflows.system_alerts import monitors_overdue

events = logging.getLogger("seenby.events")

log = logging.getLogger(__name__)

PERIOD = timedelta(days=1)
OVERDUE = 2 * PERIOD
SECOND_LOOK = timedelta(minutes=15)
"""Delay until a monitor repeats a first bad observation, so that transient faults raise no alert."""
MINUTES_A_DAY = 24 * 60
AT_ONCE = 100
"""How many are started in one go; the rest is due a moment later."""
FAILED = "internal_error"
DOWN = (Reason.DNS, Reason.TLS, Reason.HTTP_ERROR, Reason.CONNECTION, Reason.PROTOCOL)
"""Reasons of the site's own; after any other one we have seen nothing."""


class MonitorService:
    """The monitors of every company. A slot is looked at once, however many processes try."""

    def __init__(self, database: Database, engine: RunEngine, sites: Sites, now: Clock) -> None:
        self._database = database
        self._engine = engine
        self._sites = sites
        self._now = now
        self._looks: Mapping[str, Callable[[Workspace, Brand], Awaitable[MonitorCheck[Figures]]]] = {
            CRAWLER_CHECK: self._crawl,
            CONTENT_GAP_MONITOR: self._gaps,
            BOT_ACCESS_MONITOR: self._access,
        }

    async def start_due(self, now: datetime) -> int:
        """Queue every monitor that is due, each slot once; return how many. Brands without a schedule get one."""
        for script in KINDS:
            for brand in await self._database.operators.monitors.unscheduled(script, AT_ONCE):
                async with self._database.transaction(brand.company_id) as writing:
                    await writing.monitors.schedule(brand.key, script, next_slot(brand.id, script, now), now)
        started = 0
        for due in await self._database.operators.monitors.due(now, AT_ONCE):
            await self._engine.open()  # not inside of the transaction that comes next
            started += await self._start(due, now)
        return started

    async def _start(self, due: DueMonitor, now: datetime) -> bool:
        following = next_slot(due.brand_id, due.script, now)
        async with self._database.transaction(due.company_id) as writing:
            await writing.batches.lock(
                due.brand_key
            )  # a publication takes the brand first and the schedule then
            if not await writing.monitors.claim(due, following):
                return False
            late = now - (due.awaited_since or due.next_run_at) > OVERDUE
            # A monitor that never ran is not missed: a demo may be loaded days before it is served.
            if late and (due.awaited_since or await writing.monitors.latest(due.brand_key, due.script)):
                await writing.notifications.add(monitors_overdue(now), now)
            await self._engine.enqueue_look(writing, due.brand_id, due.script, due.next_run_at)
        return True

    async def look(self, company_id: str, brand_id: str, script: str, slot: datetime) -> MonitorResult | None:
        """Check once and store the result; a slot that was already checked returns its stored result.

        None when the brand is gone. An error or a skip changes no issue: unseen is not clean.
        """
        workspace = self._database.workspace(company_id)
        brand = await workspace.brands.find(brand_id)
        if brand is None:
            return None
        known = await workspace.monitors.at_slot(brand.key, script, slot)
        if known is not None:
            return known
        started = self._now()
        seen: MonitorCheck[Figures] | None = None
        code: str | None = None
        status = "ok"
        try:
            seen = await self._looks[script](workspace, brand)
        except Skipped as skipped:
            status, code = "skipped", skipped.code
        except (ScanFailed, UrlRefused, FetchFailed) as failed:
            status, code = "error", failed.reason.value
        except Exception:
            log.exception("monitor %s of brand %s", script, brand_id)
            status, code = "error", FAILED
        result = await self._store(company_id, brand, script, slot, status, code, seen, started)
        fields = {"company_id": company_id, "brand_id": brand_id, "script": script, "status": result.status}
        duration = milliseconds(result.finished_at - result.started_at)
        level = logging.WARNING if result.status == "error" else logging.INFO
        events.log(
            level, "monitor", extra={**fields, "error_code": result.error_code, "duration_ms": duration}
        )
        return result

    async def _store(
        self,
        company_id: str,
        brand: Brand,
        script: str,
        slot: datetime,
        status: str,
        code: str | None,
        seen: MonitorCheck[Figures] | None,
        started: datetime,
    ) -> MonitorResult:
        """Write result, issues and notifications, all or none, once for each slot."""
        now = self._now()
        async with self._database.transaction(company_id) as writing:
            await writing.batches.lock(brand.key)
            known = await writing.monitors.at_slot(brand.key, script, slot)
            if known is not None:
                return known
            await issues.record(writing, brand, seen.observations if seen else (), now)
            held_issues = (await writing.issues.hold(brand.key, KINDS[script])).values()
            if status == "ok" and any(issue.state in ("open", "candidate") for issue in held_issues):
                status = "issues"
            figures = seen.figures.to_json() if seen else {}
            memory = seen.memory.to_json() if seen and seen.memory else {}
            result = MonitorResult(script, slot, status, code, figures, memory, started, now)
            await writing.monitors.add(brand.key, result)
            if any(issue.state == "candidate" and issue.first_seen == now for issue in held_issues):
                await writing.monitors.schedule_now(brand.key, script, now + SECOND_LOOK)
        return result

    async def _crawl(self, workspace: Workspace, brand: Brand) -> MonitorCheck[CrawlFigures]:
        url, _ = await self._own_site(workspace, brand)
        try:
            site = await self._sites.pages(url)
        except ScanFailed as failed:
            if failed.reason not in DOWN:
                raise
            from workflows.monitors.crawler_check import unreachable  # loaded with what reads sites

            return unreachable(url, failed.reason)
        from workflows.monitors import crawler_check

        asked = await self._sites.ask(site, crawler_check.CHECKED)
        return crawler_check.observe(site, asked, self._now())

    async def _access(self, workspace: Workspace, brand: Brand) -> MonitorCheck[BotAccessFigures]:
        url, probe = await self._own_site(workspace, brand)
        last = await workspace.monitors.latest_seen(brand.key, BOT_ACCESS_MONITOR)
        site = await self._sites.access(url, probe=probe)
        from workflows.monitors import bot_access  # loaded with what reads sites

        asked = await self._sites.ask(site, bot_access.CHECKED)
        return bot_access.observe(site, asked, bot_access.memory_before(last))

    async def _gaps(self, workspace: Workspace, brand: Brand) -> MonitorCheck[GapFigures]:
        return await content_gap.look(workspace, brand, self._now())

    async def _own_site(self, workspace: Workspace, brand: Brand) -> tuple[str, bool]:
        """Return the brand's site, and whether the brand vouches for who runs it. Raises Skipped."""
        entity = (await workspace.brands.entities(brand))[0]
        url = own_site(brand, entity)
        if url is None:
            raise Skipped("no_website")
        return url, is_own_domain(url, entity)


def next_slot(brand_id: str, script: str, now: datetime) -> datetime:
    """Return the first moment after `now` at the minute of the day that a hash gives to this brand and script."""
    minute = (
        int.from_bytes(hashlib.sha256(f"{brand_id}|{script}".encode()).digest()[:4], "big") % MINUTES_A_DAY
    )
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    slot = midnight + timedelta(minutes=minute)
    return slot if slot > now else slot + PERIOD
