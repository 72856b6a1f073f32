"""Sums by cell of the answers that a filter chooses: the one way from stored answers to every statistic."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta

from analytics.batches import ChannelAsks
from analytics.cell_sums import NOTHING, SHARED_FROM, CellSums
from analytics.market_sums import EntitySums, MarketSums
from analytics.measured_batches import MeasuredBatches
from analytics.observation import Channel
from analytics.prompt_means import CellKey
from measurement.extraction.observations import shared_channel, source_of
from measurement.planning.brand_identity import BRAND_KEY
from measurement.planning.prompt_topics import load_topics
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.answers.period_readings import OF_PROMPTS
from storage.repositories.brands import Brand, EntityNames
from storage.repositories.channel_days import ChannelDay
from storage.repositories.running_totals import CellTotals
from storage.workspace import Workspace

INSTANT = timedelta(microseconds=1)
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class PeriodSums:
    """What a filter chooses: the sums of every entity by cell, and how each channel went on each day of a batch.

    `texts` are the digests of the texts of the prompts, by prompt id.
    """

    market: MarketSums
    texts: Mapping[str, str]
    days: Sequence[ChannelDay]

    @property
    def stored(self) -> int:
        """Number of answers, valid or not."""
        return sum(sums.stored for entity in self.market.entities.values() for sums in entity.cells.values())


def holds_whole_days(chosen: AnswerFilter) -> bool:
    """Return whether a filter covers whole UTC days: its period begins and ends at midnight, or is open there."""
    return all(
        instant.astimezone(UTC).time() == time()
        for instant in (chosen.since, chosen.until)
        if instant is not None
    )


def days_of(chosen: AnswerFilter) -> tuple[date | None, date | None]:
    """Return the first and the last UTC day that a filter reaches into, None for an open end."""
    since, until = chosen.since, chosen.until
    return (
        since.astimezone(UTC).date() if since else None,
        (until - INSTANT).astimezone(UTC).date() if until else None,
    )


def begin_of(day: date) -> datetime:
    """Return the first instant of a UTC day."""
    return datetime.combine(day, time(), UTC)


def has_channel(chosen: AnswerFilter, channel: Channel) -> bool:
    """Return whether a filter chooses the answers of a channel."""
    return (
        chosen.platform in (None, channel.platform)
        and chosen.mode in (None, channel.mode)
        and chosen.country in (None, channel.country)
    )


async def load_period(
    workspace: Workspace, brand: Brand, chosen: AnswerFilter, entities: Sequence[EntityNames]
) -> PeriodSums:
    """Return the sums of the published answers that a filter chooses, as the revision in force read them.

    Whole days are the difference of two running totals. Only the days that the period cuts need the answers themselves.
    """
    assert brand.revision_key is not None
    totals, keys = workspace.running_totals, [entity.key for entity in entities]
    days = await workspace.channel_days.of_period(brand.revision_key, *days_of(chosen))
    whole, cut = divided(chosen)
    rows: list[CellTotals] = []
    if whole is not None:
        rows += await totals.of_days(brand.revision_key, *days_of(whole), chosen, keys)
    for part in cut:
        day, _ = days_of(part)
        rows += await totals.of_answers(brand.key, brand.revision_key, part, keys)
        answered = frozenset(await workspace.period_readings.batches(brand.key, brand.revision_key, part))
        days = [row for row in days if row.day != day or row.batch_key in answered]
    return await with_topics(workspace, chosen_period(period_sums(entities, rows, days), brand.id, chosen))


async def with_topics(workspace: Workspace, period: PeriodSums) -> PeriodSums:
    """Return a period with the topics of its prompts, as they are tagged and written now."""
    return replace(period, market=period.market.with_topics(await load_topics(workspace, period.texts)))


def divided(chosen: AnswerFilter) -> tuple[AnswerFilter | None, list[AnswerFilter]]:
    """Return a filter for the whole UTC days of a period, None without any, and one for each day that it cuts."""
    since, until = chosen.since, chosen.until
    first = since and begin_of((since - INSTANT).astimezone(UTC).date()) + DAY
    last = until and begin_of(until.astimezone(UTC).date())
    if first and last and first > last:
        return None, [chosen]
    cut = [replace(chosen, until=first)] if first != since else []
    cut += [replace(chosen, since=last)] if last != until else []
    return replace(chosen, since=first, until=last), cut


async def load_batches(
    workspace: Workspace,
    brand: Brand,
    chosen: AnswerFilter,
    entities: Sequence[EntityNames],
    batch_keys: Sequence[int],
) -> PeriodSums:
    """Return the same of some batches, whatever period the filter has."""
    assert brand.revision_key is not None
    totals, keys = workspace.running_totals, [entity.key for entity in entities]
    ever = replace(chosen, since=None, until=None)
    rows = await totals.of_answers(brand.key, brand.revision_key, ever, keys, batch_keys)
    days = await workspace.channel_days.of_batches(brand.revision_key, batch_keys)
    return await with_topics(workspace, chosen_period(period_sums(entities, rows, days), brand.id, chosen))


def chosen_period(period: PeriodSums, brand_id: str, chosen: AnswerFilter) -> PeriodSums:
    """Return a period with the channel days that a filter chooses.

    A batch belongs to it if one of its channels has an answer on these days, and then with every channel, because one
    may have brought none. Under filters on prompts, only channels with an answer to one of them do.
    """
    days = answered_days(period.days, chosen)
    if not OF_PROMPTS.isdisjoint(chosen.names):
        own = period.market.entities[brand_id].cells
        channels = {channel for (_, channel), sums in own.items() if sums.stored}
        days = [day for day in days if channel_of_day(day) in channels]
    return replace(period, days=days)


def answered_days(days: Iterable[ChannelDay], chosen: AnswerFilter) -> list[ChannelDay]:
    """Return the days of the chosen channels, of batches that have an answer through one of them on these days."""
    of_channels = [day for day in days if has_channel(chosen, channel_of_day(day))]
    answered = {day.batch_key for day in of_channels if day.answers}
    return [day for day in of_channels if day.batch_key in answered]


def period_sums(
    entities: Sequence[EntityNames], rows: Iterable[CellTotals], days: Sequence[ChannelDay]
) -> PeriodSums:
    """Build the sums of every entity from stored totals; pure."""
    cells: dict[int, dict[CellKey, CellSums]] = {entity.key: {} for entity in entities}
    ids = {entity.key: entity.id for entity in entities}
    named: dict[CellKey, frozenset[str]] = {}
    texts: dict[str, str] = {}
    for row in rows:
        key = row.prompt_id, shared_channel(row.platform, row.mode, source_of(row.source), row.country)
        sums = CellSums._make(row.sums)
        of_entity = cells[row.entity_key]
        of_entity[key] = of_entity[key].plus(sums) if key in of_entity else sums
        if row.entity_key == BRAND_KEY:
            texts[row.prompt_id] = row.prompt_sha256
            if in_prompt := frozenset(
                ids[entity] for entity in row.named_in_prompt if entity in ids and entity
            ):
                named[key] = in_prompt
    own = cells[BRAND_KEY]
    market = {
        entity.id: EntitySums(
            own if entity.key == BRAND_KEY else with_shared(cells[entity.key], own), bool(entity.sites)
        )
        for entity in entities
    }
    return PeriodSums(MarketSums(market, named), texts, days)


def with_shared(
    cells: Mapping[CellKey, CellSums], own: Mapping[CellKey, CellSums]
) -> dict[CellKey, CellSums]:
    """Return the sums of a competitor with those that do not depend on it, which are stored with the brand alone."""
    return {
        key: CellSums._make((*cells.get(key, NOTHING)[:SHARED_FROM], *of_brand[SHARED_FROM:]))
        for key, of_brand in own.items()
    }


def channel_of_day(day: ChannelDay) -> Channel:
    """Return the channel of a day."""
    return shared_channel(day.platform, day.mode, source_of(day.source), day.country)


def measured_period(period: PeriodSums) -> MeasuredBatches:
    """Return a period as what its batches measured together, newest batch first."""
    newest_first = sorted(period.days, key=lambda day: (day.finished_at, day.batch_key), reverse=True)
    asked: dict[Channel, ChannelAsks] = {}
    degraded: dict[tuple[str, Channel], None] = {}
    last_valid: dict[Channel, datetime] = {}
    counted: set[tuple[int, Channel]] = set()
    for day in newest_first:
        channel = channel_of_day(day)
        if day.last_valid_at is not None:
            last_valid[channel] = max(last_valid.get(channel, day.last_valid_at), day.last_valid_at)
        if (day.batch_key, channel) in counted:
            continue  # a batch of several days
        counted.add((day.batch_key, channel))
        asked[channel] = asked.get(channel, ChannelAsks(0, 0)) + asks_of(day)
        if day.degraded:
            degraded[day.batch_id, channel] = None
    return MeasuredBatches(
        market=period.market,
        asked=asked,
        batches=tuple(dict.fromkeys(day.batch_id for day in newest_first)),
        degraded=tuple(degraded),
        last_valid=last_valid,
    )


def asks_of(day: ChannelDay) -> ChannelAsks:
    """Return how the asks of a channel ended in the whole batch."""
    return ChannelAsks(
        planned=day.planned,
        valid=day.valid,
        refused=day.refused,
        empty=day.empty,
        failed=day.failed,
        not_grounded=day.not_grounded,
        truncated=day.truncated,
    )


def names_by_channel(
    days: Iterable[ChannelDay], name: str, *, degraded: bool
) -> dict[Channel, frozenset[str]]:
    """Return the values of a list of each day (`served_models` and the like) by channel, with degraded days or not."""
    names: dict[Channel, set[str]] = defaultdict(set)
    for day in days:
        if degraded or not day.degraded:
            names[channel_of_day(day)].update(getattr(day, name))
    return {channel: frozenset(of_channel) for channel, of_channel in names.items()}
