"""The one price of an agent: what a run reserves, what a list shows and what a preview says come from here."""

from collections.abc import Mapping, Sequence
from typing import Any

from engines.registry import Registry
from engines.settings import LOCAL
from storage.repositories.brands import Brand
from storage.workspace import Workspace
from workflows.catalog import AGENT_KINDS
from workflows.credits import price
from workflows.engine_keys import EngineKeys
from workflows.questions import market_calls, reputation_calls

NO_CONFIGURATION: Mapping[str, Any] = {}


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
        configuration: Mapping[str, Any] = NO_CONFIGURATION,
    ) -> list[tuple[str, int]]:
        """Return each agent with its credits: one, and for each ten engine calls begun that it plans one more."""
        ready = await self._keys.platforms(workspace.company_id)
        return [
            (agent, price(await self._calls(workspace, brand, agent, ready, configuration)))
            for agent in agents
        ]

    async def _calls(
        self,
        workspace: Workspace,
        brand: Brand | None,
        agent: str,
        ready: Sequence[str],
        configuration: Mapping[str, Any],
    ) -> int:
        if agent == "answer_prober":
            return await market_calls(workspace, brand, ready, self.engines, configuration)
        if agent == "reputation_prober":
            return reputation_calls(ready, self.engines, configuration)
        return AGENT_KINDS[agent].calls

    async def missing(self, company_id: str, agents: Sequence[str]) -> tuple[str, ...]:
        """Return the kinds of engine that these agents need and nobody configured."""
        ready = await self._keys.platforms(company_id)
        having: Mapping[str, Sequence[str]] = {
            "answering_engine": ready,
            "writing_engine": [platform for platform in ready if platform != LOCAL],
        }
        needs = {AGENT_KINDS[agent].needs for agent in agents}
        return tuple(kind for kind in sorted(having) if kind in needs and not having[kind])
