"""What each channel of a batch answered on each day, counted while the answers of the batch load."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime

from analytics.batches import ChannelAsks
from analytics.observation import Channel
from measurement.extraction.channel_facts import Domain, language_of, place_of
from measurement.extraction.observations import BatchObservations, channel_of, observe
from measurement.planning.brand_identity import BrandIdentity
from storage.repositories.answers.observed_answers import ObservedAnswer, ObservedMention
from storage.repositories.batches import BatchRow
from storage.repositories.channel_days import ChannelDayDraft
from storage.workspace import Workspace

NOT_ASKED = ChannelAsks(planned=0, valid=0)


@dataclass(slots=True)
class DayAnswers:
    """Answers of one channel on one day: how many there are, what they cite, and where the valid ones are from."""

    answers: int = 0
    domains: Counter[Domain] = field(default_factory=Counter[Domain])
    served_models: set[str] = field(default_factory=set[str])
    requested_models: set[str] = field(default_factory=set[str])
    places: set[str] = field(default_factory=set[str])
    languages: set[str] = field(default_factory=set[str])
    last_valid_at: datetime | None = None

    def count(self, answer: ObservedAnswer) -> None:
        """Count one answer."""
        self.answers += 1
        self.domains.update(answer.domains)
        if not answer.valid:
            return
        self.served_models.add(answer.served_model or "")
        self.requested_models.add(answer.requested_model)
        self.places.add(place_of(answer))
        self.languages.add(language_of(answer))
        if self.last_valid_at is None or answer.captured_at > self.last_valid_at:
            self.last_valid_at = answer.captured_at

    def domains_by_owner(self) -> dict[str, dict[str, int]]:
        """Return the number of answers that cite each domain, by owner class and domain, sorted by name."""
        by_owner: dict[str, dict[str, int]] = {}
        for domain, owner in sorted(self.domains):
            by_owner.setdefault(owner, {})[domain] = self.domains[domain, owner]
        return dict(sorted(by_owner.items()))


class ChannelDayCollector:
    """Counts the answers of a batch by channel and UTC day, added one page at a time in any order."""

    def __init__(self) -> None:
        self._days: dict[date, dict[Channel, DayAnswers]] = {}

    def add(self, answers: Sequence[ObservedAnswer], mentions: Sequence[ObservedMention]) -> None:
        """Add the next answers; their mentions do not matter."""
        for answer in answers:
            channels = self._days.setdefault(answer.captured_at.astimezone(UTC).date(), {})
            channels.setdefault(channel_of(answer), DayAnswers()).count(answer)

    def drafts(
        self, asked: Mapping[Channel, ChannelAsks], keys: Mapping[Channel, int]
    ) -> list[ChannelDayDraft]:
        """Return every asked channel on every day that has an answer of the batch, even if not of the channel."""
        return [
            draft_of(day, keys[channel], asked.get(channel, NOT_ASKED), channels.get(channel, DayAnswers()))
            for day, channels in sorted(self._days.items())
            for channel in sorted({*asked, *channels})
        ]

    def channels(self, asked: Mapping[Channel, ChannelAsks]) -> set[Channel]:
        """Return the channels of `drafts`."""
        return set(asked).union(*self._days.values())


def draft_of(day: date, channel_key: int, asks: ChannelAsks, answers: DayAnswers) -> ChannelDayDraft:
    """Return one channel on one day."""
    return ChannelDayDraft(
        day=day,
        channel_key=channel_key,
        degraded=asks.degraded,
        **asdict(asks),
        answers=answers.answers,
        served_models=sorted(answers.served_models),
        requested_models=sorted(answers.requested_models),
        places=sorted(answers.places),
        languages=sorted(answers.languages),
        last_valid_at=answers.last_valid_at,
        domains=answers.domains_by_owner(),
    )


@dataclass(frozen=True, slots=True)
class ReadBatch:
    """A batch to publish, and what its channels answered on each day."""

    observed: BatchObservations
    channel_days: ChannelDayCollector


async def read_batch(
    workspace: Workspace, identity: BrandIdentity, revision_key: int, batch: BatchRow
) -> ReadBatch:
    """Load a batch that this revision has read."""
    channel_days = ChannelDayCollector()
    observed = await observe(workspace, identity, revision_key, batch, channel_days.add)
    return ReadBatch(observed, channel_days)


async def channel_day_drafts(writing: Workspace, read: ReadBatch) -> list[ChannelDayDraft]:
    """Return the rows of a batch; a channel that brought no answer may have no key before."""
    asked, source = read.observed.batch.asked, read.observed.source.source
    channels = sorted(read.channel_days.channels(asked))
    keys = {
        channel: await writing.channels.key(channel.platform, channel.mode, source, channel.country)
        for channel in channels
    }
    return read.channel_days.drafts(asked, keys)


async def publish_totals(
    writing: Workspace,
    brand_key: int,
    revision_key: int,
    batch_key: int,
    days: Sequence[ChannelDayDraft],
) -> None:
    """Store the channel days of a batch and add its answers to the running totals; a repeated batch counts once."""
    again = await writing.channel_days.replace(revision_key, batch_key, days)
    answered = sorted({day.day for day in days if day.answers})
    await writing.running_totals.add(brand_key, revision_key, batch_key, answered, again=again)
