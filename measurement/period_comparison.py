"""Two periods of a brand compared: the verdict on change, what it consists of, and what is missing."""

from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import anyio.to_thread

from analytics.batches import ChannelAsks
from analytics.change import ScoreChange, Side, common_answers, comparable_channels, compare
from analytics.contributions import Contributions, contributions
from analytics.observation import Channel, Observation
from analytics.prompt_means import CellKey
from analytics.ratio_change import Namings, Ratio, RatioChange, compare_ratios
from analytics.score import Score, score_cells
from analytics.score_inputs import CellAnswers, Part
from measurement.answer_counts import (
    AnswerCounts,
    CellMentions,
    CellReading,
    MentionCounts,
    cell_of,
    count_answers,
    make_observation,
    mentions_of,
)
from measurement.brand_identity import BRAND_KEY, BrandIdentity, identify
from measurement.laid_out.batches import (
    LaidOutBatch,
    days_of,
    is_laid_out,
)
from measurement.laid_out.choices import Choice, choice_of
from measurement.laid_out.kept_results import KeptResults
from measurement.laid_out.periods import content_digest, find_period, read_period
from measurement.laid_out.readings import OwnReading
from measurement.observations import channel_of_cell, is_rated
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.answers.period_readings import BatchAsks, BatchFailures, PeriodAnswer
from storage.repositories.brands import Brand
from storage.repositories.prompt_results import AskedPrompt
from storage.workspace import Workspace

MOST_ANSWERS = 20_000
"""Newest answers of a period that are read one by one: 30 prompts on 8 channels with 3 repeats a day for four weeks."""


@dataclass(frozen=True, slots=True)
class CountedBatch:
    """The answers of one batch that a period holds, counted by what was read in them."""

    key: int
    counts: AnswerCounts


@dataclass(frozen=True, slots=True)
class PeriodRows:
    """What is stored of one period; `cut` when it has more answers than are read.

    `counts` and `mentions` are those of all batches without the channels that are `degraded` in them, by batch key;
    every batch of the period is there. `set_prompts` are the ids of prompts that belong to a set. `counts_rivals`
    where it is known whom answers name beside the brand; `mentions` counts them by how many they name.
    """

    degraded: Mapping[int, frozenset[Channel]]
    counts: AnswerCounts
    mentions: MentionCounts
    set_prompts: frozenset[str]
    failures: Sequence[BatchFailures]
    cut: bool
    counts_rivals: bool


NOTHING = PeriodRows({}, {}, {}, frozenset(), (), cut=False, counts_rivals=True)


@dataclass(frozen=True, slots=True)
class PeriodComparison:
    """Both periods, the verdict and its contributions; a period without a rated answer is None.

    `platforms` are the scores of the later period by platform, `ratios` what is no part of the score.
    """

    before: Side | None
    after: Side | None
    change: ScoreChange
    contributions: Contributions
    platforms: Mapping[str, Score]
    cut: bool
    ratios: Sequence[RatioChange] = ()

    def without_answers(self) -> "PeriodComparison":
        """Return the same without the answers that it rests on: what is told of it follows from the rest."""
        before, after = (
            side and replace(side, laid_out={}, prompts={}, missing={}) for side in (self.before, self.after)
        )
        return replace(self, before=before, after=after)


MOST_CONTRIBUTIONS = 20_000
"""Prompts of all comparisons that are kept, each with its share of a change."""
KEPT = KeptResults[PeriodComparison](MOST_CONTRIBUTIONS)


