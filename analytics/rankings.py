"""Ranks the brand and its competitors on the same answers and the same basis."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from analytics.digests import SCORE_MODEL, inputs_digest
from analytics.intervals import EarlierValues, Interval, IntervalPair, interval_pair
from analytics.observation import Observation, neutral
from analytics.paired_change import paired_difference
from analytics.prompt_means import CellKey, Cells, estimate
from analytics.score import Confidence, Status, sample_status
from analytics.score_inputs import (
    CellAnswers,
    Part,
    effective_weights,
    join_cells,
    lay_out,
)

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
    inputs_sha256: str
    model: str = SCORE_MODEL

    @property
    def leader(self) -> str | None:
        """The entity in the first row, or None without rows."""
        return self.rows[0].entity if self.rows else None


def rank(
    brand: str,
    observations: Mapping[str, Sequence[Observation]],
    analysis: str,
    *,
    platform: str | None = None,
    earlier: Mapping[str, Sequence[Observation]] | None = None,
) -> Ranking:
    """Rank all entities in `observations` (usable ones, by entity id), on one platform if given.

    Only answers that were observed for every entity count, to prompts that name none of them. Tone has the
    same weight for all entities: its weight in the brand's own score. The brand's row therefore equals its
    headline if all its parts are compared and no prompt names a competitor. `earlier` answers count as
    repeats if each prompt was asked once.
    """
    on_platform = {
        entity: [answer for answer in answers if platform in (None, answer.channel.platform)]
        for entity, answers in observations.items()
    }
    return _ranked(_Field.of(brand, on_platform), analysis, neutral(earlier or {}))


def rank_each(
    brand: str,
    observations: Mapping[str, Sequence[Observation]],
    analysis: str,
    platforms: Iterable[str],
    earlier: Mapping[str, Sequence[Observation]] | None = None,
) -> tuple[Ranking, dict[str, Ranking]]:
    """Return the result of `rank` over all platforms and on each of these, grouping the answers only once."""
    everywhere, repeats = _Field.of(brand, observations), neutral(earlier or {})
    on_each = {
        platform: _ranked(everywhere.on_platform(platform), analysis, repeats) for platform in platforms
    }
    return _ranked(everywhere, analysis, repeats), on_each


@dataclass(frozen=True, slots=True)
class _Field:
    """The competing entities: the answers that count for all, plain and by cell, and all observations of the brand."""

    brand: str
    fair: Mapping[str, Sequence[Observation]]
    laid_out: Mapping[str, Mapping[CellKey, CellAnswers]]
    own: Sequence[Observation] | None
    """All observations of the brand; None if it is not among the entities."""

    @classmethod
    def of(cls, brand: str, chosen: Mapping[str, Sequence[Observation]]) -> "_Field":
        fair = neutral(chosen)
        return cls(brand, fair, {entity: lay_out(seen) for entity, seen in fair.items()}, chosen.get(brand))

    def on_platform(self, platform: str) -> "_Field":
        """Return the same data on one platform. Whether an answer counts does not depend on other answers."""

        def chosen(answers: Sequence[Observation]) -> list[Observation]:
            return [answer for answer in answers if answer.channel.platform == platform]

        return _Field(
            self.brand,
            {entity: chosen(answers) for entity, answers in self.fair.items()},
            {
                entity: {key: answers for key, answers in cells.items() if key[1].platform == platform}
                for entity, cells in self.laid_out.items()
            },
            None if self.own is None else chosen(self.own),
        )

    def weights(self) -> dict[Part, float]:
        """Return weights of the parts measured for all; tone as in the brand's score, else by the fewest judged."""
        measured = [_measured(cells) for cells in self.laid_out.values()]
        basis = [part for part in Part if measured and all(part in parts for parts, _ in measured)]
        if self.own is not None:
            judged = sum(seen.count for seen in self.own if seen.rated and seen.judged)
        else:
            judged = min((judged for _, judged in measured), default=0)
        return effective_weights(basis, judged)

    def sample(self) -> tuple[int, int]:
        """Return how many answers and prompts count."""
        answers = max((sum(seen.count for seen in of_entity) for of_entity in self.fair.values()), default=0)
        prompts = {answer.prompt_id for of_entity in self.fair.values() for answer in of_entity}
        return answers, len(prompts)


def _measured(cells: Mapping[CellKey, CellAnswers]) -> tuple[frozenset[Part], int]:
    """Return the parts that the answers of these cells measure, and the number of judged mentions."""
    judged = sum(answers.judged for answers in cells.values())
    parts = {Part.PRESENCE, Part.PROMINENCE} if cells else set[Part]()
    if judged:
        parts.add(Part.TONE)
    if any(Part.CITATION in answers.cells for answers in cells.values()):
        parts.add(Part.CITATION)
    return frozenset(parts), judged


def _ranked(field: _Field, analysis: str, earlier: Mapping[str, Sequence[Observation]]) -> Ranking:
    weights = field.weights()
    answers, prompts = field.sample()
    status, confidence = sample_status(answers, prompts)
    rows: tuple[EntityRank, ...] = ()
    gap: Interval | None = None
    if status == "measured":
        rows, gap = _rows(field, weights, earlier)
    return Ranking(
        brand=field.brand,
        status=status,
        confidence=confidence,
        basis=tuple(weights),
        rows=rows,
        gap=gap,
        answers=answers,
        prompts=prompts,
        # The same answers count for all entities.
        inputs_sha256=inputs_digest(
            (answer.answer_id for answer in next(iter(field.fair.values()), ())), analysis
        ),
    )


def comparable_scores(brand: str, observations: Mapping[str, Sequence[Observation]]) -> dict[str, float]:
    """Return the score (0-100) of each entity as computed by `rank`, without intervals and order.

    Empty if the sample is too small for a score.
    """
    field = _Field.of(brand, observations)
    if sample_status(*field.sample())[0] != "measured":
        return {}
    weights = field.weights()
    headlines = {
        entity: estimate(join_cells(field.laid_out[entity]).headline_cells(weights))
        for entity in sorted(field.laid_out)
    }
    return {entity: 100 * headline.mean for entity, headline in headlines.items() if headline is not None}


def _rows(
    field: _Field, weights: Mapping[Part, float], earlier: Mapping[str, Sequence[Observation]]
) -> tuple[tuple[EntityRank, ...], Interval | None]:
    brand = field.brand
    cells: dict[str, Cells] = {}
    repeats: dict[str, EarlierValues] = {}
    presence: dict[str, float] = {}
    for entity in sorted(field.laid_out):
        inputs = join_cells(field.laid_out[entity])
        cells[entity] = inputs.headline_cells(weights)
        if earlier.get(entity):
            repeated = join_cells(lay_out(earlier[entity]), inputs.judged_mean)
            repeats[entity] = repeated.headline_values(weights, inputs)
        named = estimate(inputs.cells(Part.PRESENCE))
        presence[entity] = named.mean if named else 0.0
    headlines = {entity: estimate(of_entity) for entity, of_entity in cells.items()}
    known = {entity: headline for entity, headline in headlines.items() if headline is not None}
    ranks = _ranks({entity: headline.mean for entity, headline in known.items()})
    rows: list[EntityRank] = []
    for entity in sorted(known, key=lambda entity: (ranks[entity], entity)):
        above = rows[-1].entity if rows else None
        rows.append(
            EntityRank(
                entity=entity,
                rank=ranks[entity],
                score=100 * known[entity].mean,
                intervals=interval_pair(cells[entity], known[entity], earlier=repeats.get(entity)).scaled(
                    100
                ),
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
