"""Answer values of one entity by part and cell, and their weights in the headline."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from math import fsum, log2
from types import MappingProxyType
from typing import TypeAlias, cast

from analytics.observation import Channel, Observation
from analytics.prompt_means import Cell, CellKey, Cells, cell, repeated

FULLY_JUDGED = 30
"""Number of judged mentions at which tone has its full weight; below that, its weight grows with the number."""

LOWEST_RANKED = 0.25
"""Prominence of the lowest ranks, and of an unranked mention at the very start."""


class Part(StrEnum):
    """A part of the score, in display and summation order."""

    PRESENCE = "presence"
    PROMINENCE = "prominence"
    CITATION = "citation"
    TONE = "tone"


WEIGHTS: Mapping[Part, float] = MappingProxyType(
    {Part.PRESENCE: 0.5, Part.PROMINENCE: 0.2, Part.CITATION: 0.2, Part.TONE: 0.1}
)
YES_OR_NO = frozenset({Part.PRESENCE, Part.CITATION})
"""Parts whose value for a single answer is 0 or 1."""

# Answers that do not name the entity are 0 too; a mention that could not be judged takes the mean of the judged ones.
_TONE_VALUES = {"positive": 1.0, "neutral": 0.5, "negative": 0.0}
_Values: TypeAlias = Mapping[CellKey, Sequence[float | None]]


def presence(answer: Observation) -> float:
    """1 if the answer names the entity, else 0."""
    return 1.0 if answer.named else 0.0


def prominence(answer: Observation) -> float:
    """Ranked: 1/log2(rank + 1), at least 0.25; unranked: from 0.25 at the start down to 0.125; not named: 0."""
    if not answer.named:
        return 0.0
    if answer.rank is not None:
        return max(LOWEST_RANKED, 1 / log2(answer.rank + 1))
    return LOWEST_RANKED * (1 - answer.position / 2)


def citation(answer: Observation) -> float | None:
    """1 if the answer names the entity and cites its site, else 0; None if that could not be seen."""
    if not answer.citation_measurable or answer.cites_owned is None:
        return None
    return 1.0 if answer.named and answer.cites_owned else 0.0


@dataclass(frozen=True, slots=True)
class CellAnswers:
    """The values of the rated answers of one cell for each part, with equal answers grouped.

    `counts` is the number of answers with the values at the same index. `values` and `cells` cover all parts
    but tone, which depends on the other judged mentions; `tones` has None for each mention that was not
    judged. `judged` mentions have tones with the sum `judged_sum`. If no answer names the entity, `cells`
    includes tone too.
    """

    counts: Sequence[int]
    values: Mapping[Part, Sequence[float | None]]
    cells: Mapping[Part, Cell]
    tones: Sequence[float | None]
    named: int
    judged: int
    judged_sum: float
    site_known: bool

    @classmethod
    def of(cls, answers: Sequence[Observation]) -> "CellAnswers":
        """Group the answers of one cell, which has at least one."""
        site_known = any(answer.cites_owned is not None for answer in answers)
        if not any(answer.named for answer in answers):
            return _silent_cell(_counted_citations(answers), site_known)
        alike: dict[_AnswerValues, int] = {}
        judged: dict[float, int] = {}
        named = 0
        for answer in answers:
            count, cited = answer.count, citation(answer)
            values = (0.0, 0.0, cited, 0.0)
            if answer.named:
                tone = None if answer.tone is None else _TONE_VALUES.get(answer.tone)
                values = (presence(answer), prominence(answer), cited, tone)
                named += count
                if tone is not None:
                    judged[tone] = judged.get(tone, 0) + count
            alike[values] = alike.get(values, 0) + count
        counts = tuple(alike.values())
        presences, prominences, citations, tones = zip(*alike, strict=True)
        of_parts: dict[Part, Sequence[float | None]] = {
            Part.PRESENCE: presences,
            Part.PROMINENCE: prominences,
            Part.CITATION: citations,
        }
        return cls(
            counts=counts,
            values=of_parts,
            cells=_measured_cells(of_parts, counts),
            tones=tones,
            named=named,
            judged=sum(judged.values()),
            judged_sum=fsum(tone * count for tone, count in judged.items()),
            site_known=site_known,
        )

    @property
    def answers(self) -> int:
        """The number of answers in the cell."""
        return sum(self.counts)

    def tone_values(self, judged_mean: float) -> Sequence[float]:
        """Return the tones in the order of `counts`; a mention without a judgment takes the mean of the judged ones."""
        if None not in self.tones:
            return cast(Sequence[float], self.tones)
        return [judged_mean if tone is None else tone for tone in self.tones]

    def tone_cell(self, tones: Sequence[float]) -> Cell:
        """Return the cell for the result of `tone_values`; it is constant if no answer names the entity."""
        return self.cells[Part.TONE] if not self.named else cell(tones, self.counts)


def _counted_citations(silent: Iterable[Observation]) -> tuple[tuple[float | None, int], ...]:
    """Count the results of `citation` for answers none of which names the entity."""
    counts: dict[float | None, int] = {}
    for answer in silent:
        cited = citation(answer)
        counts[cited] = counts.get(cited, 0) + answer.count
    return tuple(counts.items())


_AnswerValues: TypeAlias = tuple[float, float, float | None, float | None]
"""Presence, prominence, citation and tone of one answer; tone is None if it was named but not judged."""


@lru_cache(maxsize=1 << 12)
def _silent_cell(citations: tuple[tuple[float | None, int], ...], site_known: bool) -> CellAnswers:
    """Group answers none of which names the entity. Most cells are like this, and they differ only in citations."""
    nothing = (0.0,) * len(citations)
    counts = tuple(count for _, count in citations)
    values: dict[Part, Sequence[float | None]] = {
        Part.PRESENCE: nothing,
        Part.PROMINENCE: nothing,
        Part.CITATION: tuple(value for value, _ in citations),
    }
    return CellAnswers(
        counts=counts,
        values=values,
        cells={**_measured_cells(values, counts), Part.TONE: cell(nothing, counts)},
        tones=nothing,
        named=0,
        judged=0,
        judged_sum=0.0,
        site_known=site_known,
    )


@dataclass(frozen=True, slots=True)
class ScoreInputs:
    """Values (0-1) of each part for all rated answers, by cell; None if an answer cannot measure the part.

    `counts` is the number of answers of a cell with the values at the same index. `answers` is the total,
    `named` the number that name the entity, and `judged` the number of mentions with a tone; `judged_mean` is
    used for mentions without one.
    """

    counts: Mapping[CellKey, Sequence[int]]
    values: Mapping[Part, _Values]
    part_cells: Mapping[Part, Cells]
    prompts: tuple[str, ...]
    channels: tuple[Channel, ...]
    answers: int
    named: int
    judged: int
    judged_mean: float
    site_known: bool

    def samples(self, part: Part) -> int:
        """Return the number of answers that measure the part; for tone, of judged mentions."""
        if part is Part.TONE:
            return self.judged
        return round(fsum(current.answers for current in self.part_cells[part].values()))

    def why_not_measured(self, part: Part) -> str | None:
        """Return a fixed reason for a part that drops out of the score, or None if it is measured."""
        if not self.answers:
            return "no_valid_answer"
        if part is Part.TONE and not self.judged:
            return "no_judged_mention"
        if part is Part.CITATION and not self.samples(part):
            return "no_answer_reports_citations" if self.site_known else "no_site_known"
        return None

    @property
    def measured(self) -> tuple[Part, ...]:
        """The basis: the parts that are measured."""
        return tuple(part for part in Part if self.why_not_measured(part) is None)

    def channels_measuring(self, part: Part) -> frozenset[Channel]:
        """Return the channels with an answer that measures the part."""
        return frozenset(channel for _, channel in self.cells(part))

    def cells(self, part: Part) -> Cells:
        """Return the cells of one part over the answers that measure it."""
        return self.part_cells[part]

    def measured_values(self, part: Part) -> dict[CellKey, list[float]]:
        """Return the values of one part by cell, one for each answer that measures it."""
        return {
            key: list(repeated(*_measured(values, self.counts[key])))
            for key, values in self.values[part].items()
        }

    def headline_cells(self, weights: Mapping[Part, float], whole: "ScoreInputs | None" = None) -> Cells:
        """Return headline cells, 0-1, for effective weights with a sum of 1; `whole` as in `headline_values`."""
        return {
            key: cell(values, self.counts[key]) for key, values in self._headlines(weights, whole).items()
        }

    def headline_values(
        self, weights: Mapping[Part, float], whole: "ScoreInputs | None" = None
    ) -> dict[CellKey, list[float]]:
        """Return the headline value of each answer, 0-1, by cell, for effective weights with a sum of 1.

        C, the measuring channels and the channel means come from `whole` if these answers are a subset or
        repeats of it.
        """
        return {
            key: list(repeated(values, self.counts[key]))
            for key, values in self._headlines(weights, whole).items()
        }

    def _headlines(
        self, weights: Mapping[Part, float], whole: "ScoreInputs | None"
    ) -> dict[CellKey, list[float]]:
        """Return the headline values at the places of `counts`.

        The headline value of an answer in channel c is the sum over the parts measured in c of
        weight * C / (channels that measure the part) * value. A part that an answer cannot measure takes the
        value of the cell, and in a cell without any the channel's mean of prompt means.
        """
        whole = whole or self
        totals = {key: [0.0] * len(values) for key, values in self.values[Part.PRESENCE].items()}
        for part, weight in weights.items():
            cells = self.cells(part)
            means = _channel_means(whole.cells(part))
            factor = weight * len(whole.channels) / len(means)
            for key, values in self.values[part].items():
                if key[1] not in means:
                    continue
                if None in values:
                    known = cells.get(key)
                    filled = known.mean if known else means[key[1]]
                    values = [filled if value is None else value for value in values]
                if any(values):
                    sums = totals[key]
                    for at, value in enumerate(values):
                        sums[at] += factor * (value or 0.0)
        return totals


def lay_out(observations: Iterable[Observation]) -> dict[CellKey, CellAnswers]:
    """Return the values of one entity's rated observations, by cell."""
    by_cell: dict[CellKey, list[Observation]] = defaultdict(list)
    for answer in observations:
        if answer.rated:
            by_cell[answer.prompt_id, answer.channel].append(answer)
    return {key: CellAnswers.of(answers) for key, answers in by_cell.items()}


