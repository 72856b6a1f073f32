"""Parts of a score as they are shown: its factors, and the same rule on each engine and mode."""

from collections.abc import Mapping

from pydantic import Field

from analytics.metric_names import MetricName
from analytics.metrics import SHOWN_DECIMALS
from measurement.publication.documents.score import FactorDocument, PartialScoreDocument
from tools.calls.wire import Intervals, Wire, in_points, intervals_view


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
