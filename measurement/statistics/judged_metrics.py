"""Metrics of judged mentions of a brand, from the verdicts of the engine that judged them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from analytics.metric_names import MetricName
from analytics.metrics import JudgedSums, Metric, judged_metrics
from analytics.observation import Channel
from analytics.prompt_means import CellKey
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.answers.judgements import JudgedCount
from storage.repositories.brands import Brand
from storage.workspace import Workspace


@dataclass(frozen=True, slots=True)
class JudgedMentions:
    """The counts of judged mentions in some answers. `judges` are the methods, `judge/<model>/<digest>`."""

    counts: Sequence[JudgedCount]

    @property
    def judges(self) -> tuple[str, ...]:
        """The methods that judged these mentions, in order."""
        return tuple(sorted({count.method for count in self.counts}))

    def days(self) -> dict[date, "JudgedMentions"]:
        """Return the mentions of each day that has any, oldest first."""
        days = sorted({count.day for count in self.counts})
        return {day: self.where(lambda count, day=day: count.day == day) for day in days}

    def where(self, chosen: Callable[[JudgedCount], bool]) -> "JudgedMentions":
        """Return the mentions that are chosen."""
        return JudgedMentions([count for count in self.counts if chosen(count)])

    def metrics(self) -> dict[MetricName, Metric]:
        """Return sentiment and recommendation rate, without a value where no mention was judged."""
        cells: dict[CellKey, JudgedSums] = {}
        for count in self.counts:
            key = count.prompt_id, Channel(count.platform, count.mode, count.source, count.country)
            cells[key] = cells.get(key, JudgedSums()).plus(JudgedSums(*count.sums))
        return judged_metrics(cells)


async def load_judged(
    workspace: Workspace, brand: Brand, chosen: AnswerFilter, batch_ids: Sequence[str] | None = None
) -> JudgedMentions:
    """Return the judged mentions in the chosen answers, of some batches where they are given."""
    if brand.revision_key is None:
        return JudgedMentions(())
    counts = await workspace.judgements.counts(brand.key, brand.revision_key, chosen, batch_ids)
    return JudgedMentions(counts)
