"""What is watched: results of monitors, notifications, and the company at a glance."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from analytics.metrics import MetricName, average_score, shown
from storage.repositories.brands import Brand
from storage.repositories.issues import Issue
from storage.repositories.monitors import MonitorResult
from storage.workspace import Workspace
from tools.call import NamedBrand, ThisCall
from tools.measurement import Measurement, company_measurement
from tools.parameters import BrandId, Limit, Offset
from tools.table import ToolFamily
from tools.wire import Page, Wire, place_of
from workflows.monitors.scripts import KINDS
from workflows.monitors.trouble import trouble

family = ToolFamily()

OnlyUnread = Annotated[bool, Field(description="Leave out what was read already.")]


class OpenIssues(Wire):
    """Issues that are open."""

    total: int
    critical: int


class EmptyState(Wire):
    """What there is nothing of yet, so that a page can say what to do next."""

    noBrands: bool
    noPromptSets: bool
    noMeasurements: bool


class DashboardOverview(Wire):
    """The whole company at a glance."""

    averageVisibilityScore: float | None = Field(
        description="Mean over the brands that have a score, or null."
    )
    brandCount: int
    brandsWithScore: int
    brandsWithoutScore: int
    openIssues: OpenIssues
    unreadNotifications: int
    emptyState: EmptyState
    measurement: Measurement = Field(
        description="Of the average; its sample is the brands that have a score."
    )


@family.read("Get dashboard overview")
async def get_dashboard_overview(call: ThisCall) -> DashboardOverview:
    """Get the company's average visibility score, brand count, open issues and unread notifications."""
    workspace = await call.workspace()
    brands = await workspace.brands.count()
    measured = await workspace.results.scores()
    average = average_score([one.score for one in measured])
    issues = await workspace.issues.open_counts()
    return DashboardOverview(
        averageVisibilityScore=shown(MetricName.VISIBILITY_SCORE, average.value),
        brandCount=brands,
        brandsWithScore=average.brands,
        brandsWithoutScore=brands - average.brands,
        openIssues=OpenIssues(total=sum(issues.values()), critical=issues.get("critical", 0)),
        unreadNotifications=await workspace.notifications.unread(),
        emptyState=EmptyState(
            noBrands=brands == 0,
            noPromptSets=not await workspace.prompt_sets.active(),
            noMeasurements=not measured,
        ),
        measurement=await company_measurement(workspace, average.brands),
    )


class MonitorAlert(Wire):
    """One open issue that a script raised."""

    issueId: str
    severity: str = Field(description="critical, warning or info.")
    title: str
    url: str | None = Field(description="Address that it is about; untrusted text of the site.")
    firstSeen: datetime
    lastSeen: datetime


class MonitorError(Wire):
    """Why a script saw nothing, in words of ours."""

    code: str
    message: str


class MonitoringResult(Wire):
    """What one monitoring script saw last."""

    script: str = Field(description="crawler_check, content_gap_monitor or bot_access_monitor.")
    brandId: str
    status: str = Field(
        description="ok, issues, error (nothing could be seen) or skipped (nothing to look at); pending before "
        "the first look."
    )
    startedAt: datetime | None
    finishedAt: datetime | None
    nextRunAt: datetime | None = Field(description="When it looks next; null before it is scheduled.")
    metrics: dict[str, Any] = Field(description="Figures of the script.")
    alerts: list[MonitorAlert] = Field(description="Its open issues, worst first.")
    error: MonitorError | None


class MonitoringResults(Wire):
    """The latest result of each script, and every open issue of the brand's monitors as alerts."""

    brandId: str
    results: list[MonitoringResult]
    openIssues: OpenIssues


@family.read("Get monitoring results", open_world=True)
async def get_monitoring_results(brandId: BrandId, brand: NamedBrand, call: ThisCall) -> MonitoringResults:
    """Get the latest results and open alerts of a brand's crawler check, content-gap monitor and bot-access monitor.
    Call list_brand_profiles for brand ids."""
    workspace = await call.workspace()
    return await monitoring_view(workspace, brand)


async def monitoring_view(workspace: Workspace, brand: Brand) -> MonitoringResults:
    """Return what the monitors of a brand saw, as it is shown."""
    standing = await workspace.issues.open_of(brand.key)
    looks = await workspace.monitors.next_looks(brand.key)
    results = [
        result_view(
            brand,
            script,
            await workspace.monitors.latest(brand.key, script),
            looks.get(script),
            [one for one in standing if one.kind == kind],
        )
        for script, kind in KINDS.items()
    ]
    watched = [one for one in standing if one.kind in KINDS.values()]
    critical = sum(one.severity == "critical" for one in watched)
    return MonitoringResults(
        brandId=brand.id, results=results, openIssues=OpenIssues(total=len(watched), critical=critical)
    )


def result_view(
    brand: Brand,
    script: str,
    result: MonitorResult | None,
    next_look: datetime | None,
    standing: list[Issue],
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
        metrics=dict(result.metrics) if result else {},
        alerts=[
            MonitorAlert(
                issueId=one.id,
                severity=one.severity,
                title=one.title,
                url=one.url,
                firstSeen=one.first_seen,
                lastSeen=one.last_seen,
            )
            for one in standing
        ],
        error=MonitorError(code=code, message=trouble(code)) if code else None,
    )


class NotificationView(Wire):
    """One alert."""

    id: str
    brandId: str | None
    kind: str = Field(description="bot_access, crawler_error, content_gap, ai_mention or system_alert.")
    severity: str
    title: str
    message: str
    issueId: str | None = Field(
        description="The issue it speaks of; get_monitoring_results lists it while open."
    )
    runId: str | None = Field(description="The run it speaks of; feeds get_run_status.")
    path: str | None = Field(description="Page of this service that shows more.")
    read: bool
    createdAt: datetime


class Notifications(Page):
    """A page of alerts, newest first."""

    notifications: list[NotificationView]


@family.read("List notifications")
async def list_notifications(
    call: ThisCall, limit: Limit = 20, offset: Offset = 0, onlyUnread: OnlyUnread = False
) -> Notifications:
    """List the company's notifications, newest first. No tool feeds it."""
    workspace = await call.workspace()
    found, total = await workspace.notifications.page(onlyUnread, limit, offset)
    return Notifications(
        notifications=[
            NotificationView(
                id=one.id,
                brandId=one.brand_id,
                kind=one.kind,
                severity=one.severity,
                title=one.title,
                message=one.message,
                issueId=one.issue_id,
                runId=one.run_id,
                path=one.path,
                read=one.read_at is not None,
                createdAt=one.created_at,
            )
            for one in found
        ],
        **place_of(total, limit, offset),
    )
