"""Stored data of one period of a brand, counted, and the period as one side of a comparison."""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import anyio.to_thread

from analytics.batches import ChannelAsks
from analytics.change import Side
from analytics.observation import Channel, Observation
from analytics.prompt_means import CellKey
from analytics.score import score_cells
from analytics.score_inputs import CellAnswers
from measurement.extraction.observations import channel_of_cell, is_rated
from measurement.planning.brand_identity import BRAND_KEY, BrandIdentity
from measurement.publication.readings import OwnReading
from measurement.statistics.answer_counts import (
    AnswerCounts,
    CellMentions,
    CellReading,
    MentionCounts,
    cell_of,
    count_answers,
    make_observation,
    mentions_of,
)
from measurement.statistics.batches import LaidOutBatch, days_of, is_laid_out
from measurement.statistics.choices import Choice, choice_of
from measurement.statistics.periods import find_period, read_period
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.answers.period_readings import BatchAsks, BatchFailures, PeriodAnswer
from storage.repositories.brands import Brand
from storage.repositories.prompt_results import AskedPrompt
from storage.workspace import Workspace

MOST_ANSWERS = 20_000
"""Newest answers of a period that are read one by one.

The limit covers 30 prompts on 8 channels with 3 repeats a day for four weeks.
"""


@dataclass(frozen=True, slots=True)
class CountedBatch:
    """The answers of one batch within a period, counted by extraction result."""

    key: int
    counts: AnswerCounts


@dataclass(frozen=True, slots=True)
class PeriodRows:
    """Stored data of one period; `cut` means that it has more answers than are read.

    `counts` and `mentions` cover all batches, without the channels that are `degraded` in them; `degraded`
    has an entry for every batch of the period, by batch key. `set_prompts` are the IDs of prompts that belong
    to a set. `counts_rivals` means that it is known whom answers name beside the brand; `mentions` counts
    answers by how many entities they name.
    """

    degraded: Mapping[int, frozenset[Channel]]
    counts: AnswerCounts
    mentions: MentionCounts
    set_prompts: frozenset[str]
    failures: Sequence[BatchFailures]
    cut: bool
    counts_rivals: bool


NOTHING = PeriodRows({}, {}, {}, frozenset(), (), cut=False, counts_rivals=True)


async def load_period(
    workspace: Workspace, brand: Brand, chosen: AnswerFilter, later: Container[int] = ()
) -> PeriodRows:
    """Return the answers of a period; failed requests of batches that are also in `later` are left to it.

    Whole days are read from precomputed documents. For other periods, and for results published before these
    documents existed, the newest answers themselves are read.
    """
    assert brand.revision_key is not None
    if await is_laid_out(workspace, brand, chosen):
        rows = await load_laid_out(workspace, brand, chosen)
    else:
        rows = await load_answers(workspace, brand, chosen)
    own = sorted(key for key in rows.degraded if key not in later)
    return replace(rows, failures=await workspace.period_readings.failed(own, chosen))


async def load_laid_out(workspace: Workspace, brand: Brand, chosen: AnswerFilter) -> PeriodRows:
    """Return whole days from precomputed documents, without the failed requests."""
    assert brand.revision_key is not None
    days = days_of(chosen)
    period = await read_period(workspace, brand, days, await find_period(workspace, brand, days))
    return await anyio.to_thread.run_sync(join_laid_out, period.batches or (), chosen, period.asked)


