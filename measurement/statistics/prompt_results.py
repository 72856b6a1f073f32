"""Results of single prompts over a period and the one before it: rates, competitors, outcome, change."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta

import anyio.to_thread

from analytics.observation import Channel
from analytics.prompt_results import Outcome, PromptChange, PromptRate, change_of, outcome_of
from measurement.planning.brand_identity import BRAND_KEY
from measurement.publication.days import LaidOutDay, count_namings
from measurement.publication.kept_results import KeptResults
from measurement.publication.readings import AlikeReading
from measurement.statistics.batches import begin_of, days_of
from measurement.statistics.choices import Choice, has_channel, is_chosen_prompt
from measurement.statistics.naming_changes import CountedPeriod, PromptRates, naming_changes
from measurement.statistics.periods import content_digest, find_period, read_period
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.brands import Brand, EntityNames
from storage.repositories.prompt_results import AskedPrompt, PromptNaming
from storage.workspace import Workspace

NOTHING = PromptRate(0, 0)
NOBODY_ASKED = CountedPeriod({}, frozenset())
MOST_RATES = 50_000
"""Size limit of the cache: rates of all periods, each of one entity in the answers to one prompt."""
KEPT = KeptResults[CountedPeriod](MOST_RATES)


@dataclass(frozen=True, slots=True)
class RivalRate:
    """A competitor's rate on the same answers."""

    name: str
    rate: PromptRate


@dataclass(frozen=True, slots=True)
class PromptResult:
    """The brand's result for one prompt, with the competitors that are named at all, most often first."""

    prompt: AskedPrompt
    own: PromptRate
    rivals: tuple[RivalRate, ...]
    outcome: Outcome
    change: PromptChange

    @property
    def gap(self) -> float:
        """How much more often the strongest competitor is named than the brand, as a share; may be negative."""
        best = max((rival.rate.rate or 0.0 for rival in self.rivals), default=0.0)
        return best - (self.own.rate or 0.0)


def in_period(chosen: AnswerFilter, length: timedelta, now: datetime) -> AnswerFilter:
    """Return a filter with both ends: its own, or by default now and `length` before that.

    An end after today becomes the end of today, because only days up to today can hold answers. A period that
    lies entirely in the future is not changed.
    """
    begin_of_day = now.replace(hour=0, minute=0, second=0, microsecond=0)
    end_of_today = now if now == begin_of_day else begin_of_day + timedelta(days=1)
    until = chosen.until or now
    if until > end_of_today and not (chosen.since and chosen.since >= end_of_today):
        until = end_of_today
    return replace(chosen, since=chosen.since or until - length, until=until)


def period_before(chosen: AnswerFilter) -> AnswerFilter:
    """Return the filter of the period of the same length that ends where this one begins."""
    assert chosen.since is not None
    assert chosen.until is not None
    return replace(chosen, since=chosen.since - (chosen.until - chosen.since), until=chosen.since)


@dataclass(frozen=True, slots=True)
class PeriodResults:
    """The result of every prompt, and the change in how often each competitor is named, by its name.

    There are no changes for a single competitor, because their tests are corrected for the number of all
    competitors.
    """

    prompts: Sequence[PromptResult]
    changes: Mapping[str, PromptChange]


async def prompt_results(
    workspace: Workspace,
    brand: Brand,
    chosen: AnswerFilter,
    before: AnswerFilter,
    competitor: EntityNames | None = None,
) -> PeriodResults:
    """Return the result of every prompt that is asked about a brand or was answered in the filter's period.

    Changes are relative to the period `before`. If `competitor` is given, only that one is compared with the
    brand.
    """
    names = await rival_names(workspace, brand, competitor)
    prompts = {prompt.id: prompt for prompt in await workspace.prompt_results.asked(brand.key)}
    prompts = {prompt_id: prompt for prompt_id, prompt in prompts.items() if matches(prompt, chosen)}
    now, earlier = await _count_periods(workspace, brand, [chosen, before])
    answered = await workspace.prompt_results.prompts(sorted(now.rates))
    changes: dict[int, PromptChange] = {}
    if competitor is None:
        changes = await anyio.to_thread.run_sync(naming_changes, now, earlier, names)
    return PeriodResults(
        [
            _result(prompt, now.rates.get(prompt.id, {}), earlier.rates.get(prompt.id, {}), names)
            for prompt in {**prompts, **answered}.values()
        ],
        {name: changes[key] for key, name in names.items() if key in changes},
    )


