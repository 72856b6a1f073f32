"""Ranks the brand and its competitors on the same answers, with one basis and the same draws."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from analytics.digests import SCORE_MODEL, inputs_digest, seed_of
from analytics.intervals import REPLICATES, Interval, central, floored, prompt_draws
from analytics.observations import Observation, neutral
from analytics.score import Confidence, Status, standing
from analytics.sheet import Part, Sheet, sheet, weigh, weigh_draws

Direction: TypeAlias = Literal["up", "down", "same", "new"]

# Scores that differ by less than this are equal; they come from the same fractions in another order.
_EQUAL_DIGITS = 9


@dataclass(frozen=True, slots=True)
class RankedEntity:
    """One row: `score` and `interval` 0-100, `presence` 0-1, rank from 1 (equal scores share one).

    `rank_change` = previous_rank - rank; "up" is better. `tied_with_above`: the interval of the difference to
    the row above includes 0.
    """

    entity: str
    rank: int
    score: float
    interval: Interval
    presence: float
    tied_with_above: bool
    previous_rank: int | None = None
    rank_change: int | None = None
    direction: Direction = "new"


@dataclass(frozen=True, slots=True)
class Ranking:
    """Entities by score, highest first; no rows unless `status` is "measured".

    `basis` are the parts measured for all of them. `gap` is the 95 % interval of the leader's score minus the
    brand's, None when the brand leads.
    """

    brand: str
    status: Status
    confidence: Confidence | None
    basis: tuple[Part, ...]
    rows: tuple[RankedEntity, ...]
    gap: Interval | None
    answers: int
    prompts: int
    inputs_sha256: str
    seed: int
    model: str = SCORE_MODEL

    @property
    def leader(self) -> str | None:
        """The entity in the first row, None without rows."""
        return self.rows[0].entity if self.rows else None


def rank(
    brand: str,
    observations: Mapping[str, Sequence[Observation]],
    analysis: str,
    *,
    platform: str | None = None,
    replicates: int = REPLICATES,
) -> Ranking:
    """Rank all entities in `observations` (usable ones, by entity id), on one platform if given.

    Only answers seen for every entity count, to prompts that name none of them.
    """
    chosen = {
        entity: [seen for seen in found if platform in (None, seen.channel.platform)]
        for entity, found in observations.items()
    }
    fair = neutral(chosen)
    prompts = {seen.prompt_id for found in fair.values() for seen in found}
    sheets = {entity: sheet(fair[entity], prompts) for entity in sorted(fair)}
    inputs = inputs_digest((seen.answer_id for found in fair.values() for seen in found), analysis)
    seed = seed_of(brand, inputs)
    answers = max((one.answers for one in sheets.values()), default=0)
    status, confidence = standing(answers, len(prompts))
    basis = tuple(part for part in Part if all(part in one.measured for one in sheets.values()))
    rows: tuple[RankedEntity, ...] = ()
    gap: Interval | None = None
    if status == "measured":
        rows, gap = _rows(brand, sheets, basis, prompt_draws(len(prompts), seed, replicates))
    return Ranking(brand, status, confidence, basis, rows, gap, answers, len(prompts), inputs, seed)


def _rows(
    brand: str, sheets: Mapping[str, Sheet], basis: Sequence[Part], draws: Sequence[Sequence[int]]
) -> tuple[tuple[RankedEntity, ...], Interval | None]:
    scores: dict[str, float] = {}
    drawn: dict[str, list[float]] = {}
    for entity, laid_out in sheets.items():
        value = weigh((part, laid_out.value(part, laid_out.everything)) for part in basis)
        assert value is not None, "presence is measured wherever there is an answer"
        scores[entity] = value
        drawn[entity] = weigh_draws(laid_out, basis, draws)[1]
    ranks = _ranks(scores)
    rows: list[RankedEntity] = []
    for entity in sorted(scores, key=lambda entity: (ranks[entity], entity)):
        low, high = floored(drawn[entity], scores[entity], sheets[entity].answers)
        above = rows[-1].entity if rows else None
        rows.append(
            RankedEntity(
                entity=entity,
                rank=ranks[entity],
                score=100 * scores[entity],
                interval=(100 * low, 100 * high),
                presence=sheets[entity].value(Part.PRESENCE, sheets[entity].everything) or 0.0,
                tied_with_above=above is not None and _difference(drawn[above], drawn[entity])[0] <= 0,
            )
        )
    leader = rows[0].entity
    leads = brand not in drawn or ranks[brand] == ranks[leader]
    return tuple(rows), None if leads else _difference(drawn[leader], drawn[brand])


def _difference(above: Sequence[float], below: Sequence[float]) -> Interval:
    """95 % interval (0-100) of a score minus a lower one, over the same draws of prompts."""
    low, high = central(one - other for one, other in zip(above, below, strict=True))
    return 100 * low, 100 * high


def _ranks(scores: Mapping[str, float]) -> dict[str, int]:
    """1, 2, 2, 4: one more than the number of higher scores."""
    rounded = {entity: round(score, _EQUAL_DIGITS) for entity, score in scores.items()}
    return {entity: 1 + sum(other > score for other in rounded.values()) for entity, score in rounded.items()}


def with_changes(ranking: Ranking, previous: Ranking | None) -> Ranking:
    """The ranking with rank changes against an earlier one of the same model series and basis.

    Both are ranked again over the entities they share, so nobody rises or falls because another one joined or
    left; `previous_rank` is then told in places of the present table.
    """
    if previous is None or _series(previous) != _series(ranking):
        return ranking
    shared = {row.entity for row in ranking.rows} & {row.entity for row in previous.rows}
    now = _ranks({row.entity: row.score for row in ranking.rows if row.entity in shared})
    before = _ranks({row.entity: row.score for row in previous.rows if row.entity in shared})
    rows = (
        _moved(row, before[row.entity] - now[row.entity]) if row.entity in shared else row
        for row in ranking.rows
    )
    return replace(ranking, rows=tuple(rows))


def _series(ranking: Ranking) -> tuple[str, tuple[Part, ...]]:
    return ranking.model.rpartition(".")[0], ranking.basis


def _moved(row: RankedEntity, change: int) -> RankedEntity:
    direction: Direction = "up" if change > 0 else "down" if change < 0 else "same"
    return replace(row, previous_rank=row.rank + change, rank_change=change, direction=direction)
