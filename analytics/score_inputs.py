"""Values of each part of the score by cell, from the sums of one entity, and their weights in the headline."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from math import fsum
from types import MappingProxyType

from analytics.cell_sums import MILLION, CellSums
from analytics.market_sums import EntitySums
from analytics.observation import Channel
from analytics.prompt_means import Cell, CellKey, Cells


class Part(StrEnum):
    """A part of the score, in display and summation order."""

    PRESENCE = "presence"
    PROMINENCE = "prominence"
    CITATION = "citation"


PARTS = tuple(Part)
WEIGHTS: Mapping[Part, float] = MappingProxyType(
    {Part.PRESENCE: 0.5, Part.PROMINENCE: 0.25, Part.CITATION: 0.25}
)
"""Published weights. A part that is not measured leaves its weight to the others in proportion."""
YES_OR_NO = frozenset({Part.PRESENCE, Part.CITATION})
"""Parts whose value for a single answer is 0 or 1."""


@dataclass(frozen=True)  # no slots: a cached property needs a `__dict__`
class ScoreInputs:
    """The parts of the score over the answers of `sums` that rates count, by cell, 0 to 1.

    Presence is 1 for an answer that names the entity, citation 1 for one that also cites its site; all parts are 0 for
    an answer that does not name it.
    """

    sums: Mapping[CellKey, CellSums]
    site_known: bool
    topics: Mapping[str, str] = field(default_factory=dict[str, str])

    @classmethod
    def of(cls, entity: EntitySums) -> "ScoreInputs":
        """Return the inputs of one entity."""
        rated = {key: sums for key, sums in entity.cells.items() if sums.answers}
        if not entity.site_known:
            rated = {key: sums.without_site() for key, sums in rated.items()}
        return cls(rated, entity.site_known, entity.topics)

    @cached_property
    def prompts(self) -> tuple[str, ...]:
        """The prompts, sorted."""
        return tuple(sorted({prompt for prompt, _ in self.sums}))

    @cached_property
    def channels(self) -> tuple[Channel, ...]:
        """The channels, sorted."""
        return tuple(sorted({channel for _, channel in self.sums}))

    @cached_property
    def answers(self) -> int:
        """The number of answers."""
        return sum(sums.answers for sums in self.sums.values())

    @cached_property
    def named(self) -> int:
        """The number of answers that name the entity."""
        return sum(sums.named for sums in self.sums.values())

    def samples(self, part: Part) -> int:
        """Return the number of answers that measure the part."""
        if part is Part.CITATION:
            return sum(sums.measurable for sums in self.sums.values())
        return self.answers

    def why_not_measured(self, part: Part) -> str | None:
        """Return a fixed reason for a part that drops out of the score, or None if it is measured."""
        if not self.answers:
            return "no_valid_answer"
        if part is Part.CITATION and not self.samples(part):
            return "no_answer_reports_citations" if self.site_known else "no_site_known"
        return None

    @cached_property
    def measured(self) -> tuple[Part, ...]:
        """The basis: the parts that are measured."""
        return tuple(part for part in PARTS if self.why_not_measured(part) is None)

    def channels_measuring(self, part: Part) -> frozenset[Channel]:
        """Return the channels with an answer that measures the part."""
        if part is not Part.CITATION:
            return frozenset(self.channels)
        return frozenset(channel for _, channel in self.cells(part))

    @cached_property
    def _part_cells(self) -> dict[Part, Cells]:
        return {}

    def cells(self, part: Part) -> Cells:
        """Return the cells of one part over the answers that measure it."""
        if part not in self._part_cells:
            self._part_cells[part] = {
                key: cell for key, sums in self.sums.items() if (cell := self._cell(part, sums)) is not None
            }
        return self._part_cells[part]

    def _cell(self, part: Part, sums: CellSums) -> Cell | None:
        if part is Part.PRESENCE:
            return moments(sums.answers, sums.named, sums.named)
        if part is Part.PROMINENCE:
            return moments(sums.answers, sums.prominence, sums.prominence_square, MILLION)
        return moments(sums.measurable, sums.cited, sums.cited) if sums.measurable else None

    def headline_cells(self, weights: Mapping[Part, float], whole: "ScoreInputs | None" = None) -> Cells:
        """Return headline cells, 0-1, for effective weights with a sum of 1.

        The headline value of an answer in channel c is the sum over the parts measured in c of
        weight * C / (channels that measure the part) * value. An answer whose citations are unknown takes the
        citation value of its cell, and in a cell without any the channel's mean of prompt means. C, the measuring
        channels and the channel means come from `whole` if these answers are a subset or repeats of it.
        """
        whole = whole or self
        factors = {channel: dict.fromkeys(PARTS, 0.0) for channel in {*whole.channels, *self.channels}}
        citations = _channel_means(whole.cells(Part.CITATION)) if Part.CITATION in weights else {}
        for part, weight in weights.items():
            channels = citations.keys() if part is Part.CITATION else whole.channels_measuring(part)
            for channel in channels:
                factors[channel][part] = weight * len(whole.channels) / len(channels)
        shares = {channel: tuple(of_part.values()) for channel, of_part in factors.items()}
        return {
            key: self._headline(sums, shares[key[1]], citations.get(key[1], 0.0))
            for key, sums in self.sums.items()
        }

    def _headline(self, sums: CellSums, factors: Sequence[float], citation: float) -> Cell:
        """Return the cell of the weighted sum of the parts, from the sums of their products."""
        named, prominence, cited = factors
        if sums.measurable:
            citation = sums.cited / sums.measurable
        unknown, prominence = cited * citation, prominence / MILLION
        total = (
            named * sums.named + prominence * sums.prominence + cited * sums.cited + unknown * sums.unknown
        )
        if not sums.named:
            return Cell(total / sums.answers, sums.answers)
        products = (
            named * prominence * sums.prominence
            + named * cited * sums.cited
            + named * unknown * sums.named_unknown
            + prominence * cited * sums.prominence_cited
            + prominence * unknown * sums.prominence_unknown
        )
        squares = (
            named * named * sums.named
            + prominence * prominence * sums.prominence_square
            + cited * cited * sums.cited
            + unknown * unknown * sums.unknown
            + 2 * products
        )
        return Cell(total / sums.answers, sums.answers, max(0.0, squares - total * total / sums.answers))


def moments(answers: int, total: int, square: int, unit: int = 1) -> Cell:
    """Return a cell from the sum of whole numbers and of their squares, in a unit; each is rounded once."""
    return Cell(
        total / (answers * unit), answers, (answers * square - total * total) / (answers * unit * unit)
    )


def effective_weights(basis: Iterable[Part]) -> dict[Part, float]:
    """Return the weights of a basis in the order of `Part`, with a sum of 1; empty for an empty basis."""
    chosen = frozenset(basis)
    weights = {part: WEIGHTS[part] for part in PARTS if part in chosen}
    total = fsum(weights.values())
    return {part: weight / total for part, weight in weights.items()}


def _channel_means(cells: Cells) -> dict[Channel, float]:
    """Return the mean of prompt means in each channel."""
    by_channel: dict[Channel, list[float]] = defaultdict(list)
    for (_, channel), current in cells.items():
        by_channel[channel].append(current.mean)
    return {channel: fsum(means) / len(means) for channel, means in by_channel.items()}
