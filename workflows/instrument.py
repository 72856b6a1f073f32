"""Watches the instrument: keeps how each channel of a batch behaved, and tells when its numbers are doubtful."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

from analytics.health import Alert, Health, alerts, median
from storage.repositories.asks import Progress
from storage.repositories.batches import Batch
from storage.repositories.health import ChannelHealth
from storage.repositories.notifications import NotificationDraft
from storage.workspace import Workspace
from workflows.identity import Identity
from workflows.observing import Observed

NO_CREDENTIAL = frozenset({"provider_auth", "provider_not_configured"})
TOLD = {
    Alert.CITATIONS_VANISHED: "cites nothing any more",
    Alert.SEARCHES_DROPPED: "searches much less than before",
    Alert.SERVED_MODEL_CHANGED: "serves another model",
    Alert.NO_CREDENTIAL: "had no working credential twice in a row",
}
"""Failures are told of with the session that failed."""


async def check(
    writing: Workspace,
    identity: Identity,
    batch: Batch,
    newest: Observed,
    standing: Sequence[Progress],
    now: datetime,
) -> None:
    """Store the health of a batch's channels and tell of what is suspicious, in the transaction that publishes it."""
    brand_key = identity.brand.key
    before = {(one.platform, one.mode): one for one in await writing.health.latest(brand_key)}
    refused = {
        platform for platform, code, _, _ in await writing.asks.errors(batch.key) if code in NO_CREDENTIAL
    }
    rows: list[dict[str, object]] = []
    for one in standing:
        health = health_of(one, newest, no_credential=one.stored == 0 and one.platform in refused)
        former = before.get((one.platform, one.mode))
        found = alerts(health, stored_health(former) if former else None)
        place = {"platform": one.platform, "mode": one.mode}
        rows.append({**place, **asdict(health), "alerts": [str(alert) for alert in found]})
        for alert in found:
            if alert in TOLD:
                await writing.notifications.add(doubt(identity, batch, one, alert), now)
    await writing.health.add(brand_key, batch.key, rows, now)


def health_of(progress: Progress, newest: Observed, *, no_credential: bool) -> Health:
    """Return how one channel of a batch behaved."""
    place = (progress.platform, progress.mode)
    answers = [one for one in newest.answers if (one.platform, one.mode) == place]
    known = [one for one in answers if one.measurable]
    return Health(
        planned=progress.total,
        failed=progress.failed,
        refused=sum(one.status == "refused" for one in answers),
        valid=sum(one.valid for one in answers),
        answered=len(answers),
        searched=sum(one.retrieval == "searched" for one in answers),
        measurable=len(known),
        citing=sum(bool(one.domains) for one in known),
        served_models=tuple(sorted({one.served_model for one in answers if one.served_model})),
        median_latency_ms=median([one.latency_ms for one in answers]),
        no_credential=no_credential,
    )


def stored_health(one: ChannelHealth) -> Health:
    """Return a stored health for comparing."""
    return Health(
        planned=one.planned,
        failed=one.failed,
        refused=one.refused,
        valid=one.valid,
        answered=one.answered,
        searched=one.searched,
        measurable=one.measurable,
        citing=one.citing,
        served_models=tuple(one.served_models),
        median_latency_ms=one.median_latency_ms,
        no_credential=one.no_credential,
    )


def doubt(identity: Identity, batch: Batch, progress: Progress, alert: Alert) -> NotificationDraft:
    """Say that the instrument may have changed, not the brand."""
    return NotificationDraft(
        kind="system_alert",
        severity="warning",
        title=f"{progress.platform}/{progress.mode} {TOLD[alert]}",
        message=(
            f"A change of {identity.brand.name} there may be the engine's or ours, and not the brand's. "
            "get_platform_metrics shows the channel as degraded until a batch is as before."
        ),
        dedup_key=f"system_alert:health:{batch.id}:{progress.platform}:{progress.mode}:{alert}",
        brand_key=identity.brand.key,
    )
