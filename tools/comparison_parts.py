"""Parts of a comparison: the verdict in words, contributions of prompts and engines, and ratios."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from pydantic import Field

from analytics.change import ChangeResult, ScoreChange, Side
from analytics.contributions import ChannelContribution, PartContribution, PromptContribution
from analytics.intervals import Interval as Bounds
from analytics.ratio_change import RatioChange, RatioValue
from measurement.planning.engine_names import MODES, platform_name
from measurement.planning.locales import country_name
from measurement.statistics.period_comparison import POOLED, PeriodComparison
from measurement.statistics.period_sides import channel_differences
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.prompt_results import AskedPrompt
from tools.calls.wire import (
    POINT_DECIMALS,
    Interval,
    Wire,
    harmless,
    in_points,
    interval_in_points,
    rounded_interval,
)

METRIC_WORDS = {
    "visibilityScore": "Visibility score",
    "presence": "Mention rate",
    "prominence": "Prominence",
    "citation": "Citation rate",
}
REASONS = {
    "insufficient_data": "one side has no answer that counts",
    "too_few_prompts": "fewer than two prompts were answered on both sides",
    "prompts_changed": "under 80% of the prompts are the same on both sides",
    "locale_changed": "the sides were asked from other places or in other languages; choose one country",
    "channels_changed": "not every channel was asked on both sides",
    "served_model_changed": "the engines served other models",
    "degraded": "a channel lost over a fifth of its answers and is left out",
    "basis_changed": "the sides do not measure the same parts, so that presence is compared",
    "analysis_changed": "the answers were read by other rules",
    "model_changed": "the score was made by another model",
    "headline_unchanged": "the score did not change, so that its parts are not judged",
}


ALL_WITH_ALL = (
    "no engine was asked alike on both sides, so that all answers of one are compared with all of the other"
)
ENGINES_DIFFER = "engines_differ"
"""The limitation of a comparison of sides that have no engine in common."""


class ComparedMissing(Wire):
    """Planned answers that never came or break off, and what they could change."""

    answers: int = Field(description="Of both periods together.")
    tipping: int | None = Field(description="So many of them against the change would undo it; else null.")
    leftOut: int = Field(
        description="Answers of both sides that arrived and do not count: empty, declined, without the search that was "
        "asked for, or not shown."
    )
    meaning: str


DIFFERENCE_VERDICTS: Mapping[str, str] = {
    "changed": "differs",
    "changed_if_missing_are_alike": "differs_if_missing_are_alike",
    "no_detectable_change": "no_detectable_difference",
}
"""Verdicts on two engines, modes or countries, by the verdict of the same test on two periods."""


@dataclass(frozen=True)  # no slots: a cached property needs a `__dict__`
class ComparedSides:
    """The filters of both sides, and how a result words what differs between them."""

    before: AnswerFilter
    after: AnswerFilter

    @cached_property
    def others(self) -> Mapping[str, str]:
        """The platform, mode and country of the side `after` where the other side has another one."""
        return channel_differences(self.before, self.after)

    @property
    def differing(self) -> tuple[str, ...]:
        """What the sides differ in."""
        is_other_period = (self.before.since, self.before.until) != (self.after.since, self.after.until)
        return (*(["period"] if is_other_period else []), *self.others)

    def verdict(self, verdict: str) -> str:
        """Return a verdict in its wire form: only a period can change, engines, modes and countries differ."""
        return DIFFERENCE_VERDICTS.get(verdict, verdict) if self.others else verdict

    def name_of(self, side: AnswerFilter) -> str:
        """Return the display name of one side, such as `answers from memory` or `ChatGPT, Germany`."""
        answers = platform_name(side.platform or "") if "platform" in self.others else ""
        if "mode" in self.others:
            answers = f"{answers or 'answers'} {MODES[side.mode or '']}"
        place = country_name(side.country or "") if "country" in self.others else ""
        return ", ".join(filter(None, (answers, place)))

    def moved(self, name: str, *, up: bool) -> str:
        """Return the words for a metric that is higher or lower on the side `after`."""
        if not self.others:
            return f"{name} {'rose' if up else 'fell'}"
        comparative = "higher" if up else "lower"
        return f"{name} is {comparative} for {self.name_of(self.after)} than for {self.name_of(self.before)}"

    def steady(self, name: str) -> str:
        """Return the words for a metric whose sides the test cannot tell apart."""
        if not self.others:
            return f"{name}: no change can be detected"
        names = f"{self.name_of(self.after)} and {self.name_of(self.before)}"
        return f"{name}: no difference between {names} can be detected"


def statement_of(comparison: PeriodComparison, metric: str, sides: ComparedSides) -> str:
    """Say the verdict in the words that it permits."""
    change, primary = comparison.change, comparison.change.primary
    name = METRIC_WORDS["presence" if change.endpoint == "presence" else metric]
    because = _served_otherwise(change) or REASONS.get(change.reason or "", "")
    if comparison.pooled:
        because = f"{because}; {ALL_WITH_ALL}" if because else ALL_WITH_ALL
    if primary is None or primary.delta is None or primary.interval is None:
        return f"{name}: not comparable; {because or 'too little was asked on both sides'}."
    low, high = (round(100 * bound, 1) for bound in primary.interval)
    size = f"{100 * primary.delta:+.1f} points, 95% interval {low:+.1f} to {high:+.1f}"
    moved = sides.moved(name, up=primary.delta > 0)
    words = {
        "changed": f"{moved} ({size}).",
        "changed_if_missing_are_alike": (
            f"{moved} among the answers received ({size}); {primary.missing} are missing, and "
            f"{primary.tipping} of them against it would undo this."
        ),
        "no_detectable_change": f"{sides.steady(name)} ({size}).",
        "not_comparable": f"{name}: not comparable.",
    }[change.verdict]
    return f"{words} Note: {because}." if because else words


def _served_otherwise(change: ScoreChange) -> str:
    """Name the engines that are left out because they served another model; empty without one."""
    engines = sorted(
        {
            platform_name(result.channel.platform)
            for result in change.channels
            if result.channel is not None and result.reason == "served_model_changed"
        }
    )
    if not engines or change.reason != "served_model_changed":
        return ""
    left_out = "is left out" if len(engines) == 1 else "are left out"
    return f"{' and '.join(engines)} served another model than before and {left_out}"


def missing_view(comparison: PeriodComparison) -> ComparedMissing:
    """Return what is missing and what it could change, and which answers arrived and do not count."""
    primary = comparison.change.primary
    missing, tipping = (primary.missing, primary.tipping) if primary else (0, None)
    if primary is None or primary.delta is None:
        meaning = "Nothing could be compared."
    elif not missing:
        meaning = "No planned answer is missing."
    elif tipping is not None:
        meaning = f"If {tipping} of {missing} missing answers spoke against the change, there would be none."
    else:
        meaning = "The missing answers, however they had turned out, do not change the verdict."
    if missing and primary and primary.verdict == "no_detectable_change":
        meaning = "No change was found; missing answers are not filled in to make one."
    sides = [side for side in (comparison.before, comparison.after) if side]
    left_out = sum(map(_left_out, sides))
    if left_out:
        stored = left_out + sum(side.score.answers for side in sides)
        counts = f"{left_out} of {stored} answers that arrived do not count"
        meaning = f"{meaning} {counts}: empty, declined or not grounded."
    return ComparedMissing(answers=missing, tipping=tipping, leftOut=left_out, meaning=meaning)


def _left_out(side: Side) -> int:
    """Count the answers to a side's prompts that arrived whole without a text that counts."""
    return sum(
        sums.stored - sums.valid - sums.cut_off
        for (prompt, _), sums in side.sums.cells.items()
        if prompt in side.prompts
    )


