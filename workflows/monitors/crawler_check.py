"""Looks for pages that crawlers cannot read: errors, redirects, noindex, robots.txt and certificates that fail."""

import ssl
import statistics
from datetime import UTC, datetime, timedelta

from readiness import urls
from readiness.catalogue import CATALOGUE
from readiness.checks.check import Answer, Status
from readiness.errors import Reason
from readiness.site import KEY_ROLES, Role, Site, Visit
from workflows.issues import Observation, Severity
from workflows.monitors.look import Look, shown

KIND = "crawler_error"
CHECKED = (
    "tech.robots.valid", "tech.meta.indexable", "tech.canonical", "tech.sitemap", "tech.sd.valid",
    "tech.errors.soft404", "tech.https",
)  # fmt: skip
CHECKS = {check.id: check for check in CATALOGUE if check.id in CHECKED}
EXPIRES_SOON = timedelta(days=14)
MOST_ERRORS = 0.05
"""Share of the pages that may answer with an error."""
BROKEN = (Reason.CONNECTION, Reason.TLS, Reason.PROTOCOL)
"""Failures of one page that are its own; after a timeout or the end of our budget nothing was seen."""
SHOWN = 5


def observe(site: Site, now: datetime) -> Look:
    """Judge what a crawl saw; pure. Other failures than those of `BROKEN` count neither way."""
    visits = (site.home, *site.pages)
    answers = {name: check.answer(site, check.rule) for name, check in CHECKS.items()}
    seen = [visit for visit in visits if visit.status is not None or visit.reason in BROKEN]
    errors = [visit for visit in seen if is_error(visit)]
    observations = [
        reachable(str(site.url)),
        *(page_state(visit) for visit in seen if visit.role in (Role.HOME, Role.PLAIN_HOME, *KEY_ROLES)),
        *error_rate(site, seen, errors),
        *robots(site, answers["tech.robots.valid"]),
        *indexable(site, answers["tech.meta.indexable"]),
        *certificate(site, answers["tech.https"], now),
    ]
    times = [visit.seconds * 1000 for visit in seen if visit.status is not None]
    metrics = {
        "urls": len(seen),
        "errors": len(errors),
        "redirects": sum(bool(visit.chain) for visit in seen),
        "ttfbMs": round(statistics.median(times)) if times else None,
        "checks": {name: answer.status.value for name, answer in answers.items()},
    }
    return Look(metrics, tuple(observations))


def unreachable(url: str, reason: Reason) -> Observation:
    """Return what it means that nothing of a site answered."""
    return Observation(
        KIND,
        "crawler.unreachable",
        subject_of(url),
        f"The site cannot be reached ({reason.value})",
        "critical",
        url,
        [{"type": "page", "url": url, "excerpt": reason.value}],
        needs_twice=True,
    )


def reachable(url: str) -> Observation:
    """Return what it means that a site answered."""
    return Observation(KIND, "crawler.unreachable", subject_of(url))


def is_error(visit: Visit) -> bool:
    """Tell whether a page that was asked for is not there for a crawler."""
    return visit.reason in BROKEN or (visit.status or 0) >= 400 or visit.stopped is Reason.REDIRECTS


def page_state(visit: Visit) -> Observation:
    """Judge one key page; what may pass by itself must be seen twice."""
    check, subject = "crawler.page_status", subject_of(visit.url)
    if not is_error(visit):
        return Observation(KIND, check, subject)
    status = visit.status or 0
    if visit.stopped is Reason.REDIRECTS:
        words, passing = "A key page redirects without end", False
    elif status >= 400:
        words, passing = f"A key page answers with status {status}", status >= 500
    else:
        words, passing = "A key page does not answer", True
    return Observation(
        KIND, check, subject, words, "critical", visit.url, [shown(visit.show())], needs_twice=passing
    )


def error_rate(site: Site, seen: list[Visit], errors: list[Visit]) -> list[Observation]:
    """Judge how many pages fail; one alone is no rate."""
    check, subject = "crawler.error_rate", site.host
    if len(errors) < 2 or len(errors) <= MOST_ERRORS * len(seen):
        return [Observation(KIND, check, subject)] if seen else []
    words = f"More than {MOST_ERRORS:.0%} of the pages answer with an error"
    evidence = [shown(visit.show()) for visit in errors[:SHOWN]]
    passing = all((visit.status or 500) >= 500 for visit in errors)
    return [
        Observation(
            KIND, check, subject, words, "warning", site.home.final_url or site.home.url, evidence, passing
        )
    ]


def robots(site: Site, answer: Answer) -> list[Observation]:
    """Judge robots.txt by the scanner's check: failing means HTML, or an error that denies everything."""
    return judged(
        site, answer, "tech.robots.valid", "robots.txt cannot be read by crawlers", "critical",
        needs_twice=(site.robots_visit.status or 0) >= 500,
    )  # fmt: skip


def indexable(site: Site, answer: Answer) -> list[Observation]:
    """Judge noindex by the scanner's check: on home it is critical."""
    on_home = any(one.url == site.home.url for one in answer.evidence)
    words = "The home page asks not to be indexed" if on_home else "Many pages ask not to be indexed"
    return judged(site, answer, "tech.meta.indexable", words, "critical" if on_home else "warning")


def certificate(site: Site, answer: Answer, now: datetime) -> list[Observation]:
    """Judge the certificate: one that fails or expired is critical, one that soon will is a warning."""
    check, subject = "crawler.certificate", site.url.host
    if answer.status is Status.FAIL:
        words = "The site has no valid https: its certificate is expired, wrong or missing"
        evidence = [shown(one) for one in answer.evidence[:SHOWN]]
        return [Observation(KIND, check, subject, words, "critical", str(site.url), evidence)]
    shown_one = site.secure_home.certificate
    if shown_one is None or not shown_one.expires:
        return []
    expires = datetime.fromtimestamp(ssl.cert_time_to_seconds(shown_one.expires), UTC)
    if expires - now >= EXPIRES_SOON:
        return [Observation(KIND, check, subject)]
    severity: Severity = "critical" if expires <= now else "warning"
    words = "The certificate has expired" if expires <= now else "The certificate expires within 14 days"
    evidence = [{"type": "page", "url": site.secure_home.url, "excerpt": f"until {shown_one.expires}"}]
    return [Observation(KIND, check, subject, words, severity, str(site.url), evidence)]


def judged(
    site: Site, answer: Answer, check: str, words: str, severity: Severity, *, needs_twice: bool = False
) -> list[Observation]:
    """Return what a check's answer means for an issue about the host: unknown counts neither way."""
    if answer.status in (Status.UNKNOWN, Status.NOT_APPLICABLE):
        return []
    if answer.status is not Status.FAIL:
        return [Observation(KIND, check, site.host)]
    evidence = [shown(one) for one in answer.evidence[:SHOWN]]
    url = answer.evidence[0].url
    return [Observation(KIND, check, site.host, words, severity, url, evidence, needs_twice)]


def subject_of(url: str) -> str:
    """Return host and path of an address: what an issue is about, without scheme and query."""
    path = url.partition("://")[2].partition("?")[0].partition("/")[2]
    return f"{urls.host_of(url)}/{path}".rstrip("/")
