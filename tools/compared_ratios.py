"""Share of voice and average rank of two periods, each with a verdict of its own."""

from pydantic import Field

from analytics.intervals import Interval as Bounds
from analytics.ratio_change import RatioChange, RatioValue
from tools.calls.wire import POINT_DECIMALS, Interval, Wire, rounded_interval


class RatioOfPeriod(Wire):
    """A figure beside the score in one period."""

    value: float | None = Field(description="Null when not measured.")
    units: int = Field(description="Mentions of brand and rivals, or answers that rank the brand.")
    interval: Interval | None = Field(description="95 % interval for these prompts.")
    allQuestions: Interval | None = Field(description="95 % interval over all such questions.")


class ComparedRatio(Wire):
    """A figure that is no part of the score: shareOfVoice, 0 to 100, or averagePosition, in places from 1."""

    metric: str
    before: RatioOfPeriod
    after: RatioOfPeriod
    difference: float | None = Field(
        description="After minus before, over what both periods asked; null when not compared."
    )
    interval: Interval | None = Field(
        description="Of that difference, at 95 % or the stricter level that the two of them leave to it."
    )
    verdict: str = Field(description="As of the whole; a change with missing answers is never `changed`.")
    reason: str | None


def compared_ratio(change: RatioChange) -> ComparedRatio:
    """Return one figure beside the score: a share as points of a hundred, a rank in places."""
    factor = 100 if change.ratio == "shareOfVoice" else 1
    return ComparedRatio(
        metric=change.ratio,
        before=ratio_of_period(change.before, factor),
        after=ratio_of_period(change.after, factor),
        difference=None if change.delta is None else round(factor * change.delta, POINT_DECIMALS) + 0.0,
        interval=scaled_interval(change.interval, factor),
        verdict=change.verdict,
        reason=change.reason,
    )


def ratio_of_period(measured: RatioValue, factor: int) -> RatioOfPeriod:
    """Return a figure of one period in the unit in which it is shown."""
    pair = measured.intervals
    return RatioOfPeriod(
        value=None if measured.value is None else round(factor * measured.value, POINT_DECIMALS),
        units=measured.units,
        interval=scaled_interval(pair.these_prompts if pair else None, factor),
        allQuestions=scaled_interval(pair.all_questions if pair else None, factor),
    )


def scaled_interval(interval: Bounds | None, factor: int) -> Interval | None:
    """Return an interval in the unit in which its value is shown."""
    return rounded_interval((factor * interval[0], factor * interval[1]) if interval else None)