LONGEST_PROMPT = 500


class PromptShare(Wire):
    """What one prompt brings to the difference."""

    promptId: str
    prompt: str
    before: float
    after: float
    contribution: float = Field(description="Points of the difference; all prompts add up to it.")
    answerIds: list[str] = Field(description="Newest answers of the side `after`; get_answer opens them.")


class EngineShare(Wire):
    """What one channel contributes to the difference, and whether it changed on its own."""

    channel: str
    platform: str
    mode: str
    country: str | None
    before: float | None
    after: float | None
    contribution: float | None = Field(description="Points of the difference; null when not compared.")
    difference: float | None
    interval: Interval | None
    verdict: str
    reason: str | None


class PartShare(Wire):
    """What one part of the score brings to the difference."""

    part: str
    weight: float
    before: float
    after: float
    contribution: float
    difference: float = Field(description="After minus before.")
    interval: Interval | None = Field(description="Of that difference; null unless the score changed.")
    verdict: str
    reason: str | None


def prompt_share(
    row: PromptContribution, asked: dict[str, AskedPrompt], newest: dict[str, list[str]]
) -> PromptShare:
    """Return what one prompt brings."""
    prompt = asked.get(row.prompt_id)
    return PromptShare(
        promptId=row.prompt_id,
        prompt=harmless(prompt.text, LONGEST_PROMPT) if prompt else "",
        before=in_points(row.before) or 0.0,
        after=in_points(row.after) or 0.0,
        contribution=in_points(row.contribution) or 0.0,
        answerIds=newest.get(row.prompt_id, []),
    )


