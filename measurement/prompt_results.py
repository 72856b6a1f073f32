"""Results of single prompts over a period and the one before it: rates, rivals, outcome, change."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from analytics.prompt_results import Outcome, PromptChange, PromptRate, change_of, outcome_of
from measurement.brand_identity import BRAND_KEY
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.brands import Brand, EntityNames
from storage.repositories.prompt_results import AskedPrompt
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
    """Return a filter with both ends: its own, else now and as much earlier as the length says."""
    until = chosen.until or now
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
    entities = await workspace.brands.entities(brand)
    names = {
        entity.key: entity.name
        for entity in entities
        if entity.key != BRAND_KEY and (competitor is None or entity.key == competitor.key)
    }
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
        rates[naming.prompt_id][naming.entity_key] = PromptRate(
            answers=rates[naming.prompt_id][BRAND_KEY].answers,
            named=naming.named,
            ranked=naming.ranked,
            rank_sum=naming.rank_sum,
            cited=naming.cited,
        )
    return rates, {count.prompt.id: count.prompt for count in counts}


def _result(
    prompt: AskedPrompt,
    now: dict[int, PromptRate],
    before: dict[int, PromptRate],
    names: dict[int, str],
) -> PromptResult:
    own = now.get(BRAND_KEY, NOTHING)
    rivals = [RivalRate(name, now[key]) for key, name in names.items() if key in now and now[key].named]
    rivals.sort(key=lambda rival: (-rival.rate.named, rival.name))
    return PromptResult(
        prompt=prompt,
        own=own,
        rivals=tuple(rivals),
        outcome=outcome_of(own, [rival.rate for rival in rivals]),
        change=change_of(own, before.get(BRAND_KEY, NOTHING)),
    )


def sort_results(results: Sequence[PromptResult], by: str) -> list[PromptResult]:
    """Sort by `gap` (largest loss first), `rate` (lowest first, not measured last) or `change` (largest first)."""
    if by == "rate":
        return sorted(results, key=lambda result: (result.own.rate is None, result.own.rate or 0.0))
    if by == "change":
        return sorted(results, key=lambda result: -abs(result.change.difference or 0.0))
    return sorted(results, key=lambda result: -result.gap)
