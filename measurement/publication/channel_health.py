"""Health of each channel of a batch: its outcome, whether it behaves as before, and related notifications."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum

from measurement.extraction.channel_facts import is_cut_off
from measurement.extraction.observations import BatchObservations
from measurement.planning.brand_identity import BrandIdentity
from measurement.planning.engine_names import asking_words, platform_name
from storage.repositories.answers.observed_answers import ObservedAnswer
from storage.repositories.asks import Progress
from storage.repositories.batches import BatchRow
from storage.repositories.health import ChannelHealthRow
from storage.repositories.notifications import AlikeDrafts, NotificationDraft
from storage.workspace import Workspace

FAILED_SHARE = 0.2
CITING, SILENT = 0.5, 0.05
SEARCH_DROP = 0.2
NO_CREDENTIAL = frozenset({"provider_auth", "provider_not_configured"})
DEGRADED = 0.2
REFUSALS = {
    "provider_not_configured": "has no credential",
    "provider_auth": "rejects the credential",
    "provider_quota": "has no quota left",
}
"""Failures of an engine that only a user can fix."""
PLACE = "/settings/engines"


class Alert(StrEnum):
    """A reason to suspect the measurement rather than the brand."""

    FAILURES = "failures"
    CITATIONS_VANISHED = "citations_vanished"
    SEARCHES_DROPPED = "searches_dropped"
    SERVED_MODEL_CHANGED = "served_model_changed"
    NO_CREDENTIAL = "no_credential"
    TRUNCATED = "truncated"


@dataclass(frozen=True, slots=True)
class ChannelHealth:
    """One channel in one batch, in counts of requests and answers; `median_latency_ms` is None without answers."""

    planned: int
    failed: int
    refused: int
    valid: int
    answered: int
    searched: int
    measurable: int
    citing: int
    truncated: int
    served_models: tuple[str, ...]
    median_latency_ms: int | None
    no_credential: bool

    @property
    def failed_share(self) -> float | None:
        """Share of the planned requests that failed."""
        return share(self.failed, self.planned)

    @property
    def truncated_share(self) -> float | None:
        """Share of the planned requests whose answer was cut off."""
        return share(self.truncated, self.planned)

    @property
    def search_rate(self) -> float | None:
        """Share of the answers that searched; meaningful in mode `readiness` only."""
        return share(self.searched, self.answered)

    @property
    def citation_share(self) -> float | None:
        """Share of the answers with known citations that cite anything."""
        return share(self.citing, self.measurable)


@dataclass(frozen=True, slots=True)
class ChannelProgress:
    """Request counts of one channel of a batch by state, across all prompt sets."""

    platform: str
    mode: str
    country: str
    total: int
    stored: int
    failed: int


TOLD = {
    Alert.CITATIONS_VANISHED: "cites nothing any more",
    Alert.SEARCHES_DROPPED: "searches much less than before",
    Alert.SERVED_MODEL_CHANGED: "serves another model",
    Alert.NO_CREDENTIAL: "had no working credential twice in a row",
    Alert.TRUNCATED: "stops in the middle of its answers",
}
"""Wording of each alert. Failures are reported with the session that failed."""


async def check(
    writing: Workspace,
    identity: BrandIdentity,
    batch: BatchRow,
    newest: BatchObservations,
    channels: Sequence[ChannelProgress],
    now: datetime,
) -> None:
    """Store the health of a batch's channels and add alerts, in the transaction that publishes it."""
    brand_key = identity.brand.key
    before = {channel_key(row): row for row in await writing.health.latest(brand_key)}
    refused = {
        platform for platform, code, _, _ in await writing.asks.errors(batch.key) if code in NO_CREDENTIAL
    }
    rows: list[dict[str, object]] = []
    suspicious: dict[Alert, list[NotificationDraft]] = defaultdict(list)
    for channel in channels:
        health = health_of(channel, newest, no_credential=channel.stored == 0 and channel.platform in refused)
        former = before.get(channel_key(channel))
        suspicions = alerts(health, stored_health(former) if former else None)
        place = {"platform": channel.platform, "mode": channel.mode, "country": channel.country}
        rows.append({**place, **asdict(health), "alerts": [str(alert) for alert in suspicions]})
        for alert in suspicions:
            if alert in TOLD:
                suspicious[alert].append(health_alert(identity, batch, channel, alert))
    for alert, drafts in suspicious.items():
        await writing.notifications.add_alike(health_notifications(identity, alert, drafts), now)
    await writing.health.add(brand_key, batch.key, rows, now)


