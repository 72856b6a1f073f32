"""Results of filtered answers: score, engines and rankings, from precomputed daily documents."""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from itertools import groupby

import anyio.to_thread

from analytics.batches import LOOK_BACK, AnswerBatch, are_enough
from measurement.extraction.observations import BatchObservations, facts_of, observe_each, summarize
from measurement.planning.brand_identity import BrandIdentity, identify
from measurement.publication.repeats import asks_once, stored_repeats
from measurement.statistics.batches import (
    ChosenBatch,
    LaidOutAnswers,
    LaidOutBatch,
    begin_of,
    choose_of_batch,
    days_of,
    holds_whole_days,
    observe_together,
    prompts_of,
    rated_of_batch,
    read_batches,
)
from measurement.statistics.choices import can_choose, choice_of, has_channel, is_chosen_prompt
from measurement.statistics.filtered_documents import (
    FilteredBatches,
    FilteredResults,
    ResultPart,
    calculate_results,
)
from measurement.statistics.period_rows import MOST_ANSWERS
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.answers.observed_answers import ObservedAnswer
from storage.repositories.batch_cells import StoredCells
from storage.repositories.batches import BatchRow
from storage.repositories.brands import Brand
from storage.repositories.prompt_results import AskedPrompt
from storage.workspace import Workspace

MOST_BATCHES = 200
FIRST_BATCHES = 2
FIRST_ASKS = 500
GROWTH = 6
"""Number of batches, or of their requests, to read first, and the factor by which it grows if they are too few."""
BATCHES_AT_ONCE = 16
"""Number of precomputed batches to unpack before checking whether they are enough."""


async def filtered_results(
    workspace: Workspace, brand: Brand, chosen: AnswerFilter, now: datetime, part: ResultPart
) -> FilteredResults | None:
    """Return the results of the chosen answers; None if there are no answers.

    With a period, all of its answers count together. Without one, the newest measurement counts, with those
    before it as far back as a score reaches.
    """
    if brand.revision_key is None or not await can_choose(workspace, chosen):
        return None
    identity = await identify(workspace, brand)
    taken = Taken(brand.id, all_of_them=is_period(chosen))
    if not await take_laid_out(
        workspace, brand, identity, chosen, now, taken, with_facts=part == "platforms"
    ):
        taken = Taken(brand.id, all_of_them=is_period(chosen))
        await take_answers(workspace, brand, identity, chosen, now, taken)
    if not taken.batches:
        return None
    repeats = await load_repeats(workspace, brand, identity, chosen, taken)
    filtered = FilteredBatches(identity, tuple(taken.batches), taken.cut, repeats)
    return await anyio.to_thread.run_sync(calculate_results, filtered, part)


def is_period(chosen: AnswerFilter) -> bool:
    """Return whether a filter has a time range."""
    return chosen.since is not None or chosen.until is not None


@dataclass(slots=True)
class Taken:
    """The batches taken so far, newest first: `all_of_them`, or only as many as a score uses.

    `full` means that no further batch is taken, and `cut` that one was left out only because of the number of
    answers.
    """

    brand_id: str
    all_of_them: bool
    most: int | None = None
    """Number of answers after which no further batch is taken; by default the most that are counted."""
    batches: list[ChosenBatch] = field(default_factory=list[ChosenBatch])
    laid_out: LaidOutAnswers = field(default_factory=LaidOutAnswers)
    rated: Counter[str] = field(default_factory=Counter[str])
    """Answers that rate the brand, by prompt ID, where it matters whether they are enough."""
    answers: int = 0
    full: bool = False
    cut: bool = False

    def take(self, older: ChosenBatch) -> None:
        """Take another batch, unless the earlier ones are enough or already hold the most answers that count."""
        if self.full or not older.answers:
            return
        if not self.all_of_them and self.batches and self._is_enough(older):
            self.full = True
        elif self.answers >= (MOST_ANSWERS if self.most is None else self.most):
            self.full = self.cut = True
        else:
            self.batches.append(older)
            self.answers += older.answers
            if not self.all_of_them:
                self.rated.update(rated_of_batch(older, self.laid_out, self.brand_id))

    def needs_times(self, batch: LaidOutBatch) -> bool:
        """Return whether the times of the next batch's answers matter, as the newest batch dates the result.

        For an older batch, they matter if only they show whether it is further back than a score reaches.
        """
        if self.all_of_them or not self.batches:
            return not self.batches
        return begin_of(batch.days[0].day) < self.batches[0].batch.captured_at - LOOK_BACK

    def _is_enough(self, older: ChosenBatch) -> bool:
        """Return whether a score reaches no further back than the batches that are taken."""
        newest = self.batches[0].batch.captured_at
        return are_enough(self.rated) or newest - older.batch.captured_at > LOOK_BACK


