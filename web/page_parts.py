"""Parts of a page that a tool did not give: what each is called, and the sentence that stands in its place."""

from collections.abc import Mapping
from dataclasses import dataclass

from tools.calls.dispatch import Refusal
from tools.calls.errors import Cause

PARTS: Mapping[str, str] = {
    "compare_periods": "The comparison with the period before",
    "get_ai_visibility_score": "The visibility score",
    "get_answer": "The answer",
    "get_brand_mentions": "The list of mentions",
    "get_brand_profile": "The brand's profile",
    "get_citations": "The list of sources",
    "get_competitor_rankings": "The ranking against rivals",
    "get_credits": "The credits",
    "get_metric_trend": "The trend",
    "get_platform_metrics": "The figures by engine",
    "get_prompt_results": "The results by question",
    "get_repository_items": "The list of contents",
    "get_run_status": "The run",
    "list_actions": "The list of actions",
    "list_answers": "The list of answers",
    "list_brand_profiles": "The list of brands",
    "list_notifications": "The notifications",
    "list_prompt_sets": "The question sets",
    "list_reusable_agents": "The list of agents",
    "list_simulations": "The list of sessions",
    "list_workflow_runs": "The list of runs",
    "list_workflows": "The list of workflows",
    "search_repository_items": "The search in the contents",
}
"""What a person sees missing where a tool gave nothing."""


@dataclass(frozen=True, slots=True)
class MissingPart:
    """What stands in the place of a part; `faulty` when no other address or filter would bring it."""

    words: str
    faulty: bool


def describe_missing_part(tool: str, refusal: Refusal) -> MissingPart:
    """Say which part of a page is missing and what to do; a fault of ours gives the reference of its log entry."""
    part = PARTS.get(tool, "A part of this page")
    if refusal.cause is Cause.CRASH:
        return MissingPart(f"{part} is not available. {refusal.hint}", faulty=True)
    if refusal.cause is Cause.UNAVAILABLE:
        return MissingPart(f"{part} is not available just now. Load the page again in a minute.", faulty=True)
    return MissingPart(f"{part} cannot be shown here: {refusal.reason.rstrip('.')}.", faulty=False)
