"""Finds the prompts that competitors win: those that name them and not the brand, or cite them and never the brand."""

from workflows.agents.agent import Result, Work
from workflows.agents.gap_finder import FIXES, prompt_gap
from workflows.agents.outputs.gaps import CompetitorGaps
from workflows.agents.site import report_observations
from workflows.errors import AgentFailed
from workflows.monitors.content_gap import check_of, judge, load, observations
from workflows.monitors.look import Skipped

AGAINST_RIVALS = ("gap.answer", "gap.citation")


async def run(work: Work) -> Result:
    """Judge every prompt by gaps/1. Fails with `no_input` when nothing was measured yet."""
    try:
        material = await load(work.workspace, work.brand, work.now)
    except Skipped as skipped:
        raise AgentFailed("no_input") from skipped
    judged = await judge(work.workspace, work.brand, material, work.now)
    known = await work.workspace.issues.open_of(work.brand.key)
    seen = [
        observation
        for observation in observations(judged, material.prompts, known)
        if observation.check_id in AGAINST_RIVALS
    ]
    shared = report_observations(seen, FIXES)
    gaps = tuple(
        prompt_gap(gap, material.names) for gap in judged.gaps if check_of(gap.gap.kind) in AGAINST_RIVALS
    )
    summary = f"Competitors win {len(gaps)} of {len(material.prompts)} prompts."
    return Result(CompetitorGaps(gaps=gaps), summary, shared.findings, raised=shared.raised)