def health_notifications(
    identity: BrandIdentity, alert: Alert, drafts: Sequence[NotificationDraft]
) -> AlikeDrafts:
    """Group the notifications for one alert in several channels of a measurement."""
    name = identity.brand.name
    return AlikeDrafts(
        drafts,
        lambda count: f"{count} channels of {name} may have changed: each {TOLD[alert]}",
        f"/brands/{identity.brand.id}",
    )


def channel_key(
    row: Progress | ChannelProgress | ChannelHealthRow | ObservedAnswer,
) -> tuple[str, str, str]:
    """Return the platform, mode and country."""
    return row.platform, row.mode, row.country


def by_channel(simulations: Sequence[Progress]) -> list[ChannelProgress]:
    """Add up the simulations of a batch that use the same channel, one for each prompt set."""
    channels: dict[tuple[str, str, str], list[Progress]] = {}
    for simulation in simulations:
        channels.setdefault(channel_key(simulation), []).append(simulation)
    return [
        ChannelProgress(
            *channel,
            total=sum(simulation.total for simulation in simulations),
            stored=sum(simulation.stored for simulation in simulations),
            failed=sum(simulation.failed for simulation in simulations),
        )
        for channel, simulations in channels.items()
    ]


def health_of(progress: ChannelProgress, newest: BatchObservations, *, no_credential: bool) -> ChannelHealth:
    """Return the health of one channel of a batch."""
    place = channel_key(progress)
    answers = [answer for answer in newest.answers if channel_key(answer) == place]
    known = [answer for answer in answers if answer.measurable]
    return ChannelHealth(
        planned=progress.total,
        failed=progress.failed,
        refused=sum(answer.status == "refused" for answer in answers),
        valid=sum(answer.valid for answer in answers),
        answered=len(answers),
        searched=sum(answer.retrieval == "searched" for answer in answers),
        measurable=len(known),
        citing=sum(bool(answer.domains) for answer in known),
        truncated=sum(is_cut_off(answer) for answer in answers),
        served_models=tuple(sorted({answer.served_model for answer in answers if answer.served_model})),
        median_latency_ms=median([answer.latency_ms for answer in answers]),
        no_credential=no_credential,
    )


def stored_health(row: ChannelHealthRow) -> ChannelHealth:
    """Return a stored health for comparison."""
    return ChannelHealth(
        planned=row.planned,
        failed=row.failed,
        refused=row.refused,
        valid=row.valid,
        answered=row.answered,
        searched=row.searched,
        measurable=row.measurable,
        citing=row.citing,
        truncated=row.truncated,
        served_models=tuple(row.served_models),
        median_latency_ms=row.median_latency_ms,
        no_credential=row.no_credential,
    )


def health_alert(
    identity: BrandIdentity, batch: BatchRow, progress: ChannelProgress, alert: Alert
) -> NotificationDraft:
    """Return the notification that the measurement may have changed rather than the brand."""
    asking = asking_words(progress.platform, progress.mode, progress.country)
    asked = f"{platform_name(progress.platform)} ({asking})"
    return NotificationDraft(
        kind="system_alert",
        severity="warning",
        title=f"{asked} {TOLD[alert]}",
        message=(
            f"A change of {identity.brand.name} there may be the engine's or ours, and not the brand's. "
            "Its numbers are shown as degraded until a measurement is as before."
        ),
        dedup_key=f"system_alert:health:{batch.id}:{':'.join(channel_key(progress))}:{alert}",
        brand_key=identity.brand.key,
    )


def share(part: int, whole: int) -> float | None:
    """Return a fraction, or None if the whole is 0."""
    return part / whole if whole else None


