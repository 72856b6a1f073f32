"""Alerts when engines first name a brand, rank it in the top three, or stop naming it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from measurement.extraction.channel_facts import ChannelSummary
from measurement.extraction.observations import BatchObservations
from measurement.planning.engine_names import platform_name
from storage.repositories.answers.mentions import MentionHistory
from storage.repositories.brands import Brand
from storage.repositories.notifications import AlikeDrafts, NotificationDraft

WELL_RANKED = 3
LOST_AFTER = 5
"""Valid answers without the brand, in one measurement on one platform, after which a mention counts as lost."""


@dataclass(frozen=True, slots=True)
class MentionEvent:
    """An event on a platform, with its severity and the wording for one and for several platforms."""

    name: str
    severity: str
    of_one: str
    of_several: str


FIRST = MentionEvent(
    "first", "info", "names {brand} for the first time", "{count} engines name {brand} for the first time"
)
WELL = MentionEvent(
    "well_ranked",
    "info",
    "ranks {brand} among the first three",
    "{count} engines rank {brand} among the first three",
)
LOST = MentionEvent(
    "lost", "warning", "does not name {brand} any more", "{count} engines do not name {brand} any more"
)


def mention_alerts(
    brand: Brand, newest: BatchObservations, before: Mapping[str, MentionHistory], now: datetime
) -> list[AlikeDrafts]:
    """Compare a measurement with all earlier ones, and group the same event on several platforms.

    Answers to prompts that name the brand do not count.
    """
    by_event: dict[MentionEvent, list[NotificationDraft]] = defaultdict(list)
    for event, draft in platform_events(brand, newest, before, now):
        by_event[event].append(draft)
    return [mention_notifications(brand, event, drafts) for event, drafts in by_event.items()]


def mention_notifications(
    brand: Brand, event: MentionEvent, drafts: Sequence[NotificationDraft]
) -> AlikeDrafts:
    """Group the notifications for one event on several platforms."""
    return AlikeDrafts(
        drafts,
        lambda count: event.of_several.format(count=count, brand=brand.name),
        f"/brands/{brand.id}/answers",
    )


def platform_events(
    brand: Brand, newest: BatchObservations, before: Mapping[str, MentionHistory], now: datetime
) -> Iterator[tuple[MentionEvent, NotificationDraft]]:
    """Yield every event of a measurement, each with its own notification."""
    platforms: dict[str, list[ChannelSummary]] = defaultdict(list)
    for channel, summary in newest.channels.items():
        platforms[channel.platform].append(summary)
    for platform, summaries in platforms.items():
        yield from platform_alerts(brand, platform, summaries, before.get(platform))


def platform_alerts(
    brand: Brand,
    platform: str,
    summaries: Sequence[ChannelSummary],
    before: MentionHistory | None,
) -> Iterator[tuple[MentionEvent, NotificationDraft]]:
    """Yield the new events on one platform, based on the answers of each of its channels."""
    names_brand = any(summary.namings for summary in summaries)
    ranks = [summary.best_rank for summary in summaries if summary.best_rank is not None]
    if names_brand and before is None:
        yield FIRST, alert(brand, platform, FIRST)
    if any(rank <= WELL_RANKED for rank in ranks) and (
        before is None or before.best_rank is None or before.best_rank > WELL_RANKED
    ):
        yield WELL, alert(brand, platform, WELL)
    if (
        before is not None
        and not names_brand
        and sum(summary.unprompted for summary in summaries) >= LOST_AFTER
    ):
        yield LOST, alert(brand, platform, LOST, before.last_named_at.isoformat())


def alert(brand: Brand, platform: str, event: MentionEvent, since: str | None = None) -> NotificationDraft:
    """Return one notification; the same brand, platform and event notify once, or once per `since`."""
    return NotificationDraft(
        kind="ai_mention",
        severity=event.severity,
        title=f"{platform_name(platform)} {event.of_one.format(brand=brand.name)}",
        message="The answers show the sentences.",
        dedup_key=f"ai_mention:{brand.id}:{platform}:{event.name}{f':{since}' if since else ''}",
        brand_key=brand.key,
        path=f"/brands/{brand.id}/answers?platform={platform}",
    )
