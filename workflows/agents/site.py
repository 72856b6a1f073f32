"""Shared by agents that read a site: ownership, failure reasons, and how observations become findings."""

from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

from measurement.alerts.issues import IssueObservation
from readiness.checks.catalog import CATALOG
from readiness.checks.check import CheckStatus
from readiness.fetching import urls
from readiness.fetching.errors import (
    FetchFailed,
    Reason,
    ScanFailed,
    ScanRefused,
    ScanWithoutReport,
    UrlRefused,
)
from readiness.report.document import CheckResult, Report
from readiness.scans.scanner import ScanRequest
from readiness.survey.site_kind import DECLARABLE
from storage.repositories.findings import FindingDraft
from workflows.agents.agent import Result, SiteAccess, Work, numbered
from workflows.agents.outputs.gaps import VisibilityEvidence
from workflows.agents.outputs.site import ReadinessScan
from workflows.brand_sites import is_own_domain, own_site
from workflows.configurations import ScannerConfiguration
from workflows.errors import AgentFailed
from workflows.monitors.crawler_check import CHECKED, observe
from workflows.monitors.figures import Figures, MonitorCheck

OLD_REPORT = timedelta(days=7)
FINDING_KINDS: Mapping[str, str] = {
    "crawler_error": "crawler",
    "bot_access": "bot_access",
    "content_gap": "content_gap",
    "readiness": "readiness",
}
"""Finding kind for each issue kind."""
FOLLOWED = "It is now an open issue that monitors track. It resolves automatically after two clean checks."


def site_access_of(work: Work) -> SiteAccess:
    """Return the site access of this run."""
    if work.site_access is None:
        raise RuntimeError("this executor was built without access to sites")
    return work.site_access


async def own_site_of(work: Work) -> tuple[str, bool]:
    """Return the brand's site, and whether it is on one of the brand's domains. Fails with `no_input` without one."""
    entity = (await work.workspace.brands.entities(work.brand))[0]
    url = own_site(work.brand, entity)
    if url is None:
        raise AgentFailed("no_input")
    return url, is_own_domain(url, entity)


@asynccontextmanager
async def site_failures_as_agent_failures() -> AsyncGenerator[None]:
    """Turn errors in reading a site into agent failures."""
    try:
        yield
    except (ScanFailed, UrlRefused, FetchFailed) as failed:
        raise AgentFailed(code_of(failed.reason.value)) from failed
    except ScanWithoutReport as failed:
        raise AgentFailed(code_of(failed.reason)) from failed
    except ScanRefused as refused:
        raise AgentFailed("site_busy") from refused


def code_of(reason: str) -> str:
    """Return the agent error code for one of the scanner's reasons."""
    if reason == Reason.ROBOTS_DISALLOWED:
        return "site_refused_robots"
    return "address_refused" if reason in (Reason.REFUSED_ADDRESS, Reason.REFUSED_URL) else "site_unreachable"


async def scan_site(work: Work, url: str, *, public: bool, probe: bool) -> Report:
    """Scan a site and store the report, or share the report of an equal scan that ended since this agent began.

    Waits for a free scan slot. Fails like `site_failures_as_agent_failures`, and also when the site was down. The
    report of a site that was down is still stored.
    """
    declared = {kind.value: kind for kind in DECLARABLE}.get(
        work.settings(ScannerConfiguration).siteType or ""
    )
    async with site_failures_as_agent_failures():
        request = ScanRequest(url, declared, public, probe, shared_since=work.began)
        try:
            report = await site_access_of(work).scanner.scan(work.workspace.company_id, request)
        except ScanRefused:
            urls.parse(url)  # tell an address that is not allowed from a site without a free scan slot
            raise
    if report.site_was_down:
        raise AgentFailed("site_unreachable")
    return report


async def report_of(work: Work) -> Report | None:
    """Return the report that an agent of this run created or found, or else the brand's latest one."""
    for given in (work.find_output(VisibilityEvidence), work.find_output(ReadinessScan)):
        if given is not None and given.report_id is not None:
            stored = await work.workspace.readiness.report(given.report_id)
            return Report.load(stored) if stored else None
    return None


