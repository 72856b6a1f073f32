"""Scans the sites of competitors and keeps the reports inside the company."""

from storage.documents.evidence import StoredEvidence
from storage.repositories.findings import FindingDraft
from workflows.agents.agent import Result, Work
from workflows.agents.outputs.site import CompetitorReport, CompetitorScans, FailedScan
from workflows.agents.site import scan_site
from workflows.errors import AgentFailed

MOST_SITES = 5


async def run(work: Work) -> Result:
    """Scan up to five sites of the profile's competitors. Fails with `no_input` without one.

    A site that gives no report is named with the reason; when none gives one, the agent fails with the last reason.
    """
    rivals = (await work.workspace.brands.entities(work.brand))[1:]
    sites = [(rival.name, f"https://{rival.sites[0]}") for rival in rivals if rival.sites][:MOST_SITES]
    if not sites:
        raise AgentFailed("no_input")
    reports: list[CompetitorReport] = []
    failures: list[FailedScan] = []
    for number, (name, url) in enumerate(sites, 1):
        try:
            report = await scan_site(work, url, public=False, probe=False)
        except AgentFailed as failed:
            failures.append(FailedScan(name=name, code=failed.code))
        else:
            reports.append(
                CompetitorReport(
                    name=name, report_id=report.reportId, url=report.url, overall=report.overall.score
                )
            )
        await work.report(number, len(sites))
    if not reports:
        raise AgentFailed(failures[-1].code)
    findings = tuple(
        FindingDraft(
            "info",
            "readiness",
            f"{report.name}: readiness {'not scored' if report.overall is None else report.overall}",
            "The report of a competitor's site is kept inside the company.",
            [StoredEvidence(type="report", id=report.report_id, url=report.url)],
        )
        for report in reports
    )
    summary = f"{len(reports)} of {len(sites)} competitors' sites were scanned."
    return Result(CompetitorScans(reports=tuple(reports), failures=tuple(failures)), summary, findings)
