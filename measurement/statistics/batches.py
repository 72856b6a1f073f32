"""The batches of a filter from precomputed daily documents, without reading any single answer."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta

from analytics.batches import AnswerBatch, ChannelAsks, rated_by_prompt
from analytics.observation import Channel, Observation
from measurement.extraction.channel_facts import ChannelFacts
from measurement.extraction.observations import TONES
from measurement.planning.brand_identity import BRAND_KEY, BrandIdentity
from measurement.publication.days import ChosenCells, LaidOutDay
from measurement.publication.readings import AlikeReading, OwnReading, ReadingCounts
from measurement.statistics.choices import Choice, has_channel
from measurement.statistics.kept_days import kept_day
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.batch_cells import StoredCells
from storage.repositories.brands import Brand, EntityNames
from storage.repositories.prompt_results import AskedPrompt
from storage.workspace import Workspace

INSTANT = timedelta(microseconds=1)
FIRST_DAY, LAST_DAY = date(1970, 1, 1), date(9999, 12, 31)
EVER = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class LaidOutBatch:
    """One batch from its precomputed daily documents, limited to the chosen days."""

    key: int
    id: str
    days: Sequence[LaidOutDay]

    @property
    def asked(self) -> Mapping[Channel, ChannelAsks]:
        """Request outcomes by channel."""
        return self.days[0].asked

    def degraded_in(
        self, counts: Iterable[Mapping[AlikeReading, int] | Mapping[OwnReading, int]]
    ) -> frozenset[Channel]:
        """Return the channels that lost too many requests, counting cut-off answers only from `counts`.

        A filter leaves fewer cut-off answers, so nothing is left out of a batch that has lost too few.
        """
        if not any(asks.degraded for asks in self.asked.values()):
            return frozenset()
        cut_off: Counter[Channel] = Counter()
        for some in counts:
            for reading, count in some.items():
                cut_off[reading.channel] += count * reading.words.cut_off
        return frozenset(
            channel
            for channel, asks in self.asked.items()
            if replace(asks, truncated=cut_off[channel]).degraded
        )


@dataclass(frozen=True, slots=True)
class ChosenBatch:
    """The part of a batch that a filter leaves, for the statistics, with facts beside its extraction results.

    For a precomputed batch, `counts` holds its answers by extraction result, and `newest_valid` the instant
    of the newest valid one of each channel if that was read. It has no observations before
    `observe_together`.
    """

    batch: AnswerBatch
    facts: Mapping[Channel, ChannelFacts]
    answers: int
    counts: ReadingCounts = field(default_factory=dict[AlikeReading, int])
    newest_valid: Mapping[Channel, datetime] = field(default_factory=dict[Channel, datetime])


@dataclass(frozen=True, slots=True)
class LaidOutAnswers:
    """What precomputed answers have in common: the prompts that they belong to."""

    asked: dict[str, AskedPrompt] = field(default_factory=dict[str, AskedPrompt])

    def is_custom(self, reading: AlikeReading) -> bool:
        """Return whether a question was asked outside a prompt set; for imported answers this is always False."""
        return self.asked[reading.prompt_id].set_id is None and reading.channel.source != "import"

    def is_rated(self, reading: AlikeReading) -> bool:
        """Return whether rates of the brand count the answers with this extraction result."""
        return reading.words.valid and not reading.words.branded and not self.is_custom(reading)


def holds_whole_days(chosen: AnswerFilter) -> bool:
    """Return whether a filter covers whole UTC days: its period begins and ends at midnight, or is open there."""
    return all(
        instant.astimezone(UTC).time() == time()
        for instant in (chosen.since, chosen.until)
        if instant is not None
    )


def days_of(chosen: AnswerFilter) -> tuple[date, date]:
    """Return the first and the last UTC day of a filter of whole days."""
    since, until = chosen.since, chosen.until
    return (
        since.astimezone(UTC).date() if since else FIRST_DAY,
        (until - INSTANT).astimezone(UTC).date() if until else LAST_DAY,
    )


async def is_laid_out(workspace: Workspace, brand: Brand, chosen: AnswerFilter) -> bool:
    """Return whether a filter covers whole days, and everything measured in them is precomputed."""
    if not holds_whole_days(chosen):
        return False
    assert brand.revision_key is not None
    first, _ = days_of(chosen)
    return not await workspace.batch_cells.not_laid_out(brand.key, brand.revision_key, 1, begin_of(first))


def begin_of(day: date) -> datetime:
    """Return the first instant of a UTC day."""
    return datetime.combine(day, time(), UTC)


def read_batches(stored: Iterable[StoredCells]) -> list[LaidOutBatch]:
    """Parse documents in the order of their batches. One that is not cached takes 1 ms for 300 answers."""
    batches: dict[int, tuple[str, list[LaidOutDay]]] = {}
    for cells in stored:
        batches.setdefault(cells.batch_key, (cells.batch_id, []))[1].append(kept_day(cells))
    return [LaidOutBatch(key, batch_id, days) for key, (batch_id, days) in batches.items()]


def prompts_of(batches: Iterable[LaidOutBatch]) -> set[str]:
    """Return the IDs of the prompts that some batches have answers to."""
    plans = {day.prompts for batch in batches for day in batch.days}  # nearly all days have the same prompts
    return {prompt_id for plan in plans for prompt_id, _ in plan}


def choose_of_batch(
    batch: LaidOutBatch,
    chosen: AnswerFilter,
    choice: Choice,
    answers: LaidOutAnswers,
    *,
    with_facts: bool,
    with_times: bool,
) -> ChosenBatch | None:
    """Return what a filter leaves of a batch, regardless of time; None if it leaves nothing.

    Facts beside the extraction results are read only `with_facts`, and answer times only `with_times` or with
    facts, because both are in the larger part of the daily documents. Otherwise, the batch has the date of
    its first day.

    Request outcomes concern the whole channel, whatever prompts and days are chosen: a channel that lost too
    many answers is left out here as everywhere.
    """
    counts = Counter[AlikeReading]()
    facts: dict[Channel, ChannelFacts] = {}
    newest = begin_of(batch.days[0].day)
    newest_valid: dict[Channel, datetime] = {}
    for day in batch.days:
        cells = choice.cells(day)
        day.count(cells, counts)
        if with_facts or with_times:
            newest = max(newest, _read_cells(day, cells, newest_valid, facts if with_facts else None))
    if not counts:
        return None
    left = AnswerBatch(
        id=batch.id,
        captured_at=newest,
        asked={channel: asks for channel, asks in batch.asked.items() if has_channel(chosen, channel)},
        observations={},
    )
    if with_facts:
        count_looks(facts, counts, answers, set(left.degraded))
    return ChosenBatch(left, facts, sum(counts.values()), counts, newest_valid)


def _read_cells(
    day: LaidOutDay,
    cells: ChosenCells,
    newest_valid: dict[Channel, datetime],
    facts: dict[Channel, ChannelFacts] | None,
) -> datetime:
    """Read chosen cells into `newest_valid` and `facts`; return when the newest answer came, or `EVER`."""
    last = -1
    valid: dict[int, int] = {}
    for cell in cells:
        read, channel = day.facts(cell), cell % len(day.channels)
        if read is None:
            continue
        last = max(last, read.newest)
        if read.newest_valid is not None:
            valid[channel] = max(valid.get(channel, 0), read.newest_valid)
        if facts is not None:
            read.add_to(facts.setdefault(day.channels[channel], ChannelFacts()))
    for channel, instant in valid.items():
        through = day.channels[channel]
        newest_valid[through] = max(newest_valid.get(through, EVER), day.instant(instant))
    return EVER if last < 0 else day.instant(last)


def count_looks(
    facts: Mapping[Channel, ChannelFacts],
    counts: ReadingCounts,
    answers: LaidOutAnswers,
    degraded: Collection[Channel],
) -> None:
    """Count a batch's answers and served models, and the AI surface observations that rates include."""
    for reading, count in counts.items():
        of_channel, words = facts[reading.channel], reading.words
        of_channel.answers += count
        if words.served_model:
            of_channel.served_models.add(words.served_model)
        if words.branded or reading.channel in degraded or answers.is_custom(reading):
            continue
        of_channel.shown += count * words.valid
        of_channel.not_shown += count * words.not_shown
        if reading.own.own.named:
            of_channel.named += count * words.valid


