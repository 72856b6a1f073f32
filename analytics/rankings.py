"""Ranks the brand and its competitors on the same answers and the same basis."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from analytics.digests import SCORE_MODEL
from analytics.intervals import Interval, IntervalPair, interval_pair
from analytics.market_sums import MarketSums
from analytics.paired_change import paired_difference
from analytics.prompt_means import Cells, estimate
from analytics.score import Confidence, Status, sample_status
from analytics.score_inputs import PARTS, Part, ScoreInputs, effective_weights

Direction: TypeAlias = Literal["up", "down", "same", "new"]

# Scores that differ by less than this are equal: they add the same fractions in a different order.
_EQUAL_DIGITS = 9


@dataclass(frozen=True, slots=True)
class EntityRank:
    """One row: `score` and `intervals` 0-100, `presence` 0-1, rank from 1 (equal scores share one).

    `rank_change` = previous_rank - rank; "up" is better. `tied_with_above`: the 95% interval of the
    difference to the row above includes 0.
    """

    entity: str
    rank: int
    score: float
    intervals: IntervalPair
    presence: float
    tied_with_above: bool
    previous_rank: int | None = None
    rank_change: int | None = None
    direction: Direction = "new"


@dataclass(frozen=True, slots=True)
class Ranking:
    """Entities by score, highest first; no rows unless `status` is "measured".

    `basis` are the parts measured for all of them. `gap` is the 95% interval of the leader's score minus the
    brand's, or None if the brand leads.
    """

    brand: str
    status: Status
    confidence: Confidence | None
    basis: tuple[Part, ...]
    rows: tuple[EntityRank, ...]
    gap: Interval | None
    answers: int
    prompts: int
    model: str = SCORE_MODEL

    @property
    def leader(self) -> str | None:
        """The entity in the first row, or None without rows."""
        return self.rows[0].entity if self.rows else None


def rank(brand: str, market: MarketSums, earlier: MarketSums | None = None) -> Ranking:
    """Rank all entities of a market over the answers to prompts that name none of them.

    The brand's row equals its headline if all its parts are compared and no prompt names a competitor. `earlier`
    answers count as repeats if each prompt was asked once.
    """
    inputs = neutral_inputs(market)
    weights = common_weights(inputs)
    answers, prompts = _sample(inputs)
    status, confidence = sample_status(answers, prompts)
    rows: tuple[EntityRank, ...] = ()
    gap: Interval | None = None
    if status == "measured":
        rows, gap = _rows(brand, inputs, weights, earlier.neutral() if earlier else None)
    return Ranking(
        brand=brand,
        status=status,
        confidence=confidence,
        basis=tuple(weights),
        rows=rows,
        gap=gap,
        answers=answers,
        prompts=prompts,
    )


def rank_each(
    brand: str, market: MarketSums, platforms: Iterable[str], earlier: MarketSums | None = None
) -> tuple[Ranking, dict[str, Ranking]]:
    """Return the result of `rank` over all platforms and on each of these."""

    def on(platform: str) -> MarketSums:
        return market.restricted(lambda key: key[1].platform == platform)

    return rank(brand, market, earlier), {
        platform: rank(brand, on(platform), earlier) for platform in platforms
    }


def neutral_inputs(market: MarketSums) -> dict[str, ScoreInputs]:
    """Return the inputs of every entity over the answers that compare them, in the order of their ids."""
    return {entity: ScoreInputs.of(sums) for entity, sums in sorted(market.neutral().entities.items())}


def common_weights(inputs: Mapping[str, ScoreInputs]) -> dict[Part, float]:
    """Return weights of the parts measured for all entities."""
    return effective_weights(
        part for part in PARTS if inputs and all(part in of_one.measured for of_one in inputs.values())
    )


def _sample(inputs: Mapping[str, ScoreInputs]) -> tuple[int, int]:
    """Return how many answers and prompts count; they are the same for every entity."""
    first = next(iter(inputs.values()), None)
    return (first.answers, len(first.prompts)) if first else (0, 0)


def comparable_scores(brand: str, market: MarketSums) -> dict[str, float]:
    """Return the score (0-100) of each entity as computed by `rank`, without intervals and order.

    Empty if the sample is too small for a score.
    """
    inputs = neutral_inputs(market)
    if sample_status(*_sample(inputs))[0] != "measured":
        return {}
    weights = common_weights(inputs)
    headlines = {entity: estimate(of_one.headline_cells(weights)) for entity, of_one in inputs.items()}
    return {entity: 100 * headline.mean for entity, headline in headlines.items() if headline is not None}


def gap_to_leader(brand: str, market: MarketSums) -> Interval | None:
    """Return the `gap` of a ranking without computing its rows; None if the brand leads, or for too small a sample."""
    inputs = neutral_inputs(market)
    if sample_status(*_sample(inputs))[0] != "measured" or brand not in inputs:
        return None
    weights = common_weights(inputs)
    cells = {entity: of_one.headline_cells(weights) for entity, of_one in inputs.items()}
    scores = {
        entity: value.mean for entity, of_one in cells.items() if (value := estimate(of_one)) is not None
    }
    ranks = _ranks(scores)
    leader = min(ranks, key=lambda entity: (ranks[entity], entity))
    return None if ranks[brand] == ranks[leader] else _lead(cells[leader], cells[brand])


def _rows(
    brand: str,
    inputs: Mapping[str, ScoreInputs],
    weights: Mapping[Part, float],
    earlier: MarketSums | None,
) -> tuple[tuple[EntityRank, ...], Interval | None]:
    cells: dict[str, Cells] = {}
    repeats: dict[str, Cells] = {}
    presence: dict[str, float] = {}
    for entity, of_one in inputs.items():
        cells[entity] = of_one.headline_cells(weights)
        if earlier is not None and entity in earlier.entities:
            repeated = ScoreInputs.of(earlier.entities[entity])
            repeats[entity] = repeated.headline_cells(weights, of_one)
        named = estimate(of_one.cells(Part.PRESENCE))
        presence[entity] = named.mean if named else 0.0
    headlines = {entity: estimate(of_entity) for entity, of_entity in cells.items()}
    known = {entity: headline for entity, headline in headlines.items() if headline is not None}
    ranks = _ranks({entity: headline.mean for entity, headline in known.items()})
    rows: list[EntityRank] = []
    for entity in sorted(known, key=lambda entity: (ranks[entity], entity)):
        above = rows[-1].entity if rows else None
        pair = interval_pair(
            cells[entity], known[entity], earlier=repeats.get(entity), topics=inputs[entity].topics
        )
        rows.append(
            EntityRank(
                entity=entity,
                rank=ranks[entity],
                score=100 * known[entity].mean,
                intervals=pair.scaled(100),
                presence=presence[entity],
                tied_with_above=above is not None and _lead(cells[above], cells[entity])[0] <= 0,
            )
        )
    leader = rows[0].entity
    leads = brand not in known or ranks[brand] == ranks[leader]
    return tuple(rows), None if leads else _lead(cells[leader], cells[brand])


def _lead(above: Cells, below: Cells) -> Interval:
    """Return the 95% interval (0-100) of a score minus a lower one, paired by prompt; unbounded for a single prompt."""
    difference = paired_difference(below, above)
    low, high = difference.interval() if difference else (-1.0, 1.0)
    return 100 * low, 100 * high


def _ranks(scores: Mapping[str, float]) -> dict[str, int]:
    """Return ranks such as 1, 2, 2, 4: one more than the number of higher scores."""
    rounded = {entity: round(score, _EQUAL_DIGITS) for entity, score in scores.items()}
    return {entity: 1 + sum(other > score for other in rounded.values()) for entity, score in rounded.items()}


def with_changes(ranking: Ranking, previous: Ranking | None) -> Ranking:
    """Return the ranking with rank changes against an earlier one of the same model series and basis.

    Both are ranked again over the entities they share, so that an entity that joins or leaves causes no
    changes. `previous_rank` is expressed in positions of the current table.
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


def _moved(row: EntityRank, change: int) -> EntityRank:
    direction: Direction = "up" if change > 0 else "down" if change < 0 else "same"
    return replace(row, previous_rank=row.rank + change, rank_change=change, direction=direction)