def matches(prompt: AskedPrompt, chosen: AnswerFilter) -> bool:
    """Return whether a prompt that may have no answer yet matches a filter; branded prompts never do."""
    return (
        prompt.branded is not True
        and chosen.prompt_set_id in (None, prompt.set_id)
        and chosen.prompt_id in (None, prompt.id)
        and (chosen.tag is None or chosen.tag in prompt.tags)
        and chosen.intent in (None, prompt.intent)
    )


async def _count_periods(
    workspace: Workspace, brand: Brand, periods: Sequence[AnswerFilter]
) -> list[CountedPeriod]:
    """Return the rates of each period, from precomputed whole days and from single answers for the rest."""
    if brand.revision_key is None:
        return [NOBODY_ASKED for _ in periods]
    parted = [part_days(period) for period in periods]
    counted = await _laid_out_rates(workspace, brand, [whole for whole, _ in parted])
    counts: list[CountedPeriod] = []
    for place, (_, cuts) in enumerate(parted):
        left = [periods[place]] if counted is None else cuts
        parts = [await _counted_rates(workspace, brand, cut) for cut in left]
        if counted is None or any(parts):
            whole = [] if counted is None else [counted[place].rates]
            counts.append(CountedPeriod(_joined([*whole, *parts]), None))
        else:
            counts.append(counted[place])
    return counts


def part_days(period: AnswerFilter) -> tuple[AnswerFilter | None, list[AnswerFilter]]:
    """Split a period with both ends into its whole UTC days (None if it has none) and what is left around them."""
    assert period.since is not None
    assert period.until is not None
    since, until = period.since.astimezone(UTC), period.until.astimezone(UTC)
    last = datetime.combine(until.date(), time(), UTC)
    first = datetime.combine(since.date(), time(), UTC)
    first += timedelta(days=1) if first < since else timedelta()
    if first >= last:
        return None, [period]
    ends = [(since, first), (last, until)]
    return replace(period, since=first, until=last), [
        replace(period, since=begin, until=end) for begin, end in ends if begin < end
    ]


async def _laid_out_rates(
    workspace: Workspace, brand: Brand, wholes: Sequence[AnswerFilter | None]
) -> list[CountedPeriod] | None:
    """Return the rates for each filter of whole days; None if not all of them are precomputed."""
    assert brand.revision_key is not None
    begins = [days_of(whole)[0] for whole in wholes if whole is not None]
    if not begins:
        return [NOBODY_ASKED for _ in wholes]
    if await workspace.batch_cells.not_laid_out(brand.key, brand.revision_key, 1, begin_of(min(begins))):
        return None
    return [
        NOBODY_ASKED if whole is None else await _rates_of_whole_days(workspace, brand, whole)
        for whole in wholes
    ]


async def _rates_of_whole_days(workspace: Workspace, brand: Brand, whole: AnswerFilter) -> CountedPeriod:
    """Return the rates of whole days, cached until one of them is recomputed."""
    days = days_of(whole)
    period = await find_period(workspace, brand, days)
    whatever_time = replace(whole, since=None, until=None)
    if (kept := KEPT.find(content_digest(period.digest, whatever_time))) is not None:
        return kept
    period = await read_period(workspace, brand, days, period)

    def count() -> CountedPeriod:
        counted = _rates_of_days(
            [day for batch in period.batches or () for day in batch.days], whole, period.asked
        )
        size = 1 + sum(map(len, counted.rates.values()))
        return KEPT.keep(content_digest(period.digest, whatever_time), size, counted)

    return await anyio.to_thread.run_sync(count)


def _rates_of_days(
    days: Sequence[LaidOutDay], whole: AnswerFilter, asked: Mapping[str, AskedPrompt]
) -> CountedPeriod:
    """Count the rated answers of some days; pure."""
    prompts = {prompt.id for prompt in asked.values() if is_chosen_prompt(prompt, whole)}
    of_set = {prompt.id for prompt in asked.values() if prompt.set_id is not None}

    def is_chosen(prompt_id: str, channel: Channel) -> bool:
        return (
            prompt_id in prompts
            and has_channel(whole, channel)
            and (prompt_id in of_set or channel.source == "import")
        )

    choice = Choice(is_chosen)
    alike = Counter[AlikeReading]()
    for day in days:
        day.count(choice.cells(day), alike)
    answers, namings = count_namings(alike)
    rates: PromptRates = {
        prompt_id: {BRAND_KEY: PromptRate(count, 0)} for prompt_id, count in answers.items()
    }
    for (prompt_id, entity_key), counts in namings.items():
        rates[prompt_id][entity_key] = PromptRate(
            answers[prompt_id], counts.named, counts.ranked, counts.rank_sum, counts.cited
        )
    channels = frozenset(reading.channel for reading in alike if reading.prompt_id in answers)
    return CountedPeriod(rates, channels)


