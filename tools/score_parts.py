"""Parts of a score result: factors, the score of each engine and mode, change, and the receipt."""

from collections.abc import Mapping
from datetime import datetime

from pydantic import Field

from analytics.metric_names import MetricName
from analytics.metrics import SHOWN_DECIMALS
from measurement.publication.receipt_document import ReceiptDocument
from measurement.publication.result_documents import (
    ChangeDocument,
    ChangeResultDocument,
    FactorDocument,
    PartialScoreDocument,
)
from tools.calls.wire import (
    POINT_DECIMALS,
    Figure,
    Interval,
    Intervals,
    Wire,
    in_points,
    interval_view,
    intervals_view,
)


class ChangeRow(Wire):
    """One test over the prompts that both measurements have."""

    channel: str | None = Field(description="platform/mode; null is all channels together.")
    part: str | None = Field(description="presence, prominence, citation or tone; null is the endpoint.")
    before: Figure | None = Field(description="0 to 1; of the score, a hundredth.")
    after: Figure | None
    delta: Figure | None
    interval: Interval | None = Field(description="Of delta, at confidence 1 - level.")
    level: float | None = Field(description="0.05, or what Holm's correction leaves of it.")
    p: Figure | None
    prompts: int
    answersBefore: int
    answersAfter: int
    missing: int = Field(description="Planned answers that never came, of both sides together.")
    tipping: int | None = Field(description="So many missing answers against the change would undo it.")
    verdict: str
    reason: str | None


class Change(Wire):
    """Change since the latest earlier calculation that shares no answer with this one."""

    value: float | None = Field(
        description="Points of the score, over the prompts of both, or null with a reason."
    )
    before: float | None = Field(
        description="Points of the score before, over the prompts of both; null unless the endpoint is score."
    )
    after: float | None = Field(description="Points of the score now, over the prompts of both.")
    interval: Interval | None = Field(description="95 % interval of after minus before, in points.")
    verdict: str = Field(
        description="changed, changed_if_missing_are_alike, no_detectable_change or not_comparable."
    )
    reason: str | None
    endpoint: str = Field(description="What the verdict is about: score, or presence where parts differ.")
    rowUnit: str = Field(
        default="share from 0 to 1, a hundredth of points",
        description="Of before, after, delta and interval in primary, channels and parts.",
    )
    primary: ChangeRow | None = Field(description="The test behind the verdict.")
    channels: list[ChangeRow] = Field(description="Whether one engine changed: a question of its own.")
    parts: list[ChangeRow] = Field(description="What explains a change; tested only when there is one.")


def change_view(change: ChangeDocument) -> Change:
    """Return the comparison with the calculation before as it is shown."""
    scored = change.primary if change.endpoint == "score" else None
    interval = scored.interval if scored else None
    return Change(
        value=None if change.value is None else round(change.value, POINT_DECIMALS) + 0.0,
        before=in_points(scored.before if scored else None),
        after=in_points(scored.after if scored else None),
        interval=None
        if interval is None
        else Interval(low=in_points(interval.low) or 0.0, high=in_points(interval.high) or 0.0),
        verdict=change.verdict,
        reason=change.reason,
        endpoint=change.endpoint,
        primary=_change_row_view(change.primary) if change.primary else None,
        channels=[_change_row_view(result) for result in change.channels],
        parts=[_change_row_view(result) for result in change.parts],
    )


def _change_row_view(result: ChangeResultDocument) -> ChangeRow:
    return ChangeRow(
        channel=result.channel,
        part=result.part,
        before=result.before,
        after=result.after,
        delta=result.delta,
        interval=interval_view(result.interval),
        level=result.level,
        p=result.p,
        prompts=result.prompts,
        answersBefore=result.answers_before,
        answersAfter=result.answers_after,
        missing=result.missing,
        tipping=result.tipping,
        verdict=result.verdict,
        reason=result.reason,
    )


class ReceiptAnswers(Wire):
    """The answers behind a number."""

    count: int
    sha256: str


class Receipt(Wire):
    """What a number rests on. The id is the hash of the content; `seenby replay --verify` recomputes it."""

    receiptId: str
    metric: str
    value: float | None = Field(description="Unrounded.")
    brandId: str
    versions: dict[str, str | list[str]]
    batches: list[str]
    channels: list[str]
    answers: ReceiptAnswers
    excluded: dict[str, int]
    calculatedAt: datetime


def receipt_view(receipt: ReceiptDocument) -> Receipt:
    """Return a receipt as it is shown."""
    return Receipt.model_validate(receipt.model_dump(mode="json", by_alias=True))


class Factor(Wire):
    """One part of the score."""

    part: str = Field(description="presence, prominence, citation or tone.")
    value: float | None = Field(description="0 to 1; null when it could not be measured.")
    points: float | None = Field(
        description="The same from 0 to 100; times effectiveWeight, all parts add up to the score."
    )
    intervals: Intervals | None = Field(description="Of value, 0 to 1.")
    weight: float = Field(description="Weight in the model.")
    effectiveWeight: float = Field(description="Weight here, after parts that are not measured dropped out.")
    samples: int = Field(description="Answers that measured it; judged mentions for tone.")
    reason: str | None = Field(description="Why it is not measured, or null.")


class PartialScore(Wire):
    """The same rule on one platform's or one mode's answers."""

    name: str
    status: str
    score: float | None
    intervals: Intervals | None
    confidence: str | None
    answers: int
    prompts: int


def shown_score(score: float | None) -> float | None:
    """Return a score with the decimals that scores are shown with."""
    return None if score is None else round(score, SHOWN_DECIMALS[MetricName.VISIBILITY_SCORE])


def factor_view(factor: FactorDocument) -> Factor:
    """Return one part of the score as it is shown."""
    return Factor(
        part=factor.part,
        value=factor.value,
        points=in_points(factor.value),
        intervals=intervals_view(factor.intervals),
        weight=factor.weight,
        effectiveWeight=factor.effective_weight,
        samples=factor.samples,
        reason=factor.reason,
    )


def partial_scores(scores: Mapping[str, PartialScoreDocument]) -> list[PartialScore]:
    """Return the scores of platforms or modes as they are shown."""
    return [
        PartialScore(
            name=name,
            status=score.status,
            score=shown_score(score.score),
            intervals=intervals_view(score.intervals),
            confidence=score.confidence,
            answers=score.answers,
            prompts=score.prompts,
        )
        for name, score in scores.items()
    ]
