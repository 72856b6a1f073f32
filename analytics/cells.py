"""Cell means: the valid answers of one prompt in one channel, averaged once, so that draws are cheap."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import fsum

from analytics.intervals import mean
from analytics.observations import Channel, Observation


@dataclass(frozen=True, slots=True)
class _Gapped:
    """A channel that not every prompt has a cell in."""

    means: tuple[float, ...]
    present: tuple[int, ...]

    def mean(self, draw: Sequence[int]) -> float | None:
        cells = sum(map(self.present.__getitem__, draw))
        return fsum(map(self.means.__getitem__, draw)) / cells if cells else None


@dataclass(frozen=True, slots=True)
class Cells:
    """Cell means of one part, over prompts (by index) and the channels in which it is measured.

    `merged` is the sum over the `whole` channels that have a cell for each prompt: the mean of their means
    is linear, so they collapse into one column.
    """

    merged: tuple[float, ...]
    whole: int
    gapped: tuple[_Gapped, ...]
    answers: int

    def value(self, draw: Sequence[int]) -> float | None:
        """Mean over channels of the mean over drawn prompts, each with weight 1; None without a cell."""
        terms: list[float] = []
        channels = self.whole
        if self.whole:
            terms.append(fsum(map(self.merged.__getitem__, draw)) / len(draw))
        for channel in self.gapped:
            drawn = channel.mean(draw)
            if drawn is not None:
                terms.append(drawn)
                channels += 1
        if not channels:
            return None
        return (terms[0] if len(terms) == 1 else fsum(terms)) / channels


def cells(
    prompts: Sequence[str],
    observations: Iterable[Observation],
    value: Callable[[Observation], float | None],
) -> Cells:
    """Collect cell means; `value` gives 0-1 for one answer, None where the part is not measured."""
    found: dict[Channel, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    answers = 0
    for seen in observations:
        measured = value(seen)
        if measured is not None:
            found[seen.channel][seen.prompt_id].append(measured)
            answers += 1
    whole: list[dict[str, float]] = []
    gapped: list[_Gapped] = []
    for by_prompt in found.values():
        means = {prompt: mean(values) for prompt, values in by_prompt.items()}
        if len(means) == len(prompts):
            whole.append(means)
        else:
            column = tuple(means.get(prompt, 0.0) for prompt in prompts)
            gapped.append(_Gapped(column, tuple(int(prompt in means) for prompt in prompts)))
    merged = tuple(fsum(means[prompt] for means in whole) for prompt in prompts)
    return Cells(merged, len(whole), tuple(gapped), answers)
