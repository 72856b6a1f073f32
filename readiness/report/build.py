"""One report from a surveyed site and from what its starter decided; runs in a worker process."""

from dataclasses import dataclass
from datetime import datetime

from readiness import agents
from readiness.checks.catalog import MODEL_VERSION, catalogue_sha256
from readiness.checks.check import Group
from readiness.fetching import urls
from readiness.report.document import (
    LIMITS,
    Journeys,
    Links,
    OverallReport,
    Report,
    ScanBudget,
    SiteTypeReport,
)
from readiness.report.grading import check_results, grade, group_report, page_visits, top_fixes
from readiness.report.notices import notices, unmeasured
from readiness.report.score import band
from readiness.survey.evidence import excerpt
from readiness.survey.site import SurveyedSite
from readiness.survey.site_kind import Kind
from readiness.survey.site_type import detect


@dataclass(frozen=True, slots=True)
class ReportFrame:
    """What a report says that no page does: its identity, the declared type, when it was made, what it cost."""

    report_id: str
    base_url: str
    declared: Kind | None
    scanned_at: datetime
    budget: ScanBudget


def build_report(site: SurveyedSite, frame: ReportFrame) -> Report:
    """Grade a site and write its report."""
    site_type = detect(site, frame.declared)
    graded = grade(site, site_type)
    return Report(
        reportId=frame.report_id,
        url=str(site.url),
        finalUrl=site.home.final_url or str(site.url),
        host=site.place,
        scannedAt=frame.scanned_at,
        durationMs=round(frame.budget.seconds * 1000),
        modelVersion=MODEL_VERSION,
        catalogueSha256=catalogue_sha256(),
        botListVersion=agents.BOT_LIST_VERSION,
        publicSuffixListVersion=urls.public_suffix_list_version(),
        redirectedTo=excerpt(site.redirected_to) if site.redirected_to else None,
        notices=[*notices(site, site_type, graded.answers), *unmeasured(graded)],
        siteType=SiteTypeReport(
            value=site_type.value,
            declared=site_type.declared,
            detected=site_type.detected,
            serviceDepartment=site_type.service_department,
            points=site_type.points,
            evidence=list(site_type.evidence),
        ),
        overall=OverallReport(
            score=graded.overall.score,
            band=band(graded.overall.score, graded.overall.coverage, readable=not site.only_shells),
            reason=graded.overall.reason,
            capReason=graded.overall.cap_reason,
        ),
        technical=group_report(Group.TECHNICAL, graded, site),
        journeys=Journeys(
            vehicle=group_report(Group.VEHICLE, graded, site),
            service=group_report(Group.SERVICE, graded, site),
            handoff=group_report(Group.HANDOFF, graded, site),
        ),
        emerging=check_results(Group.EMERGING, graded, site),
        topFixes=top_fixes(graded),
        pages=page_visits(site),
        budget=frame.budget,
        limits=list(LIMITS),
        links=_links(frame.base_url, site.url),
    )


def _links(base_url: str, url: urls.Url) -> Links:
    page = f"{base_url}/readiness/report"
    query = f"?url={urls.quoted(str(url))}"
    return Links.model_validate(
        {
            "html": f"{page}{query}",
            "json": f"{page}.json{query}",
            "markdown": f"{page}.md{query}",
            "methodology": f"{base_url}/readiness/methodology",
        }
    )
