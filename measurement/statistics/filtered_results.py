"""Results of filtered answers: score, engines and rankings, in the form of stored results."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

import anyio.to_thread

from analytics.batches import LOOK_BACK, are_enough
from analytics.cell_sums import CellSums
from analytics.market_sums import MarketSums
from analytics.measured_batches import MeasuredBatches, asked_once, repeats_of
from analytics.metrics import measurement_verdict
from analytics.observation import Channel
from analytics.score import calculate_all
from measurement.extraction.channel_facts import ChannelFacts, Domain
from measurement.planning.brand_identity import BrandIdentity, identify
from measurement.publication.calculate import rank_platforms
from measurement.publication.platform_documents import platforms_document
from measurement.publication.repeats import stored_repeats
from measurement.publication.result_documents import UNCOMPARED, rankings_document, score_document
from measurement.statistics.period_sums import (
    PeriodSums,
    days_of,
    divided,
    load_batches,
    load_period,
    measured_period,
    names_by_channel,
)
from storage.documents import StoredDocument
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.answers.period_readings import OF_PROMPTS
from storage.repositories.brands import Brand
from storage.repositories.source_counts import ChannelDomainCount
from storage.workspace import Workspace

ResultPart = Literal["headline", "platforms", "rankings"]
"""The part to compute from chosen answers, in the form of the stored document of that name."""
MOST_BATCHES = 200
"""Number of newest batches among which a result without a period looks for its answers."""


@dataclass(frozen=True, slots=True)
class FilteredResults:
    """A document in the form of stored results, with the batches behind it, newest first.

    Rankings cover all chosen answers together.
    """

    document: Mapping[str, Any]
    calculated_at: datetime
    batch_ids: tuple[str, ...]


async def filtered_results(
    workspace: Workspace, brand: Brand, chosen: AnswerFilter, now: datetime, part: ResultPart
) -> FilteredResults | None:
    """Return the results of the chosen answers; None if there are no answers.

    With a period, all of its answers count together. Without one, the newest measurement counts, with those
    before it as far back as a score reaches.
    """
    if brand.revision_key is None:
        return None
    identity = await identify(workspace, brand)
    if chosen.since is not None or chosen.until is not None:
        period = await load_period(workspace, brand, chosen, identity.named)
        if not period.stored:
            return None
    else:
        period = await _newest_batches(workspace, identity, chosen, now)
        if period is None:
            return None
    current = measured_period(period)
    earlier = await _load_repeats(workspace, identity, chosen, current)
    facts = await _facts(workspace, brand, chosen, period) if part == "platforms" else {}
    document = await anyio.to_thread.run_sync(_document, identity, current, earlier, facts, part)
    return FilteredResults(
        document=document.to_json(),
        calculated_at=max((current.last_valid or {}).values(), default=chosen.until or now),
        batch_ids=current.batches,
    )


async def _newest_batches(
    workspace: Workspace, identity: BrandIdentity, chosen: AnswerFilter, now: datetime
) -> PeriodSums | None:
    """Return the newest batch with a chosen answer, and those before it until there are enough answers for a score."""
    brand = identity.brand
    assert brand.revision_key is not None
    newest = await workspace.period_readings.newest(brand.key, brand.revision_key, chosen)
    if newest is None:
        return None
    period = await load_batches(workspace, brand, chosen, identity.named, [newest.batch_key])
    if _is_enough(period, brand.id):
        return period
    rows = await workspace.batches.successful(brand.key, now, MOST_BATCHES)
    older = [
        row.key
        for row in rows
        if row.key != newest.batch_key
        and row.finished_at is not None
        and newest.captured_at - row.finished_at <= LOOK_BACK
    ]
    rated: dict[int, Counter[str]] = defaultdict(Counter)
    for count in await workspace.period_readings.rated(
        brand.revision_key, chosen, [newest.batch_key, *older]
    ):
        rated[count.batch_key][count.prompt_id] += count.rated
    taken, together = [newest.batch_key], rated[newest.batch_key]
    for key in older:
        if are_enough(+together):
            break
        if key in rated:
            taken.append(key)
            together += rated[key]
    return await load_batches(workspace, brand, chosen, identity.named, taken)


def _is_enough(period: PeriodSums, brand_id: str) -> bool:
    """Return whether a score needs no earlier batch than these."""
    rated: Counter[str] = Counter()
    for (prompt, _), sums in period.market.entities[brand_id].cells.items():
        rated[prompt] += sums.answers
    return are_enough(+rated)


async def _load_repeats(
    workspace: Workspace, identity: BrandIdentity, chosen: AnswerFilter, current: MeasuredBatches
) -> MarketSums | None:
    """Return the earlier answers that count as repeats of those chosen, where these ask prompts once.

    Only what the filter chooses regardless of time is read: repeats of other prompts and channels add nothing.
    """
    brand = identity.brand
    assert brand.revision_key is not None
    if not asked_once(current.market.entities[brand.id]):
        return None
    stored = await stored_repeats(workspace, brand.revision_key, current.batches)
    wanted = {repeat for repeats in stored.values() for repeat in repeats} - set(current.batches)
    rows = await workspace.batches.of_ids(sorted(wanted))
    if not rows:
        return None
    earlier = await load_batches(workspace, brand, chosen, identity.named, [row.key for row in rows])
    return repeats_of(current, earlier.market, brand.id)


async def _facts(
    workspace: Workspace, brand: Brand, chosen: AnswerFilter, period: PeriodSums
) -> dict[Channel, ChannelFacts]:
    """Return what the chosen answers show beside the sums of entities, by channel."""
    assert brand.revision_key is not None
    facts: dict[Channel, ChannelFacts] = {}
    for (_, channel), sums in period.market.entities[brand.id].cells.items():
        facts.setdefault(channel, ChannelFacts()).add(_facts_of(sums))
    for channel, models in names_by_channel(period.days, "served_models", degraded=True).items():
        if channel in facts:
            facts[channel].served_models |= models - {""}
    for count in await _domain_counts(workspace, brand, chosen, period):
        channel = Channel(count.platform, count.mode, count.source, count.country)
        if channel in facts:
            domain: Domain = count.domain, count.owner
            facts[channel].domains[domain] += count.answers
    return facts


async def _domain_counts(
    workspace: Workspace, brand: Brand, chosen: AnswerFilter, period: PeriodSums
) -> list[ChannelDomainCount]:
    """Return the domains that the chosen answers cite: by channel day, or by answer on cut days and of some prompts."""
    assert brand.revision_key is not None
    keys = sorted({day.batch_key for day in period.days}) if days_of(chosen) == (None, None) else None
    by_day, by_answer = workspace.source_counts.domains_of_days, workspace.source_counts.domains_by_channel
    if not OF_PROMPTS.isdisjoint(chosen.names):
        return await by_answer(brand.key, brand.revision_key, chosen, keys)
    whole, cut = divided(chosen)
    counts: list[ChannelDomainCount] = []
    if whole is not None:
        counts += await by_day(brand.revision_key, whole, *days_of(whole), keys)
    for part in cut:
        counts += await by_answer(brand.key, brand.revision_key, part)
    return counts


def _facts_of(sums: CellSums) -> ChannelFacts:
    return ChannelFacts(
        answers=sums.stored,
        searched=sums.searched,
        uncertain=sums.uncertain,
        absences=sums.absences,
        shown=sums.answers,
        not_shown=sums.not_shown,
        named=sums.named,
    )


def _document(
    identity: BrandIdentity,
    current: MeasuredBatches,
    earlier: MarketSums | None,
    facts: Mapping[Channel, ChannelFacts],
    part: ResultPart,
) -> StoredDocument:
    """Compute a part of the results; pure."""
    brand = identity.brand.id
    own_earlier = earlier.entities[brand] if earlier else None
    if part == "platforms":
        return platforms_document(identity, current, facts, (), own_earlier)
    if part == "rankings":
        return rankings_document(identity, rank_platforms(brand, current.market, (), earlier))
    calculation = calculate_all(brand, current, identity.fingerprint, own_earlier)
    verdict = measurement_verdict(calculation.score, current.market)
    return score_document(calculation, UNCOMPARED, verdict)
