"""Results of single prompts by platform and by answer type."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from analytics.prompt_results import Outcome, PromptRate, outcome_of
from engines.engine import SUPPLIED, Mode
from measurement.planning.brand_identity import BRAND_KEY
from measurement.publication.kept_results import KeptResults
from measurement.statistics.daily_reads import read_days
from measurement.statistics.prompt_results import (
    NOTHING,
    RivalRate,
    added_rates,
    rate_of,
    rival_names,
    rival_rates,
)
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.brands import Brand, EntityNames
from storage.repositories.prompt_results import PromptNaming
from storage.workspace import Workspace

ChannelCounts: TypeAlias = tuple[list[tuple[str, str, str, int]], list[tuple[str, str, PromptNaming]]]
MOST_PAGES = 100
"""Pages of prompts whose results by channel are cached, with some thousand counts each."""
CHANNELS = KeptResults[list[ChannelCounts]](2 * MOST_PAGES)
AnswerWay = Literal["memory", "search", "seen"]
"""Answer type: from a model's memory, with the model's own search, or observed on an AI surface."""
WAYS: tuple[AnswerWay, ...] = ("memory", "search", "seen")


def way_of(platform: str, mode: str) -> AnswerWay:
    """Return the answer type of a channel."""
    if SUPPLIED in platform:
        return "seen"
    return "memory" if mode == Mode.VISIBILITY else "search"


@dataclass(frozen=True, slots=True)
class GroupResult:
    """The brand's result for one prompt on a platform or for an answer type; competitors as in `PromptResult`."""

    name: str
    own: PromptRate
    rivals: tuple[RivalRate, ...]
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class ChannelResults:
    """The results of one prompt by platform, and by answer type in the order of `WAYS`."""

    platforms: tuple[GroupResult, ...] = ()
    ways: tuple[GroupResult, ...] = ()


async def channel_results(
    workspace: Workspace,
    brand: Brand,
    chosen: AnswerFilter,
    prompt_ids: Sequence[str],
    competitor: EntityNames | None = None,
) -> dict[str, ChannelResults]:
    """Return the results of some prompts for each platform and answer type that answered them, by prompt."""
    revision_key = brand.revision_key
    if revision_key is None or not prompt_ids:
        return {}
    names = await rival_names(workspace, brand, competitor)
    ids, repository = tuple(prompt_ids), workspace.prompt_results

    async def count() -> list[ChannelCounts]:
        return [await repository.counts_by_channel(brand.key, revision_key, chosen, ids)]

    [(counts, namings)] = await read_days(workspace, brand, chosen, CHANNELS, ("channels", ids), count)
    rates: dict[tuple[str, str], dict[int, PromptRate]] = {}
    for prompt_id, platform, mode, answers in counts:
        for group in (platform, way_of(platform, mode)):
            entities = rates.setdefault((prompt_id, group), {BRAND_KEY: NOTHING})
            entities[BRAND_KEY] = added_rates(entities[BRAND_KEY], PromptRate(answers, 0))
    for platform, mode, naming in namings:
        for group in (platform, way_of(platform, mode)):
            entities = rates[naming.prompt_id, group]
            named = added_rates(entities.get(naming.entity_key, NOTHING), rate_of(0, naming))
            entities[naming.entity_key] = replace(named, answers=entities[BRAND_KEY].answers)
    groups: dict[str, dict[str, GroupResult]] = {}
    for (prompt_id, group), entities in rates.items():
        own, rivals = entities[BRAND_KEY], rival_rates(entities, names)
        result = GroupResult(group, own, rivals, outcome_of(own, [rival.rate for rival in rivals]))
        groups.setdefault(prompt_id, {})[group] = result
    return {prompt_id: _channel_results(results) for prompt_id, results in groups.items()}


def _channel_results(groups: Mapping[str, GroupResult]) -> ChannelResults:
    """Separate the results of platforms from those of answer types; no platform has the name of an answer type."""
    return ChannelResults(
        tuple(result for name, result in groups.items() if name not in WAYS),
        tuple(groups[way] for way in WAYS if way in groups),
    )