def rated_of_batch(chosen: ChosenBatch, answers: LaidOutAnswers, brand_id: str) -> Counter[str]:
    """Count by prompt ID the answers of a batch that rate the brand, without degraded channels."""
    rated = rated_by_prompt([chosen.batch], brand_id)
    degraded = set(chosen.batch.degraded)
    for reading, count in chosen.counts.items():
        if reading.channel not in degraded and answers.is_rated(reading):
            rated[reading.prompt_id] += count
    return rated


def observe_together(
    identity: BrandIdentity, chosen: Sequence[ChosenBatch], answers: LaidOutAnswers
) -> list[ChosenBatch]:
    """Return these batches, some of them with observations: one for all answers that read alike.

    The statistics take batches together, and depend only on whether a channel is degraded in its batch. For
    each channel, the first batch in which it is degraded and the first in which it is not therefore hold the
    answers of all batches.
    """
    holders: dict[tuple[Channel, bool], int] = {}
    observed = list(chosen)
    held: list[dict[AlikeReading, int]] = [{} for _ in chosen]
    newest: dict[Channel, datetime] = {}
    for number, of_batch in enumerate(chosen):
        degraded = set(of_batch.batch.degraded)
        for channel, instant in of_batch.newest_valid.items():
            newest[channel] = max(newest.get(channel, instant), instant)
        for reading, count in of_batch.counts.items():
            channel = reading.channel
            counts = held[holders.setdefault((channel, channel in degraded), number)]
            counts[reading] = counts.get(reading, 0) + count
    for number, of_batch in enumerate(chosen):
        if counts := held[number]:
            observations = observe_counts(
                identity.named, of_batch.batch.id, counts, answers.is_custom, newest
            )
            observed[number] = replace(of_batch, batch=replace(of_batch.batch, observations=observations))
    return observed


