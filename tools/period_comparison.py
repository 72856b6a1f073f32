"""The comparison tool: what changed between two periods, how sure that is, and what brought it about."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Annotated, Literal

from pydantic import Field

from analytics.change import ChangeResult, ScoreChange, Side
from analytics.contributions import ChannelContribution, PartContribution, PromptContribution
from analytics.intervals import Interval as Bounds
from analytics.ratio_change import RatioChange, RatioValue
from analytics.score_inputs import Part
from measurement.documents.score import factor_document, partial_score_document
from measurement.engine_names import platform_name
from measurement.period_comparison import MOST_ANSWERS, PeriodComparison
from measurement.period_comparison import compare_periods as compared
from measurement.prompt_results import in_period, period_before
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.prompt_results import AskedPrompt
from tools.calls.call import NamedBrand, ThisCall
from tools.calls.errors import ToolRefusal
from tools.calls.filters import ChosenAnswers, CompareFrom, CompareTo, end_of, parse_instant
from tools.calls.parameters import BrandId, Days, Limit, Offset, Omissible
from tools.calls.table import ToolFamily
from tools.calls.wire import UNTRUSTED, Interval, ListWindow, Page, Wire, harmless, in_points, place_of
from tools.score_parts import Factor, PartialScore, factor_view, partial_scores

family = ToolFamily()

MOST_ANSWER_IDS = 3
LONGEST_PROMPT = 500
DECIMALS = 2

ComparedMetric = Annotated[
    Literal["visibilityScore", "presence", "prominence", "citation", "tone"],
    Field(description="The score or a part; presence is the mention rate."),
]
METRIC_WORDS = {
    "visibilityScore": "Visibility score",
    "presence": "Mention rate",
    "prominence": "Prominence",
    "citation": "Citation rate",
    "tone": "Tone",
}
REASONS = {
    "insufficient_data": "one of the periods has no answer that counts",
    "too_few_prompts": "fewer than two prompts were answered in both periods",
    "prompts_changed": "under 80 % of the prompts are the same in both periods",
    "locale_changed": "the periods were asked from other places or in other languages; choose one country",
    "channels_changed": "the periods were asked on other channels",
    "served_model_changed": "the engines served other models",
    "degraded": "a channel lost over a fifth of its answers and is left out",
    "basis_changed": "the periods do not measure the same parts, so that presence is compared",
    "analysis_changed": "the answers were read by other rules",
    "model_changed": "the score was made by another model",
    "headline_unchanged": "the score did not change, so that its parts are not judged",
}


class ComparedPeriod(Wire):
    """One of the two periods with its own value."""

    since: datetime
    until: datetime = Field(description="Exclusive.")
    answers: int = Field(description="Counted answers.")
    prompts: int
    score: float | None = Field(description="Visibility score of the period alone, 0 to 100.")
    interval: Interval | None = Field(description="95 % interval of that score for these prompts.")
    allQuestions: Interval | None = Field(description="95 % interval of that score over all such questions.")
    factors: list[Factor] = Field(description="The parts of that score, 0 to 1.")


class ComparedMissing(Wire):
    """Planned answers that never came or break off, and what they could change."""

    answers: int = Field(description="Of both periods together.")
    tipping: int | None = Field(description="So many of them against the change would undo it; else null.")
    meaning: str


class PromptShare(Wire):
    """What one prompt brings to the difference."""

    promptId: str
    prompt: str
    before: float
    after: float
    contribution: float = Field(description="Points of the difference; all prompts add up to it.")
    answerIds: list[str] = Field(description="Newest answers of the later period; get_answer opens them.")


class EngineShare(Wire):
    """What one channel brings to the difference, and whether it changed taken by itself."""

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


class PeriodDifference(Page):
    """Two periods of a brand compared; all values are on a scale of 0 to 100."""

    window = ListWindow("prompts")

    brandId: str
    metric: str
    endpoint: str = Field(description="What is compared: score, or one part of it.")
    before: ComparedPeriod
    after: ComparedPeriod
    difference: float | None = Field(description="After minus before, over what both periods asked.")
    interval: Interval | None = Field(description="95 % interval of the difference.")
    p: float | None
    verdict: str = Field(
        description="changed, changed_if_missing_are_alike, no_detectable_change or not_comparable."
    )
    reason: str | None
    statement: str = Field(description="The verdict in words; only these words are permitted by the data.")
    commonPrompts: int
    missing: ComparedMissing
    parts: list[PartShare]
    platforms: list[PartialScore] = Field(description="The score of the later period on each engine.")
    engines: list[EngineShare]
    ratios: list[ComparedRatio] = Field(
        description="Share of voice and average rank, with tests of their own."
    )
    prompts: list[PromptShare] = Field(description="Largest contribution first; total counts all.")
    untrusted: list[str] = Field(description=UNTRUSTED)
    notice: str | None


@family.read("Compare periods", charted=True, described_in="list_answers")
async def compare_periods(
    brandId: BrandId,
    brand: NamedBrand,
    call: ThisCall,
    chosen: ChosenAnswers,
    metric: ComparedMetric = "visibilityScore",
    days: Days = 28,
    compareFrom: Omissible[CompareFrom] = None,
    compareTo: Omissible[CompareTo] = None,
    limit: Limit = 10,
    offset: Offset = 0,
) -> PeriodDifference:
    """Did visibility change between two periods, and what brought it about? Brand ids:
    list_brand_profiles."""
    workspace = await call.workspace()
    after = in_period(chosen, timedelta(days=days), call.today + timedelta(days=1))
    before = earlier_period(after, compareFrom, compareTo)
    part = None if metric == "visibilityScore" else Part(metric)
    comparison = await compared(workspace, brand, before, after, part)
    rows = comparison.contributions.prompts
    shown = rows[offset : offset + limit]
    ids = [row.prompt_id for row in shown]
    asked = await workspace.prompt_results.prompts(ids) if ids else {}
    newest: dict[str, list[str]] = {}
    if ids and brand.revision_key is not None:
        newest = await workspace.prompt_results.newest(
            brand.key, brand.revision_key, after, ids, MOST_ANSWER_IDS
        )
    primary = comparison.change.primary
    result = PeriodDifference(
        brandId=brand.id,
        metric=metric,
        endpoint=comparison.change.endpoint,
        before=period_view(comparison.before, before),
        after=period_view(comparison.after, after),
        difference=in_points(primary.delta) if primary else None,
        interval=bounds_view(primary.interval) if primary else None,
        p=primary.p if primary else None,
        verdict=comparison.change.verdict,
        reason=comparison.change.reason,
        statement=statement_of(comparison, metric),
        commonPrompts=primary.prompts if primary else 0,
        missing=missing_view(primary),
        parts=[part_share(row, comparison) for row in comparison.contributions.parts],
        platforms=partial_scores(
            {name: partial_score_document(score) for name, score in comparison.platforms.items()}
        ),
        engines=engine_shares(comparison),
        ratios=[compared_ratio(ratio) for ratio in comparison.ratios],
        prompts=[prompt_share(row, asked, newest) for row in shown],
        **place_of(len(rows), limit, offset),
        untrusted=["prompts[].prompt"],
        notice=None,
    )
    return result.model_copy(update={"notice": comparison_notice(result, cut=comparison.cut)})


def compared_ratio(change: RatioChange) -> ComparedRatio:
    """Return one figure beside the score: a share as points of a hundred, a rank in places."""
    factor = 100 if change.ratio == "shareOfVoice" else 1
    return ComparedRatio(
        metric=change.ratio,
        before=ratio_of_period(change.before, factor),
        after=ratio_of_period(change.after, factor),
        difference=None if change.delta is None else round(factor * change.delta, DECIMALS) + 0.0,
        interval=scaled_interval(change.interval, factor),
        verdict=change.verdict,
        reason=change.reason,
    )


def ratio_of_period(measured: RatioValue, factor: int) -> RatioOfPeriod:
    """Return a figure of one period in the unit in which it is shown."""
    pair = measured.intervals
    return RatioOfPeriod(
        value=None if measured.value is None else round(factor * measured.value, DECIMALS),
        units=measured.units,
        interval=scaled_interval(pair.these_prompts if pair else None, factor),
        allQuestions=scaled_interval(pair.all_questions if pair else None, factor),
    )


def scaled_interval(interval: Bounds | None, factor: int) -> Interval | None:
    """Return an interval in the unit in which its value is shown."""
    return rounded_interval((factor * interval[0], factor * interval[1]) if interval else None)


NOTABLE_POINTS = 0.1


def comparison_notice(result: PeriodDifference, *, cut: bool) -> str | None:
    """Return what must be known beside a difference: what was not read, and why the two scores differ by another."""
    said = [f"Only the newest {MOST_ANSWERS:,} answers of a period were read."] if cut else []
    before, after, difference = result.before.score, result.after.score, result.difference
    compares_scores = result.endpoint == "score" and difference is not None
    if compares_scores and abs((after or 0.0) - (before or 0.0) - (difference or 0.0)) >= NOTABLE_POINTS:
        said.append(
            "The difference rests on what both periods asked alike; each score counts all answers of its period."
        )
    return " ".join(said) or None


def earlier_period(after: AnswerFilter, start: str | None, end: str | None) -> AnswerFilter:
    """Return the filter of the period to compare with: as given, else of the same length just before.

    Raises ToolRefusal when it does not end before it begins, or reaches into the later one.
    """
    assert after.since is not None
    assert after.until is not None
    before = period_before(after)
    until = end_of(end) if end else before.until
    assert until is not None
    since = parse_instant(start) if start else until - (after.until - after.since)
    if since >= until:
        raise ToolRefusal("compareFrom is not before compareTo", "Give a period that begins before it ends.")
    if since < after.until and after.since < until:
        raise ToolRefusal("the two periods overlap", "Let compareTo lie before from.")
    return replace(before, since=since, until=until)


def bounds_view(interval: Bounds | None) -> Interval | None:
    """Return an interval of shares as points of a hundred."""
    if interval is None:
        return None
    low, high = interval
    return Interval(low=round(100 * low, DECIMALS), high=round(100 * high, DECIMALS))


def period_view(side: Side | None, chosen: AnswerFilter) -> ComparedPeriod:
    """Return one period; without an answer its score is null, which is not zero."""
    assert chosen.since is not None
    assert chosen.until is not None
    score = side.score if side else None
    pair = score.intervals if score else None
    return ComparedPeriod(
        since=chosen.since,
        until=chosen.until,
        answers=score.answers if score else 0,
        prompts=score.prompts if score else 0,
        score=None if score is None or score.value is None else round(score.value, DECIMALS),
        interval=rounded_interval(pair.these_prompts if pair else None),
        allQuestions=rounded_interval(pair.all_questions if pair else None),
        factors=[factor_view(factor_document(factor)) for factor in score.factors] if score else [],
    )


def rounded_interval(interval: Bounds | None) -> Interval | None:
    """Return an interval as it is shown, in its own unit."""
    return Interval(low=round(interval[0], DECIMALS), high=round(interval[1], DECIMALS)) if interval else None


def statement_of(comparison: PeriodComparison, metric: str) -> str:
    """Say the verdict in the words that it permits."""
    change, primary = comparison.change, comparison.change.primary
    name = METRIC_WORDS["presence" if change.endpoint == "presence" else metric]
    because = served_otherwise(change) or REASONS.get(change.reason or "", "")
    if primary is None or primary.delta is None or primary.interval is None:
        return f"{name}: not comparable; {because or 'too little was asked in both periods'}."
    low, high = (round(100 * bound, 1) for bound in primary.interval)
    size = f"{100 * primary.delta:+.1f} points, 95 % interval {low:+.1f} to {high:+.1f}"
    direction = "rose" if primary.delta > 0 else "fell"
    words = {
        "changed": f"{name} {direction} ({size}).",
        "changed_if_missing_are_alike": (
            f"{name} {direction} among the answers received ({size}); {primary.missing} are missing, and "
            f"{primary.tipping} of them against it would undo this."
        ),
        "no_detectable_change": f"{name}: no change can be detected ({size}).",
        "not_comparable": f"{name}: not comparable.",
    }[change.verdict]
    return f"{words} Note: {because}." if because else words


def served_otherwise(change: ScoreChange) -> str:
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


def missing_view(primary: ChangeResult | None) -> ComparedMissing:
    """Return what is missing and what it could change."""
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
    return ComparedMissing(answers=missing, tipping=tipping, meaning=meaning)


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


def engine_shares(comparison: PeriodComparison) -> list[EngineShare]:
    """Return every channel that both periods asked, largest contribution first; others have no contribution."""
    contributions = {row.channel: row for row in comparison.contributions.channels}
    rows = [
        engine_share(result, contributions.get(result.channel))
        for result in comparison.change.channels
        if result.channel is not None
    ]
    return sorted(rows, key=lambda row: (-abs(row.contribution or 0.0), row.channel))


def engine_share(result: ChangeResult, contribution: ChannelContribution | None) -> EngineShare:
    """Return what one channel brings."""
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
        interval=bounds_view(result.interval),
        verdict=result.verdict,
        reason=result.reason,
    )


def part_share(row: PartContribution, comparison: PeriodComparison) -> PartShare:
    """Return what one part of the score brings."""
    result = next((candidate for candidate in comparison.change.parts if candidate.part is row.part), None)
    return PartShare(
        part=row.part,
        weight=round(row.weight, 4),
        before=in_points(row.before) or 0.0,
        after=in_points(row.after) or 0.0,
        contribution=in_points(row.contribution) or 0.0,
        difference=in_points(row.after - row.before) or 0.0,
        interval=bounds_view(result.interval) if result else None,
        verdict=result.verdict if result else "not_comparable",
        reason=result.reason if result else None,
    )
