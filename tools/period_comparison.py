"""The comparison tool: what changed between two periods, whether it is significant, and what caused it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Annotated, Literal

from pydantic import Field

from analytics.change import Side
from analytics.score_inputs import Part
from measurement.publication.result_documents import FactorDocument, PartialScoreDocument
from measurement.statistics.asking_changes import QuestionChange, load_crossed_changes
from measurement.statistics.period_comparison import compare_periods as compared
from measurement.statistics.period_rows import MOST_ANSWERS
from measurement.statistics.prompt_results import in_period, period_before
from storage.repositories.answers.answer_filters import AnswerFilter
from tools.calls.call import NamedBrand, ThisCall
from tools.calls.errors import ToolRefusal
from tools.calls.filters import ChosenAnswers, CompareFrom, CompareTo, end_of, parse_instant
from tools.calls.parameters import BrandId, Days, Limit, Offset, Omissible
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
    ComparedMissing,
    ComparedRatio,
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
    Literal["visibilityScore", "presence", "prominence", "citation", "tone"],
    Field(description="The score or a part; presence is the mention rate."),
]


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
    questionChanges: list[QuestionSetChange] = Field(
        description="When other questions were asked, between the begin of one period and the end of the other."
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
        before=_period_view(comparison.before, before),
        after=_period_view(comparison.after, after),
        difference=in_points(primary.delta) if primary else None,
        interval=interval_in_points(primary.interval) if primary else None,
        p=primary.p if primary else None,
        verdict=comparison.change.verdict,
        reason=comparison.change.reason,
        statement=statement_of(comparison, metric),
        commonPrompts=primary.prompts if primary else 0,
        missing=missing_view(primary),
        parts=[part_share(row, comparison) for row in comparison.contributions.parts],
        platforms=partial_scores(
            {name: PartialScoreDocument.of(score) for name, score in comparison.platforms.items()}
        ),
        engines=engine_shares(comparison),
        ratios=[compared_ratio(ratio) for ratio in comparison.ratios],
        questionChanges=question_changes(await load_crossed_changes(workspace, brand, before, after)),
        prompts=[prompt_share(row, asked, newest) for row in shown],
        **place_of(len(rows), limit, offset),
        untrusted=["prompts[].prompt", "questionChanges[].name"],
        notice=None,
    )
    return result.model_copy(update={"notice": _comparison_notice(result, cut=comparison.cut)})


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


def _period_view(side: Side | None, chosen: AnswerFilter) -> ComparedPeriod:
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
        score=None if score is None or score.value is None else round(score.value, POINT_DECIMALS),
        interval=rounded_interval(pair.these_prompts if pair else None),
        allQuestions=rounded_interval(pair.all_questions if pair else None),
        factors=[factor_view(FactorDocument.of(factor)) for factor in score.factors] if score else [],
    )


def _comparison_notice(result: PeriodDifference, *, cut: bool) -> str | None:
    """Return what must be known beside a difference: what was not read, and why the two scores differ by another."""
    said = [f"Only the newest {MOST_ANSWERS:,} answers of a period were read."] if cut else []
    before, after, difference = result.before.score, result.after.score, result.difference
    compares_scores = result.endpoint == "score" and difference is not None
    if compares_scores and abs((after or 0.0) - (before or 0.0) - (difference or 0.0)) >= NOTABLE_POINTS:
        said.append(
            "The difference rests on what both periods asked alike; each score counts all answers of its period."
        )
    return " ".join(said) or None