def collect_inputs(observations: Iterable[Observation]) -> ScoreInputs:
    """Compute the inputs from the rated observations of one entity."""
    return join_cells(lay_out(observations))


def join_cells(laid_out: Mapping[CellKey, CellAnswers], judged_mean: float | None = None) -> ScoreInputs:
    """Return the inputs over all of these cells; a cell may be part of several inputs.

    A mention without a judged tone takes `judged_mean`, by default the mean of the judged ones.
    """
    judged = sum(answers.judged for answers in laid_out.values())
    if judged_mean is None:
        judged_mean = fsum(answers.judged_sum for answers in laid_out.values()) / judged if judged else 0.0
    tones = {key: answers.tone_values(judged_mean) for key, answers in laid_out.items()}
    values: dict[Part, _Values] = {
        part: tones if part is Part.TONE else {key: answers.values[part] for key, answers in laid_out.items()}
        for part in Part
    }
    return ScoreInputs(
        counts={key: answers.counts for key, answers in laid_out.items()},
        values=values,
        part_cells={
            part: {key: laid_out[key].tone_cell(of_cell) for key, of_cell in tones.items()}
            if part is Part.TONE
            else {key: answers.cells[part] for key, answers in laid_out.items() if part in answers.cells}
            for part in Part
        },
        prompts=tuple(sorted({prompt for prompt, _ in laid_out})),
        channels=tuple(sorted({channel for _, channel in laid_out})),
        answers=sum(answers.answers for answers in laid_out.values()),
        named=sum(answers.named for answers in laid_out.values()),
        judged=judged,
        judged_mean=judged_mean,
        site_known=any(answers.site_known for answers in laid_out.values()),
    )


