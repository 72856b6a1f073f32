"""The company-wide tools: dashboard and notifications."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from analytics.metrics import MetricName, average_score, shown
from tools.call import ThisCall
from tools.parameters import Limit, Offset
from tools.table import ToolFamily
from tools.wire import Page, Wire, next_offset

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
        total=total,
        limit=limit,
        offset=offset,
        nextOffset=next_offset(total, limit, offset),
    )
