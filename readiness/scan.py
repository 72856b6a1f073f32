"""One readiness scan from URL to report, inside its budget."""

import ssl
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

import anyio
import httpcore2

from readiness import agents, urls
from readiness.catalogue import MODEL_VERSION, catalogue_sha256, of_group
from readiness.checks.check import Group
from readiness.dialing import Resolver, system_resolver
from readiness.errors import FetchFailed, Reason, ScanFailed, UrlRefused
from readiness.fetch import Fetcher
from readiness.grading import check_result, grade, group_report, page_visits, top_fixes
from readiness.policy import Policy
from readiness.report import LIMITS, Budget, Journeys, Links, OverallReport, Report, SiteTypeReport
from readiness.score import band
from readiness.site_type import Kind, detect
from readiness.survey import Progress, Survey


@dataclass(frozen=True, slots=True)
class Options:
    """What the starter decides: the report's identity, a declared type, whether to probe with bot headers."""

    report_id: str = ""
    base_url: str = ""
    declared: Kind | None = None
    probe_bots: bool = False


@dataclass(frozen=True, slots=True)
class Network:
    """How hosts become sockets; tests and nothing else put their own in."""

    resolve: Resolver = system_resolver
    dial: httpcore2.AsyncNetworkBackend | None = None
    tls: ssl.SSLContext | None = None


def utc_now() -> datetime:
    """The wall clock."""
    return datetime.now(UTC)


def silent(stage: str, requests: int, limit: int) -> None:
    """Progress that nobody listens to."""


async def scan(
    url: str,
    *,
    options: Options,
    policy: Policy,
    progress: Progress = silent,
    clock: Callable[[], datetime] = utc_now,
    network: Network | None = None,
) -> Report:
    """Scan one site and grade it.

    Raises UrlRefused for a URL that is refused unseen, and ScanFailed with a reason when the home page
    cannot be reached. `progress` is called with a stage name of ours, requests made and requests allowed.
    """
    network = network or Network()
    parsed = urls.parse(url, allow_hosts=policy.allow_hosts)
    scanned_at, started = clock(), anyio.current_time()
    async with Fetcher(policy, resolve=network.resolve, dial=network.dial, tls=network.tls) as fetcher:
        try:
            site = await Survey(fetcher, parsed, clock, progress).run(probe=options.probe_bots)
        except FetchFailed as error:
            raise ScanFailed(error.reason) from error
        except UrlRefused as error:
            raise ScanFailed(Reason.REFUSED_ADDRESS) from error
        spent = Budget(
            requests=fetcher.requests,
            seconds=round(anyio.current_time() - started, 3),
            exhausted=fetcher.exhausted,
        )
    progress("done", spent.requests, policy.requests or 0)
    site_type = detect(site, options.declared)
    graded = grade(site, site_type)
    return Report(
        reportId=options.report_id,
        url=str(parsed),
        finalUrl=site.home.final_url,
        host=site.host,
        scannedAt=scanned_at,
        durationMs=round(spent.seconds * 1000),
        modelVersion=MODEL_VERSION,
        catalogueSha256=catalogue_sha256(),
        botListVersion=agents.BOT_LIST_VERSION,
        publicSuffixListVersion=urls.public_suffix_list_version(),
        siteType=SiteTypeReport(
            value=site_type.value,
            declared=site_type.declared,
            serviceDepartment=site_type.service_department,
            points=site_type.points,
            evidence=list(site_type.evidence),
        ),
        overall=OverallReport(
            score=graded.overall.score, band=band(graded.overall.score), reason=graded.overall.reason
        ),
        technical=group_report(Group.TECHNICAL, graded, site),
        journeys=Journeys(
            vehicle=group_report(Group.VEHICLE, graded, site),
            service=group_report(Group.SERVICE, graded, site),
            handoff=group_report(Group.HANDOFF, graded, site),
        ),
        emerging=[check_result(check, graded.answers[check.id], site) for check in of_group(Group.EMERGING)],
        topFixes=top_fixes(graded),
        pages=page_visits(site),
        budget=spent,
        limits=list(LIMITS),
        links=_links(options.base_url, parsed),
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
