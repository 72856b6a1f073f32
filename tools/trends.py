"""The trend tool: one metric of a brand day by day."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta

from pydantic import Field

from analytics.metric_names import MetricName as Metric
from analytics.metrics import shown
from analytics.trends import MetricPoint, TrendDay, daily
from storage.repositories.brands import Brand
from storage.repositories.results import Point
from storage.workspace import Workspace
from tools.calls.call import NamedBrand, ThisCall
from tools.calls.errors import ToolRefusal
from tools.calls.filters import nothing_from, refuse_unknown_country
from tools.calls.measurement import Measurement, measurement_of
from tools.calls.parameters import BrandId, Days, MetricName, Omissible, ResultCountry
from tools.calls.table import ToolFamily
from tools.calls.wire import CleanText, Interval, Intervals, ListWindow, Wire

family = ToolFamily()

EVERY_COUNTRY = 0
"""The channel under which trend points of all channels stand."""


class TrendPoint(Wire):
    """One day of a metric."""

    day: date = Field(description="Calendar day, UTC.")
    value: float = Field(description="Mean of the day's successful batches; a count is their sum.")
    samples: int = Field(description="Successful batches of that day.")
    answers: int = Field(description="Answers or mentions that the value was taken over.")
    intervals: Intervals | None = Field(description="95 % intervals, when one batch alone gives the value.")
    batchIds: list[str] = Field(description="The batches of that day.")


class MetricTrend(Wire):
    """One metric over time, oldest day first; a day without a batch is left out, never zero."""

    window = ListWindow("points", following=None, keeps_end=True)

    brandId: str
    brandName: CleanText
    metricName: str
    country: str | None = Field(description="The country it is restricted to, or null.")
    days: int
    points: list[TrendPoint]
    newestDay: date | None = Field(
        description="Newest day that has a value, which may lie before these days; null when there is none."
    )
    measurement: Measurement
    notice: str | None = Field(description="Said where the country asked for has no value of this brand.")


@family.read("Get metric trend", charted=True)
async def get_metric_trend(
    brandId: BrandId,
    metricName: MetricName,
    brand: NamedBrand,
    call: ThisCall,
    days: Days = 30,
    country: Omissible[ResultCountry] = None,
) -> MetricTrend:
    """How did one metric of a brand develop by day? list_brand_profiles gives brand ids."""
    workspace = await call.workspace()
    if country is not None:
        await refuse_unknown_country(workspace, country)
    return await trend_view(workspace, brand, metricName, days, call.today.date(), country)


async def trend_view(
    workspace: Workspace, brand: Brand, name: str, days: int, today: date, country: str | None = None
) -> MetricTrend:
    """Return a trend as it is shown. Raises Refused for a metric that does not exist."""
    if name not in list(Metric):
        raise ToolRefusal("metricName: unknown metric", f"Use one of: {', '.join(Metric)}.")
    metric = Metric(name)
    since = today - timedelta(days=days - 1)
    channel = await workspace.channels.every_channel_of(country) if country else EVERY_COUNTRY
    revision = brand.revision_key if channel is not None else None
    stored = await workspace.results.points(revision, metric, since, channel or 0) if revision else []
    by_day: dict[date, list[Point]] = {}
    for point in stored:
        by_day.setdefault(point.day, []).append(point)
    points = [MetricPoint(datetime.combine(point.day, time(12), UTC), point.value) for point in stored]
    shown_points = [trend_point(metric, day, by_day[day.day]) for day in daily(metric, points, today, days)]
    newest = shown_points[-1] if shown_points else None
    earlier = (
        await workspace.results.newest_day(revision, metric, channel or 0)
        if revision and not newest
        else None
    )
    return MetricTrend(
        brandId=brand.id,
        brandName=brand.name,
        metricName=name,
        country=country,
        days=days,
        points=shown_points,
        newestDay=newest.day if newest else earlier,
        measurement=await measurement_of(
            workspace,
            brand,
            sum(point.answers for point in shown_points),
            newest.intervals if newest else None,
            batch_ids=[batch for point in reversed(shown_points) for batch in point.batchIds],
        ),
        notice=None if newest or earlier else nothing_from(country, brand.name),
    )


def trend_point(metric: Metric, day: TrendDay, batches: Sequence[Point]) -> TrendPoint:
    """Return one day as it is shown."""
    only = batches[0] if len(batches) == 1 else None
    return TrendPoint(
        day=day.day,
        value=shown(metric, day.value) or 0.0,
        samples=day.samples,
        answers=sum(point.samples for point in batches),
        intervals=point_intervals(only) if only else None,
        batchIds=[point.batch_id for point in batches],
    )


def point_intervals(point: Point) -> Intervals | None:
    """Return the stored intervals of one batch's value; counts and positions have none."""
    if point.prompts_low is None or point.prompts_high is None:
        return None
    others = point.low is not None and point.high is not None
    return Intervals(
        thesePrompts=Interval(low=point.prompts_low, high=point.prompts_high),
        allQuestions=Interval(low=point.low or 0.0, high=point.high or 0.0) if others else None,
        atMost=point.noise_source == "upper_bound",
    )
