"""Plans which texts to write or refresh first."""

from workflows.agents.agent import Result, Work
from workflows.agents.gap_finder import prompt_gap
from workflows.agents.outputs.content import PromptCoverage, RefreshPlan, RepositoryAudit, WritingTask
from workflows.agents.outputs.gaps import PromptGap
from workflows.definitions import MOST_REFRESHED
from workflows.errors import AgentFailed
from workflows.monitors.content_gap import judge, load
from workflows.monitors.figures import Skipped


async def run(work: Work) -> Result:
    """Take uncovered prompts first, then thin and old items, at most five. Fails with `no_input` without any."""
    audit, coverage = work.output(RepositoryAudit), work.output(PromptCoverage)
    won = await won_by_rivals(work)
    tasks = [
        WritingTask(
            kind="answer",
            prompt_id=prompt.id,
            text=prompt.text,
            rivals=won[prompt.id].rivals if prompt.id in won else (),
            quotes=won[prompt.id].quotes if prompt.id in won else (),
        )
        for prompt in coverage.uncovered
    ]
    tasks += [WritingTask(kind="extend", item_id=item_id) for item_id in audit.thin]
    tasks += [
        WritingTask(kind="refresh", item_id=item_id) for item_id in audit.old if item_id not in audit.thin
    ]
    if not tasks:
        raise AgentFailed("no_input")
    planned = tuple(tasks[:MOST_REFRESHED])
    return Result(RefreshPlan(tasks=planned), f"{len(planned)} of {len(tasks)} texts are planned.")


async def won_by_rivals(work: Work) -> dict[str, PromptGap]:
    """Return the prompts that competitors win, by prompt id; empty before the first measurement."""
    try:
        material = await load(work.workspace, work.brand, work.now)
    except Skipped:
        return {}
    judged = await judge(work.workspace, work.brand, material, work.now)
    gaps = [prompt_gap(gap, material.names) for gap in judged.gaps]
    return {gap.prompt_id: gap for gap in gaps if gap.rivals}
