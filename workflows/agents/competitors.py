"""The agents about competitors: `competitor_resolver` lists them, `competitor_site_scanner` scans their sites."""

from measurement.planning.brand_identity import BRAND_KEY
from storage.documents import StoredEvidence
from storage.repositories.brands import EntityNames
from storage.repositories.findings import FindingDraft
from workflows.agents.agent import Result, Work, numbered
from workflows.agents.outputs.measurement import CompetitorNames, ResolvedCompetitor
from workflows.agents.outputs.site import CompetitorReport, CompetitorScans, FailedScan
from workflows.agents.site import scan_site
from workflows.errors import AgentFailed

MOST_SITES = 5


async def run_competitor_resolver(work: Work) -> Result:
    """Return the recorded competitors. Fails with `no_input` when there is none."""
    entities = [
        entity for entity in await work.workspace.brands.entities(work.brand) if entity.key != BRAND_KEY
    ]
    if not entities:
        raise AgentFailed("no_input")
    competitors = tuple(
        ResolvedCompetitor(
            id=competitor.id,
            name=competitor.name,
            aliases=tuple(alias.text for alias in competitor.aliases if not alias.negative),
            sites=tuple(competitor.sites),
        )
        for competitor in entities
    )
    siteless = [competitor for competitor in entities if not competitor.sites]
    summary = f"{numbered(len(entities), 'competitor')}, {len(entities) - len(siteless)} with a site."
    findings = tuple(without_site(competitor) for competitor in siteless)
    return Result(CompetitorNames(competitors=competitors), summary, findings)


def without_site(competitor: EntityNames) -> FindingDraft:
    """Report that citations of a competitor's site cannot be recognized."""
    return FindingDraft(
        "info",
        "visibility",
        f"No site is recorded for {competitor.name}",
        "Without a site, citations of this competitor cannot be counted, and the ranking leaves citations out.",
        [StoredEvidence(type="competitor", id=competitor.id, excerpt=competitor.name)],
        "Add the site to the competitor's entry.",
        "small",
    )


async def run_competitor_site_scanner(work: Work) -> Result:
    """Scan up to five sites of the profile's competitors. Fails with `no_input` without one.

    A site that gives no report is named with the reason; when none gives one, the agent fails with the last reason.
    """
    entities = (await work.workspace.brands.entities(work.brand))[1:]
    sites = [
        (competitor.name, f"https://{competitor.sites[0]}") for competitor in entities if competitor.sites
    ][:MOST_SITES]
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