def join_laid_out(
    batches: Sequence[LaidOutBatch], chosen: AnswerFilter, asked: Mapping[str, AskedPrompt]
) -> PeriodRows:
    """Add up what is chosen of batches, and interpret each extraction result only once."""
    choice = choice_of(chosen, asked)
    kept = Counter[OwnReading]()
    degraded: dict[int, frozenset[Channel]] = {}
    for batch in batches:
        if not any(asks.degraded for asks in batch.asked.values()):
            # A filter leaves fewer cut-off answers, so nothing is left out and no separate count is needed.
            if sum([day.count_own(choice.cells(day), kept) for day in batch.days]):
                degraded[batch.key] = frozenset()
        elif counts := count_of_batch(batch, choice):
            degraded[batch.key] = left_out = batch.degraded_in([counts])
            for reading, count in counts.items():
                if reading.channel not in left_out:
                    kept[reading] = kept.get(reading, 0) + count
    by_cell: Counter[CellReading] = Counter()
    mentions: Counter[CellMentions] = Counter()
    for reading, count in kept.items():
        by_cell[cell_of(reading)] += count
        naming = mentions_of(reading)
        if naming is not None:
            mentions[naming] += count
    return PeriodRows(degraded, by_cell, mentions, set_prompts_of(asked), (), cut=False, counts_rivals=True)


def count_of_batch(batch: LaidOutBatch, choice: Choice) -> Counter[OwnReading]:
    """Count the chosen answers of a batch by what they say about the brand."""
    counts = Counter[OwnReading]()
    for day in batch.days:
        day.count_own(choice.cells(day), counts)
    return counts


async def load_answers(workspace: Workspace, brand: Brand, chosen: AnswerFilter) -> PeriodRows:
    """Return the newest answers of a period, read one by one, without the failed requests."""
    answers, cut = await newest_answers(workspace, brand, chosen)
    batches = count_batches(answers)
    asked = await asked_prompts(workspace, batches)
    asks = await workspace.period_readings.settled(sorted(batch.key for batch in batches))
    degraded = degraded_channels(count_cut_off(batches), asks)
    kept: Counter[CellReading] = Counter()
    for batch in batches:
        left_out = degraded.get(batch.key, frozenset())
        for cell, count in batch.counts.items():
            if cell.channel not in left_out:
                kept[cell] += count
    return PeriodRows(
        {batch.key: degraded.get(batch.key, frozenset()) for batch in batches},
        kept,
        {},
        set_prompts_of(asked),
        (),
        cut=cut,
        counts_rivals=False,
    )


def set_prompts_of(asked: Mapping[str, AskedPrompt]) -> frozenset[str]:
    """Return the IDs of the prompts that belong to a set."""
    return frozenset(prompt.id for prompt in asked.values() if prompt.set_id is not None)


async def asked_prompts(workspace: Workspace, batches: Iterable[CountedBatch]) -> dict[str, AskedPrompt]:
    """Return the prompts of some batches by ID."""
    ids = {cell.prompt_id for batch in batches for cell in batch.counts}
    return await workspace.prompt_results.prompts(sorted(ids))


def count_batches(answers: Sequence[PeriodAnswer]) -> list[CountedBatch]:
    """Group answers by batch and count them."""
    by_batch: dict[int, list[PeriodAnswer]] = defaultdict(list)
    for row in answers:
        by_batch[row.answer.batch_key].append(row)
    return [
        CountedBatch(key, count_answers((row.answer, row.mention) for row in rows))
        for key, rows in by_batch.items()
    ]


async def newest_answers(
    workspace: Workspace, brand: Brand, chosen: AnswerFilter
) -> tuple[list[PeriodAnswer], bool]:
    """Return the answers of a period, and whether there are more than are read."""
    assert brand.revision_key is not None
    answers = await workspace.period_readings.answers(brand.key, brand.revision_key, chosen, MOST_ANSWERS + 1)
    return answers[:MOST_ANSWERS], len(answers) > MOST_ANSWERS


def is_from_set(cell: CellReading | CellMentions, set_prompts: frozenset[str]) -> bool:
    """Return whether answers are to a prompt of a set; imported answers always count as such."""
    return cell.prompt_id in set_prompts or cell.channel.source == "import"


def count_cut_off(batches: Iterable[CountedBatch]) -> dict[tuple[int, Channel], int]:
    """Count the cut-off answers by batch and channel; a channel with answers but none cut off has 0."""
    counts: Counter[tuple[int, Channel]] = Counter()
    for batch in batches:
        for cell, count in batch.counts.items():
            counts[batch.key, cell.channel] += count * cell.reading.cut_off
    return dict(counts)


