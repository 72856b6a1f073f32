"""Run queued readiness scans and store their outcomes. Reports are kept permanently."""

import logging
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import anyio
from anyio import CancelScope

from readiness.browsing.browser import SystemBrowser
from readiness.fetching import urls
from readiness.fetching.dialing import Network
from readiness.fetching.errors import (
    SENTENCES,
    ScanFailed,
    ScanRefused,
    ScanUnderWay,
    ScanWithoutReport,
    UrlRefused,
)
from readiness.fetching.policy import FetchPolicy
from readiness.report.document import Report
from readiness.scans.scan import Options, scan
from readiness.survey.site_kind import Kind
from readiness.survey.visitor import Progress, ignore_progress
from storage.database import Database
from storage.ids import new_id
from storage.plans import PLANS
from storage.repositories.readiness import WAITING, ReportDraft, ScanDraft
from storage.workspace import CompanyRole, Workspace

AT_ONCE = 4
LONGEST_WAIT = 300.0
"""Seconds after which a scan gives up waiting; every scan ends within its 90."""
LOOK_SECONDS = 0.3
LOCK = "scan-turns"


def site_of(url: urls.Url) -> str:
    """Return what counts as one site: the registrable domain, or host and port where there is none, as at home."""
    return urls.registrable(url.host) or url.authority