def effective_weights(basis: Iterable[Part], judged: int) -> dict[Part, float]:
    """Return the weights of a basis in the order of `Part`, with a sum of 1; empty for an empty basis.

    The weight of tone depends on the number of judged mentions and is full from 30 on. Whatever a part lacks
    is distributed among the others in proportion.
    """
    chosen = frozenset(basis)
    weights = {part: WEIGHTS[part] for part in Part if part in chosen}
    if Part.TONE in weights:
        weights[Part.TONE] *= min(1.0, judged / FULLY_JUDGED)
    total = fsum(weights.values())
    return {part: weight / total for part, weight in weights.items() if weight}


def _measured_cells(values: Mapping[Part, Sequence[float | None]], counts: Sequence[int]) -> dict[Part, Cell]:
    """Return the cell of each part that an answer measures."""
    cells: dict[Part, Cell] = {}
    for part, of_part in values.items():
        measured, times = _measured(of_part, counts)
        if measured:
            cells[part] = cell(measured, times)
    return cells


def _measured(values: Sequence[float | None], counts: Sequence[int]) -> tuple[Sequence[float], Sequence[int]]:
    """Return the values that are present, and the count of each."""
    if None not in values:
        return cast(Sequence[float], values), counts
    measured = [value for value in values if value is not None]
    times = [count for value, count in zip(values, counts, strict=True) if value is not None]
    return measured, times


def _channel_means(cells: Cells) -> dict[Channel, float]:
    """Return the mean of prompt means in each channel."""
    by_channel: dict[Channel, list[float]] = defaultdict(list)
    for (_, channel), current in cells.items():
        by_channel[channel].append(current.mean)
    return {channel: fsum(means) / len(means) for channel, means in by_channel.items()}
