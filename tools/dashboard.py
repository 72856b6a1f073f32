"""The dashboard tool: the company at a glance."""

from pydantic import Field

from analytics.metric_names import MetricName
from analytics.metrics import average_score, shown
from tools.calls.call import ThisCall
from tools.calls.table import ToolFamily
from tools.calls.wire import Measurement, Wire, company_measurement
from tools.monitoring import OpenIssues

family = ToolFamily()


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
    """Return company totals: average score, brands, open issues, unread notifications. For one brand use
    get_brand_snapshot."""
    workspace = await call.workspace()
    brands = await workspace.brands.count()
    measured = await workspace.results.scores()
    average = average_score([brand.score for brand in measured])
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
            noPromptSets=not await workspace.prompt_sets.has_active(),
            noMeasurements=not measured,
        ),
        measurement=await company_measurement(workspace, average.brands),
    )
