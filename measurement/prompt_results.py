"""Results of single prompts over a period and the one before it: rates, rivals, outcome, change."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from analytics.prompt_results import Outcome, PromptChange, PromptRate, change_of, outcome_of
from engines.engine import SUPPLIED, Mode
from measurement.brand_identity import BRAND_KEY
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.brands import Brand, EntityNames
from storage.repositories.prompt_results import AskedPrompt, PromptNaming
from storage.workspace import Workspace

NOTHING = PromptRate(0, 0)


@dataclass(frozen=True, slots=True)
class RivalRate:
    """A competitor's rate on the same answers."""

    name: str
    rate: PromptRate


@dataclass(frozen=True, slots=True)
class PromptResult:
    """How the brand fares on one prompt; `rivals` are those that are named at all, most often first."""

    prompt: AskedPrompt
    own: PromptRate
    rivals: tuple[RivalRate, ...]
    outcome: Outcome
    change: PromptChange

    @property
    def gap(self) -> float:
        """How much more often the strongest rival is named than the brand, as a share; negative when less."""
        best = max((rival.rate.rate or 0.0 for rival in self.rivals), default=0.0)
        return best - (self.own.rate or 0.0)


def in_period(chosen: AnswerFilter, length: timedelta, now: datetime) -> AnswerFilter:
    """Return a filter with both ends: its own, else now and as much earlier as the length says.

    An end after today is the end of today: of the days until then only those that have come can hold answers. A period
    that lies ahead as a whole stays what it is.
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


async def prompt_results(
    workspace: Workspace, brand: Brand, chosen: AnswerFilter, competitor: EntityNames | None = None
) -> list[PromptResult]:
    """Return the result of every prompt that is asked about a brand or was answered in the filter's period.

    The change is the one since the period before. With a competitor only that one counts as rival.
    """
    names = await _rival_names(workspace, brand, competitor)
    prompts = {prompt.id: prompt for prompt in await workspace.prompt_results.asked(brand.key)}
    prompts = {prompt_id: prompt for prompt_id, prompt in prompts.items() if matches(prompt, chosen)}
    rates, answered = await _rates(workspace, brand, chosen)
    before, _ = await _rates(workspace, brand, period_before(chosen))
    return [
        _result(prompt, rates.get(prompt.id, {}), before.get(prompt.id, {}), names)
        for prompt in {**prompts, **answered}.values()
    ]


def matches(prompt: AskedPrompt, chosen: AnswerFilter) -> bool:
    """Tell whether a prompt that may have no answer yet belongs to what is looked at; branded ones never do."""
    return (
        prompt.branded is not True
        and chosen.prompt_set_id in (None, prompt.set_id)
        and chosen.prompt_id in (None, prompt.id)
        and (chosen.tag is None or chosen.tag in prompt.tags)
        and chosen.intent in (None, prompt.intent)
    )


async def _rates(
    workspace: Workspace, brand: Brand, chosen: AnswerFilter
) -> tuple[dict[str, dict[int, PromptRate]], dict[str, AskedPrompt]]:
    """Return the rates of all entities by prompt, and the prompts that were answered."""
    if brand.revision_key is None:
        return {}, {}
    counts, namings = await workspace.prompt_results.counts(brand.key, brand.revision_key, chosen)
    rates = {count.prompt.id: {BRAND_KEY: PromptRate(answers=count.answers, named=0)} for count in counts}
    for naming in namings:
        answers = rates[naming.prompt_id][BRAND_KEY].answers
        rates[naming.prompt_id][naming.entity_key] = _rate(answers, naming)
    return rates, {count.prompt.id: count.prompt for count in counts}


AnswerWay = Literal["memory", "search", "seen"]
"""How an answer comes about: from a model's memory, with a search of its own, or on a screen that people see."""
WAYS: tuple[AnswerWay, ...] = ("memory", "search", "seen")


def way_of(platform: str, mode: str) -> AnswerWay:
    """Return how the answers of a channel come about."""
    if SUPPLIED in platform:
        return "seen"
    return "memory" if mode == Mode.VISIBILITY else "search"


@dataclass(frozen=True, slots=True)
class GroupResult:
    """How the brand fares on one prompt on a platform or in a way, by its name; `rivals` as in `PromptResult`."""

    name: str
    own: PromptRate
    rivals: tuple[RivalRate, ...]
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class ChannelResults:
    """The results of one prompt by platform, and by way in the order of `WAYS`."""

    platforms: tuple[GroupResult, ...] = ()
    ways: tuple[GroupResult, ...] = ()


