"""The stored headline of a calculation: the score, its parts, the same rule by platform and mode, the change."""

from collections.abc import Mapping
from typing import Literal

from analytics.metrics import MeasurementVerdict
from analytics.score import Confidence, Score, ScoreCalculation, ScoreFactor, Status
from analytics.score_inputs import Part
from measurement.publication.documents.change import ChangeDocument
from measurement.publication.documents.intervals import IntervalPairDocument, interval_pair_document
from storage.documents import StoredDocument


class PartialScoreDocument(StoredDocument):
    """A score (0-100, unrounded) with its sample; `score` is null unless the status is "measured"."""

    status: Status
    score: float | None
    intervals: IntervalPairDocument | None
    confidence: Confidence | None
    answers: int
    prompts: int


class FactorDocument(StoredDocument):
    """One part of the score: value 0-1, weight in the model, weight after unmeasured parts dropped out."""

    part: Part
    value: float | None
    intervals: IntervalPairDocument | None
    weight: float
    effective_weight: float
    samples: int
    reason: str | None


class DegradedChannelDocument(StoredDocument):
    """A channel of a batch that was left out because too many of its asks failed."""

    batch_id: str
    channel: str


class ScoreDocument(PartialScoreDocument):
    """The headline score of one calculation with everything that explains it."""

    schema_version: Literal[2] = 2
    factors: tuple[FactorDocument, ...]
    missing_answers: int
    missing_prompts: int
    platforms: Mapping[str, PartialScoreDocument]
    modes: Mapping[str, PartialScoreDocument]
    channels: tuple[str, ...]
    batches: tuple[str, ...]
    degraded: tuple[DegradedChannelDocument, ...]
    change: ChangeDocument
    measurement_verdict: MeasurementVerdict


def score_document(
    calculation: ScoreCalculation, change: ChangeDocument, verdict: MeasurementVerdict
) -> ScoreDocument:
    """Return a calculation as it is stored."""
    score = calculation.score
    return ScoreDocument(
        **dict(partial_score_document(score)),
        factors=tuple(factor_document(factor) for factor in score.factors),
        missing_answers=score.missing_answers,
        missing_prompts=score.missing_prompts,
        platforms={name: partial_score_document(part) for name, part in calculation.platforms.items()},
        modes={name: partial_score_document(part) for name, part in calculation.modes.items()},
        channels=tuple(str(channel) for channel in calculation.channels),
        batches=calculation.batches,
        degraded=tuple(
            DegradedChannelDocument(batch_id=batch, channel=str(channel))
            for batch, channel in calculation.degraded
        ),
        change=change,
        measurement_verdict=verdict,
    )


def partial_score_document(score: Score) -> PartialScoreDocument:
    """Return one score without its factors."""
    return PartialScoreDocument(
        status=score.status,
        score=score.value,
        intervals=interval_pair_document(score.intervals),
        confidence=score.confidence,
        answers=score.answers,
        prompts=score.prompts,
    )


def factor_document(factor: ScoreFactor) -> FactorDocument:
    """Return one part of a score."""
    return FactorDocument(
        part=factor.part,
        value=factor.value,
        intervals=interval_pair_document(factor.intervals),
        weight=factor.weight,
        effective_weight=factor.effective_weight,
        samples=factor.samples,
        reason=factor.reason,
    )