class Turns:
    """Hands out turns, which the database keeps: a process that dies leaves its turns to the next."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    async def take(self, company_id: str, scan_id: str, site: str) -> bool:
        """Let a waiting scan visit its site now; False while it has to wait on."""
        await self.fail_orphans()
        # One at a time decides: of two that come at once, neither can overlook the other.
        async with (
            self._database.presence.alone(LOCK),
            self._database.transaction(company_id) as workspace,
        ):
            return await workspace.readiness.take_turn(scan_id, site, AT_ONCE)

    async def wait(self) -> None:
        """Sleep until the next try, with jitter."""
        await anyio.sleep(random.uniform(0.5, 1.5) * LOOK_SECONDS)

    async def fail_orphans(self) -> None:
        """Fail the scans, waiting or visiting, whose process is not alive any more."""
        dead = await self._database.presence.find_orphaned_executors(
            await self._database.operators.readiness.executors()
        )
        if dead:
            async with self._database.operation() as operators:
                await operators.readiness.fail_orphaned_scans(dead, self._now())


events = logging.getLogger("seenby.events")

AN_HOUR = 10
PAUSE = timedelta(minutes=10)
OWNER_VISITS_AN_HOUR = 12
"""How often a site is visited altogether while its proven owner still starts a scan of it."""
VISITS_AN_HOUR = 6
"""How often a site is visited for people, all companies together; one company alone keeps the pause."""
CRASHED = "crashed"
STOPPED = "interrupted"
BUSY = "busy"


@dataclass(frozen=True, slots=True)
class SiteOwner:
    """How the owner of a site proved it (`file`, `meta` or `dns`), and what they want to be said with the report."""

    proof: str
    statement: str = ""


@dataclass(frozen=True, slots=True)
class ScanRequest:
    """What to scan; `declared` overrules the detected type, `probe_bots` is for sites the starter vouches for.

    A scan that is `counted` keeps the limits of people: the plan's scans a day, ten an hour, and ten minutes
    of peace for the site. With `shared_since`, a report of the company that an equal scan completed since then will do.
    """

    url: str
    declared: Kind | None = None
    public: bool = True
    probe_bots: bool = False
    signals: bool = False
    """Whether to ask for every known document for agents, which weigh nothing."""
    counted: bool = False
    shared_since: datetime | None = None
    owner: SiteOwner | None = None
    """Who proved just now to control the site; then it has no peace to keep, and the report says so."""


def ignore(scan_id: str) -> None:
    """Ignore the id of a started scan."""


class Scanner:
    """Scans sites for companies; `policy` and `network` decide what may be visited and how, `browser` opens pages."""

    def __init__(
        self,
        database: Database,
        policy: FetchPolicy,
        base_url: str,
        now: Callable[[], datetime],
        network: Network | None = None,
        browser: SystemBrowser | None = None,
    ) -> None:
        self._database = database
        self._policy = policy
        self._base_url = base_url
        self._now = now
        self._network = network
        self._browser = browser
        self._turns = Turns(database, now)

    def acting_as(self, role: CompanyRole) -> "Scanner":
        """Return this scanner with the rights that a role has in its company: a viewer starts no scan."""
        database = self._database.acting_as(role)
        return Scanner(database, self._policy, self._base_url, self._now, self._network, self._browser)

    @property
    def requests(self) -> int:
        """How many requests one scan may make."""
        return self._policy.requests or 0

    async def scan(
        self,
        company_id: str,
        request: ScanRequest,
        progress: Progress = ignore_progress,
        begun: Callable[[str], None] = ignore,
    ) -> Report:
        """Scan one site, store the report and return it; `begun` hears the scan's id before anything is fetched.

        It waits for its turn first. Raises ScanRefused when no scan was started (a URL that is not visited, a limit,
        no turn for long), ScanUnderWay when a person's company is scanning the URL already, and ScanWithoutReport
        when the home page could not be read; that is stored too.
        """
        try:
            url = urls.parse(request.url, allow_hosts=self._policy.allow_hosts)
        except UrlRefused as error:
            raise ScanRefused(str(error).rstrip("."), "Give the public address of a site.") from error
        declared = request.declared.value if request.declared else ""
        async with self._database.presence.executor() as executor:
            draft = ScanDraft(
                url=str(url),
                url_key=url.key,
                host=url.host,
                executor=executor,
                site=site_of(url),
                counted=request.counted,
                declared=declared,
                probed=request.probe_bots,
            )
            scan_id = await self._begin(company_id, draft, request)
            begun(scan_id)
            progress(WAITING, 0, self.requests)
            shared = await self._wait_for_turn(company_id, scan_id, draft, request)
            return shared or await self._run(company_id, scan_id, url, request, progress)

    async def _begin(self, company_id: str, draft: ScanDraft, request: ScanRequest) -> str:
        await self._turns.fail_orphans()
        async with self._database.transaction(company_id) as workspace:
            if draft.counted:
                await self._keep_limits(workspace, draft, request.owner)
            return await workspace.readiness.begin(draft, self._now())

    async def _wait_for_turn(
        self, company_id: str, scan_id: str, draft: ScanDraft, request: ScanRequest
    ) -> Report | None:
        """Return None when it is this scan's turn, or the report of another one that will do instead."""
        ended = STOPPED
        try:
            with anyio.move_on_after(LONGEST_WAIT):
                while True:
                    # Only with the turn is it certain that no equal scan ends between this query and the visit.
                    has_turn = await self._turns.take(company_id, scan_id, draft.site)
                    shared = await self._shared(company_id, draft, request)
                    if shared is not None:
                        return shared
                    if has_turn:
                        ended = ""
                        return None
                    await self._turns.wait()
            ended = BUSY
            raise ScanRefused("other scans had all turns for five minutes", "Try again later.")
        finally:
            if ended:
                with CancelScope(shield=True):
                    await self._end_without_turn(company_id, scan_id, ended, counted=draft.counted)

    async def _shared(self, company_id: str, draft: ScanDraft, request: ScanRequest) -> Report | None:
        if request.shared_since is None:
            return None
        own = self._database.workspace(company_id).readiness
        stored = await own.shared(draft, public=request.public, since=request.shared_since)
        return Report.load(stored) if stored else None

    async def _end_without_turn(self, company_id: str, scan_id: str, reason: str, *, counted: bool) -> None:
        """End a scan that got no slot. A scan that a user is watching is marked failed; others are dropped."""
        async with self._database.transaction(company_id) as workspace:
            if counted:
                await workspace.readiness.fail(scan_id, reason, self._now())
            else:
                await workspace.readiness.drop(scan_id)

    async def _keep_limits(self, workspace: Workspace, draft: ScanDraft, owner: SiteOwner | None) -> None:
        """Raise ScanRefused when a limit is reached. The company's lock prevents concurrent counting."""
        plan, now = PLANS[await workspace.credits.lock()], self._now()
        under_way = await workspace.readiness.live(draft.url_key)
        if under_way is not None:
            raise ScanUnderWay(under_way)
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
        if await workspace.readiness.counted_since(midnight) >= plan.scans:
            raise ScanRefused(
                f"all {plan.scans} scans that the {plan.name} plan allows a day are used",
                "The count resets at 00:00 UTC.",
            )
        if await workspace.readiness.counted_since(now - timedelta(hours=1)) >= AN_HOUR:
            raise ScanRefused(f"{AN_HOUR} scans were started within an hour", "Wait a little.")
        if owner is None:
            await self._refuse_in_quiet_period(workspace, draft.site)
        await self._refuse_often_visited(draft.site, OWNER_VISITS_AN_HOUR if owner else VISITS_AN_HOUR)

    async def _refuse_in_quiet_period(self, workspace: Workspace, site: str) -> None:
        """Raise ScanRefused during a site's quiet period.

        A company only learns about its own scans. The limit across all companies is a count that does not reveal any
        single scan by another company.
        """
        now, minutes = self._now(), PAUSE // timedelta(minutes=1)
        last = await workspace.readiness.left_alone_since(site)
        if (last is not None and last + PAUSE > now) or await workspace.readiness.is_scanning(site):
            raise ScanRefused(
                f"your company scanned {site} less than {minutes} minutes ago",
                f"Read its report, or try again in {minutes} minutes.",
            )

    async def _refuse_often_visited(self, site: str, most: int) -> None:
        visits = await self._database.operators.readiness.visits(site, self._now() - timedelta(hours=1))
        if visits >= most:
            raise ScanRefused(
                f"{site} is visited at most {most} times an hour",
                "Read its report if it has one, or try again later.",
            )

    async def fail_orphaned_scans(self) -> None:
        """Fail the scans whose process is not alive any more."""
        await self._turns.fail_orphans()

    async def _run(
        self, company_id: str, scan_id: str, url: urls.Url, request: ScanRequest, progress: Progress
    ) -> Report:
        failure, started = STOPPED, time.perf_counter()
        try:
            report = await scan(
                str(url),
                options=Options(
                    new_id(), self._base_url, request.declared, request.probe_bots, request.signals
                ),
                policy=self._policy,
                progress=progress,
                clock=self._now,
                network=self._network,
                browser=self._browser,
            )
        except ScanFailed as error:
            failure = error.reason.value
            raise ScanWithoutReport(failure, SENTENCES.get(error.reason, failure)) from error
        except Exception:
            failure = CRASHED
            raise
        else:
            failure = ""
        finally:
            if failure:
                with CancelScope(shield=True):
                    await self._fail(company_id, scan_id, failure)
                log_scan(company_id, scan_id, url, failure, started)
        owner, ended_at = request.owner, urls.parse(report.finalUrl, allow_hosts=self._policy.allow_hosts)
        # The report can also be found under the final URL, and the first URL's owner does not speak for another host.
        if owner is not None and ended_at.authority == url.authority:
            report = report.with_owner(owner.proof, owner.statement)
        async with self._database.transaction(company_id) as workspace:
            await workspace.readiness.complete(scan_id, self._stored(url, request, report), self._now())
        log_scan(company_id, scan_id, url, "complete", started)
        return report

    async def _fail(self, company_id: str, scan_id: str, reason: str) -> None:
        async with self._database.transaction(company_id) as workspace:
            await workspace.readiness.fail(scan_id, reason, self._now())

    def _stored(self, url: urls.Url, request: ScanRequest, report: Report) -> ReportDraft:
        return ReportDraft(
            id=report.reportId,
            url_key=url.key,
            final_url_key=urls.parse(report.finalUrl, allow_hosts=self._policy.allow_hosts).key,
            public=request.public,
            model_version=report.modelVersion,
            catalogue_sha256=report.catalogueSha256,
            scanned_at=report.scannedAt,
            score=report.overall.score,
            report=report.to_stored(),
            site_unseen=report.site_unseen,
        )


def log_scan(company_id: str, scan_id: str, url: urls.Url, outcome: str, started: float) -> None:
    """Write the line of a scan that ended: complete, or why there is no report."""
    fields = {"company_id": company_id, "scan_id": scan_id, "host": url.host, "outcome": outcome}
    level = logging.INFO if outcome == "complete" else logging.WARNING
    events.log(
        level, "scan", extra={**fields, "duration_ms": round((time.perf_counter() - started) * 1000, 3)}
    )