async def compare_periods(
    workspace: Workspace, brand: Brand, before: AnswerFilter, after: AnswerFilter, part: Part | None
) -> PeriodComparison:
    """Compare the answers of two periods as the revision in force read them.

    Reads what publishing laid out and computes in a thread. The failed asks of a batch that reaches into
    both periods count in the later one.
    """
    if brand.revision_key is None:
        return compare_rows(None, NOTHING, NOTHING, part)
    identity = await identify(workspace, brand)
    chosen = before, after
    if await is_laid_out(workspace, brand, before) and await is_laid_out(workspace, brand, after):
        return await compare_laid_out(workspace, identity, chosen, part)
    later = await load_period(workspace, brand, after)
    earlier = await load_period(workspace, brand, before, later.degraded)
    return await anyio.to_thread.run_sync(compare_rows, identity, earlier, later, part)


async def compare_laid_out(
    workspace: Workspace,
    identity: BrandIdentity,
    chosen: tuple[AnswerFilter, AnswerFilter],
    part: Part | None,
) -> PeriodComparison:
    """Compare whole days as publishing laid them out: once, until one of them is laid out anew or asks fail otherwise.

    Most commits of a company, as of an answer that was just given, change no day that is laid out.
    """
    brand = identity.brand
    days = days_of(chosen[0]), days_of(chosen[1])
    before, after = [await find_period(workspace, brand, of_period) for of_period in days]
    failures = [
        await workspace.period_readings.failed(period.batch_keys, of_period)
        for period, of_period in zip((before, after), chosen, strict=True)
    ]

    def digest() -> str:
        asked = [replace(of_period, since=None, until=None) for of_period in chosen]
        by_whom = identity.brand.id, identity.fingerprint, identity.named
        return content_digest(by_whom, before.digest, after.digest, asked, part, failures)

    if (kept := KEPT.find(digest())) is not None:
        return kept
    before = await read_period(workspace, brand, days[0], before)
    after = await read_period(workspace, brand, days[1], after)

    def compare() -> PeriodComparison:
        later = _join_laid_out(after.batches or (), chosen[1], after.asked)
        earlier = _join_laid_out(before.batches or (), chosen[0], before.asked)
        sides = [
            replace(earlier, failures=_failures_of(failures[0], earlier.degraded, later.degraded)),
            replace(later, failures=_failures_of(failures[1], later.degraded)),
        ]
        made = compare_rows(identity, sides[0], sides[1], part)
        return KEPT.keep(digest(), 1 + len(made.contributions.prompts), made.without_answers())

    return await anyio.to_thread.run_sync(compare)


def _failures_of(
    failures: Sequence[BatchFailures], batches: Container[int], later: Container[int] = ()
) -> list[BatchFailures]:
    """Return the failed asks of batches with a chosen answer, without those that a later period has."""
    return [row for row in failures if row.batch_key in batches and row.batch_key not in later]


async def load_period(
    workspace: Workspace, brand: Brand, chosen: AnswerFilter, later: Container[int] = ()
) -> PeriodRows:
    """Return the answers of a period; failed asks of the batches that a `later` one has are left to it.

    Whole days are read as publishing laid them out. Of other periods, and where something was published before there
    was such a layout, the newest answers are read themselves.
    """
    assert brand.revision_key is not None
    if await is_laid_out(workspace, brand, chosen):
        rows = await load_laid_out(workspace, brand, chosen)
    else:
        rows = await load_answers(workspace, brand, chosen)
    own = sorted(key for key in rows.degraded if key not in later)
    return replace(rows, failures=await workspace.period_readings.failed(own, chosen))


async def load_laid_out(workspace: Workspace, brand: Brand, chosen: AnswerFilter) -> PeriodRows:
    """Return whole days as publishing laid them out, without the failed asks."""
    assert brand.revision_key is not None
    days = days_of(chosen)
    period = await read_period(workspace, brand, days, await find_period(workspace, brand, days))
    return await anyio.to_thread.run_sync(_join_laid_out, period.batches or (), chosen, period.asked)


