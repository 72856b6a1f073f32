"""The comparison tool: how two periods, engines, modes or countries differ, whether it is significant, and why."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Annotated, Any, Literal

from pydantic import Field

from analytics.change import Side
from analytics.score_inputs import Part
from measurement.publication.result_documents import FactorDocument, PartialScoreDocument
from measurement.statistics.asking_changes import QuestionChange, load_crossed_changes
from measurement.statistics.period_comparison import PeriodComparison
from measurement.statistics.period_comparison import compare_periods as compared
from measurement.statistics.period_sides import channel_differences
from measurement.statistics.prompt_results import in_period
from storage.repositories.answers.answer_filters import AnswerFilter
from tools.calls.call import NamedBrand, ThisCall
from tools.calls.errors import ToolRefusal
from tools.calls.filters import (
    ChosenAnswers,
    CompareCountry,
    CompareFrom,
    CompareMode,
    ComparePlatform,
    CompareTo,
    end_of,
    parse_instant,
    refuse_unknown_names,
)
from tools.calls.parameters import BrandId, Days, Limit, Offset, Omissible
from tools.calls.schemas import required_with, when
from tools.calls.table import ToolFamily
from tools.calls.wire import (
    POINT_DECIMALS,
    UNTRUSTED,
    CleanText,
    Interval,
    ListWindow,
    Page,
    Wire,
    in_points,
    interval_in_points,
    place_of,
    rounded_interval,
)
from tools.comparison_parts import (
    ENGINES_DIFFER,
    ComparedMissing,
    ComparedRatio,
    ComparedSides,
    EngineShare,
    PartShare,
    PromptShare,
    compared_ratio,
    engine_shares,
    missing_view,
    part_share,
    prompt_share,
    statement_of,
)
from tools.score_parts import Factor, PartialScore, factor_view, partial_scores

MOST_CHANGES = 20


class QuestionSetChange(Wire):
    """From this day on a set was asked with other questions, or for the first time."""

    day: date
    promptSetId: str
    name: CleanText
    version: int
    added: bool = Field(description="True: this set was not asked before.")


def question_changes(changes: Sequence[QuestionChange]) -> list[QuestionSetChange]:
    """Return the newest changes as they are shown, oldest first."""
    return [
        QuestionSetChange(
            day=change.day,
            promptSetId=change.set_id,
            name=change.set_name,
            version=change.version,
            added=change.added,
        )
        for change in changes[-MOST_CHANGES:]
    ]


family = ToolFamily()

MOST_ANSWER_IDS = 3
NOTABLE_POINTS = 0.1
"""A score differs from the difference by this much before it is said why."""

ComparedMetric = Annotated[
    Literal["visibilityScore", "presence", "prominence", "citation"],
    Field(description="The score or a part; presence is the mention rate."),
]


class ComparedPeriod(Wire):
    """One of the two sides with its own value."""

    platform: str | None = Field(description="The engine chosen for this side; null: every engine.")
    mode: str | None = Field(description="visibility: model memory; readiness: web search; null: both.")
    country: str | None
    since: datetime
    until: datetime = Field(description="Exclusive.")
    answers: int = Field(description="Counted answers.")
    prompts: int
    score: float | None = Field(description="Visibility score of the period alone, 0 to 100.")
    interval: Interval | None = Field(description="95 % interval of that score for these prompts.")
    allQuestions: Interval | None = Field(description="95 % interval of that score over all such questions.")
    factors: list[Factor] = Field(description="The parts of that score, 0 to 1.")


class PeriodDifference(Page):
    """Two periods of a brand compared, or two engines, modes or countries; values are on a scale of 0 to 100."""

    window = ListWindow("prompts")

    brandId: str
    metric: str
    compared: list[str] = Field(description="What the sides differ in: period, platform, mode, country.")
    endpoint: str = Field(description="What is compared: score, or one part of it.")
    before: ComparedPeriod = Field(
        description="The earlier period, or the side that `after` is compared with."
    )
    after: ComparedPeriod = Field(description="The later period, or the side that the filters choose.")
    difference: float | None = Field(description="After minus before, over what both sides asked.")
    interval: Interval | None = Field(description="95 % interval of the difference.")
    p: float | None
    verdict: str = Field(
        description="Of periods: changed, changed_if_missing_are_alike, no_detectable_change or not_comparable; of "
        "other sides: differs, differs_if_missing_are_alike, no_detectable_difference or not_comparable."
    )
    reason: str | None = Field(description="Why the sides are not comparable; else null.")
    limitation: str | None = Field(
        description="What the comparison leaves out or cannot hold equal: served_model_changed, channels_changed, "
        "degraded, basis_changed or engines_differ; else null. It is not the cause of the difference."
    )
    statement: str = Field(description="The verdict in words; only these words are permitted by the data.")
    commonPrompts: int
    missing: ComparedMissing
    parts: list[PartShare]
    platforms: list[PartialScore] = Field(description="The score of the later period on each engine.")
    engines: list[EngineShare]
    ratios: list[ComparedRatio] = Field(
        description="Share of voice and average rank, with tests of their own."
    )
    questionChanges: list[QuestionSetChange] = Field(
        description="When other questions were asked, between the begin of one period and the end of the other."
    )
    prompts: list[PromptShare] = Field(description="Largest contribution first; total counts all.")
    untrusted: list[str] = Field(description=UNTRUSTED)
    notice: str | None


OTHER_SIDES = {"comparePlatform": "platform", "compareMode": "mode", "compareCountry": "country"}
"""Parameters that name the other side of a comparison, with the filter that each needs."""


def _rules_of_sides() -> list[dict[str, Any]]:
    """Return the rules of the arguments: both sides are named, and their modes differ."""
    needed = [required_with(filter_, field=theirs, value={}) for theirs, filter_ in OTHER_SIDES.items()]
    modes = [
        when("mode", {"const": mode}, {"properties": {"compareMode": {"not": {"const": mode}}}})
        for mode in ("visibility", "readiness")
    ]
    return [*needed, *modes]


@family.read("Compare periods", charted=True, rules=_rules_of_sides)
async def compare_periods(
    brandId: BrandId,
    brand: NamedBrand,
    call: ThisCall,
    chosen: ChosenAnswers,
    metric: ComparedMetric = "visibilityScore",
    days: Days = 28,
    compareFrom: Omissible[CompareFrom] = None,
    compareTo: Omissible[CompareTo] = None,
    comparePlatform: Omissible[ComparePlatform] = None,
    compareMode: Omissible[CompareMode] = None,
    compareCountry: Omissible[CompareCountry] = None,
    limit: Limit = 10,
    offset: Offset = 0,
) -> PeriodDifference:
    """Return whether visibility changed between periods, or differs between engines, modes or countries. Use it for
    'did it really change?', 'memory against search'; for a chart use get_metric_trend."""
    workspace = await call.workspace()
    after = in_period(chosen, timedelta(days=days), call.today)
    others = {"platform": comparePlatform, "mode": compareMode, "country": compareCountry}
    named = {name: value for name, value in others.items() if value is not None}
    if named:
        before = other_side(after, named, compareFrom, compareTo)
        await refuse_unknown_names(call, workspace, before)
    else:
        before = earlier_period(after, compareFrom, compareTo)
    sides = ComparedSides(before, after)
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
    is_compared = comparison.change.verdict != "not_comparable"
    result = PeriodDifference(
        brandId=brand.id,
        metric=metric,
        compared=list(sides.differing),
        endpoint=comparison.change.endpoint,
        before=_period_view(comparison.before, before),
        after=_period_view(comparison.after, after),
        difference=in_points(primary.delta) if primary else None,
        interval=interval_in_points(primary.interval) if primary else None,
        p=primary.p if primary else None,
        verdict=sides.verdict(comparison.change.verdict),
        reason=None if is_compared else comparison.change.reason,
        limitation=_limitation(comparison) if is_compared else None,
        statement=statement_of(comparison, metric, sides),
        commonPrompts=primary.prompts if primary else 0,
        missing=missing_view(comparison),
        parts=[part_share(row, comparison, sides) for row in comparison.contributions.parts],
        platforms=partial_scores(
            {name: PartialScoreDocument.of(score) for name, score in comparison.platforms.items()}
        ),
        engines=engine_shares(comparison, sides),
        ratios=[compared_ratio(ratio, sides) for ratio in comparison.ratios],
        questionChanges=question_changes(await load_crossed_changes(workspace, brand, before, after)),
        prompts=[prompt_share(row, asked, newest) for row in shown],
        **place_of(len(rows), limit, offset),
        untrusted=["prompts[].prompt", "questionChanges[].name"],
        notice=None,
    )
    return result.model_copy(update={"notice": _comparison_notice(result)})


def other_side(
    after: AnswerFilter, named: Mapping[str, str], start: str | None, end: str | None
) -> AnswerFilter:
    """Return the filter of the engine, mode or country to compare with, on the same days unless others are given.

    Raises ToolRefusal when a field of `named` is not chosen for the other side, or when both sides are the same.
    """
    for name in named:
        if getattr(after, name) is None:
            theirs = f"compare{name.capitalize()}"
            raise ToolRefusal(
                f"{theirs} needs {name}", f"Send {name} for one side and {theirs} for the other."
            )
    since, until = _earlier_bounds(after, start, end) if start or end else (after.since, after.until)
    before = replace(after, since=since, until=until, **named)
    if not channel_differences(before, after):
        name = next(iter(named))
        raise ToolRefusal(
            f"both sides have the same {name}",
            f"Send another {name}, or leave compare{name.capitalize()} out.",
        )
    return before


def earlier_period(after: AnswerFilter, start: str | None, end: str | None) -> AnswerFilter:
    """Return the filter of the period to compare with: as given, else of the same length just before.

    Raises ToolRefusal when it does not end before it begins, or reaches into the later one.
    """
    assert after.since is not None
    assert after.until is not None
    since, until = _earlier_bounds(after, start, end)
    if since < after.until and after.since < until:
        raise ToolRefusal("the two periods overlap", "Let compareTo lie before from.")
    return replace(after, since=since, until=until)


def _earlier_bounds(after: AnswerFilter, start: str | None, end: str | None) -> tuple[datetime, datetime]:
    """Return both ends of a period; one that is not given is that of the period of the same length just before."""
    assert after.since is not None
    assert after.until is not None
    until = end_of(end) if end else after.since
    since = parse_instant(start) if start else until - (after.until - after.since)
    if since >= until:
        raise ToolRefusal("compareFrom is not before compareTo", "Give a period that begins before it ends.")
    return since, until


def _period_view(side: Side | None, chosen: AnswerFilter) -> ComparedPeriod:
    """Return one period; without an answer its score is null, which is not zero."""
    assert chosen.since is not None
    assert chosen.until is not None
    score = side.score if side else None
    pair = score.intervals if score else None
    return ComparedPeriod(
        platform=chosen.platform,
        mode=chosen.mode,
        country=chosen.country,
        since=chosen.since,
        until=chosen.until,
        answers=score.answers if score else 0,
        prompts=score.prompts if score else 0,
        score=None if score is None or score.value is None else round(score.value, POINT_DECIMALS),
        interval=rounded_interval(pair.these_prompts if pair else None),
        allQuestions=rounded_interval(pair.all_questions if pair else None),
        factors=[factor_view(FactorDocument.of(factor)) for factor in score.factors] if score else [],
    )


def _limitation(comparison: PeriodComparison) -> str | None:
    """Return what a comparison leaves out or cannot hold equal."""
    return ENGINES_DIFFER if comparison.pooled else comparison.change.reason


def _comparison_notice(result: PeriodDifference) -> str | None:
    """Return why the two scores differ by something else than the difference; None if they do not."""
    before, after, difference = result.before.score, result.after.score, result.difference
    compares_scores = result.endpoint == "score" and difference is not None
    if compares_scores and abs((after or 0.0) - (before or 0.0) - (difference or 0.0)) >= NOTABLE_POINTS:
        return (
            "The difference rests on what both sides asked alike; each score counts all answers of its side."
        )
    return None
