"""One entity's answers laid out by part and prompt, ready to be scored on any draw of prompts."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import fsum
from types import MappingProxyType

from analytics.cells import Cells, cells
from analytics.observations import Observation

ENOUGH_JUDGED = 10


class Part(StrEnum):
    """A part of the score, in the order in which parts are shown and added."""

    PRESENCE = "presence"
    PROMINENCE = "prominence"
    CITATION = "citation"
    TONE = "tone"


WEIGHTS: Mapping[Part, float] = MappingProxyType(
    {Part.PRESENCE: 0.5, Part.PROMINENCE: 0.2, Part.CITATION: 0.2, Part.TONE: 0.1}
)
_TONE_VALUES = {"positive": 1.0, "neutral": 0.5, "negative": 0.0}


def presence(seen: Observation) -> float:
    """1 if the answer names the entity, else 0."""
    return float(seen.named)


def prominence(seen: Observation) -> float:
    """1/rank; unranked 0.5 in the first third of the text and 0.25 later, as ranks 2 and 4; 0 not named."""
    if not seen.named:
        return 0.0
    if seen.rank is not None:
        return 1 / seen.rank
    return 0.5 if seen.first_third else 0.25


def citation(seen: Observation) -> float | None:
    """1 if the answer names the entity and cites its site, else 0; None if that could not be seen."""
    if not seen.citation_measurable or seen.cites_owned is None:
        return None
    return float(seen.named and seen.cites_owned)


@dataclass(frozen=True, slots=True)
class Sheet:
    """Cell means per part over `prompts` (sorted ids), and tone values pooled over channels per prompt."""

    prompts: tuple[str, ...]
    parts: Mapping[Part, Cells]
    tone_totals: tuple[float, ...]
    tone_counts: tuple[int, ...]
    answers: int
    named: int
    site_known: bool

    @property
    def judged(self) -> int:
        """Mentions with a tone other than unknown."""
        return sum(self.tone_counts)

    @property
    def everything(self) -> range:
        """The draw that takes each prompt once: the point estimate."""
        return range(len(self.prompts))

    def samples(self, part: Part) -> int:
        """Answers that measure the part; for tone, judged mentions."""
        return self.judged if part is Part.TONE else self.parts[part].answers

    def why_not_measured(self, part: Part) -> str | None:
        """Fixed words for a part that drops out of the score; None if it is measured."""
        if not self.answers:
            return "no_valid_answer"
        if part is Part.TONE and self.named and self.judged < ENOUGH_JUDGED:
            return "fewer_than_10_judged_mentions"
        if part is Part.CITATION and not self.samples(part):
            return "no_answer_reports_citations" if self.site_known else "no_site_known"
        return None

    @property
    def measured(self) -> tuple[Part, ...]:
        """The basis: parts that are measured."""
        return tuple(part for part in Part if self.why_not_measured(part) is None)

    def value(self, part: Part, draw: Sequence[int]) -> float | None:
        """Value of a part on a draw of prompt indices, 0-1; None if the draw cannot measure it.

        Tone is presence times the mean tone of the judged mentions, and 0 if nothing is named.
        """
        if part is not Part.TONE:
            return self.parts[part].value(draw)
        present = self.parts[Part.PRESENCE].value(draw)
        if not present:
            return present
        judged = sum(map(self.tone_counts.__getitem__, draw))
        return present * (fsum(map(self.tone_totals.__getitem__, draw)) / judged) if judged else None


def sheet(observations: Iterable[Observation], prompts: Collection[str] | None = None) -> Sheet:
    """Lay out the rated observations of one entity.

    `prompts` names the prompts to lay out, so that several entities share their draws; by default those with
    a rated answer.
    """
    rated = [seen for seen in observations if seen.rated and (prompts is None or seen.prompt_id in prompts)]
    names = sorted({seen.prompt_id for seen in rated} if prompts is None else prompts)
    totals: dict[str, list[float]] = defaultdict(list)
    for seen in rated:
        if seen.tone is not None and seen.judged:
            totals[seen.prompt_id].append(_TONE_VALUES[seen.tone])
    values = {Part.PRESENCE: presence, Part.PROMINENCE: prominence, Part.CITATION: citation}
    return Sheet(
        prompts=tuple(names),
        parts={part: cells(names, rated, value) for part, value in values.items()},
        tone_totals=tuple(fsum(totals[name]) for name in names),
        tone_counts=tuple(len(totals[name]) for name in names),
        answers=len(rated),
        named=sum(seen.named for seen in rated),
        site_known=any(seen.cites_owned is not None for seen in rated),
    )


def weigh(values: Iterable[tuple[Part, float | None]]) -> float | None:
    """Weighted mean, 0-1, of the parts that have a value; they take the others' weight in proportion."""
    known = [(WEIGHTS[part], value) for part, value in values if value is not None]
    if not known:
        return None
    return fsum(weight * value for weight, value in known) / fsum(weight for weight, _ in known)


def weigh_draws(
    sheet: Sheet, basis: Collection[Part], draws: Iterable[Sequence[int]]
) -> tuple[dict[Part, list[float | None]], list[float]]:
    """Values of each part of the basis and the score, 0-1, on every draw.

    A draw that cannot measure a part leaves it out, as the score itself would.
    """
    draws = list(draws)
    parts = [part for part in Part if part in basis]
    columns = {part: [sheet.value(part, draw) for draw in draws] for part in parts}
    scores = (weigh(zip(parts, row, strict=True)) for row in zip(*columns.values(), strict=True))
    return columns, [score for score in scores if score is not None]
