"""The visibility score, model `visibility/1.0.0`: parts, weights, sample rules, confidence and interval."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Literal, TypeAlias

from analytics.batches import ENOUGH_ANSWERS, ENOUGH_PROMPTS, Batch, looked_at, usable
from analytics.digests import SCORE_MODEL, inputs_digest, seed_of
from analytics.intervals import REPLICATES, Interval, floored, prompt_draws
from analytics.observations import Channel, Observation
from analytics.sheet import WEIGHTS, Part, Sheet, sheet, weigh, weigh_draws

FEWEST_ANSWERS = 10
FEWEST_PROMPTS = 5

Status: TypeAlias = Literal["measured", "insufficient_data", "not_measured"]
Confidence: TypeAlias = Literal["ok", "low"]


@dataclass(frozen=True, slots=True)
class Factor:
    """One part of a score: its value (0-1), its weight, and the weight it has once others drop out.

    `samples` are answers, for tone judged mentions. `reason` says why it is not measured.
    """

    part: Part
    value: float | None
    interval: Interval | None
    weight: float
    effective_weight: float
    samples: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class Score:
    """A score (0-100, unrounded) with everything needed to judge and to repeat it.

    `value` and `interval` are None unless `status` is "measured"; then `missing_answers` and
    `missing_prompts` say what is lacking. `answer_ids` are the sorted ids behind `inputs_sha256`.
    """

    entity: str
    status: Status
    value: float | None
    interval: Interval | None
    confidence: Confidence | None
    basis: tuple[Part, ...]
    factors: tuple[Factor, ...]
    answers: int
    prompts: int
    missing_answers: int
    missing_prompts: int
    answer_ids: tuple[str, ...]
    inputs_sha256: str
    seed: int
    replicates: int
    model: str = SCORE_MODEL

    def factor(self, part: Part) -> Factor:
        """The factor of this part; every score has all four."""
        return next(factor for factor in self.factors if factor.part is part)


@dataclass(frozen=True, slots=True)
class Calculation:
    """The headline score of one entity and the same rule on each platform's and each mode's channels.

    `batches` are the ids looked at, newest first; `degraded` the (batch id, channel) pairs left out.
    """

    score: Score
    platforms: Mapping[str, Score]
    modes: Mapping[str, Score]
    channels: tuple[Channel, ...]
    batches: tuple[str, ...]
    degraded: tuple[tuple[str, Channel], ...]


def calculate(
    entity: str, batches: Iterable[Batch], analysis: str, *, replicates: int = REPLICATES
) -> Calculation:
    """Score an entity from its successful batches (any order; 28 days before the newest are enough).

    `analysis` names the analysis revision that read the answers; it is part of the seed. Takes tens of
    milliseconds or more: run it in a thread and store the result.
    """
    looked = looked_at(batches, entity)
    seen = [observation for observation in usable(looked, entity) if observation.rated]
    headline = score(entity, seen, analysis, replicates=replicates)

    def part_of(chosen: Sequence[Observation]) -> Score:
        # One platform or mode often is everything there is: the same answers have the same score.
        return (
            headline if len(chosen) == len(seen) else score(entity, chosen, analysis, replicates=replicates)
        )

    channels = sorted({observation.channel for observation in seen})
    return Calculation(
        score=headline,
        platforms={
            platform: part_of([one for one in seen if one.channel.platform == platform])
            for platform in sorted({channel.platform for channel in channels})
        },
        modes={
            mode: part_of([one for one in seen if one.channel.mode == mode])
            for mode in sorted({channel.mode for channel in channels})
        },
        channels=tuple(channels),
        batches=tuple(batch.id for batch in looked),
        degraded=tuple((batch.id, channel) for batch in looked for channel in batch.degraded),
    )


def score(
    entity: str,
    observations: Iterable[Observation],
    analysis: str,
    *,
    basis: Collection[Part] | None = None,
    seed: int | None = None,
    replicates: int = REPLICATES,
) -> Score:
    """Score one entity on the rated ones of these observations.

    `basis` restricts the parts, so that several entities can be compared; by default all that are measured.
    `seed` is that of the evidence unless a stored one is given.
    """
    rated = [seen for seen in observations if seen.rated]
    laid_out = sheet(rated)
    used = tuple(part for part in laid_out.measured if basis is None or part in basis)
    ids = tuple(sorted({seen.answer_id for seen in rated}))
    inputs = inputs_digest(ids, analysis)
    seed = seed_of(entity, inputs) if seed is None else seed
    status, confidence = standing(laid_out.answers, len(laid_out.prompts))
    value, interval, factors = _weighed(laid_out, used, seed, replicates)
    shown = status == "measured"
    return Score(
        entity=entity,
        status=status,
        value=value if shown else None,
        interval=interval if shown else None,
        confidence=confidence,
        basis=used,
        factors=factors,
        answers=laid_out.answers,
        prompts=len(laid_out.prompts),
        missing_answers=max(0, FEWEST_ANSWERS - laid_out.answers),
        missing_prompts=max(0, FEWEST_PROMPTS - len(laid_out.prompts)),
        answer_ids=ids,
        inputs_sha256=inputs,
        seed=seed,
        replicates=replicates,
    )


def standing(answers: int, prompts: int) -> tuple[Status, Confidence | None]:
    """What a sample of this many valid answers over this many prompts is good for."""
    if not answers:
        return "not_measured", None
    if answers < FEWEST_ANSWERS or prompts < FEWEST_PROMPTS:
        return "insufficient_data", None
    return "measured", "low" if answers < ENOUGH_ANSWERS or prompts < ENOUGH_PROMPTS else "ok"


def _weighed(
    laid_out: Sheet, basis: Sequence[Part], seed: int, replicates: int
) -> tuple[float | None, Interval | None, tuple[Factor, ...]]:
    """Score and interval (0-100) and the factors; the interval is floored by Wilson over all answers."""
    everything = laid_out.everything
    points = {part: laid_out.value(part, everything) for part in laid_out.measured}
    value = weigh((part, points[part]) for part in basis)
    if value is None:
        return None, None, tuple(_factor(laid_out, part, None, None, 0.0) for part in Part)
    draws = prompt_draws(len(laid_out.prompts), seed, replicates)
    columns, scores = weigh_draws(laid_out, basis, draws)
    low, high = floored(scores, value, laid_out.answers)
    total = fsum(WEIGHTS[part] for part in basis)
    factors = (
        _factor(
            laid_out,
            part,
            points.get(part),
            columns.get(part),
            WEIGHTS[part] / total if part in basis else 0.0,
        )
        for part in Part
    )
    return 100 * value, (100 * low, 100 * high), tuple(factors)


def _factor(
    laid_out: Sheet,
    part: Part,
    value: float | None,
    draws: Sequence[float | None] | None,
    effective_weight: float,
) -> Factor:
    interval = None
    reason = laid_out.why_not_measured(part)
    if reason is None and not effective_weight:
        reason = "not_in_common_basis"
    if value is not None and draws is not None:
        trials = laid_out.answers if part is Part.TONE else laid_out.samples(part)
        interval = floored((drawn for drawn in draws if drawn is not None), value, trials)
    return Factor(
        part=part,
        value=value,
        interval=interval,
        weight=WEIGHTS[part],
        effective_weight=effective_weight,
        samples=laid_out.samples(part),
        reason=reason,
    )