async def _counted_rates(workspace: Workspace, brand: Brand, chosen: AnswerFilter) -> PromptRates:
    """Return the rates of the answers of a filter, counted one by one."""
    assert brand.revision_key is not None
    counts, namings = await workspace.prompt_results.counts(brand.key, brand.revision_key, chosen)
    rates = {count.prompt.id: {BRAND_KEY: PromptRate(answers=count.answers, named=0)} for count in counts}
    for naming in namings:
        answers = rates[naming.prompt_id][BRAND_KEY].answers
        rates[naming.prompt_id][naming.entity_key] = rate_of(answers, naming)
    return rates


def _joined(parts: Sequence[PromptRates]) -> PromptRates:
    """Add up the rates of parts that share no answer."""
    joined: PromptRates = {}
    for part in parts:
        for prompt_id, of_part in part.items():
            entities = joined.setdefault(prompt_id, {BRAND_KEY: NOTHING})
            for key, rate in of_part.items():
                entities[key] = added_rates(entities.get(key, NOTHING), rate)
    for entities in joined.values():
        answers = entities[BRAND_KEY].answers
        for key, rate in entities.items():
            entities[key] = replace(rate, answers=answers)
    return joined


async def rival_names(workspace: Workspace, brand: Brand, competitor: EntityNames | None) -> dict[int, str]:
    """Return the competitors to compare the brand with, by key."""
    return {
        entity.key: entity.name
        for entity in await workspace.brands.entities(brand)
        if entity.key != BRAND_KEY and (competitor is None or entity.key == competitor.key)
    }


def rate_of(answers: int, naming: PromptNaming) -> PromptRate:
    """Return the rate of an entity from its counts and the number of answers."""
    return PromptRate(answers, naming.named, naming.ranked, naming.rank_sum, naming.cited)


def rival_rates(rates: Mapping[int, PromptRate], names: Mapping[int, str]) -> tuple[RivalRate, ...]:
    """Return the competitors that are named at all, most often first."""
    rivals = [RivalRate(name, rates[key]) for key, name in names.items() if key in rates and rates[key].named]
    return tuple(sorted(rivals, key=lambda rival: (-rival.rate.named, rival.name)))


def _result(
    prompt: AskedPrompt,
    now: dict[int, PromptRate],
    before: dict[int, PromptRate],
    names: dict[int, str],
) -> PromptResult:
    own = now.get(BRAND_KEY, NOTHING)
    rivals = rival_rates(now, names)
    return PromptResult(
        prompt=prompt,
        own=own,
        rivals=rivals,
        outcome=outcome_of(own, [rival.rate for rival in rivals]),
        change=change_of(own, before.get(BRAND_KEY, NOTHING)),
    )


@dataclass(frozen=True, slots=True)
class OverallRates:
    """The rates over all prompts, with the competitors that are named at all, most often first."""

    own: PromptRate
    rivals: tuple[RivalRate, ...]


def overall_rates(results: Sequence[PromptResult]) -> OverallRates:
    """Add up the results of prompts; an answer belongs to one prompt and counts once."""
    own = NOTHING
    for result in results:
        own = added_rates(own, result.own)
    named: dict[str, PromptRate] = {}
    for result in results:
        for rival in result.rivals:
            named[rival.name] = added_rates(named.get(rival.name, NOTHING), rival.rate)
    rivals = [RivalRate(name, replace(rate, answers=own.answers)) for name, rate in named.items()]
    return OverallRates(own, tuple(sorted(rivals, key=lambda rival: (-rival.rate.named, rival.name))))


def added_rates(first: PromptRate, second: PromptRate) -> PromptRate:
    """Return the sum of two rates of one entity."""
    return PromptRate(
        first.answers + second.answers,
        first.named + second.named,
        first.ranked + second.ranked,
        first.rank_sum + second.rank_sum,
        first.cited + second.cited,
    )


def sort_results(results: Sequence[PromptResult], by: str, outcome: str | None = None) -> list[PromptResult]:
    """Return the results with an outcome, or all of them, sorted by `gap`, `rate` or `change`.

    `gap` puts the widest loss first or, for wins alone, the widest win. `rate` puts the lowest first and
    those not measured last. `change` puts the largest first.
    """
    results = [result for result in results if outcome in (None, result.outcome)]
    if by == "rate":
        return sorted(results, key=lambda result: (result.own.rate is None, result.own.rate or 0.0))
    if by == "change":
        return sorted(results, key=lambda result: -abs(result.change.difference or 0.0))
    return sorted(results, key=lambda result: result.gap if outcome == "win" else -result.gap)
