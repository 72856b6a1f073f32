"""The tool table of the service: every family, in the order in which all surfaces list them."""

from tools import (
    actions,
    agents,
    answer,
    answers,
    brand_profiles,
    brands,
    citations,
    credits,
    dashboard,
    mentions,
    monitoring,
    notifications,
    period_comparison,
    platforms,
    prompt_results,
    prompt_set_runs,
    prompt_sets,
    rankings,
    readiness,
    repository_items,
    runs,
    scores,
    simulations,
    snapshots,
    trends,
    workflows,
)
from tools.calls.table import ToolTable


def tool_table() -> ToolTable:
    """Return the table that every surface is derived from."""
    families = (
        brands.family,
        snapshots.family,
        brand_profiles.family,
        repository_items.family,
        scores.family,
        platforms.family,
        trends.family,
        mentions.family,
        answer.family,
        answers.family,
        prompt_results.family,
        citations.family,
        period_comparison.family,
        actions.family,
        rankings.family,
        simulations.family,
        dashboard.family,
        monitoring.family,
        notifications.family,
        workflows.family,
        credits.family,
        runs.family,
        prompt_sets.family,
        prompt_set_runs.family,
        agents.family,
        readiness.family,
    )
    return ToolTable(families)
