"""The tool table of the service: every family, in the order in which all surfaces list them."""

from tools import agents, brands, monitoring, prompt_sets, readiness, repository_items, runs, visibility
from tools.table import ToolTable


def tool_table() -> ToolTable:
    """Return the table that every surface is derived from."""
    families = (
        brands.family,
        repository_items.family,
        visibility.family,
        monitoring.family,
        runs.family,
        prompt_sets.family,
        agents.family,
        readiness.family,
    )
    return ToolTable(families)
