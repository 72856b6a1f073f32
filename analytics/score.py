"""The visibility score: parts and their weights, sample rules, confidence and intervals."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from analytics.batches import ENOUGH_ANSWERS, ENOUGH_PROMPTS
from analytics.digests import SCORE_MODEL, inputs_digest
from analytics.intervals import IntervalPair, interval_pair
from analytics.market_sums import EntitySums
from analytics.measured_batches import MeasuredBatches
from analytics.observation import Channel
from analytics.prompt_means import Cells, estimate
from analytics.score_inputs import WEIGHTS, YES_OR_NO, Part, ScoreInputs, effective_weights

FEWEST_ANSWERS = 10
FEWEST_PROMPTS = 5

Status: TypeAlias = Literal["measured", "insufficient_data", "not_measured"]
Confidence: TypeAlias = Literal["ok", "low"]


@dataclass(frozen=True, slots=True)
class ScoreFactor:
    """One part of a score: its value (0-1), its weight, and its weight after other parts drop out.

    `samples` are answers. `reason` says why the part is not measured.
    """

    part: Part
    value: float | None
    intervals: IntervalPair | None
    weight: float
    effective_weight: float
    samples: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class Score:
    """A score (0-100, unrounded) with everything needed to evaluate and reproduce it.

    `value` and `intervals` are None unless `status` is "measured"; otherwise `missing_answers` and
    `missing_prompts` say how many are needed. `answer_ids` are the sorted ids behind `inputs_sha256`.
    """

    entity: str
    status: Status
    value: float | None
    intervals: IntervalPair | None
    confidence: Confidence | None
    basis: tuple[Part, ...]
    factors: tuple[ScoreFactor, ...]
    answers: int
    prompts: int
    missing_answers: int
    missing_prompts: int
    answer_ids: tuple[str, ...]
    inputs_sha256: str
    model: str = SCORE_MODEL

    def factor(self, part: Part) -> ScoreFactor:
        """Return the factor of this part; every score has all three unless it was computed without factors."""
        return next(factor for factor in self.factors if factor.part is part)


AnswerIds: TypeAlias = Callable[[Sequence[Channel]], Iterable[str]]


def no_ids(channels: Sequence[Channel]) -> tuple[str, ...]:
    """Return no answer ids, as where only sums are known."""
    return ()


@dataclass(frozen=True, slots=True)
class ScoreCalculation:
    """The headline score of one entity, and the score by the same rule on each platform and in each mode.

    `batches` are the ids of the batches used, newest first; `degraded` the excluded (batch id, channel)
    pairs.
    """

    score: Score
    platforms: Mapping[str, Score]
    modes: Mapping[str, Score]
    channels: tuple[Channel, ...]
    batches: tuple[str, ...]
    degraded: tuple[tuple[str, Channel], ...]


def calculate_all(
    entity: str,
    measured: MeasuredBatches,
    analysis: str,
    earlier: EntitySums | None = None,
    answer_ids: AnswerIds = no_ids,
) -> ScoreCalculation:
    """Score an entity from all batches that were measured together.

    `analysis` names the analysis revision that read the answers; it is part of the digest of the inputs. `earlier`
    are answers to the same prompts from batches in which nothing changed: if every prompt is asked once, they show
    how much single answers vary. `answer_ids` returns the ids of the rated answers of some channels, where they are
    known.
    """
    known = measured.market.entities[entity]
    rated = replace(known, cells={key: sums for key, sums in known.cells.items() if sums.answers})
    channels = sorted({channel for _, channel in rated.cells})
    headline = score(entity, rated, analysis, earlier=earlier, answer_ids=answer_ids(channels))

    def score_part(chosen: list[Channel]) -> Score:
        if chosen == channels:  # a single platform or mode often covers everything
            return headline
        of_part = rated.restricted(lambda key: key[1] in chosen)
        return score(
            entity, of_part, analysis, earlier=earlier, answer_ids=answer_ids(chosen), with_factors=False
        )

    def parts(of: Callable[[Channel], str]) -> dict[str, Score]:
        return {
            name: score_part([channel for channel in channels if of(channel) == name])
            for name in sorted({of(channel) for channel in channels})
        }

    return ScoreCalculation(
        score=headline,
        platforms=parts(lambda channel: channel.platform),
        modes=parts(lambda channel: channel.mode),
        channels=tuple(channels),
        batches=measured.batches,
        degraded=measured.degraded,
    )


def score(
    entity: str,
    sums: EntitySums,
    analysis: str,
    *,
    basis: Collection[Part] | None = None,
    earlier: EntitySums | None = None,
    answer_ids: Iterable[str] = (),
    with_factors: bool = True,
) -> Score:
    """Score one entity, without factors if they are not needed.

    `basis` restricts the parts, so that several entities can be compared; by default, everything that is measured.
    `earlier` answers count as repeats in the interval of these prompts if each of them was asked once. `answer_ids` are
    those of the rated answers, if known.
    """
    inputs = ScoreInputs.of(sums)
    repeats = ScoreInputs.of(earlier) if earlier else None
    weights = effective_weights(part for part in inputs.measured if basis is None or part in basis)
    status, confidence = sample_status(inputs.answers, len(inputs.prompts))
    cells: Cells = inputs.headline_cells(weights) if weights and status == "measured" else {}
    headline = estimate(cells)
    ids = tuple(sorted(set(answer_ids)))
    return Score(
        entity=entity,
        status=status,
        value=100 * headline.mean if headline else None,
        intervals=interval_pair(
            cells,
            headline,
            earlier=repeats.headline_cells(weights, inputs) if repeats else None,
            topics=inputs.topics,
        ).scaled(100)
        if headline
        else None,
        confidence=confidence,
        basis=tuple(weights),
        factors=tuple(
            _factor(inputs, part, weights.get(part, 0.0), repeats) for part in (Part if with_factors else ())
        ),
        answers=inputs.answers,
        prompts=len(inputs.prompts),
        missing_answers=max(0, FEWEST_ANSWERS - inputs.answers),
        missing_prompts=max(0, FEWEST_PROMPTS - len(inputs.prompts)),
        answer_ids=ids,
        inputs_sha256=inputs_digest(ids, analysis),
    )


def sample_status(answers: int, prompts: int) -> tuple[Status, Confidence | None]:
    """Return the status and confidence for this many valid answers over this many prompts."""
    if not answers:
        return "not_measured", None
    if answers < FEWEST_ANSWERS or prompts < FEWEST_PROMPTS:
        return "insufficient_data", None
    return "measured", "low" if answers < ENOUGH_ANSWERS or prompts < ENOUGH_PROMPTS else "ok"


def _factor(
    inputs: ScoreInputs, part: Part, effective_weight: float, repeats: ScoreInputs | None
) -> ScoreFactor:
    reason = inputs.why_not_measured(part)
    cells: Cells = inputs.cells(part) if reason is None else {}
    value = estimate(cells)
    if reason is None and not effective_weight:
        reason = "not_in_common_basis"
    return ScoreFactor(
        part=part,
        value=value.mean if value else None,
        intervals=interval_pair(
            cells,
            value,
            yes_or_no=part in YES_OR_NO,
            earlier=repeats.cells(part) if repeats else None,
            topics=inputs.topics,
        )
        if value
        else None,
        weight=WEIGHTS[part],
        effective_weight=effective_weight,
        samples=inputs.samples(part),
        reason=reason,
    )
