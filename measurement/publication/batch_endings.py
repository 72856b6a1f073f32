"""How the channels of a batch ended, and what people are told of those that did not answer as planned."""

from collections.abc import Sequence

from measurement.planning.brand_identity import BrandIdentity
from measurement.planning.engine_names import asking_words, platform_name
from measurement.publication.channel_health import ChannelProgress
from storage.repositories.asks import Progress
from storage.repositories.batches import BatchRow
from storage.repositories.notifications import AlikeDrafts, NotificationDraft

DEGRADED = 0.2


def end_of(progress: Progress | ChannelProgress) -> str:
    """Return how a simulation or a channel ended: degraded when more than a fifth of its asks failed."""
    if progress.stored == 0:
        return "failed"
    return "degraded" if progress.failed > DEGRADED * progress.total else "completed"


def troubles(identity: BrandIdentity, batch: BatchRow, channels: Sequence[ChannelProgress]) -> AlikeDrafts:
    """Return how the channels of a batch are told that did not answer as planned."""
    return AlikeDrafts(
        [trouble(identity, batch, channel) for channel in channels if end_of(channel) != "completed"],
        lambda count: f"{count} engines did not answer all questions about {identity.brand.name}",
        f"/brands/{identity.brand.id}",
    )


def trouble(identity: BrandIdentity, batch: BatchRow, progress: ChannelProgress) -> NotificationDraft:
    """Say that an engine did not answer as planned."""
    asking = asking_words(progress.platform, progress.mode, progress.country)
    asked = f"{platform_name(progress.platform)} ({asking})"
    return NotificationDraft(
        kind="system_alert",
        severity="warning",
        title=f"{platform_name(progress.platform)} answered {progress.stored} of {progress.total} questions",
        message=(
            f"{progress.failed} questions about {identity.brand.name} had no answer from {asked}. "
            "It is left out of the score when more than a fifth failed."
        ),
        dedup_key=f"system_alert:{batch.id}:{progress.platform}:{progress.mode}:{progress.country}",
        brand_key=identity.brand.key,
    )
