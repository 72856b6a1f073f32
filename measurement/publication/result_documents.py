"""Documents of a computed result: 95% confidence intervals, score, factors, change, rankings."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self, TypeAlias, cast

from pydantic import AliasChoices, BeforeValidator, ConfigDict, Field, model_validator

from analytics.change import Endpoint, Reason, Verdict
from analytics.intervals import NoiseSource
from analytics.metrics import MeasurementVerdict
from analytics.rankings import Direction, Ranking
from analytics.score import Confidence, ScoreCalculation, Status
from analytics.score_inputs import Part
from measurement.planning.brand_identity import BrandIdentity
from storage.documents import StoredDocument

StoredPart: TypeAlias = Part | Literal["tone"]
"""A part of the score; models before `visibility/3` also had tone, and their results stay as they are."""


class ResultDocument(StoredDocument):
    """A stored document, or a part of one, whose fields can be read from the attributes of a computed result."""

    model_config = ConfigDict(from_attributes=True)

    @classmethod
    def of(cls, result: object) -> Self:
        """Return a computed result as it is stored; its attributes have the names of the fields."""
        return cls.model_validate(result)


class IntervalDocument(ResultDocument):
    """An interval in the unit of its value."""

    low: float
    high: float

    @model_validator(mode="before")
    @classmethod
    def _from_bounds(cls, value: Any) -> Any:
        if isinstance(value, tuple):
            low, high = cast("tuple[float, float]", value)
            return {"low": low, "high": high}
        return value


class IntervalPairDocument(ResultDocument):
    """The two 95% intervals of one value.

    `these_prompts`: where it would lie if the same prompts were asked again. `all_questions`: where it would lie
    with other questions of the same kind; null with fewer than two topics. `topics` counts the independent topics that
    it rests on; 0 in results from before they were counted. `noise_source` says how the noise of
    single answers was known; with "upper_bound" the first interval is at most this wide.
    """

    these_prompts: IntervalDocument
    all_questions: IntervalDocument | None
    noise_source: NoiseSource
    topics: int = 0


def _written(channel: Any) -> str | None:
    return str(channel) if channel else None


class ChangeResultDocument(ResultDocument):
    """One test: of all channels (channel and part null), of one channel or of one part; values are 0-1."""

    channel: Annotated[str | None, BeforeValidator(_written)]
    part: StoredPart | None
    before: float | None
    after: float | None
    delta: float | None
    interval: IntervalDocument | None
    level: float | None
    p: float | None
    prompts: int
    answers_before: int
    answers_after: int
    missing: int
    tipping: int | None
    verdict: Verdict
    reason: Reason | None


class ChangeDocument(ResultDocument):
    """The verdict on change with its tests; `value` is the change of the score in points."""

    schema_version: Literal[2] = 2
    value: float | None
    verdict: Verdict
    reason: Reason | None
    endpoint: Endpoint
    primary: ChangeResultDocument | None
    channels: tuple[ChangeResultDocument, ...]
    parts: tuple[ChangeResultDocument, ...]
    joined: tuple[Part, ...] = ()
    left: tuple[Part, ...] = ()
    """Parts of the score that were measured only now, or only before."""


UNCOMPARED = ChangeDocument(
    value=None,
    verdict="not_comparable",
    reason="no_earlier_calculation",
    endpoint="score",
    primary=None,
    channels=(),
    parts=(),
)
"""The change of a result that is compared with nothing."""


class PartialScoreDocument(ResultDocument):
    """A score (0-100, unrounded) with its sample; `score` is null unless the status is "measured"."""

    status: Status
    score: float | None = Field(validation_alias=AliasChoices("score", "value"))
    intervals: IntervalPairDocument | None
    confidence: Confidence | None
    answers: int
    prompts: int


class FactorDocument(ResultDocument):
    """One part of the score: value 0-1, weight in the model, weight after unmeasured parts dropped out."""

    part: StoredPart
    value: float | None
    intervals: IntervalPairDocument | None
    weight: float
    effective_weight: float
    samples: int
    reason: str | None


class DegradedChannelDocument(ResultDocument):
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
        **dict(PartialScoreDocument.of(score)),
        factors=tuple(FactorDocument.of(factor) for factor in score.factors),
        missing_answers=score.missing_answers,
        missing_prompts=score.missing_prompts,
        platforms={name: PartialScoreDocument.of(part) for name, part in calculation.platforms.items()},
        modes={name: PartialScoreDocument.of(part) for name, part in calculation.modes.items()},
        channels=tuple(str(channel) for channel in calculation.channels),
        batches=calculation.batches,
        degraded=tuple(
            DegradedChannelDocument(batch_id=batch, channel=str(channel))
            for batch, channel in calculation.degraded
        ),
        change=change,
        measurement_verdict=verdict,
    )


EVERY_PLATFORM = ""


class RankedRowDocument(ResultDocument):
    """One row of a ranking; `ranking_score` is 0-100 and unrounded, `presence` 0-1."""

    entity_id: str
    name: str
    is_brand: bool
    rank: int
    ranking_score: float
    intervals: IntervalPairDocument | None
    presence: float
    tied_with_above: bool
    previous_rank: int | None
    rank_change: int | None
    direction: Direction


class RankingDocument(ResultDocument):
    """One ranking as it stood; `basis` are the parts that are compared."""

    status: Status
    confidence: Confidence | None
    basis: tuple[StoredPart, ...]
    answers: int
    prompts: int
    rows: tuple[RankedRowDocument, ...]


class RankingsDocument(ResultDocument):
    """Rankings by platform; the empty name is all platforms together."""

    schema_version: Literal[2] = 2
    rankings: Mapping[str, RankingDocument]


def rankings_document(identity: BrandIdentity, rankings: Mapping[str, Ranking]) -> RankingsDocument:
    """Return rankings as they are stored, with the current names."""
    return RankingsDocument(
        rankings={platform: ranking_document(identity, ranking) for platform, ranking in rankings.items()}
    )


def ranking_document(identity: BrandIdentity, ranking: Ranking) -> RankingDocument:
    """Return one ranking."""
    names = {entity.id: entity.name for entity in identity.named}
    return RankingDocument(
        status=ranking.status,
        confidence=ranking.confidence,
        basis=ranking.basis,
        answers=ranking.answers,
        prompts=ranking.prompts,
        rows=tuple(
            RankedRowDocument(
                entity_id=row.entity,
                name=names[row.entity],
                is_brand=row.entity == identity.brand.id,
                rank=row.rank,
                ranking_score=row.score,
                intervals=IntervalPairDocument.of(row.intervals),
                presence=row.presence,
                tied_with_above=row.tied_with_above,
                previous_rank=row.previous_rank,
                rank_change=row.rank_change,
                direction=row.direction,
            )
            for row in ranking.rows
        ),
    )