async def latest_report(work: Work, url: str) -> Report | None:
    """Return the company's latest report of a site, or None."""
    try:
        # No request is made here, so a report of a private address is also found where one could be created.
        key = urls.parse(url, allow_hosts=urls.EVERY_HOST).key
        stored = await work.workspace.readiness.latest(key)
    except UrlRefused:
        return None
    return Report.load(stored) if stored else None


def checks_of(report: Report) -> list[CheckResult]:
    """Return every scored check of a report."""
    return [check for _, group in report.groups() for check in group.checks]


def failing_checks(report: Report) -> list[CheckResult]:
    """Return the checks with a weight that fail or pass only in part, highest gain first."""
    gains = {fix.checkId: fix.gain for fix in report.topFixes}
    failed_checks = [
        check
        for check in checks_of(report)
        if check.status in (CheckStatus.WARN, CheckStatus.FAIL) and check.weight
    ]
    return sorted(
        failed_checks,
        key=lambda check: (-gains.get(check.id, 0), check.status is not CheckStatus.FAIL, -check.weight),
    )


@dataclass(frozen=True, slots=True)
class RaisedFindings:
    """Findings for every problem, and the issue observations of a result with their finding numbers."""

    findings: tuple[FindingDraft, ...]
    raised: tuple[tuple[IssueObservation, int | None], ...]


def report_observations(seen: Iterable[IssueObservation], fixes: Mapping[str, str]) -> RaisedFindings:
    """Return findings for every problem, and all issue observations."""
    findings: list[FindingDraft] = []
    raised: list[tuple[IssueObservation, int | None]] = []
    for observation in seen:
        raised.append((observation, len(findings) if observation.bad is not None else None))
        if observation.bad is not None:
            findings.append(
                FindingDraft(
                    observation.severity,
                    FINDING_KINDS[observation.kind],
                    observation.bad,
                    "It must be seen once more before it becomes an issue."
                    if observation.needs_twice
                    else FOLLOWED,
                    observation.evidence,
                    fix=fixes.get(observation.check_id),
                    effort="small",
                    check_id=observation.check_id,
                )
            )
    return RaisedFindings(tuple(findings), tuple(raised))


def result_of(look: MonitorCheck[Figures], summary: str, fixes: Mapping[str, str]) -> Result:
    """Return an agent's result for one monitor check."""
    shared = report_observations(look.observations, fixes)
    return Result(look.figures, summary, shared.findings, raised=shared.raised)


async def run_readiness_scanner(work: Work) -> Result:
    """Scan the site, with bot headers if it is on a brand's domain. Fails with the reason when there is no report."""
    url, own = await own_site_of(work)
    await work.report(0, 1)
    probe = own and work.settings(ScannerConfiguration).probeBots is not False
    report = await scan_site(work, url, public=True, probe=probe)
    await work.report(1, 1)
    output = ReadinessScan(
        report_id=report.reportId,
        url=report.url,
        site_type=report.siteType.value,
        overall=report.overall.score,
        technical=report.technical.score,
    )
    score = (
        "without an overall score" if report.overall.score is None else f"score {report.overall.score} of 100"
    )
    return Result(output, f"The site was scanned, {score}.")


FIXES = {check.id: check.fix for check in CATALOG} | {
    "crawler.page_status": "Make the page return 200, or redirect it to its replacement.",
    "crawler.error_rate": "Fix or remove the pages that return an error, and update the sitemap.",
    "crawler.certificate": "Renew the certificate, and automate its renewal.",
}


async def run_crawler_checker(work: Work) -> Result:
    """Check up to fifty pages like the monitor does. Fails with the reason when the site could not be read."""
    url, _ = await own_site_of(work)
    async with site_failures_as_agent_failures():
        site = await site_access_of(work).sites.pages(url)
        answers = await site_access_of(work).sites.ask(site, CHECKED)
    look = observe(site, answers, work.now)
    seen = look.figures
    summary = (
        f"Pages that were read: {seen.urls}, with {numbered(seen.errors, 'error')} and "
        f"{numbered(seen.redirects, 'redirect')}."
    )
    return result_of(look, summary, FIXES)
