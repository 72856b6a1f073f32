"""Step detection in a scheduled series: daily values give an early signal, weekly means confirm a change."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypeAlias

from analytics.intervals import mean
from analytics.monitoring import (
    DAILY,
    WEEKLY,
    NamedCount,
    Rhythm,
    StepEvidence,
    is_rarely_named,
    rare_step_evidence,
    step_evidence,
)
from analytics.observation import Channel
from analytics.paired_change import TOLERATED_MISSING

SUNDAY = 7


@dataclass(frozen=True, slots=True)
class Look:
    """One observation of fixed prompts and channels: headline (0-1), share missing, and answers naming the brand."""

    day: date
    value: float
    missing_share: float
    count: NamedCount


@dataclass(frozen=True, slots=True)
class WatchedSeries:
    """Observations of the same prompts, channels and parts; `channel` is None for all channels together."""

    name: str
    channel: Channel | None


@dataclass(frozen=True, slots=True)
class Alarm:
    """A step of `size` (-1 to 1) that starts with the observation of `since` and was detected on `seen`."""

    since: date
    seen: date
    size: float


@dataclass(frozen=True, slots=True)
class SeriesState:
    """The state of a series: alarms of its days are early signals, alarms of its weekly means are changes.

    `evidence` and `weekly_evidence` are those since the last alarm of their rhythm.
    """

    evidence: float
    weekly_evidence: float
    early_signals: tuple[Alarm, ...]
    changes: tuple[Alarm, ...]


_EvidenceOf: TypeAlias = Callable[[Sequence[Look], Rhythm], StepEvidence]


def watch_series(looks: Iterable[Look], series: int = 1) -> SeriesState:
    """Monitor one of `series` parallel series, skipping observations with over 3% of their answers missing."""
    kept = sorted(
        (look for look in looks if look.missing_share <= TOLERATED_MISSING), key=lambda look: look.day
    )
    evidence, signals = _alarms(kept, DAILY, series)
    weekly_evidence, changes = _alarms(weekly_looks(kept), WEEKLY, series)
    return SeriesState(evidence, weekly_evidence, signals, changes)


def weekly_looks(looks: Sequence[Look]) -> list[Look]:
    """Return the means of completed ISO weeks, each dated by its last observation, oldest first."""
    weeks: dict[tuple[int, int], list[Look]] = defaultdict(list)
    for look in looks:
        year, week, _ = look.day.isocalendar()
        weeks[year, week].append(look)
    newest = max(weeks, default=None)
    if newest is not None and weeks[newest][-1].day.isoweekday() != SUNDAY:
        del weeks[newest]
    return [_joined(weeks[week]) for week in sorted(weeks)]


def _joined(looks: Sequence[Look]) -> Look:
    return Look(
        day=looks[-1].day,
        value=mean([look.value for look in looks]),
        missing_share=mean([look.missing_share for look in looks]),
        count=NamedCount(sum(look.count.named for look in looks), sum(look.count.answers for look in looks)),
    )


def _alarms(looks: Sequence[Look], rhythm: Rhythm, series: int) -> tuple[float, tuple[Alarm, ...]]:
    """Return the evidence after the last observation and all alarms; the series restarts at the step of each alarm."""
    evidence_of: _EvidenceOf = _evidence
    if is_rarely_named([look.count for look in looks[: rhythm.first]]):
        evidence_of = _rare_evidence
    alarms: list[Alarm] = []
    start, evidence = 0, 1.0
    for end in range(1, len(looks) + 1):
        current = evidence_of(looks[start:end], rhythm)
        evidence = current.value
        if current.step is not None and current.is_alarm(series):
            alarms.append(Alarm(looks[start + current.step].day, looks[end - 1].day, current.size))
            start += current.step
            evidence = 1.0
    return evidence, tuple(alarms)


def _evidence(looks: Sequence[Look], rhythm: Rhythm) -> StepEvidence:
    return step_evidence([look.value for look in looks], rhythm)


def _rare_evidence(looks: Sequence[Look], rhythm: Rhythm) -> StepEvidence:
    return rare_step_evidence([look.count for look in looks], rhythm)
