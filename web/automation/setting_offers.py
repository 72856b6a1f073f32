"""What the settings of agents can be chosen from in a company: its question sets, and the engines that it can ask."""

from typing import Any

from measurement.planning.engine_names import platform_name
from web.automation.agent_settings import Offers
from web.request import PageRequest

MOST_SETS = 100


async def load_offers(request: PageRequest) -> Offers:
    """Return question sets and engines by their ids, with their names."""
    listed = await request.call_tool("list_prompt_sets", limit=MOST_SETS)
    prompt_sets: list[dict[str, Any]] = listed["promptSets"] if listed else []
    return {
        "promptSetId": {known["promptSetId"]: known["name"] for known in prompt_sets},
        "platforms": {name: platform_name(name) for name in await request.ready_platforms()},
    }
