"""Daily metrics under any filter: a brand and its competitors day by day, computed from stored readings."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date

import anyio.to_thread

from analytics.metric_names import MetricName
from analytics.metrics import Metric, metrics
from analytics.observation import Channel, Observation
from analytics.rankings import rank
from analytics.score import score
from measurement.brand_identity import BRAND_KEY, BrandIdentity, identify
from measurement.observations import channel_of, observation
from measurement.period_comparison import PeriodRows, degraded_channels, newest_answers
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.answers.period_readings import PeriodAnswer
from storage.repositories.answers.readings import ObservedMention
from storage.repositories.brands import Brand
from storage.workspace import Workspace

OTHER = "other"
"""A served model that the engine did not name."""


@dataclass(frozen=True, slots=True)
class DayMetrics:
    """One UTC day: the six metrics of every entity by its name, and the batches that have answers of it."""

    day: date
    own: Mapping[MetricName, Metric]
    competitors: Mapping[str, Mapping[MetricName, Metric]]
    batch_keys: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ModelChange:
    """The first day on which a platform served a model that it did not serve before in the period."""

    day: date
    platform: str
    model: str


@dataclass(frozen=True, slots=True)
class DailyMetrics:
    """Days with an answer, oldest first; `cut` when there are more answers than are read."""

    days: tuple[DayMetrics, ...]
    model_changes: tuple[ModelChange, ...]
    cut: bool


async def load_daily_metrics(
    workspace: Workspace, brand: Brand, chosen: AnswerFilter, *, competitors: bool
) -> DailyMetrics:
    """Compute the metrics of each day from the newest answers that a filter chooses, in a thread.

    With `competitors` every tracked one is measured on the same answers; its visibility score is that of the
    ranking, over the parts that all of them have.
    """
    if brand.revision_key is None:
        return DailyMetrics((), (), False)
    identity = await identify(workspace, brand)
    answers, cut = await newest_answers(workspace, brand, chosen)
    batches = sorted({row.answer.batch_key for row in answers})
    rows = PeriodRows(answers, (), await workspace.period_readings.settled(batches), cut)
    others: list[ObservedMention] = []
    if competitors:
        keys = [row.answer.key for row in answers]
        others = await workspace.period_readings.competitor_mentions(brand.revision_key, keys)
    return await anyio.to_thread.run_sync(compute_daily_metrics, identity, rows, others, competitors)


def compute_daily_metrics(
    identity: BrandIdentity, rows: PeriodRows, others: Sequence[ObservedMention], competitors: bool
) -> DailyMetrics:
    """Compute each day from what is stored; pure. `others` are the competitors' mentions."""
    mentions = {(mention.answer_key, mention.entity_key): mention for mention in others}
    degraded = degraded_channels(rows)
    by_day: dict[date, list[PeriodAnswer]] = defaultdict(list)
    for row in rows.answers:
        by_day[row.answer.captured_at.astimezone(UTC).date()].append(row)
    days: list[DayMetrics] = []
    for day, answers in sorted(by_day.items()):
        days.append(_day_metrics(identity, day, answers, mentions, degraded, competitors))
    return DailyMetrics(tuple(days), tuple(find_model_changes(rows.answers)), rows.cut)


def _day_metrics(
    identity: BrandIdentity,
    day: date,
    answers: Sequence[PeriodAnswer],
    mentions: Mapping[tuple[int, int], ObservedMention],
    degraded: Mapping[int, frozenset[Channel]],
    competitors: bool,
) -> DayMetrics:
    valid = [row for row in answers if row.answer.valid]
    kept = [row for row in valid if channel_of(row.answer) not in degraded.get(row.answer.batch_key, ())]
    observed = {
        entity.id: [
            observation(
                row.answer,
                row.mention if entity.key == BRAND_KEY else mentions.get((row.answer.key, entity.key)),
                entity.key,
                bool(entity.sites),
            )
            for row in kept
        ]
        for entity in identity.named
        if competitors or entity.key == BRAND_KEY
    }
    own = identity.brand.id
    has_site = any(entity.sites for entity in identity.named if entity.key == BRAND_KEY)
    every = [observation(row.answer, row.mention, BRAND_KEY, has_site) for row in valid]
    names = {entity.id: entity.name for entity in identity.named if entity.id != own}
    return DayMetrics(
        day=day,
        own=metrics(own, observed, every, score(own, observed[own], identity.fingerprint)),
        competitors=_competitor_metrics(identity, names, observed) if competitors else {},
        batch_keys=tuple(sorted({row.answer.batch_key for row in answers})),
    )


def _competitor_metrics(
    identity: BrandIdentity, names: Mapping[str, str], observed: Mapping[str, Sequence[Observation]]
) -> dict[str, dict[MetricName, Metric]]:
    """Return the metrics of each competitor by name; the score is comparable with the ranking's."""
    ranked = {row.entity: row for row in rank(identity.brand.id, observed, identity.fingerprint).rows}
    measured: dict[str, dict[MetricName, Metric]] = {}
    for entity, name in names.items():
        values = metrics(
            entity, observed, observed[entity], score(entity, observed[entity], identity.fingerprint)
        )
        row = ranked.get(entity)
        values[MetricName.VISIBILITY_SCORE] = Metric(
            row.score if row else None,
            len(observed[entity]),
            row.intervals if row else None,
            None if row else "not_ranked",
        )
        measured[name] = values
    return measured


def find_model_changes(answers: Sequence[PeriodAnswer]) -> list[ModelChange]:
    """Return the models that were first served after the first day of their platform, oldest first."""
    first: dict[str, date] = {}
    served: dict[tuple[str, str], date] = {}
    for row in sorted(answers, key=lambda row: row.answer.captured_at):
        if not row.answer.valid:
            continue
        day = row.answer.captured_at.astimezone(UTC).date()
        first.setdefault(row.answer.platform, day)
        served.setdefault((row.answer.platform, row.answer.served_model or OTHER), day)
    changes = [
        ModelChange(day, platform, model)
        for (platform, model), day in served.items()
        if day > first[platform] and model != OTHER
    ]
    return sorted(changes, key=lambda change: (change.day, change.platform, change.model))