async def take_laid_out(
    workspace: Workspace,
    brand: Brand,
    identity: BrandIdentity,
    chosen: AnswerFilter,
    now: datetime,
    taken: Taken,
    *,
    with_facts: bool = True,
) -> bool:
    """Take a filter's batches from precomputed documents; False if some are missing or a day is partial.

    Facts beside the extraction results are read only `with_facts`: they are the larger part of the documents.
    """
    if not await _take_laid_out(workspace, brand, chosen, now, taken, with_facts=with_facts):
        return False
    taken.batches = await anyio.to_thread.run_sync(observe_together, identity, taken.batches, taken.laid_out)
    return True


async def _take_laid_out(
    workspace: Workspace, brand: Brand, chosen: AnswerFilter, now: datetime, taken: Taken, *, with_facts: bool
) -> bool:
    """Take precomputed batches, which have no observations yet."""
    assert brand.revision_key is not None
    if not holds_whole_days(chosen):
        return False
    cells = workspace.batch_cells
    if is_period(chosen):
        days = days_of(chosen)
        if await cells.not_laid_out(brand.key, brand.revision_key, 1, begin_of(days[0])):
            return False
        stored = await cells.of_days(brand.key, brand.revision_key, *days)
        await _take_stored(workspace, stored, chosen, taken, with_facts=with_facts)
        return True
    rows = await workspace.batches.successful(brand.key, now, MOST_BATCHES)
    first, size = 0, FIRST_BATCHES
    while first < len(rows) and not taken.full:
        keys = [row.key for row in rows[first : first + size]]
        stored = await cells.of_batches(brand.key, brand.revision_key, keys)
        if {row.batch_key for row in stored} != set(keys):
            return False
        await _take_stored(workspace, stored, chosen, taken, with_facts=with_facts)
        first, size = first + size, size * GROWTH
    return True


async def load_repeats(
    workspace: Workspace, brand: Brand, identity: BrandIdentity, chosen: AnswerFilter, taken: Taken
) -> list[AnswerBatch]:
    """Return the earlier batches that count as repeats of those taken, where these ask prompts once.

    Only what the filter chooses regardless of time is read: repeats of other prompts and channels add
    nothing.
    """
    assert brand.revision_key is not None
    batches = [of_batch.batch for of_batch in taken.batches]
    if not asks_once(batches, brand.id):
        return []
    ids = {batch.id for batch in batches}
    stored = await stored_repeats(workspace, brand.revision_key, ids)
    wanted = {repeat for repeats in stored.values() for repeat in repeats} - ids
    rows = await workspace.batches.of_ids(sorted(wanted))
    cells = await workspace.batch_cells.of_batches(brand.key, brand.revision_key, [row.key for row in rows])
    repeats = Taken(brand.id, all_of_them=True, most=sys.maxsize)
    ever = replace(chosen, since=None, until=None)
    await _take_stored(workspace, cells, ever, repeats, with_facts=False)
    together = await anyio.to_thread.run_sync(observe_together, identity, repeats.batches, repeats.laid_out)
    known = {of_batch.batch_key for of_batch in cells}
    others = [row for row in rows if row.key not in known]  # published without daily documents
    laid_out = [of_batch.batch for of_batch in together]
    if not others:
        return laid_out
    progress = await workspace.asks.progress_of_each([row.key for row in others])
    read = await observe_each(workspace, identity, brand.revision_key, others, progress)
    return [*laid_out, *(observed.batch for observed in read)]


def _by_batches(stored: Sequence[StoredCells]) -> Iterator[Sequence[StoredCells]]:
    """Yield documents some batches at a time, so that no more are unpacked once enough answers are taken."""
    of_each = [tuple(of_batch) for _, of_batch in groupby(stored, key=lambda cells: cells.batch_key)]
    for first in range(0, len(of_each), BATCHES_AT_ONCE):
        yield [cells for of_batch in of_each[first : first + BATCHES_AT_ONCE] for cells in of_batch]


async def _take_stored(
    workspace: Workspace,
    stored: Sequence[StoredCells],
    chosen: AnswerFilter,
    taken: Taken,
    *,
    with_facts: bool,
) -> None:
    """Take stored batches, and stop reading when `taken` is full."""
    asked = taken.laid_out.asked
    for some in _by_batches(stored):
        if taken.full:
            break
        batches = await anyio.to_thread.run_sync(read_batches, some)
        ids = prompts_of(batches) - asked.keys()
        if ids:
            asked |= await workspace.prompt_results.prompts(sorted(ids))
        await anyio.to_thread.run_sync(partial(_take_batches, batches, chosen, taken, with_facts=with_facts))


