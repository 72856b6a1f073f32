"""Results of the answers that filters choose: score, engines and rankings, made when somebody asks."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import anyio.to_thread

from analytics.batches import LOOK_BACK, enough
from analytics.metrics import measurement_verdict
from analytics.observation import Channel
from analytics.score import calculate_all
from measurement.brand_identity import BrandIdentity, identify
from measurement.calculation.calculate import pool_observations, rank_platforms
from measurement.documents.change import UNCOMPARED
from measurement.documents.platforms import platforms_document
from measurement.documents.rankings import EVERY_PLATFORM, rankings_document
from measurement.documents.score import score_document
from measurement.observations import BatchObservations, observe_each
from measurement.period_comparison import MOST_ANSWERS
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.answers.observed_answers import ObservedAnswer
from storage.repositories.batches import BatchRow
from storage.repositories.brands import Brand
from storage.repositories.prompt_results import AskedPrompt
from storage.workspace import Workspace

MOST_BATCHES = 200
FIRST_ASKS = 500
GROWTH = 6
"""Asks of the batches that are read first, and how many times more are read each time that these were not enough."""


@dataclass(frozen=True, slots=True)
class FilteredResults:
    """Documents as stored results have them, with the batches they rest on, newest first.

    `cut` when more answers fit than are looked at.
    """

    headline: Mapping[str, Any]
    platforms: Mapping[str, Any]
    rankings: Mapping[str, Any]
    calculated_at: datetime
    batch_ids: tuple[str, ...]
    cut: bool


@dataclass(frozen=True, slots=True)
class FilteredBatches:
    """What filters leave of batches, newest first, and who reads it."""

    identity: BrandIdentity
    batches: tuple[BatchObservations, ...]
    cut: bool


async def filtered_results(
    workspace: Workspace, brand: Brand, chosen: AnswerFilter, now: datetime
) -> FilteredResults | None:
    """Return what the chosen answers show; None when there is none.

    With a period all of its answers count together. Without one it is the newest measurement, and those before it
    as far as a score looks back.
    """
    batches = await filtered_batches(workspace, brand, chosen, now, all_of_them=is_period(chosen))
    if batches is None:
        return None
    return await anyio.to_thread.run_sync(_results, batches)


def is_period(chosen: AnswerFilter) -> bool:
    """Tell whether a filter names a time."""
    return chosen.since is not None or chosen.until is not None


async def filtered_batches(
    workspace: Workspace, brand: Brand, chosen: AnswerFilter, now: datetime, *, all_of_them: bool
) -> FilteredBatches | None:
    """Load the batches that hold chosen answers; `all_of_them`, or only as many as a score looks at."""
    if brand.revision_key is None:
        return None
    identity = await identify(workspace, brand)
    rows = _in_period(await workspace.batches.successful(brand.key, now, MOST_BATCHES), chosen)
    progress = await workspace.asks.progress_of_each([row.key for row in rows])
    asks = {key: sum(simulation.total for simulation in progress[key]) for key in progress}
    kept: list[BatchObservations] = []
    answers = 0
    for group in _groups(rows, asks, MOST_ANSWERS if all_of_them else FIRST_ASKS):
        loaded = await observe_each(workspace, identity, brand.revision_key, group, progress)
        prompts = await _prompts(workspace, loaded, chosen)
        for observed in loaded:
            narrowed = narrow(observed, chosen, _asked_in(observed, prompts))
            if not narrowed.answers:
                continue
            if not all_of_them and kept and _is_enough(kept, narrowed, brand.id):
                return FilteredBatches(identity, tuple(kept), cut=False)
            kept.append(narrowed)
            answers += len(narrowed.answers)
            if answers >= MOST_ANSWERS:
                return FilteredBatches(identity, tuple(kept), cut=True)
    return FilteredBatches(identity, tuple(kept), cut=False) if kept else None


def _in_period(newest_first: Sequence[BatchRow], chosen: AnswerFilter) -> list[BatchRow]:
    """Return the batches that may hold answers of a filter's time."""
    rows: list[BatchRow] = []
    for row in newest_first:
        if chosen.since and row.finished_at and row.finished_at < chosen.since:
            break
        if chosen.until and row.source != "import" and row.created_at >= chosen.until:
            continue  # answers come after their batch was opened, imported ones any time before
        rows.append(row)
    return rows


def _groups(rows: Sequence[BatchRow], asks: Mapping[int, int], most: int) -> Iterator[list[BatchRow]]:
    """Return batches to be read together: at first of so many asks, then of more, for the first ones may do."""
    group: list[BatchRow] = []
    size = 0
    for row in rows:
        if group and size + asks[row.key] > most:
            yield group
            group, size, most = [], 0, min(most * GROWTH, MOST_ANSWERS)
        group.append(row)
        size += asks[row.key]
    if group:
        yield group


