"""Two periods of a brand compared: the verdict on change, what it consists of, and what is missing."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import anyio.to_thread

from analytics.batches import ChannelAsks
from analytics.change import ScoreChange, Side, compare
from analytics.contributions import Contributions, contributions
from analytics.observation import Channel
from analytics.prompt_means import CellKey
from analytics.score import Score, score
from analytics.score_inputs import Part
from measurement.brand_identity import BRAND_KEY, BrandIdentity, identify
from measurement.calculation.calculate import languages, places
from measurement.observations import (
    channel_of,
    channel_of_cell,
    is_cut_off,
    is_rated,
    observation,
)
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.answers.period_readings import BatchAsks, BatchFailures, PeriodAnswer
from storage.repositories.brands import Brand
from storage.workspace import Workspace

MOST_ANSWERS = 20_000
"""Newest answers of a period that are read: 30 prompts on 8 channels with 3 repeats a day for four weeks."""


@dataclass(frozen=True, slots=True)
class PeriodRows:
    """What is stored of one period; `cut` when it has more answers than are read."""

    answers: Sequence[PeriodAnswer]
    failures: Sequence[BatchFailures]
    asks: Sequence[BatchAsks]
    cut: bool


@dataclass(frozen=True, slots=True)
class PeriodComparison:
    """Both periods, the verdict and its contributions; a period without a rated answer is None.

    `platforms` are the scores of the later period by platform.
    """

    before: Side | None
    after: Side | None
    change: ScoreChange
    contributions: Contributions
    platforms: Mapping[str, Score]
    cut: bool


async def compare_periods(
    workspace: Workspace, brand: Brand, before: AnswerFilter, after: AnswerFilter, part: Part | None
) -> PeriodComparison:
    """Compare the answers of two periods as the revision in force read them.

    Reads at most `MOST_ANSWERS` a period and computes in a thread. The failed asks of a batch that reaches into
    both periods count in the later one.
    """
    if brand.revision_key is None:
        return compare_rows(None, PeriodRows((), (), (), False), PeriodRows((), (), (), False), part)
    identity = await identify(workspace, brand)
    later, later_cut = await newest_answers(workspace, brand, after)
    earlier, earlier_cut = await newest_answers(workspace, brand, before)
    later_batches = {row.answer.batch_key for row in later}
    earlier_batches = {row.answer.batch_key for row in earlier} - later_batches
    rows = [
        PeriodRows(
            answers,
            await workspace.period_readings.failed(sorted(batches), chosen),
            await workspace.period_readings.settled(sorted({row.answer.batch_key for row in answers})),
            cut,
        )
        for answers, batches, chosen, cut in (
            (earlier, earlier_batches, before, earlier_cut),
            (later, later_batches, after, later_cut),
        )
    ]
    return await anyio.to_thread.run_sync(compare_rows, identity, rows[0], rows[1], part)


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
    if earlier is None or later is None:
        nothing = ScoreChange(None, "not_comparable", "insufficient_data")
        return PeriodComparison(
            before=earlier,
            after=later,
            change=nothing,
            contributions=Contributions((), (), ()),
            platforms=platform_scores(later) if later else {},
            cut=before.cut or after.cut,
        )
    return PeriodComparison(
        before=earlier,
        after=later,
        change=compare(earlier, later, part),
        contributions=contributions(earlier, later, part),
        platforms=platform_scores(later),
        cut=before.cut or after.cut,
    )


def platform_scores(side: Side) -> dict[str, Score]:
    """Return the score of each platform by the rule of the whole."""
    platforms = sorted({answer.channel.platform for answer in side.observations})
    if len(platforms) == 1:
        return {platforms[0]: side.score}
    return {
        platform: score(
            side.score.entity,
            [answer for answer in side.observations if answer.channel.platform == platform],
            side.analysis,
        )
        for platform in platforms
    }


def period_side(identity: BrandIdentity, rows: PeriodRows) -> Side | None:
    """Return one period as a side of a comparison, without the channels that a batch's failures degrade."""
    degraded = degraded_channels(rows)
    own = next(entity for entity in identity.named if entity.key == BRAND_KEY)
    kept = [
        row for row in rows.answers if channel_of(row.answer) not in degraded.get(row.answer.batch_key, ())
    ]
    valid = [row for row in kept if row.answer.valid]
    rated = [
        seen
        for row in valid
        if (seen := observation(row.answer, row.mention, BRAND_KEY, bool(own.sites))).rated
    ]
    if not rated:
        return None
    served: dict[Channel, set[str]] = defaultdict(set)
    for row in valid:
        served[channel_of(row.answer)].add(row.answer.served_model or "")
    answers = [row.answer for row in valid]
    return Side(
        score=score(identity.brand.id, rated, identity.fingerprint),
        analysis=identity.fingerprint,
        country=places(answers),
        language=languages(answers),
        prompts={answer.prompt_id: answer.prompt_sha256 for answer in answers if not answer.branded},
        served={channel: frozenset(models) for channel, models in served.items()},
        observations=rated,
        degraded=frozenset(channel for channels in degraded.values() for channel in channels),
        missing=missing_answers(identity, rows, kept, degraded),
    )


