"""The visibility score: parts and their weights, sample rules, confidence and intervals."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from analytics.batches import (
    ENOUGH_ANSWERS,
    ENOUGH_PROMPTS,
    AnswerBatch,
    looked_at,
    repeated_answers,
    usable,
)
from analytics.digests import SCORE_MODEL, inputs_digest
from analytics.intervals import IntervalPair, interval_pair
from analytics.observation import Channel, Observation
from analytics.prompt_means import CellKey, Cells, estimate
from analytics.score_inputs import (
    WEIGHTS,
    YES_OR_NO,
    CellAnswers,
    Part,
    ScoreInputs,
    effective_weights,
    join_cells,
    lay_out,
)

FEWEST_ANSWERS = 10
FEWEST_PROMPTS = 5

Status: TypeAlias = Literal["measured", "insufficient_data", "not_measured"]
Confidence: TypeAlias = Literal["ok", "low"]


@dataclass(frozen=True, slots=True)
class ScoreFactor:
    """One part of a score: its value (0-1), its weight, and its weight after other parts drop out.

    `samples` are answers, or judged mentions for tone. `reason` says why the part is not measured.
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
        """Return the factor of this part; every score has all four unless it was computed without factors."""
        return next(factor for factor in self.factors if factor.part is part)


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


def calculate(entity: str, batches: Iterable[AnswerBatch], analysis: str) -> ScoreCalculation:
    """Score an entity from its successful batches (any order; 28 days before the newest are sufficient).

    `analysis` names the analysis revision that read the answers; it is part of the digest of the inputs.
    """
    return calculate_all(entity, looked_at(batches, entity), analysis)


def calculate_all(
    entity: str, used: Sequence[AnswerBatch], analysis: str, repeats: Iterable[AnswerBatch] = ()
) -> ScoreCalculation:
    """Score an entity from all of these batches together.

    `repeats` are earlier batches of the same prompts in which nothing changed. If every prompt is asked once,
    they show how much single answers vary.
    """
    rated = [answer for answer in usable(used, entity) if answer.rated]
    cells = lay_out(rated)
    earlier = lay_out(repeated_answers(used, repeats, entity, [entity]).get(entity, []))
    headline = score_cells(entity, cells, _sorted_ids(rated), analysis, earlier=earlier)

    def score_part(is_chosen: Callable[[Channel], bool]) -> Score:
        # A single platform or mode often covers everything; the same answers have the same score.
        chosen = {key: answers for key, answers in cells.items() if is_chosen(key[1])}
        if len(chosen) == len(cells):
            return headline
        ids = _sorted_ids(answer for answer in rated if is_chosen(answer.channel))
        return score_cells(entity, chosen, ids, analysis, earlier=earlier)

    channels = sorted({answer.channel for answer in rated})
    return ScoreCalculation(
        score=headline,
        platforms={
            platform: score_part(lambda channel, platform=platform: channel.platform == platform)
            for platform in sorted({channel.platform for channel in channels})
        },
        modes={
            mode: score_part(lambda channel, mode=mode: channel.mode == mode)
            for mode in sorted({channel.mode for channel in channels})
        },
        channels=tuple(channels),
        batches=tuple(batch.id for batch in used),
        degraded=tuple((batch.id, channel) for batch in used for channel in batch.degraded),
    )


def score(
    entity: str,
    observations: Iterable[Observation],
    analysis: str,
    *,
    basis: Collection[Part] | None = None,
    judged: int | None = None,
    earlier: Iterable[Observation] = (),
    with_factors: bool = True,
) -> Score:
    """Score one entity on the rated ones of these observations, without factors if they are not needed.

    `basis` restricts the parts, and `judged` is the number of mentions that determines the weight of tone, so
    that several entities can be compared; by default, everything that is measured. `earlier` answers count as
    repeats in the interval of these prompts if each of them was asked once.
    """
    rated = [answer for answer in observations if answer.rated]
    return score_cells(
        entity,
        lay_out(rated),
        _sorted_ids(rated),
        analysis,
        basis=basis,
        judged=judged,
        earlier=lay_out(earlier),
        with_factors=with_factors,
    )


def _sorted_ids(answers: Iterable[Observation]) -> tuple[str, ...]:
    return tuple(sorted({answer.answer_id for answer in answers}))


def score_cells(
    entity: str,
    cells_of_answers: Mapping[CellKey, CellAnswers],
    answer_ids: tuple[str, ...],
    analysis: str,
    *,
    basis: Collection[Part] | None = None,
    judged: int | None = None,
    earlier: Mapping[CellKey, CellAnswers] | None = None,
    with_factors: bool = True,
) -> Score:
    """Score one entity on rated answers grouped by cell; `answer_ids` are their sorted ids, if known.

    `earlier` answers are grouped in the same way, and count as repeats if each prompt was asked once.
    """
    inputs = join_cells(cells_of_answers)
    repeats = join_cells(earlier, inputs.judged_mean) if earlier else None
    weights = effective_weights(
        (part for part in inputs.measured if basis is None or part in basis),
        inputs.judged if judged is None else judged,
    )
    status, confidence = sample_status(inputs.answers, len(inputs.prompts))
    cells: Cells = inputs.headline_cells(weights) if weights else {}
    headline = estimate(cells) if status == "measured" else None
    return Score(
        entity=entity,
        status=status,
        value=100 * headline.mean if headline else None,
        intervals=interval_pair(
            cells, headline, earlier=repeats.headline_values(weights, inputs) if repeats else None
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
        answer_ids=answer_ids,
        inputs_sha256=inputs_digest(answer_ids, analysis),
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
            earlier=repeats.measured_values(part) if repeats else None,
        )
        if value
        else None,
        weight=WEIGHTS[part],
        effective_weight=effective_weight,
        samples=inputs.samples(part),
        reason=reason,
    )