def alerts(now: ChannelHealth, before: ChannelHealth | None) -> list[Alert]:
    """Return the alerts for a channel, given its health in the previous batch."""
    alerts: list[Alert] = []
    if (now.failed_share or 0.0) > FAILED_SHARE:
        alerts.append(Alert.FAILURES)
    if (now.truncated_share or 0.0) > FAILED_SHARE:
        alerts.append(Alert.TRUNCATED)
    if before is None:
        return alerts
    if now.no_credential and before.no_credential:
        alerts.append(Alert.NO_CREDENTIAL)
    same_model = now.served_models == before.served_models
    if now.served_models and before.served_models and not same_model:
        alerts.append(Alert.SERVED_MODEL_CHANGED)
    if same_model and dropped_below(before.citation_share, now.citation_share, CITING, SILENT):
        alerts.append(Alert.CITATIONS_VANISHED)
    if dropped(before.search_rate, now.search_rate):
        alerts.append(Alert.SEARCHES_DROPPED)
    return alerts


def dropped_below(before: float | None, now: float | None, from_least: float, to_less: float) -> bool:
    """Return whether a share fell from at least one bound to below another."""
    return before is not None and now is not None and before >= from_least and now < to_less


def dropped(before: float | None, now: float | None) -> bool:
    """Return whether a rate is at least 20 points lower than before, allowing for rounding."""
    return before is not None and now is not None and before - now >= SEARCH_DROP - 1e-9


def median(values: Sequence[int]) -> int | None:
    """Return the median, or the lower of two middle values; None without values."""
    return sorted(values)[(len(values) - 1) // 2] if values else None


def end_of(progress: Progress | ChannelProgress) -> str:
    """Return the outcome of a simulation or channel; it is degraded if more than a fifth of its requests failed."""
    if progress.stored == 0:
        return "failed"
    return "degraded" if progress.failed > DEGRADED * progress.total else "completed"


def troubles(identity: BrandIdentity, batch: BatchRow, channels: Sequence[ChannelProgress]) -> AlikeDrafts:
    """Group the notifications for the channels of a batch that did not answer as planned."""
    return AlikeDrafts(
        [trouble(identity, batch, channel) for channel in channels if end_of(channel) != "completed"],
        lambda count: f"{count} engines did not answer all prompts about {identity.brand.name}",
        f"/brands/{identity.brand.id}",
    )


def trouble(identity: BrandIdentity, batch: BatchRow, progress: ChannelProgress) -> NotificationDraft:
    """Return the notification that an engine did not answer as planned."""
    asking = asking_words(progress.platform, progress.mode, progress.country)
    asked = f"{platform_name(progress.platform)} ({asking})"
    return NotificationDraft(
        kind="system_alert",
        severity="warning",
        title=f"{platform_name(progress.platform)} answered {progress.stored} of {progress.total} requests",
        message=(
            f"{progress.failed} requests about {identity.brand.name} had no answer from {asked}. "
            "An engine is excluded from the score when more than a fifth of its requests fail."
        ),
        dedup_key=f"system_alert:{batch.id}:{progress.platform}:{progress.mode}:{progress.country}",
        brand_key=identity.brand.key,
    )


def engines_refused(codes: Mapping[str, str], now: datetime) -> AlikeDrafts:
    """Group the notifications for platforms that failed in one measurement, each with its code, once a day."""
    return AlikeDrafts(
        [engine_refused(platform, code, now) for platform, code in codes.items()],
        lambda count: f"{count} engines do not answer until this is fixed",
        PLACE,
    )


def engine_refused(platform: str, code: str, now: datetime) -> NotificationDraft:
    """Return the daily notification that a platform's credential is missing, rejected or exhausted."""
    return NotificationDraft(
        kind="system_alert",
        severity="warning",
        title=f"{platform_name(platform)} {REFUSALS[code]}",
        message="Nothing is measured there until this is fixed. Check the engine's account and its key.",
        dedup_key=f"system_alert:engine:{platform}:{now.date().isoformat()}",
        path=PLACE,
    )
