"""A second implementation of the score: every answer has a value for each part, and nothing is added up by cell."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import floor, log2
from statistics import fmean

from analytics.observation import Channel, Observation
from analytics.prompt_means import CellKey
from tests.analytics.naive_intervals import Answers

PART_WEIGHTS = {"presence": 0.5, "prominence": 0.25, "citation": 0.25}


def rated(observations: Sequence[Observation]) -> list[Observation]:
    return [seen for seen in observations if not (seen.branded or seen.echo or seen.custom)]


def prominence(rank: int | None, position: float) -> float:
    """In millionths of an answer, which is as fine as it is stored."""
    exact = 0.25 - position / 8 if rank is None else max(0.25, 1 / log2(1 + rank))
    return floor(1e6 * exact + 0.5) / 1e6


def weights_of(basis: Iterable[str]) -> dict[str, float]:
    """The weights of these parts, with a sum of 1."""
    weights = {part: PART_WEIGHTS[part] for part in basis}
    return {part: weight / sum(weights.values()) for part, weight in weights.items()}


@dataclass(frozen=True)
class NaiveScore:
    """The rated answers of one entity."""

    answers: Sequence[Observation]

    @classmethod
    def of(cls, observations: Sequence[Observation]) -> "NaiveScore":
        return cls(rated(observations))

    def value(self, part: str, seen: Observation) -> float | None:
        """What an answer is worth, 0 to 1; None if it cannot measure the part."""
        if part == "citation" and (not seen.citation_measurable or seen.cites_owned is None):
            return None
        if not seen.named:
            return 0.0
        if part == "presence":
            return 1.0
        if part == "citation":
            return float(bool(seen.cites_owned))
        return prominence(seen.rank, seen.position)

    def values(self, part: str) -> Answers:
        """The values of the answers that measure the part."""
        found: dict[CellKey, list[float]] = defaultdict(list)
        for seen in self.answers:
            value = self.value(part, seen)
            if value is not None:
                found[seen.prompt_id, seen.channel].append(value)
        return found

    def samples(self, part: str) -> int:
        return sum(map(len, self.values(part).values()))

    def weights(self) -> dict[str, float]:
        return weights_of(filter(self.samples, PART_WEIGHTS))

    def channel_means(self, part: str) -> dict[Channel, float]:
        """The mean of prompt means in each channel that measures the part."""
        means: dict[Channel, list[float]] = defaultdict(list)
        for (_, channel), values in self.values(part).items():
            means[channel].append(fmean(values))
        return {channel: fmean(of_channel) for channel, of_channel in means.items()}

    def part(self, part: str) -> float:
        """The mean over channels of the mean of prompt means."""
        return fmean(self.channel_means(part).values())

    def headlines(self, weights: Mapping[str, float], whole: "NaiveScore | None" = None) -> Answers:
        """The headline value of each answer. `whole` says how many channels measure what, and their means.

        An answer that cannot measure citation takes the value of its cell, or else that of its channel.
        """
        whole = whole or self
        channels = {seen.channel for seen in whole.answers}
        means = {part: whole.channel_means(part) for part in weights}
        known = {part: self.values(part) for part in weights}
        found: dict[CellKey, list[float]] = defaultdict(list)
        for seen in self.answers:
            key, total = (seen.prompt_id, seen.channel), 0.0
            for part, weight in weights.items():
                if seen.channel not in means[part]:
                    continue
                value = self.value(part, seen)
                if value is None:
                    value = fmean(known[part][key]) if key in known[part] else means[part][seen.channel]
                total += weight * len(channels) / len(means[part]) * value
            found[key].append(total)
        return found