def observe_counts(
    entities: Sequence[EntityNames],
    origin: str,
    counts: ReadingCounts,
    is_custom: Callable[[AlikeReading], bool],
    newest: Mapping[Channel, datetime],
) -> dict[str, list[Observation]]:
    """Return an observation of every entity for each valid extraction result, by the entity's ID.

    Instead of an answer ID, each result has a unique name that begins with its origin.
    """
    observations: dict[str, list[Observation]] = {entity.id: [] for entity in entities}
    for place, (reading, count) in enumerate(counts.items()):
        if not reading.words.valid:
            continue
        said = {entity.entity_key: entity for entity in reading.said}
        custom = is_custom(reading)
        silent: dict[bool, Observation] = {}
        for entity in entities:
            of_entity, has_site = said.get(entity.key), bool(entity.sites)
            echo = entity.key in reading.words.named_in_prompt and entity.key != BRAND_KEY
            if of_entity is None and not echo and has_site in silent:
                observations[entity.id].append(silent[has_site])
                continue
            seen = Observation(
                answer_id=f"{origin}/{place}",
                prompt_id=reading.prompt_id,
                channel=reading.channel,
                captured_at=newest.get(reading.channel, EVER),
                named=of_entity is not None and of_entity.named,
                rank=of_entity.rank if of_entity else None,
                position=of_entity.position if of_entity else 0.0,
                citation_measurable=reading.words.measurable,
                cites_owned=(of_entity is not None and of_entity.cites_own) if has_site else None,
                tone=TONES[of_entity.tone] if of_entity and of_entity.tone else None,
                branded=reading.words.branded,
                echo=echo,
                custom=custom,
                count=count,
            )
            if of_entity is None and not echo:
                silent[has_site] = seen
            observations[entity.id].append(seen)
    return observations
