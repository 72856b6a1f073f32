"""Results of single prompts over a period and the one before it: rates, competitors, outcome, change."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import anyio.to_thread

from analytics.prompt_means import CellKey
from analytics.prompt_results import Outcome, PromptChange, PromptRate, change_of, outcome_of
from measurement.planning.brand_identity import BRAND_KEY
from measurement.statistics.naming_changes import CountedPeriod, PromptRates, naming_changes
from measurement.statistics.period_sums import load_period
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.brands import Brand, EntityNames
from storage.repositories.prompt_results import AskedPrompt
from storage.workspace import Workspace

NOTHING = PromptRate(0, 0)


@dataclass(frozen=True, slots=True)
class RivalRate:
    """A competitor's rate on the same answers, and on a single prompt its rate in the earlier period."""

    name: str
    rate: PromptRate
    before: PromptRate | None = None

    @property
    def change(self) -> PromptChange | None:
        """Its change on a single prompt, computed only where it is shown; None over several prompts."""
        return None if self.before is None else change_of(self.rate, self.before)


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


def in_period(chosen: AnswerFilter, length: timedelta, today: datetime) -> AnswerFilter:
    """Return a filter with both ends: its own, or by default the end of today and `length` before that.

    An end after today becomes the end of today, because only days up to today can hold answers. A period that
    lies entirely in the future is not changed.
    """
    end_of_today = today + timedelta(days=1)
    until = chosen.until or end_of_today
    if until > end_of_today and not (chosen.since and chosen.since >= end_of_today):
        until = end_of_today
    return replace(chosen, since=chosen.since or until - length, until=until)


