"""The snapshot tool: everything about one brand in one call."""

from pydantic import Field

from storage.repositories.answers.answer_filters import AnswerFilter
from tools.brands import RIVAL_TEXT, BrandProfile, CompetitorView, profile_view
from tools.calls.call import NamedBrand, ThisCall
from tools.calls.filters import refuse_unknown_platform
from tools.calls.parameters import (
    BrandId,
    Category,
    Detail,
    MetricName,
    Omissible,
    Platform,
    SnapshotDays,
    SnapshotLimit,
)
from tools.calls.table import ToolFamily
from tools.calls.wire import UNTRUSTED, Measurement, Wire
from tools.mentions import COMPACT_QUOTE, BrandMentions, compact_mentions, mentions_view
from tools.monitoring import EVERY_ALERT, MonitoringResults, monitoring_view
from tools.repository_items import BODY_START, RepositoryItems, page_of
from tools.scores import AiVisibilityScore, score_view
from tools.trend_lines import TrendPoint
from tools.trends import MetricTrend, trend_view
from workflows.drafts.decisions import load_reviews

family = ToolFamily()


class BrandSnapshot(Wire):
    """Everything about one brand in one call."""

    profile: BrandProfile
    competitors: list[CompetitorView]
    repository: RepositoryItems
    visibility: AiVisibilityScore
    mentions: BrandMentions
    monitoring: MonitoringResults
    trend: MetricTrend
    measurement: Measurement = Field(description="Of the score; mentions and trend have one of their own.")
    untrusted: list[str] = Field(
        default=list(RIVAL_TEXT), description=f"{UNTRUSTED} Each part names its own."
    )


COMPACT_ALERTS = 8
"""Open issues of each monitor in a compact snapshot."""


@family.read("Get brand snapshot", charted=True)
async def get_brand_snapshot(
    brandId: BrandId,
    brand: NamedBrand,
    call: ThisCall,
    repositoryCategory: Omissible[Category] = None,
    repositoryLimit: SnapshotLimit = 8,
    mentionsLimit: SnapshotLimit = 8,
    mentionsPlatform: Omissible[Platform] = None,
    metricName: MetricName = "visibilityScore",
    metricDays: SnapshotDays = 30,
    detail: Detail = "compact",
) -> BrandSnapshot:
    """Return an overview of one brand: profile, score, mentions, trend. Use it for 'how are we doing?'; for the score
    alone use get_ai_visibility_score."""
    workspace = await call.workspace()
    if mentionsPlatform is not None:
        await refuse_unknown_platform(call, workspace, mentionsPlatform)
    profile = profile_view(brand, await workspace.brands.entities(brand))
    score = await score_view(workspace, brand)
    items, total = await workspace.repository_items.page(brand.key, repositoryCategory, repositoryLimit, 0)
    mentions = await mentions_view(
        workspace, brand, mentionsLimit, 0, AnswerFilter(platform=mentionsPlatform)
    )
    trend = await trend_view(workspace, brand, metricName, metricDays, call.today.date())
    if detail == "compact":
        score = score.model_copy(update={"evidence": []})  # the newest mentions are in `mentions`
        mentions = compact_mentions(mentions)
        trend = trend.model_copy(update={"points": [_compact_point(point) for point in trend.points]})
    return BrandSnapshot(
        profile=profile,
        competitors=profile.competitors,
        repository=page_of(
            brand.id,
            items,
            await load_reviews(workspace, brand, items),
            total,
            repositoryLimit,
            0,
            BODY_START if detail == "full" else COMPACT_QUOTE,
            repositoryCategory,
        ),
        visibility=score,
        mentions=mentions,
        monitoring=await monitoring_view(
            workspace, brand, EVERY_ALERT if detail == "full" else COMPACT_ALERTS
        ),
        trend=trend,
        measurement=score.measurement,
    )


def _compact_point(point: TrendPoint) -> TrendPoint:
    """Return a day without its batches and intervals, which get_metric_trend shows."""
    return point.model_copy(update={"batchIds": [], "intervals": None})
