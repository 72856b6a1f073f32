"""Results of single prompts by platform and by answer type."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Literal

from analytics.prompt_results import Outcome, PromptRate, outcome_of
from engines.engine import SUPPLIED, Mode
from measurement.planning.brand_identity import BRAND_KEY
from measurement.statistics.prompt_results import NOTHING, PeriodResults, RivalRate, added_rates, rival_rates

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


def channel_results(results: PeriodResults, prompt_ids: Collection[str]) -> dict[str, ChannelResults]:
    """Return the results of some prompts for each platform and answer type that answered them, by prompt."""
    names = results.names
    rates: dict[tuple[str, str], dict[int, PromptRate]] = {}
    for entity_key, cells in results.cells.items():
        for (prompt_id, channel), rate in sorted(cells, key=itemgetter(0)):
            if prompt_id in prompt_ids:
                for group in (channel.platform, way_of(channel.platform, channel.mode)):
                    of_group = rates.setdefault((prompt_id, group), {})
                    of_group[entity_key] = added_rates(of_group.get(entity_key, NOTHING), rate)
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
