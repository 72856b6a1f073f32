"""Gathers what is known of a brand's visibility: latest score, open issues, and a readiness report of this week."""

from readiness.report.document import Report
from workflows.agents.agent import Result, Work
from workflows.agents.outputs.gaps import KnownIssue, VisibilityEvidence
from workflows.agents.site import (
    OLD_REPORT,
    failing_checks,
    latest_report,
    own_site_of,
    scan_site,
    site_access_of,
    site_failures_as_agent_failures,
)
from workflows.errors import AgentFailed

MOST_PAGES = 12


async def run(work: Work) -> Result:
    """Load the evidence; a report older than seven days is replaced by a new scan.

    Fails with `no_input` when there is neither a site nor a score nor an issue.
    """
    score = await latest_score(work)
    issues = await work.workspace.issues.open_of(work.brand.key)
    report, page_texts = None, ()
    try:
        report, page_texts = await site_of(work)
    except AgentFailed:
        if score is None and not issues:
            raise
    output = VisibilityEvidence(
        report_id=report.reportId if report else None,
        url=report.finalUrl if report else None,
        site_type=report.siteType.value if report else None,
        failed=tuple(check.id for check in failing_checks(report)) if report else (),
        score=score,
        issues=tuple(
            KnownIssue(id=issue.id, check_id=issue.check_id, severity=issue.severity, title=issue.title)
            for issue in issues
        ),
        page_texts=page_texts,
    )
    scanned_on = f"a report of {report.scannedAt:%Y-%m-%d}" if report else "no report"
    known = "no score" if score is None else f"score {score:.1f}"
    return Result(output, f"{known}, {len(issues)} open issues, {scanned_on}.".capitalize())


async def site_of(work: Work) -> tuple[Report, tuple[tuple[str, str], ...]]:
    """Return a report that is not too old, and the URLs and texts of the site's pages now."""
    url, own = await own_site_of(work)
    report = await latest_report(work, url)
    if report is None or work.now - report.scannedAt > OLD_REPORT:
        report = await scan_site(work, url, public=True, probe=own)
    async with site_failures_as_agent_failures():
        site = await site_access_of(work).sites.pages(url, MOST_PAGES)
        return report, (await site_access_of(work).sites.facts(site)).page_texts


async def latest_score(work: Work) -> float | None:
    """Return the brand's score in force, or None."""
    revision = await work.workspace.revisions.current(work.brand.key)
    if revision is None:
        return None
    latest = await work.workspace.results.latest(work.brand.key, revision.key)
    return latest[0].score if latest else None