@dataclass(frozen=True, slots=True)
class PeriodResults:
    """The result of every prompt, and the change in how often each competitor is named, by its name.

    There are no changes for a single competitor, because their tests are corrected for the number of all
    competitors. `cells` are the rates of each entity by prompt and channel, and `names` the competitors by key.
    """

    prompts: Sequence[PromptResult]
    changes: Mapping[str, PromptChange]
    cells: Mapping[int, Sequence[tuple[CellKey, PromptRate]]]
    names: Mapping[int, str]


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
    entities = [
        entity
        for entity in await workspace.brands.entities(brand)
        if competitor is None or entity.key in (BRAND_KEY, competitor.key)
    ]
    names = {entity.key: entity.name for entity in entities if entity.key != BRAND_KEY}
    prompts = {prompt.id: prompt for prompt in await workspace.prompt_results.asked(brand.key)}
    prompts = {prompt_id: prompt for prompt_id, prompt in prompts.items() if matches(prompt, chosen)}
    cells = await _rates_by_cell(workspace, brand, chosen, entities)
    now = counted_period(cells)
    earlier = counted_period(await _rates_by_cell(workspace, brand, before, entities))
    answered = await workspace.prompt_results.prompts(sorted(now.rates))
    changes: dict[int, PromptChange] = {}
    if competitor is None:
        changes = await anyio.to_thread.run_sync(naming_changes, now, earlier, names)
    return PeriodResults(
        [
            _result(
                prompt,
                now.rates.get(prompt.id, {}),
                earlier.rates.get(prompt.id, {}),
                names,
                lists_unnamed=competitor is not None,
            )
            for prompt in {**prompts, **answered}.values()
        ],
        {name: changes[key] for key, name in names.items() if key in changes},
        cells,
        names,
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


async def _rates_by_cell(
    workspace: Workspace, brand: Brand, chosen: AnswerFilter, entities: Sequence[EntityNames]
) -> dict[int, Sequence[tuple[CellKey, PromptRate]]]:
    """Return the rates of each entity by cell, where an answer is rated."""
    if brand.revision_key is None:
        return {entity.key: () for entity in entities}
    market = (await load_period(workspace, brand, chosen, entities)).market
    return {
        entity.key: [
            (key, PromptRate(sums.answers, sums.named, sums.ranked, sums.rank_sum, sums.citing))
            for key, sums in market.entities[entity.id].cells.items()
            if sums.answers
        ]
        for entity in entities
    }


def counted_period(cells: Mapping[int, Sequence[tuple[CellKey, PromptRate]]]) -> CountedPeriod:
    """Return the rates of each prompt with a rated answer, and the channels of these answers; pure."""
    rates: PromptRates = {}
    for entity_key, of_entity in cells.items():
        for (prompt, _), rate in of_entity:
            of_prompt = rates.setdefault(prompt, {})
            of_prompt[entity_key] = added_rates(of_prompt.get(entity_key, NOTHING), rate)
    return CountedPeriod(rates, frozenset(channel for (_, channel), _ in cells[BRAND_KEY]))


def rival_rates(rates: Mapping[int, PromptRate], names: Mapping[int, str]) -> tuple[RivalRate, ...]:
    """Return the competitors that are named at all, most often first."""
    rivals = [RivalRate(name, rates[key]) for key, name in names.items() if key in rates and rates[key].named]
    return tuple(sorted(rivals, key=_most_often_first))


def _most_often_first(rival: RivalRate) -> tuple[int, str]:
    return -rival.rate.named, rival.name


def _result(
    prompt: AskedPrompt,
    now: dict[int, PromptRate],
    before: dict[int, PromptRate],
    names: dict[int, str],
    *,
    lists_unnamed: bool,
) -> PromptResult:
    """Return one prompt's result; `lists_unnamed` includes competitors that are not named, or no longer."""
    own, own_before = now.get(BRAND_KEY, NOTHING), before.get(BRAND_KEY, NOTHING)

    def rate_of(key: int, rates: dict[int, PromptRate], whole: PromptRate) -> PromptRate:
        return rates.get(key, PromptRate(whole.answers, 0))

    listed = [
        RivalRate(name, rate, rate_of(key, before, own_before))
        for key, name in names.items()
        if (rate := rate_of(key, now, own)).named or lists_unnamed
    ]
    rivals = tuple(sorted(listed, key=_most_often_first))
    return PromptResult(
        prompt=prompt,
        own=own,
        rivals=rivals,
        outcome=outcome_of(own, [rival.rate for rival in rivals]),
        change=change_of(own, own_before),
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
    rivals = [
        RivalRate(name, replace(rate, answers=own.answers)) for name, rate in named.items() if rate.named
    ]
    return OverallRates(own, tuple(sorted(rivals, key=_most_often_first)))


def added_rates(first: PromptRate, second: PromptRate) -> PromptRate:
    """Return the sum of two rates of one entity."""
    return PromptRate(
        first.answers + second.answers,
        first.named + second.named,
        first.ranked + second.ranked,
        first.rank_sum + second.rank_sum,
        first.cited + second.cited,
    )


def _largest_rival_change(result: PromptResult) -> float:
    changes = (rival.change for rival in result.rivals)
    return max((abs(change.difference or 0.0) for change in changes if change), default=0.0)


def sort_results(results: Sequence[PromptResult], by: str, outcome: str | None = None) -> list[PromptResult]:
    """Return the results with an outcome, or all of them, sorted by `gap`, `rate`, `change` or `rivalChange`.

    `gap` puts the widest loss first or, for wins alone, the widest win. `rate` puts the lowest first and
    those not measured last. `change` puts the largest change of the brand first, `rivalChange` that of a competitor.
    """
    results = [result for result in results if outcome in (None, result.outcome)]
    if by == "rate":
        return sorted(results, key=lambda result: (result.own.rate is None, result.own.rate or 0.0))
    if by == "change":
        return sorted(results, key=lambda result: -abs(result.change.difference or 0.0))
    if by == "rivalChange":
        return sorted(results, key=lambda result: -_largest_rival_change(result))
    return sorted(results, key=lambda result: result.gap if outcome == "win" else -result.gap)
