"""Plans which texts to write or refresh first."""

from typing import Any

from workflows.agents.agent import Result, Work
from workflows.definitions import MOST_REFRESHED
from workflows.errors import AgentFailed


async def run(work: Work) -> Result:
    """Take uncovered prompts first, then thin and old items, at most five. Fails with `no_input` without any."""
    audit, coverage = work.outputs["repository_auditor"], work.outputs["coverage_mapper"]
    tasks: list[dict[str, Any]] = [
        {"kind": "answer", "promptId": prompt["id"], "text": prompt["text"]}
        for prompt in coverage["uncovered"]
    ]
    tasks += [{"kind": "extend", "itemId": item_id} for item_id in audit["thin"]]
    tasks += [
        {"kind": "refresh", "itemId": item_id} for item_id in audit["old"] if item_id not in audit["thin"]
    ]
    if not tasks:
        raise AgentFailed("no_input")
    planned = tasks[:MOST_REFRESHED]
    return Result({"tasks": planned}, f"{len(planned)} of {len(tasks)} texts are planned.")
