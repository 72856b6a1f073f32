"""Runs a readiness scan and keeps how it ended: one scan of a host at a time, four in all, each report for good."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from anyio import CancelScope

from readiness.fetching import urls
from readiness.fetching.errors import Reason, ScanFailed, ScanRefused, ScanWithoutReport, UrlRefused
from readiness.fetching.policy import FetchPolicy
from readiness.report.document import Report
from readiness.scans.scan import Network, Options, scan, silent
from readiness.survey.site_survey import Progress
from readiness.survey.site_type import Kind
from storage.database import Database
from storage.ids import new_id
from storage.repositories.readiness import ReportDraft, ScanDraft
from storage.statements.plans import PLANS
from storage.workspace import Workspace

AT_ONCE = 4
AN_HOUR = 10
PAUSE = timedelta(minutes=10)
CRASHED = "crashed"
STOPPED = "interrupted"

SENTENCES = {
    Reason.DNS: "the host name cannot be resolved",
    Reason.REFUSED_ADDRESS: "the host leads to an address that is not visited",
    Reason.TLS: "no trusted TLS connection could be made",
    Reason.TIMEOUT: "the home page did not answer in time",
    Reason.CONNECTION: "no connection could be made",
    Reason.PROTOCOL: "the answer was not valid HTTP",
    Reason.ENCODING: "the answer could not be decoded",
    Reason.MEDIA_TYPE: "the home page is not an HTML page",
    Reason.TOO_LARGE: "the home page is too large",
    Reason.REDIRECTS: "the home page redirects too often",
    Reason.DOWNGRADE: "the home page redirects from https to http",
    Reason.OFF_SITE: "the home page redirects to another site",
    Reason.HTTP_ERROR: "the home page gave no usable answer",
    Reason.ROBOTS_DISALLOWED: "robots.txt keeps our bot away from the home page",
    Reason.BUDGET: "the scan's budget was spent before the home page was read",
    Reason.UNPARSABLE: "the home page could not be parsed",
}


@dataclass(frozen=True, slots=True)
class ScanRequest:
    """What to scan; `declared` overrules the detected type, `probe_bots` is for sites the starter vouches for.

    A scan that is `counted` keeps the limits of people: the plan's scans a day, ten an hour, and ten minutes
    of peace for the host.
    """

    url: str
    declared: Kind | None = None
    public: bool = True
    probe_bots: bool = False
    counted: bool = False


def ignore(scan_id: str) -> None:
    """A beginning that nobody waits for."""


class Scanner:
    """Scans sites for companies; `policy` and `network` decide what may be visited and how."""

    def __init__(
        self,
        database: Database,
        policy: FetchPolicy,
        base_url: str,
        now: Callable[[], datetime],
        network: Network | None = None,
    ) -> None:
        self._database = database
        self._policy = policy
        self._base_url = base_url
        self._now = now
        self._network = network

    @property
    def requests(self) -> int:
        """How many requests one scan may make."""
        return self._policy.requests or 0

    async def scan(
        self,
        company_id: str,
        request: ScanRequest,
        progress: Progress = silent,
        begun: Callable[[str], None] = ignore,
    ) -> Report:
        """Scan one site, store the report and return it; `begun` hears the scan's id before anything is fetched.

        Raises ScanRefused when no scan was started (a URL that is not visited, a host that is being scanned, a
        limit), and ScanWithoutReport when the home page could not be read; that is stored too.
        """
        try:
            url = urls.parse(request.url, allow_hosts=self._policy.allow_hosts)
        except UrlRefused as error:
            raise ScanRefused(str(error).rstrip("."), "Give the public address of a site.") from error
        async with self._database.presence.executor() as executor:
            draft = ScanDraft(str(url), url.key, url.host, executor, request.counted)
            scan_id = await self._begin(company_id, draft)
            begun(scan_id)
            return await self._run(company_id, scan_id, url, request, progress)

    async def _begin(self, company_id: str, draft: ScanDraft) -> str:
        await self.fail_orphaned_scans()
        async with self._database.transaction(company_id) as workspace:
            if draft.counted:
                await self._keep_limits(workspace, draft.host)
            begun = await workspace.readiness.begin(draft, self._now())
        if begun is None:
            raise ScanRefused(f"{draft.host} is being scanned already", "Wait until that scan is over.")
        # Counted with ourselves in it: of two that come at once, neither can overlook the other.
        if len(await self._database.operators.readiness.running()) > AT_ONCE:
            async with self._database.transaction(company_id) as workspace:
                await workspace.readiness.drop(begun)
            raise ScanRefused(f"{AT_ONCE} scans are running", "Wait until one of them is over.")
        return begun

    async def _keep_limits(self, workspace: Workspace, host: str) -> None:
        """Raise ScanRefused at a limit; the company's lock lets nobody count at the same time."""
        plan, now = PLANS[await workspace.credits.lock()], self._now()
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
        if await workspace.readiness.counted_since(midnight) >= plan.scans:
            raise ScanRefused(
                f"all {plan.scans} scans that the {plan.name} plan allows a day are used",
                "They are counted anew from 00:00 UTC.",
            )
        if await workspace.readiness.counted_since(now - timedelta(hours=1)) >= AN_HOUR:
            raise ScanRefused(f"{AN_HOUR} scans were started within an hour", "Wait a little.")
        last = await self._database.operators.readiness.left_alone_since(host)
        if last is not None and last + PAUSE > now:
            # Whose scan it was, and when, is nobody else's business.
            raise ScanRefused(
                f"{host} cannot be scanned just now",
                f"Read its report if it has one, or try again in {PAUSE // timedelta(minutes=1)} minutes.",
            )

    async def fail_orphaned_scans(self) -> None:
        """Fail the scans whose process is not alive any more."""
        running = await self._database.operators.readiness.running()
        dead = await self._database.presence.gone([executor for _, executor in running])
        if dead:
            async with self._database.operation() as operators:
                await operators.readiness.give_up(dead, self._now())

    async def _run(
        self, company_id: str, scan_id: str, url: urls.Url, request: ScanRequest, progress: Progress
    ) -> Report:
        options = Options(new_id(), self._base_url, request.declared, request.probe_bots)
        failure = STOPPED
        try:
            report = await scan(
                str(url),
                options=options,
                policy=self._policy,
                progress=progress,
                clock=self._now,
                network=self._network,
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
        async with self._database.transaction(company_id) as workspace:
            await workspace.readiness.complete(scan_id, self._stored(url, request, report), self._now())
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
            report=report.to_json(),
        )
