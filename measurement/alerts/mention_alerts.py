"""Tells when engines begin to name a brand, put it among the first three, speak ill of it, or stop naming it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from measurement.observations import BatchObservations
from storage.repositories.answers.mention_history import MentionHistory
from storage.repositories.answers.observed_answers import ObservedMention
from storage.repositories.brands import Brand
from storage.repositories.notifications import NotificationDraft

WELL_RANKED = 3
LOST_AFTER = 5
"""Valid answers of one measurement on one platform without the brand, after which a mention counts as lost."""


def mention_alerts(
    brand: Brand, newest: BatchObservations, before: Mapping[str, MentionHistory], now: datetime
) -> Iterator[NotificationDraft]:
    """Compare a measurement with everything measured before it, platform by platform.

    Answers to prompts that name the brand themselves count for tone alone.
    """
    own_mentions = {mention.answer_key: mention for mention in newest.own_mentions if mention.named}
    answers: dict[str, list[ObservedMention | None]] = defaultdict(list)
    negative: set[str] = set()
    for answer in newest.answers:
        if not answer.valid:
            continue
        mention = own_mentions.get(answer.key)
        if mention is not None and mention.tone == "negative":
            negative.add(answer.platform)
        if not answer.branded:
            answers[answer.platform].append(mention)
    for platform, mentions in answers.items():
        yield from platform_alerts(brand, platform, mentions, before.get(platform))
    for platform in sorted(negative):
        yield alert(
            brand, platform, f"negative:{now.date().isoformat()}", "warning", "speaks of {brand} negatively"
        )


def platform_alerts(
    brand: Brand,
    platform: str,
    mentions: Sequence[ObservedMention | None],
    before: MentionHistory | None,
) -> Iterator[NotificationDraft]:
    """Return what is new on one platform."""
    named = [mention for mention in mentions if mention is not None]
    if named and before is None:
        yield alert(brand, platform, "first", "info", "names {brand} for the first time")
    if any(mention.rank is not None and mention.rank <= WELL_RANKED for mention in named) and (
        before is None or before.best_rank is None or before.best_rank > WELL_RANKED
    ):
        yield alert(brand, platform, "well_ranked", "info", "ranks {brand} among the first three")
    if before is not None and not named and len(mentions) >= LOST_AFTER:
        event = f"lost:{before.last_named_at.isoformat()}"
        yield alert(brand, platform, event, "warning", "does not name {brand} any more")


def alert(brand: Brand, platform: str, event: str, severity: str, words: str) -> NotificationDraft:
    """Return one notification; the same event of a brand on a platform is told once."""
    return NotificationDraft(
        kind="ai_mention",
        severity=severity,
        title=f"{platform} {words.format(brand=brand.name)}",
        message="The answers show the sentences.",
        dedup_key=f"ai_mention:{brand.id}:{platform}:{event}",
        brand_key=brand.key,
        path=f"/brands/{brand.id}/answers?platform={platform}",
    )