def _join_laid_out(
    batches: Sequence[LaidOutBatch], chosen: AnswerFilter, asked: Mapping[str, AskedPrompt]
) -> PeriodRows:
    """Add up what is chosen of batches, and say once of each reading what it is."""
    choice = choice_of(chosen, asked)
    kept = Counter[OwnReading]()
    degraded: dict[int, frozenset[Channel]] = {}
    for batch in batches:
        if not any(asks.degraded for asks in batch.asked.values()):
            # Under a filter fewer answers break off, so that nothing is left out: no need to count by itself.
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
    """Return how many of the chosen answers of a batch say so of the brand."""
    counts = Counter[OwnReading]()
    for day in batch.days:
        day.count_own(choice.cells(day), counts)
    return counts


async def load_answers(workspace: Workspace, brand: Brand, chosen: AnswerFilter) -> PeriodRows:
    """Return the newest answers of a period, read one by one, without the failed asks."""
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
    """Return the ids of those prompts that belong to a set."""
    return frozenset(prompt.id for prompt in asked.values() if prompt.set_id is not None)


async def asked_prompts(workspace: Workspace, batches: Iterable[CountedBatch]) -> dict[str, AskedPrompt]:
    """Return the prompts of some batches by their ids."""
    ids = {cell.prompt_id for batch in batches for cell in batch.counts}
    return await workspace.prompt_results.prompts(sorted(ids))


def count_batches(answers: Sequence[PeriodAnswer]) -> list[CountedBatch]:
    """Return the batches of some answers, counted."""
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
    """Return the answers of a period, and whether there are more of them than are read."""
    assert brand.revision_key is not None
    answers = await workspace.period_readings.answers(brand.key, brand.revision_key, chosen, MOST_ANSWERS + 1)
    return answers[:MOST_ANSWERS], len(answers) > MOST_ANSWERS


def compare_rows(
    identity: BrandIdentity | None, before: PeriodRows, after: PeriodRows, part: Part | None
) -> PeriodComparison:
    """Compare what is stored of two periods; pure."""
    earlier = period_side(identity, before) if identity else None
    later = period_side(identity, after) if identity else None
    if identity is None or earlier is None or later is None:
        nothing = ScoreChange(None, "not_comparable", "insufficient_data")
        return PeriodComparison(
            before=earlier,
            after=later,
            change=nothing,
            contributions=Contributions((), (), ()),
            platforms=platform_scores(later) if later else {},
            cut=before.cut or after.cut,
            ratios=compare_namings(identity, (before, after), (), nothing) if identity else (),
        )
    common = common_answers(earlier, later, comparable_channels(earlier, later))
    change = compare(earlier, later, part, common)
    return PeriodComparison(
        before=earlier,
        after=later,
        change=change,
        contributions=contributions(common, part),
        platforms=platform_scores(later),
        cut=before.cut or after.cut,
        ratios=compare_namings(
            identity, (before, after), common.before.part_cells[Part.PRESENCE].keys(), change
        ),
    )


def compare_namings(
    identity: BrandIdentity,
    periods: tuple[PeriodRows, PeriodRows],
    common: Collection[CellKey],
    change: ScoreChange,
) -> tuple[RatioChange, ...]:
    """Compare share of voice and average rank over the `common` cells that the comparison of the score rests on.

    A brand without rivals has no share, and where answers were read one by one nobody counted what they say of rivals.
    """
    counts_rivals = all(rows.counts_rivals for rows in periods)
    ratios: list[Ratio] = ["shareOfVoice"] if counts_rivals and len(identity.named) > 1 else []
    before, after = (lay_out_namings(rows) for rows in periods)
    return compare_ratios(before, after, common, change, [*ratios, "averagePosition"])


