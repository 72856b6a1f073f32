"""Comparison of two periods of a brand: the verdict on change, its contributions, and what is missing."""

from collections import defaultdict
from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import dataclass, replace

import anyio.to_thread

from analytics.change import ScoreChange, Side, common_answers, comparable_channels, compare
from analytics.contributions import Contributions, contributions
from analytics.prompt_means import CellKey
from analytics.ratio_change import Namings, Ratio, RatioChange, compare_ratios
from analytics.score import Score, score_cells
from analytics.score_inputs import Part
from measurement.planning.brand_identity import BrandIdentity, identify
from measurement.publication.kept_results import KeptResults
from measurement.statistics.batches import days_of, is_laid_out
from measurement.statistics.period_rows import (
    NOTHING,
    PeriodRows,
    is_from_set,
    join_laid_out,
    load_period,
    period_side,
)
from measurement.statistics.periods import content_digest, find_period, read_period
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.answers.period_readings import BatchFailures
from storage.repositories.brands import Brand
from storage.workspace import Workspace


@dataclass(frozen=True, slots=True)
class PeriodComparison:
    """Both periods, the verdict and its contributions; a period without a rated answer is None.

    `platforms` are the scores of the later period by platform, and `ratios` the metrics that are not part of
    the score.
    """

    before: Side | None
    after: Side | None
    change: ScoreChange
    contributions: Contributions
    platforms: Mapping[str, Score]
    cut: bool
    ratios: Sequence[RatioChange] = ()

    def without_answers(self) -> "PeriodComparison":
        """Return the comparison without the answers behind it, which its readers do not need."""
        before, after = (
            side and replace(side, laid_out={}, prompts={}, missing={}) for side in (self.before, self.after)
        )
        return replace(self, before=before, after=after)


MOST_CONTRIBUTIONS = 20_000
"""Size limit of the cache, in prompts of all comparisons, each with its share of a change."""
KEPT = KeptResults[PeriodComparison](MOST_CONTRIBUTIONS)


async def compare_periods(
    workspace: Workspace, brand: Brand, before: AnswerFilter, after: AnswerFilter, part: Part | None
) -> PeriodComparison:
    """Compare the answers of two periods as the revision in force read them.

    Reads precomputed documents and computes in a thread. The failed requests of a batch that reaches into
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
    """Compare whole days from precomputed documents, cached until a day is recomputed or failures change.

    Most commits of a company, such as a single new answer, change no precomputed day.
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
        later = join_laid_out(after.batches or (), chosen[1], after.asked)
        earlier = join_laid_out(before.batches or (), chosen[0], before.asked)
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
    """Return the failed requests of batches with a chosen answer, without those that a later period has."""
    return [row for row in failures if row.batch_key in batches and row.batch_key not in later]


def compare_rows(
    identity: BrandIdentity | None, before: PeriodRows, after: PeriodRows, part: Part | None
) -> PeriodComparison:
    """Compare the stored data of two periods; pure."""
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
    """Compare share of voice and average rank over the `common` cells of the score comparison.

    A brand without competitors has no share of voice, nor is there one where answers were read one by one,
    because that does not count mentions of competitors.
    """
    counts_rivals = all(rows.counts_rivals for rows in periods)
    ratios: list[Ratio] = ["shareOfVoice"] if counts_rivals and len(identity.named) > 1 else []
    before, after = (lay_out_namings(rows) for rows in periods)
    return compare_ratios(before, after, common, change, [*ratios, "averagePosition"])


def lay_out_namings(rows: PeriodRows) -> dict[CellKey, Namings]:
    """Return by cell how a period's rated answers name and rank the brand, without degraded channels."""
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
    """Return the score of each platform, by the rule for the whole."""
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