def _take_batches(
    batches: Sequence[LaidOutBatch], chosen: AnswerFilter, taken: Taken, *, with_facts: bool
) -> None:
    choice = choice_of(chosen, taken.laid_out.asked)
    for batch in batches:
        if taken.full:
            break
        with_times = taken.needs_times(batch)
        left = choose_of_batch(
            batch, chosen, choice, taken.laid_out, with_facts=with_facts, with_times=with_times
        )
        if left is not None:
            taken.take(left)


async def take_answers(
    workspace: Workspace,
    brand: Brand,
    identity: BrandIdentity,
    chosen: AnswerFilter,
    now: datetime,
    taken: Taken,
) -> None:
    """Take the batches of a filter by reading their answers one by one."""
    assert brand.revision_key is not None
    newest = await workspace.batches.successful(brand.key, now, MOST_BATCHES)
    rows = _in_period(newest, chosen)
    progress = await workspace.asks.progress_of_each([row.key for row in rows])
    asks = {key: sum(simulation.total for simulation in progress[key]) for key in progress}
    for group in _groups(rows, asks, MOST_ANSWERS if taken.all_of_them else FIRST_ASKS):
        if taken.answers >= MOST_ANSWERS:
            taken.cut = True  # there may be matching answers left: only reading as many again would show
            return
        loaded = await observe_each(workspace, identity, brand.revision_key, group, progress)
        prompts = await _prompts(workspace, loaded, chosen)
        for observed in loaded:
            narrowed = narrow(observed, chosen, _asked_in(observed, prompts))
            taken.take(ChosenBatch(narrowed.batch, facts_of([narrowed]), len(narrowed.answers)))
            if taken.full:
                return
    taken.cut = taken.all_of_them and len(newest) == MOST_BATCHES and rows[-1:] == newest[-1:]


def _in_period(newest_first: Sequence[BatchRow], chosen: AnswerFilter) -> list[BatchRow]:
    """Return the batches that may hold answers within a filter's time range."""
    rows: list[BatchRow] = []
    for row in newest_first:
        if chosen.since and row.finished_at and row.finished_at < chosen.since:
            break
        if chosen.until and row.source != "import" and row.created_at >= chosen.until:
            continue  # answers come after their batch was opened; imported ones may be older
        rows.append(row)
    return rows


def _groups(rows: Sequence[BatchRow], asks: Mapping[int, int], most: int) -> Iterator[list[BatchRow]]:
    """Yield batches to read together: groups of few requests first, then larger ones, as the first may be enough."""
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
    """Narrow a batch to what a filter chooses; `prompts` are the chosen ones, or None for all.

    Request outcomes concern the whole channel, whatever prompts and days are chosen: a channel that lost too
    many answers is left out here as everywhere.
    """

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
    mentions = tuple(mention for mention in observed.mentions if mention.answer_key in keys)
    batch = observed.batch
    return replace(
        observed,
        batch=replace(
            batch,
            captured_at=max((answer.captured_at for answer in answers), default=batch.captured_at),
            asked={channel: asks for channel, asks in batch.asked.items() if has_channel(chosen, channel)},
            observations={
                entity: [seen for seen in entity_observations if seen.answer_id in ids]
                for entity, entity_observations in batch.observations.items()
            },
            missing={
                cell: count
                for cell, count in batch.missing.items()
                if has_channel(chosen, cell[1]) and (prompts is None or cell[0] in prompts)
            },
        ),
        channels=summarize({}, answers, mentions),
        answers=answers,
        mentions=mentions,
    )


def _asked_in(
    observed: BatchObservations, prompts: Mapping[str, AskedPrompt] | None
) -> Mapping[str, AskedPrompt] | None:
    """Return the prompts that a batch has answers to."""
    if prompts is None:
        return None
    answered = {answer.prompt_id for answer in observed.answers}
    return {id: prompt for id, prompt in prompts.items() if id in answered}


async def _prompts(
    workspace: Workspace, batches: Sequence[BatchObservations], chosen: AnswerFilter
) -> Mapping[str, AskedPrompt] | None:
    """Return the prompts of some batches that a filter chooses; None if it does not filter by prompt."""
    if not any((chosen.prompt_set_id, chosen.prompt_id, chosen.tag, chosen.intent)):
        return None
    ids = {answer.prompt_id for observed in batches for answer in observed.answers}
    asked = await workspace.prompt_results.prompts(sorted(ids))
    return {prompt.id: prompt for prompt in asked.values() if is_chosen_prompt(prompt, chosen)}
