"""Plans which texts to write or refresh first."""

from workflows.agents.agent import Result, Work
from workflows.agents.outputs.content import PromptCoverage, RefreshPlan, RepositoryAudit, WritingTask
from workflows.definitions import MOST_REFRESHED
from workflows.errors import AgentFailed


async def run(work: Work) -> Result:
    """Take uncovered prompts first, then thin and old items, at most five. Fails with `no_input` without any."""
    audit, coverage = work.output(RepositoryAudit), work.output(PromptCoverage)
    tasks = [
        WritingTask(kind="answer", prompt_id=prompt.id, text=prompt.text) for prompt in coverage.uncovered
    ]
    tasks += [WritingTask(kind="extend", item_id=item_id) for item_id in audit.thin]
    tasks += [
        WritingTask(kind="refresh", item_id=item_id) for item_id in audit.old if item_id not in audit.thin
    ]
    if not tasks:
        raise AgentFailed("no_input")
    planned = tuple(tasks[:MOST_REFRESHED])
    return Result(RefreshPlan(tasks=planned), f"{len(planned)} of {len(tasks)} texts are planned.")
