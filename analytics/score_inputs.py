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

FULLY_JUDGED = 30
"""Number of judged mentions at which tone has its full weight; below that, its weight grows with the number."""


class Part(StrEnum):
    """A part of the score, in display and summation order."""

    PRESENCE = "presence"
    PROMINENCE = "prominence"
    CITATION = "citation"
    TONE = "tone"


PARTS = tuple(Part)
WEIGHTS: Mapping[Part, float] = MappingProxyType(
    {Part.PRESENCE: 0.5, Part.PROMINENCE: 0.2, Part.CITATION: 0.2, Part.TONE: 0.1}
)
YES_OR_NO = frozenset({Part.PRESENCE, Part.CITATION})
"""Parts whose value for a single answer is 0 or 1."""


@dataclass(frozen=True)  # no slots: a cached property needs a `__dict__`
class ScoreInputs:
    """The parts of the score over the answers of `sums` that rates count, by cell, 0 to 1.

    Presence is 1 for an answer that names the entity, citation 1 for one that also cites its site, tone its tone; all
    are 0 for an answer that does not name it. A mention in a tone that was not judged has the tone `judged_mean`, by
    default the mean of the judged ones.
    """

    sums: Mapping[CellKey, CellSums]
    site_known: bool
    judged_mean: float
    topics: Mapping[str, str] = field(default_factory=dict[str, str])

    @classmethod
    def of(cls, entity: EntitySums, judged_mean: float | None = None) -> "ScoreInputs":
        """Return the inputs of one entity."""
        rated = {key: sums for key, sums in entity.cells.items() if sums.answers}
        if not entity.site_known:
            rated = {key: sums.without_site() for key, sums in rated.items()}
        if judged_mean is None:
            judged = sum(sums.judged for sums in rated.values())
            judged_mean = sum(sums.tone for sums in rated.values()) / (2 * judged) if judged else 0.0
        return cls(rated, entity.site_known, judged_mean, entity.topics)

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

    @cached_property
    def judged(self) -> int:
        """The number of mentions in a judged tone."""
        return sum(sums.judged for sums in self.sums.values())

    def samples(self, part: Part) -> int:
        """Return the number of answers that measure the part; for tone, of judged mentions."""
        if part is Part.TONE:
            return self.judged
        if part is Part.CITATION:
            return sum(sums.measurable for sums in self.sums.values())
        return self.answers

    def why_not_measured(self, part: Part) -> str | None:
        """Return a fixed reason for a part that drops out of the score, or None if it is measured."""
        if not self.answers:
            return "no_valid_answer"
        if part is Part.TONE and not self.judged:
            return "no_judged_mention"
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
        if part is Part.CITATION:
            return moments(sums.measurable, sums.cited, sums.cited) if sums.measurable else None
        mean = self.judged_mean
        tone, square = (
            sums.tone / 2 + sums.unjudged * mean,
            sums.tone_square / 4 + sums.unjudged * mean * mean,
        )
        return Cell(tone / sums.answers, sums.answers, max(0.0, square - tone * tone / sums.answers))

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
        named, prominence, cited, tone = factors
        if sums.measurable:
            citation = sums.cited / sums.measurable
        unknown, prominence, tone, unjudged = (
            cited * citation,
            prominence / MILLION,
            tone / 2,
            tone * self.judged_mean,
        )
        total = (
            named * sums.named
            + prominence * sums.prominence
            + cited * sums.cited
            + unknown * sums.unknown
            + tone * sums.tone
            + unjudged * sums.unjudged
        )
        if not sums.named:
            return Cell(total / sums.answers, sums.answers)
        products = (
            named * prominence * sums.prominence
            + named * cited * sums.cited
            + named * unknown * sums.named_unknown
            + named * tone * sums.tone
            + named * unjudged * sums.unjudged
            + prominence * cited * sums.prominence_cited
            + prominence * unknown * sums.prominence_unknown
            + prominence * tone * sums.prominence_tone
            + prominence * unjudged * sums.prominence_unjudged
            + cited * tone * sums.cited_tone
            + cited * unjudged * sums.cited_unjudged
            + unknown * tone * sums.unknown_tone
            + unknown * unjudged * sums.unknown_unjudged
        )
        squares = (
            named * named * sums.named
            + prominence * prominence * sums.prominence_square
            + cited * cited * sums.cited
            + unknown * unknown * sums.unknown
            + tone * tone * sums.tone_square
            + unjudged * unjudged * sums.unjudged
            + 2 * products
        )
        return Cell(total / sums.answers, sums.answers, max(0.0, squares - total * total / sums.answers))


def moments(answers: int, total: int, square: int, unit: int = 1) -> Cell:
    """Return a cell from the sum of whole numbers and of their squares, in a unit; each is rounded once."""
    return Cell(
        total / (answers * unit), answers, (answers * square - total * total) / (answers * unit * unit)
    )


def effective_weights(basis: Iterable[Part], judged: int) -> dict[Part, float]:
    """Return the weights of a basis in the order of `Part`, with a sum of 1; empty for an empty basis.

    The weight of tone depends on the number of judged mentions and is full from 30 on. Whatever a part lacks
    is distributed among the others in proportion.
    """
    chosen = frozenset(basis)
    weights = {part: WEIGHTS[part] for part in PARTS if part in chosen}
    if Part.TONE in weights:
        weights[Part.TONE] *= min(1.0, judged / FULLY_JUDGED)
    total = fsum(weights.values())
    return {part: weight / total for part, weight in weights.items() if weight}


def _channel_means(cells: Cells) -> dict[Channel, float]:
    """Return the mean of prompt means in each channel."""
    by_channel: dict[Channel, list[float]] = defaultdict(list)
    for (_, channel), current in cells.items():
        by_channel[channel].append(current.mean)
    return {channel: fsum(means) / len(means) for channel, means in by_channel.items()}