def degraded_channels(rows: PeriodRows) -> Mapping[int, frozenset[Channel]]:
    """Return, by batch, the channels in which more than a fifth of the asks brought no answer that can be read."""
    cut_off: Counter[tuple[int, str, str, str]] = Counter(
        (row.answer.batch_key, row.answer.platform, row.answer.mode, row.answer.country)
        for row in rows.answers
        if is_cut_off(row.answer)
    )
    sources = {row.answer.batch_key: channel_of(row.answer).source for row in rows.answers}
    channels_by_batch: dict[int, set[Channel]] = defaultdict(set)
    for asks in rows.asks:
        truncated = cut_off[asks.batch_key, asks.platform, asks.mode, asks.country]
        if ChannelAsks(asks.settled, 0, failed=asks.failed, truncated=truncated).degraded:
            channel = Channel(asks.platform, asks.mode, sources[asks.batch_key], asks.country)
            channels_by_batch[asks.batch_key].add(channel)
    return {batch: frozenset(channels) for batch, channels in channels_by_batch.items()}


def missing_answers(
    identity: BrandIdentity,
    rows: PeriodRows,
    kept: Sequence[PeriodAnswer],
    degraded: Mapping[int, frozenset[Channel]],
) -> dict[CellKey, float]:
    """Count by prompt and channel the rated asks that failed or whose answer was cut off."""
    counts: Counter[CellKey] = Counter()
    for row in kept:
        if is_cut_off(row.answer) and row.answer.from_set and not row.answer.branded:
            counts[row.answer.prompt_id, channel_of(row.answer)] += 1
    for failures in rows.failures:
        channel = channel_of_cell(failures.source, failures.cell)
        left_out = channel in degraded.get(failures.batch_key, ())
        if not left_out and is_rated(identity, failures.source, failures.cell):
            counts[failures.cell.prompt_id, channel] += failures.cell.failed
    return {cell: float(count) for cell, count in counts.items()}


async def newest_side(
    workspace: Workspace, brand: Brand, identity: BrandIdentity, chosen: AnswerFilter
) -> Side | None:
    """Return the answers of a filter, the newest of very many, as a side of a comparison; None for an unread brand."""
    if brand.revision_key is None:
        return None
    answers, cut = await newest_answers(workspace, brand, chosen)
    batches = sorted({row.answer.batch_key for row in answers})
    failures = await workspace.period_readings.failed(batches, chosen)
    settled = await workspace.period_readings.settled(batches)
    return await anyio.to_thread.run_sync(period_side, identity, PeriodRows(answers, failures, settled, cut))
