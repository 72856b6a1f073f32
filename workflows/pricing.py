"""The one price of an agent: what a run reserves, what a list shows and what a preview says come from here."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from engines.registry import Registry
from engines.settings import LOCAL
from measurement.planning.engine_keys import EngineKeys
from storage.repositories.brands import Brand
from storage.workspace import Workspace
from workflows.configurations import (
    NO_CONFIGURATION,
    AgentConfiguration,
    ProberConfiguration,
    ReputationConfiguration,
    settings_of,
)
from workflows.credits import price
from workflows.definitions import AGENT_KINDS
from workflows.prober_questions import Market, reputation_calls

Configurations = Mapping[str, AgentConfiguration]
"""What agents are set to, by their names; one that is left out is not set."""
Bundle = tuple[Sequence[str], Configurations]
UNSET: Configurations = MappingProxyType({})


class Pricing:
    """Prices of agents for a company as it stands now."""

    def __init__(self, keys: EngineKeys) -> None:
        self._keys = keys

    @property
    def engines(self) -> Registry:
        """Every engine there is."""
        return self._keys.engines

    async def prices(
        self,
        workspace: Workspace,
        brand: Brand | None,
        agents: Sequence[str],
        configurations: Configurations = UNSET,
        ready: Sequence[str] | None = None,
    ) -> list[tuple[str, int]]:
        """Return each agent with its credits: one, and for each ten engine calls begun that it plans one more.

        `ready` are the engines to plan with, by default those that can be asked.
        """
        if ready is None:
            ready = await self.ready(workspace.company_id)
        market = await Market.read(workspace, ready, self.engines)
        return priced(agents, market, [brand.key] if brand else [], configurations)

    async def dearest(
        self,
        workspace: Workspace,
        ready: Sequence[str],
        brand_keys: Sequence[int],
        bundles: Mapping[str, Bundle],
    ) -> dict[str, int]:
        """Return the credits of each bundle of agents for the brand of these that it costs most for, in one query."""
        market = await Market.read(workspace, ready, self.engines)
        return {
            name: sum(credits for _, credits in priced(agents, market, brand_keys, configurations))
            for name, (agents, configurations) in bundles.items()
        }

    async def ready(self, company_id: str) -> tuple[str, ...]:
        """Return every platform that can be asked for a company."""
        return await self._keys.platforms(company_id)


def priced(
    agents: Sequence[str], market: Market, brand_keys: Sequence[int], configurations: Configurations
) -> list[tuple[str, int]]:
    """Return each agent with its credits for the brand of these that it takes most calls for."""
    return [(agent, price(_calls(agent, market, brand_keys, configurations))) for agent in agents]


def _calls(agent: str, market: Market, brand_keys: Sequence[int], configurations: Configurations) -> int:
    configuration = configurations.get(agent, NO_CONFIGURATION)
    if agent == "answer_prober":
        return market.most_calls(brand_keys, settings_of(ProberConfiguration, configuration))
    if agent == "reputation_prober":
        return reputation_calls(
            market.ready, market.engines, settings_of(ReputationConfiguration, configuration)
        )
    return AGENT_KINDS[agent].calls


def missing(ready: Sequence[str], agents: Sequence[str]) -> tuple[str, ...]:
    """Return the kinds of engine that these agents need and that are not among those that can be asked."""
    having: Mapping[str, Sequence[str]] = {
        "answering_engine": ready,
        "writing_engine": [platform for platform in ready if platform != LOCAL],
    }
    needs = {AGENT_KINDS[agent].needs for agent in agents}
    return tuple(kind for kind in sorted(having) if kind in needs and not having[kind])