def narrow(
    observed: BatchObservations, chosen: AnswerFilter, prompts: Mapping[str, AskedPrompt] | None
) -> BatchObservations:
    """Return what of a batch a filter chooses; `prompts` are those it chooses by, None when it takes any.

    How the asks of a channel ended is a matter of the whole channel, whatever prompts and days are looked at: a channel
    that lost too many answers is left out here as everywhere.
    """

    def has_channel(channel: Channel) -> bool:
        return (
            chosen.platform in (None, channel.platform)
            and chosen.mode in (None, channel.mode)
            and chosen.country in (None, channel.country)
        )

    def is_chosen(answer: ObservedAnswer) -> bool:
        return (
            chosen.platform in (None, answer.platform)
            and chosen.mode in (None, answer.mode)
            and chosen.country in (None, answer.country)
            and (prompts is None or answer.prompt_id in prompts)
            and (chosen.since is None or answer.captured_at >= chosen.since)
            and (chosen.until is None or answer.captured_at < chosen.until)
        )

    answers = tuple(answer for answer in observed.answers if is_chosen(answer))
    keys, ids = {answer.key for answer in answers}, {answer.id for answer in answers}
    batch = observed.batch
    return replace(
        observed,
        batch=replace(
            batch,
            captured_at=max((answer.captured_at for answer in answers), default=batch.captured_at),
            asked={channel: asks for channel, asks in batch.asked.items() if has_channel(channel)},
            observations={
                entity: [seen for seen in entity_observations if seen.answer_id in ids]
                for entity, entity_observations in batch.observations.items()
            },
            missing={
                cell: count
                for cell, count in batch.missing.items()
                if has_channel(cell[1]) and (prompts is None or cell[0] in prompts)
            },
        ),
        answers=answers,
        own_mentions=tuple(mention for mention in observed.own_mentions if mention.answer_key in keys),
    )


def _asked_in(
    observed: BatchObservations, prompts: Mapping[str, AskedPrompt] | None
) -> Mapping[str, AskedPrompt] | None:
    """Return those of the prompts that a batch has answers to."""
    if prompts is None:
        return None
    answered = {answer.prompt_id for answer in observed.answers}
    return {id: prompt for id, prompt in prompts.items() if id in answered}


async def _prompts(
    workspace: Workspace, batches: Sequence[BatchObservations], chosen: AnswerFilter
) -> Mapping[str, AskedPrompt] | None:
    """Return the prompts of some batches that a filter chooses; None when it chooses by no prompt."""
    if not any((chosen.prompt_set_id, chosen.prompt_id, chosen.tag, chosen.intent)):
        return None
    ids = {answer.prompt_id for observed in batches for answer in observed.answers}
    asked = await workspace.prompt_results.prompts(sorted(ids))
    return {
        prompt.id: prompt
        for prompt in asked.values()
        if chosen.prompt_set_id in (None, prompt.set_id)
        and chosen.prompt_id in (None, prompt.id)
        and (chosen.tag is None or chosen.tag in prompt.tags)
        and chosen.intent in (None, prompt.intent)
    }


def _is_enough(kept: Sequence[BatchObservations], older: BatchObservations, brand_id: str) -> bool:
    """Tell whether a score looks no further back than the batches that are kept."""
    batches = [narrowed.batch for narrowed in kept]
    return enough(batches, brand_id) or batches[0].captured_at - older.batch.captured_at > LOOK_BACK


def _results(filtered: FilteredBatches) -> FilteredResults:
    """Calculate over all these batches together; pure."""
    identity, brand_id = filtered.identity, filtered.identity.brand.id
    calculation = calculate_all(
        brand_id, [observed.batch for observed in filtered.batches], identity.fingerprint
    )
    rankings = rank_platforms(identity, filtered.batches, calculation.platforms)
    observations = pool_observations(identity, filtered.batches)
    verdict = measurement_verdict(calculation.score, observations, rankings[EVERY_PLATFORM])
    return FilteredResults(
        headline=score_document(calculation, UNCOMPARED, verdict).to_json(),
        platforms=platforms_document(identity, filtered.batches, observations[brand_id], ()).to_json(),
        rankings=rankings_document(identity, rankings).to_json(),
        calculated_at=filtered.batches[0].batch.captured_at,
        batch_ids=tuple(observed.batch.id for observed in filtered.batches),
        cut=filtered.cut,
    )
