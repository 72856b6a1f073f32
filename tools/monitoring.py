"""The monitoring tool: the latest results of a brand's monitors."""

from datetime import date, datetime
from typing import Any

from pydantic import Field

from measurement.alerts.issues import KINDS
from measurement.imports.access_logs.crawler_report import crawler_report, period_until
from storage.repositories.brands import Brand
from storage.repositories.issues import OpenIssue
from storage.repositories.monitors import MonitorResult
from storage.workspace import Workspace
from tools.calls.call import NamedBrand, ThisCall
from tools.calls.parameters import BrandId
from tools.calls.table import ToolFamily
from tools.calls.wire import Wire, untrusted_fields
from workflows.monitors.figures import shown_figures, trouble

family = ToolFamily()

LOGGED_DAYS = 28
EVERY_ALERT = 1_000_000
"""More than a brand can have."""


class OpenIssues(Wire):
    """Issues that are open."""

    total: int
    critical: int


class MonitorAlert(Wire):
    """One open issue that a script raised."""

    issueId: str
    severity: str = Field(description="critical, warning or info.")
    title: str
    url: str | None = Field(description="Address that it is about; untrusted text of the site.")
    firstSeen: datetime
    lastSeen: datetime


class MonitorError(Wire):
    """Why a script could not check anything."""

    code: str
    message: str


class MonitoringResult(Wire):
    """What one monitoring script saw last."""

    script: str = Field(description="crawler_check, content_gap_monitor or bot_access_monitor.")
    brandId: str
    status: str = Field(
        description="ok, issues, error (nothing could be seen) or skipped (nothing to check); pending before "
        "the first check."
    )
    startedAt: datetime | None
    finishedAt: datetime | None
    nextRunAt: datetime | None = Field(description="When it runs next; null before it is scheduled.")
    metrics: dict[str, Any] = Field(description="Figures of the script.")
    alerts: list[MonitorAlert] = Field(description="Its open issues, worst first.")
    error: MonitorError | None


class CrawlerVisits(Wire):
    """Visits of one AI crawler."""

    bot: str
    operator: str
    visits: int = Field(description="Without those from addresses of others.")
    verified: int = Field(description="Of these, from addresses that the operator publishes.")
    lastDay: date


class LoggedVisits(Wire):
    """What access logs say of the last 28 days (UTC)."""

    firstDay: date
    lastDay: date
    visits: int
    verified: int
    notThisBot: int = Field(description="Requests of others under a crawler's name; in no other number.")
    referrals: int = Field(description="People who came from AI products.")
    bots: list[CrawlerVisits] = Field(description="Most visits first.")


class MonitoringResults(Wire):
    """The latest result of each script, and every open issue of the brand's monitors as alerts."""

    brandId: str
    results: list[MonitoringResult]
    openIssues: OpenIssues
    crawlerVisits: LoggedVisits | None = Field(default=None, description="Null while no access log came in.")
    untrusted: list[str] = untrusted_fields(
        "results[].alerts[].title", "results[].alerts[].url", "results[].metrics"
    )


@family.read("Get monitoring results")
async def get_monitoring_results(brandId: BrandId, brand: NamedBrand, call: ThisCall) -> MonitoringResults:
    """Return the latest crawler, content-gap and bot-access monitor results of a brand. For alerts of all brands
    use list_notifications."""
    workspace = await call.workspace()
    view = await monitoring_view(workspace, brand)
    return view.model_copy(
        update={"crawlerVisits": await _logged_visits(workspace, brand, call.now().date())}
    )


async def _logged_visits(workspace: Workspace, brand: Brand, today: date) -> LoggedVisits | None:
    """Return what crawlers did on a brand's sites by its access logs, None where none came in."""
    if not await workspace.crawler_visits.intakes(brand.key):
        return None
    report = await crawler_report(workspace, brand.key, *period_until(today, LOGGED_DAYS))
    bots = [
        CrawlerVisits(
            bot=bot.bot, operator=bot.operator, visits=bot.visits, verified=bot.verified, lastDay=bot.last_day
        )
        for bot in report.bots
        if bot.visits
    ]
    return LoggedVisits(
        firstDay=report.first_day,
        lastDay=report.last_day,
        visits=report.visits,
        verified=report.verified,
        notThisBot=report.not_this_bot,
        referrals=report.referred,
        bots=bots,
    )


async def monitoring_view(
    workspace: Workspace, brand: Brand, most_alerts: int = EVERY_ALERT
) -> MonitoringResults:
    """Return what the monitors of a brand saw, as it is shown, with so many alerts of each script."""
    open_issues = await workspace.issues.worst(brand.key, most_alerts)
    counts = await workspace.issues.open_counts_of_kinds(brand.key)
    looks = await workspace.monitors.next_looks(brand.key)
    results = [
        result_view(
            brand,
            script,
            await workspace.monitors.latest(brand.key, script),
            looks.get(script),
            [issue for issue in open_issues if issue.kind == kind],
        )
        for script, kind in KINDS.items()
    ]
    watched = {pair: number for pair, number in counts.items() if pair[0] in KINDS.values()}
    critical = sum(number for (_, severity), number in watched.items() if severity == "critical")
    return MonitoringResults(
        brandId=brand.id,
        results=results,
        openIssues=OpenIssues(total=sum(watched.values()), critical=critical),
    )


def result_view(
    brand: Brand,
    script: str,
    result: MonitorResult | None,
    next_look: datetime | None,
    open_issues: list[OpenIssue],
) -> MonitoringResult:
    """Return one script's latest result as it is shown."""
    code = result.error_code if result else None
    return MonitoringResult(
        script=script,
        brandId=brand.id,
        status=result.status if result else "pending",
        startedAt=result.started_at if result else None,
        finishedAt=result.finished_at if result else None,
        nextRunAt=next_look,
        metrics=shown_figures(result) if result else {},
        alerts=[
            MonitorAlert(
                issueId=issue.id,
                severity=issue.severity,
                title=issue.title,
                url=issue.url,
                firstSeen=issue.first_seen,
                lastSeen=issue.last_seen,
            )
            for issue in open_issues
        ],
        error=MonitorError(code=code, message=trouble(code)) if code else None,
    )