async def channel_results(
    workspace: Workspace,
    brand: Brand,
    chosen: AnswerFilter,
    prompt_ids: Sequence[str],
    competitor: EntityNames | None = None,
) -> dict[str, ChannelResults]:
    """Return the results of some prompts on each platform and in each way that answered them, by prompt."""
    if brand.revision_key is None or not prompt_ids:
        return {}
    names = await _rival_names(workspace, brand, competitor)
    counts, namings = await workspace.prompt_results.counts_by_channel(
        brand.key, brand.revision_key, chosen, prompt_ids
    )
    rates: dict[tuple[str, str], dict[int, PromptRate]] = {}
    for prompt_id, platform, mode, answers in counts:
        for group in (platform, way_of(platform, mode)):
            entities = rates.setdefault((prompt_id, group), {BRAND_KEY: NOTHING})
            entities[BRAND_KEY] = _added(entities[BRAND_KEY], PromptRate(answers, 0))
    for platform, mode, naming in namings:
        for group in (platform, way_of(platform, mode)):
            entities = rates[naming.prompt_id, group]
            named = _added(entities.get(naming.entity_key, NOTHING), _rate(0, naming))
            entities[naming.entity_key] = replace(named, answers=entities[BRAND_KEY].answers)
    groups: dict[str, dict[str, GroupResult]] = {}
    for (prompt_id, group), entities in rates.items():
        own, rivals = entities[BRAND_KEY], _rivals(entities, names)
        result = GroupResult(group, own, rivals, outcome_of(own, [rival.rate for rival in rivals]))
        groups.setdefault(prompt_id, {})[group] = result
    return {prompt_id: _channel_results(results) for prompt_id, results in groups.items()}


def _channel_results(groups: Mapping[str, GroupResult]) -> ChannelResults:
    """Part the results of platforms from those of ways; no platform has the name of a way."""
    return ChannelResults(
        tuple(result for name, result in groups.items() if name not in WAYS),
        tuple(groups[way] for way in WAYS if way in groups),
    )


async def _rival_names(workspace: Workspace, brand: Brand, competitor: EntityNames | None) -> dict[int, str]:
    """Return the competitors that count as rivals, by key."""
    return {
        entity.key: entity.name
        for entity in await workspace.brands.entities(brand)
        if entity.key != BRAND_KEY and (competitor is None or entity.key == competitor.key)
    }


def _rate(answers: int, naming: PromptNaming) -> PromptRate:
    return PromptRate(answers, naming.named, naming.ranked, naming.rank_sum, naming.cited)


def _rivals(rates: Mapping[int, PromptRate], names: Mapping[int, str]) -> tuple[RivalRate, ...]:
    """Return the rivals that are named at all, most often first."""
    rivals = [RivalRate(name, rates[key]) for key, name in names.items() if key in rates and rates[key].named]
    return tuple(sorted(rivals, key=lambda rival: (-rival.rate.named, rival.name)))


def _result(
    prompt: AskedPrompt,
    now: dict[int, PromptRate],
    before: dict[int, PromptRate],
    names: dict[int, str],
) -> PromptResult:
    own = now.get(BRAND_KEY, NOTHING)
    rivals = _rivals(now, names)
    return PromptResult(
        prompt=prompt,
        own=own,
        rivals=rivals,
        outcome=outcome_of(own, [rival.rate for rival in rivals]),
        change=change_of(own, before.get(BRAND_KEY, NOTHING)),
    )


@dataclass(frozen=True, slots=True)
class OverallRates:
    """The rates over all prompts together; `rivals` are those that are named at all, most often first."""

    own: PromptRate
    rivals: tuple[RivalRate, ...]


def overall_rates(results: Sequence[PromptResult]) -> OverallRates:
    """Add up the results of prompts; an answer belongs to one prompt and counts once."""
    own = NOTHING
    for result in results:
        own = _added(own, result.own)
    named: dict[str, PromptRate] = {}
    for result in results:
        for rival in result.rivals:
            named[rival.name] = _added(named.get(rival.name, NOTHING), rival.rate)
    rivals = [RivalRate(name, replace(rate, answers=own.answers)) for name, rate in named.items()]
    return OverallRates(own, tuple(sorted(rivals, key=lambda rival: (-rival.rate.named, rival.name))))


def _added(first: PromptRate, second: PromptRate) -> PromptRate:
    return PromptRate(
        first.answers + second.answers,
        first.named + second.named,
        first.ranked + second.ranked,
        first.rank_sum + second.rank_sum,
        first.cited + second.cited,
    )


def sort_results(results: Sequence[PromptResult], by: str, outcome: str | None = None) -> list[PromptResult]:
    """Return the results of an outcome, or all, sorted by `gap`, `rate` or `change`.

    By `gap` the widest loss comes first, and of wins alone the widest win; by `rate` the lowest first, not measured
    last; by `change` the largest first.
    """
    results = [result for result in results if outcome in (None, result.outcome)]
    if by == "rate":
        return sorted(results, key=lambda result: (result.own.rate is None, result.own.rate or 0.0))
    if by == "change":
        return sorted(results, key=lambda result: -abs(result.change.difference or 0.0))
    return sorted(results, key=lambda result: result.gap if outcome == "win" else -result.gap)
