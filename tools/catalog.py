"""The tool table of the service: every family, in the order in which all surfaces list them."""

from tools import (
    agents,
    brands,
    mentions,
    monitoring,
    platforms,
    prompt_sets,
    rankings,
    readiness,
    repository_items,
    run_requests,
    runs,
    scores,
    simulations,
    trends,
    workflow_offers,
)
from tools.table import ToolTable


def tool_table() -> ToolTable:
    """Return the table that every surface is derived from."""
    families = (
        brands.family,
        repository_items.family,
        scores.family,
        platforms.family,
        trends.family,
        mentions.family,
        rankings.family,
        simulations.family,
        monitoring.family,
        workflow_offers.family,
        run_requests.family,
        runs.family,
        prompt_sets.family,
        agents.family,
        readiness.family,
    )
    return ToolTable(families)
