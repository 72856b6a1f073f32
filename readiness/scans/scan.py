"""Run one readiness scan from URL to report, within its budget."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

import anyio

from readiness.browsing.browser import SystemBrowser, pages_to_open
from readiness.fetching import urls
from readiness.fetching.dialing import Network
from readiness.fetching.errors import FetchFailed, Reason, ScanFailed, UrlRefused
from readiness.fetching.fetcher import Fetcher
from readiness.fetching.policy import GRADING_WAIT, FetchPolicy
from readiness.reading.isolation import run_in_worker
from readiness.report.build import ReportFrame, build_report
from readiness.report.document import Report, ScanBudget
from readiness.survey.rendered_page import BrowserSight
from readiness.survey.site import SurveyedSite
from readiness.survey.site_kind import Kind
from readiness.survey.site_survey import BrowserVisits, Survey
from readiness.survey.visitor import Progress, Visitor, ignore_progress

GRADING_LIMIT = 30.0
"""Processor seconds after which the worker that grades is killed; its checks end themselves before."""


@dataclass(frozen=True, slots=True)
class Options:
    """Options of the caller: the report's identity, a declared type, bot headers, and every signal without weight."""

    report_id: str = ""
    base_url: str = ""
    declared: Kind | None = None
    probe_bots: bool = False
    signals: bool = False


def utc_now() -> datetime:
    """The wall clock."""
    return datetime.now(UTC)


async def scan(
    url: str,
    *,
    options: Options,
    policy: FetchPolicy,
    progress: Progress = ignore_progress,
    clock: Callable[[], datetime] = utc_now,
    network: Network | None = None,
    browser: SystemBrowser | None = None,
) -> Report:
    """Scan one site and grade it.

    Raises UrlRefused for a URL that is rejected without a request, and ScanFailed with a reason when the home page
    cannot be reached. With a `browser`, a few pages are also opened in it. `progress` is called with a stage name,
    the requests made and the requests allowed.
    """
    network = network or Network()
    parsed = urls.parse(url, allow_hosts=policy.allow_hosts)
    scanned_at, started = clock(), anyio.current_time()
    async with Fetcher(policy, resolve=network.resolve, dial=network.dial, tls=network.tls) as fetcher:
        try:
            browse = _visits(browser, network) if browser else None
            survey = Survey(fetcher, parsed, clock, progress, browse)
            site = await survey.run(probe=options.probe_bots, signals=options.signals)
        except FetchFailed as error:
            raise ScanFailed(error.reason) from error
        except UrlRefused as error:
            raise ScanFailed(Reason.REFUSED_ADDRESS) from error
        spent = ScanBudget(
            requests=fetcher.requests,
            seconds=round(anyio.current_time() - started, 3),
            exhausted=fetcher.exhausted,
        )
        frame = ReportFrame(options.report_id, options.base_url, options.declared, scanned_at, spent)
        try:
            report = await run_in_worker(
                fetcher.seconds_left + GRADING_WAIT,
                build_report,
                site,
                frame,
                processor_seconds=GRADING_LIMIT,
            )
        except FetchFailed as error:
            raise ScanFailed(error.reason) from error
    progress("done", spent.requests, policy.requests or 0)
    return report


def _visits(browser: SystemBrowser, network: Network) -> BrowserVisits:
    async def browse(site: SurveyedSite, fetcher: Fetcher, visitor: Visitor) -> BrowserSight:
        pages = await visitor.run_in_worker(pages_to_open, site) or []
        return await browser.open(pages, site.host, fetcher, visitor, network)

    return browse
