"""Crawler monitor: pages that crawlers cannot read, for errors, redirects, noindex, robots.txt or certificates."""

import ssl
import statistics
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from measurement.alerts.issues import IssueObservation, Severity
from readiness.checks.check import CheckOutcome, CheckStatus
from readiness.fetching import urls
from readiness.fetching.errors import Reason
from readiness.report.grading import SiteAnswers
from readiness.survey.site import KEY_ROLES, Role, SiteVisit, SurveyedSite
from readiness.survey.site_kind import SiteState
from storage.documents import StoredEvidence
from workflows.monitors.figures import CrawlFigures, MonitorCheck, page_evidence

KIND = "crawler_error"
UNREACHABLE, BLOCKED = "crawler.unreachable", "crawler.blocked"
CHECKED = (
    "tech.robots.valid", "tech.meta.indexable", "tech.canonical", "tech.sitemap", "tech.sd.valid",
    "tech.errors.soft404", "tech.https",
)  # fmt: skip
EXPIRES_SOON = timedelta(days=14)
MOST_ERRORS = 0.05
"""Share of the pages that may answer with an error."""
BROKEN = (Reason.CONNECTION, Reason.TLS, Reason.PROTOCOL)
"""Failures of one page that are its own; after a timeout or the end of our budget nothing was seen."""
SHOWN = 5


def observe(site: SurveyedSite, asked: SiteAnswers, now: datetime) -> MonitorCheck[CrawlFigures]:
    """Judge what a crawl saw; pure. Other failures than those of `BROKEN` count neither way.

    A site that is down, or that keeps us out, is that and nothing else: what its error pages say is about no page.
    A problem must be seen twice.
    """
    if asked.state is not SiteState.ANSWERS:
        return unseen(site, asked)
    visits = (site.home, *site.pages)
    answers = asked.checks
    seen = [visit for visit in visits if visit.status is not None or visit.reason in BROKEN]
    errors = [visit for visit in seen if is_error(visit)]
    observations = [
        reachable(str(site.url)),
        IssueObservation(KIND, BLOCKED, subject_of(str(site.url))),
        *(page_state(visit) for visit in seen if visit.role in (Role.HOME, Role.PLAIN_HOME, *KEY_ROLES)),
        *error_rate(site, seen, errors),
        *robots(site, answers["tech.robots.valid"]),
        *indexable(site, answers["tech.meta.indexable"]),
        *certificate(site, answers["tech.https"], now),
    ]
    times = [visit.seconds * 1000 for visit in seen if visit.status is not None]
    figures = CrawlFigures(
        state=asked.state,
        urls=len(seen),
        errors=len(errors),
        redirects=sum(bool(visit.chain) for visit in seen),
        ttfb_ms=round(statistics.median(times)) if times else None,
        checks={name: answer.status.value for name, answer in answers.items()},
    )
    return MonitorCheck(figures, tuple(replace(seen_once, needs_twice=True) for seen_once in observations))


def unseen(site: SurveyedSite, asked: SiteAnswers) -> MonitorCheck[CrawlFigures]:
    """Evaluate a site whose home page returned an error: nothing else is known."""
    url, status = str(site.url), site.home.status
    evidence = [page_evidence(site.home.show())]
    if asked.state is SiteState.DOWN:
        observation = down(url, f"The site is down: its home page answers with status {status}", evidence)
    else:
        words = f"The site keeps our visits out (status {status}), so nothing of it could be checked"
        observation = IssueObservation(
            KIND, BLOCKED, subject_of(url), words, "warning", url, evidence, needs_twice=True
        )
    return MonitorCheck(CrawlFigures(state=asked.state), (observation,))


def unreachable(url: str, reason: Reason) -> MonitorCheck[CrawlFigures]:
    """Judge a site of which nothing answered."""
    evidence = [StoredEvidence(type="page", url=url, excerpt=reason.value)]
    observation = down(url, f"The site is down: it cannot be reached ({reason.value})", evidence)
    return MonitorCheck(CrawlFigures(state=SiteState.DOWN), (observation,))


def down(url: str, words: str, evidence: Sequence[StoredEvidence]) -> IssueObservation:
    """Return the observation that a site does not answer."""
    return IssueObservation(
        KIND, UNREACHABLE, subject_of(url), words, "critical", url, evidence, needs_twice=True
    )


def reachable(url: str) -> IssueObservation:
    """Return what it means that a site answered."""
    return IssueObservation(KIND, UNREACHABLE, subject_of(url))