def degraded_channels(
    cut_off: Mapping[tuple[int, Channel], int], asks_by_channel: Sequence[BatchAsks]
) -> Mapping[int, frozenset[Channel]]:
    """Return, by batch, the channels in which more than a fifth of the requests brought no readable answer.

    `cut_off` counts cut-off answers by batch and channel, including channels with none.
    """
    sources = {batch_key: channel.source for batch_key, channel in cut_off}
    channels_by_batch: dict[int, set[Channel]] = defaultdict(set)
    for asks in asks_by_channel:
        channel = Channel(asks.platform, asks.mode, sources[asks.batch_key], asks.country)
        truncated = cut_off.get((asks.batch_key, channel), 0)
        if ChannelAsks(asks.settled, 0, failed=asks.failed, truncated=truncated).degraded:
            channels_by_batch[asks.batch_key].add(channel)
    return {batch: frozenset(channels) for batch, channels in channels_by_batch.items()}


async def newest_side(
    workspace: Workspace, brand: Brand, identity: BrandIdentity, chosen: AnswerFilter
) -> Side | None:
    """Return a filter's answers (the newest if there are very many) as one side of a comparison.

    Returns None for a brand whose answers have not been read.
    """
    if brand.revision_key is None:
        return None
    rows = await load_period(workspace, brand, chosen)
    return await anyio.to_thread.run_sync(period_side, identity, rows)


def period_side(identity: BrandIdentity, rows: PeriodRows) -> Side | None:
    """Return one period as a side of a comparison, without channels degraded by a batch's failures."""
    valid = [cell for cell in rows.counts if cell.reading.valid]
    cells = rated_cells(identity, rows.counts, rows.set_prompts)
    if not cells:
        return None
    served: dict[Channel, set[str]] = defaultdict(set)
    for cell in valid:
        served[cell.channel].add(cell.reading.served_model)
    return Side(
        score=score_cells(identity.brand.id, cells, (), identity.fingerprint),
        analysis=identity.fingerprint,
        country=",".join(sorted({cell.reading.place for cell in valid})),
        language=",".join(sorted({cell.reading.language for cell in valid})),
        prompts={cell.prompt_id: cell.prompt_sha256 for cell in valid if not cell.reading.branded},
        served={channel: frozenset(models) for channel, models in served.items()},
        degraded=frozenset(channel for channels in rows.degraded.values() for channel in channels),
        missing=missing_answers(identity, rows),
        laid_out=cells,
    )


def rated_cells(
    identity: BrandIdentity, counts: AnswerCounts, set_prompts: frozenset[str]
) -> dict[CellKey, CellAnswers]:
    """Group the valid answers that rates count by cell."""
    own = next(entity for entity in identity.named if entity.key == BRAND_KEY)
    by_cell: dict[CellKey, list[Observation]] = defaultdict(list)
    for cell, count in counts.items():
        if cell.reading.valid and not cell.reading.branded and is_from_set(cell, set_prompts):
            said = make_observation(cell, count, has_site=bool(own.sites), custom=False)
            by_cell[cell.prompt_id, cell.channel].append(said)
    return {key: CellAnswers.of(observations) for key, observations in by_cell.items()}


def missing_answers(identity: BrandIdentity, rows: PeriodRows) -> dict[CellKey, float]:
    """Count by prompt and channel the rated requests that failed or whose answer was cut off."""
    counts: Counter[CellKey] = Counter()
    for cell, count in rows.counts.items():
        if cell.reading.cut_off and is_from_set(cell, rows.set_prompts) and not cell.reading.branded:
            counts[cell.prompt_id, cell.channel] += count
    for failures in rows.failures:
        channel = channel_of_cell(failures.source, failures.cell)
        left_out = channel in rows.degraded.get(failures.batch_key, ())
        if not left_out and is_rated(identity, failures.source, failures.cell):
            counts[failures.cell.prompt_id, channel] += failures.cell.failed
    return {cell: float(count) for cell, count in counts.items()}
