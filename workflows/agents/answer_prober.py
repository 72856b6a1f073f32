"""Asks the brand's prompts of every engine that can be asked."""

from workflows.agents.agent import Result, Work
from workflows.agents.asking import ask
from workflows.configurations import ProberConfiguration
from workflows.prober_questions import market_plans


async def run(work: Work) -> Result:
    """Ask prompts x channels x repeats. Fails with `no_input` without prompts, or for the want of engines."""
    ready = await work.prober.keys.platforms(work.workspace.company_id)
    settings = work.settings(ProberConfiguration)
    plans = await market_plans(work.workspace, work.brand, ready, work.engines, settings)
    return await ask(work, "answer_prober", plans)