def lay_out_namings(rows: PeriodRows) -> dict[CellKey, Namings]:
    """Lay out by cell how the rated answers of a period name and rank the brand, degraded channels left out."""
    mentions: dict[CellKey, list[tuple[int, int]]] = defaultdict(list)
    ranks: dict[CellKey, list[int]] = defaultdict(list)
    for cell, count in rows.mentions.items():
        if is_from_set(cell, rows.set_prompts):
            mentions[cell.prompt_id, cell.channel] += [(int(cell.own), cell.mentions)] * count
    for cell, count in rows.counts.items():
        rank = cell.reading.rank
        if rank is None or not cell.reading.valid or cell.reading.branded:
            continue
        if is_from_set(cell, rows.set_prompts):
            ranks[cell.prompt_id, cell.channel] += [rank] * count
    return {key: Namings(mentions.get(key, ()), ranks.get(key, ())) for key in mentions.keys() | ranks.keys()}


def platform_scores(side: Side) -> dict[str, Score]:
    """Return the score of each platform by the rule of the whole."""
    platforms = sorted({channel.platform for channel in side.channels})
    if len(platforms) == 1:
        return {platforms[0]: side.score}
    return {
        platform: score_cells(
            side.score.entity,
            {key: answers for key, answers in side.cells.items() if key[1].platform == platform},
            (),
            side.analysis,
        )
        for platform in platforms
    }


def period_side(identity: BrandIdentity, rows: PeriodRows) -> Side | None:
    """Return one period as a side of a comparison, without the channels that a batch's failures degrade."""
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
    """Lay out the valid answers that rates count."""
    own = next(entity for entity in identity.named if entity.key == BRAND_KEY)
    by_cell: dict[CellKey, list[Observation]] = defaultdict(list)
    for cell, count in counts.items():
        if cell.reading.valid and not cell.reading.branded and is_from_set(cell, set_prompts):
            said = make_observation(cell, count, has_site=bool(own.sites), custom=False)
            by_cell[cell.prompt_id, cell.channel].append(said)
    return {key: CellAnswers.of(observations) for key, observations in by_cell.items()}


def is_from_set(cell: CellReading | CellMentions, set_prompts: frozenset[str]) -> bool:
    """Tell whether answers are to a prompt of a set; imported ones always count as if they were."""
    return cell.prompt_id in set_prompts or cell.channel.source == "import"


def count_cut_off(batches: Iterable[CountedBatch]) -> dict[tuple[int, Channel], int]:
    """Count the answers of each batch and channel that break off; those that were read, where none does."""
    counts: Counter[tuple[int, Channel]] = Counter()
    for batch in batches:
        for cell, count in batch.counts.items():
            counts[batch.key, cell.channel] += count * cell.reading.cut_off
    return dict(counts)


def degraded_channels(
    cut_off: Mapping[tuple[int, Channel], int], asks_by_channel: Sequence[BatchAsks]
) -> Mapping[int, frozenset[Channel]]:
    """Return, by batch, the channels in which more than a fifth of the asks brought no answer that can be read.

    `cut_off` counts broken off answers by batch and channel, also where there is none.
    """
    sources = {batch_key: channel.source for batch_key, channel in cut_off}
    channels_by_batch: dict[int, set[Channel]] = defaultdict(set)
    for asks in asks_by_channel:
        channel = Channel(asks.platform, asks.mode, sources[asks.batch_key], asks.country)
        truncated = cut_off.get((asks.batch_key, channel), 0)
        if ChannelAsks(asks.settled, 0, failed=asks.failed, truncated=truncated).degraded:
            channels_by_batch[asks.batch_key].add(channel)
    return {batch: frozenset(channels) for batch, channels in channels_by_batch.items()}


def missing_answers(identity: BrandIdentity, rows: PeriodRows) -> dict[CellKey, float]:
    """Count by prompt and channel the rated asks that failed or whose answer was cut off."""
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


async def newest_side(
    workspace: Workspace, brand: Brand, identity: BrandIdentity, chosen: AnswerFilter
) -> Side | None:
    """Return the answers of a filter, the newest of very many, as a side of a comparison; None for an unread brand."""
    if brand.revision_key is None:
        return None
    rows = await load_period(workspace, brand, chosen)
    return await anyio.to_thread.run_sync(period_side, identity, rows)