def is_error(visit: SiteVisit) -> bool:
    """Check whether a requested page is missing for a crawler."""
    return visit.reason in BROKEN or (visit.status or 0) >= 400 or visit.stopped is Reason.REDIRECTS


def page_state(visit: SiteVisit) -> IssueObservation:
    """Evaluate one key page; a possibly transient problem must be seen twice."""
    check, subject = "crawler.page_status", subject_of(visit.url)
    if not is_error(visit):
        return IssueObservation(KIND, check, subject)
    status = visit.status or 0
    if visit.stopped is Reason.REDIRECTS:
        words, passing = "A key page redirects without end", False
    elif status >= 400:
        words, passing = f"A key page answers with status {status}", status >= 500
    else:
        words, passing = "A key page does not answer", True
    return IssueObservation(
        KIND, check, subject, words, "critical", visit.url, [page_evidence(visit.show())], needs_twice=passing
    )


def error_rate(site: SurveyedSite, seen: list[SiteVisit], errors: list[SiteVisit]) -> list[IssueObservation]:
    """Judge how many pages fail; one alone is no rate."""
    check, subject = "crawler.error_rate", site.host
    if len(errors) < 2 or len(errors) <= MOST_ERRORS * len(seen):
        return [IssueObservation(KIND, check, subject)] if seen else []
    words = f"More than {MOST_ERRORS:.0%} of the pages answer with an error"
    evidence = [page_evidence(visit.show()) for visit in errors[:SHOWN]]
    passing = all((visit.status or 500) >= 500 for visit in errors)
    return [
        IssueObservation(
            KIND, check, subject, words, "warning", site.home.final_url or site.home.url, evidence, passing
        )
    ]


def robots(site: SurveyedSite, answer: CheckOutcome) -> list[IssueObservation]:
    """Judge robots.txt by the scanner's check: failing means HTML, or an error that denies everything."""
    return judged(
        site, answer, "tech.robots.valid", "robots.txt cannot be read by crawlers", "critical",
        needs_twice=(site.robots_visit.status or 0) >= 500,
    )  # fmt: skip


def indexable(site: SurveyedSite, answer: CheckOutcome) -> list[IssueObservation]:
    """Judge noindex by the scanner's check: on home it is critical."""
    on_home = any(item.url == site.home.url for item in answer.evidence)
    words = "The home page asks not to be indexed" if on_home else "Many pages ask not to be indexed"
    return judged(site, answer, "tech.meta.indexable", words, "critical" if on_home else "warning")


def certificate(site: SurveyedSite, answer: CheckOutcome, now: datetime) -> list[IssueObservation]:
    """Judge the certificate: one that fails or expired is critical, one that soon will is a warning."""
    check, subject = "crawler.certificate", site.url.host
    if answer.status is CheckStatus.FAIL:
        words = "The site has no valid https: its certificate is expired, wrong or missing"
        evidence = [page_evidence(item) for item in answer.evidence[:SHOWN]]
        return [IssueObservation(KIND, check, subject, words, "critical", str(site.url), evidence)]
    shown_one = site.secure_home.certificate
    if shown_one is None or not shown_one.expires:
        return []
    expires = datetime.fromtimestamp(ssl.cert_time_to_seconds(shown_one.expires), UTC)
    if expires - now >= EXPIRES_SOON:
        return [IssueObservation(KIND, check, subject)]
    severity: Severity = "critical" if expires <= now else "warning"
    words = "The certificate has expired" if expires <= now else "The certificate expires within 14 days"
    evidence = [StoredEvidence(type="page", url=site.secure_home.url, excerpt=f"until {shown_one.expires}")]
    return [IssueObservation(KIND, check, subject, words, severity, str(site.url), evidence)]


def judged(
    site: SurveyedSite,
    answer: CheckOutcome,
    check: str,
    words: str,
    severity: Severity,
    *,
    needs_twice: bool = False,
) -> list[IssueObservation]:
    """Return what a check's answer means for an issue about the host: unknown counts neither way."""
    if answer.status in (CheckStatus.UNKNOWN, CheckStatus.NOT_APPLICABLE):
        return []
    if answer.status is not CheckStatus.FAIL:
        return [IssueObservation(KIND, check, site.host)]
    evidence = [page_evidence(item) for item in answer.evidence[:SHOWN]]
    url = answer.evidence[0].url
    return [IssueObservation(KIND, check, site.host, words, severity, url, evidence, needs_twice)]


def subject_of(url: str) -> str:
    """Return host and path of an address: what an issue is about, without scheme and query."""
    path = url.partition("://")[2].partition("?")[0].partition("/")[2]
    return f"{urls.host_of(url)}/{path}".rstrip("/")