def engine_shares(comparison: PeriodComparison, sides: ComparedSides) -> list[EngineShare]:
    """Return every channel that both sides asked, largest contribution first; others have no contribution.

    Where the sides are of different channels, a channel is that of the side `after`. There is none where all were
    pooled.
    """
    contributions = {row.channel: row for row in comparison.contributions.channels}
    rows = [
        _engine_share(result, contributions.get(result.channel), sides)
        for result in comparison.change.channels
        if result.channel not in (None, POOLED)
    ]
    return sorted(rows, key=lambda row: (-abs(row.contribution or 0.0), row.channel))


def _engine_share(
    result: ChangeResult, contribution: ChannelContribution | None, sides: ComparedSides
) -> EngineShare:
    channel = result.channel
    assert channel is not None
    return EngineShare(
        channel=str(channel),
        platform=channel.platform,
        mode=channel.mode,
        country=channel.country or None,
        before=in_points(contribution.before if contribution else result.before),
        after=in_points(contribution.after if contribution else result.after),
        contribution=in_points(contribution.contribution) if contribution else None,
        difference=in_points(result.delta),
        interval=interval_in_points(result.interval),
        verdict=sides.verdict(result.verdict),
        reason=result.reason,
    )


def part_share(row: PartContribution, comparison: PeriodComparison, sides: ComparedSides) -> PartShare:
    """Return what one part of the score brings."""
    result = next((candidate for candidate in comparison.change.parts if candidate.part is row.part), None)
    return PartShare(
        part=row.part,
        weight=round(row.weight, 4),
        before=in_points(row.before) or 0.0,
        after=in_points(row.after) or 0.0,
        contribution=in_points(row.contribution) or 0.0,
        difference=in_points(row.after - row.before) or 0.0,
        interval=interval_in_points(result.interval) if result else None,
        verdict=sides.verdict(result.verdict) if result else "not_comparable",
        reason=result.reason if result else None,
    )


class RatioOfPeriod(Wire):
    """A figure beside the score in one period."""

    value: float | None = Field(description="Null when not measured.")
    units: int = Field(description="Mentions of brand and competitors, or answers that rank the brand.")
    interval: Interval | None = Field(description="95 % interval for these prompts.")
    allQuestions: Interval | None = Field(description="95 % interval over all such questions.")


class ComparedRatio(Wire):
    """A figure that is no part of the score: shareOfVoice, 0 to 100, or averagePosition, in places from 1."""

    metric: str
    before: RatioOfPeriod
    after: RatioOfPeriod
    difference: float | None = Field(
        description="After minus before, over what both sides asked; null when not compared."
    )
    interval: Interval | None = Field(
        description="Of that difference, at 95 % or the stricter level that the two of them leave to it."
    )
    verdict: str = Field(description="As of the whole; a change with missing answers is never `changed`.")
    reason: str | None


def compared_ratio(change: RatioChange, sides: ComparedSides) -> ComparedRatio:
    """Return one figure beside the score: a share as points of a hundred, a rank in places."""
    factor = 100 if change.ratio == "shareOfVoice" else 1
    return ComparedRatio(
        metric=change.ratio,
        before=_ratio_of_period(change.before, factor),
        after=_ratio_of_period(change.after, factor),
        difference=None if change.delta is None else round(factor * change.delta, POINT_DECIMALS) + 0.0,
        interval=_scaled_interval(change.interval, factor),
        verdict=sides.verdict(change.verdict),
        reason=change.reason,
    )


def _ratio_of_period(measured: RatioValue, factor: int) -> RatioOfPeriod:
    """Return a figure of one period in the unit in which it is shown."""
    pair = measured.intervals
    return RatioOfPeriod(
        value=None if measured.value is None else round(factor * measured.value, POINT_DECIMALS),
        units=measured.units,
        interval=_scaled_interval(pair.these_prompts if pair else None, factor),
        allQuestions=_scaled_interval(pair.all_questions if pair else None, factor),
    )


def _scaled_interval(interval: Bounds | None, factor: int) -> Interval | None:
    """Return an interval in the unit in which its value is shown."""
    return rounded_interval((factor * interval[0], factor * interval[1]) if interval else None)
